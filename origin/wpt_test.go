package origin_test

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

// browserCase is a test of web-platform-tests, see testdata/wpt/README.md.
type browserCase struct {
	Input                            string
	Failure                          bool
	Protocol, Host, Pathname, Search string
}

func browserCases(t *testing.T) (cases []browserCase) {
	t.Helper()
	data, err := os.ReadFile("testdata/wpt/http.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// refused are the URLs that browsers read, and that have no origin here because no request
// could be sent for them, with a part of the error.
var refused = map[string]string{
	"http://f:0/c": "the port 0", "http://f:00000000000000/c": "the port 0", // which browsers block when they fetch
	"http://./": "no host", "http://../": "empty label", "http://foo.09..": "empty label", // no names of DNS
	"http://!\"$&'()*+,-.;=_`{}~/": `the character '"'`, // which no Host header may contain
}

// unsent are the serialised URLs that net/http refuses: it requires hex digits after each
// % of a path.
var unsent = []string{
	"http://example.com/foo/%2e%2", "http://example.com/foo%", "http://example.com/foo%2",
	"http://example.com/foo%2zbar", "http://example.com/foo%2%C3%82%C2%A9zbar",
}

// TestTextAsBrowsers: Text gives the request that browsers send.
func TestTextAsBrowsers(t *testing.T) {
	equal, none := 0, 0
	for _, c := range browserCases(t) {
		u := origin.Text(c.Input)
		o, err := u.Origin()
		switch {
		case c.Failure:
			continue
		case err != nil:
			if reason, ok := refused[c.Input]; !ok || !strings.Contains(err.Error(), reason) {
				t.Errorf("Text(%q) has no origin: %v", c.Input, err)
			}
			none++
			continue
		}
		equal++
		if want := c.Protocol + "//" + c.Host; o.String() != want {
			t.Errorf("Text(%q) has the origin %s, want %s", c.Input, o, want)
		}
		if want := c.Pathname + c.Search; strings.TrimSuffix(u.Target(), "?") != want {
			t.Errorf("Text(%q) has the target %s, want %s", c.Input, u.Target(), want)
		}
		if u.String() != o.String()+u.Target() {
			t.Errorf("Text(%q) is %s, want %s and %s", c.Input, u, o, u.Target())
		}
	}
	if equal != 154 || none != len(refused) {
		t.Errorf("%d URLs are read as in browsers and %d are refused, want 154 and %d", equal, none, len(refused))
	}
}

// TestTextRefusesAsBrowsers: what browsers refuse has no origin, except punycode that is
// not valid.
func TestTextRefusesAsBrowsers(t *testing.T) {
	failures, punycode := 0, 0
	for _, c := range browserCases(t) {
		if !c.Failure {
			continue
		}
		failures++
		if _, err := origin.Text(c.Input).Origin(); err == nil {
			if punycode++; !strings.Contains(strings.ToLower(c.Input), "xn--") {
				t.Errorf("Text(%q) has an origin, in browsers it has none", c.Input)
			}
		}
	}
	if failures != 202 || punycode != 7 {
		t.Errorf("%d failures, %d of them with an origin, want 202 and 7", failures, punycode)
	}
}

// TestRequestOfSerialised: net/http sends the serialised URL as it is, or refuses it.
func TestRequestOfSerialised(t *testing.T) {
	equal := 0
	invalid := []string(nil)
	for _, c := range browserCases(t) {
		u := origin.Text(c.Input)
		if _, err := u.Origin(); err != nil || c.Failure {
			continue
		}
		req, err := http.NewRequest(http.MethodGet, u.String(), http.NoBody)
		if err != nil {
			invalid = append(invalid, u.String())
			continue
		}
		if equal++; origin.Request(req.URL).String() != u.String() {
			t.Errorf("net/http sends %s for %s", origin.Request(req.URL), u)
		}
	}
	if equal != 149 || !slices.Equal(invalid, unsent) {
		t.Errorf("%d are equal and net/http refuses %q, want 149 and %q", equal, invalid, unsent)
	}
}
