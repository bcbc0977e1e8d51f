package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// provenance says, beside an answer, where it comes from.
type provenance struct {
	RobotsURL   string        `json:"robots_url"`   // of the site; redirects may lead on
	Outcome     fetch.Outcome `json:"outcome"`      // what it comes down to
	FetchReason string        `json:"fetch_reason"` // why, in words
	Status      int           `json:"status"`       // of HTTP or FTP, 0 without an answer
	Source      fetch.Source  `json:"source"`
	Policy      fetch.Policy  `json:"policy"`
	Fault       string        `json:"fault,omitempty"` // the kind of the latest one

	inPlace string // what stands for a rule where there is no file
	copied  string // that it is a copy, and how old
}

// finding is all that is known about a site's robots.txt.
type finding struct {
	provenance
	Origin       origin.Origin `json:"origin"`
	FinalURL     string        `json:"final_url"` // that answered
	Hops         []fetch.Hop   `json:"hops"`      // the redirects before it
	Headers      []header      `json:"headers,omitempty"`
	Bytes        int           `json:"bytes"`
	Truncated    bool          `json:"truncated"`
	Delimited    bool          `json:"delimited"`
	FetchedAt    time.Time     `json:"fetched_at"`
	FreshUntil   time.Time     `json:"fresh_until,omitzero"`
	NextTry      time.Time     `json:"next_try,omitzero"`
	FailingSince time.Time     `json:"failing_since,omitzero"`
	Error        string        `json:"error,omitempty"` // of the latest attempt
}

// newFinding tells what a result says to a run that began at some time.
func newFinding(r *fetch.Result, began time.Time) *finding {
	f := &finding{
		provenance: provenance{
			RobotsURL: r.Origin.RobotsURL(), Outcome: r.Outcome, FetchReason: r.Reason,
			Status: r.Status, Source: sourceOf(r, began), Policy: r.Policy,
		},
		Origin: r.Origin, FinalURL: r.URL, Hops: append([]fetch.Hop{}, r.Hops...), Headers: headersOf(r),
		Bytes: r.Bytes, Truncated: r.Truncated, Delimited: r.Delimited,
		FetchedAt: r.FetchedAt, FreshUntil: r.FreshUntil, NextTry: r.NextTry, FailingSince: r.FailingSince,
	}
	if r.Err != nil {
		f.Error, f.Fault = r.Err.Error(), "unknown"
		if fault, ok := r.Err.(*fetch.FaultError); ok {
			f.Fault = fault.Kind
		}
	}
	f.inPlace = f.standIn()
	if f.Source == fetch.SourceStale || f.Source == fetch.SourceStore {
		f.copied = "  (a copy of " + timeText(f.FetchedAt) + ")"
	} else if f.Source == fetch.SourceAssumed && f.FetchedAt.Before(began) {
		f.copied = "  (asked last at " + timeText(f.FetchedAt) + ")"
	}
	return f
}

// sourceOf is where a result comes from for a run. A client that was made for it
// remembers only what it has fetched in it, or found in a store.
func sourceOf(r *fetch.Result, began time.Time) fetch.Source {
	switch {
	case r.Source != fetch.SourceMemory:
		return r.Source
	case r.FetchedAt.Before(began):
		return fetch.SourceStore
	default:
		return fetch.SourceNetwork
	}
}

// standIn says in a few words what holds without a file, and why.
func (f *finding) standIn() string {
	switch {
	case f.Outcome == fetch.OutcomeAllowAll:
		return "no restrictions: " + f.why()
	case f.Fault == faultRefused:
		return "redirects to a private address"
	case f.Source == fetch.SourceAssumed:
		return "unreachable: " + f.why()
	default:
		return "closed: " + f.why()
	}
}

// ground is standIn in words that follow "because".
func (f *finding) ground() string {
	switch {
	case f.Outcome == fetch.OutcomeAllowAll:
		return "there are no restrictions: " + f.why()
	case f.Fault == faultRefused:
		return "its robots.txt redirects to a private address"
	case f.Source == fetch.SourceAssumed:
		return "its robots.txt is unreachable: " + f.why()
	default:
		return "the site is closed: " + f.why()
	}
}

// The kinds of faults that need other words.
const (
	faultRefused = "refused address"
	faultStatus  = "status"
	faultTimeout = "timeout"
)

// why is the cause in a word or two.
func (f *finding) why() string {
	switch {
	case f.Source == fetch.SourceAssumed && f.Fault != faultStatus:
		return f.Fault
	case 300 < f.Status && f.Status < 400:
		return "redirects lead nowhere"
	default:
		return f.statusText()
	}
}

// statusText says how the site answered.
func (f *finding) statusText() string {
	switch {
	case f.Status == 0:
		return "none"
	case f.Origin.Scheme() == "ftp":
		return "FTP status " + strconv.Itoa(f.Status)
	default:
		return "HTTP status " + strconv.Itoa(f.Status)
	}
}

// finding lists all that is known.
func (p *prose) finding(f *finding) {
	p.field("url", term.Escape(f.FinalURL))
	name := "by way of"
	for _, hop := range f.Hops {
		p.field(name, fmt.Sprintf("%s, which answers %d", term.Escape(hop.URL), hop.Status))
		name = ""
	}
	p.field("answer", f.answerText())
	p.headers(f)
	p.field("outcome", p.outcome(f))
	if f.Error != "" && f.Fault != faultStatus {
		p.field("error", term.Escape(f.Error))
	}
	if f.Fault == faultRefused {
		p.field("", "--allow-private follows redirects to private addresses")
	}
	source := sourceTexts[f.Source]
	if f.Source != fetch.SourceAssumed {
		source += ", " + timeText(f.FetchedAt)
	}
	p.field("source", source)
	p.times(f)
	p.field("policy", f.Policy.String())
}

// outcome says what the policy makes of it, the cause being named already.
func (p *prose) outcome(f *finding) string {
	switch f.Outcome {
	case fetch.OutcomeRules:
		return "the rules of the file hold"
	case fetch.OutcomeAllowAll:
		return p.palette.Paint(term.Green, "everything is allowed")
	default:
		return p.palette.Paint(term.Red, "nothing may be fetched")
	}
}

// answerText says what came from the site.
func (f *finding) answerText() string {
	text := f.statusText()
	if f.Outcome != fetch.OutcomeRules {
		return text
	}
	text += fmt.Sprintf(", %d bytes", f.Bytes)
	if f.Truncated {
		text += ", and more behind the limit, which --limit sets"
	}
	if !f.Delimited {
		text += ", which may not be all: the site did not say where they end"
	}
	return text
}

var sourceTexts = map[fetch.Source]string{
	fetch.SourceNetwork: "the site",
	fetch.SourceMemory:  "the site",
	fetch.SourceStore:   "the cache",
	fetch.SourceStale:   "an expired copy",
	fetch.SourceAssumed: "none, so the policy decides",
}

// times tells how long it holds.
func (p *prose) times(f *finding) {
	if !f.FreshUntil.IsZero() {
		p.field("fresh", fmt.Sprintf("until %s, for %s", timeText(f.FreshUntil), f.FreshUntil.Sub(f.FetchedAt).Round(time.Second)))
	}
	if !f.FailingSince.IsZero() {
		p.field("failing", "since "+timeText(f.FailingSince))
	}
}

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
