package serve

import (
	"bytes"
	"context"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// checkURLs answers a query about URLs, with the body in the request or those of the
// sites.
func (s *Server) checkURLs(c *call) error {
	if mediaType(c.r) == typeLines {
		return s.stream(c)
	}
	buffer, err := s.received(c, typeJSON)
	defer release(buffer)
	if err != nil {
		return err
	}
	var r api.CheckRequest
	if err := read(c, *buffer, &r); err != nil {
		return err
	}
	q, err := r.Question(s.config.Limits)
	if err != nil {
		return err
	}
	ctx := c.r.Context()
	rulings, err := s.siteRulings(ctx, c, &r, q)
	if err != nil {
		return err
	}
	size := len(*buffer)
	for _, ruling := range rulings {
		size = max(size, len(ruling.File.Text))
	}
	out := &answersWriter{s: s, c: c, q: q, text: (*buffer)[:0], turn: s.turn(c, q, size)}
	defer func() { *buffer = out.text }()
	defer out.turn.end()
	if err := out.turn.begin(ctx, turnWait); err != nil {
		return err
	}
	if rulings == nil {
		if rulings, err = s.ruleBody(c, &r, q); err != nil {
			return err
		}
	}
	return out.write(ctx, rulings)
}

// siteRulings returns the rulings of the sites of URLs, nil if the request has the file. It
// is called before the request takes a turn, because a site may be slow.
func (s *Server) siteRulings(ctx context.Context, c *call, r *api.CheckRequest, q *api.Question) ([]*answer.Ruling, error) {
	if r.Body != nil || r.BodyBase64 != nil {
		return nil, nil
	}
	return s.rulings(ctx, c, q)
}

// ruleBody returns the one ruling of the file in a request.
func (s *Server) ruleBody(c *call, r *api.CheckRequest, q *api.Question) ([]*answer.Ruling, error) {
	if err := c.memory.take(fileCost*int64(bodyBytes(r)) + crawlerCost*int64(len(q.Crawlers))); err != nil {
		return nil, err
	}
	file, err := r.File(s.config.Limits)
	if err != nil {
		return nil, err
	}
	return []*answer.Ruling{answer.RuleFile(file, q.Dialect, q.Crawlers)}, nil
}

// bodyBytes returns the size of the file in a request.
func bodyBytes(r *api.CheckRequest) int {
	if r.Body != nil {
		return len(*r.Body)
	}
	return len(r.BodyBase64)
}

// Upper bounds of the memory for what is made of requests.
const (
	fileCost    = 16  // a byte of a robots.txt: the copy, its rules and their index
	crawlerCost = 256 // a crawler in a ruling
	textCost    = 4   // a byte of JSON: its decoder's buffer, and the strings
	itemCost    = 64  // an item of a list or a map in JSON
)

// shortWork bounds queries that are answered at once, without waiting for long ones: it
// is the product of the bytes of the file and of the URLs, for all crawlers. In the worst
// case, with stars in all rules, a comparison takes a nanosecond for each pair of bytes:
// 16 ms in total.
const shortWork = 16 << 20

// turn returns the turn, not yet begun, for a query about a file of size bytes. Short
// queries do not wait for long ones.
func (s *Server) turn(c *call, q *api.Question, size int) turn {
	of, bytes := s.all, 0
	for _, url := range q.URLs {
		bytes += len(url) + 16
	}
	if bytes*len(q.Crawlers) > shortWork/max(size, 1) {
		of = s.work
	}
	return turn{of: of, client: c.client, most: s.config.AnswerTimeout, late: s.late}
}

// workTurn returns a turn of those for long computations, which has begun.
func (s *Server) workTurn(ctx context.Context, c *call) (*turn, error) {
	turn := &turn{of: s.work, client: c.client}
	return turn, turn.begin(ctx, turnWait)
}

// explain answers a query about one URL and one crawler, with the reasons.
func (s *Server) explain(ctx context.Context, c *call, r *api.CheckRequest) (*wire.Explanation, error) {
	q, err := r.Question(s.config.Limits)
	if err != nil {
		return nil, err
	}
	rulings, err := s.siteRulings(ctx, c, r, q)
	if err != nil {
		return nil, err
	}
	turn, err := s.workTurn(ctx, c)
	if err != nil {
		return nil, err
	}
	defer turn.end()
	if rulings == nil {
		if rulings, err = s.ruleBody(c, r, q); err != nil {
			return nil, err
		}
	}
	// Each rule that matches is in the result, and in its JSON.
	if err := c.memory.take(explainCost * int64(len(rulings[0].File.Text))); err != nil {
		return nil, err
	}
	return q.Explanation(rulings[0])
}

// explainCost is the memory for an explanation, for each byte of the file, besides that
// for its rules. 98 bytes in total were measured with 256 KB of rules that all match.
const explainCost = 96

// read decodes a request.
func read(c *call, text []byte, to any) error {
	if err := c.memory.take(readCost(text)); err != nil {
		return err
	}
	return api.Read(text, to)
}

// readCost returns the memory of a request in JSON that is decoded.
func readCost(text []byte) int64 {
	return textCost*int64(len(text)) + itemCost*int64(bytes.Count(text, []byte{','}))
}
