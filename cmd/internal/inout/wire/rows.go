package wire

import "github.com/kosterhq/robotstxt"

// GridRow contains the answers about a URL for several crawlers.
type GridRow struct {
	URL         string       `json:"url"`                    // the URL as given
	ComparedURL string       `json:"compared_url,omitempty"` // the URL to which rules are compared, if it differs
	RobotsURL   string       `json:"robots_url,omitempty"`   // empty if nothing was fetched
	Status      int          `json:"status,omitempty"`       // the HTTP or FTP status, if there is no file
	FetchReason string       `json:"fetch_reason,omitempty"` // why there is no file, in words, if robots tried to fetch one
	GovernedBy  string       `json:"governed_by,omitempty"`  // the robots.txt that governs the URL, if it is not the one that was read
	RobotsFile  string       `json:"robots_file,omitempty"`  // the name of the file as given; empty if robots fetched the file
	Answers     []GridAnswer `json:"answers"`                // in the order of the crawlers
}

// GridAnswer is the answer for one crawler.
type GridAnswer struct {
	Agent   string             `json:"agent"`             // the crawler as given
	Dialect *robotstxt.Dialect `json:"dialect,omitempty"` // how the file was read; missing if no user-agent line can name the crawler
	Verdict Verdict            `json:"verdict"`
	Line    int                `json:"line"` // the deciding line, from 1; 0 for none

	UnresolvedVerdict Verdict `json:"unresolved_verdict,omitempty"` // the verdict for the path with its dot segments, if it differs
	JoinedLine        int     `json:"joined_line,omitempty"`        // as in Answer
	FetchedAnyway     bool    `json:"fetched_anyway,omitempty"`     // as in Answer
}

// CrawlerCount is the number of URLs with each verdict for one crawler.
type CrawlerCount struct {
	Agent      string             `json:"agent"`             // the crawler as given
	Dialect    *robotstxt.Dialect `json:"dialect,omitempty"` // see GridAnswer
	Allowed    int                `json:"allowed"`
	Disallowed int                `json:"disallowed"`
	Unknown    int                `json:"unknown"`
	Statuses   map[string]int     `json:"statuses,omitempty"` // of these verdicts: those that a status gives and no file, by the status
}

// SiteCount is the number of a site's URLs with each verdict for one crawler. Site is empty for paths if the
// site of the file is not known.
type SiteCount struct {
	Site       string `json:"site"`                  // scheme and host, and the port if it is not the usual one
	RobotsFile string `json:"robots_file,omitempty"` // the name of the file as given; empty if robots fetched the file
	Agent      string `json:"agent"`                 // the crawler as given

	Dialect    *robotstxt.Dialect `json:"dialect,omitempty"` // see GridAnswer
	Allowed    int                `json:"allowed"`
	Disallowed int                `json:"disallowed"`
	Unknown    int                `json:"unknown"`
	Status     int                `json:"status,omitempty"` // with which the site answered the request for robots.txt
}

// LineCount is the number of URLs that a line of a robots.txt decides, or that no line
// decides for the same reason. Crawlers with the same number share a LineCount.
type LineCount struct {
	RobotsURL  string           `json:"robots_url,omitempty"`  // empty if nothing was fetched
	RobotsFile string           `json:"robots_file,omitempty"` // the name of the file as given; empty if robots fetched the file
	URLs       int              `json:"urls"`                  // the number for each of agents
	Verdict    Verdict          `json:"verdict"`
	Line       int              `json:"line"` // from 1; 0 for none
	Rule       string           `json:"rule"` // the text of the line, without a comment
	Reason     robotstxt.Reason `json:"reason"`
	// why there is no file, in words, if robots tried to fetch one
	FetchReason string   `json:"fetch_reason,omitempty"`
	Agents      []string `json:"agents"` // the crawlers for which it decides

	// Dialects has the dialect in which each of Agents read the file. There are none if no
	// user-agent line can name them.
	Dialects []robotstxt.Dialect `json:"dialects,omitempty"`
}

// The types without methods that are encoded.
type (
	gridRow      GridRow
	crawlerCount CrawlerCount
	siteCount    SiteCount
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
func (c SiteCount) MarshalJSON() ([]byte, error) { return encode(siteCount(c)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *SiteCount) UnmarshalJSON(text []byte) error { return decode(text, (*siteCount)(c)) }

// MarshalJSON returns the count with the fields schema and raw.
func (c LineCount) MarshalJSON() ([]byte, error) { return encode(lineCount(c)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *LineCount) UnmarshalJSON(text []byte) error { return decode(text, (*lineCount)(c)) }
