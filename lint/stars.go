package lint

import "strings"

var starEntries = []Entry{
	{
		Code:     "RX201",
		Name:     "redundant-star",
		Severity: Info,
		Title:    "A star at the end of a pattern matches nothing more.",
		Why:      "A pattern matches all that begins with it (G42; RFC 9309 2.2.2), so the star only adds to the length by which rules are weighed (G49). Readers without wildcards take it for a letter.",
		Bad:      "User-agent: *\nDisallow: /fish*\n",
		Good:     "User-agent: *\nDisallow: /fish\n",
	},
}

// inspectStars looks for patterns that end in a star. Taking it out makes the
// rule weigh less. That is safe unless a rule of the other kind with which it
// shares a path comes to weigh more, with its own redundant stars or without:
// then it is safe beside any other fix of this kind.
func inspectStars(d *document, s *ruleSets, dead map[int]bool) {
	if !d.wants("RX201") {
		return
	}
	var others []*ruleSets
	for i := range s.rules {
		r := &s.rules[i]
		if _, ok := s.pattern(r).WithoutRedundantEnd(); !ok || r.none || dead[r.Line] {
			continue
		}
		safe := s.mayShorten(r)
		if same := d.sameElsewhere(); same != nil && same[r.group] {
			d.findStar(r, s.pattern(r).MatchesEvery(), safe)
			continue
		}
		if others == nil {
			others = d.otherRuleSets(s.work)
		}
		for _, other := range others {
			same := other.at(r.Line)
			safe = safe && same != nil && other.mayShorten(same)
		}
		d.findStar(r, s.pattern(r).MatchesEvery(), safe)
	}
}

// findStar reports a redundant end. The whole-site pattern is told apart, because a
// slash is what readers without wildcards need there.
func (d *document) findStar(r *claimant, everything, safe bool) {
	l := d.line(r.Line)
	if l.nulCut {
		return // with the NUL gone the star is not the last byte any more
	}
	if everything && l.value()[0] == '*' { // see ruleSets.claimant
		f := d.findValue("RX201", l, "%s matches every URL, as \"/\" does, which readers without wildcards understand too%s", quote(l.value()), weighs(safe))
		f.Fix = &Fix{Title: "write a slash", Edits: l.replaceValue("/"), Meaning: !safe}
		return
	}
	// What ends the pattern ends the value: no dialect encodes stars.
	left := len(l.value()) - (r.Length - int(r.short))
	if strings.IndexByte("$ \t\n\v\f\r", l.value()[left-1]) >= 0 {
		return // it would come to be the last byte: special, or trimmed
	}
	start, end := l.valueAt()+left, l.valueAt()+len(l.value())
	f := d.find("RX201", l, start, end, "%s matches what %s would match%s", quote(l.value()), quote(l.value()[:left]), weighs(safe))
	if l.tooLong {
		return // what is not read yet would move up
	}
	f.Fix = &Fix{Title: "take out the star at the end", Edits: []Edit{{start, end, ""}}, Meaning: !safe}
}

func weighs(safe bool) string {
	if safe {
		return ""
	}
	return ", but a shorter pattern may lose to another rule"
}

// mayShorten reports whether a rule decides the same without its redundant end,
// whether the ends of other rules are taken out or not.
func (s *ruleSets) mayShorten(r *claimant) bool {
	low, high := int(r.short), r.Length // of the rules that outweigh the short one only
	if low == high {
		return true
	}
	if r.Allow {
		low++ // it wins ties
	} else {
		high--
	}
	rival, ok := s.rival(r, low, high, func(*claim) bool { return true })
	return ok && rival == nil
}
