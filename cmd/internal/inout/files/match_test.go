package files_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
)

// TestMatch has names as Windows writes them, which its separators must not keep
// from matching.
func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		separator     rune
		want          bool
	}{
		{"staging/**/*.txt", `staging\a\b\robots.txt`, '\\', true},
		{"staging/**/*.txt", `staging\robots.txt`, '\\', true},
		{"staging/*.txt", `staging\a\robots.txt`, '\\', false},
		{"robots.txt", `a\b\robots.txt`, '\\', true},
		{"./a/*.txt", `a\x.txt`, '\\', true},
		{"staging/**/*.txt", `staging\a\robots.txt`, '/', false}, // a backslash is a letter there
		{"{a,b}/*.txt", "b/x.txt", '/', true},
		{"**", "a/b/c", '/', true},
	} {
		if got := files.Match(test.pattern, test.name, test.separator); got != test.want {
			t.Errorf("%q, %q: %v", test.pattern, test.name, got)
		}
	}
}
