// Package board puts the conformance vectors to this project and to other
// parsers, and tells who answers what otherwise than Google's parser.
//
// The yardstick is the dialect google of the vectors, because that is what all
// of these parsers follow or have grown towards. A failure says that a parser
// does not answer as Google's does, not that its author meant it to.
//
// Only what every parser can be asked is asked: one product token and one URL,
// for a verdict. Checks with a list of tokens are left out, and so are their
// deciding lines. What a single parser's interface has no way to say is not
// held against it.
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

// Question is one check of a vector.
type Question struct {
	ID      string // vector:line
	Clauses []string
	Body    []byte
	Agent   string
	URL     string
	Allowed bool // the right answer
}

// Questions returns the checks of the dialect google that ask for one token, in
// the order of the vectors.
func Questions() ([]Question, error) {
	vectors, err := conformance.Vectors()
	if err != nil {
		return nil, err
	}
	var questions []Question
	for _, v := range conformance.Only(vectors, conformance.Google) {
		for _, c := range v.Checks {
			if len(c.Agents) == 1 && !c.All {
				id := fmt.Sprintf("%s:%d", v.Name, c.HeadLine)
				questions = append(questions, Question{id, v.Clauses, v.Body, c.Agents[0], c.URL, c.Allowed})
			}
		}
	}
	return questions, nil
}

// Score is how one parser did. It is what is stored.
type Score struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// NotRun says why nothing was asked.
	NotRun string `json:"notRun,omitempty"`
	// Failures has, by the ID of the question, how it was failed.
	Failures map[string]Failure `json:"failures"`
	// NotAsked has the IDs of the questions that the interface cannot express.
	NotAsked []string `json:"notAsked,omitempty"`
}

// Failure is a way not to give the right answer.
type Failure string

// The ways to fail.
const (
	Wrong   Failure = "wrong"
	Refused Failure = "error" // an error or exception, or no answer
	Panic   Failure = "panic"
	TimeOut Failure = "time-out"
)

// ask answers a question; errors are those of package peers, and
// driver.ErrTimeOut.
type ask func(Question) (allowed bool, err error)

func (s *Score) put(questions []Question, ask ask) {
	s.Failures = map[string]Failure{}
	for _, q := range questions {
		allowed, err := ask(q)
		switch {
		case errors.Is(err, peers.ErrInexpressible):
			s.NotAsked = append(s.NotAsked, q.ID)
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

// Go puts the questions to the parsers written in Go.
func Go(questions []Question) (scores []Score) {
	for _, p := range peers.All() {
		score := Score{Name: p.Name, Version: p.Version()}
		score.put(questions, func(q Question) (bool, error) { return inTime(p, q) })
		scores = append(scores, score)
	}
	return scores
}

// inTime leaves a call that does not return behind: Go cannot end it.
func inTime(p *peers.Peer, q Question) (bool, error) {
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
