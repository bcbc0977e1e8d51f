package accesslog

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Format describes the lines of a log: a text in which variables stand for fields, or the paths of
// fields in JSON.
type Format struct {
	text  string // as given: the name of a known format, or the format
	form  Form
	parts []formatPart
	paths []jsonPath

	isMapped bool // as in Entry: the target is Apache's %U
}

// String returns the text of a format, "" for nil.
func (f *Format) String() string {
	if f == nil {
		return ""
	}
	return f.text
}

// formatPart is a field with the text after it. The first part of a format has the text before the
// first field, and no field.
type formatPart struct {
	slot  slot
	kind  kind
	after []byte

	isMapped bool // a target as in Entry
}

// kind is what a field can contain.
type kind uint8

const (
	anyText  kind = iota // whatever a client sent
	noSpace              // anything but a space
	digits               // a number with a fraction, or -
	several              // such numbers with commas, colons and spaces between them
	inQuotes             // text in quotes, with the server's escapes
)

// The formats of text that have a name, in nginx's notation. A first line can have any of them.
var textFormats = map[string]string{
	"alb": `$word $word $word $remote_addr $word $number $number $number $status $number $number $bytes_sent ` +
		`"$request" "$http_user_agent" $word $word $word "$trace" "$domain" "$certificate" $word $time_iso8601 "$rest`,
	"envoy": `[$time_iso8601] "$request" $status $word $number $body_bytes_sent $number $number "$remote_addr" "$http_user_agent" "$id" "$http_host" "$upstream"`,
	"haproxy": `$remote_addr [$time_local] $word $word $word $status $bytes_sent $word $word $word $word $word ` +
		`{$http_host|$http_user_agent} "$request"`,
	"nginx-proxy-manager": `[$time_local] $word $number $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] ` +
		`[Length $body_bytes_sent] [Gzip $word] [Sent-to $server] "$http_user_agent" "$http_referer"`,
}

// The formats of JSON that have a name.
var jsonFormats = map[string][]jsonPath{
	"akamai": {{slotTime, "reqTimeSec"}, {slotAddr, "cliIP"}, {slotAgent, "UA"}, {slotTarget, "reqPath"}, {slotQuery, "queryStr"}, {slotHost, "reqHost"},
		{slotMethod, "reqMethod"}, {slotStatus, "statusCode"}, {slotBytes, "bytes"}},
	"azure-front-door": {{slotTime, "time"}, {slotAddr, "properties.clientIp"}, {slotAgent, "properties.userAgent"}, {slotTarget, "properties.requestUri"},
		{slotMethod, "properties.httpMethod"}, {slotStatus, "properties.httpStatusCode"}, {slotSent, "properties.responseBytes"}},
	"cloudflare": {{slotTime, "EdgeStartTimestamp"}, {slotAddr, "ClientIP"}, {slotAgent, "ClientRequestUserAgent"}, {slotTarget, "ClientRequestURI"},
		{slotHost, "ClientRequestHost"}, {slotScheme, "ClientRequestScheme"}, {slotMethod, "ClientRequestMethod"}, {slotStatus, "EdgeResponseStatus"},
		{slotSent, "EdgeResponseBytes"}},
	"cloudfront": {{slotDate, "date"}, {slotTime, "time"}, {slotAddr, "c-ip"}, {slotAgent, "cs(User-Agent)"}, {slotTarget, "cs-uri-stem"}, {slotQuery, "cs-uri-query"},
		{slotHost, "x-host-header"}, {slotScheme, "cs-protocol"}, {slotMethod, "cs-method"}, {slotStatus, "sc-status"}, {slotSent, "sc-bytes"}, {slotTook, "time-taken"}},
	"gcp": {{slotTime, "timestamp"}, {slotAddr, "httpRequest.remoteIp"}, {slotAgent, "httpRequest.userAgent"}, {slotTarget, "httpRequest.requestUrl"},
		{slotMethod, "httpRequest.requestMethod"}, {slotStatus, "httpRequest.status"}, {slotSent, "httpRequest.responseSize"}},
}

