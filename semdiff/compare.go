package semdiff

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/kosterhq/robotstxt"
)

// Compare returns the changes from old to new for every crawler for which the files
// could differ: the crawlers in Crawlers(old, new) and in config, or only those in config
// if config.Only is set. It reads each file in its own dialect, so old and new can be the
// same bytes in two dialects. nil stands for an empty file.
//
// If ctx ends, Compare returns a nil report and ctx's error.
func Compare(ctx context.Context, old, new *robotstxt.Robots, config Config) (*Report, error) {
	c := &comparison{files: [2]*robotstxt.Robots{orEmpty(old), orEmpty(new)}, config: config,
		results: make(map[[sha256.Size]byte]*result), judging: DefaultSteps}
	report := &Report{Old: c.files[0].Dialect(), New: c.files[1].Dialect()}
	c.solver = newSolver(ctx, report.Old, report.New, config.steps())
	rows := rows{at: make(map[string]int)}
	others := newOthers(c.files)
	classes := classes(c.files, config.crawlers(c.files[:]...))
	hard := c.easy(classes)
	for i := range classes {
		class := &classes[i]
		row := Row{Crawlers: class.crawlers, Effect: Equal, Complete: true}
		if !class.same {
			row = c.hard(class, hard)
			hard--
		}
		rows.add(row)
		others.add(class)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	report.Rows = rows.list
	report.Other = others.list
	report.Steps = config.steps() - c.solver.budget.steps
	return report, nil
}

func orEmpty(robots *robotstxt.Robots) *robotstxt.Robots {
	if robots == nil {
		return robotstxt.Parse(nil)
	}
	return robots
}

type comparison struct {
	solver  *solver
	files   [2]*robotstxt.Robots
	config  Config
	results map[[sha256.Size]byte]*result // by the claims of both sides
	judging int                           // how many rules judge may still compare for rows without a search
	key     []byte
	scratch [2][]robotstxt.Rule
}

type result struct {
	found    answer
	pairs    []pair
	complete bool
	tried    string
}

// easy marks the classes that have the same rules in both files, so that they need no
// search. It returns the number of other classes.
func (c *comparison) easy(classes []class) (left int) {
	for i := range classes {
		classes[i].same = c.sameRules(&classes[i])
		if !classes[i].same {
			left++
		}
	}
	return left
}

// hard compares a class whose rules differ. left is the number of such classes that
// remain, this one included: unless it is the last, hard spends at most half of the
// budget. It returns an undecided row if reading the rules alone would take too much.
func (c *comparison) hard(class *class, left int) (row Row) {
	reading := readSteps * (class.sizes[0] + class.sizes[1])
	part := min(left, 2)
	if share := c.solver.budget.steps / part; share <= reading || share <= c.config.steps()/2048 {
		row = Row{Crawlers: class.crawlers, Tried: usedUp}
		c.judging -= restPaths * (class.sizes[0] + class.sizes[1])
		if c.judging > 0 {
			c.judge(&row, class.rules)
		}
		return row
	}
	c.solver.budget.within(part, func() {
		c.solver.budget.spend(reading, 0)
		row = c.row(class)
	})
	return row
}

func (c *comparison) row(class *class) Row {
	var sides [2]claims
	for side := range sides {
		sides[side] = c.solver.claims(side, class.rules[side])
	}
	r := c.result(sides)
	row := Row{Crawlers: class.crawlers, Effect: r.found.effect(), Complete: r.complete, Tried: r.tried}
	var reached [2]bool
	for i := range r.pairs {
		change := c.solver.changeOf(&r.pairs[i], sides)
		reached[goalOf(1, change.Opens)] = true
		if newChange(class.rules, change.Witness, true) != change {
			return Row{Crawlers: class.crawlers, Tried: "the engine contradicts the witness " + strconv.Quote(change.Witness)}
		}
		// Without all pairs a shorter path for the same lines might be missing.
		change.Shortest = r.complete || !sides[0].several(change.OldLine) && !sides[1].several(change.NewLine)
		c.list(&row, change)
	}
	for goal, path := range r.found.path {
		if path != "" && !reached[goal] {
			row.Changes = append(row.Changes, newChange(class.rules, path, r.found.shortest[goal]))
		}
	}
	slices.SortFunc(row.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.OldLine, b.OldLine), cmp.Compare(a.NewLine, b.NewLine))
	})
	row.name(r.pairs, sides, class.rules)
	c.judge(&row, class.rules)
	return row
}

