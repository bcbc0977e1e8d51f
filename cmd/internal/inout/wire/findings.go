package wire

import "github.com/kosterhq/robotstxt"

// Findings are the problems of one robots.txt.
type Findings struct {
	File     string     `json:"file"` // the path as given, or the URL of a site's robots.txt
	Profile  string     `json:"profile"`
	Known    int        `json:"known,omitempty"`     // the number of problems in the baseline, which are not in findings
	Fixed    int        `json:"fixed,omitempty"`     // the number of problems that were fixed
	Mended   []Mended   `json:"mended,omitempty"`    // lines that crawlers now read as they were meant
	NotFixed []NotFixed `json:"not_fixed,omitempty"` // plain fixes that were not made
	Changes  []Change   `json:"changes,omitempty"`   // changes of verdicts by the fixes, one for each dialect that has any
	Findings []Finding  `json:"findings"`            // the problems that remain, unless there are too many to list

	Counts []FindingCount `json:"counts"` // the counts of all problems that remain, even of those not in findings

	Body *string `json:"body,omitempty"` // the fixed file; only in a result of the API, if fixes were requested
}

// FindingCount is how many problems of one kind and severity a file has.
type FindingCount struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Found    int    `json:"found"`
	Omitted  int    `json:"omitted,omitempty"` // problems that are not in findings
	Plain    int    `json:"plain,omitempty"`   // problems with a fix that changes no verdict
	Meant    int    `json:"meant,omitempty"`   // problems with a fix that might change verdicts
}

// Mended is a fix for a line that crawlers did not read as it was meant. The fix changes
// verdicts.
type Mended struct {
	Code string `json:"code"`
	Line int    `json:"line"` // the line in the file before the fixes
}

// NotFixed is a plain fix that was not made, because there is no proof that it leaves
// all verdicts unchanged.
type NotFixed struct {
	Code   string `json:"code"`
	Line   int    `json:"line"`   // the line in the file before the fixes
	Reason string `json:"reason"` // the reason in words, escaped
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
	Start    int       `json:"start"` // the offset in bytes
	End      int       `json:"end"`   // the offset in bytes after the last byte
	Line     int       `json:"line"`
	Column   int       `json:"column"` // the column in bytes, from 1
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
	Meaning bool   `json:"meaning"` // the fix might change verdicts
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
