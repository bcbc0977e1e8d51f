package verdicts

// What the tests count.
const (
	MostVerdicts = mostVerdicts
	MostTrials   = mostTrials
)

func (c *Comparison) Trials() int { return c.trials }
