package fetch

import (
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

// Outcome says which kind of rules a Result has.
type Outcome uint8

// The outcomes.
const (
	OutcomeRules       Outcome = iota // the file's rules decide
	OutcomeAllowAll                   // no restrictions
	OutcomeDisallowAll                // nothing may be fetched
	OutcomeLocal                      // unknown: the request failed on this machine, see FaultError.Local
)

var outcomeNames = [...]string{"rules", "allow-all", "disallow-all", "local"}

// String returns the outcome's name as used in JSON, for example "allow-all".
func (o Outcome) String() string { return outcomeNames[min(int(o), len(outcomeNames)-1)] }

// MarshalText returns the outcome's name. It never fails.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Source says where a Result comes from.
type Source uint8

// The sources.
const (
	SourceNetwork Source = iota // fetched for this call
	SourceMemory                // fresh, from the client's memory
	SourceStore                 // fresh, from Config.Store
	SourceStale                 // an expired copy, while robots.txt is unreachable
	SourceAssumed               // decided by the policy, while robots.txt is unreachable
)

var sourceNames = [...]string{"network", "memory", "store", "stale", "assumed"}

// String returns the source's name as used in JSON, for example "network".
func (s Source) String() string { return sourceNames[min(int(s), len(sourceNames)-1)] }

// MarshalText returns the source's name. It never fails.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Hop is one redirect on the way to robots.txt: the URL that sent it and its
// status.
type Hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// Result is the state of an origin's robots.txt at the time of a call. It is
// immutable and safe for concurrent use. It is not meant for JSON, where its fields
// would have their Go names, and errors and headers no stable form.
type Result struct {
	Origin  origin.Origin
	Outcome Outcome
	Reason  Reason // why Outcome was chosen
	Detail  string // the same with its particulars, in one line
	Policy  Policy
	Source  Source

	// The following fields describe the response that Outcome is based on. While
	// robots.txt is unreachable they describe the failed attempt; with
	// SourceStale they describe the copy.
	Status    int    // HTTP or FTP status; 0 without a response
	URL       string // URL of the response, after redirects
	Hops      []Hop  // redirects, in order
	Bytes     int    // length of the decoded body that was read
	Truncated bool   // the body was longer than Config.Limit
	Delimited bool   // the transfer marked its end, so the body is known to be complete
	FetchedAt time.Time
	// FreshUntil is when the answer expires. It is zero while robots.txt is
	// unreachable and no copy is fresh.
	FreshUntil time.Time
	// NextTry is the earliest time of the next attempt after a fault. It is zero
	// if the last attempt succeeded.
	NextTry time.Time

	// Header contains the response headers that describe the file and its
	// freshness: those that HeaderLines lists. It is set only with SourceNetwork
	// over HTTP, because caches do not keep it.
	Header http.Header

	// Proxy is the URL of the proxy of the last request, without user name and
	// password. It is empty if there was none, and set only for the call that
	// fetched.
	Proxy string

	// FailingSince is when robots.txt became unreachable. It is zero if the last
	// attempt succeeded.
	FailingSince time.Time
	// Err is the fault of the last attempt, a *FaultError. It is nil if that
	// attempt succeeded.
	Err error

	robots *robotstxt.Robots // set only with OutcomeRules
	body   []byte
}

// Rules returns the rules for a crawler with the product tokens agents, like
// [robotstxt.Robots.Rules]. If Outcome is not OutcomeRules, the returned rules
// allow or disallow everything, with Result.Detail as the reason. They disallow
// everything with OutcomeLocal.
func (r *Result) Rules(agents ...string) robotstxt.Rules {
	switch r.Outcome {
	case OutcomeAllowAll:
		return robotstxt.AllowAll(r.Detail)
	case OutcomeDisallowAll, OutcomeLocal:
		return robotstxt.DisallowAll(r.Detail)
	default:
		return r.robots.Rules(agents...)
	}
}

// Robots returns the parsed file. It is nil unless Outcome is OutcomeRules.
func (r *Result) Robots() *robotstxt.Robots { return r.robots }

// Body returns the decoded bytes of the file, which must not be changed. It is
// nil unless Outcome is OutcomeRules and the bytes are still in memory, see
// Config.KeepBodies.
func (r *Result) Body() []byte { return r.body }

// FaultError says why a fetch of robots.txt failed. It is the type of Result.Err.
type FaultError struct {
	Kind string // one or two words: "status", "DNS", "timeout", "TLS", "refused address", "local", …
	Text string // the error in one line
	err  error
}

// Local reports whether the cause is this machine or its network: no free
// descriptor, port or memory, no network, no route, no resolver, no proxy. It says
// nothing about the site. Such a fault is not stored and begins no outage, and the
// client tries again after 5 seconds. That wait doubles with each further failure, up
// to 5 minutes.
func (e *FaultError) Local() bool { return e.Kind == kindLocal }

// Temporary reports whether a later attempt may succeed without a change of the
// configuration. Only a refused address is not temporary.
func (e *FaultError) Temporary() bool { return e.Kind != kindRefused }

// Error returns the Text.
func (e *FaultError) Error() string { return e.Text }

// Unwrap returns the network error. It is nil if the fault comes from a cache,
// which keeps only the text.
func (e *FaultError) Unwrap() error { return e.err }

// Decision is the verdict for one URL with its grounds: the decision of the rules
// and the Result that contains them.
type Decision struct {
	robotstxt.Decision
	URL    string // the URL as compared with the rules, see robotstxt.EncodeURL
	Result *Result
}
