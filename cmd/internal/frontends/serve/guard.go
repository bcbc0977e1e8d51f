package serve

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"mime"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// checkHost returns a problem for a request whose Host header is not one of the service's
// names. A website whose name was made to resolve to this machine (DNS rebinding) sends
// its own name.
func (s *Server) checkHost(r *http.Request) *Problem {
	if s.names[hostOf(r.Host)] {
		return nil
	}
	return problem(http.StatusMisdirectedRequest, "host", "this service does not answer for this name", "add it with --host")
}

func hostOf(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return strings.ToLower(host)
}

var foreign = problem(http.StatusForbidden, "origin", "requests from other websites are refused", "")

// checkOrigin returns a problem for a request that a browser sends for another website.
// Programs send neither Origin nor Sec-Fetch-Site. For a form on a page without referrer,
// a browser sends the Origin "null"; then Sec-Fetch-Site decides, which no script can
// set.
func checkOrigin(r *http.Request) *Problem {
	site := r.Header.Get("Sec-Fetch-Site")
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	allowed := false
	switch origin := r.Header.Get("Origin"); origin {
	case "": // A link on another website can lead to the page, but the website's scripts get nothing.
		allowed = isRead || site == "" || site == "same-origin" || site == "none"
	case "null":
		allowed = site == "same-origin"
	default:
		scheme, host, _ := strings.Cut(origin, "://")
		allowed = (scheme == "http" || scheme == "https") && strings.EqualFold(host, r.Host) && (site == "" || site == "same-origin")
	}
	if allowed {
		return nil
	}
	return foreign
}

func (s *Server) checkToken(r *http.Request) *Problem {
	if s.config.Token == "" {
		return nil
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	// the same length, for a comparison in constant time
	want, got := sha256.Sum256([]byte(s.config.Token)), sha256.Sum256([]byte(given))
	if strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(want[:], got[:]) == 1 {
		return nil
	}
	return problem(http.StatusUnauthorized, "token", "this service requires a token", `send the header "Authorization: Bearer TOKEN"`)
}

// The media types of requests.
const (
	typeJSON  = "application/json"
	typeLines = "application/x-ndjson"
	typeForm  = "application/x-www-form-urlencoded"
)

// mediaType returns the type of a request's body without its parameters. It returns "" for
// a body that is compressed or in an encoding other than UTF-8.
func mediaType(r *http.Request) string {
	name, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := parameters["charset"]; err != nil || r.Header.Get("Content-Encoding") != "" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return ""
	}
	return name
}

// wrongType is the problem of a body with another type. Without the service's consent, a
// website can send it a form or plain text, but not JSON.
func wrongType(want string) *Problem {
	return problem(http.StatusUnsupportedMediaType, "media-type", "the body must be "+want, "send the header \"Content-Type: "+want+"\", and no Content-Encoding")
}

const formTokenAge = 12 * time.Hour

// formToken returns a token for the form of a page that was sent to a client. Another
// website cannot read the page, and a token that it requests itself is not valid for its
// visitors. So the form needs no cookie.
func (s *Server) formToken(client netip.Addr, now time.Time) string {
	at := strconv.FormatInt(now.Unix(), 36)
	mac := hmac.New(sha256.New, s.formKey)
	mac.Write([]byte(at + " " + client.String()))
	return at + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

func (s *Server) validFormToken(token string, client netip.Addr, now time.Time) bool {
	at, _, _ := strings.Cut(token, ".")
	seconds, _ := strconv.ParseInt(at, 36, 64) // if it is not a number, the token matches no time
	made := time.Unix(seconds, 0)
	age := now.Sub(made)
	return hmac.Equal([]byte(token), []byte(s.formToken(client, made))) && age >= -time.Minute && age < formTokenAge
}
