package origin

import (
	"cmp"
	"errors"
	"iter"
	"net/url"
	"strings"
)

// URL is a URL as a robots.txt decides about it: the request that a client sends for
// it, and the changes from the original text to that request. [Text], [Request] and [Sent]
// return it. Every text gives a URL; a text that is not an absolute URL has no origin.
type URL struct {
	given    string // without user name and password
	text     string // serialised
	compared string // text in the encoding of rules
	target   int    // where the request-target begins in text, 0 if there is no origin
	changes  uint16 // a bit for each Change
}

// Text reads a URL as browsers do (WHATWG URL). Use it for text from people: links, lists,
// input. It removes white space around the URL, tabs and line breaks inside it, the
// fragment, the user name, the password and a default port; it reads a backslash before
// the query as a slash, and any number of slashes after the scheme as two; it resolves the
// segments "." and ".." of the path, even if written as %2e, encodes the characters that a
// request cannot contain, and writes the host as the package documentation describes.
// [URL.Changes] lists the changes it made.
//
// If a text has no origin, such as a path, Text reads it in the same way, from the end of
// its host if it has one: the rules are compared with that part. If browsers refuse a
// URL, Text does not change it. Text takes time linear in the length of s, and does not
// allocate if it changes nothing.
func Text(s string) URL {
	if target, ok := plain(s); ok {
		return URL{given: s, text: s, compared: s, target: target}
	}
	return readText(s, true)
}

// Request reads a URL as net/http sends it: the path is the result of
// [url.URL.EscapedPath], and dot segments stay. It equals Text for the text of every
// URL that Text returns, except that net/http writes | in a path as %7C.
func Request(u *url.URL) URL {
	if u == nil {
		return URL{}
	}
	site, target := u.Scheme+"://"+u.Host, u.RequestURI()
	if strings.HasPrefix(u.Opaque, "//") {
		_, rest, _ := strings.Cut(target, "://") // RequestURI returns the whole URL
		end := len(target) - len(rest) + authorityEnd(rest)
		site, target = target[:end], target[end:]
	}
	if !strings.HasPrefix(target, "/") {
		target = "/" + target
	}
	var buf [maxText]byte
	r := URL{}.withGiven(site)
	if origin, _, err := appendOrigin(buf[:0], site); err == nil {
		r.given = string(origin)
		r.target = len(origin)
	}
	r.given += target
	r.text = r.given
	r.changes = requestChanges(u)
	return r.withCompared()
}

// Sent reads a URL, or the request-target of one, as a client has sent it, such as in an access
// log: [URL.Compared] is the text itself, but with *** in place of a user name and password. How it
// is compared depends on the dialect. Google's compares octet by octet: a percent code with hex digits
// in lower case, or an octet of 0x80 and above, equals nothing in a rule but a star [G48]. The other
// dialects still take the codes for the octets that they stand for, except delimiters such as / and ?, as their
// specifications say [RFC 9309 2.2.2] [Koster 3.2.2]. No dialect compares a fragment.
func Sent(s string) URL {
	u := URL{}.withGiven(s)
	u.text = u.compares(s)
	u.compared = u.text
	var buf [maxText]byte
	if site, _, err := appendOrigin(buf[:0], s); err == nil && strings.HasPrefix(s, string(site)) {
		u.target = len(site)
	}
	return u
}

// ParseRequest returns the Request for a URL that is parsed as by [net/http.NewRequest],
// and its origin. The error is an *Error if NewRequest refuses the URL, or if it has no
// origin. It does not allocate for the URL if Text changes nothing in it.
func ParseRequest(rawURL string) (URL, Origin, error) {
	// net/http changes nothing in most serialised URLs.
	u := Text(rawURL)
	if u.IsChanged() || u.target == 0 || strings.ContainsAny(rawURL, "%|") {
		parsed, err := url.Parse(rawURL)
		if err != nil || parsed.Scheme == "" || parsed.Host == "" && parsed.Opaque == "" {
			if _, wrong := Of(rawURL); wrong != nil {
				return URL{}, Origin{}, wrong
			}
			return URL{}, Origin{}, &Error{URL: excerpt(rawURL), Reason: notForRequests(rawURL, err)}
		}
		u = Request(parsed)
	}
	o, err := u.Origin()
	if err != nil {
		_, wrong := Of(rawURL) // its message has no password
		err = cmp.Or(wrong, err)
	}
	return u, o, err
}

// notForRequests returns why net/http refuses a URL that browsers accept, without its password.
func notForRequests(rawURL string, err error) string {
	if err == nil {
		return errNoHost.Error()
	}
	if from, to := userinfo(rawURL); to >= 0 {
		if _, err = url.Parse(rawURL[:from] + rawURL[to+1:]); err == nil {
			return "has a user name or password that is not valid for net/http: percent-encode it"
		}
	}
	if e := (*url.Error)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return "is not a valid URL for net/http: " + err.Error()
}

// requestChanges returns the changes that net/http makes to a URL before it
// sends it.
func requestChanges(u *url.URL) (changes uint16) {
	if u.User != nil {
		changes |= 1 << ChangeUserinfo
	}
	if u.Fragment != "" {
		changes |= 1 << ChangeFragment
	}
	if sent := u.EscapedPath(); u.RawPath != "" && sent != u.RawPath {
		piped := strings.ReplaceAll(u.RawPath, "|", "%7C")
		if piped != u.RawPath {
			changes |= 1 << ChangePipe
		}
		if piped != sent {
			changes |= 1 << ChangeEncoding
		}
	}
	return changes
}

