package calls

import (
	"fmt"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Selection selects the crawlers of a query. Without agents, purposes and operators it is
// "*", any crawler that follows the group for *.
type Selection struct {
	// Agents are in the notation of the tool's --agent: "GPTBot", or with fallbacks
	// "Googlebot-News:Googlebot"; a comma separates several. A whole User-Agent header is
	// read for its product token.
	Agents []string `json:"agents,omitempty" doc:"Crawlers, in the notation of robots check --agent: GPTBot, or with fallbacks Googlebot-News:Googlebot."`

	// Purposes and Operators add the known crawlers that have one of these purposes and
	// one of these operators. An empty list means any. Retired crawlers are omitted.
	Purposes  []string `json:"purposes,omitempty" doc:"Adds the known crawlers with one of these purposes, such as ai-training."`
	Operators []string `json:"operators,omitempty" doc:"Adds the known crawlers of one of these operators; with purposes, only crawlers that also have one of these purposes."`

	// ExactAgent uses a single token without the documented fallbacks of its crawler.
	ExactAgent bool `json:"exact_agent,omitempty" doc:"Use a single token without the documented fallbacks of its crawler."`
}

func (s *Selection) narrowed() bool { return len(s.Purposes) > 0 || len(s.Operators) > 0 }

func (s *Selection) isEmpty() bool { return len(s.Agents) == 0 && !s.narrowed() }

// Crawlers returns the selected crawlers.
func (s *Selection) Crawlers(limits Limits) (selected []answer.Crawler, err error) {
	limits = limits.Filled()
	if err := Exceeded("agents", "Agents", len(s.Agents), limits.Agents, "crawlers"); err != nil {
		return nil, err
	}
	if err := limits.Texts("agents", s.Agents...); err != nil {
		return nil, err
	}
	if len(s.Agents) > 0 || !s.narrowed() {
		for crawler, err := range answer.Crawlers(s.Agents...) {
			if err != nil {
				return nil, Invalid("agents", err)
			}
			// A text of a megabyte can list half a million.
			if err := Exceeded("agents", "Agents", len(selected)+1, limits.Agents, "crawlers"); err != nil {
				return nil, err
			}
			selected = append(selected, crawler)
		}
	}
	if s.narrowed() {
		known, err := s.Known()
		if err != nil {
			return nil, err
		}
		selected = answer.AddKnown(selected, known)
	}
	if s.ExactAgent {
		for i := range selected {
			selected[i] = selected[i].Exact()
		}
	}
	return selected, Exceeded("agents", "Agents", len(selected), limits.Agents, "crawlers")
}

// Known returns the known crawlers that purposes and operators select. It is an error if
// there are none.
func (s *Selection) Known() ([]crawlers.Crawler, error) {
	selection, err := s.Filter()
	if err != nil {
		return nil, err
	}
	known := crawlers.Select(selection)
	if len(known) == 0 {
		field := "purposes"
		if len(s.Purposes) == 0 {
			field = "operators"
		}
		return nil, &Error{Code: CodeInvalid, Field: field, Message: "no known crawler in use has these purposes and operators"}
	}
	return known, nil
}

// Filter returns the purposes and operators as package crawlers takes them.
func (s *Selection) Filter() (selection crawlers.Selection, err error) {
	for i, name := range s.Purposes {
		purpose, err := answer.Purpose(name)
		if err != nil {
			return selection, Invalid(fmt.Sprintf("purposes/%d", i), err)
		}
		selection.Purposes = append(selection.Purposes, purpose)
	}
	for i, name := range s.Operators {
		operator, err := answer.Operator(name)
		if err != nil {
			return selection, Invalid(fmt.Sprintf("operators/%d", i), err)
		}
		selection.Operators = append(selection.Operators, operator)
	}
	return selection, nil
}
