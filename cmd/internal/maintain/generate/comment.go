package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
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

// comments are in English in each language: a later run has to know them.
var comments = voice{Language: language.English}

func (w *writer) comment() (lines []string) {
	lines = wrapped(w.config.title() + ", with the crawlers known on " + crawlers.Version() + ".")
	for _, note := range append(w.missed(comments), w.notes(comments)...) {
		lines = append(lines, wrapped(note)...)
	}
	return lines
}

// tokens names crawlers, with a detail about each.
func tokens(list []crawlers.Crawler, detail func(crawlers.Crawler) string) (texts []string) {
	for _, c := range list {
		texts = append(texts, c.Token+detail(c))
	}
	return texts
}

func noDetail(crawlers.Crawler) string { return "" }

func (w *writer) missed(v voice) []string {
	var stay []string
	known := 0
	for _, r := range w.readers {
		if r.unexpressed == outweighed {
			stay = append(stay, r.token)
			if r.known.Token != "" {
				known = len(stay) // they come first
			}
		}
	}
	return append(v.note("Rules with longer paths decide about some of the paths, or the proof takes too long, so these stay as they were: %s.", v.short(stay, known+maxNames)), w.hidden(v)...)
}

// notes returns sentences about the written lines, and about intentions that no line can
// express.
func (w *writer) notes(v voice) []string {
	refused := w.known((*reader).refused)
	isUnable := func(r *reader) bool {
		return slices.ContainsFunc(w.changes.unable, func(c change) bool { return c.token == r.token })
	}
	known := func(wanted func(*reader) bool) []string { return tokens(w.known(wanted), noDetail) }
	stays := func(r *reader) bool { return r.kept() && r.unexpressed == "" && !r.reached && !isUnable(r) }
	uses := func(c crawlers.Crawler) string {
		var names []string
		for _, p := range c.Purposes {
			names = append(names, v.use(p))
		}
		return " (" + strings.Join(names, ", ") + ")"
	}
	notes := slices.Concat(
		w.changes.notes(v, known(stays)),
		v.note("No line can name these, so they are not as you intend: %s.",
			known(func(r *reader) bool { return r.unexpressed == unnameable && !r.reached && !isUnable(r) })),
		v.note("This applies to these too, because they fall back to a crawler that it names: %s.", known(func(r *reader) bool { return r.reached })),
		w.signalNotes(v),
		v.note("These would read another group, so they get one that repeats the rules that applied to them: %s.", known(repeats)),
		v.note("These block no crawler; they refuse uses of the pages: %s.", tokens(w.known(func(r *reader) bool { return r.refused() && r.known.Control }), uses)),
		v.note("According to their operators or a public list, these need not obey it, or not always: %s.", known(func(r *reader) bool { return r.refused() && r.known.Obeys == crawlers.ObeysNone })),
	)
	if n := len(w.known(func(r *reader) bool { return r.refused() && r.known.Obeys == crawlers.Unknown })); n > 0 {
		notes = append(notes, v.Say("No source says whether %d of the %d obey it.", n, len(refused)))
	}
	return notes
}

// plan returns what the written lines do: which crawlers they refuse and allow, and the notes. Each
// fact about a crawler stands once.
func (w *writer) plan(l language.Language) []string {
	v := voice{l, true}
	first := func(text language.Text, outcome wire.IntentOutcome, wanted func(*reader) bool) []string {
		list := w.known(func(r *reader) bool {
			c, ok := r.outcome()
			if c.Outcome == wire.IntentKept && r.written && r.differs {
				c.Outcome = wire.IntentWritten // for other paths
			}
			return ok && c.Outcome == outcome && !(r.refused() && r.known.Control) && wanted(r)
		})
		if len(list) == 0 {
			return nil
		}
		return []string{v.Say(text, v.First(tokens(list, noDetail), maxPlanned))}
	}
	return slices.Concat(
		first("The new lines refuse %s.", wire.IntentWritten, func(r *reader) bool { return r.wish.closes() }),
		first("The new lines refuse some paths to %s.", wire.IntentWritten, func(r *reader) bool { return r.refused() && !r.wish.closes() }),
		first("The new lines allow %s.", wire.IntentWritten, func(r *reader) bool { return !r.refused() }),
		first("Already as intended: %s.", wire.IntentAlready, func(*reader) bool { return true }),
		w.missed(v), w.notes(v),
	)
}

// maxPlanned is how many crawlers a plan names whose lines are shown with it.
const maxPlanned = 8

func (r *reader) kept() bool { return r.wish.kept && len(r.readings) > 0 }

// repeats reports whether the group of a crawler only repeats the rules that applied to it.
func repeats(r *reader) bool { return r.written && len(r.wish.cells) == 0 && !r.wish.own }

func (r *reader) refused() bool {
	return (r.written || r.follows) && slices.ContainsFunc(r.wish.cells, func(c cell) bool { return !c.allow })
}

func textsOf[T ~string](names []T) (texts []string) {
	for _, name := range names {
		texts = append(texts, string(name))
	}
	return texts
}

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
	g := &wire.Generated{Changed: !bytes.Equal(w.before.body, after.body),
		Missed: append([]string{}, w.missed(comments)...),
		Notes:  append([]string{}, w.notes(comments)...), Crawlers: []wire.GeneratedCrawler{}}
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
	if l := w.config.Language; l != "" {
		g.Sentences, g.Patch = w.plan(l), patch(w.before.body, body)
	}
	return g, nil
}

// patch returns the difference of two files as "robots generate --diff" prints it, without its head.
func patch(before, after []byte) string {
	text := string(diff.Diff("", before, "", after))
	return text[max(0, strings.Index(text, "\n@@")+1):]
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
