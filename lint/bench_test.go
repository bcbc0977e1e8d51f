package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// BenchmarkCheck checks every real file once per round.
func BenchmarkCheck(b *testing.B) {
	bodies, size := corpus(b), 0
	for _, body := range bodies {
		size += len(body)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range bodies {
			lint.Check(body, lint.Config{})
		}
	}
}

// BenchmarkManyRules shows that the time for one rule does not grow with their
// number.
func BenchmarkManyRules(b *testing.B) {
	for _, form := range []struct{ name, line string }{
		{"literal", "Disallow: /section-%d/item-%d\n"},
		{"wildcard", "Disallow: /*section-%d/*item-%d$\n"},
		{"mixed", "Disallow: /section-%d/*item-%d\nAllow: /section\n"},
		{"agents", "User-agent: bot-%d\nUser-agent: spider\nDisallow: /%d\n"},
	} {
		for _, n := range []int{1_000, 10_000, 100_000} {
			var body strings.Builder
			body.WriteString("User-agent: *\n")
			for i := range n {
				fmt.Fprintf(&body, form.line, i%50, i)
			}
			b.Run(fmt.Sprintf("%s/%d", form.name, n), func(b *testing.B) {
				b.SetBytes(int64(body.Len()))
				for b.Loop() {
					lint.Check([]byte(body.String()), lint.Config{})
				}
			})
		}
	}
}
