package lint_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/lint"
)

// TestFindCrawler: a look-up without a copy returns what crawlers.Find returns.
func TestFindCrawler(t *testing.T) {
	for c := range crawlers.All() {
		for _, listed := range append(c.Aliases, c.Token) {
			for _, name := range []string{listed, strings.ToUpper(listed), listed + "x",
				listed[:len(listed)-1], strings.Repeat(listed, 99)} {
				want, known := crawlers.Find(name)
				if got, found := lint.FindCrawler(name); found != known || known && !reflect.DeepEqual(got, want) {
					t.Errorf("%q: %v %v, want %v %v", name, got.Token, found, want.Token, known)
				}
			}
		}
	}
}
