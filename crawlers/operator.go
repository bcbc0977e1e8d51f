package crawlers

import (
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/lookalike"
)

// Operators returns the operators of all crawlers, in alphabetical order, and Unknown. The caller
// can change the slice.
func Operators() []string { return slices.Clone(operators()) }

var operators = sync.OnceValue(func() (names []string) {
	for i := range rows {
		names = append(names, rows[i].Operator)
	}
	slices.SortFunc(names, ascii.CompareFold)
	return slices.Compact(names)
})

// OperatorNamed returns the operator that a person names: by its name, or by that of its company or
// product, such as Mistral, TikTok or Bing. Case, spaces, hyphens, underscores and dots do not
// matter. ok is false if nobody is called so.
func OperatorNamed(name string) (operator string, ok bool) {
	name = strings.Trim(lookalike.Fold(name), ascii.Space)
	for _, known := range operators() {
		if beginAlike(name, known) && equalWithout(companyMarks, name, known) {
			return known, true
		}
	}
	for _, token := range brandOf(name) {
		c, _ := Find(token)
		if ok && c.Operator != operator {
			return "", false
		}
		operator, ok = c.Operator, c.Operator != Unknown
	}
	return operator, ok
}