// FormatNames returns the names of the known formats, sorted.
func FormatNames() []string {
	names := slices.Collect(maps.Keys(textFormats))
	return slices.Sorted(slices.Values(slices.AppendSeq(names, maps.Keys(jsonFormats))))
}

// knownTexts returns the formats of text that have a name, in the order of their names.
var knownTexts = sync.OnceValue(func() (all []*Format) {
	for _, name := range slices.Sorted(maps.Keys(textFormats)) {
		f, err := ParseFormat(name)
		if err != nil {
			panic(err)
		}
		all = append(all, f)
	}
	return all
})

// ParseFormat reads the name of a known format, or a format in the notation of nginx ($remote_addr) or
// Apache (%h).
func ParseFormat(text string) (*Format, error) {
	if paths, ok := jsonFormats[text]; ok {
		return &Format{text: text, paths: paths}, nil
	}
	f, err := parseText(cmp.Or(textFormats[text], text))
	if err != nil {
		return nil, err
	}
	f.text, f.form = text, Own
	if textFormats[text] != "" {
		f.form = Form("the format " + text)
	}
	return f, nil
}

func parseText(text string) (*Format, error) {
	next := nextApache
	if strings.Contains(text, "$") {
		next = nextNginx
	}
	f := &Format{parts: []formatPart{{slot: slotOther}}}
	for rest := text; rest != ""; {
		literal, part, after, ok := next(rest)
		last := &f.parts[len(f.parts)-1]
		last.after = append(last.after, literal...)
		rest = after
		if !ok {
			continue
		}
		if len(last.after) == 0 && last.isMapped && part.slot == slotQuery {
			continue // the query follows with its question mark
		}
		if len(last.after) == 0 && len(f.parts) > 1 {
			return nil, term.Errorf("two fields of the log format have no text between them").Hint("write the format as in the server's configuration")
		}
		f.parts = append(f.parts, part)
	}
	for i := range f.parts {
		p := &f.parts[i]
		f.isMapped = f.isMapped || p.isMapped
		isQuoted := i > 0 && bytes.HasSuffix(f.parts[i-1].after, []byte(`"`)) && bytes.HasPrefix(p.after, []byte(`"`))
		if isQuoted && p.kind == anyText {
			p.kind = inQuotes
		}
	}
	for _, needed := range []struct {
		slots []slot
		hint  string
	}{{[]slot{slotTarget, slotRequest, slotDecoded}, "$request or %r"}, {[]slot{slotAgent}, "$http_user_agent or %{User-Agent}i"}} {
		if !slices.ContainsFunc(f.parts, func(p formatPart) bool { return slices.Contains(needed.slots, p.slot) }) {
			return nil, term.Errorf("the log format has no %s", needed.hint).
				Hint("write the format as in the server's configuration, or name one of " + strings.Join(FormatNames(), ", "))
		}
	}
	return f, nil
}

