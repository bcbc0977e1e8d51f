package origin

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// The octets that browsers percent-encode in the path and the query of http, https and
// ftp URLs. [WHATWG URL 1.3]
var (
	pathSet  = ascii.OctetsOf(func(c byte) bool { return isControl(c) || strings.IndexByte(" \"#<>?^`{}", c) >= 0 })
	querySet = ascii.OctetsOf(func(c byte) bool { return isControl(c) || strings.IndexByte(" \"#<>'", c) >= 0 })
)

func isControl(c byte) bool { return c < ' ' || c >= 0x7f }

// plainSet are the octets that nothing changes after the host, unless they begin a dot
// segment or a percent code.
var plainSet = ascii.OctetsOf(func(c byte) bool {
	return !pathSet[c] && !querySet[c] && strings.IndexByte("\\%/", c) < 0 || c == '?'
})

func isUpperHex(c byte) bool { return ascii.IsDigit(c) || 'A' <= c && c <= 'F' }

// plain reports whether s is a path or a URL that nothing changes, like most URLs, and
// where the target begins in a URL. It is a fast path, and returns false even for some of
// these URLs. It is one function because every question takes it, and a call for each part
// takes time.
func plain(s string) (target int, ok bool) {
	if len(s) > 1 && s[0] == '/' && s[1] != '/' {
		return 0, isPlainTarget(s)
	}
	host := len("https://")
	if !strings.HasPrefix(s, "https://") {
		host = len("http://")
		if !strings.HasPrefix(s, "http://") {
			return 0, false
		}
	}
	end := host
	label := host
	for ; end < len(s) && s[end] != '/'; end++ {
		switch c := s[end]; {
		case c == '.' && end > label:
			label = end + 1
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-':
			if end-label == maxLabel {
				return 0, false
			}
		default:
			return 0, false
		}
	}
	if end == len(s) || end-host > maxName || end == label || ascii.IsDigit(s[label]) {
		return 0, false
	}
	return end, isPlainTarget(s[end:])
}

func isPlainTarget(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case plainSet[c]:
		case c == '/' && (i+1 == len(s) || s[i+1] != '.' && s[i+1] != '%'):
		case c == '%' && i+2 < len(s) && isUpperHex(s[i+1]) && isUpperHex(s[i+2]):
		default:
			return false
		}
	}
	return true
}

func readText(s string, resolve bool) URL {
	raw := trimSpaceAndControls(s)
	if strings.HasPrefix(raw, "/") {
		return readRelative(s, resolve) // without the cost of an error
	}
	var buf [maxText]byte
	origin, rest, err := appendOrigin(buf[:0], raw)
	if err != nil {
		return readRelative(s, resolve)
	}
	w := targetWriter{resolve: resolve}
	text := w.append(append(make([]byte, 0, len(origin)+len(rest)+32), origin...), rest)
	if string(text) == s {
		return URL{given: s, text: s, compared: s, target: len(origin)}.withCompared()
	}
	u := URL{text: string(text), target: len(origin),
		changes: w.changes | originChanges(raw[:len(raw)-len(rest)], string(origin))}
	if len(raw) != len(s) {
		u.changes |= 1 << ChangeBlanks
	}
	return u.withGiven(s).withCompared()
}

// readRelative reads a text without an origin. It reads the part after the host, if there
// is a host, like the path and query of a URL. The host stays as it is.
func readRelative(s string, resolve bool) URL {
	u := URL{}.withGiven(s)
	s = u.compares(s)
	u.text = trimSpaceAndControls(s)
	if u.text != s {
		u.changes |= 1 << ChangeBlanks
	}
	end := targetStart(u.text)
	if _, _, err := cutScheme(u.text); err == nil || end == len(u.text) {
		return u.withCompared() // no URL for browsers, or nothing but a host
	}
	w := targetWriter{resolve: resolve}
	text := string(w.append(append(make([]byte, 0, len(u.text)+32), u.text[:end]...), u.text[end:]))
	if targetStart(text) == end { // else a part of the path would be read as a host
		u.text = text
		u.changes |= w.changes
	}
	return u.withCompared()
}

func targetStart(s string) int {
	from := 0
	if i := strings.IndexAny(s, `:/\?#`); i >= 0 && strings.HasPrefix(s[i:], "://") {
		from = i + len("://")
	} else if len(s) > 1 && isSlash(s[0]) && isSlash(s[1]) {
		from = 2
	}
	return from + authorityEnd(s[from:])
}

