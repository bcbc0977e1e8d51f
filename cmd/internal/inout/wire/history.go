package wire

import "time"

// History is the result of "robots history" for a site.
type History struct {
	Site  string        `json:"site"`
	Spans []HistorySpan `json:"spans"` // in order; each begins where the one before ends
}

// HistorySpan is an interval of a history. Its certainty is proved for an instant, presumed
// between equal observations, possible between different ones, or unknown.
type HistorySpan struct {
	From      time.Time `json:"from"`
	To        time.Time `json:"to"`
	Certainty string    `json:"certainty"`
	// the certainty of the verdicts: presumed between files that differ only in lines that change none
	Verdicts     string          `json:"verdicts"`
	Observations int             `json:"observations"`
	Sources      []string        `json:"sources"`
	Dropped      bool            `json:"dropped"`           // observations in the span were dropped, for size or age
	Version      *HistoryVersion `json:"version,omitempty"` // missing if the span has no observations
	Changed      bool            `json:"changed"`           // the version differs from the one before
	Changes      []WatchChange   `json:"changes"`           // what the difference means, the most serious first; empty if nothing
}

// HistoryVersion is the answer of a site.
type HistoryVersion struct {
	Status    int    `json:"status"` // the HTTP or FTP status; 0 without a response
	Fault     string `json:"fault,omitempty"`
	FinalURL  string `json:"final_url"`
	SHA256    string `json:"sha256,omitempty"` // in hexadecimal; missing without a file
	Size      int64  `json:"size"`             // the size of the file in bytes
	Truncated bool   `json:"truncated"`
}

// HistorySeen is a version at the time of an observation.
type HistorySeen struct {
	Time    time.Time      `json:"time"`
	Version HistoryVersion `json:"version"`
}

// HistoryAnswer is the result of "robots history --at" for a site and a time.
type HistoryAnswer struct {
	Site      string       `json:"site"`
	At        time.Time    `json:"at"`
	Certainty string       `json:"certainty"`
	Verdicts  string       `json:"verdicts"`         // as in a span
	Before    *HistorySeen `json:"before,omitempty"` // the latest observation at or before the time
	After     *HistorySeen `json:"after,omitempty"`  // the earliest observation at or after the time
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
