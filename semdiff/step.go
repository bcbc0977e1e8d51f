package semdiff

// interest returns the bytes that continue or begin the match of a text. After any other
// byte, the component has no match that has begun.
func (s *search) interest(space int) (marks letters) {
	at := &s.now[space]
	marks = s.sets.list[at.set].firsts
	s.tries[space].interest(at.heads, &s.sides, marks.mark)
	for _, p := range at.partials {
		s.automata[p.pattern].interest(p.position, marks.mark)
	}
	return marks
}

func (a *component) copy(b *component) {
	a.heads, a.ended, a.set = b.heads, b.ended, b.set
	a.partials = append(a.partials[:0], b.partials...)
}

func (s *search) feed(space int, image string, at *[2]fallback) {
	for i := range len(image) {
		s.step(space, image[i], at)
	}
}

func (s *search) step(space int, b byte, at *[2]fallback) {
	from, to := &s.next[space], &s.spare
	to.partials = to.partials[:0]
	s.edits = s.edits[:0]
	begun := s.sets.beginning(from.set, b)
	floats := s.sets.list[from.set].floats
	i := 0
	for _, p := range from.partials {
		for ; i < len(begun) && floats[begun[i]].pattern < p.pattern; i++ {
			s.reach(to, floats[begun[i]], floats[begun[i]].start+1, at)
		}
		if i < len(begun) && floats[begun[i]].pattern == p.pattern {
			i++ // the step below handles it
		}
		a := s.automata[p.pattern]
		s.reach(to, float{p.pattern, a.start[p.position]}, a.step(p.position, b), at)
	}
	for ; i < len(begun); i++ {
		s.reach(to, floats[begun[i]], floats[begun[i]].start+1, at)
	}
	to.set = s.sets.apply(from.set, s.edits)
	to.heads, to.ended = s.tries[space].step(from.heads, b, &s.sides)
	*from, *to = *to, *from
	if from.ended != nowhere {
		s.arrive(space, from.ended, at)
	}
}

func (s *search) reach(to *component, f float, position uint32, at *[2]fallback) {
	a := s.automata[f.pattern]
	switch {
	case position == f.start:
	case a.fullAt(position) && !a.anchored:
		s.edits = append(s.edits, edit{pattern: f.pattern, gone: true})
		s.match(f.pattern, at)
	case !a.fullAt(position) && a.textStartsAt(position):
		s.edits = append(s.edits, edit{pattern: f.pattern, start: position})
	default:
		to.partials = append(to.partials, partial{f.pattern, position})
	}
}

// match records that a pattern matches the path and every longer one.
func (s *search) match(pattern int32, at *[2]fallback) {
	for side := range at {
		if rank, verdict := s.sides[side].rankOf(pattern); rank < at[side].limit {
			at[side] = fallback{rank, verdict == 1}
		}
	}
}

func (s *search) arrive(space int, node int32, at *[2]fallback) {
	s.edits = s.edits[:0]
	for _, pattern := range s.tries[space].nodes[node].ends {
		switch a := s.automata[pattern]; {
		case a.floats():
			s.edits = append(s.edits, edit{pattern: pattern})
		case !a.anchored:
			s.match(pattern, at)
		}
	}
	s.next[space].set = s.sets.apply(s.next[space].set, s.edits)
}

func (s *search) verdicts(at [2]fallback) (allowed [2]bool) {
	for space := range s.tries {
		if node := s.next[space].ended; node != nowhere {
			for _, pattern := range s.tries[space].nodes[node].ends {
				if a := s.automata[pattern]; !a.floats() && a.anchored {
					s.match(pattern, &at)
				}
			}
		}
		for _, p := range s.next[space].partials {
			if s.automata[p.pattern].fullAt(p.position) {
				s.match(p.pattern, &at)
			}
		}
	}
	return [2]bool{at[0].allow, at[1].allow}
}
