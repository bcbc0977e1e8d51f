package serve

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/origin"
)

// PermitRequest asks what may be done with a URL.
type PermitRequest struct {
	URL        string       `json:"url" doc:"An absolute URL."`
	Crawlers   []string     `json:"crawlers,omitempty" doc:"Crawlers, in the notation of robots check --agent. Default: a crawler that no group names, and known crawlers with a different verdict."`
	Operator   string       `json:"operator,omitempty" doc:"An operator, such as OpenAI: ask about its crawlers in use, each for its known purposes, instead of crawlers and purposes."`
	Purposes   []string     `json:"purposes,omitempty" doc:"fetch, search, ai-search, ai-training, ai-fetch, mining, or other purposes of crawlers. Default: these six."`
	Body       *string      `json:"body,omitempty" doc:"The robots.txt. If you omit it, the service fetches it and the site's other signals."`
	BodyBase64 []byte       `json:"body_base64,omitempty" doc:"The robots.txt in base64, if it is not UTF-8."`
	Header     []HeaderLine `json:"header,omitempty" doc:"Lines of the response."`
	HTML       *string      `json:"html,omitempty" doc:"The page."`
	TDMRep     *string      `json:"tdmrep,omitempty" doc:"The file tdmrep.json."`
	Follow     bool         `json:"follow,omitempty" doc:"Fetch RSL documents from other hosts too, if their robots.txt allows it."`
	Formal     bool         `json:"formal,omitempty" doc:"Omit signals that no specification defines: noai and noimageai."`
	Markdown   bool         `json:"markdown,omitempty" doc:"Also return the answer in Markdown, as robots permit --format markdown prints it; with operator, it is a letter."`
}

// HeaderLine is a line of a response.
type HeaderLine struct {
	Name  string `json:"name" doc:"The name of the field."`
	Value string `json:"value" doc:"Its value in this line."`
}

// maxHeaderLines is how many lines of a response a request may have.
const maxHeaderLines = 200

// permitCost is the memory for the answers about all known crawlers and their JSON.
const permitCost = 4 << 20

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
	local := r.Body != nil || r.BodyBase64 != nil
	if !local {
		if rulings, err = s.rulings(ctx, c, q); err != nil {
			return nil, err
		}
		if wait := s.contacts.wait(o); wait > 0 {
			return nil, siteBusy(wait)
		}
	}
	if err := c.memory.take(permitCost); err != nil {
		return nil, err
	}
	if err := s.beginTurn(ctx, c); err != nil {
		return nil, err
	}
	if local {
		if rulings, err = s.ruleBody(c, &calls.CheckRequest{Body: r.Body, BodyBase64: r.BodyBase64}, q); err != nil {
			return nil, err
		}
	} else {
		config.Fetcher = &sites.PermitFetcher{
			Client: s.fetcher, Crawler: s.crawler, Follow: r.Follow,
			Lend: func(body io.Reader) io.Reader { return &lent{body, &c.memory} },
			// The request has no turn while it waits for a site, and waits before a request that
			// the client may not cause yet: it may need 24 of them.
			Network: func(do func() error) error {
				c.turn.end()
				err := s.oncePaid(ctx, c.client, do)
				return cmp.Or(c.turn.begin(ctx, 0), err)
			},
		}
	}
	visit := answer.VisitURL(origin.Text(r.URL), rulings[0])
	found, err := sites.Permit(&passing{Context: ctx, turn: &c.turn}, &visit, config)
	if err != nil {
		return nil, err
	}
	if r.Markdown {
		if found.Markdown, err = prose.PermitMarkdown(found); err != nil {
			return nil, err
		}
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

func (s *Server) permitConfig(r *PermitRequest) (*sites.PermitConfig, error) {
	limits := s.config.Limits.Filled()
	config := &sites.PermitConfig{Operator: r.Operator, Time: time.Now(), Formal: r.Formal}
	selection := calls.Selection{Agents: r.Crawlers}
	var err error
	if len(r.Crawlers) > 0 {
		if config.Crawlers, err = selection.Crawlers(limits); err != nil {
			return nil, err
		}
	}
	if err := limits.Texts("url", r.URL, r.Operator); err != nil {
		return nil, err
	}
	wrong := ""
	if config.Purposes, wrong = sites.Purposes(r.Purposes); wrong != "" {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "purposes", Message: "there is no purpose " + wrong, Hint: "give fetch, search, ai-search, ai-training, ai-fetch or mining"}
	}
	if err := calls.Exceeded("header", "", len(r.Header), maxHeaderLines, "lines"); err != nil {
		return nil, err
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
		if err := calls.Exceeded(text.field, "HTMLBytes", len(*text.given), limits.HTMLBytes, "bytes"); err != nil {
			return nil, err
		}
		*text.to = []byte(*text.given)
	}
	return config, nil
}
