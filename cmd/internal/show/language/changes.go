package language

import (
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/effecttext"
)

// How many effects on paths, patterns and crawlers Changes names, and how much of a pattern.
const (
	maxEffects  = 6
	maxPatterns = 12
	maxCrawlers = 3
	maxLetters  = 60
)

// Changes says in sentences what opens and closes and for which crawlers, first what does so for the whole site
// or nearly all of it.
func (l Language) Changes(r *compare.Result) []string {
	words := l.Words()
	words.Listed = maxPatterns
	show := func(path string) string { return term.Clip(term.Escape(path), maxLetters) }
	text := effecttext.Text{Show: show, Words: words}
	var sites, others []string
	for i := range r.Rows {
		row := &r.Rows[i]
		for _, effect := range row.Sizes {
			what, more := text.Change(row.Of, effect.Effect == wire.Opens, row.Example(effect.Effect))
			said := Sentence(l.Say("%s for %s%s.", what, l.crawlers(row.Agents), more))
			if effect.Size.IsSite() {
				sites = append(sites, said)
			} else {
				others = append(others, said)
			}
		}
	}
	if more := len(others) - maxEffects; more > 0 {
		others = append(others[:maxEffects], l.Say("And %s for other crawlers.", l.Count(more, "more effect", "more effects")))
	}
	all := append(sites, others...)
	wildcards := !slices.ContainsFunc(r.Dialects, func(d robotstxt.Dialect) bool { return !d.Traits().Wildcards })
	if explanation := text.Explain(wildcards, all...); explanation != "" {
		all = append(all, explanation)
	}
	return all
}

// crawlers names the first of some crawlers.
func (l Language) crawlers(agents []string) string {
	var names []string
	for _, agent := range agents {
		name := term.Escape(agent)
		if agent == compare.Any {
			name = l.Say("any crawler that follows the group for *")
		}
		names = append(names, name)
	}
	if len(names) > maxCrawlers {
		return l.First(names, maxCrawlers)
	}
	return l.List(names)
}
