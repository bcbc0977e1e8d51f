package languageserver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/lint/editor"
)

const maxDocuments = 256

// maxDocument is the size of a document that is checked, in bytes. The page and the service have the
// same limit.
var maxDocument = calls.Limits{}.Filled().BodyBytes

// typingSteps is the budget of the search for rules that decide nothing while a text is
// edited, about 10 ms. When a document is opened or saved, the budget is the same as
// for "robots lint".
const typingSteps = 50_000

type document struct {
	uri     string
	version int
	body    []byte
	unknown string // the reason why the text is not known or not checked, or ""

	edited bool // since it was opened or saved
	config lint.Config
	view   *editor.Document // of body, with config; nil until open makes it

	stop context.CancelFunc // of the computation of lenses; nil before the first one
}

// reset makes sure that the text is checked again.
func (d *document) reset() {
	d.view = nil
	d.cancel()
}

// forget drops the text.
func (d *document) forget(reason string) {
	d.body, d.unknown = nil, reason
	d.reset()
}

func (d *document) set(body []byte) {
	d.body, d.unknown = body, ""
	d.reset()
	if len(body) > maxDocument {
		d.forget(fmt.Sprintf("the file is larger than %s bytes and is not checked; close it and open it again when it is smaller",
			term.Thousands(maxDocument)))
	}
}

// path returns the name of the file, "" if the document is not a file of this machine.
func (d *document) path() string {
	u, err := url.Parse(d.uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	name := u.Path
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/") // /c:/site/robots.txt
	}
	return filepath.FromSlash(name)
}

// open makes the view of a document, unless it has one of its text. It returns an error if
// a write fails.
func (s *server) open(d *document) error {
	if d.view != nil {
		return nil
	}
	config, err := s.lintConfig(d)
	d.config = config
	if d.edited {
		config.Steps = typingSteps
	}
	s.checks++
	d.view = editor.New(d.body, editor.Config{Lint: config, Encoding: s.encoding})
	if err == nil {
		return nil
	}
	text := err.Error()
	if hint := term.HintOf(err); hint != "" {
		text += "; " + hint
	}
	return s.show(messageError, text)
}

// lintConfig returns the settings of a document. If a settings file is invalid, lintConfig
// returns its error once, and uses the other settings.
func (s *server) lintConfig(d *document) (lint.Config, error) {
	name := d.path()
	var settings lintconfig.Settings
	var err error
	if s.settings == nil {
		s.settings, err = s.config.Settings()
		if err != nil {
			s.settings = &lintconfig.Finder{None: true}
		}
	}
	if err == nil {
		settings, err = s.settings.For(name)
	}
	if errors.Is(err, lintconfig.ErrRepeated) {
		err = nil
	}
	config := settings.Config()
	if name != "" {
		config.File = filepath.Base(name)
	}
	return config, err
}

func (s *server) didOpen(p *documentParams) error {
	d := &document{uri: p.TextDocument.URI, version: p.TextDocument.Version}
	if s.documents[d.uri] == nil && len(s.documents) >= maxDocuments {
		return s.show(messageWarning, fmt.Sprintf("more than %d files are open; %s is not checked", maxDocuments, d.uri))
	}
	if before := s.documents[d.uri]; before != nil {
		before.cancel()
	}
	d.set([]byte(p.TextDocument.Text))
	s.documents[d.uri] = d
	s.changed(d)
	return nil
}

func (s *server) didChange(p *changeParams) error {
	d := s.documents[p.uri()]
	if d == nil {
		return nil
	}
	whole := editor.Range{End: editor.Position{Line: math.MaxInt}}
	var edits []editor.Edit
	for _, change := range p.ContentChanges {
		switch {
		case change.Range != nil:
			edits = append(edits, editor.Edit{Range: *change.Range, New: change.Text})
		default:
			edits, d.unknown = []editor.Edit{{Range: whole, New: change.Text}}, ""
		}
	}
	d.version, d.edited = p.TextDocument.Version, true
	if d.unknown == "" {
		d.set(editor.Apply(d.body, s.encoding, edits))
	}
	s.changed(d)
	return nil
}

// didSave checks a document again, with the budget of "robots lint" and the settings as they
// are now, because some clients do not watch files.
func (s *server) didSave(p *documentParams) error {
	if d := s.documents[p.uri()]; d != nil {
		s.settings, d.edited = nil, false
		d.reset()
		s.changed(d)
	}
	return nil
}

func (s *server) didClose(p *documentParams) error {
	d := s.documents[p.uri()]
	if d == nil {
		return nil
	}
	d.cancel()
	delete(s.documents, d.uri)
	s.stale = slices.DeleteFunc(s.stale, func(other *document) bool { return other.uri == d.uri })
	return s.notify("textDocument/publishDiagnostics", map[string]any{"uri": d.uri, "diagnostics": []diagnostic{}})
}

func (p *documentParams) uri() string { return p.TextDocument.URI }

// changed notes that the diagnostics of a document must be published.
func (s *server) changed(d *document) {
	s.stale = append(slices.DeleteFunc(s.stale, func(other *document) bool { return other.uri == d.uri }), d)
}

// publish sends the diagnostics of changed documents, until another message waits.
func (s *server) publish() error {
	for len(s.stale) > 0 && len(s.queue) == 0 {
		d := s.stale[0]
		s.stale = s.stale[1:]
		var found []diagnostic
		err := panics.Contain(d.uri, &d.body, func() (err error) { found, err = s.diagnostics(d); return err })
		if term.TraceOf(err) != "" {
			found = []diagnostic{{Severity: severities[lint.Error], Source: source, Message: err.Error()}}
			err = s.logFault(err)
		}
		if err != nil {
			return err
		}
		if err := s.notify("textDocument/publishDiagnostics", map[string]any{"uri": d.uri, "version": d.version, "diagnostics": found}); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) diagnostics(d *document) ([]diagnostic, error) {
	if d.unknown != "" {
		return []diagnostic{{Severity: severityInformation, Source: source, Message: d.unknown}}, nil
	}
	if err := s.open(d); err != nil {
		return nil, err
	}
	all := []diagnostic{}
	for _, found := range d.view.Diagnostics() {
		all = append(all, d.diagnostic(found))
	}
	return all, nil
}

const source = "robots"

// severities are DiagnosticSeverity.
var severities = map[lint.Severity]int{lint.Error: 1, lint.Warning: 2, lint.Info: severityInformation}

func (d *document) diagnostic(found editor.Diagnostic) diagnostic {
	converted := diagnostic{Range: found.Range, Severity: severities[found.Severity], Code: string(found.Code),
		Source: source, Message: found.Message}
	for _, place := range found.Related {
		r := related{Message: place.Message}
		r.Location.URI, r.Location.Range = d.uri, place.Range
		converted.Related = append(converted.Related, r)
	}
	return converted
}
