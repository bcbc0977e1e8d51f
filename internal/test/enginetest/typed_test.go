package enginetest

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

// TestTypedURLs: conformance/urls.json says how every core decides about a URL that is typed, and
// about one that is compared as a client has sent it.
func TestTypedURLs(t *testing.T) {
	text, err := os.ReadFile("../../../conformance/urls.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Note, Rule, URL, Typed string
			AsSent                 string `json:"as_sent"`
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) < 15 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for _, c := range file.Cases {
		rules := robotstxt.Google.Parse([]byte("User-agent: *\nDisallow: " + c.Rule + "\n")).Rules("FooBot")
		for name, read := range map[string]struct {
			url  origin.URL
			want string
		}{"typed": {origin.Text(c.URL), c.Typed}, "as sent": {origin.Sent(c.URL), c.AsSent}} {
			if rules.Allowed(read.url.Compared()) != (read.want == "allowed") {
				t.Errorf("%s, %q: %s as %q is not %s", c.Note, c.URL, name, read.url.Compared(), read.want)
			}
		}
		if rules.Allowed(c.URL) != (c.AsSent == "allowed") {
			t.Errorf("%s, %q: the engine differs", c.Note, c.URL)
		}
	}
}
