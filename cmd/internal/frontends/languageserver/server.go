package languageserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/lint/editor"
)

// Config configures a server.
type Config struct {
	// Settings returns a new finder of the settings of files. It is called at the start
	// and whenever a settings file might have changed.
	Settings func() (*lintconfig.Finder, error)

	// Committed returns a file, given by its name, as it was in the last commit; ok is
	// false if that is unknown. Default: nil, no file is known.
	Committed func(ctx context.Context, name string) (body []byte, ok bool)

	Version string // the program's version, for the client
}

// ErrNoShutdown is returned by Serve if the client ends the session without the request
// shutdown.
var ErrNoShutdown = errors.New("the client ended the session without the request shutdown")

// Serve serves one client until it sends the notification exit or its input ends. The
// error is nil if the client sent the request shutdown before. Serve returns other
// errors if a write fails, or if no message can be found after malformed input. Serve
// reads ahead: when it returns, a read might still be waiting, until the input ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, config Config) error {
	s := newServer(out, config)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go s.run(ctx, in)
	return s.loop()
}

func newServer(out io.Writer, config Config) *server {
	return &server{config: config, receiver: newReceiver(), sender: &sender{out: bufio.NewWriter(out)},
		documents: make(map[string]*document)}
}

// loop handles messages until the session ends.
func (s *server) loop() error {
	defer s.running.Wait()
	for {
		if len(s.queue) == 0 {
			if err := s.publish(); err != nil {
				return err
			}
		}
		m, more := <-s.queue
		switch {
		case !more && s.err != io.EOF && s.err != nil:
			return s.err
		case !more || m.Method == "exit" && m.ID == nil:
			if s.phase != shutDown {
				return ErrNoShutdown
			}
			return nil
		}
		if err := s.handle(m); err != nil {
			return err
		}
	}
}

type server struct {
	*receiver
	*sender
	running sync.WaitGroup // computes later results
	config  Config
	phase   phase

	encoding  editor.Encoding
	versioned bool // the client takes edits of a version of a document
	resolves  bool // the client requests the edits of an action when it is chosen
	watches   bool // the client can be asked to watch files

	settings  *lintconfig.Finder
	documents map[string]*document // by URI
	checks    int                  // how often a text was checked
	stale     []*document          // whose diagnostics must be published, in the order of their changes
}

// phase is the last of these messages from the client.
type phase int

const (
	created     phase = iota
	initialized       // the request initialize
	shutDown          // the request shutdown
)

// requests and notifications are the messages that the server handles besides initialize,
// shutdown and exit.
var (
	requests = map[string]func(*server, context.Context, json.RawMessage) (any, error){
		"textDocument/hover":               about((*server).hover),
		"textDocument/completion":          about((*server).completion),
		"textDocument/documentSymbol":      about((*server).documentSymbol),
		"textDocument/foldingRange":        about((*server).foldingRange),
		"textDocument/semanticTokens/full": about((*server).semanticTokens),
		"textDocument/codeAction":          about((*server).codeAction),
		"textDocument/codeLens":            about((*server).codeLens),
		"codeAction/resolve":               (*server).resolve,
		"textDocument/formatting":          about((*server).formatting),
	}
	notifications = map[string]func(*server, json.RawMessage) error{
		"initialized":                      (*server).initialized,
		"textDocument/didOpen":             noticed((*server).didOpen),
		methodChange:                       noticed((*server).didChange),
		"textDocument/didSave":             noticed((*server).didSave),
		"textDocument/didClose":            noticed((*server).didClose),
		"workspace/didChangeConfiguration": (*server).reconfigure,
		"workspace/didChangeWatchedFiles":  (*server).reconfigure,
	}
)

// about returns a handler for a request about the text of an open document. It makes the
// document's view first. The result is null if the document is not open or its text is
// unknown, and an error if a change of the document waits.
func about[P any, D interface {
	*P
	uri() string
}](
	do func(*server, context.Context, *document, D) (any, error),
) func(*server, context.Context, json.RawMessage) (any, error) {
	return func(s *server, ctx context.Context, params json.RawMessage) (any, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		d := s.documents[D(p).uri()]
		if d == nil || d.unknown != "" {
			return nil, nil
		}
		if s.isSuperseded(d.uri) {
			return nil, errModified
		}
		if err := s.open(d); err != nil {
			return nil, err
		}
		return do(s, ctx, d, p)
	}
}

