package lint

import (
	"cmp"
	"slices"
)

// Check reads body as the crawlers of the profile do, and returns the findings in
// the order of their positions; of those at one position, the most severe comes
// first. It omits findings that a comment in the file hides. It never fails, and
// keeps no reference to body.
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

// compare orders findings as Check returns them. No two are equal, so the order is
// always the same.
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

// inspectors run one after the other, each for one aspect of a document, after its
// bytes have been inspected. A body that is not text has no other findings. They see
// the part of the body that the profile's crawlers read.
var inspectors = []func(*document){
	inspectAgents,
	inspectPatterns,
	inspectDeadRules,
	inspectGroups,
	inspectExtensions,
}

// Config says for which crawlers a file is checked, and how. The zero value checks
// a file for Google's crawlers, without knowing its URL.
type Config struct {
	// Profile says for which crawlers the file is written. It determines the
	// dialect, the limits and the severities. Default: Google.
	Profile Profile

	// Severities overrides the severities of the profile, by code. Off hides a
	// code; any other severity reports it, even if the profile does not.
	Severities map[Code]Severity

	// URL is the URL at which the file is served, or will be. It shows which
	// sitemaps are on the same host. Default: unknown.
	URL string

	// Served describes how the file was served, for RX6xx. nil omits these
	// findings.
	Served *Served

	// Bytes is how many bytes of the file are read. Default: the documented limit
	// of the profile's crawlers.
	Bytes int

	// Work bounds the search for rules that decide nothing, in steps of package
	// semdiff. If it does not suffice, RX216 is reported. Default:
	// semdiff.DefaultSteps, which take about a second.
	Work int
}

// Code is the stable name of a kind of finding, such as "RX301".
type Code string

// Finding is one problem in a file.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`

	// Start and End are the range of bytes of the body that it is about; End is
	// excluded. They are equal if something is missing there.
	Start int `json:"start"`
	End   int `json:"end"`
	// Line and Column count from 1, the column in bytes from the start of the
	// line. A finding about the whole file is at 1:1.
	Line   int `json:"line"`
	Column int `json:"column"`

	// Message describes the problem in one sentence. Text from the body is
	// escaped.
	Message string `json:"message"`

	// For lists the product tokens of the crawlers that are affected, or the names
	// of dialects. It is empty if all are.
	For []string `json:"for,omitempty"`

	// Related are other places in the body that contribute to the problem.
	Related []Related `json:"related,omitempty"`

	// Fix fixes the problem; nil if there is no suggestion.
	Fix *Fix `json:"fix,omitempty"`
}

// Related is another place in the body that a finding refers to.
type Related struct {
	Line    int    `json:"line"` // from 1
	Message string `json:"message"`
}

// Severity is the severity of a finding.
type Severity uint8

// The severities.
const (
	Off     Severity = iota // not reported
	Info                    // worth knowing; the file may be as intended
	Warning                 // some crawlers read it differently than it looks
	Error                   // the file does not do what it says
)
