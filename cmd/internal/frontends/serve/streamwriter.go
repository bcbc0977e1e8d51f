package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// lineWriter writes the lines of the response. It sends them when there are many, or a
// moment after the service has begun to wait for lines or sites.
type lineWriter struct {
	c       *call
	control *http.ResponseController
	timeout time.Duration
	failed  func(error)

	mu     sync.Mutex // guards the turn of the request too
	text   []byte
	timer  *time.Timer // set while lines wait to be sent with others
	closed bool
	err    error
	// yielded is the length of text when the turn was last passed.
	yielded int
	row     wire.GridRow
}

// flushDelay is the time for which lines are kept so that others can be sent with
// them.
const flushDelay = 2 * time.Millisecond

// yieldBytes is the number of bytes that are written before other requests have their
// turn.
const yieldBytes = 8 << 10

func (w *lineWriter) answers(ctx context.Context, v *answer.Visit, crawlers int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range crawlers {
		if err := w.c.turn.pass(ctx); err != nil {
			return err
		}
		a := v.Answer(i)
		var err error
		w.text, err = a.AppendJSON(w.text)
		if err != nil {
			return err
		}
		w.text = append(w.text, '\n')
		if len(w.text) < streamBuffer {
			continue
		}
		if w.send(); w.err != nil { // the answers for one URL can be many, and long
			return w.err
		}
	}
	return w.sendIfMuch()
}

func (w *lineWriter) grid(ctx context.Context, v *answer.Visit, crawlers int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	v.BeginRow(&w.row)
	for i := range crawlers {
		if err := w.c.turn.pass(ctx); err != nil {
			return err
		}
		w.row.Answers = append(w.row.Answers, v.GridAnswer(i))
	}
	var err error
	w.text, err = w.row.AppendJSON(w.text)
	if err != nil {
		return err
	}
	w.text = append(w.text, '\n')
	return w.sendIfMuch()
}

func (w *lineWriter) lineProblem(v *answer.Visit) error {
	p := problem(http.StatusUnprocessableEntity, string(calls.CodeInvalid), v.Err.Error(), "")
	if wrong, ok := errors.AsType[*urllist.LineError](v.Err); ok {
		p.Line = wrong.Line
		p.Hint = wrong.Hint
	} else if term.TraceOf(v.Err) != "" {
		p = internalError // its text is in the log
	} else {
		p.Detail, p.Hint = "the URL has no valid host: "+v.Err.Error(), "give URLs with a host, or the robots.txt in the first line"
	}
	return w.problem(p)
}

func (w *lineWriter) problem(p *Problem) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	text, _ := json.Marshal(p) // these types have no error
	w.text = append(append(w.text, text...), '\n')
	return w.sendIfMuch()
}

// sendIfMuch sends the lines if there are many. The caller holds the lock.
func (w *lineWriter) sendIfMuch() error {
	if len(w.text) >= streamBuffer {
		w.send()
	}
	// Go's scheduler would let each stream compute for ten milliseconds, and requests
	// would wait for all of them.
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
	w.err = supported(w.control.SetWriteDeadline(time.Now().Add(w.timeout)))
	if w.err == nil {
		_, w.err = w.c.write(w.text)
	}
	if w.err == nil {
		w.err = w.control.Flush()
	}
	w.text = w.text[:0]
	if w.err != nil {
		w.failed(w.err)
	}
}

func (w *lineWriter) idle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.c.turn.end()
	if len(w.text) > 0 && w.timer == nil && !w.closed {
		w.timer = time.AfterFunc(flushDelay, w.expire)
	}
}

func (w *lineWriter) expire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = nil
	w.send()
}

func (w *lineWriter) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.send()
	return w.err
}

// close ends the writer: it sends nothing afterwards.
func (w *lineWriter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.c.turn.end()
	if w.timer != nil {
		w.timer.Stop()
	}
}
