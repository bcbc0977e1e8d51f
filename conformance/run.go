package conformance

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Implementation answers one question: in this dialect, may the crawler with
// these product tokens fetch this URL, and which line says so. It returns 0
// where no rule decides, AnyLine if it cannot tell.
type Implementation func(dialect string, body []byte, agents []string, url string) (allowed bool, line int)

// Failure is one check that an implementation answered otherwise. It holds the
// vector and the check whole, so that a caller may print, count or compare them
// as it likes.
type Failure struct {
	Vector  Vector
	Check   Check
	Allowed bool
	Line    int
}

// String tells a failure in one line: where the check stands, the clauses and
// the note, the question asked, the expected answer and the one given, in that
// order.
func (f Failure) String() string {
	return fmt.Sprintf("%s:%d: [%s] %s: %s %q %q: want %s, got %s",
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

// Run puts every check of the vectors to the implementation and returns the
// ones answered otherwise, in the order of the vectors. The implementation gets
// copies, so it cannot spoil a later check.
//
// An implementation answers about URLs, so a check of a pattern is put to it as the
// check's samples; a failure then has the sample as its URL. That none fails proves
// nothing about the other URLs of the pattern.
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

// Only keeps the checks of the given dialects and drops the vectors that are
// left without any. It is for implementations that do not offer all three; the
// vectors handed over stay as they are.
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
