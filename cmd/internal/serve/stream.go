package serve

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
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
// length; the memory for them is bounded, because lines are read no faster than answers
// are.
func (s *Server) stream(c *call) error {
	done := s.clients.openStream(c.client, s.config.ClientStreams)
	if done == nil {
		return refuseStream(c, busy(http.StatusTooManyRequests, "client-streams", "this client has too many streams", 5*time.Second))
	}
	defer done()
	select {
	case s.streams <- struct{}{}:
	default:
		return refuseStream(c, busy(http.StatusServiceUnavailable, "streams", "there are too many streams", 5*time.Second))
	}
	defer s.streams.leave()
	s.metrics.streams.Inc()
	defer s.metrics.streams.Dec()
	hold(c.r)
	boundArrived(c.r)
	control := http.NewResponseController(c)
	if err := control.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	in := newLineReader(c.r.Body, control, s.config.BodyTimeout, s.config.Limits)
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
	out := &lineWriter{c: c, control: control, timeout: s.config.WriteTimeout, failed: cancel}
	defer out.close()
	c.Header()["Content-Type"] = []string{typeLines}
	c.status = http.StatusOK
	question.Idle, in.idle = out.idle, out.idle
	err = s.answerLines(ctx, c, question, head, in, out)
	// The lines may still be read ahead, in another goroutine.
	_ = control.SetReadDeadline(time.Unix(1, 0))
	<-in.ended
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
	in.discard()
	return nil
}

// refuseStream lets net/http close the connection after the problem. Otherwise it would read
// 256 KB of each stream that is refused, and other requests would wait for that.
func refuseStream(c *call, p *Problem) error {
	control := http.NewResponseController(c)
	if err := control.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	c.Header()["Connection"] = headerClose
	_ = control.SetReadDeadline(time.Unix(1, 0)) // it would only save work
	return p
}

var errStopping = busy(http.StatusServiceUnavailable, "stopping", "the service is stopping", time.Second)

// streamQuestion returns the query of a stream.
func (s *Server) streamQuestion(c *call, head *StreamHead) (*ask.Question, error) {
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
	question := &ask.Question{Dialect: q.Dialect, Crawlers: q.Crawlers, Concurrency: sitesAtOnce, KeptBytes: streamKept}
	if head.Body == nil && head.BodyBase64 == nil {
		question.Client = s.fetcher
		question.Progress = &charges{s: s, c: c}
		return question, nil
	}
	file, err := head.File(s.config.Limits)
	question.Files = []*answer.File{file}
	return question, err
}

// streamKept is the memory for files that a stream keeps. The client and the service keep
// the files of all requests.
const streamKept = 4 << 20

// charges is the ask.Progress of a stream: it counts fetches for the client.
type charges struct {
	s *Server
	c *call
}

func (*charges) Started() {}

func (p *charges) Finished(fetched, _ bool) {
	if fetched && p.s.config.ClientFetchRate > 0 {
		charge(p.s.clients.of(p.c.client).fetches, time.Now())
	}
}

func (*charges) Answered(float64) {}

// answerLines writes the answers to the lines.
func (s *Server) answerLines(ctx context.Context, c *call, q *ask.Question, head *StreamHead, in *lineReader, out *lineWriter) error {
	in.wait = func() error { return s.untilPaid(ctx, c) }
	write := out.answers
	if head.Output == "grid" {
		write = out.grid
	}
	for v, err := range q.Visits(ctx, ask.URLs{All: in.urls}) {
		if err != nil {
			return err
		}
		if v.Err != nil {
			err = out.lineProblem(v)
		} else {
			err = write(v, len(q.Crawlers))
		}
		if err != nil {
			return err
		}
		s.metrics.verdicts.Inc()
	}
	return nil
}

// untilPaid waits while the client has caused too many fetches.
func (s *Server) untilPaid(ctx context.Context, c *call) error {
	for s.config.ClientFetchRate > 0 {
		wait := debt(s.clients.of(c.client).fetches, time.Now())
		if wait <= 0 {
			break
		}
		select {
		case <-time.After(min(wait, time.Second)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
