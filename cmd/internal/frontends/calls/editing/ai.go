package editing

import (
	"context"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

// AIRequest is a query: which AI services may fetch a site, and use its pages for what?
type AIRequest struct {
	Body

	// Name is the name of the file or site in the result. Default: empty.
	Name string `json:"name,omitempty" doc:"The name of the file or site in the result."`

	// Purposes and Operators select the crawlers. Default: the purposes of AI services
	// and search, of every operator.
	Purposes  []string `json:"purposes,omitempty" doc:"The purposes of the crawlers. Default: ai-training, ai-search, ai-fetch, search."`
	Operators []string `json:"operators,omitempty" doc:"The operators of the crawlers. Default: all."`

	// Each returns an entry for each crawler, instead of one for those with equal access.
	Each bool `json:"each,omitempty" doc:"Return an entry for each crawler, instead of one for those with equal access."`

	// Dialect is google, rfc9309 or koster1996. Default: each crawler's own dialect.
	Dialect string `json:"dialect,omitempty" enum:"google,rfc9309,koster1996" doc:"How all crawlers read the file. Default: each in its own dialect."`
}

// Config returns the crawlers and the dialect of the query.
func (r *AIRequest) Config() (config aiview.Config, err error) {
	config = aiview.Config{Purposes: aiview.Purposes, Each: r.Each}
	config.Dialect, err = calls.DialectOr("dialect", r.Dialect)
	if err != nil {
		return config, err
	}
	selection := calls.Selection{Purposes: r.Purposes, Operators: r.Operators}
	filter, err := selection.Filter()
	if err != nil {
		return config, err
	}
	if len(filter.Purposes) > 0 {
		config.Purposes = filter.Purposes
	}
	config.Operators = filter.Operators
	return config, nil
}

// AI returns what a file tells AI services.
func AI(ctx context.Context, r *AIRequest, limits calls.Limits) (*wire.AIView, error) {
	body, err := r.bytes(limits)
	if err != nil {
		return nil, err
	}
	config, err := r.Config()
	if err != nil {
		return nil, err
	}
	name := origin.Text(r.Name).Given() // without a password
	return aiview.New(ctx, name, answer.RuleFile(limits.File(body), config.Dialect, nil), config)
}

// CrawlersRequest is a query for data of known crawlers.
type CrawlersRequest struct {
	// Names are product tokens or User-Agent headers. Default: all crawlers.
	Names []string `json:"names,omitempty" doc:"Product tokens or User-Agent headers. Default: all."`

	// Purposes and Operators select crawlers, including retired ones, if no name is
	// given.
	Purposes  []string `json:"purposes,omitempty" doc:"Only the crawlers with one of these purposes."`
	Operators []string `json:"operators,omitempty" doc:"Only the crawlers of these operators."`
}

// CrawlerList is data of known crawlers.
type CrawlerList struct {
	Version  string           `json:"version"` // the date of the data
	Crawlers []crawlers.Entry `json:"crawlers"`
}

// Crawlers returns data of known crawlers: the object is a CrawlerList.
func Crawlers(_ context.Context, r *CrawlersRequest, limits calls.Limits) (*wire.Line, error) {
	if err := limits.Texts("names", r.Names...); err != nil {
		return nil, err
	}
	var known []crawlers.Crawler
	for _, name := range r.Names {
		c, err := answer.Known(name)
		if err != nil {
			return nil, calls.Invalid("names", err)
		}
		known = append(known, c)
	}
	if len(r.Names) == 0 {
		selection := calls.Selection{Purposes: r.Purposes, Operators: r.Operators}
		filter, err := selection.Filter()
		if err != nil {
			return nil, err
		}
		filter.Retired = true
		known = crawlers.Select(filter)
	}
	list := CrawlerList{Version: crawlers.Version(), Crawlers: make([]crawlers.Entry, 0, len(known))}
	for _, c := range known {
		list.Crawlers = append(list.Crawlers, crawlers.Entry{Crawler: c, Claims: crawlers.Claims(c.Token)})
	}
	return &wire.Line{Object: list}, nil
}
