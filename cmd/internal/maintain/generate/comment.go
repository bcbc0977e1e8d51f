package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

func (c *Config) title() string {
	if c.Title != "" {
		return c.Title
	}
	text := "robots generate"
	said := make(map[Statement]bool) // flags and paths
	for _, s := range c.Statements {
		list := Statement{Allow: s.Allow, Path: s.Path}
		if said[list] {
			continue
		}
		said[list] = true
		var names []string
		for _, other := range c.Statements {
			if other.Allow == s.Allow && other.Path == s.Path {
				names = appendNew(names, other.name())
			}
		}
		if more := len(names) - maxNames; more > 0 {
			names = append(names[:maxNames], fmt.Sprintf("and %d more", more))
		}
		text += map[bool]string{false: " --no ", true: " --yes "}[s.Allow] + strings.Join(names, ",")
		if s.Path != "" {
			text += "=" + s.Path
		}
	}
	if len(c.Signals) > 0 {
		text += " --signals " + strings.Join(textsOf(c.Signals), ",")
	}
	return text
}

const maxNames = 20

func (w *writer) comment() (lines []string) {
	lines = wrapped(w.config.title() + ", with the crawlers known on " + crawlers.Version() + ".")
	for _, note := range append(w.missed(), w.notes()...) {
		lines = append(lines, wrapped(note)...)
	}
	return lines
}

// list returns a sentence that ends with crawlers, or no sentence if there are no crawlers.
func (w *writer) list(head string, list []crawlers.Crawler, detail func(*reader) string) []string {
	if len(list) == 0 {
		return nil
	}
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.Token
		if detail != nil {
			texts[i] += " (" + detail(w.reader(c.Token)) + ")"
		}
	}
	return []string{head + strings.Join(texts, ", ") + "."}
}

func (w *writer) missed() []string {
	var stay []crawlers.Crawler
	for _, r := range w.readers {
		if r.unexpressed == outweighed {
			stay = append(stay, crawlers.Crawler{Token: r.token})
		}
	}
	return slices.Concat(
		w.list("Rules with longer paths decide about some of the paths, so these stay as they were: ", stay, nil),
		w.hidden(),
	)
}

// notes returns sentences about the written lines, and about intentions that no line can
// express.
func (w *writer) notes() []string {
	refused := w.known((*reader).refused)
	isUnable := func(r *reader) bool {
		return slices.ContainsFunc(w.changes.unable, func(c change) bool { return c.token == r.token })
	}
	unnamed := func(r *reader) bool { return r.unexpressed == unnameable && !r.reached && !isUnable(r) }
	notes := slices.Concat(
		w.changes.notes(),
		w.list("No line can name these, so they are not as you intend: ",
			w.known(unnamed), nil),
		w.list("This applies to these too, because they fall back to a crawler that it names: ", w.known(func(r *reader) bool { return r.reached }), nil),
		w.signalNotes(),
		w.list("These would read another group, so they get one that repeats the rules that applied to them: ", w.known(repeats), nil),
		w.list("These block no crawler; they refuse uses of the pages: ", w.known(func(r *reader) bool { return r.refused() && r.known.Control }),
			func(r *reader) string { return joined(r.known.Purposes) }),
		w.list("According to their operators or a public list, these need not obey it, or not always: ", w.known(func(r *reader) bool { return r.refused() && r.known.Obeys == crawlers.ObeysNone }), nil),
	)
	if n := len(w.known(func(r *reader) bool { return r.refused() && r.known.Obeys == crawlers.Unknown })); n > 0 {
		notes = append(notes, fmt.Sprintf("No source says whether %d of the %d obey it.", n, len(refused)))
	}
	return notes
}

func (r *reader) kept() bool { return r.wish.kept && len(r.readings) > 0 }

// repeats reports whether the group of a crawler only repeats the rules that applied to it.
func repeats(r *reader) bool { return r.written && len(r.wish.cells) == 0 && !r.wish.own }

func (r *reader) refused() bool {
	return (r.written || r.follows) && slices.ContainsFunc(r.wish.cells, func(c cell) bool { return !c.allow })
}

func (w *writer) reader(token string) *reader {
	i := slices.IndexFunc(w.readers, func(r *reader) bool { return r.known.Token == token })
	return w.readers[i]
}

func textsOf[T ~string](names []T) (texts []string) {
	for _, name := range names {
		texts = append(texts, string(name))
	}
	return texts
}

func joined(purposes []crawlers.Purpose) string { return strings.Join(textsOf(purposes), ", ") }

func wrapped(text string) []string {
	const width = 98
	lines := term.Wrap(text, width, "  ")
	for i := range lines {
		lines[i] = "# " + lines[i]
	}
	return lines
}

// result returns the file, with the outcome for each crawler that a statement affects.
func (w *writer) result(after *file, added bool) (*wire.Generated, error) {
	g := &wire.Generated{Changed: !bytes.Equal(w.before.body, after.body), Missed: append([]string{}, w.missed()...),
		Notes: append([]string{}, w.notes()...), Crawlers: []wire.GeneratedCrawler{}}
	g.Unable, g.Also = w.changes.lists()
	body := after.body
	if g.Changed && (!added || len(w.config.Signals) > 0) {
		body = w.withoutHead(body)
	}
	if g.Changed && !added {
		comment := strings.Join(w.comment(), w.before.newline()) + w.before.newline()
		body = insert(body, bodyhead.MarkLen(body), []byte(comment), w.before.newline())
	}
	if err := editable(body); err != nil {
		return nil, term.Prefixed("with the new lines ", err)
	}
	g.Body = string(body)
	for _, r := range w.readers {
		if c, ok := r.outcome(); ok {
			g.Crawlers = append(g.Crawlers, c)
		}
	}
	g.Complete = len(g.Missed) == 0
	return g, nil
}

// withoutHead returns the file without a comment about no group that an earlier run wrote at
// the top.
func (w *writer) withoutHead(body []byte) []byte {
	end, ours := w.ownComment(0)
	if !ours || end == len(w.before.lines) || w.before.lines[end].Kind != robotstxt.KindEmpty {
		return body
	}
	mark := bodyhead.MarkLen(body)
	after := w.before.lines[end].Offset + len(w.before.lines[end].Raw)
	if head := w.before.body[mark:after]; bytes.HasPrefix(body[mark:], head) {
		return slices.Concat(body[:mark], body[mark+len(head):])
	}
	return body
}

// outcome returns the outcome for a crawler. ok is false if no statement affects it and
// nothing is written for it.
func (r *reader) outcome() (c wire.GeneratedCrawler, ok bool) {
	c = wire.GeneratedCrawler{Agent: r.known.Token, Operator: r.known.Operator, Control: r.known.Control,
		Paths: []wire.GeneratedPath{}}
	c.Purposes = textsOf(r.known.Purposes)
	for _, cell := range r.wish.cells {
		c.Paths = append(c.Paths, wire.GeneratedPath{Path: cell.path, Verdict: wire.VerdictOf(cell.allow)})
	}
	switch {
	case r.reached:
		c.Outcome = wire.IntentReached
	case r.unexpressed != "":
		c.Outcome, c.Reason = wire.IntentUnexpressed, r.unexpressed
	case r.kept():
		c.Outcome = wire.IntentKept
	case repeats(r):
		c.Outcome = wire.IntentRepeated
	case r.written || r.differs && len(r.wish.cells) > 0:
		c.Outcome = wire.IntentWritten
	case len(r.wish.cells) > 0 || r.wish.open:
		c.Outcome = wire.IntentAlready
	default:
		return c, false
	}
	return c, r.known.Token != ""
}
