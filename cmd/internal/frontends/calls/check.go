package calls

import (
	"context"
	"fmt"
	"iter"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// CheckRequest is a query: may these crawlers fetch these URLs?
type CheckRequest struct {
	// Body is the robots.txt. BodyBase64 is the same for a file that is not UTF-8. A
	// service fetches the file of each URL's site if both are missing.
	Body       *string `json:"body,omitempty" doc:"The robots.txt. If it is missing, a service fetches the robots.txt of each URL's site."`
	BodyBase64 []byte  `json:"body_base64,omitempty" doc:"The robots.txt in base64, if it is not UTF-8."`

	Selection

	// Site is a URL of the site whose robots.txt the body is. Verdicts about URLs of other
	// sites are then unknown. If Site is empty, the body is compared with all URLs, and
	// answers about URLs outside the first URL's site have GovernedBy.
	Site string `json:"site,omitempty" doc:"A URL of the site whose robots.txt the body is. Verdicts about URLs of other sites are then unknown. Without it, the body is compared with all URLs."`

	// Files are results of fetch for other sites. Each decides about the URLs of its site.
	Files []wire.Fetched `json:"files,omitempty" doc:"Results of fetch for sites other than the body's. Each decides about the URLs of its site."`

	// URLs are absolute, or paths if there is a body.
	URLs []string `json:"urls" doc:"URLs, or paths if there is a body."`

	// Dialect is google, rfc9309 or koster1996. Default: each crawler's own dialect.
	Dialect string `json:"dialect,omitempty" enum:"google,rfc9309,koster1996" doc:"How all crawlers read the file. Default: each in its own dialect."`

	// AsSent compares the URLs as they are, not as a browser would request them, see origin.Sent.
	AsSent bool `json:"as_sent,omitempty" doc:"Compare the URLs as they are, such as from a log: octet by octet in google, while rfc9309 and koster1996 still equate a percent code and its character, except delimiters such as / and ?. Default: as a browser would request them, with hex digits in upper case."`
}

// Question is a query that was validated: its crawlers and URLs are within the limits.
type Question struct {
	Dialect  *robotstxt.Dialect // nil means that each crawler has its own
	Crawlers []answer.Crawler
	URLs     []string
	AsSent   bool // URLs are compared as they are
}

// Question validates a query.
func (r *CheckRequest) Question(limits Limits) (*Question, error) {
	limits = limits.Filled()
	q := &Question{URLs: r.URLs, AsSent: r.AsSent}
	var err error
	q.Dialect, err = DialectOr("dialect", r.Dialect)
	if err != nil {
		return nil, err
	}
	q.Crawlers, err = r.Crawlers(limits)
	if err != nil {
		return nil, err
	}
	if len(r.URLs) == 0 {
		return nil, &Error{Code: CodeInvalid, Field: "urls", Message: "there is no URL"}
	}
	if err := Exceeded("urls", "URLs", len(r.URLs), limits.URLs, "URLs"); err != nil {
		return nil, err
	}
	if err := limits.Texts("urls", r.URLs...); err != nil {
		return nil, err
	}
	return q, nil
}

// Answers yields the answers of rulings that were made for the dialect and the crawlers
// of the query: by URL, then by crawler. There is one ruling, or one for each URL.
func (q *Question) Answers(rulings []*answer.Ruling) iter.Seq[wire.Answer] {
	return func(yield func(wire.Answer) bool) {
		for i, url := range q.URLs {
			visit := answer.VisitURL(answer.ReadURL(url, q.AsSent), rulings[min(i, len(rulings)-1)])
			for i := range q.Crawlers {
				if !yield(visit.Answer(i)) {
					return
				}
			}
		}
	}
}

// Check answers a query with a body.
func Check(ctx context.Context, r *CheckRequest, limits Limits) (*wire.Answers, error) {
	q, err := r.Question(limits)
	if err != nil {
		return nil, err
	}
	limit := limits.Filled().Answers
	if err := Exceeded("urls", "Answers", len(q.URLs)*len(q.Crawlers), limit, "answers"); err != nil {
		return nil, err
	}
	rulings, err := r.Rulings(q, limits)
	if err != nil {
		return nil, err
	}
	result := &wire.Answers{Answers: make([]wire.Answer, 0, len(q.URLs)*len(q.Crawlers))}
	for _, ruling := range rulings {
		result.Truncated = result.Truncated || ruling.File.Truncated
	}
	for a := range q.Answers(rulings) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		result.Answers = append(result.Answers, a)
	}
	return result, nil
}

