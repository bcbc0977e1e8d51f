package origin_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/origin"
)

// TestResolve: a reference leads where it leads in browsers. A redirect that a client does not follow has no
// target in the list, but for a stray percent sign, which browsers send as it is.
func TestResolve(t *testing.T) {
	l, err := conformance.ReadLocations()
	if err != nil {
		t.Fatal(err)
	}
	from := origin.Text(l.From)
	for _, c := range l.Cases {
		if got := from.Resolve(c.Location).String(); c.Target != nil && got != *c.Target {
			t.Errorf("%q: %s, want %s", c.Location, got, *c.Target)
		}
	}
	for reference, want := range map[string]string{
		"/%zz": "http://shop.example/%zz", `\b.js`: "http://shop.example/b.js", "http:x.js": "http://shop.example/dir/x.js",
		"https:///t.example/a.js": "https://t.example/a.js", "%2e%2e/a.js": "http://shop.example/a.js",
		"http://me:secret@h.example/a": "http://h.example/a", "mailto:a": "mailto:a", "": "http://shop.example/dir/robots.txt?q",
		"\u00a0a": "http://shop.example/dir/%C2%A0a",
	} {
		if got := from.Resolve(reference).String(); got != want {
			t.Errorf("%q: %s, want %s", reference, got, want)
		}
	}
	if got := origin.Text("/dir/page").Resolve("/a b").String(); got != "/a%20b" {
		t.Errorf("without an origin: %s", got)
	}
}
