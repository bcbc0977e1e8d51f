package origin_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

// pageTable contains every row of the table on Google's page: the URLs that the
// file governs and does not govern. [Page: examples of valid robots.txt URLs]
var pageTable = []struct {
	robots      string
	valid       bool // the URL is that of a robots.txt
	governs     []string
	doesNotRule []string
}{
	{
		robots:      "https://example.com/robots.txt",
		valid:       true,
		governs:     []string{"https://example.com/", "https://example.com/folder/file"},
		doesNotRule: []string{"https://other.example.com/", "http://example.com/", "https://example.com:8181/"},
	},
	{
		robots:      "https://www.example.com/robots.txt",
		valid:       true,
		governs:     []string{"https://www.example.com/"},
		doesNotRule: []string{"https://example.com/", "https://shop.www.example.com/", "https://www.shop.example.com/"},
	},
	{
		robots: "https://example.com/folder/robots.txt",
		valid:  false,
	},
	{
		// The page says xn--exmple-cua.com, without www, in this row. That is a
		// mistake: according to its second row, www.example.com does not govern
		// example.com.
		robots:      "https://www.exämple.com/robots.txt",
		valid:       true,
		governs:     []string{"https://www.exämple.com/", "https://www.xn--exmple-cua.com/"},
		doesNotRule: []string{"https://www.example.com/", "https://xn--exmple-cua.com/", "https://exämple.com/"},
	},
	{
		robots:      "ftp://example.com/robots.txt",
		valid:       true,
		governs:     []string{"ftp://example.com/"},
		doesNotRule: []string{"https://example.com/"},
	},
	{
		robots:      "https://212.96.82.21/robots.txt",
		valid:       true,
		governs:     []string{"https://212.96.82.21/"},
		doesNotRule: []string{"https://example.com/"}, // even if the host has that address
	},
	{
		robots:      "https://example.com:443/robots.txt",
		valid:       true,
		governs:     []string{"https://example.com:443/", "https://example.com/"},
		doesNotRule: []string{"https://example.com:444/"},
	},
	{
		robots:      "https://example.com:8181/robots.txt",
		valid:       true,
		governs:     []string{"https://example.com:8181/"},
		doesNotRule: []string{"https://example.com/"},
	},
}

func TestPageTable(t *testing.T) {
	for _, row := range pageTable {
		o := mustOf(t, row.robots)
		if got := o.IsRobotsURL(origin.Text(row.robots)); got != row.valid {
			t.Errorf("%v.IsRobotsURL(%q) = %v, want %v", o, row.robots, got, row.valid)
		}
		for _, u := range row.governs {
			page := mustOf(t, u)
			if page != o || !page.IsRobotsURL(origin.Text(row.robots)) || page.RobotsURL() != o.RobotsURL() {
				t.Errorf("%s must govern %s: got origins %v and %v", row.robots, u, o, page)
			}
		}
		for _, u := range row.doesNotRule {
			page := mustOf(t, u)
			if page == o || page.IsRobotsURL(origin.Text(row.robots)) || page.RobotsURL() == o.RobotsURL() {
				t.Errorf("%s must not govern %s: both have the origin %v", row.robots, u, o)
			}
		}
	}
}

// These pairs are from Koster 3.1 and draft 00 of RFC 9309.
func TestRobotsURL(t *testing.T) {
	for _, tt := range []struct{ page, want string }{
		{"http://www.foo.com/welcome.html", "http://www.foo.com/robots.txt"},
		{"http://www.bar.com:8001/", "http://www.bar.com:8001/robots.txt"},
		{"http://www.example.com/", "http://www.example.com/robots.txt"},
		{"https://www.example.com", "https://www.example.com/robots.txt"},
		{"ftp://ftp.example.com/pub", "ftp://ftp.example.com/robots.txt"},
		{"https://me:secret@Exämple.com:443?q#f", "https://xn--exmple-cua.com/robots.txt"},
	} {
		if got := mustOf(t, tt.page).RobotsURL(); got != tt.want {
			t.Errorf("Of(%q).RobotsURL() = %q, want %q", tt.page, got, tt.want)
		}
	}
}

