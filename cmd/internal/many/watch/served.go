// Package watch detects when the meaning of a site's robots.txt changes, and reports it.
//
// Changes compares the files that a site served at two times. State decides when a change
// is confirmed. Store keeps the states, and the messages until every output has delivered
// them. Run fetches many sites when they are due. The package prints nothing by itself.
//
// # When a change is told
//
// An answer of a site has four parts: the rules with faults and how the file is served, the uses, the sitemaps, and
// other lines. Each has its own State. A part says statements: a line, and the agent for which it is.
//
// One rule decides: what only one answer has, or lacks, is never told. What lasts since a time is what all answers
// since then have in common: a statement is there if all have it, or some and the reported answer have it; it is gone
// if all lack it. What neither of two answers means is nothing. A State keeps what lasts for each time at which that
// differs. What only a site's first answer had is dropped if the next two each have something new.
//
// What lasts is told after ten minutes; after two hours if the part had a report within a day, or if other values still
// come and go; and then after a day. The event has the most that has lasted. These waits limit events, so they do not
// hold if there is an event anyway, nor for the first three serious changes.
//
// A change to what was reported before, and lasted within a day, is a return. If two meanings take turns, the event
// about the second return says that the site changes back and forth, and from then on a return must last for a day.
//
// A part is fresh if each answer has a statement that none before had. As that never lasts, it delays nothing else. A
// variant is a meaning that comes back, in a quarter of the answers. Both are told with the next event, or alone if
// there was none for a day and nothing is pending, and so is a fault that lasted, but came too soon after another one.
package watch

import (
	"bytes"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// Served is a site's answer to the request for its robots.txt, with its meaning according
// to the policy. While the site is down, the fields before Fault describe its last
// answer.
type Served struct {
	Outcome   wire.Outcome `json:"outcome,omitempty"` // "" if the site has never answered
	Status    int          `json:"status,omitempty"`
	FinalURL  string       `json:"final_url,omitempty"` // after redirects
	Truncated bool         `json:"truncated,omitempty"`
	File      bool         `json:"file,omitempty"` // there is a file, which can be empty
	Body      []byte       `json:"-"`

	// Fault is the kind of the fault, as in [fetch.FaultError]; "" without one.
	Fault       string       `json:"fault,omitempty"`
	FaultStatus int          `json:"fault_status,omitempty"` // 0 without a response
	Closed      wire.Outcome `json:"closed,omitempty"`       // the policy's decision during the fault
}

// ServedOf returns the answer in the result of a fetch. local is true if the result says
// nothing about the site: the request failed on this machine, or the address guard
// refused the address.
func ServedOf(r *fetch.Result) (s Served, local bool) {
	if fault, ok := r.Err.(*fetch.FaultError); ok {
		if fault.Local() || fault.Kind == wire.FaultRefused {
			return Served{}, true
		}
		return Served{Fault: fault.Kind, FaultStatus: r.Status, Closed: wire.Outcome(r.Outcome)}, false
	}
	return Served{
		Outcome: wire.Outcome(r.Outcome), Status: r.Status, FinalURL: r.URL, Truncated: r.Truncated,
		File: r.Outcome == fetch.OutcomeRules, Body: r.Body(),
	}, r.Outcome == fetch.OutcomeLocal
}

func (s *Served) down(fault Served) *Served {
	d := Served{}
	if s != nil {
		d = *s
	}
	d.Fault, d.FaultStatus, d.Closed = fault.Fault, fault.FaultStatus, fault.Closed
	return &d
}

// same reports whether two answers are equal in every byte, so that nothing needs to be
// compared.
func (s *Served) same(o *Served) bool {
	return s.Outcome == o.Outcome && s.File == o.File && s.Truncated == o.Truncated && s.Fault == o.Fault &&
		s.host() == o.host() && bytes.Equal(s.Body, o.Body)
}

// host returns the host that served the file, "" if it is unknown.
func (s *Served) host() string {
	o, err := origin.Of(s.FinalURL)
	if err != nil {
		return ""
	}
	return o.Host()
}

func (s *Served) isHTML() bool { return s.File && robotstxt.BodyOf(s.Body) == robotstxt.BodyHTML }

// rules returns a file with the meaning of the answer.
func (s *Served) rules() *answer.File {
	switch {
	case s.File:
		return answer.NewFile(slices.Clip(s.Body))
	case s.Outcome == wire.OutcomeDisallowAll:
		return answer.NewFile([]byte("User-agent: *\nDisallow: /\n"))
	}
	return answer.NewFile(nil)
}
