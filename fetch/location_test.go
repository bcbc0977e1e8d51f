package fetch

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/origin"
)

// readLocations reads where every client goes from a Location: as browsers do.
func readLocations(t *testing.T) conformance.Locations {
	t.Helper()
	l, err := conformance.ReadLocations()
	if err != nil || len(l.Cases) < 75 {
		t.Fatalf("%d cases, %v", len(l.Cases), err)
	}
	return l
}

func TestLocations(t *testing.T) {
	l := readLocations(t)
	for _, c := range l.Cases {
		target, ok := RedirectTarget(l.From, c.Location)
		if ok != (c.Target != nil) || ok && target != *c.Target {
			t.Errorf("%q: %q, %v", c.Location, target, ok)
		}
	}
	for from, want := range map[string]string{"HTTP://u:p@SHOP.example#x": "http://shop.example/r", "shop.example": "", "": ""} {
		if target, ok := RedirectTarget(from, "r"); target != want || ok != (want != "") {
			t.Errorf("from %q: %q, %v", from, target, ok)
		}
	}
}

// TestLocationsAreRequested: a server gets the target octet by octet, except that net/http sends a
// pipe in a path as %7C.
func TestLocationsAreRequested(t *testing.T) {
	l := readLocations(t)
	site, _, _ := strings.Cut(strings.TrimPrefix(l.From, "http://"), "/")
	tried := 0
	for _, c := range l.Cases {
		if c.Target == nil || strings.Contains(c.Location, "\n") || !strings.HasPrefix(*c.Target, "http://"+site) {
			continue
		}
		tried++
		var requested []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requested = append(requested, r.RequestURI)
			switch len(requested) {
			case 1:
				w.Header().Set("Location", strings.TrimPrefix(l.From, "http://"+site))
			case 2:
				w.Header()["Location"] = []string{c.Location}
			default:
				return
			}
			w.WriteHeader(http.StatusFound)
		}))
		client := newTestClient(t, Config{Network: Network{AllowPrivate: true}})
		result := Expect(t, client, server.URL)
		server.Close()
		path, query, hasQuery := strings.Cut(strings.TrimPrefix(*c.Target, "http://"+site), "?")
		want := strings.ReplaceAll(path, "|", "%7C")
		if hasQuery {
			want += "?" + query
		}
		if len(requested) != 3 || requested[2] != want || result.Status != http.StatusOK {
			t.Errorf("%q: requested %q, want %q: %+v", c.Location, requested, want, result)
		}
	}
	if tried < 45 {
		t.Errorf("only %d cases were requested", tried)
	}
}

// FuzzLocation checks properties of every redirect that is followed, for any
// Location.
func FuzzLocation(f *testing.F) {
	for _, location := range []string{
		"", "/b", "?b", "#b", "//h/b", "http://h", "https://u:p@h:443/b?c#d", "HTTP://H./%41", "http://[::1]:80/", "http://0x7f.1/", "http://ä.example/ö",
		"http:\\\\h\\b", "http://h:/", "http://h%2Fx/", "/b c", "/%zz", "file:///x", "javascript:1", "http:b", "http://a@b@c/", "http://h/\r\nX: y", "//[fe80::1%25lo]/",
	} {
		f.Add("http://example.com/robots.txt", location)
	}
	f.Fuzz(func(t *testing.T, from, location string) {
		if o, err := origin.Of(from); err != nil || o.Scheme() == "ftp" {
			return
		}
		target, ok := redirectTarget(origin.Text(from), location)
		if !ok {
			return
		}
		parsed, err := url.Parse(target)
		if err != nil {
			t.Fatalf("%q: %v", target, err)
		}
		o, err := origin.Of(target)
		if err != nil {
			t.Fatalf("%q: %v", target, err)
		}
		if parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.User != nil || strings.Contains(target, "#") {
			t.Errorf("%q is followed", target)
		}
		if parsed.Scheme+"://"+parsed.Host != o.String() {
			t.Errorf("%q has the origin %s", target, o)
		}
		if strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r >= 0x7F }) {
			t.Errorf("%q cannot be a request line", target)
		}
		if again, ok := redirectTarget(origin.Text(from), target); !ok || again != target {
			t.Errorf("%q becomes %q, %v", target, again, ok)
		}
		if _, err := http.NewRequest(http.MethodGet, target, nil); err != nil {
			t.Error(err)
		}
	})
}
