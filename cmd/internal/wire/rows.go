package wire

import "github.com/kosterhq/robotstxt"

// GridRow contains the answers about a URL for several crawlers.
type GridRow struct {
	URL         string       `json:"url"`                    // as given
	ComparedURL string       `json:"compared_url,omitempty"` // if it had to be encoded first
	RobotsURL   string       `json:"robots_url,omitempty"`   // empty if nothing was fetched
	RobotsFile  string       `json:"robots_file,omitempty"`  // the name of the file as given; empty if it was fetched
	Answers     []GridAnswer `json:"answers"`                // in the order of the crawlers
}

// GridAnswer is the answer for one crawler.
type GridAnswer struct {
	Agent   string  `json:"agent"` // the crawler as given
	Verdict Verdict `json:"verdict"`
	Line    int     `json:"line"` // the deciding line, from 1; 0 for none
}

// CrawlerCount is the number of URLs with each verdict for one crawler.
type CrawlerCount struct {
	Agent      string `json:"agent"` // the crawler as given
	Allowed    int    `json:"allowed"`
	Disallowed int    `json:"disallowed"`
	Unknown    int    `json:"unknown"`
}

// LineCount is the number of URLs that a line of a robots.txt decides, or that no line
// decides for one reason.
type LineCount struct {
	RobotsURL  string           `json:"robots_url,omitempty"`  // empty if nothing was fetched
	RobotsFile string           `json:"robots_file,omitempty"` // the name of the file as given; empty if it was fetched
	URLs       int              `json:"urls"`                  // each counts once for all crawlers
	Verdict    Verdict          `json:"verdict"`
	Line       int              `json:"line"` // from 1; 0 for none
	Rule       string           `json:"rule"` // the text of that line, without a comment
	Reason     robotstxt.Reason `json:"reason"`
	Agents     []string         `json:"agents"` // the crawlers for which it decides
}

// The types without methods that are encoded.
type (
	gridRow      GridRow
	crawlerCount CrawlerCount
	lineCount    LineCount
)

// MarshalJSON returns the row with the fields schema and raw.
func (r GridRow) MarshalJSON() ([]byte, error) { return encode(gridRow(r)) }

// AppendJSON appends what MarshalJSON returns.
func (r *GridRow) AppendJSON(to []byte) ([]byte, error) { return appendTo(to, (*gridRow)(r)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (r *GridRow) UnmarshalJSON(text []byte) error { return decode(text, (*gridRow)(r)) }

// MarshalJSON returns the count with the fields schema and raw.
func (c CrawlerCount) MarshalJSON() ([]byte, error) { return encode(crawlerCount(c)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *CrawlerCount) UnmarshalJSON(text []byte) error { return decode(text, (*crawlerCount)(c)) }

// MarshalJSON returns the count with the fields schema and raw.
func (c LineCount) MarshalJSON() ([]byte, error) { return encode(lineCount(c)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *LineCount) UnmarshalJSON(text []byte) error { return decode(text, (*lineCount)(c)) }
