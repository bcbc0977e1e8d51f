package wire

import "github.com/kosterhq/robotstxt"

// The results of calls for editors. Lines and characters count from 0, characters in
// UTF-16 units, as in the Language Server Protocol and in JavaScript.

// Position is a place between two characters.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is the text between two positions.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"` // the position after the last character
}

// TextEdit replaces the text of a range.
type TextEdit struct {
	Range Range  `json:"range"`
	New   string `json:"new"`
}

// TextFix is a change of the text that fixes a finding.
type TextFix struct {
	Title   string     `json:"title"`
	Edits   []TextEdit `json:"edits"`   // in text order, without overlaps
	Meaning bool       `json:"meaning"` // the fix might change verdicts
}

// Diagnostic is a finding at a place in the text.
type Diagnostic struct {
	Range    Range          `json:"range"`
	Code     string         `json:"code"`
	Severity string         `json:"severity"`
	Message  string         `json:"message"` // the message, with the crawlers it affects
	Related  []RelatedRange `json:"related,omitempty"`
	Fix      *TextFix       `json:"fix,omitempty"`
}

// RelatedRange is another line that contributes to a finding.
type RelatedRange struct {
	Range   Range  `json:"range"`
	Message string `json:"message"`
}

// Diagnostics are the findings of a text.
type Diagnostics struct {
	Diagnostics []Diagnostic `json:"diagnostics"` // in the order of their ranges
}

// Hover is what is known about a part of a text.
type Hover struct {
	Found    bool   `json:"found"` // if false, the other fields are empty
	Range    Range  `json:"range"` // the range of that part
	Markdown string `json:"markdown"`
}

// Completion is a text that completes what is written before a position.
type Completion struct {
	Kind          string   `json:"kind"`                    // key, crawler, order or code
	Label         string   `json:"label"`                   // the text in a list
	Detail        string   `json:"detail"`                  // a few words next to the label
	Documentation string   `json:"documentation,omitempty"` // Markdown
	Edit          TextEdit `json:"edit"`
}

// Completions are the completions at a position.
type Completions struct {
	Completions []Completion `json:"completions"`
}

// Token is a part of a line to colour.
type Token struct {
	Line  int       `json:"line"`
	Start int       `json:"start"` // the first character, from 0
	End   int       `json:"end"`   // the character after the last one
	Kind  TokenKind `json:"kind"`
}

// Tokens are the parts of a text to colour.
type Tokens struct {
	Tokens []Token `json:"tokens"` // in text order, without overlaps
}

// Symbol is a part of a text for its outline.
type Symbol struct {
	Kind      string   `json:"kind"` // group, rule or sitemap
	Name      string   `json:"name"`
	Range     Range    `json:"range"`     // the whole part
	Selection Range    `json:"selection"` // the first line of the part
	Children  []Symbol `json:"children,omitempty"`
}

// Fold is a range of lines that an editor can fold.
type Fold struct {
	Kind  string `json:"kind"`  // group or comment
	Start int    `json:"start"` // the first line
	End   int    `json:"end"`   // the last line
}

// Symbols are the parts of a text for its outline, and those to fold.
type Symbols struct {
	Symbols []Symbol `json:"symbols"`
	Folds   []Fold   `json:"folds"`
}

// FileOutline is a summary of a text.
type FileOutline struct {
	Body      robotstxt.Body `json:"body"`
	Bytes     int            `json:"bytes"`
	Truncated bool           `json:"truncated"` // the text is longer than the limit, and only the bytes within it were read
	Outline
}

// The types without methods that are encoded.
type (
	diagnostics Diagnostics
	hover       Hover
	completions Completions
	tokens      Tokens
	symbols     Symbols
	fileOutline FileOutline
)

// MarshalJSON returns the findings with the fields schema and raw.
func (d Diagnostics) MarshalJSON() ([]byte, error) { return encode(diagnostics(d)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (d *Diagnostics) UnmarshalJSON(text []byte) error { return decode(text, (*diagnostics)(d)) }

// MarshalJSON returns the hover with the fields schema and raw.
func (h Hover) MarshalJSON() ([]byte, error) { return encode(hover(h)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (h *Hover) UnmarshalJSON(text []byte) error { return decode(text, (*hover)(h)) }

// MarshalJSON returns the completions with the fields schema and raw.
func (c Completions) MarshalJSON() ([]byte, error) { return encode(completions(c)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *Completions) UnmarshalJSON(text []byte) error { return decode(text, (*completions)(c)) }

// MarshalJSON returns the tokens with the fields schema and raw.
func (t Tokens) MarshalJSON() ([]byte, error) { return encode(tokens(t)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (t *Tokens) UnmarshalJSON(text []byte) error { return decode(text, (*tokens)(t)) }

// MarshalJSON returns the symbols with the fields schema and raw.
func (s Symbols) MarshalJSON() ([]byte, error) { return encode(symbols(s)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (s *Symbols) UnmarshalJSON(text []byte) error { return decode(text, (*symbols)(s)) }

// MarshalJSON returns the outline with the fields schema and raw.
func (o FileOutline) MarshalJSON() ([]byte, error) { return encode(fileOutline(o)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (o *FileOutline) UnmarshalJSON(text []byte) error { return decode(text, (*fileOutline)(o)) }
