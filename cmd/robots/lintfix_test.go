package main

import (
	"errors"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/mend"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/verdicts"
	"github.com/kosterhq/robotstxt/lint"
)

// TestRefused says why a fix is not made. No fix of ours is known to be unsafe, so
// none can be had from a file.
func TestRefused(t *testing.T) {
	f := lint.Finding{Code: "RX999", Line: 3}
	for want, err := range map[string]error{
		`a\x1b.txt: the fix of RX999 on line 3 is not safe here: in dialect google the verdict changes for "*": /a was allowed, by no line, and is disallowed, by line 3`: &mend.UnsafeError{Finding: f, Change: verdicts.Change{Agent: "*", URL: "/a", After: 3}},
		`a\x1b.txt: the fix of RX999 on line 3 is not safe here: edits do not fit`:                                                                                        &mend.UnsafeError{Finding: f, Err: lint.ErrEdits},
	} {
		got := refused("a\x1b.txt", err)
		failed := (*term.Error)(nil)
		if got.Error() != want || !errors.As(got, &failed) || failed.Hint != "nothing is written; --ignore RX999 leaves it out" {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}

func TestComparisonSum(t *testing.T) {
	var sum comparisonSum
	for _, tt := range []struct {
		add  verdicts.Comparison
		want string
	}{
		{verdicts.Comparison{}, "0 verdicts compared, none changes"},
		{verdicts.Comparison{Compared: 1}, "1 verdict compared, none changes"},
		{verdicts.Comparison{Compared: 262144, Cut: true}, "262,145 verdicts compared of many more, none changes"},
		{verdicts.Comparison{Compared: 5, Changed: 1}, "262,150 verdicts compared of many more"},
	} {
		if sum.add(&tt.add); sum.String() != tt.want {
			t.Errorf("%q, want %q", sum, tt.want)
		}
	}
}
