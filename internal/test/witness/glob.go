package witness

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// glob is a pattern split at its stars.
type glob struct {
	pattern.Pattern
	text string   // of the pattern, with its final '$'
	segs []string // literals, one more than there are stars
	side int      // bits: 1 first rule set, 2 second

	partners []*glob // see findPartners
}

func parse(text string) *glob {
	p := pattern.New(text, true)
	return &glob{Pattern: p, text: text, segs: strings.Split(p.Text, "*")}
}

// instance returns the pattern with each star replaced by the result of a function of
// the literal after the star. The path begins with a slash.
func (g *glob) instance(star func(next string) string) string {
	var b strings.Builder
	b.WriteString(g.segs[0])
	for _, seg := range g.segs[1:] {
		b.WriteString(star(seg))
		b.WriteString(seg)
	}
	return rooted(b.String())
}

func (g *glob) filled(text string) string {
	return g.instance(func(string) string { return text })
}

// respell rewrites a text byte by byte. It treats a percent code as the byte that the
// code represents.
func respell(s string, spell func(c byte, coded bool) string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			if octet, ok := ascii.Unhex(s[i+1:]); ok {
				b.WriteString(spell(octet, true))
				i += 2
				continue
			}
		}
		b.WriteString(spell(s[i], false))
	}
	return b.String()
}
