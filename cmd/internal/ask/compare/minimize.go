package compare

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Minimal is a smaller file.
type Minimal struct {
	// Body is the file without the removed lines. Their comments and all other lines
	// stay.
	Body []byte

	Rules     int               // number of rules of the original file
	Removed   []semdiff.Removal // in file order
	Undecided []int             // lines of rules that stay because the search was undecided
	Tried     string            // why rules are undecided
}

// Minimize removes rules as long as no verdict changes, for any crawler and any URL, in any
// of the dialects. Steps limits the work, see semdiff.Config: the search can take half of
// it. Finally Minimize compares the result with the original. If that is undecided, it
// removes only rules whose paths a single other rule decides. If a verdict differs, it
// removes nothing. If ctx ends, Minimize returns ctx's error.
func Minimize(ctx context.Context, body []byte, dialects []robotstxt.Dialect, steps int) (*Minimal, error) {
	lines := ruleLines(parse(body, dialects))
	r := &Minimal{Body: body, Rules: len(lines)}
	steps = cmp.Or(steps, semdiff.DefaultSteps)
	left := max(1, steps/2)
	for masked := body; ; masked = mask(body, r.Removed) {
		minimal, err := semdiff.Minimize(ctx, semdiff.Config{Steps: left}, parse(masked, dialects)...)
		if err != nil {
			return nil, err
		}
		left = max(1, left-minimal.Steps)
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
		config := semdiff.Config{Steps: max(1, steps/2/len(dialects))}
		report, err := semdiff.Compare(ctx, before, before.Dialect().Parse(r.Body), config)
		if err != nil {
			return nil, err
		}
		if !report.Equal() {
			differs := slices.ContainsFunc(report.Rows, func(row semdiff.Row) bool {
				return row.Effect != semdiff.Equal && row.Effect != semdiff.Undecided
			})
			return r.withoutProof(body, lines, differs), nil
		}
	}
	return r, nil
}

// withoutProof reduces r if there is no proof that all rules can be removed together: it
// removes only rules whose paths a single other rule decides, or none if a verdict differs.
func (r *Minimal) withoutProof(body []byte, lines []int, differs bool) *Minimal {
	safe := &Minimal{Body: body, Rules: r.Rules, Tried: "the smaller file could not be proved to give the same verdicts"}
	for _, removal := range r.Removed {
		if removal.By > 0 && !differs {
			safe.Removed = append(safe.Removed, removal)
		}
	}
	safe.Body = without(body, safe.Removed)
	safe.Undecided = slices.DeleteFunc(lines, func(line int) bool {
		_, removed := slices.BinarySearchFunc(safe.Removed, line, func(removal semdiff.Removal, line int) int {
			return removal.Line - line
		})
		return removed
	})
	return safe
}

func parse(body []byte, dialects []robotstxt.Dialect) (parsed []*robotstxt.Robots) {
	for _, d := range dialects {
		parsed = append(parsed, d.Parse(body))
	}
	return parsed
}

func ruleLines(parsed []*robotstxt.Robots) (lines []int) {
	for _, robots := range parsed {
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
