package conformance

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"time"
)

// DelayFormat is the version of the format of delay cases.
const DelayFormat = 1

// DelayCase is a robots.txt with Crawl-delay lines, and the delays of crawlers. No specification
// of the protocol defines the line, so all cases are readings: an implementation can differ, and
// should document that. README.md describes the fields.
type DelayCase struct {
	Name     string       `json:"name"`
	Note     string       `json:"note"`
	Dialects []string     `json:"dialects"` // in which the checks are the same
	Robots   []string     `json:"robots"`   // the lines, each of which ends in a line feed
	Checks   []DelayCheck `json:"checks"`
}

// DelayCheck is the delay of one crawler: an ordered list of product tokens, as in a Check. Seconds
// is nil if the site specifies none.
type DelayCheck struct {
	Agents  []string `json:"agents"`
	Seconds *float64 `json:"seconds"`
}

//go:embed delays.json
var delayFile []byte

// DelayCases returns the delay cases of this package. Names are unique. Each call reads them
// again, so a caller can change the result.
func DelayCases() ([]DelayCase, error) {
	return casesIn[DelayCase]("delays.json", delayFile, DelayFormat)
}

// RunDelays calls impl for each dialect of each check, and returns a line for each difference.
// impl must return ok false if the site specifies no delay.
func RunDelays(impl func(dialect string, body []byte, agents []string) (delay time.Duration, ok bool),
	cases []DelayCase) (failures []string) {
	for _, c := range cases {
		body := joined(c.Robots)
		for _, check := range c.Checks {
			for _, dialect := range c.Dialects {
				got, want := "none", "none"
				if delay, ok := impl(dialect, bytes.Clone(body), slices.Clone(check.Agents)); ok {
					got = delay.String()
				}
				if check.Seconds != nil {
					want = time.Duration(*check.Seconds * float64(time.Second)).String()
				}
				if got != want {
					failures = append(failures, fmt.Sprintf("%s: %s: %s %q: expected %s, got %s", c.Name, c.Note, dialect, check.Agents, want, got))
				}
			}
		}
	}
	return failures
}
