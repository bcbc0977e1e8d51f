package wire

import "time"

// WatchMessage is what "robots watch" delivers: the change of one site, or a list if many
// sites have changed in one pass.
type WatchMessage struct {
	ID      string       `json:"id"`      // a UUID; the same if the message is delivered again
	At      time.Time    `json:"at"`      // when the message was made
	Gravity WatchGravity `json:"gravity"` // of the most serious event
	Text    string       `json:"text"`    // the message in a few lines of plain text
	Sites   int          `json:"sites"`   // with changes
	Watched int          `json:"watched"` // how many sites are watched
	Events  []WatchEvent `json:"events"`  // the gravest first
	Omitted int          `json:"omitted"` // events of a list that are not in Events
}

// WatchEvent is what has changed at one site since the last event.
type WatchEvent struct {
	ID       string        `json:"id"` // a UUID, unique
	Site     string        `json:"site"`
	At       time.Time     `json:"at"`       // of the fetch that confirms the changes
	Since    time.Time     `json:"since"`    // of the first fetch that found a change
	Gravity  WatchGravity  `json:"gravity"`  // of the gravest change
	Reverted int           `json:"reverted"` // changes since the last event that ended before they were confirmed
	Status   int           `json:"status"`   // HTTP or FTP; 0 without a response
	Outcome  Outcome       `json:"outcome"`
	FinalURL string        `json:"final_url"`
	Fault    string        `json:"fault,omitempty"`
	Expected string        `json:"expected,omitempty"` // with --expect, the file that the served one is compared with
	Changes  []WatchChange `json:"changes"`            // the gravest first
	Omitted  int           `json:"omitted,omitempty"`  // changes that are not in Changes, none of them graver
}

// WatchChange is one change.
type WatchChange struct {
	Kind     WatchKind    `json:"kind"`
	Gravity  WatchGravity `json:"gravity"`
	Text     string       `json:"text"`               // in one line
	Agents   []string     `json:"agents"`             // of opens, closes and undecided; "*" is any other crawler
	Paths    []PathChange `json:"paths"`              // the first pairs of deciding lines, each with a path
	Pairs    int          `json:"pairs"`              // the number of all pairs
	Old      []string     `json:"old"`                // values that only the old file has
	New      []string     `json:"new"`                // values that only the new file has
	Injected bool         `json:"injected,omitempty"` // with --expect, caused by lines that something added on the way
}

// WatchGravity is how grave a change is.
type WatchGravity string

// The gravities, the gravest first.
const (
	GravityCritical WatchGravity = "critical" // most of the site closes for search engines
	GravityHigh     WatchGravity = "high"     // the whole site opens or closes for others, or there is no file any more
	GravityMedium   WatchGravity = "medium"   // paths open or close
	GravityLow      WatchGravity = "low"      // no verdict changes
)

// WatchKind is what has changed.
type WatchKind string

// The kinds of changes.
const (
	WatchCloses      WatchKind = "closes"       // paths that were allowed
	WatchOpens       WatchKind = "opens"        // paths that were disallowed
	WatchUndecided   WatchKind = "undecided"    // equality could not be proved
	WatchServerError WatchKind = "server-error" // a status such as 503
	WatchUnreachable WatchKind = "unreachable"  // no response
	WatchRecovered   WatchKind = "recovered"    // after one of these two
	WatchGone        WatchKind = "gone"         // there was a file
	WatchAppeared    WatchKind = "appeared"     // there was no file
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
