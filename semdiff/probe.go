package semdiff

import "strings"

// maxProbed bounds the claims for which paths are guessed, and probeSteps the part of
// the budget for these guesses.
const (
	maxProbed  = 64
	probeSteps = 8
)

// probe guesses paths that reach the goals: those that consist of the text of a changed
// pattern and little more. Claims with the verdict of the rest come last, because without
// such a claim the verdict is often the same.
func (s *solver) probe(sides *[2]claims, c *change, goals *[2]bool, a *answer) {
	enough := s.budget.steps - s.budget.steps/probeSteps
	probes := 0
	for _, agree := range []bool{false, true} {
		for side := range sides {
			for _, claim := range c.claims[side] {
				if (claim.allow == sides[side].rest) != agree {
					continue
				}
				probes++
				for word := range s.patterns.words(claim.pattern) {
					if *goals == [2]bool{} || probes > maxProbed || s.budget.steps < enough {
						return
					}
					s.try(sides, word, goals, a)
				}
			}
		}
	}
}

func (s *solver) try(sides *[2]claims, path string, goals *[2]bool, a *answer) {
	if strings.ContainsAny(path, "#\x00") {
		return
	}
	images := [2]string{imagesOf(s.dialects[0]).path(path), imagesOf(s.dialects[1]).path(path)}
	var allowed [2]bool
	for side := range sides {
		s.budget.spend(len(sides[side].list)*(1+len(path)/bytesAStep), 0)
		allowed[side] = s.judge(sides[side], images)
	}
	if allowed[0] == allowed[1] {
		return
	}
	if goal := goalOf(1, allowed[1]); goals[goal] {
		goals[goal] = false
		a.path[goal] = path
		if s.any {
			*goals = [2]bool{}
		}
	}
}

func (s *solver) judge(c claims, images [2]string) bool {
	for _, claim := range c.list {
		if s.patterns.pattern(claim.pattern).Matches(images[s.patterns.spellings[claim.pattern].space]) {
			return claim.allow
		}
	}
	return c.rest
}
