package wire

import (
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Permit is what crawlers may do with a URL, for each purpose.
type Permit struct {
	URL             string         `json:"url"`                    // the URL as given
	ComparedURL     string         `json:"compared_url,omitempty"` // the URL to which rules are compared, if it differs
	RobotsURL       string         `json:"robots_url,omitempty"`
	RobotsFinalURL  string         `json:"robots_final_url,omitempty"` // the URL that answered, if redirects led to it
	RobotsFile      string         `json:"robots_file,omitempty"`      // the local file
	GovernedBy      string         `json:"governed_by,omitempty"`      // the robots.txt that governs the URL, if it is not the one that was read
	Outcome         Outcome        `json:"outcome"`
	Body            robotstxt.Body `json:"body,omitempty"`         // what the file contains, empty without a file
	FetchReason     string         `json:"fetch_reason,omitempty"` // the reason for the outcome, in words
	Operator        string         `json:"operator,omitempty"`     // the operator of the crawlers, if the request named one
	AskedAt         time.Time      `json:"asked_at"`
	RobotsFetchedAt time.Time      `json:"robots_fetched_at,omitzero"` // missing without a fetch
	// the hash of the bytes that were read of the file, in hexadecimal; missing without a file
	RobotsSHA256    string `json:"robots_sha256,omitempty"`
	RobotsBytes     int    `json:"robots_bytes"`     // the number of bytes that were read of the file
	RobotsTruncated bool   `json:"robots_truncated"` // the file is longer than the limit, and only the bytes within it were read
	CrawlersVersion string `json:"crawlers_version"` // the date of the data about crawlers

	Requested []string       `json:"requested"` // the URLs that were requested in addition to robots.txt
	Answers   []PermitAnswer `json:"answers"`   // one for each crawler of the request and each purpose
	Differing []PermitAnswer `json:"differing"` // answers for known crawlers with a different verdict, if the request named no crawler

	Markdown string `json:"markdown,omitempty"` // the output of robots permit --format markdown, if requested
}

// PermitAnswer is what a crawler may do with the URL for one purpose, and with the site.
type PermitAnswer struct {
	permission.Answer
	PermitExtent
	// As in Query, for the deciding rule.
	JoinedLine    int  `json:"joined_line,omitempty"`
	FetchedAnyway bool `json:"fetched_anyway,omitempty"`
}

// PermitExtent is how much of the site robots.txt opens to the token that decides.
type PermitExtent struct {
	Extent    semdiff.Extent `json:"extent"`    // unknown if no token decides
	Except    []Exception    `json:"except"`    // the rules that make exceptions, if extent is partly
	Otherwise Verdict        `json:"otherwise"` // the verdict for paths without an exception
	Group     string         `json:"group"`     // the deciding group: "its own", "Googlebot's", "all (*)", "none"
}

type permit Permit

// MarshalJSON returns the answers with the fields schema and raw.
func (p Permit) MarshalJSON() ([]byte, error) { return encode(permit(p)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (p *Permit) UnmarshalJSON(text []byte) error { return decode(text, (*permit)(p)) }
