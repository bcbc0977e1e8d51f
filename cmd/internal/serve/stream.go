package serve

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/origin"
)

// StreamHead is the first line of a stream of URLs. Each further line is a URL as a JSON
// string. The lines of the response are in the order of the URLs.
type StreamHead struct {
	api.CheckRequest

	// Output is answers, a line for each URL and crawler, or grid, a line for each URL with
	// the verdict and the line for each crawler. Default: answers.
	Output string `json:"output,omitempty" enum:"answers,grid" doc:"answers: a line for each URL and crawler. grid: a line for each URL, with the verdict and the deciding line for each crawler. Default: answers."`
}

// stream answers a stream of URLs while it arrives. Requests and answers may have any
// length: memory is bounded, because lines are read no faster than answers are sent.
func (s *Server) stream(c *call) error {
	if err := s.streams.take(c.client, 1); err != nil {
		return refuseStream(c, err)
	}
	defer s.streams.give(c.client, 1)
	if err := c.memory.take(streamBytes); err != nil {
		return refuseStream(c, err)
	}
	s.metrics.streams.Inc()
	defer s.metrics.streams.Dec()
	hold(c)
	allowArrived(c)
	control := http.NewResponseController(c)
	if err := supported(control.EnableFullDuplex()); err != nil {
		return err
	}
	in := newLineReader(c, control, s.config.BodyTimeout, s.config.Limits)
	head, err := in.head(int(s.config.MaxRequestBytes))
	if err != nil {
		return err
	}
	question, err := s.streamQuestion(c, head)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(c.r.Context())
	defer cancel(nil)
	defer context.AfterFunc(s.stopped, func() { cancel(errStopping) })()
	out := &lineWriter{c: c, control: control, timeout: s.config.WriteTimeout, failed: cancel, turn: turn{of: s.work, client: c.client}}
	defer out.close()
	// A deadline in the past ends the reader of the lines, and with it the connection:
	// the client must not send its next request there.
	c.Header()["Connection"] = headerClose
	c.Header()["Content-Type"] = []string{typeLines}
	c.status = http.StatusOK
	question.Idle, in.idle = out.idle, out.idle
	err = s.answerLines(ctx, c, question, head, in, out)
	rest := time.Time{} // until when lines are still read, which get no answer
	defer func() { in.stop(rest) }()
	if err == nil {
		return out.flush()
	}
	p, known := asProblem(context.Cause(ctx))
	if !known {
		p, known = asProblem(err)
	}
	if !known || out.problem(p) != nil || out.flush() != nil {
		return http.ErrAbortHandler
	}
	rest = time.Now().Add(discardTime)
	return nil
}

// refuseStream makes net/http close the connection after the problem. Otherwise net/http
// would read up to 256 KB of each refused stream, and other requests would wait for that.
func refuseStream(c *call, refusal error) error {
	control := http.NewResponseController(c)
	if err := supported(control.EnableFullDuplex()); err != nil {
		return err
	}
	c.Header()["Connection"] = headerClose
	_ = control.SetReadDeadline(time.Unix(1, 0)) // it would only save work
	return refusal
}

var errStopping = busy(http.StatusServiceUnavailable, "stopping", "the service is stopping", time.Second)

// streamQuestion returns the query of a stream.
func (s *Server) streamQuestion(c *call, head *StreamHead) (*sites.Question, error) {
	if len(head.URLs) > 0 {
		return nil, &api.Error{Code: api.CodeInvalid, Field: "urls", Message: "the URLs of a stream are its further lines"}
	}
	if head.Output != "" && head.Output != "answers" && head.Output != "grid" {
		return nil, &api.Error{Code: api.CodeInvalid, Field: "output", Message: "want answers or grid"}
	}
	head.URLs = []string{"/"} // to be checked
	q, err := head.Question(s.config.Limits)
	if err != nil {
		return nil, err
	}
	question := &sites.Question{Dialect: q.Dialect, Crawlers: q.Crawlers, Concurrency: sitesAtOnce, KeptBytes: streamKept}
	if head.Body == nil && head.BodyBase64 == nil {
		question.Client, question.AheadBytes = s.fetcher, streamAhead
		cost := func(size int64) int64 { return fileCost/4*size + crawlerCost*int64(len(q.Crawlers)) } // the size has four bytes for one
		question.Take = func(size int64) error { return c.memory.take(cost(size)) }
		question.Give = func(size int64) { c.memory.give(cost(size)) }
		question.Progress = &charges{s: s, c: c}
		return question, nil
	}
	if err := c.memory.take(fileCost*int64(bodyBytes(&head.CheckRequest)) + crawlerCost*int64(len(q.Crawlers))); err != nil {
		return nil, err
	}
	file, err := head.File(s.config.Limits)
	question.Files = []*answer.File{file}
	return question, err
}

// The memory of a stream.
const (
	streamBytes = 2 << 20 // its buffers, and URLs that are read ahead
	streamAhead = 1 << 20 // URLs that are read ahead
	streamKept  = 1 << 20 // files of earlier URLs; the client and the service keep those of all requests
)

// charges is the sites.Progress of a stream: it counts fetches for the client.
type charges struct {
	s *Server
	c *call
}

func (*charges) Started() {}

func (p *charges) Finished(fetched, _ bool) {
	if fetched {
		p.s.fetches.charge(p.c.client)
	}
}

func (*charges) Answered(float64) {}

// answerLines writes an answer for each line.
func (s *Server) answerLines(ctx context.Context, c *call, q *sites.Question, head *StreamHead, in *lineReader, out *lineWriter) error {
	in.wait = func() error { return s.untilPaid(ctx, c) }
	write := out.answers
	if head.Output == "grid" {
		write = out.grid
	}
	urls := sites.URLs{All: in.urls}
	if q.Client != nil {
		urls.All = withoutUserinfo(in.urls)
	}
	for v, err := range q.Visits(ctx, urls) {
		if err != nil {
			return err
		}
		if v.Err != nil {
			err = out.lineProblem(v)
		} else {
			err = write(ctx, v, len(q.Crawlers))
		}
		if err != nil {
			return err
		}
		s.metrics.verdicts.Inc()
	}
	return nil
}

// withoutUserinfo yields URLs, with an error for those with a user name or password.
func withoutUserinfo(urls iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for url, err := range urls {
			if refused := refuseUserinfo("", origin.Text(url)); err == nil && refused != nil {
				err = &urllist.LineError{Problem: refused.Message, Hint: refused.Hint}
			}
			if !yield(url, err) {
				return
			}
		}
	}
}

// untilPaid waits until the client may cause fetches again.
func (s *Server) untilPaid(ctx context.Context, c *call) error {
	for {
		wait := s.fetches.debt(c.client)
		if wait == 0 {
			return nil
		}
		select {
		case <-time.After(min(wait, time.Second)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
