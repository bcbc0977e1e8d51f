package languageserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
)

// maxMessage bounds the size of a message. A document of maxDocument bytes fits, even if each
// byte is escaped.
const maxMessage = 8 << 20

const maxHeader = 4 << 10

// message is a request, a notification or a response of the client.
type message struct {
	ID     json.RawMessage `json:"id"` // nil in a notification
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`

	ctx   context.Context // of a request: until it is answered or cancelled
	uri   string          // of the document that a notification changes
	fault *fault          // why the message could not be read; the other fields are not set
}

// fault is the error of a response.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *fault) Error() string { return f.Message }

// Codes of faults. [JSON-RPC 5.1, LSP 3.17 ErrorCodes]
const (
	parseError       = -32700
	invalidRequest   = -32600
	methodNotFound   = -32601
	invalidParams    = -32602
	internalError    = -32603
	notInitialized   = -32002
	requestCancelled = -32800
	contentModified  = -32801
)

// errTooLarge is returned for a message that was skipped.
var errTooLarge = &fault{invalidRequest, fmt.Sprintf("the message is larger than %d MiB", maxMessage>>20)}

// readHeader reads the header of a message and returns the Content-Length, -1 if it has none.
func readHeader(in *bufio.Reader) (length int, err error) {
	length = -1
	for size := 0; ; {
		line, err := in.ReadSlice('\n')
		if err == io.EOF && size == 0 && len(line) == 0 {
			return 0, io.EOF
		}
		if err == io.EOF {
			return 0, errors.New("the input ends in the header of a message")
		}
		size += len(line)
		if err != nil || size > maxHeader {
			return 0, fmt.Errorf("the header of a message is malformed: %q", line[:min(len(line), 80)])
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return length, nil
		}
		name, value, _ := strings.Cut(string(line), ":")
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		length, err = strconv.Atoi(strings.TrimSpace(value))
		if err != nil || length < 0 {
			return 0, fmt.Errorf("the length of a message is malformed: %q", value)
		}
	}
}

// readMessage reads the content of a message. errTooLarge means that the next message can
// be read; all other errors are final. io.EOF means that there is no further message.
func readMessage(in *bufio.Reader) ([]byte, error) {
	length, err := readHeader(in)
	switch {
	case err != nil:
		return nil, err
	case length < 0:
		return nil, errors.New("the header of a message has no Content-Length")
	case length > maxMessage:
		if _, err := io.CopyN(io.Discard, in, int64(length)); err != nil {
			return nil, err
		}
		return nil, errTooLarge
	}
	// The content is not allocated in advance, because the client might announce more than it
	// sends.
	content, err := io.ReadAll(io.LimitReader(in, int64(length)))
	if err == nil && len(content) < length {
		err = io.ErrUnexpectedEOF
	}
	return content, err
}

// receiver reads the messages of the client ahead of the server.
type receiver struct {
	queue chan *message // closed after the last one
	err   error         // the reason why it ended, set when queue is closed

	mu      sync.Mutex
	pending map[string]context.CancelFunc // by the ID of a request that is not answered
	waiting map[string]int                // changes of a document that are in the queue, by its URI
}

const maxQueue = 16

func newReceiver() *receiver {
	return &receiver{queue: make(chan *message, maxQueue), pending: make(map[string]context.CancelFunc),
		waiting: make(map[string]int)}
}

// run reads until the input or the context ends.
func (r *receiver) run(ctx context.Context, in io.Reader) {
	defer close(r.queue)
	buffered := bufio.NewReaderSize(in, maxHeader)
	for {
		content, err := readMessage(buffered)
		if err != nil && err != error(errTooLarge) {
			r.err = err
			return
		}
		var m *message
		if contained := panics.Contain("a message", nil, func() error { m = parse(content, err); return nil }); contained != nil {
			m = &message{fault: &fault{internalError, contained.Error()}}
		}
		if m.Method == "$/cancelRequest" {
			r.cancel(m.Params)
			continue
		}
		if m.ID != nil && m.Method != "" { // otherwise a response, to a request of the server
			m.ctx = r.begin(ctx, string(m.ID))
		}
		if m.Method == methodChange {
			r.wait(m)
		}
		select {
		case r.queue <- m:
		case <-ctx.Done():
			return
		}
	}
}

func parse(content []byte, err error) *message {
	m := &message{}
	switch {
	case err != nil:
		return &message{fault: errTooLarge}
	case !json.Valid(content):
		return &message{fault: &fault{parseError, "the message is not JSON"}}
	case json.Unmarshal(content, m) != nil || len(m.ID) > 0 && strings.IndexByte(`"-0123456789`, m.ID[0]) < 0:
		return &message{fault: &fault{invalidRequest, "the message is not a request, a notification or a response"}}
	}
	return m
}

// methodChange is the notification of an edit.
const methodChange = "textDocument/didChange"

// wait notes a change that is about to wait in the queue.
func (r *receiver) wait(m *message) {
	var p struct {
		TextDocument struct {
			URI string `json:"uri"`
		} `json:"textDocument"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return // an error when it is handled
	}
	m.uri = p.TextDocument.URI
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[m.uri]++
}

// taken notes that a change is about to be handled.
func (r *receiver) taken(m *message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting[m.uri]--; r.waiting[m.uri] <= 0 {
		delete(r.waiting, m.uri)
	}
}

// isSuperseded reports whether a change of a document waits in the queue. Results for its
// current text are then no longer of use.
func (r *receiver) isSuperseded(uri string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting[uri] > 0
}

func (r *receiver) begin(ctx context.Context, id string) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending[id] = cancel
	return ctx
}

func (r *receiver) end(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.pending[id]; cancel != nil {
		cancel()
		delete(r.pending, id)
	}
}

// cancel cancels the request that the parameters name, if it is not answered yet.
func (r *receiver) cancel(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.pending[string(p.ID)]; cancel != nil {
		cancel()
	}
}

type sender struct {
	mu   sync.Mutex
	out  *bufio.Writer
	last int // the ID of the last request
}

// send writes a message without the field jsonrpc, which it adds.
func (s *sender) send(message map[string]any) error {
	message["jsonrpc"] = "2.0"
	content, err := json.Marshal(message)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n", len(content))
	s.out.Write(content)
	return s.out.Flush() // Flush returns earlier errors of writes
}

func (s *sender) respond(id json.RawMessage, result any, err error) error {
	if err == nil {
		return s.send(map[string]any{"id": id, "result": result})
	}
	f := (*fault)(nil)
	if !errors.As(err, &f) {
		f = &fault{internalError, err.Error()}
	}
	return s.send(map[string]any{"id": id, "error": f})
}

func (s *sender) notify(method string, params any) error {
	return s.send(map[string]any{"method": method, "params": params})
}

// request sends a request whose response is of no interest.
func (s *sender) request(method string, params any) error {
	s.last++
	return s.send(map[string]any{"id": s.last, "method": method, "params": params})
}
