package sites

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

// Purposes returns the purposes of these names without repetition, by default those of package
// permission. If a name is that of no purpose, it is wrong.
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
	Time     time.Time
	Formal   bool // without informal signals

	// Header, HTML and TDMRep are what the caller has; nil if it has none.
	Header       http.Header
	HTML, TDMRep []byte

	Fetcher *PermitFetcher // nil: nothing is fetched
}

// Permit returns what may be done with the URL of a visit. It makes the sources of package
// permission from the robots.txt and from what the caller has, and can fetch the others: the
// page, tdmrep.json and RSL documents. The error is that of ctx.
func Permit(ctx context.Context, v *answer.Visit, c *PermitConfig) (*wire.Permit, error) {
	p := &wire.Permit{
		URL: v.URL, ComparedURL: v.ComparedURL(), RobotsFile: v.Ruling.File.Name, Outcome: wire.OutcomeLocal,
		Requested: []string{}, Answers: []permission.Answer{}, Differing: []permission.Answer{},
	}
	if s := v.Ruling.Site; s != nil {
		p.RobotsURL, p.Outcome = s.RobotsURL, s.Outcome
	}
	sources := &permission.Sources{Robots: robotsOf(v), Documents: map[string]*permission.License{}, Why: map[string]string{}}
	if c.Header != nil {
		sources.Header = c.Header
	}
	if c.HTML != nil {
		sources.Page = page.Read(c.HTML, c.Header.Get("Content-Type"))
	}
	if c.TDMRep != nil {
		sources.TDMRep = permission.ReadTDMRep("tdmrep.json", c.TDMRep)
	}
	asked := c.Crawlers
	if len(asked) == 0 {
		asked = []answer.Crawler{answer.NewCrawler()}
	}
	questions := make([]permission.Question, 0, len(asked))
	for _, crawler := range asked {
		questions = append(questions, c.question(v, crawler, c.Purposes))
	}
	var known []permission.Question
	if len(c.Crawlers) == 0 {
		known = c.known(v)
	}
	if c.Fetcher != nil {
		run := &permitRun{PermitFetcher: c.Fetcher, visit: v, sources: sources, permit: p}
		if err := run.fetch(ctx, slices.Concat(questions, known)); err != nil {
			return nil, err
		}
	}
	for _, q := range questions {
		p.Answers = append(p.Answers, permission.Decide(q, sources)...)
	}
	for _, q := range known {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.Differing = append(p.Differing, slices.DeleteFunc(permission.Decide(q, sources), func(a permission.Answer) bool {
			return slices.ContainsFunc(p.Answers, func(star permission.Answer) bool { return star.Purpose == a.Purpose && star.Verdict == a.Verdict })
		})...)
	}
	slices.SortStableFunc(p.Differing, func(a, b permission.Answer) int {
		return slices.Index(c.Purposes, a.Purpose) - slices.Index(c.Purposes, b.Purpose)
	})
	return p, nil
}

// question returns the question of one crawler.
func (c *PermitConfig) question(v *answer.Visit, crawler answer.Crawler, purposes []crawlers.Purpose) permission.Question {
	q := permission.Question{
		URL: v.Compared, Crawler: crawler.Name, Reading: crawler.Reading, Unread: crawler.Unread,
		Purposes: purposes, Time: c.Time, Formal: c.Formal,
	}
	if known := crawler.Known(); known.Operator != crawlers.Unknown {
		q.Operator = known.Operator
	}
	return q
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

// robotsOf returns the facts about the robots.txt of a visit.
func robotsOf(v *answer.Visit) *permission.Robots {
	r := v.Ruling
	url := ""
	if r.Site != nil {
		url = r.Site.RobotsURL
	}
	if r.HasFile() {
		facts := permission.NewRobots(url, r.File.Text)
		facts.Cut, facts.In = r.File.Truncated, r.In // parsed already
		return facts
	}
	facts := &permission.Robots{URL: url}
	star := answer.VisitURL(v.Read, r.For(nil, []answer.Crawler{answer.NewCrawler()}))
	verdict, _ := star.Verdict(0)
	facts.Without, facts.NoVerdict = star.Ruling.Rules(0), verdict == wire.VerdictUnknown
	facts.Unreachable = r.Site.Error != "" || r.Site.Outcome != wire.OutcomeAllowAll
	return facts
}
