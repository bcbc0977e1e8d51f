package past

import "time"

// SetPatience sets how long git may print nothing, until the result is called.
func SetPatience(d time.Duration) (restore func()) {
	before := patience
	patience = d
	return func() { patience = before }
}
