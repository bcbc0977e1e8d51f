package lint

import (
	"cmp"
	"slices"
)

// Check reads body as the crawlers of the profile do and returns what is wrong
// with it, in the order of the lines; for one place the worst comes first. It
// never fails, and keeps no reference to body. Of the findings that a comment in
// the file suppresses none is returned.
func Check(body []byte, config Config) []Finding {
	d := newDocument(body, config)
	inspectServed(d)
	inspectBytes(d)
	read := d.readPart()
	if len(read) < len(body) {
		d = d.limited(read)
	}
	for _, inspect := range inspectors {
		if d.foreign {
			break
		}
		inspect(d)
	}
	if len(read) < len(body) {
		d.shiftsLimit()
	}
	d.dropSuppressed()
	slices.SortFunc(d.findings, compare)
	return d.findings
}

// compare orders findings as Check returns them. No two are equal, so that the
// order is always the same.
func compare(a, b Finding) int {
	if a.Start != b.Start {
		return cmp.Compare(a.Start, b.Start)
	}
	return cmp.Or(
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// inspectors look at a document one after the other, each at one aspect, after
// its bytes: a body that is no text has no further ones. They see the part of the
// body that is read.
var inspectors = []func(*document){
	inspectAgents,
	inspectPatterns,
	inspectDeadRules,
	inspectGroups,
	inspectExtensions,
}

// Config says for whom a file is checked, and how. The zero value checks a file
// of unknown address for Google's crawlers.
type Config struct {
	// Profile says which crawlers the file is written for, and so the dialect,
	// the limits and how bad a finding is. Default: Google.
	Profile Profile

	// Severities overrides the severities of the profile, by code. Off drops a
	// code, anything else reports it, even if the profile does not.
	Severities map[Code]Severity

	// URL is where the file is served, or will be. It is needed to tell which
	// sitemaps stand on the same host. Default: unknown.
	URL string

	// Served says how the file was served, for RX6xx. Default: it was not.
	Served *Served

	// Bytes is how many bytes of the file are read. Default: as the profile's
	// crawlers document it.
	Bytes int

	// Work bounds the search for rules that decide nothing, in steps of package
	// semdiff. If it does not suffice, RX216 says so. Default: that of semdiff,
	// about a second.
	Work int
}

// Code is the stable name of a kind of finding, "RX301" for instance.
type Code string

// Finding is one thing that is wrong with a file.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`

	// Start and End are the bytes of the body that it is about, End excluded.
	// For what is missing they are equal.
	Start int `json:"start"`
	End   int `json:"end"`
	// Line and Column count from 1, the column in bytes from the start of the
	// line. A finding about the file as a whole stands at 1:1.
	Line   int `json:"line"`
	Column int `json:"column"`

	// Message says in one sentence what is wrong. What it quotes from the body
	// is escaped.
	Message string `json:"message"`

	// For lists the crawlers or dialects that are concerned, by product token or
	// name. Empty: all.
	For []string `json:"for,omitempty"`

	// Related are other places that make it so.
	Related []Related `json:"related,omitempty"`

	// Fix mends it; nil if nothing can be suggested.
	Fix *Fix `json:"fix,omitempty"`
}

// Related is another place in the body that a finding speaks of.
type Related struct {
	Line    int    `json:"line"` // from 1
	Message string `json:"message"`
}

// Severity says how bad a finding is.
type Severity uint8

// The severities.
const (
	Off     Severity = iota // not reported
	Info                    // worth knowing; the file may be as intended
	Warning                 // some crawlers read it otherwise than it looks
	Error                   // the file does not do what it says
)
