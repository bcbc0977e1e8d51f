package fetch

import (
	"fmt"
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

// Outcome is the kind of rules that a Result has, in the words of the tool's
// JSON.
type Outcome string

// The outcomes.
const (
	OutcomeRules       Outcome = "rules"        // the file's rules decide
	OutcomeAllowAll    Outcome = "allow-all"    // no restrictions
	OutcomeDisallowAll Outcome = "disallow-all" // nothing may be fetched
	OutcomeLocal       Outcome = "local"        // unknown: the request failed on this machine, see FaultError.Local
)

// Source is where a Result comes from, in the words of the tool's JSON.
type Source string

// The sources.
const (
	SourceNetwork Source = "network" // fetched for this call
	SourceMemory  Source = "memory"  // fresh, from the client's memory
	SourceStore   Source = "store"   // fresh, from Config.Store
	SourceStale   Source = "stale"   // an expired copy, while robots.txt is unreachable
	SourceAssumed Source = "assumed" // decided by the policy, while robots.txt is unreachable
)

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
	Truncated bool   // the body was longer than Limits.MaxBody
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

	// Edge names the CDN, load balancer or bot filter that seems to have answered instead of
	// the site, and the headers that show it, such as "Cloudflare (Server: cloudflare,
	// Cf-Mitigated: challenge)". Most often it refuses this client, and the answer says nothing
	// about the rules of the site. The text is printable ASCII of less than 200 bytes. Edge is
	// empty if no header shows an edge, and for a text file. It is set only together with
	// Header, which then also contains these headers, shortened. No policy depends on it.
	Edge string

	// Proxy is the URL of the proxy of the last request, without user name and
	// password. It is set only for the call that fetched, and empty if there
	// was no proxy.
	Proxy string

	// Credentials reports whether there are Network.Credentials for the origin, so that
	// crawlers can get a different answer.
	Credentials bool

	// FailingSince is when robots.txt became unreachable. It is zero if the last
	// attempt succeeded.
	FailingSince time.Time
	// Err is the fault of the last attempt, a *FaultError. It is nil if that
	// attempt succeeded.
	Err error

	forms   forms // set only with OutcomeRules
	body    []byte
	dialect *robotstxt.Dialect // Config.Dialect
	read    robotstxt.Dialect  // dialect of the agents given to Client.Robots
}

// Rules returns the rules for a crawler with the product tokens agents, as it reads the
// file: see [crawlers.ReadingOf] and Config.Dialect. If Outcome is not OutcomeRules, the
// returned rules allow or disallow everything, with Result.Detail as the reason.
//
// Rules also disallows everything in three cases, with a reason that names the case: the
// Outcome is OutcomeLocal; no agent line can contain any of agents; or the crawler's
// dialect differs from the dialect of the agents given to Client.Robots, and the bytes of
// the file are not in memory.
func (r *Result) Rules(agents ...string) robotstxt.Rules {
	reading, err := readingOf(r.dialect, agents)
	if err != nil {
		return robotstxt.DisallowAll(err.Error())
	}
	return r.rules(reading)
}

func (r *Result) rules(reading crawlers.Reading) robotstxt.Rules {
	switch r.Outcome {
	case OutcomeAllowAll:
		return robotstxt.AllowAll(r.Detail)
	case OutcomeDisallowAll, OutcomeLocal:
		return robotstxt.DisallowAll(r.Detail)
	default:
		robots := r.in(reading.Dialect)
		if robots == nil {
			return robotstxt.DisallowAll(fmt.Sprintf("%s; the file, read in the %s dialect, is no longer in memory", r.Detail, reading.Dialect))
		}
		return reading.Rules(robots)
	}
}

// Robots returns the parsed file, in the dialect in which the agents given to
// Client.Robots read it. It is nil unless Outcome is OutcomeRules.
func (r *Result) Robots() *robotstxt.Robots { return r.in(r.read) }

func (r *Result) in(d robotstxt.Dialect) *robotstxt.Robots {
	if robots := *r.forms.in(d); robots != nil || r.Outcome != OutcomeRules || r.body == nil && r.Bytes > 0 {
		return robots
	}
	return d.Parse(r.body)
}

// Body returns the decoded bytes of the file, which must not be changed. It is
// nil unless Outcome is OutcomeRules and the bytes are still in memory, see
// Config.KeepBodies.
func (r *Result) Body() []byte { return r.body }

// FaultError is the reason why a fetch of robots.txt failed. It is the type of
// Result.Err. A later attempt might succeed without a change of the configuration, unless
// Kind is "refused address".
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

// Error returns the Text.
func (e *FaultError) Error() string { return e.Text }

// Unwrap returns the network error. It is nil if the fault comes from a cache,
// which keeps only the text.
func (e *FaultError) Unwrap() error { return e.err }

// Decision is the verdict for one URL with its grounds: the decision of the rules
// and the Result that contains them.
type Decision struct {
	robotstxt.Decision
	URL    string // the URL as compared with the rules, see origin.Request
	Result *Result
}
