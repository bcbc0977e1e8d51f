package editing

import (
	"context"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/origin"
)

// RemarksRequest is a query for likely mistakes in the crawlers and URLs of a check.
type RemarksRequest struct {
	// Agents are in the notation of Selection.
	Agents []string `json:"agents,omitempty" doc:"Crawlers, in the notation of robots check --agent."`

	URLs []string `json:"urls,omitempty" doc:"URLs or paths."`

	// Site is a URL of the site whose robots.txt is checked. Default: the first URL's site.
	Site string `json:"site,omitempty" doc:"A URL of the site whose robots.txt is checked. If it is missing, the site of the first URL."`

	// Lang is the language of problems and hints. Default: en.
	Lang string `json:"lang,omitempty" doc:"The language of problems and hints: en or de. Default: en."`
}

// Remarks returns the crawlers that are misspelt, the texts that are not URLs, and the URLs
// that another robots.txt governs. A correct query has no remarks.
func Remarks(ctx context.Context, r *RemarksRequest, limits calls.Limits) (*wire.Remarks, error) {
	limits = limits.Filled()
	if err := calls.Exceeded("urls", "URLs", len(r.URLs), limits.URLs, "URLs"); err != nil {
		return nil, err
	}
	if err := limits.Texts("urls", r.URLs...); err != nil {
		return nil, err
	}
	site, err := calls.SiteOf(r.Site)
	if err != nil {
		return nil, err
	}
	if err := calls.Lang(r.Lang); err != nil {
		return nil, err
	}
	say := language.Language(r.Lang).Phrase
	others := answer.OtherSites{Site: site}
	result := &wire.Remarks{Agents: []wire.AgentRemark{}, URLs: []wire.URLRemark{}}
	all := calls.Selection{Agents: r.Agents, ExactAgent: true}
	if _, err := all.Crawlers(limits); err != nil {
		return nil, err
	}
	for _, agent := range r.Agents {
		one := calls.Selection{Agents: []string{agent}, ExactAgent: true}
		selected, err := one.Crawlers(limits)
		if err != nil {
			return nil, err
		}
		if nearest := respelt(selected); nearest != "" {
			result.Agents = append(result.Agents, wire.AgentRemark{Agent: agent, Nearest: nearest})
		}
	}
	for i, url := range r.URLs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		u := origin.Text(url)
		if problem, hint := urllist.Problem(url); problem != "" {
			result.URLs = append(result.URLs,
				wire.URLRemark{Index: i, URL: u.Given(), Problem: say(problem), Hint: say(hint)})
		} else if other := others.Of(u); !other.IsZero() {
			result.URLs = append(result.URLs, wire.URLRemark{Index: i, URL: u.Given(), RobotsURL: other.RobotsURL()})
		}
	}
	return result, nil
}

// respelt returns crawlers in the notation of --agent, with known tokens in place of
// misspelt ones, or "" if none is misspelt.
func respelt(selected []answer.Crawler) string {
	names, found := make([]string, len(selected)), false
	for i, c := range selected {
		tokens := make([]string, len(c.Tokens))
		for j, token := range c.Tokens {
			tokens[j] = token
			if similar := answer.Similar(token); len(similar) == 1 {
				tokens[j], found = similar[0], true
			}
		}
		names[i] = answer.NewCrawler(tokens...).Name
	}
	if !found {
		return ""
	}
	return strings.Join(names, ",")
}
