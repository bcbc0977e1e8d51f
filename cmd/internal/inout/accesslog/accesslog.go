// Package accesslog reads the requests in access logs of web servers and CDNs: the common,
// combined and vhost_combined formats of Apache and nginx, Caddy's JSON, CloudFront's
// standard logs, IIS logs in the W3C format, other JSON logs with a [Map], and any text
// with a [Format].
//
// A log contains text that strangers have sent. Each line is read in bounded memory, and no
// field of a line can change how another one is read.
package accesslog

import (
	"bytes"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
	"github.com/kosterhq/robotstxt/origin"
)

// Form names the format of a log, in words.
type Form string

// The forms. The first line that can be read decides between them.
const (
	None       Form = ""
	Combined   Form = "the common or combined format"
	Virtual    Form = "the combined format with virtual hosts"
	Caddy      Form = "Caddy's JSON"
	CloudFront Form = "CloudFront's format"
	IIS        Form = "the W3C format of IIS"
	JSON       Form = "JSON"
	Own        Form = "the given format"
)

// MaxLine is the longest line that logs are expected to have, in bytes.
const MaxLine = 64 << 10

// Entry is a request in a log. Its bytes are valid until the next call of [Parser.Parse].
type Entry struct {
	// Begin is when the request came, in UTC. End is later if the log is in a zone whose
	// clocks were set back in that hour, so that the time can be one of two.
	Begin, End time.Time

	Addr   []byte // the client's address as the log has it, see Address
	Host   []byte // host and perhaps port; empty if the log does not show it
	Scheme string // "http" or "https"; empty if the log does not show it
	Port   []byte // of the server, if a field of its own shows it
	Method []byte
	Target []byte // a path with its query, or a URL; empty if the request has none
	Agent  []byte // the User-Agent header
	Status int    // 0 if the log does not show it
	Bytes  int64  // of the response, 0 if the log does not show it
	Sized  bool   // the log shows the bytes of the response
	Headed bool   // Bytes can include the headers of the response

	// Configured reports that Host is the name that the server's configuration gives to a site, which
	// is not always the host that the client requested.
	Configured bool

	// Schemeless reports that the line has no scheme where the log has one for other requests: a proxy might have
	// ended TLS.
	Schemeless bool

	// HostInUserField reports that Host is a field where other servers write the user, which a client sends.
	// UserFieldEmpty reports that a line with an ordinary request has no host there. A log with both has users there.
	HostInUserField, UserFieldEmpty bool

	// Timed reports that Begin is when the request came. Otherwise it can be when the response ended.
	Timed bool

	// Decoded reports that the log decodes percent codes or shows a rewritten path, or that the target has the
	// escapes of some servers, so that the request might have had another target.
	Decoded bool

	// Bare reports that the query is a field apart, which does not show a question mark without a query, or with
	// the query "-".
	Bare bool

	// Mapped reports that the target is the path that the server found for the requested one: it has no percent codes,
	// and can be the page of a folder.
	Mapped bool
}

// Field is a part of a request that a caller needs.
type Field uint8

// The fields. Each caller needs the target.
const (
	Time Field = 1 << iota
	Addr
	Host
	Agent
	Method
	Status
)

// Parser reads the lines of one log. The zero value reads targets in all forms but JSON.
type Parser struct {
	Name string // of the log, in errors, escaped
	Need Field  // a log without one of these is an error; other fields can be empty
	Map  Map    // for JSON other than Caddy's

	// Format is the format of the lines; nil means that the first line decides.
	Format *Format
	// Trusted are the proxies that append their client's address to X-Forwarded-For. That is the
	// forwarded field of Map and Format, and the text after the agent in the combined format.
	Trusted []netip.Prefix

	Zone *time.Location // of times without a zone; nil means that they are an error

	form    Form
	columns columns
	json    jsonReader
	scratch []byte
	agents  bool // whether a line had a User-Agent field
	lacking Map  // fields of Map that no line had

	matching matching
	unwraps  []unwrap // what log services did with the lines, from the outside
	isInner  bool     // the lines are tried without it
	shipped  jsonReader
	queries  bool   // a field shows the query of each target
	sample   []byte // the first line that could not be read
	last     struct {
		text       []byte
		begin, end time.Time
	}
}

