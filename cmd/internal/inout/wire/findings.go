package wire

import "github.com/kosterhq/robotstxt"

// Findings are the problems of one robots.txt.
type Findings struct {
	File     string     `json:"file"` // the path as given, or the URL of a site's
	Profile  string     `json:"profile"`
	Known    int        `json:"known,omitempty"`     // problems of the baseline, which are not in findings
	Fixed    int        `json:"fixed,omitempty"`     // problems
	Mended   []Mended   `json:"mended,omitempty"`    // lines that crawlers read as meant now
	NotFixed []NotFixed `json:"not_fixed,omitempty"` // plain fixes that were not made
	Changes  []Change   `json:"changes,omitempty"`   // of verdicts by the fixes, one for each dialect in which there are any
	Findings []Finding  `json:"findings"`            // that are left, unless they are omitted because there are too many

	Counts []FindingCount `json:"counts"` // of all findings that are left

	Body *string `json:"body,omitempty"` // the fixed file; only in a result of the API, if fixes were requested
}

// FindingCount is how many problems of one kind and severity a file has.
type FindingCount struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Found    int    `json:"found"`
	Omitted  int    `json:"omitted,omitempty"` // those that are not in findings
	Plain    int    `json:"plain,omitempty"`   // those with a fix that changes no verdict
	Meant    int    `json:"meant,omitempty"`   // those with a fix that might change verdicts
}

// Mended is a fix of a line that crawlers did not read as it was meant. It changes verdicts.
type Mended struct {
	Code string `json:"code"`
	Line int    `json:"line"` // of the file before
}

// NotFixed is a plain fix that was not made, because it is not proved that no verdict
// changes.
type NotFixed struct {
	Code   string `json:"code"`
	Line   int    `json:"line"`   // of the file before
	Reason string `json:"reason"` // in words, escaped
}

// Change is a change of verdicts in one dialect.
type Change struct {
	Dialect   robotstxt.Dialect `json:"dialect"`
	Undecided string            `json:"undecided,omitempty"` // why it is unknown whether a verdict changes; then only agents is set
	PathChange
}

// Finding is one problem of a robots.txt.
type Finding struct {
	Code     string    `json:"code"`
	Severity string    `json:"severity"`
	Start    int       `json:"start"` // in bytes
	End      int       `json:"end"`   // excluded
	Line     int       `json:"line"`
	Column   int       `json:"column"` // from 1, in bytes
	Message  string    `json:"message"`
	For      []string  `json:"for,omitempty"` // the crawlers or dialects concerned; empty for all
	Related  []Related `json:"related,omitempty"`
	Fix      *Fix      `json:"fix,omitempty"`
}

// Related is another place that a finding is about.
type Related struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Fix is a change of the file that fixes a finding.
type Fix struct {
	Title   string `json:"title"`
	Edits   []Edit `json:"edits"`
	Meaning bool   `json:"meaning"` // it might change verdicts
}

// Edit replaces the bytes from Start to End, End excluded, by New.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// Statistic is the number of problems of one kind in all files of a run.
type Statistic struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Severity string `json:"severity"` // the highest one
	Count    int    `json:"count"`
	Files    int    `json:"files"`
	Fixable  int    `json:"fixable"` // problems with a fix that changes no verdict
}

type statistic Statistic

// MarshalJSON returns the statistic with the fields schema and raw.
func (s Statistic) MarshalJSON() ([]byte, error) { return encode(statistic(s)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (s *Statistic) UnmarshalJSON(text []byte) error { return decode(text, (*statistic)(s)) }

type findings Findings

// MarshalJSON returns the findings with the fields schema and raw.
func (f Findings) MarshalJSON() ([]byte, error) { return encode(findings(f)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (f *Findings) UnmarshalJSON(text []byte) error { return decode(text, (*findings)(f)) }

// CatalogueEntry describes a kind of finding.
type CatalogueEntry struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Severity string `json:"severity"`           // in the profile google
	Pedantic bool   `json:"pedantic,omitempty"` // reported only if requested
	Title    string `json:"title"`
	Why      string `json:"why"`
	Profile  string `json:"profile"` // of the examples
	Bad      string `json:"bad"`     // a file that has the finding
	Good     string `json:"good"`    // the file without it
}

type catalogueEntry CatalogueEntry

// MarshalJSON returns the entry with the fields schema and raw.
func (e CatalogueEntry) MarshalJSON() ([]byte, error) { return encode(catalogueEntry(e)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (e *CatalogueEntry) UnmarshalJSON(text []byte) error { return decode(text, (*catalogueEntry)(e)) }
