package serve

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// StreamHead is the first line of a stream of URLs. Each further line is a URL as a JSON
// string. The lines of the response are in the order of the URLs.
type StreamHead struct {
	calls.CheckRequest

	// Output is answers, a line for each URL and crawler, or grid, a line for each URL with
	// the verdict and the line for each crawler. Default: answers.
	Output string `json:"output,omitempty" enum:"answers,grid" doc:"answers: a line for each URL and crawler. grid: a line for each URL, with the verdict and the deciding line for each crawler. Default: answers."`
}

// stream answers a stream of URLs while it arrives. Requests and answers can have any
// length: memory is bounded, because lines are read no faster than answers are sent.
func (s *Server) stream(c *call) error {
	place := s.streams.budget.lend(c.client)
	defer place.end()
	if err := place.await(c.r.Context(), 1, true, turnWait); err != nil {
		return refuseStream(c, err)
	}
	control := http.NewResponseController(c)
	ctx, cancel := context.WithCancelCause(c.r.Context())
	defer cancel(nil)
	in := newLineReader(c, control, &s.config, cancel)
	defer s.streams.begin(in, &place)()
	if err := c.memory.take(streamBytes); err != nil {
		return refuseStream(c, err)
	}
	s.metrics.streams.Inc()
	defer s.metrics.streams.Dec()
	mark(c, answering)
	allowArrived(c)
	if err := supported(control.EnableFullDuplex()); err != nil {
		return err
	}
	defer context.AfterFunc(s.stopped, func() { cancel(errStopping) })()
	if s.config.StreamTimeout > 0 {
		defer time.AfterFunc(s.config.StreamTimeout, func() { cancel(errLongStream) }).Stop()
	}
	defer context.AfterFunc(ctx, in.cutOff)()
	text, err := in.head(int(s.config.MaxRequestBytes))
	head := new(StreamHead)
	if err == nil {
		err = s.decode(ctx, c, text, head)
	}
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	question, err := s.streamQuestion(c, head)
	if err != nil {
		return err
	}
	out := &lineWriter{c: c, control: control, timeout: s.config.WriteTimeout, failed: cancel}
	c.turn = turn{loan: s.work.lend(c.client)}
	defer out.close()
	// A deadline in the past ends the reader of the lines, and with it the connection:
	// the client must not send its next request there.
	c.Header()["Connection"] = headerClose
	c.Header()["Content-Type"] = []string{typeLines}
	c.status = http.StatusOK
	question.Idle = out.idle
	in.idle = out.idle
	err = s.answerLines(ctx, c, question, head, in, out)
	rest, err := endStream(ctx, c, out, err)
	in.stop(rest)
	return err
}

// endStream ends the answers, with the problem if there was one. It returns the time until
// which lines are still read, without answers.
func endStream(ctx context.Context, c *call, out *lineWriter, err error) (rest time.Time, _ error) {
	if err == nil {
		return rest, out.flush()
	}
	p, known := asProblem(context.Cause(ctx))
	if !known {
		p, known = asProblem(err)
	}
	if known {
		c.code = p.Code
	}
	if !known || out.problem(p) != nil || out.flush() != nil {
		return rest, http.ErrAbortHandler
	}
	return time.Now().Add(discardTime), nil
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

// Reasons why the service ends a stream.
var (
	errStopping   = busy(http.StatusServiceUnavailable, "stopping", "the service is stopping", time.Second)
	errLongStream = busy(http.StatusServiceUnavailable, "stream-timeout", "the stream has reached its time limit: send the rest in another one", time.Second)
	errGaveWay    = busy(http.StatusServiceUnavailable, "streams", "there are too many streams, and this one was the slowest", busyTime)
)

// streams are the streams that are open. If there are too many, the slowest one gives way to
// another client's stream, so clients that ask only now and then cannot keep others out.
type streams struct {
	*budget
	open map[*lineReader]*loan
}

// streamGrace is the time for which a stream need not give way.
const streamGrace = 2 * time.Second

func newStreams(c *Config) *streams {
	s := &streams{newBudget(int64(c.MaxStreams), int64(c.ClientStreams), c.isPublic(), noStream),
		make(map[*lineReader]*loan)}
	s.relieve = s.giveWay
	return s
}

func (s *streams) begin(in *lineReader, place *loan) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[in] = place
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, in)
	}
}

