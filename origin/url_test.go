package origin_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

// texts are texts, how they are compared, and the changes.
var texts = []struct{ text, compared, changes string }{
	{"https://example.com/a?b", "https://example.com/a?b", ""},
	{"https://example.com", "https://example.com/", ""},
	{"https://example.com?b", "https://example.com/?b", ""},
	{"https://example.com/?", "https://example.com/?", ""},
	{"https://example.com:8443/%zz", "https://example.com:8443/%zz", ""},
	{"ftp://example.com/a", "ftp://example.com/a", ""},

	{" https://example.com/a\n", "https://example.com/a", "blanks"},
	{"https://exam\nple.com/a\tb", "https://example.com/ab", "blanks"},
	{`https:\\example.com\a\b?c\d`, `https://example.com/a/b?c\d`, "slashes"},
	{"https:example.com/a", "https://example.com/a", "slashes"},
	{"https:/example.com/a", "https://example.com/a", "slashes"},
	{"https:///example.com/a", "https://example.com/a", "slashes"},
	{"https:///me:secret@example.com/a", "https://example.com/a", "slashes userinfo"},
	{"https://me:secret@example.com/a", "https://example.com/a", "userinfo"},
	{"HTTPS://Example.COM/A", "https://example.com/A", "host"},
	{"https://Bücher.example./", "https://xn--bcher-kva.example/", "host"},
	{"http://0x7f.1/", "http://127.0.0.1/", "host"},
	{"https://example.com:443/a", "https://example.com/a", "port"},
	{"https://example.com:/a", "https://example.com/a", "port"},
	{"https://example.com:08080/a", "https://example.com:8080/a", "port"},
	{"https://example.com/a/../b/./c", "https://example.com/b/c", "dots"},
	{"https://example.com/a/%2E%2e/b/.%2E/..", "https://example.com/", "dots"},
	{"https://example.com/../a//..", "https://example.com/a/", "dots"},
	{"https://example.com/.a/..b/...?/../", "https://example.com/.a/..b/...?/../", ""},
	{"https://example.com/a b?c d'e", "https://example.com/a%20b?c%20d%27e", "encoding"},
	{"https://example.com/caf\u00e9\xff", "https://example.com/caf%C3%A9%FF", "encoding"},
	{"https://example.com/%c3%a9", "https://example.com/%C3%A9", "encoding"},
	{"https://example.com/^`{}\x00\x7f?^`{}", "https://example.com/%5E%60%7B%7D%00%7F?^`{}", "encoding"},
	{"https://example.com/a|b[c]", "https://example.com/a|b[c]", ""},
	{"https://example.com/a#b?c", "https://example.com/a", "fragment"},
	{" HTTP:\\\\me@Example.com:80/a/../b c#d", "http://example.com/b%20c", "blanks slashes userinfo host port dots encoding fragment"},

	// Texts without an origin.
	{"/a", "/a", ""},
	{"/a/../b", "/b", "dots"},
	{"/a/%2E./../b/.", "/b/", "dots"},
	{"/a/..//b", "/a/..//b", ""}, // //b would be a host
	{"/\t/b", "/\t/b", ""},
	{`:/\b`, `:/\b`, ""},
	{`/a\b`, "/a/b", "slashes"},
	{" /a/b ", "/a/b", "blanks"},
	{"/a#b", "/a", "fragment"},
	{"/a b/c", "/a%20b/c", "encoding"},
	{`/a"<b>{c}^` + "`d" + `?q='"<a b>{^#x y`, `/a%22%3Cb%3E%7Bc%7D%5E%60d?q=%27%22%3Ca%20b%3E{^`, "encoding fragment"},
	{"/café/%c3%a9'", "/caf%C3%A9/%C3%A9'", "encoding"},
	{"/a\tb\x00c", "/ab%00c", "blanks encoding"},
	{"//host", "//host", ""},
	{"//host/a/../b", "//host/b", "dots"},
	{"//host/a b", "//host/a%20b", "encoding"},
	{"/@me/a:b@c", "/@me/a:b@c", ""},
	{"example.com", "example.com", ""},
	{"example.com?a b", "example.com/?a%20b", "encoding"},
	{"example.com/a b", "example.com/a%20b", "encoding"},
	{"example.com:8080/../b", "example.com:8080/b", "dots"},
	{"me:secret@example.com/a", "me:***@example.com/a", "userinfo"},
	{"http://me:secret@[::1/a b", "http://***@[::1/a b", "userinfo"},
	{"/redirect?to=https://ü.example/", "/redirect?to=https://%C3%BC.example/", "encoding"},
	{"", "", ""},
}

func names(u origin.URL) string {
	var names []string
	for c := range u.Changes() {
		names = append(names, c.String())
	}
	return strings.Join(names, " ")
}

