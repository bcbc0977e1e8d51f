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
	// Body is the file without the removed lines. Their comments and all other lines
	// stay.
	Body []byte

	Rules     int               // number of rules of the original file
	Removed   []semdiff.Removal // in file order
	Undecided []int             // lines of rules that stay because the search was undecided
	Tried     string            // why rules are undecided
}

// Run removes rules as long as no verdict changes, for any crawler and any URL, in any
// of the dialects. Steps limits the work, see semdiff.Config. Finally Run compares the
// result with the original; if they are not proved equal, it removes nothing, and all
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
			return &Result{Body: body, Rules: r.Rules, Undecided: lines, Tried: "the smaller file could not be proved to give the same verdicts"}, nil
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

// without returns the body without some lines, which are in file order. The comment of
// a removed line stays, on a separate line.
func without(body []byte, removed []semdiff.Removal) []byte { return replace(body, removed, "") }

// mask is like without, but keeps the line numbers: it replaces each removed line by a
// comment.
func mask(body []byte, removed []semdiff.Removal) []byte { return replace(body, removed, "#") }

// replace replaces each removed line by its comment, or by the substitute if it has
// none. Without a substitute it removes the line end too.
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