// Explain answers a query with a body, one crawler and one URL, with the reasons.
func Explain(_ context.Context, r *CheckRequest, limits Limits) (*wire.Explanation, error) {
	q, err := r.OneQuestion(limits)
	if err != nil {
		return nil, err
	}
	rulings, err := r.Rulings(q, limits)
	if err != nil {
		return nil, err
	}
	return q.Explanation(rulings[0]), nil
}

// OneQuestion is Question for one crawler and one URL; several are an error.
func (r *CheckRequest) OneQuestion(limits Limits) (*Question, error) {
	q, err := r.Question(limits)
	if err != nil {
		return nil, err
	}
	if n := len(q.Crawlers); n != 1 {
		return nil, &Error{Code: CodeInvalid, Field: "agents", Message: fmt.Sprintf("give one crawler, not %d", n)}
	}
	if n := len(q.URLs); n != 1 {
		return nil, &Error{Code: CodeInvalid, Field: "urls", Message: fmt.Sprintf("give one URL, not %d", n)}
	}
	return q, nil
}

// Explanation returns the answer of a ruling to the query of [CheckRequest.OneQuestion], with
// its reasons.
func (q *Question) Explanation(ruling *answer.Ruling) *wire.Explanation {
	visit := answer.VisitURL(answer.ReadURL(q.URLs[0], q.AsSent), ruling)
	return visit.Explain(0)
}

// Rulings returns the rulings of the body, and of the files, for their query: one, or one for
// each URL. It is an error if there is no body.
func (r *CheckRequest) Rulings(q *Question, limits Limits) ([]*answer.Ruling, error) {
	body, site, err := r.File(limits)
	if err != nil {
		return nil, err
	}
	own := answer.RuleFile(body, q.Dialect, q.Crawlers).Of(site)
	if len(r.Files) == 0 {
		return []*answer.Ruling{own}, nil
	}
	fetched, err := r.fetched(q, limits)
	if err != nil {
		return nil, err
	}
	rulings := make([]*answer.Ruling, len(q.URLs))
	for i, url := range q.URLs {
		rulings[i] = own
		if o, err := origin.Text(url).OriginFrom(site); err == nil && o != site && fetched[o] != nil {
			rulings[i] = fetched[o]
		}
	}
	return rulings, nil
}

// fetched returns the rulings of the files by their sites.
func (r *CheckRequest) fetched(q *Question, limits Limits) (map[origin.Origin]*answer.Ruling, error) {
	rulings := make(map[origin.Origin]*answer.Ruling, len(r.Files))
	if err := Exceeded("files", "URLs", len(r.Files), limits.Filled().URLs, "files"); err != nil {
		return nil, err
	}
	for i := range r.Files {
		field := fmt.Sprintf("files/%d", i)
		of, err := origin.Of(r.Files[i].Site.Origin)
		if err != nil {
			return nil, Invalid(field+"/site/origin", err)
		}
		body, err := limits.Body(field+"/body", &r.Files[i].Body, nil)
		if err != nil {
			return nil, err
		}
		site, head, robots := r.Files[i].Site, []byte(nil), (*robotstxt.Robots)(nil)
		if site.Outcome == wire.OutcomeRules {
			head, _ = limits.Head(body)
			robots = robotstxt.Google.Parse(head)
		}
		rulings[of] = answer.RuleSite(&site, head, robots, q.Dialect, q.Crawlers)
	}
	return rulings, nil
}

// File returns the body, and its site if the request has one. It is an error if there is no
// body.
func (r *CheckRequest) File(limits Limits) (file *answer.File, site origin.Origin, err error) {
	body, err := limits.Body("body", r.Body, r.BodyBase64)
	if err != nil {
		return nil, site, err
	}
	site, err = SiteOf(r.Site)
	return limits.File(body), site, err
}

// SiteOf returns the site of the URL in the field "site", zero if it is empty.
func SiteOf(url string) (site origin.Origin, err error) {
	if url == "" {
		return site, nil
	}
	site, err = origin.Of(url)
	if err != nil {
		return site, Invalid("site", err)
	}
	return site, nil
}

// DialectOr returns the dialect of a field, nil if it is empty.
func DialectOr(field, name string) (*robotstxt.Dialect, error) {
	if name == "" {
		return nil, nil
	}
	dialect, err := dialectNamed(field, name)
	return &dialect, err
}

// dialectNamed returns the dialect of a field, google if it is empty.
func dialectNamed(field, name string) (dialect robotstxt.Dialect, err error) {
	if name == "" {
		return robotstxt.Google, nil
	}
	if err := dialect.UnmarshalText([]byte(name)); err != nil {
		return 0, Invalid(field, err)
	}
	return dialect, nil
}