// nginx are the variables of nginx that have a meaning here. Others can contain any text.
var nginx = map[string]formatPart{
	"remote_addr": {slot: slotAddr, kind: noSpace}, "http_x_forwarded_for": {slot: slotForwarded}, "time_local": {slot: slotTime}, "time_iso8601": {slot: slotTime, kind: noSpace},
	"msec": {slot: slotTime, kind: digits}, "request": {slot: slotRequest}, "request_method": {slot: slotMethod, kind: noSpace}, "request_uri": {slot: slotTarget},
	"uri": {slot: slotDecoded}, "document_uri": {slot: slotDecoded}, "args": {slot: slotQuery}, "query_string": {slot: slotQuery}, "is_args": {slot: slotOther},
	"scheme": {slot: slotScheme, kind: noSpace}, "host": {slot: slotHost, kind: noSpace}, "http_host": {slot: slotHost}, "server_name": {slot: slotConfigured, kind: noSpace},
	"server_port": {slot: slotPort, kind: digits}, "https": {slot: slotTLS}, "ssl_protocol": {slot: slotTLS, kind: noSpace}, "ssl_cipher": {slot: slotTLS, kind: noSpace},
	"status": {slot: slotStatus, kind: digits}, "body_bytes_sent": {slot: slotBytes, kind: digits}, "bytes_sent": {slot: slotSent, kind: digits},
	"request_time": {slot: slotTook, kind: digits}, "http_user_agent": {slot: slotAgent}, "remote_port": {slot: slotOther, kind: digits},
	"request_length": {slot: slotOther, kind: digits}, "connection": {slot: slotOther, kind: digits}, "realip_remote_addr": {slot: slotOther, kind: noSpace},
	"upstream_response_time": {slot: slotOther, kind: several}, "upstream_connect_time": {slot: slotOther, kind: several}, "upstream_header_time": {slot: slotOther, kind: several},
	"upstream_status": {slot: slotOther, kind: several}, "upstream_response_length": {slot: slotOther, kind: several}, "upstream_bytes_received": {slot: slotOther, kind: several},

	// These are in textFormats alone.
	"word": {slot: slotOther, kind: noSpace}, "number": {slot: slotOther, kind: digits},
}

func nextNginx(text string) (literal string, part formatPart, rest string, ok bool) {
	literal, rest, ok = strings.Cut(text, "$")
	if !ok {
		return literal, part, "", false
	}
	rest, isBraced := strings.CutPrefix(rest, "{")
	n := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if n < 0 {
		n = len(rest)
	}
	name := rest[:n]
	rest = rest[n:]
	if isBraced {
		rest = strings.TrimPrefix(rest, "}")
	}
	part, known := nginx[name]
	if !known {
		part = formatPart{slot: slotOther}
	}
	return literal, part, rest, true
}

// apache are the directives of Apache that have a meaning here.
var apache = map[string]formatPart{
	"h": {slot: slotAddr, kind: noSpace}, "a": {slot: slotAddr, kind: noSpace}, "r": {slot: slotRequest}, "s": {slot: slotStatus, kind: digits}, "b": {slot: slotBytes, kind: digits},
	"B": {slot: slotBytes, kind: digits}, "O": {slot: slotSent, kind: digits}, "m": {slot: slotMethod, kind: noSpace}, "U": {slot: slotTarget, isMapped: true}, "q": {slot: slotQuery},
	"v": {slot: slotConfigured, kind: noSpace}, "V": {slot: slotHost, kind: noSpace}, "D": {slot: slotTookMicro, kind: digits}, "T": {slot: slotTook, kind: digits},
	"p": {slot: slotPort, kind: digits}, "P": {slot: slotOther, kind: digits}, "I": {slot: slotOther, kind: digits}, "k": {slot: slotOther, kind: digits}, "H": {slot: slotOther, kind: noSpace},
	"host": {slot: slotHost}, "user-agent": {slot: slotAgent}, "x-forwarded-for": {slot: slotForwarded}, "us": {slot: slotTookMicro, kind: digits}, "ms": {slot: slotTookMilli, kind: digits},
	"https": {slot: slotTLS}, "ssl_protocol": {slot: slotTLS, kind: noSpace}, "ssl_cipher": {slot: slotTLS, kind: noSpace},
}

