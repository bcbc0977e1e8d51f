package fetch

import "github.com/kosterhq/robotstxt/origin"

// Reason is why a Result has its Outcome. Its values are labels for counters;
// Result.Detail has the particulars. The site has answered:
//
//	"file"              there is a file: its rules decide
//	"empty-file"        there is an empty file
//	"missing"           there is no file: 404 and the like, FTP 550
//	"forbidden"         the site requires authorization: 401, 403, FTP 530
//	"redirects"         too many redirects, or one without a usable target
//	"not-found-page"    a 5xx that Config.NotFoundPage takes for a 404
//	"undefined-status"  a 3xx status without a target
//
// Or robots.txt is unreachable:
//
//	"stale-copy"        the last copy decides
//	"status"            the last attempt had such a status
//	"network"           the last attempt had no or no valid response
//	"long-outage"       for 30 days: no restrictions
//	"refused-address"   the address guard refused the address
//	"local"             the request failed on this machine
type Reason string

// The reasons to which programs react differently although the Outcome is the same.
const (
	ReasonForbidden Reason = "forbidden"
	ReasonRefused   Reason = "refused-address"
)

const (
	reasonFile         Reason = "file"
	reasonEmpty        Reason = "empty-file"
	reasonMissing      Reason = "missing"
	reasonRedirects    Reason = "redirects"
	reasonNotFoundPage Reason = "not-found-page"
	reasonUndefined    Reason = "undefined-status"
	reasonStale        Reason = "stale-copy"
	reasonStatus       Reason = "status"
	reasonNetwork      Reason = "network"
	reasonLongOutage   Reason = "long-outage"
	reasonLocal        Reason = "local"
)

func (s *state) reasonOf(e effect, assumed bool) Reason {
	switch {
	case e == effectLocal:
		return reasonLocal
	case !assumed && e == effectCopy:
		return reasonStale
	case !assumed:
		return s.lastAnswer.reason(s.origin)
	case s.fault.Class == classRefused:
		return ReasonRefused
	case e == effectAllowAll:
		return reasonLongOutage
	case s.fault.Kind == kindStatus:
		return reasonStatus
	default:
		return reasonNetwork
	}
}

func (g *siteAnswer) reason(o origin.Origin) Reason {
	switch {
	case g.Class == classEmpty, g.Class == classFile && g.Bytes == 0 && !g.Truncated:
		return reasonEmpty
	case g.Class == classFile:
		return reasonFile
	case g.Class == classForbidden:
		return ReasonForbidden
	case g.Class == classUndefined:
		return reasonUndefined
	case o.Scheme() == "ftp":
		return reasonMissing
	case classOf(g.Status) == classRedirect:
		return reasonRedirects
	case classOf(g.Status) == classUnreachable:
		return reasonNotFoundPage
	}
	return reasonMissing
}
