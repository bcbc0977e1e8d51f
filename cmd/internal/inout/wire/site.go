package wire

import (
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
)

// Site describes the result of fetching a site's robots.txt.
type Site struct {
	Asked string `json:"asked,omitempty"` // the URL or host as given
	Provenance
	Outcome      Outcome        `json:"outcome"`
	Origin       string         `json:"origin"`          // scheme, host and port
	FinalURL     string         `json:"final_url"`       // the URL that answered, after redirects
	Hops         []Hop          `json:"hops"`            // the redirects before final_url
	Proxy        string         `json:"proxy,omitempty"` // the proxy of the last request in this run
	Headers      []Header       `json:"headers,omitempty"`
	Bytes        int            `json:"bytes"`          // the number of bytes that were read, after decoding
	Truncated    bool           `json:"truncated"`      // the body has more bytes than the limit
	Delimited    bool           `json:"delimited"`      // the transfer marks the end of the body, so nothing is missing
	Body         robotstxt.Body `json:"body,omitempty"` // what the file contains, empty without a file
	FreshUntil   time.Time      `json:"fresh_until,omitzero"`
	NextTry      time.Time      `json:"next_try,omitzero"`
	FailingSince time.Time      `json:"failing_since,omitzero"`
	Error        string         `json:"error,omitempty"` // the error of the latest attempt
	File         *Outline       `json:"file,omitempty"`  // missing without a file
}

// Answered reports whether the site answered with a file or a status, in this run or
// when the copy in use was fetched. If it did not answer, the policy decides.
func (s *Site) Answered() bool { return s.Source != SourceAssumed || s.Fault == FaultStatus }

// IsNotFoundPage reports whether the site answered with a server error whose page says that there is no
// file, and the client read it as 404.
func (s *Site) IsNotFoundPage() bool {
	return s.Outcome == OutcomeAllowAll && s.Source != SourceAssumed && !strings.HasPrefix(s.Origin, "ftp:") &&
		500 <= s.Status && s.Status <= 599
}

// Hop is a redirect.
type Hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// Header is a header of the response about the type or the freshness of a robots.txt.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Outline is a summary of a robots.txt.
type Outline struct {
	Lines      int         `json:"lines"`
	Groups     int         `json:"groups"`
	Agents     []string    `json:"agents"`   // the tokens of all groups, each once, in file order
	Allow      int         `json:"allow"`    // the number of Allow rules
	Disallow   int         `json:"disallow"` // the number of Disallow rules
	Sitemaps   []string    `json:"sitemaps"`
	Extensions []Extension `json:"extensions"`
}

// Extension is a line beyond the protocol.
type Extension struct {
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

type site Site

// MarshalJSON returns the site with the fields schema and raw.
func (s Site) MarshalJSON() ([]byte, error) { return encode(site(s)) }

// AppendJSON appends what MarshalJSON returns.
func (s *Site) AppendJSON(to []byte) ([]byte, error) { return appendTo(to, (*site)(s)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (s *Site) UnmarshalJSON(text []byte) error { return decode(text, (*site)(s)) }
