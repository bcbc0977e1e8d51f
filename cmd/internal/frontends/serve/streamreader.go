package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/origin"
)

// lineReader reads the lines of a stream, with a time limit for each, and in public services for
// all together. Otherwise a client that sends a byte or a line now and then would keep a stream
// open for ever.
type lineReader struct {
	text    *bufio.Reader
	c       *call
	control *http.ResponseController
	cancel  context.CancelCauseFunc
	timeout time.Duration
	isPaced bool // see questionTime
	isLive  bool // the URLs' sites are asked
	max     int  // bytes of a line
	line    int
	ended   chan struct{}
	began   time.Time
	due     time.Time     // the time by which the line must have arrived; zero before it begins
	credit  time.Duration // for which reads can wait, see questionTime
	idle    func()        // called before a read, which can wait
	asked   atomic.Int64  // questions, which are lines that are not blank

	mu           sync.Mutex
	last         bool // no later deadline is set
	before, mark count
}

type count struct {
	at time.Time
	n  int64
}

type lineBody struct{ *lineReader }

// questionTime is the time for which a public service waits for each question of a stream, on
// average. Questions that come early add to the credit of later ones, up to maxCredit, so a
// burst at the beginning does not pay for an hour of silence.
const (
	questionTime = 5 * time.Second
	maxCredit    = 30 * time.Second
)

func (r *lineReader) earn() {
	r.asked.Add(1)
	r.credit = min(r.credit+questionTime, max(maxCredit, r.timeout))
}

// rateTime is the least time over which the rate of a stream is measured. It is measured over
// no more than twice as long, while the stream is read.
const rateTime = 5 * time.Second

func (r *lineReader) rate(now time.Time) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	asked := r.asked.Load()
	if now.Sub(r.mark.at) >= rateTime {
		r.before, r.mark = r.mark, count{now, asked}
	}
	return float64(asked-r.before.n) / now.Sub(r.before.at).Seconds()
}

func (r lineBody) Read(p []byte) (int, error) {
	if r.idle != nil {
		r.idle()
	}
	began := time.Now()
	if r.due.IsZero() {
		r.due = began.Add(r.timeout)
	}
	deadline := r.due
	if r.isPaced {
		deadline = earlier(deadline, began.Add(r.credit))
	}
	r.rate(began)
	if err := supported(r.setDeadline(deadline, false)); err != nil {
		return 0, err
	}
	n, err := r.c.r.Body.Read(p)
	r.credit -= time.Since(began)
	return n, err
}

// cutOff ends the stream within a moment, in which its last line is sent.
func (r *lineReader) cutOff() {
	end := time.Now().Add(discardTime)
	_ = r.setDeadline(end, true) // without deadlines, the stream ends with its connection
	_ = r.control.SetWriteDeadline(end)
}

// setDeadline sets when reads end. After the last deadline it sets no other.
func (r *lineReader) setDeadline(deadline time.Time, last bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last {
		return nil
	}
	r.last = last
	return r.control.SetReadDeadline(deadline)
}

const streamBuffer = 64 << 10

func newLineReader(c *call, control *http.ResponseController, config *Config,
	cancel context.CancelCauseFunc) *lineReader {
	r := &lineReader{ended: make(chan struct{}), c: c, control: control, cancel: cancel, timeout: config.BodyTimeout,
		began: time.Now(), credit: config.BodyTimeout, isPaced: config.isPublic()}
	r.mark.at, r.before.at = r.began, r.began
	r.text = bufio.NewReaderSize(lineBody{r}, streamBuffer)
	// An escape takes six bytes for one.
	if limits := config.Limits.Filled(); limits.TextBytes > 0 {
		r.max = 6*limits.TextBytes + 2
	}
	return r
}

// head returns the first line. It can contain a file, so it can be as long as the body of
// another request.
func (r *lineReader) head(max int) ([]byte, error) {
	text, err := r.next(max)
	if p, ok := errors.AsType[*Problem](err); ok {
		return nil, p
	}
	if err != nil && err != io.EOF {
		return nil, bodyError(err)
	}
	if text == nil {
		return nil, errTooLarge
	}
	return text, nil
}

// next returns the next line without its end, nil if it is longer than max. The text is
// valid until the next call.
func (r *lineReader) next(max int) (text []byte, err error) {
	r.line++
	r.due = time.Time{}
	part, err := r.text.ReadSlice('\n')
	if err == nil && (max <= 0 || len(part) <= max) {
		return bytes.TrimRight(part, "\r\n"), nil
	}
	var whole []byte
	tooLong := false
	for {
		tooLong = tooLong || max > 0 && len(whole)+len(part) > max
		if !tooLong {
			if r.line == 1 { // the memory for further lines is reserved for every stream
				if full := r.c.memory.take(2 * int64(len(part))); full != nil {
					return nil, full
				}
			}
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

func (r *lineReader) urls(yield func(string, error) bool) {
	defer close(r.ended)
	for {
		text, err := r.next(r.max)
		if err != nil && err != io.EOF {
			yield("", bodyError(err))
			return
		}
		if len(text) > 0 || text == nil {
			r.earn()
			if !yield(r.url(text)) {
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
	var url *string // null is not a URL
	if err := json.Unmarshal(text, &url); err != nil || url == nil {
		return "", &urllist.LineError{Line: r.line, Problem: "the line is not a JSON string"}
	}
	if r.isLive {
		if wrong := refuseUserinfo("", origin.Text(*url)); wrong != nil {
			return *url, &urllist.LineError{Line: r.line, Problem: wrong.Message, Hint: wrong.Hint}
		}
	}
	return *url, nil
}

// discardTime is the time for which lines are read after the last answer. If the connection was
// closed at once, the system would reset it, and the client would lose answers.
const discardTime = time.Second

// stop waits until no other goroutine reads, and reads what arrives before the deadline. A
// read that a deadline ends is the last one of the body, so a goroutine that reads ahead
// gets the same deadline.
func (r *lineReader) stop(deadline time.Time) {
	if deadline.IsZero() {
		deadline = time.Unix(1, 0)
	}
	known := r.setDeadline(deadline, true) == nil
	<-r.ended
	if !known {
		return
	}
	for unread := make([]byte, streamBuffer); time.Now().Before(deadline); {
		if _, err := r.c.r.Body.Read(unread); err != nil {
			return
		}
	}
}
