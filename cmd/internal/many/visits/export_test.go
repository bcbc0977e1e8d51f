package visits

// Without leaves a premise out.
func (c *Config) Without(premise string) {
	for _, p := range premises {
		if p.name == premise {
			c.without = premise
			return
		}
	}
	panic(premise)
}

// Premises returns the names of all premises.
func Premises() (names []string) {
	for _, p := range premises {
		names = append(names, p.name)
	}
	return names
}

// MomentsOf returns the moments of times.
func MomentsOf(times []int64) (all moments) {
	for _, t := range times {
		all = all.with(moment{at: t})
	}
	return all
}

// AnyIn reports whether a time is in a span.
func (all moments) AnyIn(from, to int64) bool { return all.firstIn(from, to) != nil }