// ErrUnreadable is the error for a line that does not fit the log's format. The lines after it
// can be read.
var ErrUnreadable = errors.New("not a line of an access log")

// errMessage is the error for a line that a server writes about itself, between its requests.
var errMessage = errors.New("not about a request")

// IsEmpty reports that no line had a text that might be a request.
func (p *Parser) IsEmpty() bool { return p.form == None && p.sample == nil }

// Form returns the form of the log, None before a line was read.
func (p *Parser) Form() Form { return p.form }

// ShowsQueries reports whether the form of the log shows the query of each target. A field of JSON can
// have lost it.
func (p *Parser) ShowsQueries() bool { return p.form != JSON || p.queries }

// Begins reports whether a log can begin with a line. It reports true for every JSON object.
func Begins(line []byte) bool {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, directive) || len(line) > 1 && line[0] == '{' && line[len(line)-1] == '}' {
		return true
	}
	var e Entry
	p := Parser{Zone: time.UTC}
	ok, err := p.Parse(line, &e)
	return err == nil && (ok || p.sample != nil)
}

// Parse reads a line into e. ok is false without an error if the line has no request: it is
// empty or a comment. After ErrUnreadable the next line can be read; another error means that the
// log lacks what the caller needs.
func (p *Parser) Parse(line []byte, e *Entry) (ok bool, err error) {
	*e = Entry{}
	p.scratch = p.scratch[:0]
	line = bytes.TrimRight(line, "\r\n")
	if p.form == None && p.sample == nil && isTar(line) {
		return false, term.Errorf("%s is a tar archive", p.Name).Hint("unpack it with tar -xf, and give the logs in it")
	}
	if bytes.IndexByte(line, '\r') >= 0 || bytes.IndexByte(line, 0) >= 0 {
		return false, p.unreadable(line) // servers escape these
	}
	if p.form == None {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if p.form == None && p.unwraps == nil && !p.isInner {
		p.findWraps(line)
	}
	text := line
	for _, unwrap := range p.unwraps {
		text = unwrap(p, text)
		if text == nil {
			return false, p.unreadable(line)
		}
	}
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
		return false, nil
	case text[0] == '#':
		return false, p.columns.read(p, text)
	}
	err = p.line(text, e)
	switch {
	case errors.Is(err, errMessage):
		_ = p.unreadable(line) // without any request, the log is not an access log
		return false, nil
	case errors.Is(err, ErrUnreadable):
		err = p.unreadable(line)
	}
	return err == nil, err
}

// isTar reports whether a file begins as the archives of tar do.
func isTar(begin []byte) bool {
	const magic = 257
	return len(begin) > magic && bytes.HasPrefix(begin[magic:], []byte("ustar"))
}

// unreadable keeps the first line that could not be read.
func (p *Parser) unreadable(line []byte) error {
	if p.sample == nil {
		p.sample = bytes.Clone(line[:min(len(line), 4*sampleWidth)])
	}
	return ErrUnreadable
}

// line reads a line as the server wrote it.
func (p *Parser) line(text []byte, e *Entry) error {
	switch {
	case p.Format != nil && p.Format.parts != nil:
		return p.formatted(p.Format, text, e)
	case len(text) > 0 && text[0] == '{':
		return p.object(text, e)
	case p.columns.at != nil:
		return p.record(text, e)
	}
	err := p.common(text, e)
	if p.form == None && errors.Is(err, ErrUnreadable) {
		return p.known(text, e)
	}
	return err
}

// known tries the text formats that have a name.
func (p *Parser) known(text []byte, e *Entry) error {
	for _, f := range knownTexts() {
		try := Parser{Name: p.Name, Format: f, Zone: p.Zone, Need: p.Need, isInner: true}
		ok, err := try.Parse(text, e)
		if err != nil && !errors.Is(err, ErrUnreadable) {
			return err // the line is in the format, but for example its time lacks a zone
		}
		if ok && err == nil && (!e.Begin.IsZero() || p.Need&Time == 0) {
			p.Format = f
			return p.formatted(f, text, e)
		}
	}
	return ErrUnreadable
}

