package pattern

// Weight is the claim of a rule to decide, as one number: of the rules that
// match a path the one that weighs most decides. A longer pattern weighs more
// (G49), then Allow more than Disallow (G50), then the earlier line (G54). Zero
// is the weight of no rule, since every rule has a line.
type Weight uint64

const (
	weightLine  Weight = 1<<33 - 1 // the line, counted down from here so that an earlier one weighs more
	weightAllow Weight = 1 << 33
	weightShift        = 34
)

// Weigh returns the weight of a rule. Its priority is less than 2³⁰, its line
// less than 2³³.
func Weigh(priority int, allow bool, line int) Weight {
	w := Weight(priority)<<weightShift | (weightLine - Weight(line))
	if allow {
		w |= weightAllow
	}
	return w
}

// Lightest returns a weight below those of all rules of a priority and above
// those of all rules of a lower one.
func Lightest(priority int) Weight { return Weight(priority) << weightShift }

// Priority returns the length of the rule's pattern.
func (w Weight) Priority() int { return int(w >> weightShift) }

// Allow reports whether the rule is an Allow.
func (w Weight) Allow() bool { return w&weightAllow != 0 }

// Line returns the line of the rule, 0 for no rule (G54).
func (w Weight) Line() int {
	if w == 0 {
		return 0
	}
	return int(weightLine - w&weightLine)
}

// Allowed reports the verdict if this is the rule that weighs most. A rule of
// priority 0, which has no path, decides nothing (G51), and without any rule
// the path is allowed (G52).
func (w Weight) Allowed() bool { return w.Allow() || w.Priority() == 0 }
