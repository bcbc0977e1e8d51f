// Package minimize removes the rules of a robots.txt that decide nothing. Package
// semdiff finds them, and proves that the file without them gives the same
// verdicts.
package minimize

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Result is a smaller file.
type Result struct {
	// Body is the file without the removed lines, whose comments stay. All else
	// is as it was.
	Body []byte

	Rules     int               // how many the file had
	Removed   []semdiff.Removal // in file order
	Undecided []int             // lines of rules that stay because nothing was decided about them
	Tried     string            // why there are such lines
}

// Run removes the rules without which no verdict differs, for any crawler and any
// URL, in any of the dialects, until no further one can go. Steps bounds the work,
// see semdiff.Config. The result is compared with the original as a whole, as
// crawlers read it; if that does not prove them equal, nothing is removed and all
// rules are undecided. The error is that of ctx.
func Run(ctx context.Context, body []byte, dialects []robotstxt.Dialect, steps int) (*Result, error) {
	lines := rules(parse(body, dialects))
	r := &Result{Body: body, Rules: len(lines)}
	for masked := body; ; masked = mask(body, r.Removed) {
		minimal, err := semdiff.Minimize(ctx, semdiff.Config{Steps: steps}, parse(masked, dialects)...)
		if err != nil {
			return nil, err
		}
		r.Undecided, r.Tried = minimal.Undecided, minimal.Tried
		if len(minimal.Removed) == 0 {
			break
		}
		r.Removed = append(r.Removed, minimal.Removed...)
		slices.SortFunc(r.Removed, func(a, b semdiff.Removal) int { return cmp.Compare(a.Line, b.Line) })
	}
	if len(r.Removed) == 0 {
		return r, nil
	}
	r.Body = without(body, r.Removed)
	for _, before := range parse(body, dialects) {
		report, err := semdiff.Compare(ctx, before, before.Dialect().Parse(r.Body), semdiff.Config{Steps: steps})
		if err != nil {
			return nil, err
		}
		if !report.Equal() {
			return &Result{Body: body, Rules: r.Rules, Undecided: lines, Tried: "it was not proved that the smaller file gives the same verdicts"}, nil
		}
	}
	return r, nil
}

func parse(body []byte, dialects []robotstxt.Dialect) (readings []*robotstxt.Robots) {
	for _, d := range dialects {
		readings = append(readings, d.Parse(body))
	}
	return readings
}

// rules returns the lines of the rules in any reading, in file order.
func rules(readings []*robotstxt.Robots) (lines []int) {
	for _, robots := range readings {
		for group := range robots.Groups() {
			for rule := range group.Rules() {
				lines = append(lines, rule.Line)
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// without returns the body without some lines, which are in file order. The
// comment of a removed line stays on a line of its own.
func without(body []byte, removed []semdiff.Removal) []byte { return replace(body, removed, "") }

// mask is without with the same line numbers: a comment takes the place of each
// removed line.
func mask(body []byte, removed []semdiff.Removal) []byte { return replace(body, removed, "#") }

// replace puts the comment of each removed line in its place, or a substitute if
// it has none. Without a substitute its end is removed too.
func replace(body []byte, removed []semdiff.Removal, substitute string) []byte {
	var left []byte
	for line := range robotstxt.Lines(body) {
		if len(removed) == 0 || removed[0].Line != line.Number {
			left = append(left, line.Raw...)
			continue
		}
		removed = removed[1:]
		if comment := cmp.Or(string(line.Comment), substitute); comment != "" {
			left = append(left, comment...)
			left = append(left, line.Raw[len(bytes.TrimRight(line.Raw, "\r\n")):]...)
		}
	}
	return left
}
