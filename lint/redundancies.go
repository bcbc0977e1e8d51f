package lint

// redundancies are redundant rules, by what makes them redundant: another rule for the same
// group, or several rules together.
type redundancies struct {
	order []redundancy // by the first rule
	at    map[redundancyKey]int32
	rules []redundantRule
	ofOne []*claimant // see report
}

// redundancy is the rules that are redundant for one reason.
type redundancy struct {
	redundancyKey
	first, last int32 // in rules
	count       int
}

type redundancyKey struct {
	group int32
	by    int // line; 0 if it is more than one
	safe  bool
}

type redundantRule struct {
	*claimant
	next int32 // of the same redundancy
}

// add adds a rule. It is safe if it can be removed in all dialects of plain fixes.
func (x *redundancies) add(r, by *claimant, safe bool) {
	key := redundancyKey{group: r.group, safe: safe}
	if by != nil {
		key.by = by.Line
	}
	if x.at == nil {
		x.at = map[redundancyKey]int32{}
	}
	rule := int32(len(x.rules))
	x.rules = append(x.rules, redundantRule{claimant: r})
	at, known := x.at[key]
	if !known {
		at = int32(len(x.order))
		x.at[key] = at
		x.order = append(x.order, redundancy{redundancyKey: key, first: rule})
	} else {
		x.rules[x.order[at].last].next = rule
	}
	x.order[at].last = rule
	x.order[at].count++
}

// release forgets the rules and keeps the memory.
func (x *redundancies) release() {
	x.at = emptiedMap(x.at)
	x.order, x.rules, x.ofOne = emptied(x.order), emptied(x.rules), emptied(x.ofOne)
}

// of returns the rules of a redundancy, until the next call.
func (x *redundancies) of(own *redundancy) []*claimant {
	x.ofOne = x.ofOne[:0]
	for at := own.first; len(x.ofOne) < own.count; at = x.rules[at].next {
		x.ofOne = append(x.ofOne, x.rules[at].claimant)
	}
	return x.ofOne
}

// report reports the rules that one rule makes redundant at the first of them.
func (x *redundancies) report(d *document, s *ruleSets) {
	for i := range x.order {
		key, rules := x.order[i].redundancyKey, x.of(&x.order[i])
		r, by := rules[0], s.at(key.by)
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
		if key.safe {
			edits = parts(&d.finder.edits, len(rules))[:0]
		}
		for i, r := range rules {
			if edit, ok := d.removal(d.line(r.Line)); ok && key.safe {
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
