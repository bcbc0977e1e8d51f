package wire

import (
	"time"

	"github.com/kosterhq/robotstxt/semdiff"
)

// WatchMessage is a message of "robots watch": the change of one site, or a list if many
// sites changed in one pass.
type WatchMessage struct {
	ID      string       `json:"id"`      // a UUID, which stays the same if the message is delivered again
	At      time.Time    `json:"at"`      // when the message was made
	Gravity WatchGravity `json:"gravity"` // the gravity of the most serious event
	Text    string       `json:"text"`    // the message in a few lines of plain text
	Sites   int          `json:"sites"`   // the number of sites with changes
	// in a list, all its sites by the most serious change of each, the most serious group first, then the largest
	Groups  []WatchGroup `json:"groups,omitempty"`
	Watched int          `json:"watched"` // the number of watched sites
	Events  []WatchEvent `json:"events"`  // the most serious first, then by site
	Omitted int          `json:"omitted"` // events of a list that are not in Events
}

// WatchGroup is the sites of a list whose most serious changes are alike.
type WatchGroup struct {
	Gravity  WatchGravity `json:"gravity"`
	Kind     WatchKind    `json:"kind"`
	Size     semdiff.Size `json:"size,omitempty"` // as in a change
	Sites    int          `json:"sites"`          // the number of sites
	Examples []string     `json:"examples"`       // the first three sites in alphabetical order
	Text     string       `json:"text"`           // the change in one line
}

// WatchEvent is the changes of one site since its last event.
type WatchEvent struct {
	ID       string        `json:"id"` // a UUID, unique
	Site     string        `json:"site"`
	At       time.Time     `json:"at"`       // the time of the fetch that confirms the changes
	Since    time.Time     `json:"since"`    // the time of the first fetch that found a change
	Gravity  WatchGravity  `json:"gravity"`  // the gravity of the most serious change
	Reverted int           `json:"reverted"` // the number of changes since the last event that ended before they were confirmed
	Status   int           `json:"status"`   // the HTTP or FTP status; 0 without a response
	Outcome  Outcome       `json:"outcome"`
	FinalURL string        `json:"final_url"`
	Fault    string        `json:"fault,omitempty"`
	Expected string        `json:"expected,omitempty"` // with --expect, the file with which the served one is compared
	Changes  []WatchChange `json:"changes"`            // the most serious first
	Omitted  int           `json:"omitted,omitempty"`  // the number of changes that are not in changes, none of them more serious
}

// WatchChange is one change.
type WatchChange struct {
	Kind       WatchKind    `json:"kind"`
	Gravity    WatchGravity `json:"gravity"`
	Size       semdiff.Size `json:"size,omitempty"`       // how much of the site opens or closes, if kind is opens or closes
	Text       string       `json:"text"`                 // the change in one line
	Agents     []string     `json:"agents"`               // for whom, empty if for all; "*": any that follows the group for *
	Paths      []PathChange `json:"paths"`                // the first pairs of deciding lines, each with a path
	Pairs      int          `json:"pairs"`                // the number of all pairs
	Incomplete bool         `json:"incomplete,omitempty"` // there are, or might be, more pairs than that
	Old        []string     `json:"old"`                  // values that only the old file has
	New        []string     `json:"new"`                  // values that only the new file has
	Injected   bool         `json:"injected,omitempty"`   // with --expect: something between the site and robots added the lines
}

// WatchGravity is how serious a change is.
type WatchGravity string

// The gravities, the most serious first.
const (
	GravityCritical WatchGravity = "critical" // nearly the whole site closes for search engines
	GravityHigh     WatchGravity = "high"     // nearly the whole site opens, or closes for others; or no file
	GravityMedium   WatchGravity = "medium"   // other paths open or close
	GravityLow      WatchGravity = "low"      // no verdict changes
)

// WatchKind is the kind of a change.
type WatchKind string

// The kinds of changes.
const (
	WatchCloses      WatchKind = "closes"       // paths that were allowed are disallowed
	WatchOpens       WatchKind = "opens"        // paths that were disallowed are allowed
	WatchUndecided   WatchKind = "undecided"    // equality could not be proved
	WatchServerError WatchKind = "server-error" // a status such as 503
	WatchUnreachable WatchKind = "unreachable"  // no response
	WatchRecovered   WatchKind = "recovered"    // the site answers again after one of these two
	WatchGone        WatchKind = "gone"         // there is no file any more
	WatchAppeared    WatchKind = "appeared"     // there is a file now
	WatchHTML        WatchKind = "html"         // a web page instead of a robots.txt
	WatchRedirected  WatchKind = "redirected"   // to another host than before
	WatchTruncated   WatchKind = "truncated"    // the file is now longer than crawlers read
	WatchVariants    WatchKind = "variants"     // the site serves several files in turn
	WatchSitemaps    WatchKind = "sitemaps"
	WatchUse         WatchKind = "use"      // what pages may be used for
	WatchLines       WatchKind = "lines"    // other lines, such as Crawl-delay
	WatchLint        WatchKind = "lint"     // errors that the linter did not find before
	WatchInjected    WatchKind = "injected" // with --expect, lines that something added on the way
)

type watchMessage WatchMessage

// MarshalJSON returns the message with the fields schema and raw.
func (m WatchMessage) MarshalJSON() ([]byte, error) { return encode(watchMessage(m)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (m *WatchMessage) UnmarshalJSON(text []byte) error { return decode(text, (*watchMessage)(m)) }
