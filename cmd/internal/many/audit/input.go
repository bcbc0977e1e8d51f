package audit

import (
	"context"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Input is a robots.txt file from a source.
type Input struct {
	Record    string    // see File
	Host      string    // see File too
	URL       string    // empty if it is not known
	FetchedAt time.Time // zero if it is not known
	Zoneless  bool      // FetchedAt was written without a zone, and is read as UTC
	Undated   bool      // the time cannot be read; Detail quotes it
	Status    int       // 0 if the file was not fetched
	Redirect  string    // the target of a redirect; empty if it is not known
	Lost      bool      // the response has no usable Location
	Problem   Problem   // the reason why there is no body; empty if there is one
	Detail    string    // the problem in words, or why the site is open
	Body      []byte    // the file, or the page of another status; at most the limit, valid until the next file
	Cut       bool      // the file is longer than the limit
	// What Status means; empty if the policy decides that. A client knows the answers before it.
	Outcome  wire.Outcome
	Position int64 // see File; only Run sets it
}

// Problem is the reason why nothing is known about a file.
type Problem string

// The problems.
const (
	Damaged     Problem = "damaged"     // the record or the line cannot be read
	Truncated   Problem = "truncated"   // the archive has only the beginning of the file
	Revisit     Problem = "revisit"     // the archive records only that the file has not changed
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
