package main

import (
	"strings"
	"testing"
)

// TestChanges: whatever is changed, a shape makes a file and a path of the usual
// size.
func TestChanges(t *testing.T) {
	g := newMutator(1)
	for _, s := range starts() {
		for range 300 {
			s = g.change(s)
			f := s.file()
			if n := len(f.Bytes); n < bodySize || n > bodySize+2*maxText {
				t.Fatalf("%d bytes\n%s", n, s)
			}
			if n := len(f.Paths[0]); n < pathSize-2*maxText || n > pathSize+2*maxText || !strings.HasPrefix(f.Paths[0], "/") {
				t.Fatalf("a path of %d bytes\n%s", n, s)
			}
			if len(s.lines) == 0 || len(s.lines) > maxLines {
				t.Fatalf("%d lines", len(s.lines))
			}
		}
	}
}
