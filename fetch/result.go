package fetch

import (
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

// Outcome is what a Result comes down to.
type Outcome uint8

// The outcomes.
const (
	OutcomeRules       Outcome = iota // the file's rules decide
	OutcomeAllowAll                   // no restrictions
	OutcomeDisallowAll                // nothing may be fetched
)

var outcomeNames = [...]string{"rules", "allow-all", "disallow-all"}

// String returns the outcome's name as in JSON, "allow-all" for instance.
func (o Outcome) String() string { return outcomeNames[min(int(o), len(outcomeNames)-1)] }

// MarshalText returns the outcome's name. It never fails.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Source is where an answer comes from.
type Source uint8

// The sources.
const (
	SourceNetwork Source = iota // fetched for this question
	SourceMemory                // kept by this client, and fresh
	SourceStore                 // kept by the Store, and fresh
	SourceStale                 // an expired copy, while the file is unreachable
	SourceAssumed               // the policy's word, while the file is unreachable
)

var sourceNames = [...]string{"network", "memory", "store", "stale", "assumed"}

// String returns the source's name as in JSON, "network" for instance.
func (s Source) String() string { return sourceNames[min(int(s), len(sourceNames)-1)] }

// MarshalText returns the source's name. It never fails.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Hop is one response on the way to a file.
type Hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// Result is what is known about an origin's robots.txt at the time of asking.
// It is immutable and safe for concurrent use.
type Result struct {
	Origin  origin.Origin `json:"origin"`
	Outcome Outcome       `json:"outcome"`
	Reason  string        `json:"reason"` // why, in words
	Policy  Policy        `json:"policy"`
	Source  Source        `json:"source"`

	// The answer that Outcome rests on; while the file is unreachable, the
	// failed attempt, or with SourceStale the copy.
	Status    int       `json:"status"`    // of HTTP or FTP; 0 without an answer
	URL       string    `json:"url"`       // where it came from in the end
	Hops      []Hop     `json:"hops"`      // the redirects before it
	Bytes     int       `json:"bytes"`     // of the decoded body that were read
	Truncated bool      `json:"truncated"` // there were more than Config.Limit
	Delimited bool      `json:"delimited"` // the transfer said where it ends, so nothing is missing
	FetchedAt time.Time `json:"fetched_at"`
	// FreshUntil is when the answer expires. While the file is unreachable and
	// no copy is fresh, it is zero and NextTry says when it is asked for again.
	FreshUntil time.Time `json:"fresh_until"`
	NextTry    time.Time `json:"next_try"`

	// Header holds those headers of the answer that say what it is and how long
	// it holds, from Location to Last-Modified. It is there for SourceNetwork
	// over HTTP only: nobody keeps it.
	Header http.Header `json:"header,omitempty"`

	// FailingSince is when the file became unreachable, zero if it is not.
	FailingSince time.Time `json:"failing_since"`
	// Err is the fault of the latest attempt, a *FaultError, nil if it
	// succeeded.
	Err error `json:"-"`

	robots *robotstxt.Robots // with OutcomeRules
	body   []byte
}

// Rules returns the rules for a crawler that asks for agents, as
// robotstxt.Robots.Rules does; with the other outcomes, rules that allow or
// disallow everything for Result.Reason.
func (r *Result) Rules(agents ...string) robotstxt.Rules {
	switch r.Outcome {
	case OutcomeAllowAll:
		return robotstxt.AllowAll(r.Reason)
	case OutcomeDisallowAll:
		return robotstxt.DisallowAll(r.Reason)
	default:
		return r.robots.Rules(agents...)
	}
}

// Robots returns the parsed file, nil unless the Outcome is OutcomeRules.
func (r *Result) Robots() *robotstxt.Robots { return r.robots }

// Body returns the bytes of the file, nil unless the Outcome is OutcomeRules
// and they are at hand: see Config.KeepBodies. They must not be changed.
func (r *Result) Body() []byte { return r.body }

// FaultError is why a robots.txt could not be had: Result.Err.
type FaultError struct {
	Kind string // in a word or two: "status", "DNS", "timeout", "TLS", "refused address", …
	Text string // in one line
	err  error
}

// Error returns the Text.
func (e *FaultError) Error() string { return e.Text }

// Unwrap returns the error of the network, nil if the fault was met by an
// earlier question: what is kept of it is its text.
func (e *FaultError) Unwrap() error { return e.err }

// Decision is the answer for one URL: the decision of the rules, and the
// Result that they come from.
type Decision struct {
	robotstxt.Decision
	URL    string  `json:"url"` // as compared, through robotstxt.EncodeURL
	Result *Result `json:"result"`
}

// EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	EventHit        EventKind = iota // a question was answered from memory
	EventMiss                        // a question had to wait for the store or the site
	EventFetched                     // a site gave an answer
	EventFailed                      // a site gave none: see Event.Err
	EventRefused                     // the address guard forbade to ask
	EventRefresh                     // a refresh ahead of expiry began
	EventStoreHit                    // the store had an answer
	EventStoreError                  // the store was in trouble, or held what cannot be read
)

var eventNames = [...]string{"hit", "miss", "fetched", "failed", "refused", "refresh", "store-hit", "store-error"}

// String returns the kind's name, "store-hit" for instance, to label a counter.
func (k EventKind) String() string { return eventNames[min(int(k), len(eventNames)-1)] }

// Event is something to count.
type Event struct {
	Kind     EventKind
	Origin   origin.Origin
	Duration time.Duration // of a fetch
	Bytes    int           // of a fetched file
	Err      error
}
