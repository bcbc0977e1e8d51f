package fix

import (
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

func TestClaims(t *testing.T) {
	first := []lint.Edit{{Start: 10, End: 20, New: "x"}, {Start: 30, End: 30, New: "y"}}
	for _, tt := range []struct {
		edit lint.Edit
		free bool
	}{
		{lint.Edit{Start: 0, End: 10}, true},
		{lint.Edit{Start: 0, End: 11}, false},
		{lint.Edit{Start: 10, End: 20, New: "x"}, true}, // the same
		{lint.Edit{Start: 10, End: 20, New: "z"}, false},
		{lint.Edit{Start: 10, End: 10, New: "z"}, true}, // before
		{lint.Edit{Start: 30, End: 35}, true},           // after
		{lint.Edit{Start: 15, End: 15, New: "z"}, false},
		{lint.Edit{Start: 19, End: 25}, false},
		{lint.Edit{Start: 20, End: 30}, true},
		{lint.Edit{Start: 30, End: 30, New: "z"}, false},
		{lint.Edit{Start: 29, End: 31}, false},
		{lint.Edit{Start: 31, End: 40}, true},
	} {
		var c claims
		if !c.add(first) {
			t.Fatal("the first edits overlap nothing")
		}
		if got := c.add([]lint.Edit{tt.edit}); got != tt.free {
			t.Errorf("%+v beside %+v: free %v, want %v", tt.edit, first, got, tt.free)
		}
		if _, err := lint.Apply(make([]byte, 50), c.edits); err != nil {
			t.Errorf("%+v: %v", c.edits, err)
		}
	}
}
