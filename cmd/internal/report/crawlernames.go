package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// crawlerNames are what the crawlers of a comparison are called.
type crawlerNames struct {
	// spelt says, by token in lower case, how a user-agent line spells a crawler of
	// which the dialect reads another token: google reads MJ in "MJ12bot".
	spelt map[string]string

	// all is how many crawlers stand for every crawler; 0 if some were selected.
	all int
}

// names returns the names of a result's crawlers.
func (c *Comparison) names(r *compare.Result) crawlerNames {
	names := crawlerNames{spelt: make(map[string]string)}
	if !c.Narrowed {
		names.all = len(r.Agents)
	}
	for _, s := range c.Sides {
		agents := make(map[int]string)
		for group := range s.Robots.Groups() {
			for agent := range group.Agents() {
				agents[agent.Line] = agent.Token
			}
		}
		for line := range robotstxt.Lines(s.File.Text) {
			token, isAgent := agents[line.Number]
			if isAgent && !ascii.EqualFold(token, string(line.Value)) {
				names.spelt[ascii.ToLower(token)] = string(line.Value)
			}
		}
	}
	return names
}

// mostNames is how many crawlers are named in a line.
const mostNames = 8

// list returns the names of crawlers, the first few of many. The one that no file
// names comes last, as "any other crawler".
func (n crawlerNames) list(agents []string) string {
	if n.all > 0 && len(agents) == n.all {
		return "every crawler"
	}
	named := slices.DeleteFunc(slices.Clone(agents), func(agent string) bool { return agent == compare.Any })
	var names []string
	for i, agent := range named {
		if i == mostNames && len(named) > mostNames+1 {
			names = append(names, fmt.Sprintf("%d more", len(named)-mostNames))
			break
		}
		names = append(names, n.of(agent))
	}
	if len(named) < len(agents) {
		names = append(names, "any other crawler")
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

func (n crawlerNames) of(agent string) string {
	if spelt := n.spelt[ascii.ToLower(agent)]; spelt != "" {
		return term.Escape(agent) + ` ("` + term.Excerpt(spelt) + `")`
	}
	return term.Escape(agent)
}
