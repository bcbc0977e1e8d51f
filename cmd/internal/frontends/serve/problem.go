package serve

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/origin"
)

// Problem is an error of the service, in the form of RFC 9457. Its type is always
// about:blank, so the title is the phrase of the status.
type Problem struct {
	Title  string `json:"title" doc:"The name of the status"`
	Status int    `json:"status" doc:"HTTP status"`
	Detail string `json:"detail" doc:"The error in words, for people"`
	Code   string `json:"code" doc:"The kind of error, for programs. Codes do not change"`
	Hint   string `json:"hint,omitempty" doc:"What to do"`
	Field  string `json:"field,omitempty" doc:"The field of the request that is wrong"`
	Limit  string `json:"limit,omitempty" doc:"The limit that was exceeded"`
	Line   int    `json:"line,omitempty" doc:"In a stream: the line of the request, from 1"`
	// RequestID is set when the problem is written.
	RequestID string `json:"request_id,omitempty" doc:"The X-Request-Id of the response, which the log has too"`

	retry time.Duration
}

// The codes of problems that a site causes.
const (
	codeUnreachable = "unreachable"
	codeNotSitemap  = "not-a-sitemap"
	codeSiteTimeout = "site-timeout"
)

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

func problem(status int, code, detail, hint string) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: shortened(origin.WithoutPasswords(detail)),
		Code: code, Hint: shortened(hint)}
}

// maxText is the limit in bytes of a text in a problem.
const maxText = 1000

// shortened returns a text without its middle, if it is long: it might quote text from the client.
func shortened(text string) string {
	if len(text) <= maxText {
		return text
	}
	const half = maxText/2 - len("…")
	return strings.ToValidUTF8(text[:half], "") + "…" + strings.ToValidUTF8(text[len(text)-half:], "")
}

func busy(status int, code, detail string, retry time.Duration) *Problem {
	p := problem(status, code, detail, "try again after the time in the Retry-After header")
	p.retry = max(retry, time.Second)
	return p
}

func (p *Problem) write(w http.ResponseWriter) {
	h := w.Header()
	identified := *p
	identified.RequestID = h.Get("X-Request-Id")
	text, _ := json.Marshal(&identified) // these types have no error
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(text)+1))
	if p.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retry.Seconds()))))
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(text, '\n')) // the client might be gone
}

// asProblem returns the problem for an error. The result is false if the error is not
// caused by the request.
func asProblem(err error) (*Problem, bool) {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p, true
	}
	e, ok := errors.AsType[*calls.Error](err)
	if !ok {
		return nil, false
	}
	status := http.StatusUnprocessableEntity
	switch e.Code {
	case calls.CodeMalformed:
		status = http.StatusBadRequest
	case calls.CodeUnknown:
		status = http.StatusNotFound
	case calls.CodeLimit:
		status = http.StatusRequestEntityTooLarge
	case calls.CodeInternal, calls.CodeMemory:
		return nil, false
	}
	p := problem(status, string(e.Code), e.Error(), e.Hint)
	p.Field = shortened(e.Field)
	p.Limit = e.Limit
	return p, true
}
