package serve

import (
	"context"
	"net/netip"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// check answers a query about URLs: of the body in the request, or of the sites.
func (s *Server) checkURLs(c *call) error {
	if mediaType(c.r) == typeLines {
		return s.stream(c)
	}
	buffer := buffers.Get().(*[]byte)
	defer release(buffer)
	var r api.CheckRequest
	if err := s.decode(c, buffer, &r); err != nil {
		return err
	}
	q, err := r.Question(s.config.Limits)
	if err != nil {
		return err
	}
	var rulings []*answer.Ruling
	local := r.Body != nil || r.BodyBase64 != nil
	if !local { // before the request takes a slot, because a site may be slow
		if rulings, err = s.rulings(c.r.Context(), c.client, q); err != nil {
			return err
		}
	}
	if *buffer, err = s.answers(c.r.Context(), (*buffer)[:0], &r, q, rulings); err != nil {
		return err
	}
	return s.writeJSON(c, *buffer)
}

// answers appends the answers to a query, in its turn. rulings are nil for a query with a
// body. The slot is free again before the answers are written.
func (s *Server) answers(ctx context.Context, to []byte, r *api.CheckRequest, q *api.Question, rulings []*answer.Ruling) ([]byte, error) {
	if err := s.all.enter(ctx); err != nil {
		return to, err
	}
	defer s.all.leave()
	if rulings == nil {
		file, err := r.File(s.config.Limits)
		if err != nil {
			return to, err
		}
		rulings = []*answer.Ruling{answer.RuleFile(file, q.Dialect, q.Crawlers)}
	}
	return appendAnswers(ctx, to, q, rulings)
}

// answersBytes bounds the answers to a request: each has the URL and the deciding rule in
// it, and both may be long. Answers of the usual length are below it in any number that
// api.Limits permits by default.
const answersBytes = 64 << 20

// unreadBytes bounds the memory for large answers that clients have not read yet.
const unreadBytes = 4 * answersBytes

var errLongAnswers = &api.Error{Code: api.CodeLimit, Field: "urls", Message: "the answers are longer than 64 MiB",
	Hint: "send fewer URLs or crawlers, or a stream with the Content-Type " + typeLines}

// appendAnswers appends the answers of rulings, of which there is one or one for each URL,
// in the form of wire.Answers.
func appendAnswers(ctx context.Context, to []byte, q *api.Question, rulings []*answer.Ruling) ([]byte, error) {
	truncated, site := false, rulings[0].Site
	for _, r := range rulings {
		truncated = truncated || r.File.Truncated
		if r.Site != site {
			site = nil
		}
	}
	to = append(to, `{"schema":1,"truncated":`...)
	if truncated {
		to = append(to, "true"...)
	} else {
		to = append(to, "false"...)
	}
	to = append(to, `,"answers":[`...)
	first := true
	for i, url := range q.URLs {
		if err := ctx.Err(); err != nil {
			return to, err
		}
		visit := answer.Visit{URL: url, Compared: answer.Compared(url), Ruling: rulings[min(i, len(rulings)-1)]}
		for crawler := range q.Crawlers {
			if !first {
				to = append(to, ',')
			}
			first = false
			a := visit.Answer(crawler)
			var err error
			if to, err = a.AppendJSON(to); err != nil {
				return to, err
			}
			if len(to) > answersBytes {
				return to, errLongAnswers
			}
		}
	}
	to = append(to, ']')
	if site != nil {
		var err error
		if to, err = site.AppendJSON(append(to, `,"site":`...)); err != nil {
			return to, err
		}
	}
	return append(to, '}'), nil
}

// explain answers a query about one URL and one crawler, with the reasons.
func (s *Server) explain(ctx context.Context, client netip.Addr, r *api.CheckRequest) (*wire.Explanation, error) {
	if r.Body != nil || r.BodyBase64 != nil {
		return api.Explain(ctx, r, s.config.Limits)
	}
	q, err := r.Question(s.config.Limits)
	if err != nil {
		return nil, err
	}
	rulings, err := s.rulings(ctx, client, q)
	if err != nil {
		return nil, err
	}
	return q.Explanation(rulings[0])
}

// decode reads the request into a struct.
func (s *Server) decode(c *call, buffer *[]byte, to any) (err error) {
	if mediaType(c.r) != typeJSON {
		return wrongType(typeJSON)
	}
	if *buffer, err = s.body(c, (*buffer)[:0]); err != nil {
		return err
	}
	return api.Read(*buffer, to)
}
