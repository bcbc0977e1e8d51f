package wire

// Audit has the counts of an audit.
type Audit struct {
	By          string            `json:"by"`          // what a site is: host, origin, domain or capture
	Rule        string            `json:"rule"`        // which captures count, in words
	Crawls      []AuditCrawl      `json:"crawls"`      // one for each label
	Comparisons []AuditComparison `json:"comparisons"` // of each crawl with the one before, and as the last one, if there are more than two crawls, of the last with the first
	Incomplete  []AuditInput      `json:"incomplete"`  // inputs that end early or could not be read to their ends: the counts are without the rest
}

// AuditInput is an input of an audit that was not read to its end.
type AuditInput struct {
	Input string `json:"input"`
	Files int    `json:"files"` // that were read
	Error string `json:"error"`
}

// AuditCrawl counts the sites of a crawl.
type AuditCrawl struct {
	Label          string         `json:"label"`        // empty without one
	Captures       int            `json:"captures"`     // rows
	WithoutSite    int            `json:"without_site"` // of them, damaged records of no known site
	Sites          int            `json:"sites"`
	Known          int            `json:"known"`            // of sites: their rules are known, by a file that is text or empty, or by a status
	OpenByStatus   int            `json:"open_by_status"`   // of known: no file
	ClosedByStatus int            `json:"closed_by_status"` // of known: unreachable
	NotKnown       map[string]int `json:"not_known"`        // the other sites, by what was read: html, binary, redirect, …
	Statuses       map[string]int `json:"statuses"`         // sites by HTTP status
	Crawlers       []AuditCrawler `json:"crawlers"`
	Strata         []AuditStratum `json:"strata,omitempty"`
}

// AuditCrawler counts the known sites by how they treat a crawler.
type AuditCrawler struct {
	Crawler    string   `json:"crawler"` // in the notation of --agent
	Purposes   []string `json:"purposes"`
	Reading    string   `json:"reading"` // how it reads files; empty if no line can name it
	Named      int      `json:"named"`   // a group names it
	HomeClosed int      `json:"home_closed"`
	CrawlDelay int      `json:"crawl_delay"` // a Crawl-delay applies
	AuditTreatments
}

// AuditTreatments counts sites by how they treat a crawler.
type AuditTreatments struct {
	ClosedByName   int `json:"closed_by_name"`
	ClosedByStar   int `json:"closed_by_star"`
	ClosedByStatus int `json:"closed_by_status"`
	Partly         int `json:"partly"`
	Open           int `json:"open"`
	OpenByStatus   int `json:"open_by_status"`
	Depends        int `json:"depends"` // on the parser
	Undecided      int `json:"undecided"`
	Unnamed        int `json:"unnamed"` // no line can name the crawler
}

// AuditStratum counts the known sites of a stratum that close the whole site to a crawler, with
// the 95% confidence interval of their share, by Wilson's score.
type AuditStratum struct {
	Stratum string  `json:"stratum"`
	Crawler string  `json:"crawler"`
	Sites   int     `json:"sites"`
	Closed  int     `json:"closed"`
	Low     float64 `json:"low"` // from 0 to 1
	High    float64 `json:"high"`
}

// AuditComparison counts what changed between two crawls.
type AuditComparison struct {
	Before   string        `json:"before"` // labels
	After    string        `json:"after"`
	Sites    int           `json:"sites"`    // in both
	Appeared int           `json:"appeared"` // only in the later one
	Vanished int           `json:"vanished"` // only in the earlier one
	Crawlers []AuditChange `json:"crawlers"`
	Warnings []string      `json:"warnings,omitempty"` // in what the crawls were read differently
}

// AuditChange counts the sites of both crawls for which both say how much is open to a
// crawler.
type AuditChange struct {
	Crawler       string    `json:"crawler"`
	Sites         int       `json:"sites"`
	Before        AuditSide `json:"before"`
	After         AuditSide `json:"after"`
	LessOpen      int       `json:"less_open"`
	MoreOpen      int       `json:"more_open"`
	NamedNow      int       `json:"named_now"`       // they name the crawler now, and did not before
	NoLongerNamed int       `json:"no_longer_named"` // they named the crawler before, and do not now
}

// AuditSide counts the sites of a change in one of the crawls.
type AuditSide struct {
	Closed     int `json:"closed"` // by name, by "*" or by status
	Named      int `json:"named"`  // a group names the crawler
	HomeClosed int `json:"home_closed"`
	AuditTreatments
}

type audit Audit

// MarshalJSON returns the counts with the field schema.
func (a Audit) MarshalJSON() ([]byte, error) { return encode(audit(a)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (a *Audit) UnmarshalJSON(text []byte) error { return decode(text, (*audit)(a)) }
