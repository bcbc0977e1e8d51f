package visits

// Without leaves a rule of the join out.
func (c *Config) Without(rule string) {
	switch rule {
	case "cache":
		c.without.cache = true
	case "keep":
		c.without.keep = true
	case "witness":
		c.without.witness = true
	case "fallbacks":
		c.without.fallbacks = true
	case "proxy":
		c.without.proxy = true
	case "identity":
		c.without.identity = true
	default:
		panic(rule)
	}
}

// MomentsOf returns the moments of times.
func MomentsOf(times []int64) (m moments) {
	for _, t := range times {
		m = m.with(t)
	}
	return m
}

// AnyIn is anyIn.
func (m moments) AnyIn(from, to int64) bool { return m.anyIn(from, to) }
