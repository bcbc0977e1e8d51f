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

// Text says effects in words.
type Text struct {
	Show  func(path string) string // returns a pattern or a path as a text can show it
	Words sentence.Words
}

// English returns the Text of most reports.
func English(show func(path string) string) Text { return Text{show, sentence.English} }

// Effect returns an effect of a row in words, before and after the names of the crawlers: "closes /search", or
// "closes nearly the whole site" and ", by /a and /b". If no pattern is known, it names the example, a path,
// unless that is empty.
func (t Text) Effect(row *semdiff.Row, opens bool, example string) (what, by string) {
	what, by = t.Paths(row, opens, example)
	if opens {
		return t.Words.Say("opens %s", what), by
	}
	return t.Words.Say("closes %s", what), by
}

// Change returns an effect as Effect does. After the names are the access before too, if it is that of the site.
func (t Text) Change(row *semdiff.Row, opens bool, example string) (what, more string) {
	what, more = t.Effect(row, opens, example)
	if row.Site != nil && row.Site.Opens == opens {
		more += "; " + t.Before(row.Site)
	}
	return what, more
}

// Paths returns an effect as Effect does, without its verb.
func (t Text) Paths(row *semdiff.Row, opens bool, example string) (what, by string) {
	site := row.Site
	switch {
	case site == nil || site.Opens != opens:
	case site.Size == semdiff.SizeAll:
		return t.Words.Say("the whole site"), ""
	case isOfPaths(site):
	case len(site.But) > 0:
		return t.Words.Say("all but %s", t.paths(site.But, true)), ""
	case len(site.By) > 0:
		return t.Words.Say("nearly the whole site"), t.Words.Say(", by %s", t.Exceptions(site.By))
	default:
		return t.Words.Say("nearly the whole site"), ""
	}
	return t.changed(row, opens, example), ""
}

// isOfPaths reports whether the site is closed before and after except paths, which open or close: /*/. They
// can be far from the whole site.
func isOfPaths(site *semdiff.SiteChange) bool {
	if site.Opens {
		return len(site.By) > 0
	}
	return site.Before.Extent == semdiff.ExtentPartly && !site.Before.Allowed
}

func (t Text) changed(row *semdiff.Row, opens bool, example string) string {
	paths := row.Paths(opens)
	size := row.Closes
	if opens {
		size = row.Opens
	}
	switch {
	case len(paths) > 0 && paths[0].But != nil: // each other pattern is about a part of its paths
		return t.Words.Say("all but %s", t.paths(paths[0].But, true))
	case len(paths) > 0:
		return t.paths(paths, row.Complete)
	case example != "":
		return t.Words.Say("paths such as %s", t.Show(example))
	case size == semdiff.SizeMany:
		return t.Words.Say("many paths")
	}
	return t.Words.Say("paths")
}

// paths lists patterns, with their common beginning if it is not named.
func (t Text) paths(paths []semdiff.Paths, all bool) string {
	text := sentence.FirstIn(t.Words, paths, t.path, all)
	if len(paths) <= t.Words.MaxListed() {
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
		return t.Words.Say("%s that begin with %s", text, t.Show(begin))
	}
	return text
}

func (t Text) path(p semdiff.Paths) string {
	switch {
	case len(p.Without) > 0:
		return t.Words.Say("%s (except %s)", t.Show(p.Pattern), sentence.FirstIn(t.Words, p.Without, t.Show, true))
	case p.Part:
		return t.Words.Say("%s"+InPart, t.Show(p.Pattern))
	}
	return t.Show(p.Pattern)
}

// Exceptions lists rules, each pattern once.
func (t Text) Exceptions(rules []semdiff.Exception) string {
	var paths []semdiff.Paths
	known := make(map[string]bool, len(rules))
	for _, e := range rules {
		if !known[e.Pattern] {
			known[e.Pattern] = true
			paths = append(paths, semdiff.Paths{Pattern: e.Pattern, Part: e.Part})
		}
	}
	return t.paths(paths, true)
}

// Before returns how much of the site was open before a change: "it was open except /cart".
func (t Text) Before(site *semdiff.SiteChange) string {
	before := &site.Before
	switch {
	case before.Extent == semdiff.ExtentUndecided:
		return t.Words.Say("it is undecided how much was open before")
	case before.Extent != semdiff.ExtentPartly:
		return t.Words.Say("it was %s", t.Words.Say(string(before.Extent)))
	case len(before.Except) == 0:
		return t.Words.Say("it was partly open")
	}
	extent := semdiff.ExtentClosed
	if before.Allowed {
		extent = semdiff.ExtentOpen
	}
	return t.Words.Say("it was %s except %s", t.Words.Say(string(extent)), t.Exceptions(before.Except))
}

// Explain is Explain of the English Text.
func Explain(wildcards bool, texts ...string) string {
	return Text{Words: sentence.English}.Explain(wildcards, texts...)
}

// Explain returns the sentences that explain the signs in texts, "" if there are none. In dialects without
// wildcards, "$" is not special.
func (t Text) Explain(wildcards bool, texts ...string) string {
	var sentences []string
	said := strings.Join(texts, " ")
	if strings.Contains(said, t.Words.Say("%s"+InPart, "")) {
		sentences = append(sentences, t.Words.Say(`"(in part)" means some of the URLs that match the pattern, perhaps not all.`))
	}
	isEnd := func(word string) bool {
		word = strings.TrimRight(word, ",;)")
		return strings.HasSuffix(word, "$") && strings.ContainsAny(word[:1], "/*")
	}
	if wildcards && slices.ContainsFunc(strings.Fields(said), isEnd) {
		sentences = append(sentences, t.Words.Say(`"$" at the end of a pattern means that the URL ends there.`))
	}
	return strings.Join(sentences, " ")
}
