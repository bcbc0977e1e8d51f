package report

import (
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

type crawlerNames struct {
	// spelt maps tokens in lower case to the spelling of crawlers in user-agent lines,
	// where a dialect reads another token there: google reads MJ in "MJ12bot".
	spelt map[string]string

	// all is the number of compared crawlers if together they are every crawler, else 0.
	all int
}

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

const maxNames = 8

// list returns the names of crawlers, shortened if there are many. The crawler that no
// file names is last, as "any crawler not named in the file".
func (n crawlerNames) list(agents []string) string {
	if n.all > 0 && len(agents) == n.all {
		return "every crawler"
	}
	named := slices.DeleteFunc(slices.Clone(agents), func(agent string) bool { return agent == compare.Any })
	var names []string
	for i, agent := range named {
		if i == maxNames && len(named) > maxNames+1 {
			names = append(names, fmt.Sprintf("%d more", len(named)-maxNames))
			break
		}
		names = append(names, n.name(agent))
	}
	if len(named) < len(agents) {
		names = append(names, "any crawler not named in the file")
	}
	return term.List(names)
}

func (n crawlerNames) name(agent string) string {
	if spelt := n.spelt[ascii.ToLower(agent)]; spelt != "" {
		return term.Escape(agent) + ` ("` + term.Excerpt(spelt) + `")`
	}
	return term.Escape(agent)
}

// Crawlers returns the function that names crawlers of a result in a text: "every crawler".
func (c *Comparison) Crawlers(r *compare.Result) func(agents []string) string { return c.names(r).list }
