package lint

import (
	"cmp"
	"slices"
)

// redundancies are redundant rules, in the order of the file.
type redundancies []redundantRule

// redundantRule is a rule with what makes it redundant: another rule for the same group, or nil for
// several rules together.
type redundantRule struct {
	*claimant
	by *claimant
}

// reason identifies why a rule is redundant, and whether it can be removed in all dialects of
// plain fixes. One finding is about all rules with a reason.
func (r redundantRule) reason() [3]int {
	reason := [3]int{int(r.group)}
	if r.by != nil {
		reason[1] = r.by.Line
	}
	if r.needless {
		reason[2] = 1
	}
	return reason
}

// byReason returns the rules of each reason, by the first of them.
func (x redundancies) byReason() []redundancies {
	slices.SortStableFunc(x, func(a, b redundantRule) int {
		of, other := a.reason(), b.reason()
		return cmp.Or(cmp.Compare(of[0], other[0]), cmp.Compare(of[1], other[1]), cmp.Compare(of[2], other[2]))
	})
	all := make([]redundancies, 0, len(x))
	for len(x) > 0 {
		first, n := x[0].reason(), 1
		for n < len(x) && x[n].reason() == first {
			n++
		}
		all, x = append(all, x[:n]), x[n:]
	}
	slices.SortFunc(all, func(a, b redundancies) int { return cmp.Compare(a[0].Line, b[0].Line) })
	return all
}

// report reports the rules that one rule makes redundant at the first of them.
func (x redundancies) report(d *document) {
	for _, rules := range x.byReason() {
		r, by := rules[0], rules[0].by
		more := ""
		if n := len(rules) - 1; n > 0 {
			more = " and " + number(n, "other path") + " below"
		}
		var f *Finding
		switch l := d.line(r.Line); {
		case by == nil:
			f = d.findLine(rxDeadRule, l, "Redundant: other lines together already cover this path%s.", str(more))
		case more == "" && by.Pattern == r.Pattern:
			f = d.findLine(rxDeadRule, l, "Redundant: line %d is the same rule.", num(by.Line))
		default:
			f = d.findLine(rxDeadRule, l, "Redundant: line %d already covers this path%s.", num(by.Line), str(more))
		}
		d.soften(f, Info)
		if by != nil {
			f.Related = append(parts(&d.finder.related, len(rules))[:0], d.relatedRule(by))
		} else if len(rules) > 1 {
			f.Related = parts(&d.finder.related, len(rules)-1)[:0]
		}
		var edits []Edit
		if r.needless {
			edits = parts(&d.finder.edits, len(rules))[:0]
		}
		for i, r := range rules {
			if edit, ok := d.removal(d.line(r.Line)); ok && r.needless {
				edits = append(edits, edit)
			}
			if i > 0 {
				f.Related = append(f.Related, Related{r.Line, "redundant too"})
			}
		}
		if len(edits) > 0 {
			f.Fix = d.newFix("remove the line", edits, false)
			if len(edits) > 1 {
				f.Fix.Title = "remove these lines"
			}
		}
	}
}
