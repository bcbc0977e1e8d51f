package wire

// Generated is a robots.txt into which intentions were written.
type Generated struct {
	Body     string             `json:"body"`     // the file
	Changed  bool               `json:"changed"`  // body differs from the file before
	Complete bool               `json:"complete"` // nothing is in missed
	Crawlers []GeneratedCrawler `json:"crawlers"` // those that a statement is about, or for which something is written
	Missed   []string           `json:"missed"`   // what is not as intended, in sentences
	Notes    []string           `json:"notes"`    // other facts about what is written, in sentences; they name what unable and also list

	// Unable are statements that no line can express, or that others overrule: the token, the purpose,
	// and why: "kept" (the crawler has another purpose that is not refused), "no-line" (no line can
	// name it) or "one-group" (the group of a control token refuses another purpose).
	Unable [][3]string `json:"unable"`

	// Also are purposes that no statement is about, and that a written group refuses or opens too:
	// the token and the purpose.
	Also [][2]string `json:"also"`
}

// GeneratedCrawler is what an intention means for a known crawler.
type GeneratedCrawler struct {
	Agent    string          `json:"agent"`
	Operator string          `json:"operator"`
	Purposes []string        `json:"purposes"`
	Control  bool            `json:"control"` // the token blocks no crawler, but refuses uses of the pages
	Outcome  IntentOutcome   `json:"outcome"`
	Paths    []GeneratedPath `json:"paths"`            // with the verdict that they have now, as intended; it is proved
	Reason   string          `json:"reason,omitempty"` // if it is unexpressed, in words
}

// GeneratedPath is a path with an intended verdict.
type GeneratedPath struct {
	Path    string  `json:"path"` // as in a rule: "/" for the whole site
	Verdict Verdict `json:"verdict"`
}

// generated is the type without methods that is encoded.
type generated Generated

// MarshalJSON returns the result with the fields schema and raw.
func (g Generated) MarshalJSON() ([]byte, error) { return encode(generated(g)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (g *Generated) UnmarshalJSON(text []byte) error { return decode(text, (*generated)(g)) }
