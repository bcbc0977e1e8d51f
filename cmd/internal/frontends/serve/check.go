package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
)

func (s *Server) checkURLs(c *call) error {
	if mediaType(c.r) == typeLines {
		return s.stream(c)
	}
	received, err := s.received(c, typeJSON)
	if err != nil {
		return err
	}
	var r calls.CheckRequest
	if err := s.decode(c.r.Context(), c, received, &r); err != nil {
		return err
	}
	q, err := r.Question(s.config.Limits)
	if err != nil {
		return err
	}
	rulings, err := s.rule(c.r.Context(), c, &r, q, len(received))
	if err != nil {
		return err
	}
	return (&answersWriter{c: c, q: q, text: received[:0]}).write(c.r.Context(), rulings)
}

// rule begins the turn for a query, and returns its rulings. If the request has files, of size
// bytes, the rulings are about them. Otherwise they are about sites, and are made before the
// turn, because a site can be slow.
func (s *Server) rule(ctx context.Context, c *call, r *calls.CheckRequest, q *calls.Question,
	size int) (rulings []*answer.Ruling, err error) {
	isLive := r.Body == nil && r.BodyBase64 == nil
	if isLive {
		began := time.Now()
		rulings, err = s.rulings(ctx, c, q)
		c.waited = time.Since(began)
		if err != nil {
			return nil, err
		}
	}
	for _, ruling := range rulings {
		size = max(size, len(ruling.File.Text))
	}
	c.turn = s.turnOf(c, q, size)
	if err := c.turn.begin(ctx, turnWait); err != nil || isLive {
		return rulings, err
	}
	return s.ruleBody(c, r, q)
}

func (s *Server) ruleBody(c *call, r *calls.CheckRequest, q *calls.Question) ([]*answer.Ruling, error) {
	if err := c.memory.take(fileCost*int64(bodyBytes(r)) + crawlerCost*int64(len(q.Crawlers))); err != nil {
		return nil, err
	}
	return r.Rulings(q, s.config.Limits)
}

func bodyBytes(r *calls.CheckRequest) int {
	size := len(r.BodyBase64)
	if r.Body != nil {
		size = len(*r.Body)
	}
	for i := range r.Files {
		size += len(r.Files[i].Body)
	}
	return size
}

// Upper bounds of the memory for data made from requests.
const (
	fileCost    = 16      // a byte of a robots.txt: the copy, its rules and their index
	crawlerCost = 256     // a crawler in a ruling
	textCost    = 4       // a byte of JSON: its decoder's buffer, and the strings
	itemCost    = 64      // an item of a list or a map in JSON
	objectCost  = 1 << 10 // an object in JSON: the largest is a file of a site, of 416 bytes, whose list grows
)

// shortWork bounds queries that are answered at once, without waiting for long ones: it
// is the product of the bytes of the file and of the URLs, for all crawlers. In the worst
// case, with stars in all rules, a comparison takes a nanosecond for each pair of bytes:
// 16 ms in total.
const shortWork = 16 << 20

// turnOf returns the turn, not yet begun, of a query about a file of size bytes. Short
// queries do not wait for long ones.
func (s *Server) turnOf(c *call, q *calls.Question, size int) turn {
	of := s.all
	bytes := 0
	for _, url := range q.URLs {
		bytes += len(url) + 16
	}
	if bytes*len(q.Crawlers) > shortWork/max(size, 1) {
		of = s.work
	}
	return turn{loan: of.lend(c.client), most: s.config.AnswerTimeout, late: s.late}
}

func (s *Server) beginTurn(ctx context.Context, c *call) error {
	c.turn = turn{loan: s.work.lend(c.client)}
	return c.turn.begin(ctx, turnWait)
}

// explain answers a query about one URL and one crawler, with the reasons. Each rule that matches
// becomes a part of the answer, so it waits for the turn of a query about shortWork bytes, which
// is always a long one.
func (s *Server) explain(ctx context.Context, c *call, r *calls.CheckRequest) (json.RawMessage, error) {
	q, err := r.OneQuestion(s.config.Limits)
	if err != nil {
		return nil, err
	}
	rulings, err := s.rule(ctx, c, r, q, shortWork)
	if err != nil {
		return nil, err
	}
	// Each rule that matches is in the result, and in its JSON.
	if err := c.memory.take(explainCost * int64(len(rulings[0].File.Text))); err != nil {
		return nil, err
	}
	return q.Explanation(rulings[0]).MarshalJSON()
}

// explainCost is the memory for an explanation, for each byte of the file, in addition to the
// memory for its rules. 98 bytes in total were measured with 256 KB of rules that all match.
const explainCost = 96

// decode reads a request in JSON. A long request is read in its own turn.
func (s *Server) decode(ctx context.Context, c *call, text []byte, to any) error {
	if err := c.memory.take(readCost(text)); err != nil {
		return err
	}
	if len(text) > shortFile {
		if err := s.beginTurn(ctx, c); err != nil {
			return err
		}
		defer c.turn.end()
	}
	return calls.Read(text, to)
}

// readCost returns the memory for decoding a request in JSON.
func readCost(text []byte) int64 {
	return textCost*int64(len(text)) + itemCost*int64(bytes.Count(text, []byte{','})) +
		objectCost*int64(bytes.Count(text, []byte{'{'}))
}
