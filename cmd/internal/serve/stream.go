package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
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

// discardTime is how long lines are read after the last answer. If they were not, the
// system would tell the client that the connection is broken, and it would lose answers.
const discardTime = 500 * time.Millisecond

// discard reads lines for a while.
func (r *lineReader) discard() {
	deadline := time.Now().Add(discardTime)
	if r.from.control.SetReadDeadline(deadline) != nil {
		return
	}
	for time.Now().Before(deadline) {
		if _, err := r.from.Reader.Read(make([]byte, streamBuffer)); err != nil {
			return
		}
	}
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

// lineReader reads the lines of a stream.
type lineReader struct {
	text  *bufio.Reader
	from  *timedReader
	max   int // bytes of a line
	line  int
	ended chan struct{}
	idle  func()       // called before a read, which may wait
	wait  func() error // called before a line is handed on
}

// timedReader reads a body with a limit for each wait.
type timedReader struct {
	io.Reader
	control *http.ResponseController
	timeout time.Duration
	of      *lineReader
}

func (r *timedReader) Read(p []byte) (int, error) {
	if r.of.idle != nil {
		r.of.idle()
	}
	if err := r.control.SetReadDeadline(time.Now().Add(r.timeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return r.Reader.Read(p)
}

// streamBuffer is the size of the buffers of a stream.
const streamBuffer = 64 << 10

func newLineReader(body io.Reader, control *http.ResponseController, timeout time.Duration, limits api.Limits) *lineReader {
	r := &lineReader{ended: make(chan struct{})}
	r.from = &timedReader{Reader: body, control: control, timeout: timeout, of: r}
	r.text = bufio.NewReaderSize(r.from, streamBuffer)
	// An escape takes six bytes for one.
	if limits = limits.Filled(); limits.TextBytes > 0 {
		r.max = 6*limits.TextBytes + 2
	}
	return r
}

// head reads the first line. It may contain a file, so it may be as long as a request.
func (r *lineReader) head(max int) (*StreamHead, error) {
	text, err := r.next(max)
	if err != nil && err != io.EOF {
		return nil, bodyError(err)
	}
	if text == nil {
		return nil, errTooLarge
	}
	var head StreamHead
	return &head, api.Read(text, &head)
}

// next returns the next line without its end, nil if it is longer than max. The text is
// valid until the next call.
func (r *lineReader) next(max int) (text []byte, err error) {
	r.line++
	part, err := r.text.ReadSlice('\n')
	if err == nil && (max <= 0 || len(part) <= max) {
		return bytes.TrimRight(part, "\r\n"), nil
	}
	var whole []byte
	tooLong := false
	for {
		if tooLong = tooLong || max > 0 && len(whole)+len(part) > max; !tooLong {
			whole = append(whole, part...)
		}
		if err != bufio.ErrBufferFull {
			break
		}
		part, err = r.text.ReadSlice('\n')
	}
	if tooLong {
		return nil, err
	}
	return append([]byte{}, bytes.TrimRight(whole, "\r\n")...), err
}

// urls yields the URLs of the lines after the first one.
func (r *lineReader) urls(yield func(string, error) bool) {
	defer close(r.ended)
	for {
		text, err := r.next(r.max)
		if err != nil && err != io.EOF {
			yield("", bodyError(err))
			return
		}
		if len(text) > 0 || text == nil {
			url, wrong := r.url(text)
			if unpaid := r.wait(); unpaid != nil {
				yield("", unpaid)
				return
			}
			if !yield(url, wrong) {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// url returns the URL in a line. Its error is a *urllist.LineError.
func (r *lineReader) url(text []byte) (string, error) {
	if text == nil {
		return "", &urllist.LineError{Line: r.line, Problem: "the line is too long"}
	}
	if n := len(text); n >= 2 && text[0] == '"' && text[n-1] == '"' && isPlain(text[1:n-1]) {
		return string(text[1 : n-1]), nil
	}
	var url string
	if err := json.Unmarshal(text, &url); err != nil {
		return "", &urllist.LineError{Line: r.line, Problem: "the line is not a JSON string"}
	}
	return url, nil
}

// isPlain reports whether the content of a JSON string is the string itself.
func isPlain(text []byte) bool {
	ascii := true
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.Valid(text)
}

// lineWriter writes the lines of the response. Lines are sent when there are many of them,
// or a moment after the service has begun to wait for lines or sites.
type lineWriter struct {
	c       *call
	control *http.ResponseController
	timeout time.Duration
	failed  func(error)

	mu     sync.Mutex
	text   []byte
	timer  *time.Timer
	armed  bool
	closed bool
	err    error
	// yielded is the length of text when other requests had their turn.
	yielded int
	row     wire.GridRow
}

// flushDelay is how long answers are kept for further ones.
const flushDelay = 2 * time.Millisecond

// yieldBytes is how much is written until other requests have their turn.
const yieldBytes = 8 << 10

// answers writes the answers for a URL.
func (w *lineWriter) answers(v *answer.Visit, crawlers int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range crawlers {
		a := v.Answer(i)
		var err error
		if w.text, err = a.AppendJSON(w.text); err != nil {
			return err
		}
		w.text = append(w.text, '\n')
		if len(w.text) < streamBuffer {
			continue
		}
		if w.send(); w.err != nil { // the answers for one URL may be many, and long
			return w.err
		}
	}
	return w.sendIfMuch()
}

// grid writes the verdicts for a URL in one line.
func (w *lineWriter) grid(v *answer.Visit, crawlers int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.row.URL, w.row.ComparedURL, w.row.RobotsURL = v.URL, "", ""
	if v.Compared != v.URL {
		w.row.ComparedURL = v.Compared
	}
	if v.Ruling.Site != nil {
		w.row.RobotsURL = v.Ruling.Site.RobotsURL
	}
	w.row.Answers = w.row.Answers[:0]
	for i := range crawlers {
		verdict, line := v.Verdict(i)
		w.row.Answers = append(w.row.Answers, wire.GridAnswer{Agent: v.Ruling.Crawler(i).Name, Verdict: verdict, Line: line})
	}
	var err error
	if w.text, err = w.row.AppendJSON(w.text); err != nil {
		return err
	}
	w.text = append(w.text, '\n')
	return w.sendIfMuch()
}

// lineProblem writes why a line has no answer.
func (w *lineWriter) lineProblem(v *answer.Visit) error {
	p := problem(http.StatusUnprocessableEntity, string(api.CodeInvalid), v.Err.Error(), "")
	if wrong, ok := errors.AsType[*urllist.LineError](v.Err); ok {
		p.Line = wrong.Line
	} else {
		p.Detail, p.Hint = "the URL has no valid host: "+v.Err.Error(), "give URLs with a host, or the robots.txt in the first line"
	}
	return w.problem(p)
}

// problem writes a problem as a line.
func (w *lineWriter) problem(p *Problem) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	w.text = append(append(w.text, text...), '\n')
	return w.sendIfMuch()
}

// sendIfMuch sends the lines if there are many. The caller holds the lock.
func (w *lineWriter) sendIfMuch() error {
	if len(w.text) >= streamBuffer {
		w.send()
	}
	// The scheduler would let each stream compute for ten milliseconds, and requests wait
	// for all of them.
	if done := len(w.text) - w.yielded; done >= yieldBytes || done < 0 {
		w.yielded = len(w.text)
		runtime.Gosched()
	}
	return w.err
}

// send sends the lines. The caller holds the lock.
func (w *lineWriter) send() {
	if len(w.text) == 0 || w.err != nil || w.closed {
		return
	}
	if err := w.control.SetWriteDeadline(time.Now().Add(w.timeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		w.err = err
	}
	if _, err := w.c.Write(w.text); err != nil {
		w.err = err
	} else if err := w.control.Flush(); err != nil {
		w.err = err
	}
	w.text = w.text[:0]
	if w.err != nil {
		w.failed(w.err)
	}
}

// idle is called before a wait.
func (w *lineWriter) idle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.text) == 0 || w.armed || w.closed {
		return
	}
	w.armed = true
	if w.timer == nil {
		w.timer = time.AfterFunc(flushDelay, w.expire)
		return
	}
	w.timer.Reset(flushDelay)
}

// expire sends the lines at the end of the delay.
func (w *lineWriter) expire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	w.send()
}

// flush sends the lines.
func (w *lineWriter) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.send()
	return w.err
}

// close ends the writer: nothing is sent afterwards.
func (w *lineWriter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
}
