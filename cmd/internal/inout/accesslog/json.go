package accesslog

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

type slot int

const (
	slotTime slot = iota
	slotAddr
	slotAgent
	slotTarget
	slotHost
	slotMethod
	slotStatus
	slotBytes
	slotQuery
	slotScheme
	slotForwarded // X-Forwarded-For
	slotTook
	slotTLS
	slotDate       // of a time without one
	slotRequest    // a request line
	slotDecoded    // a target that the server changed
	slotConfigured // a host of the server's configuration
	slotPort       // of the server
	slotBracketed  // a time in brackets
	slotTookMilli
	slotTookMicro
	slotSent    // bytes with the headers
	slotMessage // of Caddy, about itself
	slotOther
	slots
)

// jsonPath is where a field can be. An earlier path of a field has priority.
type jsonPath struct {
	slot slot
	path string
}

// caddyPaths are where Caddy writes the fields. Before 2.7 it wrote no client_ip, and before 2.5
// remote_addr.
var caddyPaths = []jsonPath{
	{slotTime, "ts"}, {slotTook, "duration"},
	{slotAddr, "request.client_ip"}, {slotAddr, "request.remote_ip"}, {slotAddr, "request.remote_addr"},
	{slotHost, "request.host"}, {slotTLS, "request.tls"}, {slotTarget, "request.uri"}, {slotMethod, "request.method"},
	{slotAgent, "request.headers.User-Agent[0]"}, {slotStatus, "status"}, {slotBytes, "size"},
	{slotMessage, "msg"}, shippedPaths[0], shippedPaths[1], shippedPaths[2], // of objects that are not requests
}

// shippedPaths are where programs that collect logs keep a line of a server: Docker and Fluent Bit; Vector, Filebeat
// and Logstash; and journald.
var shippedPaths = []jsonPath{{slotOther, "log"}, {slotOther, "message"}, {slotOther, "MESSAGE"}}

type jsonReader struct {
	paths  []jsonPath
	values [slots][]byte // of the latest object, as they are written; nil if absent
	from   [slots]int    // the path that found each
	active []jsonRest
	line   []byte
}

// jsonRest is a path, and the rest of it that leads on within a value.
type jsonRest struct {
	path int
	rest string
}

func jsonHint() string {
	return "name its format: --log-format " + strings.Join(slices.Sorted(maps.Keys(jsonFormats)), ", ") +
		"; or give the paths of its fields: --map time=a.b[0],addr=…,agent=…,target=…,host=…,method=…,status=…"
}

func (p *Parser) object(line []byte, e *Entry) error {
	form := Caddy
	if p.Map != nil || p.isNamed() {
		form = JSON
	}
	if p.json.paths == nil {
		p.json.paths = caddyPaths
		if p.isNamed() {
			p.json.paths = p.Format.paths
		} else if p.Map != nil {
			p.json.paths = nil
			for i, key := range mapKeys {
				if path := p.Map[key]; path != "" {
					p.json.paths = append(p.json.paths, jsonPath{slot(i), path})
				}
			}
			if err := p.checkMap(); err != nil {
				return err
			}
			p.lacking = maps.Clone(p.Map)
		}
	}
	if !json.Valid(line) {
		return ErrUnreadable
	}
	j := &p.json
	j.read(line)
	if p.Map == nil && j.values[slotTarget] == nil {
		if !p.isNamed() && j.values[slotMessage] != nil && j.values[slotTime] != nil {
			return errMessage
		}
		if p.form == None && !p.isNamed() && j.values[slotOther] == nil {
			return term.Errorf("%s is JSON, but not from Caddy", p.Name).Hint(jsonHint())
		}
		return ErrUnreadable
	}
	if p.form == None && p.Map != nil && j.isEmpty() && fromShipper(p, line) != nil {
		return ErrUnreadable // what a container prints before its first request
	}
	if !p.takeForm(form) {
		return ErrUnreadable
	}
	p.agents = true
	for key := range p.lacking {
		if j.values[slices.Index(mapKeys, key)] != nil {
			delete(p.lacking, key)
		}
	}
	var values [slots][]byte
	for s := range values {
		if j.values[s] != nil {
			values[s] = j.text(slot(s))
		}
	}
	if form == Caddy && values[slotTLS] == nil {
		values[slotTLS] = []byte("-")
	}
	return p.fill(e, &values)
}

// isNamed reports whether the log is in a known format of JSON.
func (p *Parser) isNamed() bool { return p.Format != nil && p.Format.paths != nil }

