package fetch

import "github.com/kosterhq/robotstxt/origin"

// Reason says why a Result has its Outcome. Its names are labels for counters;
// Result.Detail has the particulars.
type Reason uint8

// The reasons. Up to ReasonUndefined the site has answered; after them
// robots.txt is unreachable.
const (
	ReasonFile         Reason = iota // there is a file: its rules decide
	ReasonEmpty                      // there is an empty file
	ReasonMissing                    // there is no file: 404 and the like, FTP 550
	ReasonForbidden                  // the site requires authorization: 401, 403, FTP 530
	ReasonRedirects                  // too many redirects, or one without a usable target
	ReasonNotFoundPage               // a 5xx that Config.NotFoundPage takes for a 404
	ReasonUndefined                  // a 3xx status without a target
	ReasonStale                      // unreachable: the last copy decides
	ReasonStatus                     // unreachable: the last attempt had such a status
	ReasonNetwork                    // unreachable: the last attempt had no or no valid response
	ReasonLongOutage                 // unreachable for 30 days: no restrictions
	ReasonRefused                    // the address guard refused the address
	ReasonLocal                      // the request failed on this machine
)

var reasonNames = [...]string{
	"file", "empty-file", "missing", "forbidden", "redirects", "not-found-page", "undefined-status",
	"stale-copy", "status", "network", "long-outage", "refused-address", "local",
}

// Reasons returns all reasons, for programs that register a counter for each.
func Reasons() []Reason {
	all := make([]Reason, len(reasonNames))
	for i := range all {
		all[i] = Reason(i)
	}
	return all
}

// String returns the reason's name, for example "stale-copy".
func (r Reason) String() string { return reasonNames[min(int(r), len(reasonNames)-1)] }

// MarshalText returns the reason's name. It never fails.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// reasonOf returns the reason for the effect e of s, as judge returns it.
func (s *state) reasonOf(e effect, assumed bool) Reason {
	switch {
	case e == effectLocal:
		return ReasonLocal
	case !assumed && e == effectCopy:
		return ReasonStale
	case !assumed:
		return s.lastAnswer.reason(s.origin)
	case s.fault.Class == classRefused:
		return ReasonRefused
	case e == effectAllowAll:
		return ReasonLongOutage
	case s.fault.Kind == kindStatus:
		return ReasonStatus
	default:
		return ReasonNetwork
	}
}

// reason returns the reason for an answer from the origin o.
func (g *siteAnswer) reason(o origin.Origin) Reason {
	switch {
	case g.Class == classEmpty, g.Class == classFile && g.Bytes == 0 && !g.Truncated:
		return ReasonEmpty
	case g.Class == classFile:
		return ReasonFile
	case g.Class == classForbidden:
		return ReasonForbidden
	case g.Class == classUndefined:
		return ReasonUndefined
	case o.Scheme() == "ftp":
		return ReasonMissing
	case classOf(g.Status) == classRedirect:
		return ReasonRedirects
	case classOf(g.Status) == classUnreachable:
		return ReasonNotFoundPage
	}
	return ReasonMissing
}
