package generate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/semdiff"
)

// reader is a crawler: a known one, one that the file names, or any other.
type reader struct {
	known    crawlers.Crawler // the zero Crawler for others
	token    string           // "*" for a crawler that no file names
	readings []crawlers.Reading
	wish     wish

	differs     bool   // the file before was not as intended
	written     bool   // the result has a group that names it
	follows     bool   // it is to read the same as all crawlers that no file names
	unexpressed string // the reason why it is not as intended
	reached     bool   // the result affects it unintentionally, because it cannot be named
}

// readersOf returns all known crawlers, the crawlers that a file names, and one that it does
// not name. Crawlers whose reading no source states have two readings. Crawlers that no line
// can reach have none.
func (c *Config) readersOf(f *file) (readers []*reader) {
	add := func(token string, known crawlers.Crawler) {
		r := &reader{known: known, token: token, wish: c.wishOf(crawlers.Crawler{})}
		if reading, ok := crawlers.ReadingOf(token); ok {
			r.readings = append(r.readings, reading)
			if other, ok := reading.Other(); ok {
				r.readings = append(r.readings, other)
			}
		}
		readers = append(readers, r)
	}
	for known := range crawlers.All() {
		add(known.Token, known)
		if r := readers[len(readers)-1]; known.Status != crawlers.Retired || c.names(known.Token) {
			r.wish = c.wishOf(known)
		}
	}
	named := make(map[string]bool)
	google, rfc9309 := f.tokens(robotstxt.Google), f.tokens(robotstxt.RFC9309)
	for _, line := range slices.Sorted(maps.Keys(google)) {
		// Google reads a part of some tokens, such as MJ of MJ12bot. No crawler has that name.
		if _, known := crawlers.Find(rfc9309[line]); known {
			continue
		}
		for _, token := range []string{google[line], rfc9309[line]} {
			if _, known := crawlers.Find(token); !known && strings.Trim(token, "*") != "" && !named[ascii.ToLower(token)] {
				named[ascii.ToLower(token)] = true
				add(token, crawlers.Crawler{})
			}
		}
	}
	strict := robotstxt.RFC9309
	return append(readers, &reader{token: "*", wish: c.wishOf(crawlers.Crawler{}),
		readings: []crawlers.Reading{{}, crawlers.Reading{}.In(&strict)}})
}

func (c *Config) names(token string) bool {
	return slices.ContainsFunc(c.Statements, func(s Statement) bool { return s.Crawler == token })
}

// prover proves that readers read two files alike, except where a wish differs.
type prover struct {
	ctx     context.Context
	steps   int                              // the steps that are left of the budget
	kept    func(e robotstxt.Extension) bool // whether a line must stay
	results map[question]bool
	wanted  map[question]robotstxt.Rules // by question without to
	numbers map[[sha256.Size]byte]int
	seeds   [2]maphash.Seed // of tallies
	allowed map[int]bool    // whether the site is allowed, by the number of the rules
}

// question is whether rules have the verdicts of others, except in the cells.
type question struct {
	from, to int
	cells    string
}

func newProver(ctx context.Context, steps int, kept func(robotstxt.Extension) bool) prover {
	return prover{ctx: ctx, steps: steps, kept: kept, results: make(map[question]bool),
		wanted: make(map[question]robotstxt.Rules), numbers: make(map[[sha256.Size]byte]int),
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, allowed: make(map[int]bool)}
}

// bytesPerStep is the number of bytes of rules that are read in the time of a step.
const bytesPerStep = 16

// fulfilled reports whether it is proved that a reading of after has the verdicts of before,
// except in the cells, where it must have the cells' verdicts.
func (p *prover) fulfilled(r crawlers.Reading, before, after *file, cells []cell) (bool, error) {
	from, to := before.rules(r), after.rules(r)
	asked := question{p.applied(before, from).rules, p.applied(after, to).rules, fmt.Sprint(cells)}
	if len(cells) == 0 && asked.from == asked.to {
		return true, p.ctx.Err()
	}
	if known, ok := p.results[asked]; ok || p.ctx.Err() != nil {
		return known, p.ctx.Err()
	}
	if len(cells) > 0 {
		key := question{from: asked.from, cells: asked.cells}
		if _, known := p.wanted[key]; !known {
			p.wanted[key] = expected(r, before, cells)
		}
		from = p.wanted[key]
	}
	fulfilled, err := p.agree(from, to)
	for i := range cells {
		if fulfilled && err == nil && !contested(cells, i) {
			var d *semdiff.Decision
			d, err = semdiff.Decides(p.ctx, to, cells[i].path, semdiff.Config{Steps: p.share()})
			fulfilled = err == nil && (cells[i].allow && d.AllAllowed || !cells[i].allow && d.AllDisallowed)
		}
	}
	p.results[asked] = fulfilled
	return fulfilled, err
}

// share returns the budget of the next search, an eighth of what is left. Searches do not
// report how much they took, which is usually little, so share subtracts a sixteenth of the
// rest: all searches together take at most 16 times the budget.
func (p *prover) share() int {
	share := p.steps / 8
	p.steps -= share / 16
	return max(1, share)
}

// agree reports whether it is proved that rules have the same verdicts. Rules that are the same
// line by line need no search.
func (p *prover) agree(from, to robotstxt.Rules) (agree bool, err error) {
	size := 0
	lists := [2][]robotstxt.Rule{}
	for side, rules := range []robotstxt.Rules{from, to} {
		for group := range rules.Groups() {
			for of := range group.Rules() {
				lists[side] = append(lists[side], of)
				size += len(of.Pattern)
			}
		}
	}
	p.steps = max(0, p.steps-size/bytesPerStep)
	if slices.EqualFunc(lists[0], lists[1],
		func(a, b robotstxt.Rule) bool { return a.Pattern == b.Pattern && a.Allow == b.Allow }) {
		return true, nil
	}
	agreement, err := semdiff.Agree(p.ctx, from, to, semdiff.Config{Steps: p.share()})
	return agreement.Agree, err
}

// expected returns the rules of before with the cells above them. It pads each cell with
// stars, which match nothing more, so that a cell outweighs all other rules and the cells
// keep their order.
func expected(r crawlers.Reading, before *file, cells []cell) robotstxt.Rules {
	longest := 0
	var text strings.Builder
	text.WriteString("User-agent: *\n")
	for _, line := range before.repeatable(r) {
		if line.isRule {
			longest = max(longest, line.pattern.Priority())
			text.WriteString(line.text + "\n")
		}
	}
	for _, c := range cells {
		fmt.Fprintf(&text, "%s: %s\n", keyOf(c.allow), padded(c.path, longest+1))
	}
	return r.Dialect.Parse([]byte(text.String())).Rules("*")
}

// padded returns a pattern for the same paths that is longer by n octets. A pattern of a
// single path has no such pattern and stays as it is: no rule of a group decides about that
// path before it if it is longer.
func padded(path string, n int) string {
	stars := strings.Repeat("*", n)
	if !strings.HasSuffix(path, "$") {
		return path + stars
	}
	return strings.Replace(path, "*", "*"+stars, 1)
}

// contested reports whether another cell has a contrary verdict about paths of a cell.
func contested(cells []cell, i int) bool {
	p := patternOf(cells[i].path)
	return slices.ContainsFunc(cells,
		func(c cell) bool { return c.allow != cells[i].allow && patternOf(c.path).Intersects(p) })
}
