package urllist

import (
	"bytes"
	"cmp"
	"net/netip"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

// entry is a line of an access log:
//
//	host ident user [time] "request" status bytes …
//
// with the virtual host before it in some configurations.
type entry struct {
	vhost  string // "" if there is none
	target string // "" if the request has no path
}

// isLogLine reports whether a line is one of an access log.
func isLogLine(line string) bool {
	_, ok := parseEntry([]byte(line))
	return ok
}

// parseEntry reads a line of an access log.
func parseEntry(line []byte) (e entry, ok bool) {
	before, rest, found := bytes.Cut(line, []byte(" ["))
	if !found {
		return e, false
	}
	_, rest, found = bytes.Cut(rest, []byte(`] "`))
	fields := strings.Fields(string(before))
	end := requestEnd(rest)
	if !found || len(fields) < 3 || end < 0 || !hasStatus(rest[end+1:]) {
		return e, false
	}
	// Ident is "-" nearly always. A user may contain spaces.
	if fields[1] != "-" && len(fields) > 3 && fields[2] == "-" {
		e.vhost = fields[0]
	}
	request := unescape(rest[:end])
	method, target, found := strings.Cut(request, " ")
	target = strings.TrimSpace(target)
	if i := strings.LastIndex(target, " HTTP/"); i >= 0 {
		target = target[:i]
	}
	if found && (strings.HasPrefix(target, "/") || hasScheme(target)) && method != "CONNECT" {
		e.target = target
	}
	return e, true
}

// requestEnd returns the index of the quote that ends a request, -1 if there is none.
func requestEnd(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// hasStatus reports whether a text begins with a space and a status.
func hasStatus(text []byte) bool {
	return len(text) >= 2 && text[0] == ' ' && (text[1] == '-' || len(text) >= 4 && isStatus(string(text[1:4])))
}

// unescape returns a request without the escapes of Apache and nginx: \", \\ and \xHH.
func unescape(request []byte) string {
	if bytes.IndexByte(request, '\\') < 0 {
		return string(request)
	}
	text := make([]byte, 0, len(request))
	for i := 0; i < len(request); i++ {
		c := request[i]
		if c == '\\' && i+3 < len(request) && request[i+1] == 'x' {
			if octet, ok := octetOf(request[i+2], request[i+3]); ok {
				text = append(text, octet)
				i += 3
				continue
			}
		}
		if c == '\\' && i+1 < len(request) {
			i++
			c = request[i]
		}
		text = append(text, c)
	}
	return string(text)
}

// octetOf returns the octet of two hex digits.
func octetOf(high, low byte) (octet byte, ok bool) {
	h, ok := ascii.HexDigit(high)
	l, also := ascii.HexDigit(low)
	return h<<4 | l, ok && also
}

// log reads the path of each request, and joins it with the site or the virtual host.
// Requests without a path, such as those of port scanners, are counted and ignored.
func (w *walk) log(l *lines) error {
	pathless := 0
	defer func() {
		if pathless > 0 {
			w.Note(w.Name + ": ignored " + term.Count(pathless, "request", "requests") + " without a path")
		}
	}()
	w.found("an access log")
	return w.each(l, func(line []byte) error {
		e, ok := parseEntry(line)
		switch {
		case !ok:
			return w.bad(l.number, "", "%s: not a line of an access log", quote(string(line)))
		case e.target == "":
			pathless++
			return nil
		}
		return w.request(l.number, e)
	})
}

// request yields the URL of an entry.
func (w *walk) request(number int, e entry) error {
	site := cmp.Or(w.Site, siteOf(e.vhost))
	switch {
	case hasScheme(e.target):
		return w.emit(number, e.target)
	case site != "":
		return w.url(site + e.target)
	case !w.Paths:
		return term.Errorf(hints[noHost], "%s:%d: the requests of the log have no host", w.Name, number)
	case strings.HasPrefix(e.target, "//"):
		return w.url("http://host" + e.target) // not a host, but a path with two slashes
	default:
		return w.url(e.target)
	}
}

// siteOf returns the origin of a virtual host, "" if it is none. Its scheme is http if it
// has a port other than 443, because logs do not contain schemes.
func siteOf(vhost string) string {
	host, port, found := strings.Cut(vhost, ":")
	if _, err := netip.ParseAddrPort(vhost); err == nil {
		host, port, found = vhost[:strings.LastIndexByte(vhost, ':')], vhost[strings.LastIndexByte(vhost, ':')+1:], true
	}
	if host == "" || host == "-" || host == "_" {
		return ""
	}
	scheme := "https"
	if found && port != "443" {
		scheme = "http"
	}
	site := scheme + "://" + host
	if found {
		site += ":" + port
	}
	o, err := origin.Of(site)
	if err != nil {
		return ""
	}
	return o.String()
}