// noticed returns a notification with parameters.
func noticed[P any](do func(*server, *P) error) func(*server, json.RawMessage) error {
	return func(s *server, params json.RawMessage) error {
		p, err := decode[P](params)
		if err != nil {
			return err
		}
		return do(s, p)
	}
}

// handle answers a message. It returns the error of a failed write.
func (s *server) handle(m *message) error {
	switch {
	case m.fault != nil:
		if m.fault == errTooLarge { // perhaps a change of any document
			for _, d := range s.documents {
				d.forget("a change was larger than the language server accepts; close the file and open it again")
				s.changed(d)
			}
		}
		return s.respond(nil, nil, m.fault)
	case m.Method == "": // a response
		return nil
	case m.ID == nil:
		return s.notified(m)
	}
	var result any
	err := panics.Contain(m.Method, nil, func() (err error) { result, err = s.answer(m); return err })
	if compute, ok := result.(later); ok {
		s.running.Go(func() {
			var result any
			err := panics.Contain(m.Method, nil, func() (err error) { result, err = compute(); return err })
			_ = s.finish(m, result, err) // a later write of the server fails too
		})
		return nil
	}
	return s.finish(m, result, err)
}

func (s *server) finish(m *message, result any, err error) error {
	defer s.end(string(m.ID))
	switch {
	case m.ctx.Err() != nil:
		err = &fault{requestCancelled, "the request was cancelled"}
	case errors.Is(err, context.Canceled):
		err = errModified
	case term.TraceOf(err) != "":
		if err := s.logFault(err); err != nil {
			return err
		}
	}
	return s.respond(m.ID, result, err)
}

// errModified is returned for a request about a text that has changed since.
var errModified = &fault{contentModified, "the text has changed"}

func (s *server) answer(m *message) (any, error) {
	do, known := requests[m.Method]
	switch {
	case m.ctx.Err() != nil:
		return nil, m.ctx.Err()
	case m.Method == "initialize" && s.phase == created:
		return s.initialize(m.Params)
	case s.phase == created:
		return nil, &fault{notInitialized, "the first request must be initialize"}
	case m.Method == "initialize" || s.phase == shutDown:
		return nil, &fault{invalidRequest, "the request is not possible now: " + m.Method}
	case m.Method == "shutdown":
		s.phase = shutDown
		return nil, nil
	case !known:
		return nil, &fault{methodNotFound, "there is no request " + m.Method}
	}
	return do(s, m.ctx, m.Params)
}

// notified handles a notification. A notification has no response, so the client logs
// errors in its parameters.
func (s *server) notified(m *message) error {
	if m.Method == methodChange {
		s.taken(m)
	}
	do := notifications[m.Method]
	if do == nil || s.phase != initialized {
		return nil
	}
	err := panics.Contain(m.Method, nil, func() error { return do(s, m.Params) })
	if term.TraceOf(err) != "" {
		return s.logFault(err)
	}
	if f := (*fault)(nil); errors.As(err, &f) {
		return s.notify("window/logMessage", map[string]any{"type": messageError, "message": m.Method + ": " + f.Message})
	}
	return err
}

// logFault sends an internal error with its stack to the log of the client.
func (s *server) logFault(err error) error {
	return s.notify("window/logMessage", map[string]any{"type": messageError, "message": err.Error() + "\n" + term.TraceOf(err)})
}

func (s *server) initialize(params json.RawMessage) (any, error) {
	p, err := decode[initializeParams](params)
	if err != nil {
		return nil, err
	}
	if slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8") {
		s.encoding = editor.UTF8
	}
	s.versioned = p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.resolves = slices.Contains(p.Capabilities.TextDocument.CodeAction.ResolveSupport.Properties, "edit")
	s.phase = initialized
	return s.capabilities(), nil
}

func (s *server) initialized(json.RawMessage) error {
	if !s.watches {
		return nil
	}
	type object = map[string]any
	return s.request("client/registerCapability", object{"registrations": []object{{
		"id": "settings", "method": "workspace/didChangeWatchedFiles",
		"registerOptions": object{"watchers": []object{{"globPattern": "**/" + lintconfig.Name}}},
	}}})
}

// reconfigure reads the settings again and checks all documents.
func (s *server) reconfigure(json.RawMessage) error {
	s.settings = nil
	for _, d := range s.documents {
		d.reset()
		s.changed(d)
	}
	return nil
}

func (s *server) show(kind int, text string) error {
	return s.notify("window/showMessage", map[string]any{"type": kind, "message": text})
}
