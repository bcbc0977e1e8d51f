// Package effecttext says in words which paths a change opens or closes, for reports, messages and
// editors.
package effecttext

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/sentence"
	"github.com/kosterhq/robotstxt/semdiff"
)

// InPart follows a pattern of which perhaps not all paths change.
const InPart = " (in part)"

// Show returns a pattern or a path as a text can show it.
type Show func(path string) string

// Effect returns an effect of a row in words, before and after the names of the crawlers: "closes /search", or
// "closes nearly the whole site" and ", by /a and /b". If no pattern is known, it names the example, a path,
// unless that is empty.
func (s Show) Effect(row *semdiff.Row, opens bool, example string) (what, by string) {
	verb := "closes "
	if opens {
		verb = "opens "
	}
	site := row.Site
	switch {
	case site == nil || site.Opens != opens:
	case site.Size == semdiff.SizeAll:
		return verb + "the whole site", ""
	case isOfPaths(site):
	case len(site.But) > 0:
		return verb + "all but " + s.paths(site.But, true), ""
	case len(site.By) > 0:
		return verb + "nearly the whole site", ", by " + s.Exceptions(site.By)
	default:
		return verb + "nearly the whole site", ""
	}
	return verb + s.changed(row, opens, example), ""
}

// isOfPaths reports whether the site is closed before and after except paths, which open or close: /*/. They
// can be far from the whole site.
func isOfPaths(site *semdiff.SiteChange) bool {
	if site.Opens {
		return len(site.By) > 0
	}
	return site.Before.Extent == semdiff.ExtentPartly && !site.Before.Allowed
}

func (s Show) changed(row *semdiff.Row, opens bool, example string) string {
	paths := row.Paths(opens)
	size := row.Closes
	if opens {
		size = row.Opens
	}
	switch {
	case len(paths) > 0 && paths[0].But != nil: // each other pattern is about a part of its paths
		return "all but " + s.paths(paths[0].But, true)
	case len(paths) > 0:
		return s.paths(paths, row.Complete)
	case example != "":
		return "paths such as " + s(example)
	case size == semdiff.SizeMany:
		return "many paths"
	}
	return "paths"
}

// paths lists patterns, with their common beginning if it is not named.
func (s Show) paths(paths []semdiff.Paths, all bool) string {
	text := sentence.FirstOf(paths, s.path, all)
	if len(paths) <= sentence.MaxListed {
		return text
	}
	begin := paths[0].Pattern
	for _, p := range paths {
		for !strings.HasPrefix(p.Pattern, begin) {
			begin = begin[:len(begin)-1]
		}
	}
	if code := strings.LastIndexByte(begin, '%'); code >= 0 && code > len(begin)-len("%41") {
		begin = begin[:code]
	}
	if len(begin) > 1 && !strings.HasSuffix(begin, "*") {
		text += " that begin with " + s(begin)
	}
	return text
}

func (s Show) path(p semdiff.Paths) string {
	switch {
	case len(p.Without) > 0:
		return s(p.Pattern) + " (except " + sentence.FirstOf(p.Without, s, true) + ")"
	case p.Part:
		return s(p.Pattern) + InPart
	}
	return s(p.Pattern)
}

// Exceptions lists rules, each pattern once.
func (s Show) Exceptions(rules []semdiff.Exception) string {
	var paths []semdiff.Paths
	known := make(map[string]bool, len(rules))
	for _, e := range rules {
		if !known[e.Pattern] {
			known[e.Pattern] = true
			paths = append(paths, semdiff.Paths{Pattern: e.Pattern, Part: e.Part})
		}
	}
	return s.paths(paths, true)
}

// Before returns how much of the site was open before a change: "it was open except /cart".
func (s Show) Before(site *semdiff.SiteChange) string {
	before := &site.Before
	switch {
	case before.Extent == semdiff.ExtentUndecided:
		return "it is undecided how much was open before"
	case before.Extent != semdiff.ExtentPartly:
		return "it was " + string(before.Extent)
	case len(before.Except) == 0:
		return "it was partly open"
	}
	extent := semdiff.ExtentClosed
	if before.Allowed {
		extent = semdiff.ExtentOpen
	}
	return "it was " + string(extent) + " except " + s.Exceptions(before.Except)
}

// Explain returns the sentences that explain the signs in texts, "" if there are none. In dialects without
// wildcards, "$" is no sign.
func Explain(wildcards bool, texts ...string) string {
	var sentences []string
	said := strings.Join(texts, " ")
	if strings.Contains(said, InPart) {
		sentences = append(sentences, `"(in part)" means some of the URLs that match the pattern, perhaps not all.`)
	}
	isEnd := func(word string) bool {
		word = strings.TrimRight(word, ",;)")
		return strings.HasSuffix(word, "$") && strings.ContainsAny(word[:1], "/*")
	}
	if wildcards && slices.ContainsFunc(strings.Fields(said), isEnd) {
		sentences = append(sentences, `"$" at the end of a pattern means that the URL ends there.`)
	}
	return strings.Join(sentences, " ")
}
