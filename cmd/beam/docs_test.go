package main

import (
	"os"
	"strings"
	"testing"
)

// TestColumns: docs/beam.md lists the columns of counts.csv.
func TestColumns(t *testing.T) {
	guide, err := os.ReadFile("../../docs/beam.md")
	if err != nil {
		t.Fatal(err)
	}
	if columns := "`" + strings.Join(countColumns(), ",") + "`"; !strings.Contains(string(guide), columns) {
		t.Errorf("docs/beam.md does not list the columns %s", columns)
	}
}

// Domains that redirects connect have one root, in any order of the links.
func TestRoots(t *testing.T) {
	links := []link{{"c", "d"}, {"a", "b"}, {"b", "c"}, {"x", "y"}}
	for turn := range links {
		f := &bucketFn{parents: map[string]string{}}
		for i := range links {
			l := links[(i+turn)%len(links)]
			f.join(l.From, l.To)
		}
		for domain, want := range map[string]string{"a": "a", "b": "a", "c": "a", "d": "a", "x": "x", "y": "x", "z": "z"} {
			if got := f.root(domain); got != want {
				t.Errorf("turn %d: the root of %s is %s, want %s", turn, domain, got, want)
			}
		}
	}
}
