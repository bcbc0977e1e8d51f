package lint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Code is the stable name of a kind of finding, such as rxJoinedGroups.
type Code string

// Finding is one problem in a file.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`

	// Start and End delimit the bytes of the body that the finding is about; End is
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

	// Related are other places in the body that contribute to the problem, at most MaxRelated of them; for RX208 all.
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
	Info                    // worth knowing; the file might be as intended
	Warning                 // some crawlers read it differently from how it looks
	Error                   // the file does not do what it says
)

var severityNames = []string{Off: "off", Info: "info", Warning: "warning", Error: "error"}

// String returns the name in lower case, such as "warning". For unknown values it
// returns "off".
func (s Severity) String() string {
	if int(s) >= len(severityNames) {
		s = Off
	}
	return severityNames[s]
}

// MarshalText returns the severity's name. It never fails.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets s to the severity with that name, ignoring case. For an
// unknown name it returns an error that lists the known ones, and leaves s
// unchanged.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.IndexFunc(severityNames, func(name string) bool { return strings.EqualFold(name, string(text)) })
	if i < 0 {
		return fmt.Errorf("unknown severity %q: use off, info, warning or error", text)
	}
	*s = Severity(i)
	return nil
}

// Fix is a set of edits that fixes a finding.
type Fix struct {
	Title string `json:"title"` // what it does, such as "write the token alone"
	Edits []Edit `json:"edits"` // in the order of the body, not overlapping
	// Meaning is true if the fix changes verdicts, or might. Otherwise no verdict
	// changes in any dialect.
	Meaning bool `json:"meaning"`
}

// Edit replaces the bytes from Start to End, End excluded, with New.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// ErrEdits means that edits overlap or reach beyond the body. Errors of Apply
// wrap it.
var ErrEdits = errors.New("edits do not fit")

// Apply returns a copy of body with the edits made; body does not change. The edits
// can be in any order. Equal edits are made once. If an edit overlaps another one
// or reaches beyond the body, the error wraps ErrEdits.
func Apply(body []byte, edits []Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.New, b.New))
	})
	edits = slices.Compact(edits)
	var out []byte
	done := 0
	for _, e := range edits {
		if e.Start < done || e.End < e.Start || e.End > len(body) {
			return nil, fmt.Errorf("%w: bytes %d to %d, after %d of %d: apply the fixes one by one", ErrEdits, e.Start, e.End, done, len(body))
		}
		out = append(out, body[done:e.Start]...)
		out = append(out, e.New...)
		done = e.End
	}
	return append(out, body[done:]...), nil
}

// check is a kind of finding. Its variable is named rx and the name of the entry, and
// is in front of the first function that reports it. catalogue lists them.
//
// A case of a check can be less serious than the others, see at and infoIf.
type check struct {
	*Entry
	most Severity // of this case; Off: as the others
	rare bool     // this case is reported only if it or its check is asked for
}

// at returns the case of a check whose severity is at most this, unless one is configured.
func (c check) at(most Severity) check {
	c.most = most
	return c
}

// rareIf is a case of a check that changes little: --pedantic reports it, or a severity that is configured.
func (c check) rareIf(little bool) check {
	c.rare = c.rare || little
	return c
}

func (c check) infoIf(harmless bool) check {
	if harmless {
		c.most = Info
	}
	return c
}
