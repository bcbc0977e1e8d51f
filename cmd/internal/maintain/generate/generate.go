// Package generate writes intentions into a robots.txt: which purposes of crawlers, and which
// crawlers, are refused or allowed, on which paths. It proves that every known crawler reads the
// requested paths as intended, and that every other verdict is unchanged.
package generate

import (
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Config has the intentions.
type Config struct {
	Statements []Statement // at least one

	// Signals are additional lines that state the use of pages. Empty means none.
	Signals []Signal

	// Title is the first line of the comment, without "#". Default: the command line.
	Title string

	// Language adds sentences in it to the result, and the difference of the files. Default: neither.
	Language language.Language

	// Steps is the budget of the proofs: each search takes at most an eighth of the rest.
	// Default: semdiff.DefaultSteps, about a second.
	Steps int

	decided map[intention]decided
}

// Write returns the file with the intentions written into it. If before is already as intended,
// the result's Body equals it, with one exception: in an empty file, Write adds statements that
// allow a path, even though the file allows everything. If ctx ends, Write returns ctx's error.
// Any other error is a [*term.Error] with a hint: a statement is wrong, the file cannot be
// edited, or the result cannot be proved.
func Write(ctx context.Context, before []byte, config Config) (*wire.Generated, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	if err := editable(before); err != nil {
		return nil, err
	}
	config.Statements, config.decided = appendNew(nil, config.Statements...), make(map[intention]decided)
	w := &writer{config: config, before: newFile(before), lines: make(map[linesKey][]string),
		prover: newProver(ctx, cmp.Or(config.Steps, semdiff.DefaultSteps), config.keeps)}
	w.readers = config.readersOf(w.before)
	if err := w.choose(); err != nil {
		return nil, err
	}
	return w.write()
}

// editable returns an error for a file that has no lines, or lines other than those that crawlers
// read.
func editable(body []byte) error {
	const nothing = "nothing is written; "
	if len(body) > robotstxt.DefaultBodyLimit {
		return term.Errorf("the file is larger than the %s bytes that crawlers read", term.Thousands(robotstxt.DefaultBodyLimit)).Hint(nothing + "make the file smaller first")
	}
	if what := answer.NotRules(robotstxt.BodyOf(body), body); what != "" {
		return term.Errorf("the file is %s, in which crawlers find no rules", what).Hint(nothing + "save it as UTF-8, or start a new file")
	}
	return nil
}

type writer struct {
	prover
	config  Config
	before  *file
	readers []*reader
	lines   map[linesKey][]string // of groups
	hiding  []string              // paths in the file that is written, see Config.hiding
	changes changes               // the changes that the written file makes
}

func (w *writer) choose() error {
	for _, r := range w.readers {
		if err := w.compare(r); err != nil {
			return err
		}
	}
	others := w.others().wish.cells
	for _, r := range w.readers {
		isNamed := w.before.agentLines(robotstxt.RFC9309, r.token) != nil
		r.follows = r.token != "*" && !isNamed && slices.Equal(r.wish.cells, others)
		switch {
		case len(r.wish.cells) == 0:
			r.written = r.wish.own && nameable(r.known) && !isNamed
		case len(r.readings) == 0:
			r.give(unnameable)
		case r.nameable() && !r.follows: // otherwise it might fall back to a group that is written
			r.written = r.differs || len(w.before.body) == 0
		}
	}
	return nil
}

// others returns the reader that stands for all crawlers that no file names.
func (w *writer) others() *reader { return w.readers[len(w.readers)-1] }

// compare tells what the file before lacks of the wish of a reader.
func (w *writer) compare(r *reader) error {
	if r.wish.open && len(r.readings) > 0 {
		closed, err := w.fulfilled(r.readings[0], w.before, w.before, []cell{{"/", false}})
		if err != nil {
			return err
		}
		if closed {
			r.wish.cells = append(r.wish.cells, cell{"/", true})
		}
	}
	if len(r.wish.cells) == 0 {
		return nil
	}
	for _, reading := range r.readings {
		isFulfilled, err := w.fulfilled(reading, w.before, w.before, r.wish.cells)
		if err != nil {
			return err
		}
		r.differs = r.differs || !isFulfilled
	}
	return nil
}

// give gives up the wish of a reader.
func (r *reader) give(reason string) { r.unexpressed, r.written, r.wish.cells = reason, false, nil }

const unnameable = "no line can name it"

// maxRounds limits how often the groups are written again for crawlers that a group affects
// unintentionally, for example because they fall back to it, and without a wish that no group can
// fulfil, and then for the crawlers that are no longer affected.
const maxRounds = 10

// write writes the file and proves it. It tries again if verdicts change for other crawlers, or
// if a remaining line outweighs an intention.
func (w *writer) write() (*wire.Generated, error) {
	for range maxRounds {
		after, added := w.body()
		changed, err := w.prove(after)
		if err != nil {
			return nil, err
		}
		if !changed {
			return w.result(after, added)
		}
	}
	return nil, unproved("every crawler")
}

// prove compares the file with the file before. It reports whether it had to change the intended
// group of a reader.
func (w *writer) prove(after *file) (changed bool, err error) {
	if w.before.wholeFile() != after.wholeFile() || !w.config.proveSignals(after) {
		return false, unproved("every crawler")
	}
	given := false
	for _, r := range w.readers {
		if r.reached {
			continue
		}
		same, err := w.same(r, after)
		switch {
		case err != nil:
			return false, err
		case same:
			continue
		case !r.written && r.token != "*" && r.nameable():
			r.written = true // its group repeats the rules that applied to it
		case len(r.wish.cells) > 0 && r.written:
			r.give(outweighed)
			given = true
		case len(r.wish.cells) > 0 && r.token != "*":
			r.give(unnameable)
		case !r.written && r.known.Token != "":
			r.reached = true
		default:
			return false, unproved(r.token)
		}
		changed = true
	}
	for _, r := range w.readers {
		if given && r.token != "*" { // the group that is not written might have been the cause
			r.reached, r.written = false, r.written && !repeats(r)
		}
	}
	return changed, nil
}

// outweighed is the reason why a crawler is not as intended although it can be named.
const outweighed = "rules with longer paths decide about some of the paths, or the proof takes too long"

func unproved(token string) error {
	return term.Errorf("cannot prove that the result changes only what you intend for %s", token).Hint("nothing is written; please report this file")
}

// keeps reports whether a line must stay as it is.
func (c *Config) keeps(e robotstxt.Extension) bool {
	return len(c.Signals) == 0 || e.Name != ContentUsage.key() && e.Name != ContentSignal.key()
}

func (w *writer) same(r *reader, after *file) (bool, error) {
	for _, reading := range r.readings {
		isFulfilled, err := w.fulfilled(reading, w.before, after, r.wish.cells)
		if err != nil || !isFulfilled {
			return false, err
		}
		if r.written && r.wish.closes() {
			continue
		}
		was, is := w.applied(w.before, w.before.rules(reading)), w.applied(after, after.rules(reading))
		if was.extensions != is.extensions {
			return false, nil
		}
	}
	return true, nil
}

func (w *writer) known(wanted func(*reader) bool) (found []crawlers.Crawler) {
	for _, r := range w.readers {
		if r.known.Token != "" && wanted(r) {
			found = append(found, r.known)
		}
	}
	return found
}