// formatted reads a line in a format of text.
func (p *Parser) formatted(f *Format, text []byte, e *Entry) error {
	*e = Entry{}
	values, ok := p.match(f, text)
	if !ok {
		return ErrUnreadable
	}
	p.queries = true
	if err := p.fill(e, values); err != nil {
		return err
	}
	if !p.takeForm(f.form) {
		return ErrUnreadable
	}
	return nil
}

// End returns an error if no line of the log could be read, or if a needed field never occurred.
func (p *Parser) End() error {
	switch {
	case p.form == None:
		about := ""
		if len(p.sample) > 0 {
			about = "; its first line is: " + Sample(p.sample)
		}
		if bytes.IndexByte(p.sample, '\r') >= 0 {
			return term.Errorf("%s has lines that end in CR alone%s", p.Name, about).Hint(`convert them with tr '\r' '\n'`)
		}
		if p.Format != nil {
			return term.Errorf("no line of %s fits --log-format%s", p.Name, about).Hint("compare it with the server's configuration")
		}
		return term.Errorf("%s is not an access log%s", p.Name, about).
			Hint("describe its lines with --log-format, or JSON with --map")
	case len(p.lacking) > 0:
		key := slices.Sorted(maps.Keys(p.lacking))[0]
		return term.Errorf("no line of %s has the field %s, where --map looks for the %s", p.Name, term.Escape(p.lacking[key]), key).
			Hint("look at a line of the log, and write the path as a.b[0]")
	case p.Need&Agent != 0 && !p.agents:
		return term.Errorf("%s has no User-Agent headers, so it does not show who came", p.Name).Hint("let the server write the combined format")
	}
	return nil
}

// takeForm sets the form of the log at its first line. It reports false if the log has another one.
func (p *Parser) takeForm(form Form) bool {
	if p.form == None {
		p.form = form
	}
	return p.form == form
}

// setTime reads the time of a log line, and subtracts the time that the request took.
func (p *Parser) setTime(e *Entry, text []byte, zoned bool, took time.Duration) error {
	if p.Need&Time == 0 {
		return nil
	}
	if p.last.begin.IsZero() || !bytes.Equal(text, p.last.text) {
		at, err := times.Parse(text)
		if err != nil {
			return ErrUnreadable
		}
		begin, end := at.Time, at.Time
		if at.Zoneless && !zoned {
			if p.Zone == nil {
				return term.Errorf("the times in %s have no zone", p.Name).Hint("name it: --timezone UTC, or --timezone Europe/Berlin")
			}
			begin, end = at.In(p.Zone)
		}
		p.last.text, p.last.begin, p.last.end = append(p.last.text[:0], text...), begin.UTC(), end.UTC()
	}
	e.Begin, e.End = p.last.begin.Add(-took), p.last.end.Add(-took)
	return nil
}

func setTarget(e *Entry, target []byte) {
	if (bytes.HasPrefix(target, []byte("/")) || HasScheme(target)) && string(e.Method) != "CONNECT" {
		e.Target = target
	}
}

// HasScheme reports whether a text begins with a scheme that has a robots.txt.
func HasScheme[T string | []byte](text T) bool {
	scheme, _, found := strings.Cut(string(text[:min(len(text), len("https:"))]), ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp":
		return found
	}
	return false
}

// setScheme derives the scheme from the port in Host, because the log does not contain schemes:
// http for any port other than 443, else https.
func setScheme(e *Entry) {
	e.Scheme = "https"
	if port := portOf(e.Host); len(port) > 0 && string(port) != "443" {
		e.Scheme = "http"
	}
}

func portOf(host []byte) []byte {
	i := bytes.LastIndexByte(host, ':')
	if i < 0 || bytes.IndexByte(host, ':') != i && host[i-1] != ']' {
		return nil // or an IPv6 address
	}
	return host[i+1:]
}

// IsEmpty reports whether the log shows that the response had no byte.
func (e *Entry) IsEmpty() bool { return e.Sized && e.Bytes == 0 }

