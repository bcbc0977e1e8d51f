package fetch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/golden"
)

// TestPythonPolicies checks that the Python package has the tables of this client. "go generate
// ./fetch" writes them.
func TestPythonPolicies(t *testing.T) {
	golden.Check(t, *update, "../python/src/kosterhq_robotstxt/policies.py", []byte(pythonPolicies()), "go generate ./fetch")
}

// pythonPolicies returns the source of the tables. Durations are in seconds.
func pythonPolicies() string {
	var b strings.Builder
	b.WriteString(`# Code generated from the policies of the Go client by "go generate ./fetch"; DO NOT EDIT.

from typing import Literal

Policy = Literal[`)
	for i, p := range Policies() {
		fmt.Fprintf(&b, "%s%q", []string{"", ", "}[min(i, 1)], p)
	}
	b.WriteString(`]
"""The names of docs/policies.md."""

# The classes of statuses, by the first status of each range.
STATUSES = {
`)
	for _, r := range statuses {
		fmt.Fprintf(&b, "    %d: %q,\n", r.first, jsClasses[r.class])
	}
	b.WriteString(`}

# By policy: what each class means; for how long a file is fresh if its headers say nothing, and at
# most; how many redirects are followed; whether a 300 with a target is a redirect; whether only
# evidence allows.
POLICIES = {
`)
	classes := []class{classFile, classEmpty, classUnavailable, classRejected, classForbidden, classUndefined}
	for _, p := range Policies() {
		fmt.Fprintf(&b, "    %q: ({", p)
		for i, c := range classes {
			fmt.Fprintf(&b, "%s%q: %q", []string{"", ", "}[min(i, 1)], jsClasses[c], jsEffects[p.effectOf(c)])
		}
		f := policies[p.index()]
		fmt.Fprintf(&b, "}, %d, %d, %d, %s, %s),\n", int64(f.freshness.normal.Seconds()), int64(f.freshness.max.Seconds()),
			f.redirects, pythonBool(f.untilFound), pythonBool(f.onEvidence))
	}
	b.WriteString(`}

# By policy: what applies with a copy and without one while the file has been unreachable for more
# than a time, the longest first.
OUTAGES = {
`)
	for _, p := range Policies() {
		fmt.Fprintf(&b, "    %q: (", p)
		for i, o := range outages {
			fmt.Fprintf(&b, "%s(%d, %q, %q)", []string{"", ", "}[min(i, 1)], pythonSeconds(o.over), jsEffects[o.copy[p.index()]],
				jsEffects[o.nocopy[p.index()]])
		}
		b.WriteString("),\n")
	}
	b.WriteString("}\n\n")
	for _, c := range []struct {
		comment, name string
		value         time.Duration
	}{
		{"The least time for which an answer is fresh if its headers state one.", "MIN_FRESH", minFresh},
		{"The longest time for which an answer without a file is fresh.", "NO_FILE_FRESH", noFileFresh},
		{"The wait after the first fault, which doubles up to the last one.", "FIRST_WAIT", firstWait},
		{"The longest wait after faults.", "LAST_WAIT", lastWait},
		{"The same after a 503.", "LAST_503", last503},
		{"The longest time between two attempts of one outage.", "OUTAGE_GAP", outageGap},
		{"The longest wait that Retry-After can request.", "LONGEST_RETRY_AFTER", day},
		{"How long after its fetch a copy is of use if only evidence allows.", "EVIDENCE_LASTS", time.Duration(evidenceLasts)},
		{"The tolerated difference between the clocks of machines with one store.", "CLOCK_SKEW", clockSkew},
	} {
		fmt.Fprintf(&b, "# %s\n%s = %d\n", c.comment, c.name, int64(c.value.Seconds()))
	}
	return b.String()
}

// pythonSeconds returns whole seconds, -1 for any negative time.
func pythonSeconds(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	return int64(d.Seconds())
}

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}
