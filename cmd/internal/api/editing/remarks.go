package editing

import (
	"context"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// RemarksRequest is a query for likely mistakes in the crawlers and URLs of a check.
type RemarksRequest struct {
	// Agents are in the notation of Selection.
	Agents []string `json:"agents,omitempty" doc:"Crawlers, in the notation of robots check --agent."`

	URLs []string `json:"urls,omitempty" doc:"URLs or paths."`

	// Site is a URL of the site whose robots.txt is checked. Default: that of the first URL.
	Site string `json:"site,omitempty" doc:"A URL of the site whose robots.txt is checked. If it is missing, the site of the first URL."`
}

// Remarks returns the crawlers that are misspelt, and the URLs that are none or that
// another robots.txt governs. A correct query has no remarks.
func Remarks(ctx context.Context, r *RemarksRequest, limits api.Limits) (*wire.Remarks, error) {
	limits = limits.Filled()
	if limits.URLs >= 0 && len(r.URLs) > limits.URLs {
		return nil, &api.Error{Code: api.CodeLimit, Field: "urls", Limit: "URLs", Message: fmt.Sprintf("%d URLs are more than the limit of %d", len(r.URLs), limits.URLs)}
	}
	if err := limits.Texts("urls", r.URLs...); err != nil {
		return nil, err
	}
	var others answer.OtherSites
	if r.Site != "" {
		var err error
		if others.Site, err = origin.Of(r.Site); err != nil {
			return nil, api.Invalid("site", err)
		}
	}
	result := &wire.Remarks{Agents: []wire.AgentRemark{}, URLs: []wire.URLRemark{}}
	all := api.Selection{Agents: r.Agents, ExactAgent: true}
	if _, err := all.Crawlers(limits); err != nil {
		return nil, err
	}
	for _, agent := range r.Agents {
		one := api.Selection{Agents: []string{agent}, ExactAgent: true}
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
			result.URLs = append(result.URLs, wire.URLRemark{Index: i, URL: u.Given(), Problem: problem, Hint: hint})
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
			if near, ok := answer.Misspelt(token); ok {
				tokens[j], found = near.Token, true
			}
		}
		names[i] = answer.NewCrawler(tokens...).Name
	}
	if !found {
		return ""
	}
	return strings.Join(names, ",")
}
