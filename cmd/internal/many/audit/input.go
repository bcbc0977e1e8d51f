package audit

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// Input is a robots.txt file from a source.
type Input struct {
	Record    string      // see File
	Host      string      // see File too
	URL       string      // empty if it is not known
	FetchedAt time.Time   // zero if it is not known
	Zoneless  bool        // FetchedAt was written without a zone, and is read as UTC
	Undated   bool        // the time cannot be read; Detail quotes it
	Status    int         // 0 if the file was not fetched
	Redirect  string      // the target of a redirect, or its Location if that is not usable; empty if it is not known
	Header    http.Header // as in fetch.Response, not to be changed
	Sent      int64       // as in fetch.Response
	Problem   Problem     // the reason why there is no body; empty if there is one
	Detail    string      // the problem in words, or what the status does not show about Outcome
	Body      []byte      // the file, or the page of another status; at most the limit, valid until the next file
	Cut       bool        // the file is longer than the limit
	// What Status means; empty if the policy decides that. A client knows the answers before it.
	Outcome  wire.Outcome
	Position int64 // see File; only Run sets it
	number   int   // of the record, if files are not in the order of the records; else 0

	// About a record of a web archive; see File.
	PayloadDigest string
	RefersTo      string
	RefersAt      time.Time
}

// requested returns the URL of the request; without a URL, https.
func (in *Input) requested() string { return cmp.Or(in.URL, originOf(in.Host, "")+robotsPath) }

// Response returns the response, for its meaning.
func (in *Input) Response() fetch.Response {
	return fetch.Response{URL: in.requested(), Status: in.Status, Header: in.Header, Body: in.Body, Cut: in.Cut,
		Sent: in.Sent}
}

// setHeader sets what is known of a response apart from its status and body.
func (in *Input) setHeader(h http.Header) {
	in.Header = h
	if location := h.Get("Location"); location != "" && in.Status/100 == 3 {
		to, ok := fetch.RedirectTarget(in.requested(), location)
		if !ok {
			to = origin.Text(location).Given() // without user name and password
		}
		in.Redirect = to
	}
}

// IsRevisit reports whether the file is that of another capture. A client has asked for the file and not whether it has
// changed: its 304 is an answer like others.
func (in *Input) IsRevisit() bool {
	return in.Problem == Revisit || in.Problem == "" && in.Status == http.StatusNotModified && in.Outcome == ""
}

// Problem is the reason why nothing is known about a file.
type Problem string

// The problems.
const (
	Damaged     Problem = "damaged"     // the record or the line cannot be read
	Truncated   Problem = "truncated"   // the archive has only the beginning of the file
	Revisit     Problem = "revisit"     // the file is that of another capture, or of one that is not in the archive
	Redirect    Problem = "redirect"    // the record is a redirect
	Undecodable Problem = "undecodable" // the body's compression cannot be undone
	NoAnswer    Problem = "no answer"   // the site did not answer
	Internal    Problem = "internal"    // the file caused a fault of this program, see package panics
)

// Source yields the files of an input.
type Source interface {
	// Name is the name of the input, as the user typed it.
	Name() string

	// Files calls yield for each file, in the same order each time. It stops at the first
	// error of yield, and returns it. Another error means that the rest of the input
	// cannot be read; a damaged record is a file with a problem.
	Files(ctx context.Context, yield func(*Input) error) error
}

// line and offset return names of records.
func line(n int) string     { return "line " + strconv.Itoa(n) }
func offset(n int64) string { return "offset " + strconv.FormatInt(n, 10) }
