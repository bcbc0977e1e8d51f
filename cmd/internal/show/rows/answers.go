package rows

import (
	"bytes"
	"strings"
	"weak"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
)

// Answers returns a Writer of a row, or a JSON object, for each answer.
func Answers(c Config) Writer {
	w := &answers{config: c}
	switch c.Format {
	case table.JSON:
		w.print = func(_ *answer.Visit, a *wire.Answer) error { return term.PrintJSON(c.Out, a) }
		w.endings.init(w.endOfObject)
	case table.Text:
		text := prose.NewAnswerTable(c.Out, c.Palette, c.Columns, c.Crawlers, c.Files)
		w.print = func(v *answer.Visit, a *wire.Answer) error { return text.Print(v.Ruling, a) }
		if c.Columns == 0 && len(c.Files) == 1 { // otherwise there are remarks after the URL
			w.endings.init(w.beginningOfLine)
		}
	default:
		w.table = table.New(c.Out, c.table(c.named(answerColumns)))
		w.print = func(v *answer.Visit, a *wire.Answer) error { return w.config.row(w.table, v.Ruling, a) }
		if c.Format != table.Markdown {
			w.endings.init(w.endOfRow)
		}
	}
	return w
}

type answers struct {
	config  Config
	print   func(*answer.Visit, *wire.Answer) error
	table   *table.Writer // nil for text and JSON
	answer  wire.Answer   // used for all answers
	endings endings
	line    []byte // in progress
}

func (w *answers) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	plain := w.endings.end != nil && isPlain(v)
	return w.config.each(v, func(crawler int, _ wire.Verdict, line int) error {
		ending := ""
		if plain {
			ending = w.endings.of(v, crawler, line)
		}
		switch {
		case ending == "":
			w.answer = v.Answer(crawler)
			return w.print(v, &w.answer)
		case w.config.Format == table.JSON:
			w.line = append(append(append(w.line[:0], openingOfObject...), v.URL...), ending...)
		case w.config.Format == table.Text:
			w.line = append(append(append(w.line[:0], ending...), v.URL...), '\n')
		default:
			w.table.Cell(v.URL)
			return w.table.EndWith(ending)
		}
		_, err := w.config.Out.Write(w.line)
		return err
	})
}

func (w *answers) End() error {
	if w.table == nil {
		return nil
	}
	return w.table.Flush()
}

var answerColumns = []table.Column{
	{Name: "url", Code: true}, {Name: "agent"}, {Name: "verdict"}, {Name: "line", Right: true}, {Name: "rule", Code: true},
	{Name: "reason"}, {Name: "matched_by"}, {Name: "dialect"}, {Name: "compared_url", Code: true}, {Name: "unresolved_verdict"}, {Name: "robots_url", Code: true}, {Name: "status", Right: true},
	{Name: "fetch_reason"}, {Name: "governed_by", Code: true}, {Name: "joined_line", Right: true}, {Name: "fetched_anyway"},
}

func (c *Config) row(t *table.Writer, r *answer.Ruling, a *wire.Answer) error {
	t.Cell(a.URL)
	t.Cell(a.Agent)
	t.Cell(string(a.Verdict))
	number(t, a.Line)
	t.Cell(a.Rule)
	t.Cell(a.Reason.String())
	t.Cell(string(a.MatchedBy))
	dialect(t, a.Dialect)
	t.Cell(a.ComparedURL)
	t.Cell(string(a.UnresolvedVerdict))
	if a.Provenance == nil {
		for range 3 {
			t.Cell("")
		}
	} else {
		t.Cell(a.RobotsURL)
		number(t, a.Status)
		t.Cell(a.FetchReason)
	}
	t.Cell(a.GovernedBy)
	notes(t, a.JoinedLine, a.FetchedAnyway)
	c.name(t, r)
	return t.End()
}

// endings keeps the part of a row after the URL, or in text before it. Unless the URL is
// odd, this part depends only on the file, the crawler and the deciding line, so most rows
// are made of a URL and a known ending. Making the whole row takes three to six times as
// long.
type endings struct {
	known  map[endingKey]string
	end    func(*answer.Ruling, *wire.Answer) string // makes an ending, "" if there is none; can be nil
	ruling *answer.Ruling                            // of the answer before
	weak   weak.Pointer[answer.Ruling]               // to ruling: known keeps no file
}

type endingKey struct {
	ruling        weak.Pointer[answer.Ruling]
	crawler, line int
}

// maxEndings bounds the memory of endings.
const maxEndings = 1 << 12

func (e *endings) init(end func(*answer.Ruling, *wire.Answer) string) {
	e.known, e.end = make(map[endingKey]string), end
}

func (e *endings) of(v *answer.Visit, crawler, line int) string {
	if e.ruling != v.Ruling {
		e.ruling, e.weak = v.Ruling, weak.Make(v.Ruling)
	}
	key := endingKey{e.weak, crawler, line}
	ending, ok := e.known[key]
	if !ok {
		if len(e.known) >= maxEndings {
			clear(e.known)
		}
		a := v.Answer(crawler)
		a.URL = ""
		ending = e.end(v.Ruling, &a)
		e.known[key] = ending
	}
	return ending
}

// isPlain reports whether the row of an answer contains the URL unchanged, even in JSON,
// and nothing else that depends on it.
func isPlain(v *answer.Visit) bool {
	if v.URL == "" || !v.Other.IsZero() || v.ComparedURL() != "" || v.IsRobotsFile() || strings.HasPrefix(v.URL, ":") ||
		strings.HasPrefix(v.URL, " ") {
		return false
	}
	for i := range len(v.URL) {
		if c := v.URL[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '#' {
			return false
		}
	}
	return true
}

func (w *answers) endOfRow(r *answer.Ruling, a *wire.Answer) string {
	var text bytes.Buffer
	t := table.New(&text, w.config.table(w.config.named(answerColumns)))
	if t.Flush() != nil {
		return ""
	}
	text.Reset()
	if w.config.row(t, r, a) != nil {
		return ""
	}
	return text.String()
}

// beginningOfLine returns a line of text without its URL, which is last.
func (w *answers) beginningOfLine(r *answer.Ruling, a *wire.Answer) string {
	if r.Site != nil {
		return ""
	}
	var text bytes.Buffer
	a.URL = "/" // any text: an empty cell at the end has no spaces before it
	if prose.NewAnswerTable(&text, w.config.Palette, 0, w.config.Crawlers, w.config.Files).Print(r, a) != nil {
		return ""
	}
	begin, ok := strings.CutSuffix(text.String(), "/\n")
	if !ok { // there is a remark after the URL
		return ""
	}
	return begin
}

// openingOfObject is the text before the URL in the JSON of an answer.
const openingOfObject = `{"schema":1,"url":"`

func (*answers) endOfObject(_ *answer.Ruling, a *wire.Answer) string {
	var text bytes.Buffer
	if term.PrintJSON(&text, a) != nil {
		return ""
	}
	ending, ok := strings.CutPrefix(text.String(), openingOfObject)
	if !ok {
		return ""
	}
	return ending
}
