package robotshttp

import (
	"net/http"

	"github.com/kosterhq/robotstxt/fetch"
)

// DisallowedError says that robots.txt, or the lack of an answer from it, keeps
// a request from being sent. An http.Client wraps it in a *url.Error, through
// which errors.As finds it.
type DisallowedError struct {
	Decision fetch.Decision // with the deciding line, and the Result it comes from
}

// Error names the origin and the deciding line, or says why there is none, in
// one line that is safe to log.
func (e *DisallowedError) Error() string {
	site := ""
	if e.Decision.Result != nil {
		site = " of " + e.Decision.Result.Origin.String()
	}
	return "robots.txt" + site + ": " + e.Decision.String()
}

// Obey refuses what is disallowed, with a *DisallowedError. It is what a
// Transport without a Judge does, and what a Judge of one's own can fall back
// on.
func Obey(_ *http.Request, d fetch.Decision) error {
	if d.Allowed {
		return nil
	}
	return &DisallowedError{d}
}

// ReportOnly lets every request go, for finding out with Transport.OnDecision
// what obeying would cost. Requests are still paced; see Transport.MaxDelay.
func ReportOnly(*http.Request, fetch.Decision) error { return nil }
