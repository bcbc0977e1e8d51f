package report

import (
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/effecttext"
	"github.com/kosterhq/robotstxt/internal/sentence"
)

// EffectText returns an effect of a row in words: "closes /search for GPTBot", or "closes all but /help/ for
// GPTBot; it was open except /cart". whom names the crawlers.
func EffectText(row *compare.Row, effect *wire.SizedEffect, whom string) string {
	what, more := effectWords(row, effect)
	return what + " for " + whom + more
}

// effectWords returns the words before and after the names of the crawlers.
func effectWords(row *compare.Row, effect *wire.SizedEffect) (what, more string) {
	return shown.Change(row.Of, effect.Effect == wire.Opens, row.Example(effect.Effect))
}

// siteWords returns the words before and after the names of the crawlers, without the access before the change.
func siteWords(row *compare.Row, effect *wire.SizedEffect) (what, by string) {
	return shown.Effect(row.Of, effect.Effect == wire.Opens, row.Example(effect.Effect))
}

// EffectIn returns the paths that a row opens or closes in the words of a language, before and after the names of
// the crawlers.
func EffectIn(words sentence.Words, show func(path string) string, row *compare.Row,
	effect wire.ChangeEffect) (what, by string) {
	return effecttext.Text{Show: show, Words: words}.Paths(row.Of, effect == wire.Opens, row.Example(effect))
}

var shown = effecttext.English(shownPath)

// beforeText returns how much of the site was open before: "it was open except /cart".
func beforeText(row *compare.Row) string { return shown.Before(row.Of.Site) }

// explanation explains the signs in texts about the comparison.
func (p *shownComparison) explanation(texts ...string) string {
	wildcards := true
	for _, side := range p.Sides {
		wildcards = wildcards && side.Robots.Dialect().Traits().Wildcards
	}
	return effecttext.Explain(wildcards, texts...)
}
