package languageserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/lint/editor"
)

// The kinds of actions. A fix that changes verdicts, or might, has a separate kind below
// quickfix, so that it can be omitted.
const (
	kindQuickFix = "quickfix"
	kindMeaning  = "quickfix.changesVerdicts"
	kindFixAll   = "source.fixAll.robots"
)

// codeAction returns the fixes of findings in the lines of a range, and an action that
// makes all plain fixes. Because the proof takes time, a client that can resolve actions
// gets the edit when the user chooses the action, and other clients get the action only if
// they request its kind.
func (s *server) codeAction(ctx context.Context, d *document, p *codeActionParams) (any, error) {
	actions := []codeAction{}
	for _, found := range d.view.Diagnostics() {
		if found.Fix == nil {
			continue
		}
		if found.Range.End.Line < p.Range.Start.Line || found.Range.Start.Line > p.Range.End.Line {
			continue
		}
		if action := s.fixOf(d, found); wanted(p, action.Kind) {
			actions = append(actions, action)
		}
	}
	if d.view.PlainFixes() == 0 || !wanted(p, kindFixAll) || p.Context.Only == nil && !s.resolves {
		return actions, nil
	}
	all := codeAction{Title: "Make all fixes that change no verdict", Kind: kindFixAll}
	if s.resolves {
		all.Data = d.uri
	} else {
		var err error
		all.Edit, err = s.fixAll(ctx, d)
		if err != nil || all.Edit == nil {
			return actions, err
		}
	}
	return append(actions, all), nil
}

// wanted reports whether the client requests actions of a kind: a request for
// source.fixAll includes source.fixAll.robots.
func wanted(p *codeActionParams, kind string) bool {
	return p.Context.Only == nil || slices.ContainsFunc(p.Context.Only, func(only string) bool {
		return only == "" || kind == only || strings.HasPrefix(kind, only+".")
	})
}

func (s *server) fixOf(d *document, found editor.Diagnostic) codeAction {
	action := codeAction{
		Title: fmt.Sprintf("%s (%s)", found.Fix.Title, found.Code), Kind: kindQuickFix, Preferred: !found.Fix.Meaning,
		Diagnostics: []diagnostic{d.diagnostic(found)}, Edit: s.workspaceEdit(d, found.Fix.Edits),
	}
	if found.Fix.Meaning {
		action.Kind = kindMeaning
		action.Title = fmt.Sprintf("%s (%s, might change verdicts)", found.Fix.Title, found.Code)
	}
	return action
}

// workspaceEdit returns edits of a document in the client's form.
func (s *server) workspaceEdit(d *document, edits []editor.Edit) map[string]any {
	if !s.versioned {
		return map[string]any{"changes": map[string]any{d.uri: edits}}
	}
	return map[string]any{"documentChanges": []any{map[string]any{
		"textDocument": map[string]any{"uri": d.uri, "version": d.version}, "edits": edits,
	}}}
}

// fixAll returns the edit that makes all plain fixes, as "robots lint --fix" does: fixes
// that are proved to change no verdict. It returns nil if there are none.
func (s *server) fixAll(ctx context.Context, d *document) (map[string]any, error) {
	result, err := fix.Make(ctx, d.body, fix.Config{Lint: d.config})
	if err != nil {
		return nil, err
	}
	edits := d.view.Replace(result.Body)
	if edits == nil {
		return nil, nil
	}
	return s.workspaceEdit(d, edits), nil
}

// resolve adds the edit to an action without one.
func (s *server) resolve(ctx context.Context, params json.RawMessage) (any, error) {
	action, err := decode[codeAction](params)
	if err != nil {
		return nil, err
	}
	d := s.documents[action.Data]
	if d == nil || d.unknown != "" || action.Kind != kindFixAll {
		return action, nil
	}
	if s.isSuperseded(d.uri) {
		return nil, errModified
	}
	if err := s.open(d); err != nil {
		return nil, err
	}
	action.Edit, err = s.fixAll(ctx, d)
	if err == nil && action.Edit == nil {
		err = s.show(messageWarning, "no fix is made, because none is proved to change no verdict")
	}
	return action, err
}

// formatting formats a document as "robots fmt" does, or shows why that is not possible.
func (s *server) formatting(ctx context.Context, d *document, _ *documentParams) (any, error) {
	result, err := fix.Format(ctx, d.body, d.config.Profile, lint.KeepEnds)
	switch {
	case err != nil:
		return nil, err
	case len(result.Refused) > 0:
		return nil, s.show(messageWarning, "the file cannot be formatted: "+result.Refused[0].Reason)
	}
	return append([]editor.Edit{}, d.view.Replace(result.Body)...), nil
}
