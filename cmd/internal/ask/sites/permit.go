package sites

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

// Purposes returns the purposes with these names without repetition; without names, the
// purposes of package permission. If a name matches no purpose, it is returned as wrong.
func Purposes(names []string) (purposes []crawlers.Purpose, wrong string) {
	if len(names) == 0 {
		return permission.Purposes(), ""
	}
	for _, name := range names {
		p := crawlers.Purpose(ascii.ToLower(name))
		if !permission.IsPurpose(p) {
			return nil, name
		}
		if !slices.Contains(purposes, p) {
			purposes = append(purposes, p)
		}
	}
	return purposes, ""
}

// PermitConfig says what is asked, and what is known.
type PermitConfig struct {
	Crawlers []answer.Crawler // none means "*", and known crawlers with another verdict
	Purposes []crawlers.Purpose
	Operator string // ask about its crawlers in use, each for its known purposes, instead of Crawlers and Purposes
	Time     time.Time
	Formal   bool // without informal signals

	// Header, HTML and TDMRep are what the caller has; nil if it has none.
	Header       http.Header
	HTML, TDMRep []byte

	Fetcher *PermitFetcher // nil: nothing is fetched

	extents *aiview.Extents // of the file of the last URL
}

// Permit returns what may be done with the URL of a visit. It makes the sources of package
// permission from the robots.txt and from what the caller has, and can fetch the others: the
// page, tdmrep.json and RSL documents. If ctx ends, it returns ctx's error. The config keeps what it
// found out about the last robots.txt, so it is not safe for concurrent use.
func Permit(ctx context.Context, v *answer.Visit, c *PermitConfig) (*wire.Permit, error) {
	p := &wire.Permit{
		URL: v.URL, ComparedURL: v.ComparedURL(), GovernedBy: v.Other.RobotsURL(), RobotsFile: v.Ruling.File.Name, Outcome: wire.OutcomeLocal,
		Operator: operatorOf(c.Operator), AskedAt: c.Time.UTC().Truncate(time.Second), CrawlersVersion: crawlers.Version(), Requested: []string{}, Answers: []wire.PermitAnswer{}, Differing: []wire.PermitAnswer{},
	}
	if s := v.Ruling.Site; s != nil {
		p.RobotsURL, p.Outcome, p.RobotsFetchedAt = s.RobotsURL, s.Outcome, s.FetchedAt
	}
	if v.Ruling.HasFile() {
		p.RobotsSHA256, p.RobotsBytes = fmt.Sprintf("%x", sha256.Sum256(v.Ruling.File.Text)), len(v.Ruling.File.Text)
	}
	if c.extents == nil || !c.extents.Are(v.Ruling) {
		c.extents = aiview.NewExtents(v.Ruling)
	}
	sources := &permission.Sources{Robots: c.extents.Robots, Documents: map[string]*permission.License{}, Why: map[string]string{}}
	if c.Header != nil {
		sources.Header = c.Header
	}
	if c.HTML != nil {
		sources.Page = page.Read(c.HTML, c.Header.Get("Content-Type"))
	}
	if c.TDMRep != nil {
		sources.TDMRep = permission.ReadTDMRep("tdmrep.json", c.TDMRep)
	}
	questions, known := c.questions(v)
	if c.Fetcher != nil {
		run := &permitRun{PermitFetcher: c.Fetcher, visit: v, sources: sources, permit: p}
		if err := run.fetch(ctx, slices.Concat(questions, known)); err != nil {
			return nil, err
		}
	}
	decide := func(to *[]wire.PermitAnswer, q permission.Question, wanted func(*permission.Answer) bool) error {
		for _, a := range permission.Decide(q, sources) {
			if !wanted(&a) {
				continue
			}
			extent, err := c.extents.Of(ctx, permission.UseOf(sources.Robots, q.Crawler, a.Purpose))
			if err != nil {
				return err
			}
			*to = append(*to, wire.PermitAnswer{Answer: a, PermitExtent: *extent})
		}
		return nil
	}
	for _, q := range questions {
		if err := decide(&p.Answers, q, func(*permission.Answer) bool { return true }); err != nil {
			return nil, err
		}
	}
	for _, q := range known {
		differs := func(a *permission.Answer) bool {
			return !slices.ContainsFunc(p.Answers, func(star wire.PermitAnswer) bool { return star.Purpose == a.Purpose && star.Verdict == a.Verdict })
		}
		if err := decide(&p.Differing, q, differs); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(p.Differing, func(a, b wire.PermitAnswer) int {
		return slices.Index(c.Purposes, a.Purpose) - slices.Index(c.Purposes, b.Purpose)
	})
	return p, nil
}

// questions returns the questions, and those about known crawlers that might have another answer.
func (c *PermitConfig) questions(v *answer.Visit) (asked, known []permission.Question) {
	switch {
	case c.Operator != "":
		for _, of := range crawlers.Select(crawlers.Selection{Operators: []string{c.Operator}}) {
			if of.Purposes[0] != crawlers.Unknown && of.Operator != crawlers.Unknown {
				asked = append(asked, c.question(v, answer.NewCrawler(of.Token), of.Purposes))
			}
		}
	case len(c.Crawlers) == 0:
		return []permission.Question{c.question(v, answer.NewCrawler(), c.Purposes)}, c.known(v)
	}
	for _, crawler := range c.Crawlers {
		asked = append(asked, c.question(v, crawler, c.Purposes))
	}
	return asked, nil
}

// question returns the question of one crawler.
func (c *PermitConfig) question(v *answer.Visit, crawler answer.Crawler, purposes []crawlers.Purpose) permission.Question {
	return permission.Question{URL: v.Compared, Crawler: crawler.Permission(), Purposes: purposes, Time: c.Time, Formal: c.Formal}
}

// operatorOf returns the name of an operator as the data write it, or the text as it is.
func operatorOf(name string) string {
	if of := crawlers.Select(crawlers.Selection{Operators: []string{name}}); len(of) > 0 {
		return of[0].Operator
	}
	return name
}

// known returns the questions of the known crawlers that have one of the purposes, each for the
// purposes that it has. Every one may fetch, but tokens that only control uses. Those that no
// user-agent line can name are left out.
func (c *PermitConfig) known(v *answer.Visit) (questions []permission.Question) {
	for _, k := range crawlers.Select(crawlers.Selection{}) {
		var has []crawlers.Purpose
		for _, p := range c.Purposes {
			if slices.Contains(k.Purposes, p) || p == permission.Fetch && !k.Control {
				has = append(has, p)
			}
		}
		if crawler := answer.NewCrawler(k.Token); has != nil && !crawler.Unread {
			questions = append(questions, c.question(v, crawler, has))
		}
	}
	return questions
}