// giveWay ends the stream with the lowest recent rate of questions, if a request that waits
// gets its place.
func (s *streams) giveWay() {
	if s.used < s.limit || !slices.ContainsFunc(s.first, s.isNext) {
		return
	}
	least := math.Inf(1)
	now := time.Now()
	var slowest *lineReader
	for in := range s.open {
		if rate := in.rate(now); now.Sub(in.began) > streamGrace && rate < least {
			slowest, least = in, rate
		}
	}
	if slowest != nil {
		slowest.cancel(errGaveWay)
		s.remove(s.open[slowest], 1)
		delete(s.open, slowest)
	}
}

// isNext reports whether a request that waits gets the place of a stream of another client.
func (s *streams) isNext(w *waiter) bool {
	s.used--
	defer func() { s.used++ }()
	return s.refusal(w.loan, w.n) == nil
}

func (s *Server) streamQuestion(c *call, head *StreamHead) (*sites.Question, error) {
	if len(head.URLs) > 0 {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "urls", Message: "send the URLs of a stream as the lines after the first"}
	}
	if head.Output != "" && head.Output != "answers" && head.Output != "grid" {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "output", Message: "use answers or grid"}
	}
	head.URLs = []string{"/"} // to be checked
	q, err := head.Question(s.config.Limits)
	if err != nil {
		return nil, err
	}
	question := &sites.Question{Dialect: q.Dialect, Crawlers: q.Crawlers, Concurrency: sitesAtOnce,
		KeptBytes: streamKept, AsSent: q.AsSent}
	if head.Body == nil && head.BodyBase64 == nil {
		question.Client = s.fetcher
		question.RobotsOf = s.paidRobots(c.client)
		// the size has four bytes for one
		cost := func(size int64) int64 { return fileCost/4*size + crawlerCost*int64(len(q.Crawlers)) }
		question.Take = func(size int64) error { return c.memory.take(cost(size)) }
		question.Give = func(size int64) { c.memory.give(cost(size)) }
		return question, nil
	}
	if err := c.memory.take(fileCost*int64(bodyBytes(&head.CheckRequest)) +
		crawlerCost*int64(len(q.Crawlers))); err != nil {
		return nil, err
	}
	if len(head.Files) > 0 {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "files", Message: "a stream has one file", Hint: "omit the body: the service fetches the robots.txt of each URL's site"}
	}
	file, site, err := head.File(s.config.Limits)
	question.Files = []*answer.File{file}
	question.Site = site
	return question, err
}

// The memory of a stream.
const (
	streamBytes = 2 << 20 // its buffers and the URLs that are read ahead
	// files of earlier URLs, and as much for URLs read ahead; the client and the service keep the
	// files of all requests
	streamKept = 1 << 20
)

func (s *Server) answerLines(ctx context.Context, c *call, q *sites.Question, head *StreamHead, in *lineReader,
	out *lineWriter) error {
	write := out.answers
	if head.Output == "grid" {
		write = out.grid
	}
	in.isLive = q.Client != nil
	for v, err := range q.Visits(ctx, sites.URLs{All: in.urls}) {
		if err != nil {
			return err
		}
		if v.Err == nil {
			err = panics.Contain(v.URL, &v.Ruling.File.Text, func() error { return write(ctx, v, len(q.Crawlers)) })
			if term.TraceOf(err) != "" {
				v.Err, err = err, nil
			}
		}
		if trace := term.TraceOf(v.Err); trace != "" {
			s.config.Logger.ErrorContext(ctx, "a line of a stream has no answer", "error", v.Err, "stack", trace)
		}
		if err == nil && v.Err != nil {
			err = out.lineProblem(v)
		}
		if err != nil {
			return err
		}
		s.metrics.verdicts.Inc()
	}
	return nil
}
