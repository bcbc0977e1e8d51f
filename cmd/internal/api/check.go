package api

import (
	"context"
	"fmt"
	"iter"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// CheckRequest is a query: may these crawlers fetch these URLs?
type CheckRequest struct {
	// Body is the robots.txt. BodyBase64 is the same for a file that is not UTF-8. A
	// service fetches the file of each URL's site if both are missing.
	Body       *string `json:"body,omitempty" doc:"The robots.txt. If it is missing, a service fetches that of each URL's site."`
	BodyBase64 []byte  `json:"body_base64,omitempty" doc:"The robots.txt in base64, if it is not UTF-8."`

	Selection

	// URLs are absolute, or paths if there is a body.
	URLs []string `json:"urls" doc:"URLs, or paths if there is a body."`

	// Dialect is google, rfc9309 or koster1996. Default: that of each crawler.
	Dialect string `json:"dialect,omitempty" enum:"google,rfc9309,koster1996" doc:"How all crawlers read the file. Default: each as it does."`
}

// Question is a query that was validated: its crawlers and URLs are within the limits.
type Question struct {
	Dialect  *robotstxt.Dialect // nil means that each crawler has its own
	Crawlers []answer.Crawler
	URLs     []string
}

// Question validates a query.
func (r *CheckRequest) Question(limits Limits) (*Question, error) {
	limits = limits.Filled()
	q := &Question{URLs: r.URLs}
	var err error
	if q.Dialect, err = DialectOr("dialect", r.Dialect); err != nil {
		return nil, err
	}
	if q.Crawlers, err = r.Crawlers(limits); err != nil {
		return nil, err
	}
	if len(r.URLs) == 0 {
		return nil, &Error{Code: CodeInvalid, Field: "urls", Message: "there is no URL"}
	}
	if err := exceeded("urls", "URLs", len(r.URLs), limits.URLs, "URLs"); err != nil {
		return nil, err
	}
	if err := limits.Texts("urls", r.URLs...); err != nil {
		return nil, err
	}
	return q, exceeded("urls", "Answers", len(r.URLs)*len(q.Crawlers), limits.Answers, "answers")
}

// Answers yields the answers of a ruling that was made for the dialect and the crawlers
// of the query: by URL, then by crawler. It does not check whether the ruling's site is
// that of the URLs.
func (q *Question) Answers(ruling *answer.Ruling) iter.Seq[wire.Answer] {
	return func(yield func(wire.Answer) bool) {
		for _, url := range q.URLs {
			visit := answer.VisitText(url, ruling)
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
	q, file, err := r.local(limits)
	if err != nil {
		return nil, err
	}
	result := &wire.Answers{Truncated: file.Truncated, Answers: make([]wire.Answer, 0, len(q.URLs)*len(q.Crawlers))}
	for a := range q.Answers(answer.RuleFile(file, q.Dialect, q.Crawlers)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		result.Answers = append(result.Answers, a)
	}
	return result, nil
}

// Explain answers a query with a body, one crawler and one URL, with the reasons.
func Explain(_ context.Context, r *CheckRequest, limits Limits) (*wire.Explanation, error) {
	q, file, err := r.local(limits)
	if err != nil {
		return nil, err
	}
	return q.Explanation(answer.RuleFile(file, q.Dialect, q.Crawlers))
}

// Explanation returns the answer of a ruling with its reasons. The query must have one
// crawler and one URL.
func (q *Question) Explanation(ruling *answer.Ruling) (*wire.Explanation, error) {
	if n := len(q.Crawlers); n != 1 {
		return nil, &Error{Code: CodeInvalid, Field: "agents", Message: fmt.Sprintf("want one crawler, not %d", n)}
	}
	if n := len(q.URLs); n != 1 {
		return nil, &Error{Code: CodeInvalid, Field: "urls", Message: fmt.Sprintf("want one URL, not %d", n)}
	}
	visit := answer.VisitText(q.URLs[0], ruling)
	return visit.Explain(0), nil
}

// local validates a query with a body.
func (r *CheckRequest) local(limits Limits) (*Question, *answer.File, error) {
	q, err := r.Question(limits)
	if err != nil {
		return nil, nil, err
	}
	file, err := r.File(limits)
	return q, file, err
}

// File returns the file in the request. It is an error if there is none.
func (r *CheckRequest) File(limits Limits) (*answer.File, error) {
	body, err := limits.Body("body", r.Body, r.BodyBase64)
	if err != nil {
		return nil, err
	}
	return limits.File(body), nil
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
