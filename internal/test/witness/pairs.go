package witness

import (
	"cmp"
	"slices"
	"strings"
)

const (
	maxPartners = 64 // patterns with which one pattern is paired
	maxOverlap  = 64 // bytes by which two literals can overlap
)

// findPartners finds for each pattern other patterns that might match a path in common with
// it.
//
// Two patterns share a path only if the text before the first star of one, its
// head, starts with the head of the other. In sorted order the heads that start
// another one form a stack. Only patterns with a star are partners, because a path
// that matches a plain prefix and a longer pattern is an instance of the longer one.
// If the stack is long, a pattern gets its nearest members, and some of the others in
// turn.
func (s *set) findPartners() {
	most := 4 + 2*min(s.limit/max(1, len(s.globs)), maxPartners)
	most = min(most, maxPartners)
	order := slices.Clone(s.globs)
	slices.SortFunc(order, func(a, b *glob) int {
		return cmp.Or(strings.Compare(a.segs[0], b.segs[0]), strings.Compare(a.text, b.text))
	})
	var stack []*glob
	turn := 0
	for _, g := range order {
		for len(stack) > 0 && !strings.HasPrefix(g.segs[0], stack[len(stack)-1].segs[0]) {
			stack = stack[:len(stack)-1]
		}
		near := len(stack)
		if near > most {
			near = most / 2
		}
		far := stack[:len(stack)-near]
		for _, partner := range slices.Backward(stack[len(far):]) {
			g.partners = append(g.partners, partner)
		}
		if len(far) > 0 {
			for range most - near {
				g.partners = append(g.partners, far[turn%len(far)])
				turn++
			}
		}
		if g.Wild {
			stack = append(stack, g)
		}
	}
}

// pairs yields the paths that each pattern and its partner of this round have in
// common, first the paths of pairs across two rule sets.
func (s *set) pairs(round int) bool {
	for _, across := range []bool{true, false} {
		if across && s.sides != both {
			continue
		}
		for _, q := range s.globs {
			if round >= len(q.partners) {
				continue
			}
			p := q.partners[round]
			if s.sides == both && across != (p.side|q.side == both) {
				continue
			}
			for _, path := range common(p, q, s.fill) {
				if p.Matches(path) && q.Matches(path) && !s.emit(path) {
					return false
				}
			}
		}
	}
	return true
}

// common returns paths that two patterns probably both match. p has a star, and its
// head is a prefix of the head of q.
func common(p, q *glob, fill string) []string {
	if q.Anchored && !q.Wild {
		return nil // q matches nothing but its own instance
	}
	pr := p.segs[1:]
	qr := q.segs[1:]
	last := ""
	if p.Anchored {
		last, pr = pr[len(pr)-1], pr[:len(pr)-1]
	}
	if q.Anchored {
		l := qr[len(qr)-1]
		qr = qr[:len(qr)-1]
		if len(l) > len(last) {
			l, last = last, l
		}
		if !strings.HasSuffix(last, l) {
			return nil
		}
	}
	empty := func(seg string) bool { return seg == "" }
	tail := []string{last}
	first := append(q.segs[:1:1], slices.DeleteFunc(slices.Concat(pr, qr, tail), empty)...)
	second := append(q.segs[:1:1], slices.DeleteFunc(slices.Concat(qr, pr, tail), empty)...)

	size := len(p.text) + len(q.text) + (len(first)+1)*len(fill)
	if size > maxPath {
		return nil
	}
	paths := []string{
		rooted(strings.Join(first, "")),
		rooted(strings.Join(second, "")),
		rooted(strings.Join(first, fill)),
		rooted(strings.Join(second, fill)),
		overlapped(first),
		overlapped(second),
	}
	if !p.Anchored && !q.Anchored {
		paths = append(paths, paths[0]+fill)
	}
	return paths
}

// overlapped joins literals. Each overlaps the text before it as much as possible.
func overlapped(segs []string) string {
	b := []byte(rooted(segs[0]))
	for _, seg := range segs[1:] {
		n := min(len(seg), len(b), maxOverlap)
		for n > 0 && string(b[len(b)-n:]) != seg[:n] {
			n--
		}
		b = append(b, seg[n:]...)
	}
	return string(b)
}
