package wire

// Generated is a robots.txt into which intentions were written.
type Generated struct {
	Body     string             `json:"body"`     // the file
	Changed  bool               `json:"changed"`  // body differs from the file before
	Complete bool               `json:"complete"` // all that is intended is expressed
	Crawlers []GeneratedCrawler `json:"crawlers"` // those that a statement is about, or for which something is written
	Missed   []string           `json:"missed"`   // what is not as intended, in sentences
	Notes    []string           `json:"notes"`    // other facts about what is written, in sentences
}

// GeneratedCrawler is what an intention means for a known crawler.
type GeneratedCrawler struct {
	Agent    string          `json:"agent"`
	Operator string          `json:"operator"`
	Purposes []string        `json:"purposes"`
	Control  bool            `json:"control"` // the token blocks no crawler, but refuses uses of the pages
	Outcome  IntentOutcome   `json:"outcome"`
	Paths    []GeneratedPath `json:"paths"`            // with the verdict that they have now, as intended; it is proved
	Others   []string        `json:"others"`           // if it is kept: its purposes that are not refused
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