func (p *Parser) checkMap() error {
	for i, need := range []Field{Time, Addr, Agent, 0, Host, Method, Status} {
		if key := mapKeys[i]; p.Map[key] == "" && (need == 0 || p.Need&need != 0) {
			hint := "add " + key + "=PATH to --map"
			if need == Host {
				hint += ", or name the site with --site"
			}
			return term.Errorf("--map has no path for the field %s", key).Hint(hint)
		}
	}
	return nil
}

// durationOf reads seconds or a text such as 1.5ms.
func durationOf(text []byte) time.Duration {
	if len(text) == 0 {
		return 0
	}
	if n, err := strconv.ParseFloat(string(text), 64); err == nil && n > 0 && n < 1e9 {
		return time.Duration(n * float64(time.Second))
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return 0
	}
	return max(d, 0)
}

// text returns the text of a string, or of a number as it is written.
func (j *jsonReader) text(s slot) []byte {
	value := j.values[s]
	if len(value) < 2 || value[0] != '"' {
		if string(value) == "null" {
			return nil
		}
		return value
	}
	if inside := value[1 : len(value)-1]; bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	var text string
	_ = json.Unmarshal(value, &text) // the line is valid
	return []byte(text)
}

// isEmpty reports that the latest object has no field.
func (j *jsonReader) isEmpty() bool {
	return !slices.ContainsFunc(j.values[:], func(value []byte) bool { return value != nil })
}

// read finds the fields in a valid object.
func (j *jsonReader) read(line []byte) {
	j.line = line
	j.values = [slots][]byte{}
	j.active = j.active[:0]
	for i, path := range j.paths {
		j.active = append(j.active, jsonRest{i, path.path})
	}
	j.value(0, 0)
}

// value reads the value at i and returns the index after it. The active paths, from the index
// begin, lead into the value.
func (j *jsonReader) value(i, begin int) int {
	i = j.blank(i)
	end := len(j.active)
	if begin == end {
		return j.skip(i)
	}
	start := i
	switch j.line[i] {
	case '{':
		for i = j.blank(i + 1); j.line[i] != '}'; {
			after := j.skip(i)
			key := j.line[i+1 : after-1]
			if bytes.IndexByte(key, '\\') >= 0 {
				var text string
				_ = json.Unmarshal(j.line[i:after], &text)
				key = []byte(text)
			}
			i = j.blank(after) + 1 // a colon
			for _, a := range j.active[begin:end] {
				n := len(key)
				if n > 0 && len(a.rest) >= n && a.rest[0] == key[0] && a.rest[:n] == string(key) {
					rest := a.rest[n:]
					j.lead(a.path, rest, rest == "" || rest[0] == '.' || rest[0] == '[')
				}
			}
			i = j.value(i, end)
			j.active = j.active[:end]
			i = j.comma(i)
		}
	case '[':
		n := 0
		for i = j.blank(i + 1); j.line[i] != ']'; n++ {
			for _, a := range j.active[begin:end] {
				if rest, ok := strings.CutPrefix(a.rest, "["+strconv.Itoa(n)+"]"); ok {
					j.lead(a.path, rest, true)
				}
			}
			i = j.value(i, end)
			j.active = j.active[:end]
			i = j.comma(i)
		}
	default:
		i = j.skip(i) - 1
	}
	i++
	for _, a := range j.active[begin:end] {
		if s := j.paths[a.path].slot; a.rest == "" && (j.values[s] == nil || j.from[s] >= a.path) &&
			(s == slotTLS || j.line[start] != '{' && j.line[start] != '[') {
			j.values[s], j.from[s] = j.line[start:i], a.path
		}
	}
	return i
}

// lead makes a path active in the next value.
func (j *jsonReader) lead(path int, rest string, ok bool) {
	if ok {
		j.active = append(j.active, jsonRest{path, strings.TrimPrefix(rest, ".")})
	}
}

// blank returns the index of the next byte that is not white space.
func (j *jsonReader) blank(i int) int {
	for j.line[i] == ' ' || j.line[i] == '\t' || j.line[i] == '\r' {
		i++
	}
	return i
}

// comma returns the index after an optional comma.
func (j *jsonReader) comma(i int) int {
	i = j.blank(i)
	if j.line[i] == ',' {
		i = j.blank(i + 1)
	}
	return i
}

func (j *jsonReader) skip(i int) int {
	depth := 0
	for ; i < len(j.line); i++ {
		switch j.line[i] {
		case '"':
			i += 1 + quoteEnd(j.line[i+1:])
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			} else if depth < 0 {
				return i // after a number
			}
		case ',', ' ', '\t', '\r', ':':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
