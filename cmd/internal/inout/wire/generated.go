package wire

// Generated is a robots.txt with the requested intentions.
type Generated struct {
	Body     string             `json:"body"`     // the file
	Changed  bool               `json:"changed"`  // body differs from the file before
	Complete bool               `json:"complete"` // missed is empty
	Crawlers []GeneratedCrawler `json:"crawlers"` // the crawlers that a statement affects, or for which something is written
	Missed   []string           `json:"missed"`   // the intentions that the file does not express, in sentences
	// other facts about the new lines, in sentences; they include what unable and also list
	Notes []string `json:"notes"`

	Sentences []string `json:"sentences,omitempty"` // what the new lines do, in the language that a request names
	Patch     string   `json:"patch,omitempty"`     // with sentences: the difference of the files, a unified diff

	// Unable are statements that no line can express, or that other statements overrule. Each has
	// the token, the purpose and the reason: "kept" (the crawler has another purpose that is not
	// refused), "no-line" (no line can name it), "one-group" (the group of a control token
	// refuses another purpose) or "part" (lines that close a part of the site stay, and
	// they refuse the home page).
	Unable [][3]string `json:"unable"`

	// Also are purposes that no statement mentions, but that a written group refuses or opens too.
	// Each has the token and the purpose.
	Also [][2]string `json:"also"`
}

// GeneratedCrawler is the effect of an intention on a known crawler.
type GeneratedCrawler struct {
	Agent    string          `json:"agent"`
	Operator string          `json:"operator"`
	Purposes []string        `json:"purposes"`
	Control  bool            `json:"control"` // the token blocks no crawler, but refuses uses of the pages
	Outcome  IntentOutcome   `json:"outcome"`
	Paths    []GeneratedPath `json:"paths"`            // paths whose verdict is now proved to be as intended
	Reason   string          `json:"reason,omitempty"` // why the intention is unexpressed, in words
}

// GeneratedPath is a path with an intended verdict.
type GeneratedPath struct {
	Path    string  `json:"path"` // the path as in a rule: "/" for the whole site
	Verdict Verdict `json:"verdict"`
}

type generated Generated

// MarshalJSON returns the result with the fields schema and raw.
func (g Generated) MarshalJSON() ([]byte, error) { return encode(generated(g)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (g *Generated) UnmarshalJSON(text []byte) error { return decode(text, (*generated)(g)) }
