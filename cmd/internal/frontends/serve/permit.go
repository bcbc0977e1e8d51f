package serve

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls/editing"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

// PermitRequest can have no body: the service then fetches the missing facts.
type PermitRequest struct {
	editing.PermitRequest

	HTML   *string `json:"html,omitempty" doc:"The page, instead of the signals in it."`
	Follow bool    `json:"follow,omitempty" doc:"Fetch RSL documents from other hosts too, if their robots.txt allows it."`
}

// permitCost is the memory for the answers about all known crawlers and their JSON.
const permitCost = 4 << 20

func (r *PermitRequest) cost() int64 {
	cost := int64(permitCost)
	for _, document := range r.Documents {
		cost += fileCost * int64(len(document))
	}
	return cost
}

func (s *Server) permit(ctx context.Context, c *call, r *PermitRequest) (*wire.Permit, error) {
	config, err := s.permitConfig(r)
	if err != nil {
		return nil, err
	}
	q := &calls.Question{Crawlers: config.Crawlers, URLs: []string{r.URL}}
	var rulings []*answer.Ruling
	o, err := siteOf("url", r.URL)
	if err != nil {
		return nil, err
	}
	local := r.Body.Body != nil || r.BodyBase64 != nil
	if !local {
		rulings, err = s.rulings(ctx, c, q)
		if err != nil {
			return nil, err
		}
		if wait := s.contacts.wait(o); wait > 0 {
			return nil, siteBusy(wait)
		}
	}
	if err := c.memory.take(r.cost()); err != nil {
		return nil, err
	}
	if err := s.beginTurn(ctx, c); err != nil {
		return nil, err
	}
	config.Given = r.given()
	var fetcher *sites.PermitFetcher
	if local {
		rulings, err = s.ruleBody(c, &calls.CheckRequest{Body: r.Body.Body, BodyBase64: r.BodyBase64, Site: r.Site}, q)
		if err != nil {
			return nil, err
		}
	} else {
		fetcher = &sites.PermitFetcher{
			Client: s.fetcher, Crawler: s.crawler, Follow: r.Follow,
			Lend: func(body io.Reader) io.Reader { return &lent{body, &c.memory} },
			// The request has no turn while it waits for a site. It also waits before a fetch
			// that the client may not cause yet, because it can need 24 of them.
			Network: func(do func() error) error {
				c.turn.end()
				err := s.oncePaid(ctx, c.client, do)
				return cmp.Or(c.turn.begin(ctx, 0), err)
			},
		}
	}
	visit := answer.VisitURL(origin.Text(r.URL), rulings[0])
	found, err := sites.Permit(&passing{Context: ctx, turn: &c.turn}, &visit, config, nil, fetcher)
	if err != nil {
		return nil, err
	}
	if err := r.Write(found); err != nil {
		return nil, err
	}
	return found, c.memory.take(jsonBytes(found))
}

// jsonBytes returns an upper bound of the JSON of answers, in which a byte can take six.
func jsonBytes(p *wire.Permit) (n int64) {
	n = 6 * int64(len(p.Markdown))
	for _, a := range slices.Concat(p.Answers, p.Differing) {
		n += 512 + int64(len(a.URL))
		for _, r := range a.Reasons {
			n += 512 + 6*int64(len(r.Text)+len(r.Path)+len(r.Terms)+len(r.Place.URL))
		}
		for _, f := range a.Findings {
			n += 256 + 6*int64(len(f.Text)+len(f.Message)+len(f.Place.URL))
		}
		for _, m := range a.Missing {
			n += 6 * int64(len(m))
		}
	}
	return n
}

func (s *Server) permitConfig(r *PermitRequest) (*permit.Config, error) {
	if r.HTML != nil {
		if err := calls.Exceeded("html", "HTMLBytes", len(*r.HTML), s.config.Limits.Filled().HTMLBytes, "bytes"); err != nil {
			return nil, err
		}
	}
	return r.Config(s.config.Limits)
}

func (r *PermitRequest) given() permission.Sources {
	sources := r.Given()
	if r.HTML != nil {
		sources.Page = page.Read([]byte(*r.HTML), http.Header(sources.Header).Get("Content-Type"))
	}
	return sources
}