// sameRules reports whether a class has the same rules in both files. It returns false if
// the budget is used up.
func (c *comparison) sameRules(class *class) bool {
	if c.solver.space(1) != 0 || c.solver.budget.steps <= 0 {
		return false
	}
	for side := range c.scratch {
		c.scratch[side] = appendRules(c.scratch[side][:0], class.rules[side])
		c.solver.budget.spend(len(c.scratch[side]), 0)
	}
	return slices.EqualFunc(c.scratch[0], c.scratch[1], func(a, b robotstxt.Rule) bool {
		return a.Pattern == b.Pattern && a.Allow == b.Allow
	})
}

func appendRules(list []robotstxt.Rule, rules robotstxt.Rules) []robotstxt.Rule {
	for group := range rules.Groups() {
		list = slices.AppendSeq(list, group.Rules())
	}
	return list
}

// list adds a change. If two changes have the same lines and effect, it keeps the one with the
// shorter witness: several claims can have one line, see claims.several.
func (c *comparison) list(row *Row, change Change) {
	at := slices.IndexFunc(row.Changes, func(other Change) bool {
		return other.OldLine == change.OldLine && other.NewLine == change.NewLine && other.Opens == change.Opens
	})
	switch {
	case at < 0:
		row.Changes = append(row.Changes, change)
	case c.solver.alphabet().length(change.Witness) < c.solver.alphabet().length(row.Changes[at].Witness):
		row.Changes[at] = change
	}
}

func newChange(rules [2]robotstxt.Rules, path string, shortest bool) Change {
	url := anyHost + path
	_, oldLine := rules[0].Verdict(url)
	allowed, newLine := rules[1].Verdict(url)
	return Change{Opens: allowed, OldLine: oldLine, NewLine: newLine, Witness: path, Shortest: shortest}
}

// result compares the claims of two sides. It compares the same two lists only once.
func (c *comparison) result(sides [2]claims) *result {
	c.key = c.key[:0]
	for side := range sides {
		c.key = binary.AppendUvarint(c.key, uint64(len(sides[side].list)))
		for _, claim := range sides[side].list {
			c.key = binary.AppendUvarint(c.key, uint64(claim.pattern)<<1|uint64(verdictOf(claim.allow)))
		}
	}
	sum := sha256.Sum256(c.key)
	if r, known := c.results[sum]; known {
		return r
	}
	r := c.compare(sides)
	c.results[sum] = r
	return r
}

func (c *comparison) compare(sides [2]claims) *result {
	if sameClaims(sides) {
		return &result{found: answer{done: true}, complete: true}
	}
	found := c.solver.decide(sides[0], sides[1])
	r := &result{found: found, complete: found.done}
	if !found.done {
		r.tried = c.solver.budget.why
	}
	if found.found() {
		var complete bool
		r.pairs, complete = c.solver.pairs(sides, c.config.changes())
		if !complete {
			r.complete = false
			r.tried = cmp.Or(c.solver.budget.why, "there are more changes than were to be listed")
		}
	}
	return r
}

func sameClaims(sides [2]claims) bool {
	return sides[0].rest == sides[1].rest && slices.EqualFunc(sides[0].list, sides[1].list, func(a, b claim) bool {
		return a.pattern == b.pattern && a.allow == b.allow
	})
}

// rows contains the rows of a report. Classes with the same changes share a row.
type rows struct {
	list []Row
	at   map[string]int
}

func (r *rows) add(row Row) {
	key := fmt.Appendf(nil, "%d %t %s %s ", row.Effect, row.Complete, row.Closes, row.Opens)
	key = append(strconv.AppendQuote(key, row.Tried), ' ')
	if row.Site != nil {
		key = fmt.Appendf(key, "%#v", *row.Site)
	}
	for _, paths := range slices.Concat(row.paths[:]...) { // their patterns depend on the lines
		key = fmt.Appendf(key, "%t %q %v", paths.Part, paths.Without, paths.But)
	}
	for _, change := range row.Changes {
		key = strconv.AppendInt(key, int64(change.OldLine), 10)
		key = append(key, ' ')
		key = strconv.AppendInt(key, int64(change.NewLine), 10)
		key = strconv.AppendQuote(key, change.Witness)
		key = strconv.AppendBool(key, change.Opens)
	}
	if at, known := r.at[string(key)]; known {
		r.list[at].Crawlers = append(r.list[at].Crawlers, row.Crawlers...)
		return
	}
	r.at[string(key)] = len(r.list)
	r.list = append(r.list, row)
}
