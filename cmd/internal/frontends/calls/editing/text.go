package editing

import (
	"context"
	"math"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/lint/editor"
)

// PlaceRequest is a query about a place in a text.
type PlaceRequest struct {
	Body
	Settings

	// Line and Character are the place, both from 0, characters in UTF-16 units. A place
	// outside the text means the nearest place inside.
	Line      int `json:"line" doc:"The line, from 0."`
	Character int `json:"character" doc:"The character of the line, from 0, in UTF-16 units."`
}

// TextRequest is a query about a text.
type TextRequest struct {
	Body
	Settings

	// Lang is the language of the titles of fixes. Default: en.
	Lang string `json:"lang,omitempty" doc:"The language of the titles of fixes: en or de. Default: en."`
}

// document returns the text of a request as a document.
func document(b *Body, s *Settings, limits calls.Limits) (*editor.Document, error) {
	body, err := b.bytes(limits)
	if err != nil {
		return nil, err
	}
	config, err := s.config(limits)
	if err != nil {
		return nil, err
	}
	return editor.New(body, editor.Config{Lint: config}), nil
}

// Diagnostics returns the findings of Lint at their places in the text.
func Diagnostics(_ context.Context, r *TextRequest, limits calls.Limits) (*wire.Diagnostics, error) {
	d, err := document(&r.Body, &r.Settings, limits)
	if err != nil {
		return nil, err
	}
	if err := calls.Lang(r.Lang); err != nil {
		return nil, err
	}
	result := &wire.Diagnostics{Diagnostics: []wire.Diagnostic{}}
	for _, found := range d.Diagnostics() {
		w := wire.Diagnostic{Range: wireRange(found.Range), Code: string(found.Code), Severity: found.Severity.String(),
			Message: found.Message}
		for _, related := range found.Related {
			w.Related = append(w.Related, wire.RelatedRange{Range: wireRange(related.Range), Message: related.Message})
		}
		if found.Fix != nil {
			title := language.Language(r.Lang).Phrase(found.Fix.Title)
			w.Fix = &wire.TextFix{Title: title, Edits: []wire.TextEdit{}, Meaning: found.Fix.Meaning}
			for _, edit := range found.Fix.Edits {
				w.Fix.Edits = append(w.Fix.Edits, wireEdit(edit))
			}
		}
		result.Diagnostics = append(result.Diagnostics, w)
	}
	return result, nil
}

// Hover returns what is known about the part of the text at a place.
func Hover(_ context.Context, r *PlaceRequest, limits calls.Limits) (*wire.Hover, error) {
	d, err := document(&r.Body, &r.Settings, limits)
	if err != nil {
		return nil, err
	}
	h, ok := d.Hover(d.Offset(r.position()))
	return &wire.Hover{Found: ok, Range: wireRange(h.Range), Markdown: h.Markdown}, nil
}

// Complete returns the completions of the text before a place.
func Complete(_ context.Context, r *PlaceRequest, limits calls.Limits) (*wire.Completions, error) {
	d, err := document(&r.Body, &r.Settings, limits)
	if err != nil {
		return nil, err
	}
	result := &wire.Completions{Completions: []wire.Completion{}}
	for _, c := range d.Complete(d.Offset(r.position())) {
		if reached(len(result.Completions), limits) {
			break
		}
		result.Completions = append(result.Completions, wire.Completion{
			Kind: string(c.Kind), Label: c.Label, Detail: c.Detail, Documentation: c.Documentation,
			Edit: wireEdit(c.Edit)})
	}
	return result, nil
}

func (r *PlaceRequest) position() editor.Position {
	return editor.Position{Line: max(0, r.Line), Character: max(0, r.Character)}
}

// Symbols returns the groups, rules and sitemaps of a text, and the ranges to fold.
func Symbols(_ context.Context, r *TextRequest, limits calls.Limits) (*wire.Symbols, error) {
	d, err := document(&r.Body, &r.Settings, limits)
	if err != nil {
		return nil, err
	}
	result := &wire.Symbols{Symbols: wireSymbols(d.Symbols()), Folds: []wire.Fold{}}
	if result.Symbols == nil {
		result.Symbols = []wire.Symbol{}
	}
	for _, fold := range d.Folds() {
		result.Folds = append(result.Folds, wire.Fold{Kind: string(fold.Kind), Start: fold.Start, End: fold.End})
	}
	return result, nil
}

// reached reports whether a list has as many elements as the limits allow.
func reached(length int, limits calls.Limits) bool {
	limit := limits.Filled().Results
	return limit >= 0 && length >= limit
}

func wirePosition(p editor.Position) wire.Position {
	return wire.Position{Line: p.Line, Character: p.Character}
}

func wireRange(r editor.Range) wire.Range {
	return wire.Range{Start: wirePosition(r.Start), End: wirePosition(r.End)}
}

func wireEdit(e editor.Edit) wire.TextEdit {
	return wire.TextEdit{Range: wireRange(e.Range), New: e.New}
}

func wireSymbols(symbols []editor.Symbol) (converted []wire.Symbol) {
	for _, s := range symbols {
		converted = append(converted, wire.Symbol{Kind: string(s.Kind), Name: s.Name,
			Range: wireRange(s.Range), Selection: wireRange(s.Selection), Children: wireSymbols(s.Children)})
	}
	return converted
}

// TokensRequest is a query for the parts of a text to colour.
type TokensRequest struct {
	Body

	// First and Last are the lines, both from 0. Default: all lines; a Last of 0 means
	// the last line of the text.
	First int `json:"first,omitempty" doc:"The first line, from 0."`
	Last  int `json:"last,omitempty" doc:"The last line, from 0. Default: the last one of the text."`
}

// Tokens returns the parts of a text to colour.
func Tokens(_ context.Context, r *TokensRequest, limits calls.Limits) (*wire.Tokens, error) {
	body, err := r.bytes(limits)
	if err != nil {
		return nil, err
	}
	last := r.Last
	if last <= 0 {
		last = math.MaxInt
	}
	result := &wire.Tokens{Tokens: []wire.Token{}}
	for token := range editor.New(body, editor.Config{}).Tokens(r.First, last) {
		if reached(len(result.Tokens), limits) {
			break
		}
		start, end := token.Range.Start, token.Range.End
		result.Tokens = append(result.Tokens,
			wire.Token{Line: start.Line, Start: start.Character, End: end.Character, Kind: wire.TokenKind(token.Kind)})
	}
	return result, nil
}
