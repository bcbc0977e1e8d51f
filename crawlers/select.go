package crawlers

import (
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Selection selects crawlers by purpose and operator. The zero value selects all that
// are not retired.
type Selection struct {
	// Purposes selects the crawlers with at least one of these purposes. Empty
	// means any purpose.
	Purposes []Purpose

	// Operators selects the crawlers of these operators, ignoring case. Empty
	// means any operator, known or not.
	Operators []string

	// Control selects only the tokens that no crawler sends, see Crawler.Control.
	Control bool

	// Retired selects retired crawlers too.
	Retired bool
}

// Select returns the selected crawlers in the order of Compare. The caller can change them.
func Select(s Selection) (selected []Crawler) {
	for i := range rows {
		if s.includes(&rows[i].Crawler) {
			selected = append(selected, crawler(i))
		}
	}
	slices.SortFunc(selected, Crawler.Compare)
	return selected
}

func (s Selection) includes(c *Crawler) bool {
	hasPurpose := func(p Purpose) bool { return slices.Contains(s.Purposes, p) }
	isOperator := func(name string) bool { return ascii.EqualFold(name, c.Operator) }
	return (!s.Control || c.Control) && (s.Retired || c.Status != Retired) &&
		(len(s.Purposes) == 0 || slices.ContainsFunc(c.Purposes, hasPurpose)) &&
		(len(s.Operators) == 0 || slices.ContainsFunc(s.Operators, isOperator))
}
