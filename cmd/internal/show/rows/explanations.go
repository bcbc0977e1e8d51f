package rows

import (
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
)

// Explanations returns a Writer of answers with their reasons: a text or a JSON object for
// each, and in other formats a row for each dialect, the requested one first.
func Explanations(c Config) Writer {
	w := &explanations{config: c}
	switch c.Format {
	case table.JSON:
		w.print = func(_ *answer.Visit, e *wire.Explanation) error { return term.PrintJSON(c.Out, e) }
	case table.Text:
		p := &prose.Printer{Out: c.Out, Palette: c.Palette, Named: len(c.Files) > 1}
		w.print = func(v *answer.Visit, e *wire.Explanation) error {
			p.Began = v.Ruling.Began
			return p.Explanation(v.Ruling.File, e)
		}
	default:
		w.table = table.New(c.Out, c.table(c.named(explanationColumns)))
		w.print = w.dialects
	}
	return w
}

type explanations struct {
	config Config
	print  func(*answer.Visit, *wire.Explanation) error
	table  *table.Writer // nil for text and JSON
}

func (w *explanations) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	return w.config.each(v, func(crawler int, _ wire.Verdict, _ int) error { return w.print(v, v.Explain(crawler)) })
}

func (w *explanations) End() error {
	if w.table == nil {
		return nil
	}
	return w.table.Flush()
}

var explanationColumns = []table.Column{
	{Name: "url", Code: true}, {Name: "agent"}, {Name: "dialect"}, {Name: "verdict"}, {Name: "line", Right: true},
	{Name: "rule", Code: true}, {Name: "reason"}, {Name: "why"},
	{Name: "joined_line", Right: true}, {Name: "fetched_anyway"},
}

// dialects writes a row for each dialect. Why is the reason for the difference from the
// requested dialect; in the requested dialect's row, it is the reason for the verdict in
// words.
func (w *explanations) dialects(v *answer.Visit, e *wire.Explanation) error {
	requested := wire.OtherDialect{Why: prose.Reason(e), Decision: e.Decision, JoinedLine: e.JoinedLine,
		FetchedAnyway: e.FetchedAnyway}
	if err := w.row(v, e, &requested, e.Verdict); err != nil {
		return err
	}
	for i := range e.Others {
		other := &e.Others[i]
		if err := w.row(v, e, other, wire.VerdictOf(other.Decision.Allowed)); err != nil {
			return err
		}
	}
	return nil
}

func (w *explanations) row(v *answer.Visit, e *wire.Explanation, in *wire.OtherDialect, verdict wire.Verdict) error {
	d := &in.Decision
	w.table.Cell(e.URL)
	w.table.Cell(e.Agent)
	if e.Unread {
		dialect(w.table, nil)
	} else {
		dialect(w.table, &d.Dialect)
	}
	w.table.Cell(string(verdict))
	number(w.table, d.Line)
	w.table.Cell(v.Ruling.File.Rule(d.Line))
	w.table.Cell(d.Reason.String())
	w.table.Cell(in.Why)
	notes(w.table, in.JoinedLine, in.FetchedAnyway)
	w.config.name(w.table, v.Ruling)
	return w.table.End()
}
