package report

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// crawlerNames says, by token in lower case, how a user-agent line spells a crawler
// of which the dialect reads another token: google reads MJ in "MJ12bot".
type crawlerNames map[string]string

// newCrawlerNames returns the names in two files.
func newCrawlerNames(sides [2]*Side) crawlerNames {
	names := make(crawlerNames)
	for _, s := range sides {
		agents := make(map[int]string)
		for group := range s.Robots.Groups() {
			for agent := range group.Agents() {
				agents[agent.Line] = agent.Token
			}
		}
		for line := range robotstxt.Lines(s.File.Text) {
			token, isAgent := agents[line.Number]
			if isAgent && !ascii.EqualFold(token, string(line.Value)) {
				names[ascii.ToLower(token)] = string(line.Value)
			}
		}
	}
	return names
}

// mostNames is how many crawlers are named in a line.
const mostNames = 8

// list returns the names of crawlers, the first few of many.
func (n crawlerNames) list(agents []string) string {
	var names []string
	for i, agent := range agents {
		if i == mostNames && len(agents) > mostNames+1 {
			names = append(names, fmt.Sprintf("%d more", len(agents)-mostNames))
			break
		}
		names = append(names, n.of(agent))
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

func (n crawlerNames) of(agent string) string {
	if agent == compare.Any {
		return "any other crawler"
	}
	if spelt := n[ascii.ToLower(agent)]; spelt != "" {
		return term.Escape(agent) + ` ("` + term.Excerpt(spelt) + `")`
	}
	return term.Escape(agent)
}
