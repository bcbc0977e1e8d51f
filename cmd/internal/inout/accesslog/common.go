package accesslog

import (
	"bytes"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// commonLine is a line of the common log format and its relatives:
//
//	host ident user [time] "request" status bytes "referer" "agent" …
//
// with the virtual host before it in some configurations.
type commonLine struct {
	before, time, request, rest []byte
}

func splitCommon(line []byte) (l commonLine, ok bool) {
	at := bytes.Index(line, []byte(" ["))
	if at < 0 {
		return l, false
	}
	l.before, line = line[:at], line[at+2:]
	at = bytes.Index(line, []byte(`] "`))
	if at < 0 {
		return l, false
	}
	l.time, line = line[:at], line[at+3:]
	end := quoteEnd(line)
	if end < 0 {
		return l, false
	}
	l.request, l.rest = line[:end], line[end+1:]
	return l, hasStatus(l.rest) && !hasRequest(l.rest)
}

// hasRequest reports whether the text after a request has another time and request: then a client wrote one of them as
// its user, to a server that does not escape quotes.
func hasRequest(rest []byte) bool {
	for {
		before, after, found := bytes.Cut(rest, []byte(`] "`))
		if !found {
			return false
		}
		rest = after
		time := before[bytes.LastIndexByte(before, '[')+1:]
		isTime := len(time) > 0 && '0' <= time[0] && time[0] <= '9' && bytes.Count(time, []byte(":")) > 1 &&
			bytes.IndexByte(time, ',') < 0 // as in a list of nginx's upstreams
		if end := quoteEnd(after); isTime && end >= 0 && hasStatus(after[end+1:]) {
			return true
		}
	}
}

// hasStatus reports whether a text begins with a space and a status, which can be 000 or another number that is
// none: an answer that was never sent has a line, too.
func hasStatus(text []byte) bool {
	if len(text) < 2 || text[0] != ' ' {
		return false
	}
	status, _, _ := bytes.Cut(text[1:], []byte(" "))
	return string(status) == "-" || len(status) <= 3 && number(status) >= 0
}

// quoteEnd returns the index of the quote that ends a quoted text, -1 if there is none.
func quoteEnd(text []byte) int {
	from := 0
	for {
		end := bytes.IndexByte(text[from:], '"')
		if end < 0 {
			return -1
		}
		escape := bytes.IndexByte(text[from:from+end], '\\')
		if escape < 0 {
			return from + end
		}
		from += escape + 2
		if from > len(text) {
			return -1
		}
	}
}

func (p *Parser) common(line []byte, e *Entry) error {
	l, ok := splitCommon(line)
	if !ok {
		return ErrUnreadable
	}
	c, ok := clientOf(l.before)
	form := Combined
	if len(c.host) > 0 {
		form = Virtual
	}
	if p.form == Combined || p.form == Virtual {
		form = p.form // a client that sends no Host header leaves a line without host
	}
	if !ok || !p.takeForm(form) {
		return ErrUnreadable
	}
	e.Host, e.Addr, e.Configured = c.host, c.addr, c.isConfigured
	e.HostInUserField = len(c.host) > 0 && !c.isConfigured
	if len(c.host) > 0 {
		setScheme(e)
	}
	rest := bytes.TrimLeft(l.rest, " ")
	status, rest, _ := bytes.Cut(rest, []byte(" "))
	size, rest, _ := bytes.Cut(rest, []byte(" "))
	e.Status = int(max(number(status), 0))
	e.setBytes(size)
	// The referer comes before the agent; what nginx writes after it are headers that
	// anybody can send.
	for n := 0; n < 2; n++ {
		text, after, found := quoted(rest)
		if !found {
			if bytes.IndexByte(rest, '"') >= 0 {
				return ErrUnreadable // the line was cut
			}
			break
		}
		e.Agent, rest = text, after
		p.agents = true
	}
	if len(p.Trusted) > 0 {
		forwarded, _, _ := quoted(rest)
		e.Addr = p.clientAddr(e.Addr, forwarded)
	}
	e.Agent = p.unescape(e.Agent)
	setTarget(e, e.requestLine(p.unescape(l.request)))
	e.Decoded = hasEscape(l.request)
	// Port scanners send requests without a host, but neither of HTTP/1.1 nor with success.
	e.UserFieldEmpty = c.isUserEmpty && len(e.Target) > 0 && e.Status != 400 && !bytes.HasSuffix(l.request, []byte("HTTP/1.0"))
	return p.setTime(e, l.time, false, 0)
}

// client is what the fields before the time show. host is empty, and addr is not an address, if the
// fields do not show which is which.
type client struct {
	host, addr   []byte
	isConfigured bool // the host is the first field, as Apache's %v in vhost_combined
	isUserEmpty  bool // the second and third field have neither a host nor a user
}

// clientOf reads the fields before the time: the address and the user, with the requested host as the
// second or third field, or the virtual host before the address. Clients send hosts and users, and the
// address is the server's: so if both of the first two fields are addresses, the line has neither. A
// list of addresses is one field. The user can contain spaces.
func clientOf(before []byte) (c client, ok bool) {
	var fields [4][]byte
	n := 0
	for rest := before; len(rest) > 0; {
		var field []byte
		field, rest, _ = bytes.Cut(rest, []byte(" "))
		if len(field) == 0 {
			continue
		}
		if n > 0 && n <= len(fields) && bytes.HasSuffix(fields[n-1], []byte(",")) {
			fields[n-1] = append(bytes.Clone(fields[n-1]), field...)
			continue
		}
		if n++; n <= len(fields) {
			fields[n-1] = field
		}
	}
	if n < 3 {
		return c, false
	}
	if string(fields[1]) == "-" { // the usual line
		c.addr = fields[0]
		if bytes.IndexByte(fields[2], '.') >= 0 {
			c.host = fields[2]
		}
		c.isUserEmpty = string(fields[2]) == "-"
		return c, true
	}
	switch first := mayBeAddress(fields[0]); {
	case first && mayBeAddress(fields[1]):
	case !first && (n > 3 || mayBeAddress(fields[1])):
		c.host, c.addr, c.isConfigured = fields[0], fields[1], true
	default:
		c.addr, c.host = fields[0], fields[1]
	}
	return c, true
}

// mayBeAddress reports whether a field is an address, or a list of addresses.
func mayBeAddress(field []byte) bool {
	if len(field) == 0 || bytes.IndexByte(field, '.') < 0 && bytes.IndexByte(field, ':') < 0 {
		return false
	}
	if bytes.IndexByte(field, ',') >= 0 {
		return true
	}
	_, ok := Address(field)
	return ok
}

func quoted(text []byte) (inside, rest []byte, found bool) {
	begin := bytes.IndexByte(text, '"')
	if begin < 0 {
		return nil, text, false
	}
	text = text[begin+1:]
	end := quoteEnd(text)
	if end < 0 {
		return nil, text, false
	}
	return text[:end], text[end+1:], true
}

// unescape returns a quoted text without the escapes of Apache and nginx: \", \\ and \xHH.
func (p *Parser) unescape(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	begin := len(p.scratch)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+3 < len(text) && text[i+1] == 'x' {
			if octet, ok := ascii.Unhex(text[i+2:]); ok {
				p.scratch = append(p.scratch, octet)
				i += 3
				continue
			}
		}
		if c == '\\' && i+1 < len(text) {
			i++
			c = text[i]
		}
		p.scratch = append(p.scratch, c)
	}
	return p.scratch[begin:]
}

// hasEscape reports whether a text has an escape of Apache and nginx. Other servers write a backslash as they
// got it.
func hasEscape(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }

// number converts a text of digits to a number. It returns -1 for other texts.
func number(text []byte) (n int64) {
	if len(text) == 0 || len(text) > 18 {
		return -1
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int64(c-'0')
	}
	return n
}
