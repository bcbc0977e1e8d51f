package reuse_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/reuse"
)

func TestSlice(t *testing.T) {
	s := make([]*int, 3, 4)
	s[0] = new(int)
	got := reuse.Slice(s, 4)
	if len(got) != 0 || cap(got) != 4 || got[:1][0] != nil {
		t.Errorf("length %d, room for %d, first element %v", len(got), cap(got), got[:1][0])
	}
	if got := reuse.Slice(s, 3); got != nil {
		t.Errorf("a slice with room for 4 is kept: %v", got)
	}
}

func TestMap(t *testing.T) {
	m := map[string]int{"a": 1, "b": 2}
	if reuse.Map(m, 1) != nil {
		t.Error("a map of 2 is kept")
	}
	if got := reuse.Map(m, 2); got == nil || len(got) != 0 {
		t.Errorf("got %v", got)
	}
}