func nextApache(text string) (literal string, part formatPart, rest string, ok bool) {
	literal, rest, ok = strings.Cut(text, "%")
	if !ok {
		return literal, part, "", false
	}
	if after, is := strings.CutPrefix(rest, "%"); is {
		return literal + "%", part, after, false
	}
	directives := strings.TrimLeft(rest, "<>!,0123456789")
	isLast := strings.Contains(rest[:len(rest)-len(directives)], ">") // of internal redirects
	rest = directives
	argument := ""
	if after, is := strings.CutPrefix(rest, "{"); is {
		argument, rest, _ = strings.Cut(after, "}")
	}
	if rest == "" {
		return literal + "%", part, "", false
	}
	rest = strings.TrimPrefix(rest, "^")
	directive := rest[:1]
	rest = rest[1:]
	part = formatPart{slot: slotOther}
	key := directive
	switch {
	case directive == "i", directive == "x", directive == "e":
		key = strings.ToLower(argument)
	case directive == "T" && argument != "" && argument != "s":
		key = argument
	case directive == "a" && argument == "c", directive == "p" && argument == "remote",
		argument != "" && directive != "t" && directive != "T" && directive != "p":
		key = ""
	}
	if directive == "t" {
		part.slot = slotTime
		if argument == "" {
			part.slot = slotBracketed
		}
		return literal, part, rest, true
	}
	if known, is := apache[key]; is {
		part = known
	}
	if part.isMapped && isLast {
		part.slot = slotDecoded
	}
	return literal, part, rest, true
}

// maxSteps bounds the comparisons of a line with a format.
const maxSteps = 2000

// matching is a line that is compared with a format.
type matching struct {
	parts    []formatPart
	now, one [slots][]byte // the values of the reading that is tried, and of the first one
	readings int
	steps    int
}

// match finds the fields of a line. ok is false if the line does not fit the format, or if it can be read in
// two ways: then a client can have sent text that looks like another field.
func (p *Parser) match(f *Format, line []byte) (values *[slots][]byte, ok bool) {
	m := &p.matching
	*m = matching{parts: f.parts}
	rest, ok := bytes.CutPrefix(line, f.parts[0].after)
	if !ok {
		return nil, false
	}
	m.try(1, rest)
	return &m.one, m.readings == 1 && m.steps < maxSteps
}

func (m *matching) try(i int, text []byte) {
	if m.readings > 1 || m.steps >= maxSteps {
		return
	}
	if i == len(m.parts) {
		if len(text) == 0 {
			m.found()
		}
		return
	}
	p := &m.parts[i]
	if len(p.after) == 0 { // the last field
		if p.fits(text) {
			m.now[p.slot] = text
			m.try(i+1, nil)
		}
		return
	}
	if p.kind == inQuotes {
		if end := quoteEnd(text); end >= 0 && bytes.HasPrefix(text[end:], p.after) {
			m.now[p.slot] = text[:end]
			m.try(i+1, text[end+len(p.after):])
		}
		return
	}
	for from := 0; m.steps < maxSteps; {
		m.steps++
		at := bytes.Index(text[from:], p.after)
		if at < 0 {
			return
		}
		at += from
		if p.fits(text[:at]) {
			m.now[p.slot] = text[:at]
			m.try(i+1, text[at+len(p.after):])
		} else if p.kind != anyText {
			return // a longer field does not fit either
		}
		from = at + 1
	}
}

// found keeps the first reading. Another one with the same values of fields that have a meaning is equal.
func (m *matching) found() {
	if m.readings == 0 {
		m.one, m.readings = m.now, 1
		return
	}
	for s := range m.now {
		if slot(s) != slotOther && !bytes.Equal(m.now[s], m.one[s]) {
			m.readings++
			return
		}
	}
}

// fits reports whether a field can have a value.
func (p *formatPart) fits(value []byte) bool {
	switch p.kind {
	case noSpace:
		return bytes.IndexByte(value, ' ') < 0
	case digits, several:
		for _, c := range value {
			isBetween := p.kind == several && (c == ',' || c == ':' || c == ' ')
			if (c < '0' || c > '9') && c != '.' && c != '-' && !isBetween {
				return false
			}
		}
	}
	if p.slot == slotBracketed && (len(value) < 2 || value[0] != '[' || value[len(value)-1] != ']') {
		return false
	}
	return p.slot != slotTime && p.slot != slotBracketed || len(value) <= 40 && bytes.IndexByte(value, '"') < 0
}