// HasHost reports whether Host is one: servers write - or _ for none.
func (e *Entry) HasHost() bool {
	return len(e.Host) > 0 && string(e.Host) != "-" && string(e.Host) != "_"
}

// Origin returns the origin of the requested URL, or the zero Origin if its host is invalid or
// unknown. It uses the scheme unknown if the log does not show one.
func (e *Entry) Origin(unknown string) origin.Origin {
	if !e.HasHost() {
		return origin.Origin{}
	}
	scheme := e.Scheme
	if scheme == "" {
		scheme = unknown
	}
	o, err := origin.Of(scheme + "://" + string(e.Host))
	if err != nil {
		return origin.Origin{}
	}
	return o
}

// Address reads the address in a field, without its port, its zone and the form of IPv4 in
// IPv6. ok is false if the field has none, or more than one.
func Address(field []byte) (addr netip.Addr, ok bool) {
	if len(field) == 0 || len(field) > 80 || 'g' <= field[0]|0x20 && field[0]|0x20 <= 'z' {
		return addr, false // names of hosts, without the errors of the parsers
	}
	text := string(field)
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		with, err := netip.ParseAddrPort(text)
		if err != nil {
			return addr, false
		}
		addr = with.Addr()
	}
	return addr.WithZone("").Unmap(), true
}

// Map says where the fields of JSON logs are. A path leads through nested objects and lists, such as
// request.headers.User-Agent[0]. A key can contain dots itself.
type Map map[string]string

// String returns a map as ParseMap reads it.
func (m Map) String() string {
	var pairs []string
	for _, key := range mapKeys {
		if m[key] != "" {
			pairs = append(pairs, key+"="+m[key])
		}
	}
	return strings.Join(pairs, ",")
}

// mapKeys are the keys of a Map, in the order of documentation.
var mapKeys = []string{"time", "addr", "agent", "target", "host", "method", "status", "bytes", "query", "scheme", "forwarded"}

// sampleWidth is the longest sample of a line, in columns.
const sampleWidth = 60

// Sample returns the beginning of a line for a message: escaped, without addresses and values of queries.
func Sample(line []byte) string {
	var b strings.Builder
	isWord := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == ':' || c == '%'
	}
	for i := 0; i < len(line) && b.Len() < 4*sampleWidth; {
		end := i
		for end < len(line) && isWord(line[end]) {
			end++
		}
		switch word := line[i:end]; {
		case end == i:
			b.WriteByte(line[i])
			if line[i] == '=' && strings.ContainsAny(b.String(), "?&") {
				for end++; end < len(line) && line[end] != '&' && line[end] != ' ' && line[end] != '"'; end++ {
				}
				b.WriteString("…")
			} else {
				end++
			}
		case isAddress(word):
			b.WriteString("ADDRESS")
		default:
			b.Write(word)
		}
		i = end
	}
	return term.Clip(term.Escape(strings.TrimSpace(b.String())), sampleWidth)
}

// isAddress reports whether a word is an address, or might be a part of one.
func isAddress(word []byte) bool {
	if _, ok := Address(word); ok {
		return true
	}
	word = bytes.TrimRight(word, ".:")
	_, ok := Address(word)
	return ok || bytes.Count(word, []byte(":")) > 3 || bytes.Count(word, []byte(".")) == 3 && word[0] >= '0' && word[0] <= '9'
}

// MapKeys returns the keys that a Map can have.
func MapKeys() []string { return slices.Clone(mapKeys) }

// ParseMap reads a map such as time=ts,addr=client.ip.
func ParseMap(text string) (Map, error) {
	m := Map{}
	for pair := range strings.SplitSeq(text, ",") {
		key, path, found := strings.Cut(strings.TrimSpace(pair), "=")
		switch {
		case !found || path == "" || !slices.Contains(mapKeys, key):
			return nil, term.Errorf("%q is not a field of a log and its path: the fields are %s", pair, strings.Join(mapKeys, ", ")).Hint("write time=a.b[0]")
		case m[key] != "":
			return nil, term.Errorf("the field %s has two paths", key).Hint("give each field one path")
		}
		m[key] = path
	}
	return m, nil
}
