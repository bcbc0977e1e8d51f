package pattern

// Weight is the precedence of a rule as one number: of the rules that match a path the
// heaviest decides. A rule with a longer pattern is heavier; of equal lengths, an Allow is
// heavier than a Disallow; then the earlier line. Zero means no rule [G49, G50, G54].
type Weight uint64

const (
	weightLine  Weight = 1<<33 - 1 // minus the line, so that an earlier line is heavier
	weightAllow Weight = 1 << 33
	weightShift        = 34
)

// Weigh returns the weight of a rule. The priority must be less than 2³⁰, the line less
// than 2³³.
func Weigh(priority int, allow bool, line int) Weight {
	w := Weight(priority)<<weightShift | (weightLine - Weight(line))
	if allow {
		w |= weightAllow
	}
	return w
}

// Priority returns the length of the rule's pattern.
func (w Weight) Priority() int { return int(w >> weightShift) }

// Allow reports whether the rule is an Allow.
func (w Weight) Allow() bool { return w&weightAllow != 0 }

// Line returns the line of the rule, or 0 if there is no rule [G54].
func (w Weight) Line() int {
	if w == 0 {
		return 0
	}
	return int(weightLine - w&weightLine)
}

// Allowed returns the verdict if this is the weight of the heaviest rule that matches. The
// path is allowed if there is no rule, or if the priority is 0: a rule without a path has
// no effect [G51, G52].
func (w Weight) Allowed() bool { return w.Allow() || w.Priority() == 0 }
