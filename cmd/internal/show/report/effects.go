package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// EffectText returns an effect of a row in words: "closes /search for every crawler", or "closes all
// but /help/ for every crawler; it was open except /cart". whom names the crawlers.
func EffectText(row *compare.Row, effect *wire.SizedEffect, whom string) string {
	what, more := effectWords(row, effect)
	return what + " for " + whom + more
}

// effectWords returns the words before and after the names of the crawlers.
func effectWords(row *compare.Row, effect *wire.SizedEffect) (what, more string) {
	site := row.Site
	if site == nil || site.Effect != effect.Effect {
		return string(effect.Effect) + " " + pathsText(row, effect), ""
	}
	what, by := siteWords(row, effect)
	return what, by + "; " + beforeText(site)
}

// siteWords returns the words before and after the names of the crawlers about the effect on the
// site, without the access before the change.
func siteWords(row *compare.Row, effect *wire.SizedEffect) (what, by string) {
	c, verb := row.Site, string(effect.Effect)
	switch {
	case c.Whole:
		return verb + " the whole site", ""
	case isOfPaths(c):
		return verb + " " + pathsText(row, effect), ""
	case len(c.But) > 0:
		return verb + " all but " + patternsText(c.But, c.Partial, true), ""
	case len(c.By) > 0:
		by = ", by " + patternsText(c.By, nil, true)
	}
	return verb + " nearly the whole site", by
}

// isOfPaths reports whether the site is closed before and after except paths, which open or close: /*/. They
// can be far from the whole site.
func isOfPaths(c *wire.SiteChange) bool {
	if c.Effect == wire.Opens {
		return len(c.By) > 0
	}
	return c.Before == semdiff.ExtentPartly && c.Otherwise == wire.VerdictDisallowed
}

// pathsText returns the paths of an effect in words.
func pathsText(row *compare.Row, effect *wire.SizedEffect) string {
	if len(effect.Patterns) > 0 {
		return patternsText(effect.Patterns, effect.Partial, row.Complete)
	}
	if change := row.First(effect.Effect); change != nil {
		return "paths such as " + shownPath(change.Witness)
	}
	if effect.Size == semdiff.SizeMany {
		return "many paths"
	}
	return "paths"
}

const inPart = " (in part)"

// explanation is Explanation for the dialects of the comparison.
func (p *shownComparison) explanation(texts ...string) string {
	for _, side := range p.Sides {
		if !side.Robots.Dialect().Traits().Wildcards {
			return explanationOf(false, texts)
		}
	}
	return Explanation(texts...)
}

// Explanation returns the sentences that explain the signs in the patterns of texts, "" if there are none.
// They are for dialects with wildcards.
func Explanation(texts ...string) string { return explanationOf(true, texts) }

func explanationOf(wildcards bool, texts []string) string {
	var sentences []string
	said := strings.Join(texts, " ")
	if strings.Contains(said, inPart) {
		sentences = append(sentences, `"(in part)" means only some of the URLs that match the pattern.`)
	}
	isEnd := func(word string) bool {
		word = strings.TrimRight(word, ",;")
		return strings.HasSuffix(word, "$") && strings.ContainsAny(word[:1], "/*")
	}
	if wildcards && slices.ContainsFunc(strings.Fields(said), isEnd) {
		sentences = append(sentences, `"$" means that the URL ends there: "/$" is the home page only.`)
	}
	return strings.Join(sentences, " ")
}

// maxListed is the number of patterns or values in a sentence.
const maxListed = 3

// firstOf names up to three texts, and of more than three the first two. There might be others unless all is
// set.
func firstOf(list []string, shown func(string) string, all bool) string {
	named := list
	if len(list) > maxListed {
		named = list[:maxListed-1]
	}
	var texts []string
	for _, text := range named {
		texts = append(texts, shown(text))
	}
	switch more := len(list) - len(named); {
	case more > 0 && all:
		texts = append(texts, term.Thousands(more)+" more")
	case more > 0:
		texts = append(texts, "at least "+term.Thousands(more)+" more")
	case !all:
		texts = append(texts, "perhaps others")
	}
	return term.List(texts)
}

// patternsText is firstOf for patterns.
func patternsText(patterns, partial []string, all bool) string {
	return firstOf(patterns, func(pattern string) string {
		if slices.Contains(partial, pattern) {
			return shownPath(pattern) + inPart
		}
		return shownPath(pattern)
	}, all)
}

// beforeText returns how much of the site was open before: "it was open except /cart".
func beforeText(c *wire.SiteChange) string {
	switch {
	case c.Before == semdiff.ExtentUndecided:
		return "it is undecided how much was open before"
	case c.Before != semdiff.ExtentPartly:
		return "it was " + string(c.Before)
	case len(c.Except) == 0:
		return "it was partly open"
	}
	extent := semdiff.ExtentClosed
	if c.Otherwise == wire.VerdictAllowed {
		extent = semdiff.ExtentOpen
	}
	var patterns, partial []string
	for _, e := range c.Except {
		if slices.Contains(patterns, e.Pattern) {
			continue
		}
		patterns = append(patterns, e.Pattern)
		if e.Part {
			partial = append(partial, e.Pattern)
		}
	}
	return fmt.Sprintf("it was %s except %s", extent, patternsText(patterns, partial, true))
}
