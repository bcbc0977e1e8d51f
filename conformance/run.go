package conformance

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Implementation is the parser under test. It returns whether the crawler with these
// product tokens may fetch url in this dialect, and the line of the deciding rule.
// The line is 0 if no rule decides, and AnyLine if the parser does not know it.
type Implementation func(dialect string, body []byte, agents []string, url string) (allowed bool, line int)

// Failure is a check with a wrong answer of the implementation. It contains the
// whole vector and the check; Allowed and Line are the answer.
type Failure struct {
	Vector  Vector
	Check   Check
	Allowed bool
	Line    int
}

// String returns the failure as one line of text: the location of the check, the
// clauses, the note, the query, the expected answer and the actual one.
func (f Failure) String() string {
	return fmt.Sprintf("%s:%d: [%s] %s: %s %q %q: expected %s, got %s",
		f.Vector.Name, f.Check.HeadLine, strings.Join(f.Vector.Clauses, "; "), f.Vector.Note,
		f.Check.Dialect, f.Check.Agents, f.Check.URL,
		verdict(f.Check.Allowed, f.Check.Line), verdict(f.Allowed, f.Line))
}

func verdict(allowed bool, line int) string {
	word := "deny"
	if allowed {
		word = "allow"
	}
	if line == AnyLine {
		return word
	}
	return fmt.Sprintf("%s [%d]", word, line)
}

// Run calls impl for every check of the vectors and returns the failures, in the
// order of the vectors. It passes copies of the body and the tokens, so impl can
// change them.
//
// For a check of a pattern, Run tests the URLs of Check.Samples; the URL of a failure
// is then the sample. Even if no sample fails, other URLs of the pattern can have a
// different verdict.
func Run(impl Implementation, vectors []Vector) []Failure {
	var failures []Failure
	for _, v := range vectors {
		for _, c := range v.Checks {
			for _, url := range c.Samples() {
				c.URL = url
				allowed, line := impl(c.Dialect, bytes.Clone(v.Body), slices.Clone(c.Agents), url)
				sameLine := c.Line == AnyLine || line == AnyLine || c.Line == line
				if allowed != c.Allowed || !sameLine {
					failures = append(failures, Failure{Vector: v, Check: c, Allowed: allowed, Line: line})
				}
			}
		}
	}
	return failures
}

// Only returns the vectors with only the checks of the given dialects. It omits
// vectors without such checks. Use it if your implementation does not support all
// three dialects. Only does not change its argument.
func Only(vectors []Vector, dialects ...string) []Vector {
	var out []Vector
	for _, v := range vectors {
		v.Checks = slices.DeleteFunc(slices.Clone(v.Checks), func(c Check) bool {
			return !slices.Contains(dialects, c.Dialect)
		})
		if len(v.Checks) > 0 {
			out = append(out, v)
		}
	}
	return out
}
