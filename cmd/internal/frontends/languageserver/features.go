package languageserver

import (
	"context"
	"math"

	"github.com/kosterhq/robotstxt/lint/editor"
)

func (s *server) hover(_ context.Context, d *document, p *positionParams) (any, error) {
	h, ok := d.view.Hover(d.view.Offset(p.Position))
	if !ok {
		return nil, nil
	}
	return hover{markdown(h.Markdown), h.Range}, nil
}

func (s *server) completion(_ context.Context, d *document, p *positionParams) (any, error) {
	items := []completionItem{}
	for _, c := range d.view.Complete(d.view.Offset(p.Position)) {
		items = append(items, completionItem{c.Label, completionKinds[c.Kind], c.Detail, markdown(c.Documentation),
			c.Edit})
	}
	return items, nil
}

func (s *server) documentSymbol(_ context.Context, d *document, _ *documentParams) (any, error) {
	return symbolsOf(d.view.Symbols()), nil
}

func symbolsOf(symbols []editor.Symbol) []documentSymbol {
	all := make([]documentSymbol, 0, len(symbols))
	for _, symbol := range symbols {
		all = append(all, documentSymbol{symbol.Name, symbolKinds[symbol.Kind], symbol.Range, symbol.Selection,
			symbolsOf(symbol.Children)})
	}
	return all
}

func (s *server) foldingRange(_ context.Context, d *document, _ *documentParams) (any, error) {
	all := []foldingRange{}
	for _, fold := range d.view.Folds() {
		kind := ""
		if fold.Kind == editor.KindComment {
			kind = "comment"
		}
		all = append(all, foldingRange{fold.Start, fold.End, kind})
	}
	return all, nil
}

func (s *server) semanticTokens(_ context.Context, d *document, _ *documentParams) (any, error) {
	result := semanticTokens{[]int{}}
	last := editor.Position{}
	for token := range d.view.Tokens(0, math.MaxInt) {
		start := token.Range.Start
		if start.Line > last.Line {
			last.Character = 0
		}
		modifiers := 0
		if token.Kind == editor.KindIgnored {
			modifiers = 1
		}
		result.Data = append(result.Data, start.Line-last.Line, start.Character-last.Character,
			token.Range.End.Character-start.Character,
			tokenKinds[token.Kind], modifiers)
		last = start
	}
	return result, nil
}