func TestIsRobotsURL(t *testing.T) {
	o := mustOf(t, "https://example.com/")
	for rawURL, want := range map[string]bool{
		"https://example.com/robots.txt":           true,
		"HTTPS://user@EXAMPLE.com.:443/robots.txt": true,
		"https://example.com/robots.txt#top":       true,
		" https://example.com/rob\nots.txt\n":      true,
		`https:\\example.com\robots.txt`:           true,
		"https://example.com/robots.txt?":          false, // an empty query is a query
		"https://example.com/robots.txt?a":         false,
		"https://example.com/Robots.txt":           false, // paths are case-sensitive
		"https://example.com/robots.txt/":          false,
		"https://example.com/robots.tx":            false,
		"https://example.com/robots%2Etxt":         false,
		"https://example.com//robots.txt":          false,
		"https://example.com/a/../robots.txt":      true,
		"https://example.com/robots.txt #x":        false,
		"https://example.com":                      false,
		"https://example.com?/robots.txt":          false,
		"https://example.com#/robots.txt":          false,
		"http://example.com/robots.txt":            false,
		"https://www.example.com/robots.txt":       false,
		"/robots.txt":                              false,
		"":                                         false,
	} {
		if got := o.IsRobotsURL(origin.Text(rawURL)); got != want {
			t.Errorf("IsRobotsURL(%q) = %v, want %v", rawURL, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	for _, tt := range []struct {
		rawURL, scheme, host string
		port                 uint16
		addr, text           string
	}{
		{"http://example.com/", "http", "example.com", 80, "example.com:80", "http://example.com"},
		{"https://example.com/", "https", "example.com", 443, "example.com:443", "https://example.com"},
		{"ftp://example.com/", "ftp", "example.com", 21, "example.com:21", "ftp://example.com"},
		{"http://example.com:443/", "http", "example.com", 443, "example.com:443", "http://example.com:443"},
		{"http://[::1]/", "http", "::1", 80, "[::1]:80", "http://[::1]"},
		{"http://[::1]:8080/", "http", "::1", 8080, "[::1]:8080", "http://[::1]:8080"},
		{"https://1.2.3.4:65535/", "https", "1.2.3.4", 65535, "1.2.3.4:65535", "https://1.2.3.4:65535"},
	} {
		o := mustOf(t, tt.rawURL)
		if o.Scheme() != tt.scheme || o.Host() != tt.host || o.Port() != tt.port || o.Addr() != tt.addr ||
			o.String() != tt.text {
			t.Errorf("Of(%q) = %q %q %d %q %q, want %q %q %d %q %q", tt.rawURL,
				o.Scheme(), o.Host(), o.Port(), o.Addr(), o, tt.scheme, tt.host, tt.port, tt.addr, tt.text)
		}
		if o.IsZero() {
			t.Errorf("Of(%q) is zero", tt.rawURL)
		}
	}
}

func TestZeroOrigin(t *testing.T) {
	var o origin.Origin
	if !o.IsZero() || o.Scheme()+o.Host()+o.Addr()+o.String()+o.RobotsURL() != "" || o.Port() != 0 {
		t.Errorf("zero Origin has parts: %q %q %d %q %q", o.Scheme(), o.Host(), o.Port(), o.Addr(), o.RobotsURL())
	}
	if o.IsRobotsURL(origin.Text("/robots.txt")) || o.IsRobotsURL(origin.URL{}) {
		t.Error("zero Origin has a robots.txt")
	}
}

func TestJSON(t *testing.T) {
	type seen struct {
		At  origin.Origin         `json:"at"`
		By  map[origin.Origin]int `json:"by"`
		Not origin.Origin         `json:"not,omitzero"`
	}
	a, b := mustOf(t, "http://[::1]:8080/"), mustOf(t, "https://exämple.com/")
	out, err := json.Marshal(seen{At: a, By: map[origin.Origin]int{b: 1}})
	if want := `{"at":"http://[::1]:8080","by":{"https://xn--exmple-cua.com":1}}`; err != nil || string(out) != want {
		t.Errorf("Marshal = %s, %v, want %s", out, err, want)
	}
	var in seen
	err = json.Unmarshal([]byte(`{"at":"HTTP://[0::1]:8080/x","by":{"https://EXÄMPLE.com":1},"not":""}`), &in)
	if err != nil || in.At != a || in.By[b] != 1 || !in.Not.IsZero() {
		t.Errorf("Unmarshal = %+v, %v", in, err)
	}
	kept := a
	var wrong *origin.Error
	if err := kept.UnmarshalText([]byte("example.com")); !errors.As(err, &wrong) || kept != a {
		t.Errorf("UnmarshalText of a bare host: %v, and the origin is now %v", err, kept)
	}
}

// FuzzOf checks properties for any text.
func FuzzOf(f *testing.F) {
	for _, row := range pageTable {
		f.Add(row.robots)
	}
	for _, tt := range spellings {
		f.Add(tt.rawURL)
	}
	for _, tt := range mistakes {
		f.Add(tt.rawURL)
	}
	f.Fuzz(func(t *testing.T, rawURL string) {
		o, err := origin.Of(rawURL)
		if err != nil {
			checkError(t, o, err)
			return
		}
		checkSafe(t, o)
		for _, again := range []string{o.String(), o.String() + "/x", o.RobotsURL(), " " + strings.ToUpper(o.String()) + "?@"} {
			if second, err := origin.Of(again); err != nil || second != o {
				t.Errorf("Of(%q) = %v, but Of(%q) = %v, %v", rawURL, o, again, second, err)
			}
		}
		if !o.IsRobotsURL(origin.Text(o.RobotsURL())) {
			t.Errorf("%v: IsRobotsURL is false for %s", o, o.RobotsURL())
		}
		checkSameHost(t, o, rawURL)
	})
}

// checkError checks that an error is an *Error with the zero Origin, and that
// its message is one short line.
func checkError(t *testing.T, o origin.Origin, err error) {
	t.Helper()
	var e *origin.Error
	if !errors.As(err, &e) || !o.IsZero() {
		t.Fatalf("error %T %v with the origin %v", err, err, o)
	}
	if msg := err.Error(); len(msg) > 3000 ||
		strings.ContainsFunc(msg, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Errorf("message is not one short line: %q", msg)
	}
}

// checkSafe checks that an origin contains no character that could end a
// header, a line or the host part of a URL.
func checkSafe(t *testing.T, o origin.Origin) {
	t.Helper()
	for i := range len(o.Host()) {
		if c := o.Host()[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`/\?#@%<>"{}|^[]`+"`", c) >= 0 {
			t.Errorf("host %q has %q", o.Host(), c)
		}
	}
	if o.Host() == "" || o.Port() == 0 || strings.ContainsAny(o.String(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		t.Errorf("origin %q has host %q and port %d", o, o.Host(), o.Port())
	}
	u, err := url.Parse(o.RobotsURL())
	if err != nil || u.Hostname() != o.Host() || u.Scheme != o.Scheme() || u.Path != "/robots.txt" {
		t.Errorf("net/url reads %q as %+v, %v", o.RobotsURL(), u, err)
	}
}

// checkSameHost checks that net/url, if it accepts the URL, reads the same
// host. Otherwise an HTTP client would connect to another host than the one
// that was checked. Addresses and international names have other spellings in
// net/url.
func checkSameHost(t *testing.T, o origin.Origin, rawURL string) {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" || o.Host()[0] <= '9' || strings.Contains(o.Host(), ":") {
		return // no host to connect to
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	for i := range len(host) {
		if host[i] >= 0x80 {
			return
		}
	}
	if host != o.Host() || u.Scheme != o.Scheme() {
		t.Errorf("Of(%q) = %v, but net/url says %q %q", rawURL, o, u.Scheme, u.Host)
	}
}

func mustOf(t *testing.T, rawURL string) origin.Origin {
	t.Helper()
	o, err := origin.Of(rawURL)
	if err != nil {
		t.Fatalf("Of(%q): %v", rawURL, err)
	}
	return o
}
