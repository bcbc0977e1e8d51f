package prose

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Readings returns a line for each dialect except Google's with the crawlers that read
// files in it: "read as rfc9309: AI2Bot, MJ12bot".
func Readings(crawlers iter.Seq2[string, robotstxt.Dialect]) (lines []string) {
	for _, dialect := range robotstxt.Dialects() {
		var names []string
		for name, d := range crawlers {
			if d == dialect && d != robotstxt.Google && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			lines = append(lines, term.Escape("read as "+dialect.String()+": "+strings.Join(names, ", ")))
		}
	}
	return lines
}

// Dialects joins dialects, which are in the order of crawlers. If all are equal, it writes
// one.
func Dialects[D any](dialects ...D) string {
	var names []string
	for _, d := range dialects {
		names = append(names, fmt.Sprint(d))
	}
	if distinct := slices.Compact(slices.Clone(names)); len(distinct) == 1 {
		return distinct[0]
	}
	return strings.Join(names, ", ")
}