func TestText(t *testing.T) {
	for _, tt := range texts {
		u := origin.Text(tt.text)
		if u.Compared() != tt.compared || names(u) != tt.changes || u.IsChanged() != (tt.changes != "") {
			t.Errorf("Text(%q) is compared as %q with %q, want %q with %q", tt.text, u.Compared(), names(u), tt.compared, tt.changes)
		}
		if want := strings.NewReplacer("me:secret@e", "***@e", "me:secret@[", "***@[", "me@E", "***@E").Replace(tt.text); !strings.HasPrefix(tt.text, "me:") &&
			u.Given() != want {
			t.Errorf("Text(%q) is shown as %q, want %q", tt.text, u.Given(), want)
		}
	}
}

// TestTextOctets: each octet is treated alike in a URL that needs no other change and in
// one that does, before and after the question mark.
func TestTextOctets(t *testing.T) {
	for c := range 256 {
		octet := string([]byte{byte(c)}) + "z"
		for _, before := range []string{"/a", "/a?b=", "/", "https://shop.example/", "https://shop.example/?", "https://shop.example/a/"} {
			alone, among := origin.Text(before+octet).Compared(), origin.Text(before+octet+"%e4").Compared()
			if c != '#' && alone+"%E4" != among {
				t.Errorf("%q is compared as %q, but before a percent code as %q", before+octet, alone, among)
			}
		}
	}
}

func TestUnresolved(t *testing.T) {
	for text, want := range map[string]string{
		"https://me:secret@example.com/a/../b c#d": "https://example.com/a/../b%20c",
		"https://example.com/a/%2e%2e/b":           "https://example.com/a/%2E%2E/b",
		"https://example.com/a/b":                  "",
		"/a/../b c":                                "/a/../b%20c",
		"/a/..//b":                                 "",
	} {
		if got := origin.Text(text).Unresolved(); got != want {
			t.Errorf("%q without resolving dots is %q, want %q", text, got, want)
		}
	}
}

// TestRequest: a request is compared as net/http sends it.
func TestRequest(t *testing.T) {
	for text, want := range map[string]struct{ compared, changes string }{
		"https://example.com/a b":                   {"https://example.com/a%20b", "encoding"},
		"https://example.com":                       {"https://example.com/", ""},
		"https://example.com?a":                     {"https://example.com/?a", ""},
		"https://example.com/?":                     {"https://example.com/?", ""},
		"https://me:secret@Example.com:443/a/../b#": {"https://example.com/a/../b", "userinfo"},
		"https://example.com/a%2Fb%c3%a9?%c3":       {"https://example.com/a%2Fb%C3%A9?%C3", "encoding"},
		"https://example.com/a|b?c|d":               {"https://example.com/a%7Cb?c|d", "pipe"},
		"https://example.com/a|b c":                 {"https://example.com/a%7Cb%20c", "encoding pipe"},
		"https://example.com//a#b":                  {"https://example.com//a", "fragment"},
		"/a":                                        {":///a", ""},
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if r := origin.Request(u); r.Compared() != want.compared || names(r) != want.changes ||
			strings.Contains(r.Given(), "secret") {
			t.Errorf("Request(%q) is compared as %q with %q, want %q with %q", text, r.Compared(), names(r), want.compared, want.changes)
		}
	}
	opaque := &url.URL{Scheme: "https", Opaque: "//me:secret@example.com/%2F", RawQuery: "q"}
	if r := origin.Request(opaque); r.String() != "https://example.com/%2F?q" || strings.Contains(r.Given(), "secret") {
		t.Errorf("an opaque URL is sent as %s, given as %s", r, r.Given())
	}
	if _, err := origin.Request(nil).Origin(); err == nil {
		t.Error("a nil URL has an origin")
	}
}

func TestGoverns(t *testing.T) {
	o := mustOf(t, "https://example.com/")
	for text, want := range map[string]bool{
		"https://example.com/a": true, "HTTPS://EXAMPLE.com:443": true, "/a": true, "example.com/a": true,
		"//example.com/a": true, "?q": true, "": true, "http://": true, "//a/b": false, "www.example.com/a": false, "example.com:8443/a": false,
		"http://example.com/a": false, "https://www.example.com/a": false, "https://example.com:8443/": false, "https://example.co/": false,
	} {
		if got := o.Governs(origin.Text(text)); got != want {
			t.Errorf("%v governs %q: %v, want %v", o, text, got, want)
		}
	}
}

