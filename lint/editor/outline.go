package editor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// Fold is a range of lines that an editor can fold.
type Fold struct {
	Kind       Kind // KindGroup or KindComment
	Start, End int  // the first and the last line, from 0
}

// Folds returns the groups and the blocks of comments with more than one line, in the
// order of their first lines. A block of comments within a group is within its fold.
func (d *Document) Folds() (folds []Fold) {
	for i := range d.groups {
		if g := &d.groups[i]; g.last > g.first {
			folds = append(folds, Fold{KindGroup, g.first - 1, g.last - 1})
		}
	}
	first := 0 // of the block of comments that ends above the line
	for line := range robotstxt.Lines(d.body) {
		switch {
		case line.Kind != robotstxt.KindComment:
			first = 0
		case first == 0:
			first = line.Number
		case first == line.Number-1:
			folds = append(folds, Fold{KindComment, first - 1, line.Number - 1})
		default:
			folds[len(folds)-1].End = line.Number - 1
		}
	}
	slices.SortStableFunc(folds, func(a, b Fold) int { return cmp.Compare(a.Start, b.Start) })
	return folds
}

// Symbol is a part of the document for an outline.
type Symbol struct {
	Kind      Kind   // KindGroup, KindRule or KindSitemap
	Name      string // such as "Googlebot, Bingbot"; not empty
	Range     Range  // all of it
	Selection Range  // its first line; within Range
	Children  []Symbol
}

// Symbols returns the groups with their rules, and the sitemaps, in the order of the
// document.
func (d *Document) Symbols() (symbols []Symbol) {
	for i := range d.groups {
		symbols = append(symbols, d.groupSymbol(&d.groups[i]))
	}
	for sitemap := range d.robots.Sitemaps() {
		at := d.content(sitemap.Line)
		title := strings.TrimSpace("Sitemap: " + name(sitemap.URL))
		symbols = append(symbols, Symbol{Kind: KindSitemap, Name: title, Range: at, Selection: at})
	}
	slices.SortStableFunc(symbols, func(a, b Symbol) int { return cmp.Compare(a.Range.Start.Line, b.Range.Start.Line) })
	return symbols
}

func (d *Document) groupSymbol(g *group) Symbol {
	first := d.content(g.first)
	symbol := Symbol{
		Kind: KindGroup, Name: cmp.Or(name(strings.Join(g.tokens(), ", ")), "User-agent"),
		Range: Range{first.Start, d.content(g.last).End}, Selection: first,
	}
	for rule := range g.Rules() {
		key := "Disallow: "
		if rule.Allow {
			key = "Allow: "
		}
		at := d.content(rule.Line)
		symbol.Children = append(symbol.Children, Symbol{
			Kind: KindRule, Name: strings.TrimSpace(key + name(rule.Pattern)), Range: at, Selection: at,
		})
	}
	return symbol
}
