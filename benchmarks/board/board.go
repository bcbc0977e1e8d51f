// Package board runs this project and other parsers on the conformance vectors,
// and counts the checks in which a verdict differs from Google's parser.
//
// It uses the vectors' checks in the google dialect, because all of these parsers
// follow it or have moved towards it. A failure means that a parser's verdict differs
// from Google's; its author might have intended that.
//
// Only verdicts for one product token and one URL are compared. Checks with a
// list of tokens are left out, and deciding lines are ignored. A check that a
// parser's interface cannot express does not count as a failure.
package board

import (
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
	"github.com/kosterhq/robotstxt/conformance"
)

// Check is one check of a vector.
type Check struct {
	ID      string // vector:line
	Clauses []string
	Body    []byte
	Agent   string
	URL     string
	Allowed bool // the right answer
}

// Checks returns the checks of the dialect google with one product token, in the
// order of the vectors.
func Checks() ([]Check, error) {
	vectors, err := conformance.Vectors()
	if err != nil {
		return nil, err
	}
	var checks []Check
	for _, v := range conformance.Only(vectors, conformance.Google) {
		for _, c := range v.Checks {
			if len(c.Agents) == 1 && !c.All {
				id := fmt.Sprintf("%s:%d", v.Name, c.HeadLine)
				checks = append(checks, Check{id, v.Clauses, v.Body, c.Agents[0], c.URL, c.Allowed})
			}
		}
	}
	return checks, nil
}

// Score has the results of one parser, as they are stored.
type Score struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// NotRun is the reason why the parser could not be run, "" if it was.
	NotRun string `json:"notRun,omitempty"`
	// Failures are the failed checks, by ID.
	Failures map[string]Failure `json:"failures"`
	// Inapplicable has the IDs of the checks that the interface cannot express.
	Inapplicable []string `json:"inapplicable,omitempty"`
}

// Failure is the kind of a failure.
type Failure string

// The kinds of failures.
const (
	Wrong   Failure = "wrong"
	Refused Failure = "error" // an error or exception, or no answer
	Panic   Failure = "panic"
	TimeOut Failure = "time-out"
)

// verdict returns a parser's verdict in a check. It returns the errors of package
// peers, and driver.ErrTimeOut.
type verdict func(Check) (allowed bool, err error)

func (s *Score) run(checks []Check, verdict verdict) {
	s.Failures = map[string]Failure{}
	for _, q := range checks {
		allowed, err := verdict(q)
		switch {
		case errors.Is(err, peers.ErrInexpressible):
			s.Inapplicable = append(s.Inapplicable, q.ID)
		case errors.Is(err, peers.ErrPanic):
			s.Failures[q.ID] = Panic
		case errors.Is(err, driver.ErrTimeOut):
			s.Failures[q.ID] = TimeOut
		case err != nil:
			s.Failures[q.ID] = Refused
		case allowed != q.Allowed:
			s.Failures[q.ID] = Wrong
		}
	}
}

// Go runs the parsers written in Go.
func Go(checks []Check) (scores []Score) {
	for _, p := range peers.All() {
		score := Score{Name: p.Name, Version: p.Version()}
		score.run(checks, func(q Check) (bool, error) { return inTime(p, q) })
		scores = append(scores, score)
	}
	return scores
}

// inTime returns driver.ErrTimeOut if the parser does not answer in time. The
// call then continues in its goroutine, because Go cannot stop it.
func inTime(p *peers.Peer, q Check) (bool, error) {
	type answer struct {
		allowed bool
		err     error
	}
	answers := make(chan answer, 1)
	go func() {
		allowed, err := p.Judge(corpus.NewBody(q.Body), q.Agent, q.URL)
		answers <- answer{allowed, err}
	}()
	select {
	case a := <-answers:
		return a.allowed, a.err
	case <-time.After(driver.Patience):
		return false, driver.ErrTimeOut
	}
}
