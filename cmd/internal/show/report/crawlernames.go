package report

import (
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/sentence"
)

// crawlerNames names crawlers in texts. It is the number of compared crawlers if together they are all that
// a file names and compare.Any, else 0.
type crawlerNames int

// compared is these crawlers. A crawler that obeys only groups that name it, such as AdsBot-Google, is among
// them if a file names it.
const compared = "crawler that is named or follows the group for *"

func namesOf(r *compare.Result, narrowed bool) crawlerNames {
	if narrowed {
		return 0
	}
	return crawlerNames(len(r.Agents))
}

const maxNames = 8

// list returns the names of crawlers, shortened if there are many. compare.Any is last.
func (n crawlerNames) list(agents []string) string {
	named := slices.DeleteFunc(slices.Clone(agents), func(agent string) bool { return agent == compare.Any })
	if n > 0 && len(agents) == int(n) && len(named) > sentence.MaxListed {
		return "every " + compared
	}
	var names []string
	for i, agent := range named {
		if i == maxNames && len(named) > maxNames+1 {
			names = append(names, fmt.Sprintf("%d more", len(named)-maxNames))
			break
		}
		names = append(names, term.Escape(agent))
	}
	if len(named) < len(agents) {
		names = append(names, compare.AnyText)
	}
	return term.List(names)
}

// CrawlerNames returns the function that names crawlers of a result in a text. narrowed means that only some
// crawlers were compared.
func CrawlerNames(r *compare.Result, narrowed bool) func(agents []string) string {
	return namesOf(r, narrowed).list
}
