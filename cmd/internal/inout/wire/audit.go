package wire

// Audit has the counts of an audit.
type Audit struct {
	By     string       `json:"by"`     // what a site is: host, origin, domain or capture
	Rule   string       `json:"rule"`   // which captures are counted, in words
	Crawls []AuditCrawl `json:"crawls"` // one for each label
	// each crawl compared with the one before; if there are more than two, also the last with the first
	Comparisons []AuditComparison `json:"comparisons"`
	Incomplete  []AuditInput      `json:"incomplete"` // inputs that end early or could not be read to the end; the rest is not counted

	Provenance *AuditProvenance `json:"provenance,omitempty"`
}

// AuditProvenance says what made an output of an audit.
type AuditProvenance struct {
	Tool     string        `json:"tool"`              // the version, and the commit if it is known
	Crawlers string        `json:"crawlers"`          // the date of the data about crawlers
	Policy   string        `json:"policy"`            // of --policy, or of the audits that made the tables
	Dialect  string        `json:"dialect,omitempty"` // of --dialect; missing if each crawler has its own
	Flags    []string      `json:"flags"`             // those that were given, without credentials
	Created  string        `json:"created"`           // RFC 3339
	Inputs   []AuditDigest `json:"inputs"`            // after 1,000, the last one stands for the others

	Incomplete []AuditInput `json:"incomplete,omitempty"` // inputs that end early or could not be read to the end
}

// AuditDigest is an input of an audit.
type AuditDigest struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"` // of a folder: of what sha256sum prints for its files; missing if unknown
	ETag   string `json:"etag,omitempty"`   // of a URL, if the server has one
}

// AuditInput is an input of an audit that was not read to its end.
type AuditInput struct {
	Input string `json:"input"`
	Files int    `json:"files"` // the number of files that were read
	Error string `json:"error"`
}

// AuditCrawl counts the sites of a crawl.
type AuditCrawl struct {
	Label       string `json:"label"`            // empty without one
	Policy      string `json:"policy,omitempty"` // decided what an answer without a file means; missing if tables do not say it, or have several
	Captures    int    `json:"captures"`         // the number of rows
	WithoutSite int    `json:"without_site"`     // of captures: damaged records of an unknown site
	Sites       int    `json:"sites"`
	// of sites: their rules are known, from a status or from a file that is text or empty
	Known          int            `json:"known"`
	OpenByStatus   int            `json:"open_by_status"`   // of known: no file was served, and the policy opens the site
	ClosedByStatus int            `json:"closed_by_status"` // of known: a fault, for which the policy closes the site
	NotKnown       map[string]int `json:"not_known"`        // the other sites, by what they served: html, binary, redirect, …
	Statuses       map[string]int `json:"statuses"`         // sites by HTTP status
	Purposes       []AuditPurpose `json:"purposes"`         // of the crawlers that a line can name
	Crawlers       []AuditCrawler `json:"crawlers"`
	Strata         []AuditStratum `json:"strata,omitempty"`
}

// AuditPurpose counts the known sites by their strictest treatment of the crawlers with a purpose.
type AuditPurpose struct {
	Purpose          string `json:"purpose"`
	Crawlers         int    `json:"crawlers"` // with this purpose
	ClosedByName     int    `json:"closed_by_name"`
	ClosedByFallback int    `json:"closed_by_fallback"`
	ClosedByStar     int    `json:"closed_by_star"`
	ClosedByStatus   int    `json:"closed_by_status"`
	Partly           int    `json:"partly"`
	Open             int    `json:"open"` // to all of them, by a file
	OpenByStatus     int    `json:"open_by_status"`
	NotKnown         int    `json:"not_known"`      // it depends on the parser, or is undecided
	ClosedByFile     int    `json:"closed_by_file"` // sites that close to at least one of them, by name, by fallback or by "*"
	WithRules        int    `json:"with_rules"`
	// other sites of with_rules that close to one of them in one of its two readings, or for which it is undecided
	PossiblyClosedByFile int `json:"possibly_closed_by_file"`
}

// AuditCrawler counts the known sites by how they treat a crawler.
type AuditCrawler struct {
	Crawler    string   `json:"crawler"` // in the notation of --agent
	Purposes   []string `json:"purposes"`
	Reading    string   `json:"reading"` // how it reads files; empty if no line can name it
	Named      int      `json:"named"`   // sites whose file has a User-agent line with its own token, in the first of its readings
	HomeClosed int      `json:"home_closed"`
	CrawlDelay int      `json:"crawl_delay"` // sites with a Crawl-delay for it
	AuditTreatments
	Weight             *float64 `json:"weight,omitempty"`                // of the sites of with_rules; missing without weights
	WeightClosedByFile *float64 `json:"weight_closed_by_file,omitempty"` // of the sites of closed_by_file
	WeightPartlyByName *float64 `json:"weight_partly_by_name,omitempty"` // of the sites of partly_by_name
}

