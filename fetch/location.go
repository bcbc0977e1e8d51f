package fetch

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/kosterhq/robotstxt/origin"
)

// maxLocation is the longest Location that is followed, in bytes. It is above the
// 8000 octets that implementations should support. [RFC 9110 4.1]
const maxLocation = 8 << 10

// RedirectTarget returns the URL to which the Location of a response leads, as a Client follows it.
// from is the URL of that response. RedirectTarget resolves the Location as browsers do (WHATWG URL):
// http:r2.txt is r2.txt in the folder of from, backslashes are slashes, and percent codes stay as
// they are, because servers can compare paths or check signatures octet by octet. It removes the
// fragment and any credentials, and the host is in the canonical form of package origin. The Client
// sends a pipe in the path as %7C.
//
// ok is false if the Location cannot be followed: it is empty, longer than 8 KiB, or neither HTTP nor
// HTTPS, it has no valid host, or its path has a % that does not begin a code. It is also
// false if from has no origin.
func RedirectTarget(from, location string) (target string, ok bool) {
	source := origin.Text(from)
	if _, err := source.Origin(); err != nil {
		return "", false
	}
	return redirectTarget(source, location)
}

// redirectTarget is RedirectTarget for a URL with an origin. The address guard, Trusts and the cache see the
// host in one form. net/http cannot request a path with a % that does not begin a code.
func redirectTarget(from origin.URL, location string) (string, bool) {
	if location == "" || len(location) > maxLocation {
		return "", false
	}
	target := from.Resolve(location)
	o, err := target.Origin()
	if err != nil || o.Scheme() == "ftp" {
		return "", false
	}
	if _, err := url.Parse(target.String()); err != nil {
		return "", false
	}
	return target.String(), true
}

// newRequest returns a request for a serialised URL. net/http would decode and encode again a whole
// path that has a pipe, which it cannot send, and so change the percent codes around it.
func newRequest(ctx context.Context, serialised string) (*http.Request, error) {
	path, query, hasQuery := strings.Cut(serialised, "?")
	path = strings.ReplaceAll(path, "|", "%7C")
	if hasQuery {
		path += "?" + query
	}
	return http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
}