func (u URL) withGiven(s string) URL {
	u.given = s
	if from, to := userinfo(s); to >= 0 {
		u.given = s[:from] + hidden(s[from:to]) + s[to:]
		u.changes |= 1 << ChangeUserinfo
	}
	return u
}

// compares returns what is compared of a text that u was given: the text, without the user name and
// password that browsers find in it. Given hides more.
func (u URL) compares(s string) string {
	if u.given == s {
		return s
	}
	from, _ := userinfo(s)
	if at := strings.LastIndexByte(s[from:from+authorityEnd(s[from:])], '@'); at > 0 {
		return s[:from] + "***" + s[from+at:]
	}
	return s
}

func (u URL) withCompared() URL {
	u.compared = u.text
	if !pattern.Google.Changes(u.text) {
		return u
	}
	if compared := pattern.Google.AppendTo(make([]byte, 0, len(u.text)+16), u.text); string(compared) != u.text {
		u.compared = string(compared)
		u.changes |= 1 << ChangeEncoding
	}
	return u
}

func originChanges(raw, text string) (changes uint16) {
	if strings.ContainsAny(raw, "\t\n\r") {
		changes |= 1 << ChangeBlanks
		raw = tabsAndBreaks.Replace(raw)
	}
	scheme, rest, _ := strings.Cut(raw, ":")
	authority := strings.TrimLeft(rest, `/\`)
	if rest[:len(rest)-len(authority)] != "//" {
		changes |= 1 << ChangeSlashes
	}
	if strings.Contains(authority, "@") {
		changes |= 1 << ChangeUserinfo
	}
	host, digits, _ := cutPort(authority[strings.LastIndexByte(authority, '@')+1:])
	o := Origin{text}
	canonicalHost, canonicalDigits, _ := cutPort(o.authority())
	if scheme != o.Scheme() || host != canonicalHost {
		changes |= 1 << ChangeHost
	}
	if digits != canonicalDigits || strings.HasSuffix(authority, ":") {
		changes |= 1 << ChangePort
	}
	return changes
}

type targetWriter struct {
	resolve bool // dot segments
	changes uint16
}

// append appends the path and query of rest to dst. [WHATWG URL 4.4, path state]
func (w *targetWriter) append(dst []byte, rest string) []byte {
	begin := len(dst)
	for more := true; more; {
		if rest != "" && isSlash(rest[0]) {
			if rest[0] == '\\' {
				w.changes |= 1 << ChangeSlashes
			}
			rest = rest[1:]
		}
		end := 0
		for end < len(rest) && !isSlash(rest[end]) && rest[end] != '?' && rest[end] != '#' {
			end++
		}
		segment := len(dst)
		dst = w.appendEncoded(append(dst, '/'), rest[:end], &pathSet)
		rest = rest[end:]
		more = rest != "" && isSlash(rest[0])
		if dots := dotsOf(dst[segment+1:]); dots > 0 && w.resolve {
			w.changes |= 1 << ChangeDots
			dst = dst[:parentOf(dst, begin, segment, dots)]
			if !more {
				dst = append(dst, '/')
			}
		}
	}
	rest, _, hasFragment := strings.Cut(rest, "#")
	if hasFragment {
		w.changes |= 1 << ChangeFragment
	}
	if rest != "" { // begins with a question mark
		dst = w.appendEncoded(append(dst, '?'), rest[1:], &querySet)
	}
	return dst
}

// parentOf returns where dst ends without the dot segment at an index: before that segment,
// and for two dots also before the preceding segment. It is at least begin.
func parentOf(dst []byte, begin, segment, dots int) int {
	for ; dots > 1 && segment > begin; dots-- {
		segment--
		for dst[segment] != '/' {
			segment--
		}
	}
	return segment
}

// appendEncoded appends s without tabs and line breaks, with the octets of a set encoded.
func (w *targetWriter) appendEncoded(dst []byte, s string, set *ascii.Octets) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case isTabOrNewline(c):
			w.changes |= 1 << ChangeBlanks
		case set[c]:
			w.changes |= 1 << ChangeEncoding
			dst = ascii.AppendPercent(dst, c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// dotsOf returns 1 for the segment ".", 2 for "..", and 0 for others. Each dot can be
// percent-encoded. [WHATWG URL 4.1]
func dotsOf(segment []byte) (dots int) {
	for len(segment) > 0 {
		switch {
		case dots == 2:
			return 0
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && segment[0] == '%' && segment[1] == '2' && ascii.Lower(segment[2]) == 'e':
			segment = segment[3:]
		default:
			return 0
		}
		dots++
	}
	return dots
}