// String returns the URL without user name, password and fragment, serialised as
// browsers do. Text returns the same URL for it, with no changes.
func (u URL) String() string { return u.text }

// Given returns the text that was read, with *** in place of a user name and password.
// For Request it equals String.
func (u URL) Given() string { return u.given }

// Target returns the request-target, the path and query that are sent, or "" if the URL
// has no origin. [RFC 9112 3.2]
func (u URL) Target() string {
	if u.target == 0 {
		return ""
	}
	return u.text[u.target:]
}

// Compared returns the text to compare with rules, in package robotstxt: String with the
// hex digits of percent codes in upper case and octets of 0x80 and above encoded. For Sent it
// equals String.
func (u URL) Compared() string { return u.compared }

// Unresolved returns the value of Compared with the dot segments of the path, or "" if
// the path has none. A crawler that does not resolve dot segments compares this value.
func (u URL) Unresolved() string {
	if !u.Has(ChangeDots) {
		return ""
	}
	return readText(u.given, false).compared
}

// Origin returns the origin, or an *Error with the reason why there is none. It equals
// [Of].
func (u URL) Origin() (Origin, error) {
	if u.target == 0 {
		return Of(u.given)
	}
	// The copy does not keep the whole URL in memory.
	return Origin{strings.Clone(u.text[:u.target])}, nil
}

// Governs reports whether the robots.txt of o decides about u: whether
// [URL.OriginFrom] returns o for it. After redirects, a file governs the origin that was requested, not
// the origin that sent it. Any origin governs a text that is neither a URL nor a path,
// because such a text has no origin. [RFC 9309 2.3, 2.3.1.2]
func (o Origin) Governs(u URL) bool {
	if u.target > 0 {
		return u.text[:u.target] == o.text
	}
	if u.isPath() {
		return true
	}
	from, err := u.OriginFrom(o)
	return err != nil || from == o
}

// OriginFrom returns the origin of u where a site is known. A path, a query or a fragment
// belongs to the site. A host without a scheme, such as example.com/a or //example.com/a, has
// the scheme of the site, and https if the site is the zero Origin. OriginFrom returns the
// same error as [URL.Origin].
func (u URL) OriginFrom(site Origin) (Origin, error) {
	switch {
	case u.target > 0:
		return u.Origin()
	case u.isPath():
		return site, nil
	}
	o, err := Of(u.given)
	if err != nil && !strings.Contains(u.given, "://") {
		if o, bare := Of(cmp.Or(site.Scheme(), "https") + ":" + u.given); bare == nil {
			return o, nil
		}
	}
	return o, err
}

// isPath reports whether a text without an origin has no host.
func (u URL) isPath() bool {
	text := u.given
	return text == "" || text[0] == '?' || text[0] == '#' || text[0] == '/' && !strings.HasPrefix(text, "//")
}

// IsRobots reports whether u is the URL or the path of a robots.txt: its path is exactly /robots.txt,
// and it has no query. Of a URL that Sent has read, a fragment does not count, because rules are compared
// without it. Crawlers fetch robots.txt itself, whatever its rules say. [RFC 9309 2.2.2]
func (u URL) IsRobots() bool {
	target, _, _ := strings.Cut(u.text[targetStart(u.text):], "#")
	return target == robotsPath
}

// Has reports whether c is one of the Changes.
func (u URL) Has(c Change) bool { return u.changes&(1<<c) != 0 }

// IsChanged reports whether there are Changes.
func (u URL) IsChanged() bool { return u.changes != 0 }

// Changes yields the ways in which the URL was changed, in the order of the constants. A
// slash in place of an empty path is not among them.
func (u URL) Changes() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for c := range Change(len(changes)) {
			if u.Has(c) && !yield(c) {
				return
			}
		}
	}
}

// Change is a way in which a URL differs from the text that was given.
type Change uint8

// The changes. The names of String are in brackets.
const (
	ChangeBlanks   Change = iota // white space and controls around the URL, tabs and line breaks in it [blanks]
	ChangeSlashes                // backslashes, or a number of slashes other than two after the scheme [slashes]
	ChangeUserinfo               // user name and password [userinfo]
	ChangeHost                   // scheme and host: case, international names, forms of IP addresses [host]
	ChangePort                   // a default port, or zeros before a port [port]
	ChangeDots                   // dot segments in the path [dots]
	ChangeEncoding               // characters that are percent-encoded, and hex digits in lower case [encoding]
	ChangeFragment               // fragment [fragment]
	ChangePipe                   // | in the path, which net/http encodes and browsers do not [pipe]
)

var changes = [...]struct{ name, sentence string }{
	ChangeBlanks:   {"blanks", "white space is removed around a URL, and tabs and line breaks inside it"},
	ChangeSlashes:  {"slashes", "a backslash is read as a slash, and any number of slashes after the scheme as two"},
	ChangeUserinfo: {"userinfo", "user name and password are not part of what is compared"},
	ChangeHost:     {"host", "scheme and host are written in their usual form"},
	ChangePort:     {"port", "the port is written only if it is not the default, and without leading zeros"},
	ChangeDots:     {"dots", `the segments "." and ".." of the path are resolved`},
	ChangeEncoding: {"encoding", "characters that a request cannot contain are percent-encoded"},
	ChangeFragment: {"fragment", "the fragment is not sent"},
	ChangePipe:     {"pipe", "net/http sends | in a path as %7C"},
}

// String returns the name of the change, for programs.
func (c Change) String() string { return changes[min(int(c), len(changes)-1)].name }

// Sentence describes the change for people, without a full stop.
func (c Change) Sentence() string { return changes[min(int(c), len(changes)-1)].sentence }