// AuditTreatments counts sites by how they treat a crawler.
type AuditTreatments struct {
	ClosedByName     int `json:"closed_by_name"`     // by a group with its own token, in the first of its readings
	ClosedByFallback int `json:"closed_by_fallback"` // by a group for a token that it falls back to, because none has its own
	ClosedByStar     int `json:"closed_by_star"`
	ClosedByStatus   int `json:"closed_by_status"`
	Partly           int `json:"partly"`
	Open             int `json:"open"`
	OpenByStatus     int `json:"open_by_status"`
	Depends          int `json:"depends"` // it depends on the parser
	Undecided        int `json:"undecided"`
	Unnamed          int `json:"unnamed"`        // no line can name the crawler
	PartlyByName     int `json:"partly_by_name"` // of partly: by a group with its own token
	ClosedByFile     int `json:"closed_by_file"` // by name, by fallback or by "*"
	// sites with a file, or an answer without one for which the policy opens the site, such as 404
	WithRules int `json:"with_rules"`
}

// AuditStratum counts the known sites of a stratum that close the whole site to a crawler, with
// the 95% confidence interval of closed_by_file of with_rules, by Wilson's score.
type AuditStratum struct {
	Stratum string  `json:"stratum"`
	Crawler string  `json:"crawler"`
	Sites   int     `json:"sites"`
	Closed  int     `json:"closed"`
	Low     float64 `json:"low"` // from 0 to 1
	High    float64 `json:"high"`

	ClosedByFile int `json:"closed_by_file"`
	WithRules    int `json:"with_rules"`
}

// AuditComparison counts what changed between two crawls.
type AuditComparison struct {
	Before   string        `json:"before"`   // the label of the earlier crawl
	After    string        `json:"after"`    // the label of the later crawl
	Sites    int           `json:"sites"`    // sites in both crawls
	Appeared int           `json:"appeared"` // sites only in the later crawl
	Vanished int           `json:"vanished"` // sites only in the earlier crawl
	InBoth   AuditInBoth   `json:"in_both"`
	Crawlers []AuditChange `json:"crawlers"`
	Warnings []string      `json:"warnings,omitempty"` // how the crawls were read differently
}

// AuditInBoth counts the sites with rules in both crawls: with a file, or an answer without one for which the policy
// opens the site, such as 404.
type AuditInBoth struct {
	WithRules  int                  `json:"with_rules"`
	LessByFile int                  `json:"less_open_by_file"` // of with_rules: to at least one crawler
	FirstFiles int                  `json:"first_files"`       // of less_open_by_file: the earlier crawl found no file
	MoreByFile int                  `json:"more_open_by_file"` // of with_rules: to at least one crawler
	FilesGone  int                  `json:"files_gone"`        // of more_open_by_file: the later crawl found no file
	Purposes   []AuditPurposeChange `json:"purposes"`
}

// AuditPurposeChange counts the sites with rules in both crawls that close to at least one crawler with a purpose.
type AuditPurposeChange struct {
	Purpose  string `json:"purpose"`
	Crawlers int    `json:"crawlers"` // of both crawls, with this purpose
	AuditClosed
	// other sites of with_rules that close to one of them in one of its two readings, or for which it is undecided
	PossiblyBefore int `json:"possibly_closed_by_file_before"`
	PossiblyAfter  int `json:"possibly_closed_by_file_after"`
}

// AuditClosed counts the sites with rules in both crawls that their file closes, in each of the crawls.
type AuditClosed struct {
	WithRules    int `json:"with_rules"`            // in both crawls
	ClosedBefore int `json:"closed_by_file_before"` // of with_rules
	ClosedAfter  int `json:"closed_by_file_after"`  // of with_rules
}

// AuditChange counts the sites for which both crawls show how much is open to a crawler.
type AuditChange struct {
	Crawler string    `json:"crawler"`
	Sites   int       `json:"sites"`
	Before  AuditSide `json:"before"`
	After   AuditSide `json:"after"`
	AuditClosed
	LessOpen      int `json:"less_open"`           // of sites: by file or by status
	MoreOpen      int `json:"more_open"`           // of sites, in the same sense
	LessByFile    int `json:"less_open_by_file"`   // of less_open: both crawls have rules
	MoreByFile    int `json:"more_open_by_file"`   // of more_open
	LessByStatus  int `json:"less_open_by_status"` // of less_open: a crawl has a fault
	MoreByStatus  int `json:"more_open_by_status"` // of more_open
	NamedNow      int `json:"named_now"`           // sites that name the crawler only in the later crawl
	NoLongerNamed int `json:"no_longer_named"`     // sites that name the crawler only in the earlier crawl
}

// AuditSide counts the sites of a change in one of the crawls.
type AuditSide struct {
	Closed     int `json:"closed"` // by file or by status
	Named      int `json:"named"`  // sites whose file has a User-agent line with its own token, in the first of its readings
	HomeClosed int `json:"home_closed"`
	AuditTreatments
}

type audit Audit

// MarshalJSON returns the counts with the field schema.
func (a Audit) MarshalJSON() ([]byte, error) { return encode(audit(a)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (a *Audit) UnmarshalJSON(text []byte) error { return decode(text, (*audit)(a)) }
