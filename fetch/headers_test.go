package fetch

import (
	"net/http"
	"slices"
	"testing"
)

// TestHeaderLines checks that HeaderLines yields each value once, in a fixed
// order.
func TestHeaderLines(t *testing.T) {
	sent := http.Header{}
	for _, line := range [][2]string{
		{"Last-Modified", "x"}, {"etag", `"1"`}, {"Retry-After", "1"}, {"Cache-Control", "no-store"},
		{"Cache-Control", "max-age=1"}, {"Set-Cookie", "a=b"}, {"Location", "/"}, {"CDN-Cache-Control", "max-age=2"},
	} {
		sent.Add(line[0], line[1])
	}
	r := &Result{Header: pickHeaders(sent)}
	var lines []string
	for name, value := range r.HeaderLines() {
		lines = append(lines, name+": "+value)
	}
	want := []string{"Location: /", "Retry-After: 1", "Cache-Control: no-store", "Cache-Control: max-age=1", `ETag: "1"`, "Last-Modified: x",
		"Cdn-Cache-Control: max-age=2"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	for range r.HeaderLines() {
		break // the iterator must stop
	}
	for name := range new(Result).HeaderLines() {
		t.Errorf("a result without headers has %s", name)
	}
}
