package robotshttp

import (
	"net/http"

	"github.com/kosterhq/robotstxt/fetch"
)

// DisallowedError is the error for a request that was not sent because robots.txt
// disallows it, or because robots.txt is unreachable and the policy disallows it.
// An http.Client wraps it in a *url.Error; errors.As finds it there.
type DisallowedError struct {
	Decision fetch.Decision // the deciding line, and the Result it comes from
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
