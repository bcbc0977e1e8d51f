package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
)

// lineReader reads the lines of a stream, with a time limit for each. Otherwise a client that
// sends a byte now and then would keep a stream open for ever.
type lineReader struct {
	text    *bufio.Reader
	c       *call
	control *http.ResponseController
	timeout time.Duration
	max     int // bytes of a line
	line    int
	ended   chan struct{}
	began   bool         // the deadline of the line is set
	idle    func()       // called before a read, which may wait
	wait    func() error // called before a line is handed on

	mu   sync.Mutex
	last bool // no later deadline is set
}

// lineBody is the body of the request, as the buffer of a lineReader reads it.
type lineBody struct{ *lineReader }

func (r lineBody) Read(p []byte) (int, error) {
	if r.idle != nil {
		r.idle()
	}
	if !r.began {
		if err := supported(r.setDeadline(time.Now().Add(r.timeout), false)); err != nil {
			return 0, err
		}
		r.began = true
	}
	return r.c.r.Body.Read(p)
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

// streamBuffer is the size of the buffers of a stream.
const streamBuffer = 64 << 10

func newLineReader(c *call, control *http.ResponseController, timeout time.Duration, limits api.Limits) *lineReader {
	r := &lineReader{ended: make(chan struct{}), c: c, control: control, timeout: timeout}
	r.text = bufio.NewReaderSize(lineBody{r}, streamBuffer)
	// An escape takes six bytes for one.
	if limits = limits.Filled(); limits.TextBytes > 0 {
		r.max = 6*limits.TextBytes + 2
	}
	return r
}

// head reads the first line. It may contain a file, so it may be as long as the body of
// another request.
func (r *lineReader) head(max int) (*StreamHead, error) {
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
	var head StreamHead
	return &head, read(r.c, text, &head)
}

// next returns the next line without its end, nil if it is longer than max. The text is
// valid until the next call.
func (r *lineReader) next(max int) (text []byte, err error) {
	r.line++
	r.began = false
	part, err := r.text.ReadSlice('\n')
	if err == nil && (max <= 0 || len(part) <= max) {
		return bytes.TrimRight(part, "\r\n"), nil
	}
	var whole []byte
	tooLong := false
	for {
		if tooLong = tooLong || max > 0 && len(whole)+len(part) > max; !tooLong {
			if r.line == 1 { // the memory for further lines is that of any stream
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

// discardTime is how long lines are read after the last answer. If the connection was
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
