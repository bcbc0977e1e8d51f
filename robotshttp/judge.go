package robotshttp

import (
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// DisallowedError is the error for a request that was not sent because robots.txt
// disallows it or because its rules are not known; see Cause. An http.Client wraps
// it in a *url.Error; errors.As finds it there.
type DisallowedError struct {
	Decision fetch.Decision // the deciding line, and the Result it comes from
}

// Cause is why a request was refused.
type Cause uint8

// The causes.
const (
	CauseRule        Cause = iota // a rule of the site
	CauseForbidden                // the site requires authorization for its robots.txt
	CauseUnreachable              // the robots.txt is unreachable, and the policy disallows the site
	CauseLocal                    // this machine or its network failed, so the site's rules are unknown
)

var causeNames = [...]string{"rule", "forbidden", "unreachable", "local"}

// String returns the cause's name, for example "unreachable", to label a counter.
func (c Cause) String() string { return causeNames[min(int(c), len(causeNames)-1)] }

// Cause returns why the request was refused.
func (e *DisallowedError) Cause() Cause {
	r := e.Decision.Result
	switch {
	case r == nil || r.Outcome == fetch.OutcomeRules:
		return CauseRule
	case r.Outcome == fetch.OutcomeLocal:
		return CauseLocal
	case r.Reason == fetch.ReasonForbidden:
		return CauseForbidden
	default:
		return CauseUnreachable
	}
}

// Temporary reports whether the same request could be allowed later although the
// site changes nothing: its robots.txt was unreachable, or this machine failed. It
// is false if the address guard refused the address. *url.Error has the same
// method, which calls this one.
func (e *DisallowedError) Temporary() bool {
	return e.Cause() >= CauseUnreachable && e.Decision.Result.Reason != fetch.ReasonRefused
}

// RetryAfter returns how long to wait before the request is worth another attempt:
// until the client may fetch robots.txt again, by the system's clock. It is 0 if the
// client may do so now, or if the error is not temporary.
func (e *DisallowedError) RetryAfter() time.Duration {
	if !e.Temporary() {
		return 0
	}
	return max(time.Until(e.Decision.Result.NextTry), 0)
}

// Unwrap returns the *fetch.FaultError that left the rules unknown. It is nil if a rule
// decides.
func (e *DisallowedError) Unwrap() error {
	if e.Cause() < CauseUnreachable {
		return nil
	}
	return e.Decision.Result.Err
}

// Error returns the origin and the deciding line, or the reason if no line
// decides. It is one line and safe to log.
func (e *DisallowedError) Error() string {
	site := ""
	if e.Decision.Result != nil {
		site = " of " + e.Decision.Result.Origin.String()
	}
	return "robots.txt" + site + ": " + e.Decision.String()
}

// Obey returns a *DisallowedError if d is disallowed, and nil otherwise. It is the
// default of Transport.Judge; other Judge functions can call it.
func Obey(_ *http.Request, d fetch.Decision) error {
	if d.Allowed {
		return nil
	}
	return &DisallowedError{d}
}

// ReportOnly is a Transport.Judge that allows every request. Use it with
// Transport.OnDecision to log what Obey would refuse. Requests still wait; to
// disable that too, set a negative Transport.MaxDelay and MaxRetryAfter.
func ReportOnly(*http.Request, fetch.Decision) error { return nil }