func TestOriginFrom(t *testing.T) {
	site := mustOf(t, "http://example.com:8080/")
	for text, want := range map[string]string{
		"https://a.example/b": "https://a.example", "/b": "http://example.com:8080", "#b": "http://example.com:8080",
		"//a.example/b": "http://a.example", "a.example/b": "http://a.example", "a.example:80/b": "http://a.example",
	} {
		if got, err := origin.Text(text).OriginFrom(site); err != nil || got.String() != want {
			t.Errorf("the origin of %q is %v, %v; want %s", text, got, err, want)
		}
	}
	if got, err := origin.Text("//a.example/b").OriginFrom(origin.Origin{}); err != nil || got.String() != "https://a.example" {
		t.Errorf("without a site, the origin of a host is %v, %v", got, err)
	}
	if got, err := origin.Text("/b").OriginFrom(origin.Origin{}); err != nil || !got.IsZero() {
		t.Errorf("without a site, the origin of a path is %v, %v", got, err)
	}
	if _, err := origin.Text("https://[bad/").OriginFrom(site); err == nil {
		t.Error("a URL with an invalid host has an origin")
	}
}

func TestChangesHaveSentences(t *testing.T) {
	seen := map[string]bool{}
	for c := origin.ChangeBlanks; c <= origin.ChangePipe; c++ {
		if c.String() == "" || c.Sentence() == "" || seen[c.String()] {
			t.Errorf("change %d has the name %q and the sentence %q", c, c, c.Sentence())
		}
		seen[c.String()] = true
	}
}

// FuzzText checks that a serialised URL is read unchanged, has the origin that Of returns,
// and is sent by net/http as it is, if net/http accepts it.
func FuzzText(f *testing.F) {
	for _, tt := range texts {
		f.Add(tt.text)
	}
	for _, tt := range spellings {
		f.Add(tt.rawURL + "a/../%2e/b|c%zz?'#")
	}
	f.Fuzz(func(t *testing.T, text string) {
		u := origin.Text(text)
		o, err := u.Origin()
		if of, _ := origin.Of(text); of != o {
			t.Fatalf("Text(%q) has the origin %v, but Of says %v", text, o, of)
		}
		if err != nil {
			if again := origin.Text(u.Compared()); again.Compared() != u.Compared() && !strings.Contains(text, "@") ||
				u.Target() != "" {
				t.Fatalf("%q is compared as %q, which is compared as %q", text, u.Compared(), again.Compared())
			}
			return
		}
		checkSerialised(t, u)
		if shown := origin.Text(u.Given()); shown.Compared() != u.Compared() || u.Unresolved() != shown.Unresolved() {
			t.Fatalf("%q is shown as %q, which is compared as %q instead of %q", text, u.Given(), shown.Compared(), u.Compared())
		}
		req, err := http.NewRequest(http.MethodGet, u.String(), http.NoBody)
		if err != nil {
			if !strings.Contains(u.Target(), "%") {
				t.Fatalf("net/http refuses %s: %v", u, err)
			}
			return
		}
		path, _, _ := strings.Cut(u.Target(), "?")
		if r := origin.Request(req.URL); r.String() != u.String() && !strings.Contains(path, "|") {
			t.Fatalf("net/http sends %s for %s", r, u)
		}
	})
}

// checkSerialised checks a URL with an origin.
func checkSerialised(t *testing.T, u origin.URL) {
	t.Helper()
	if again := origin.Text(u.String()); again.String() != u.String() ||
		slices.ContainsFunc(slices.Collect(again.Changes()),
			func(c origin.Change) bool { return c != origin.ChangeEncoding }) {
		t.Fatalf("%s is serialised again as %s", u, again)
	}
	if again := origin.Text(u.Compared()); again.IsChanged() {
		t.Fatalf("%s is changed again: %s", u.Compared(), names(again))
	}
	if !strings.HasPrefix(u.Target(), "/") || strings.ContainsFunc(u.String(),
		func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '#' }) {
		t.Fatalf("%q is no request", u)
	}
}

func TestIsRobots(t *testing.T) {
	for url, want := range map[string]bool{
		"/robots.txt": true, "https://h.example/robots.txt": true, "HTTPS://H.example:443/a/../robots.txt#x": true, "//h.example/robots.txt": true,
		"h.example/robots.txt": true, "/robots.txt?": false, "/robots.txt?x": false, "/a/robots.txt": false, "/Robots.txt": false,
		"robots.txt": false, "": false, "https://h.example": false, "/robots%2Etxt": false,
	} {
		if got := origin.Text(url).IsRobots(); got != want {
			t.Errorf("%q: %v", url, got)
		}
	}
	for sent, want := range map[string]bool{
		"https://u:p@h.example./robots.txt": true, "/robots.txt#x": true, "https://h.example/robots.txt#": true,
		"/robots.txt?#x": false, "/a/../robots.txt": false, "#/robots.txt": false,
	} {
		if got := origin.Sent(sent).IsRobots(); got != want {
			t.Errorf("%q as sent: %v", sent, got)
		}
	}
}
