package wire

import "time"

// History is what "robots history" knows of a site.
type History struct {
	Site  string        `json:"site"`
	Spans []HistorySpan `json:"spans"` // in order, each begins where the one before ends
}

// HistorySpan is an interval of a history. Its certainty is proved for an instant, presumed
// between equal observations, possible between different ones, or unknown.
type HistorySpan struct {
	From         time.Time       `json:"from"`
	To           time.Time       `json:"to"`
	Certainty    string          `json:"certainty"`
	Observations int             `json:"observations"`
	Sources      []string        `json:"sources"`
	Dropped      bool            `json:"dropped"`           // observations in it were dropped, for size or age
	Version      *HistoryVersion `json:"version,omitempty"` // of a span with observations
	Changed      bool            `json:"changed"`           // another version than the one before
	Changes      []WatchChange   `json:"changes"`           // what this means, the gravest first; empty if nothing
}

// HistoryVersion is what a site answered.
type HistoryVersion struct {
	Status    int    `json:"status"` // HTTP or FTP; 0 without a response
	Fault     string `json:"fault,omitempty"`
	FinalURL  string `json:"final_url"`
	SHA256    string `json:"sha256,omitempty"` // in hexadecimal; none without a file
	Size      int64  `json:"size"`             // of the file, in bytes
	Truncated bool   `json:"truncated"`
}

// HistorySeen is a version at the time of an observation.
type HistorySeen struct {
	Time    time.Time      `json:"time"`
	Version HistoryVersion `json:"version"`
}

// HistoryAnswer is what "robots history --at" knows of a site at a time.
type HistoryAnswer struct {
	Site      string       `json:"site"`
	At        time.Time    `json:"at"`
	Certainty string       `json:"certainty"`
	Before    *HistorySeen `json:"before,omitempty"` // the nearest observation not after the time
	After     *HistorySeen `json:"after,omitempty"`  // the nearest observation not before it
	Dropped   bool         `json:"dropped"`
}

type history History

// MarshalJSON returns the history with the fields schema and raw.
func (h History) MarshalJSON() ([]byte, error) { return encode(history(h)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (h *History) UnmarshalJSON(text []byte) error { return decode(text, (*history)(h)) }

type historyAnswer HistoryAnswer

// MarshalJSON returns the answer with the fields schema and raw.
func (a HistoryAnswer) MarshalJSON() ([]byte, error) { return encode(historyAnswer(a)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (a *HistoryAnswer) UnmarshalJSON(text []byte) error { return decode(text, (*historyAnswer)(a)) }
