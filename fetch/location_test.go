package fetch

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

// TestLocations: testdata/locations.json says where both this client and the one of the npm
// package go from a Location: as browsers do.
func TestLocations(t *testing.T) {
	text, err := os.ReadFile("testdata/locations.json")
	if err != nil {
		t.Fatal(err)
	}
	var tests []struct {
		Location string
		Target   *string // null if it is not followed
	}
	if err := json.Unmarshal(text, &tests); err != nil || len(tests) < 30 {
		t.Fatalf("%d tests, %v", len(tests), err)
	}
	for _, test := range tests {
		target, ok := redirectTarget("http://shop.example/dir/robots.txt?q", test.Location)
		if ok != (test.Target != nil) || ok && target != *test.Target {
			t.Errorf("%q: %q, %v", test.Location, target, ok)
		}
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
		target, ok := redirectTarget(from, location)
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
		if again, ok := redirectTarget(from, target); !ok || again != target {
			t.Errorf("%q becomes %q, %v", target, again, ok)
		}
		if _, err := http.NewRequest(http.MethodGet, target, nil); err != nil {
			t.Error(err)
		}
	})
}
