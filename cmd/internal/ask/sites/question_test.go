package sites

import (
	"errors"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
)

// TestVisitsEnd: a list that cannot be read further ends the visits, after those before it.
// Lines and URLs without a host do not.
func TestVisitsEnd(t *testing.T) {
	broken := errors.New("broken")
	all := func(yield func(string, error) bool) {
		_ = yield("mailto:x", nil) && yield("", &urllist.LineError{}) && yield("", broken) && yield("mailto:y", nil)
	}
	for _, files := range [][]*answer.File{nil, {answer.NewFile(nil)}} {
		q, n := Question{Files: files}, 0
		var last error
		for v, err := range q.Visits(t.Context(), URLs{All: all}) {
			last = err
			if err == nil && (v.Err != nil || files != nil) {
				n++
			}
		}
		if n != 2 || last != broken {
			t.Errorf("%d visits, then %v", n, last)
		}
	}
}
