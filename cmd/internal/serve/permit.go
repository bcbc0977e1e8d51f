package serve

import (
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

// PermitRequest asks what may be done with a URL.
type PermitRequest struct {
	URL        string       `json:"url" doc:"An absolute URL."`
	Crawlers   []string     `json:"crawlers,omitempty" doc:"Crawlers, in the notation of robots check --agent. Default: any crawler that no group names, and known crawlers with another verdict."`
	Purposes   []string     `json:"purposes,omitempty" doc:"fetch, search, ai-search, ai-training, ai-fetch, mining, or other purposes of crawlers. Default: these six."`
	Body       *string      `json:"body,omitempty" doc:"The robots.txt. If it is missing, the service fetches it, and what else the site says."`
	BodyBase64 []byte       `json:"body_base64,omitempty" doc:"The robots.txt in base64, if it is not UTF-8."`
	Header     []HeaderLine `json:"header,omitempty" doc:"Lines of the response."`
	HTML       *string      `json:"html,omitempty" doc:"The page."`
	TDMRep     *string      `json:"tdmrep,omitempty" doc:"The file tdmrep.json."`
	Follow     bool         `json:"follow,omitempty" doc:"Fetch RSL documents from other hosts too, if their robots.txt allows it."`
	Formal     bool         `json:"formal,omitempty" doc:"Leave out signals that no text defines: noai and noimageai."`
}

// HeaderLine is a line of a response.
type HeaderLine struct {
	Name  string `json:"name" doc:"The name of the field."`
	Value string `json:"value" doc:"Its value in this line."`
}

// mostHeaderLines is how many lines of a response a request may have.
const mostHeaderLines = 200

// permitCost is the memory for the answers about all known crawlers and their JSON.
const permitCost = 4 << 20

// permit returns what may be done with a URL.
func (s *Server) permit(ctx context.Context, c *call, r *PermitRequest) (*wire.Permit, error) {
	config, err := s.permitConfig(r)
	if err != nil {
		return nil, err
	}
	q := &api.Question{Crawlers: config.Crawlers, URLs: []string{r.URL}}
	var rulings []*answer.Ruling
	o, err := siteOf("url", r.URL)
	if err != nil {
		return nil, err
	}
	local := r.Body != nil || r.BodyBase64 != nil
	if !local {
		if rulings, err = s.rulings(ctx, c, q); err != nil {
			return nil, err
		}
		if err := s.contact(c.client, o); err != nil {
			return nil, err
		}
	}
	if err := c.memory.take(permitCost); err != nil {
		return nil, err
	}
	turn, err := s.workTurn(ctx, c)
	if err != nil {
		return nil, err
	}
	defer turn.end()
	if local {
		if rulings, err = s.ruleBody(c, &api.CheckRequest{Body: r.Body, BodyBase64: r.BodyBase64}, q); err != nil {
			return nil, err
		}
	} else {
		config.Fetcher = s.permitFetcher(ctx, c, turn)
		config.Fetcher.Follow = r.Follow
	}
	visit := answer.VisitURL(origin.Text(r.URL), rulings[0])
	found, err := sites.Permit(&passing{Context: ctx, turn: turn}, &visit, config)
	if err != nil {
		return nil, err
	}
	return found, c.memory.take(jsonBytes(found))
}

// jsonBytes returns an upper bound of the JSON of answers, in which a byte may take six.
func jsonBytes(p *wire.Permit) (n int64) {
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

// permitConfig validates a request.
func (s *Server) permitConfig(r *PermitRequest) (*sites.PermitConfig, error) {
	limits := s.config.Limits.Filled()
	config := &sites.PermitConfig{Time: time.Now(), Formal: r.Formal}
	selection := api.Selection{Agents: r.Crawlers}
	var err error
	if len(r.Crawlers) > 0 {
		if config.Crawlers, err = selection.Crawlers(limits); err != nil {
			return nil, err
		}
	}
	if err := limits.Texts("url", r.URL); err != nil {
		return nil, err
	}
	wrong := ""
	if config.Purposes, wrong = sites.Purposes(r.Purposes); wrong != "" {
		return nil, &api.Error{Code: api.CodeInvalid, Field: "purposes", Message: "there is no purpose " + wrong, Hint: "give fetch, search, ai-search, ai-training, ai-fetch or mining"}
	}
	if len(r.Header) > mostHeaderLines {
		return nil, &api.Error{Code: api.CodeLimit, Field: "header", Message: "it has more than 200 lines"}
	}
	if r.Header != nil {
		config.Header = http.Header{}
	}
	for _, line := range r.Header {
		config.Header.Add(line.Name, line.Value)
	}
	for _, text := range []struct {
		field string
		given *string
		to    *[]byte
	}{{"html", r.HTML, &config.HTML}, {"tdmrep", r.TDMRep, &config.TDMRep}} {
		if text.given == nil {
			continue
		}
		if limit := limits.HTMLBytes; limit >= 0 && len(*text.given) > limit {
			return nil, &api.Error{Code: api.CodeLimit, Field: text.field, Limit: "HTMLBytes", Message: "it has more bytes than the limit"}
		}
		*text.to = []byte(*text.given)
	}
	return config, nil
}

// permitFetcher returns the fetcher for a request. The request has no turn while it waits for a
// site.
func (s *Server) permitFetcher(ctx context.Context, c *call, turn *turn) *sites.PermitFetcher {
	token, _ := crawlers.ProductToken(s.config.UserAgent)
	if token == "" {
		token = "*"
	}
	return &sites.PermitFetcher{
		Client: s.fetcher, Crawler: answer.NewCrawler(token),
		Contact: func(o origin.Origin) error { return s.contact(c.client, o) },
		Lend:    func(body io.Reader) io.Reader { return &lent{body, &c.memory} },
		Network: func(wait func()) error {
			turn.end()
			wait()
			return turn.begin(ctx, 0)
		},
	}
}
