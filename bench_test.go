package robotstxt_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// BenchmarkCorpus reads every real file once per round. LineScan only finds each
// newline, so it is an upper bound for the speed of any line-by-line parser. Scan is
// the scanner alone.
func BenchmarkCorpus(b *testing.B) {
	bodies, _ := witness.Corpus(b)
	size := len(slices.Concat(bodies...))
	each := func(f func(body []byte)) func(b *testing.B) {
		return func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, body := range bodies {
					f(body)
				}
			}
		}
	}
	b.Run("LineScan", each(func(body []byte) {
		for {
			i := bytes.IndexByte(body, '\n')
			if i < 0 {
				return
			}
			body = body[i+1:]
		}
	}))
	b.Run("Scan", each(func(body []byte) { robotstxt.Scan(body) }))
	b.Run("Lines", each(func(body []byte) {
		for l := range robotstxt.Lines(body) {
			_ = l
		}
	}))
	b.Run("Parse", each(func(body []byte) { robotstxt.Parse(body) }))
	b.Run("OneShot", each(func(body []byte) { robotstxt.Allowed(body, "https://example.com/page?x=1", "Googlebot") }))
}

// BenchmarkAllowed measures how the time of a match grows with the number of rules.
func BenchmarkAllowed(b *testing.B) {
	urls := []string{
		"https://example.com/", "https://example.com/section-3/item-3.html",
		"https://example.com/section-7/item-7000.html?ref=nav", "https://example.com/unrelated/path/of/usual/length",
	}
	for _, form := range []struct{ name, format string }{
		{"literal", "Disallow: /section-%d/item-%d"},
		{"wildcard", "Disallow: /*section-%d/*item-%d$"},
	} {
		for _, n := range []int{10, 100, 1000, 10_000} {
			body := enginetest.ForAll(n, func(i int) string { return fmt.Sprintf(form.format, i%50, i) })
			rules := robotstxt.Parse(body).Rules("FooBot")
			b.Run(fmt.Sprintf("%s/%d", form.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					rules.Allowed(urls[i%len(urls)])
				}
			})
		}
	}
}

// BenchmarkRules measures how the time to find a crawler's groups grows with the
// number of groups.
func BenchmarkRules(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		var body strings.Builder
		var tokens []string
		for i := range n {
			token := fmt.Sprintf("%c%c%c%cCrawler", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, 'a'+i/17576%26)
			tokens = append(tokens, token)
			fmt.Fprintf(&body, "User-agent: %s\nDisallow: /\n", token)
		}
		robots := robotstxt.Parse([]byte(body.String()))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i += 7919 {
				robots.Rules(tokens[i%n])
			}
		})
	}
}

// BenchmarkHostile matches 2,000-byte paths with rules that make backtracking
// matchers exponential.
func BenchmarkHostile(b *testing.B) {
	long := func(s string, n int) string { return strings.Repeat(s, n) }
	for _, c := range []struct{ name, rule string }{
		{"a8", "/" + long("*a", 8) + "*b"},
		{"a20", "/" + long("*a", 20) + "*b"},
		{"a200", "*" + long("a", 200) + "b*" + long("a", 200) + "c"},
		{"stars", long("*", 1000) + "b"},
		{"a1000", "/" + long("*a", 1000) + "*b"},
	} {
		rules := robotstxt.Parse([]byte("User-agent: *\nDisallow: " + c.rule + "\n")).Rules()
		path := "/" + long("a", 2000)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				rules.Allowed(path)
			}
		})
	}
}

// BenchmarkHostileFile matches one path of 2,000 bytes with 490 KB of rules whose
// pieces between stars are short and not in the path, indexed and in one shot.
func BenchmarkHostileFile(b *testing.B) {
	path := "/g" + strings.Repeat("abbbbbbbb", 222)
	body := []byte("User-agent: *\n" + strings.Repeat("Allow:*ag\n", 49_000))
	rules := robotstxt.Parse(body).Rules()
	b.Run("Indexed", func(b *testing.B) {
		for range 64 {
			rules.Allowed("/")
		}
		for b.Loop() {
			rules.Allowed(path)
		}
	})
	b.Run("OneShot", func(b *testing.B) {
		for b.Loop() {
			robotstxt.Allowed(body, path)
		}
	})
}
