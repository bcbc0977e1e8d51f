package wire

import "time"

// Visits is the result of "robots visits".
type Visits struct {
	Sites      []string   `json:"sites"`          // the origins whose visits are judged; empty if no log names one
	Judged     string     `json:"judged"`         // what the visits were compared with: nothing, file, served-since or history
	From       *time.Time `json:"from,omitempty"` // the time of the first request
	To         *time.Time `json:"to,omitempty"`   // the time of the last request
	Lines      int64      `json:"lines"`          // lines that are requests, or should be
	Unreadable int64      `json:"unreadable"`     // of lines: in no known form or over 64 KiB
	Bytes      int64      `json:"bytes"`          // of all responses, as far as the logs have them
	// Share is the traffic between --since and --until. It is absent if lines are, or might be, in several logs.
	Share      *VisitShare    `json:"share,omitempty"`
	Pathless   int64          `json:"pathless"`   // of lines: requests without a target, for example from port scanners
	Duplicates []string       `json:"duplicates"` // logs that repeat another one, and were not counted
	OtherHosts []VisitHost    `json:"other_hosts"`
	Lists      []VisitList    `json:"lists"`
	ListGaps   []string       `json:"list_gaps"`  // the days with visits on which a list of a crawler that came was not read
	DNS        bool           `json:"dns"`        // robots asked DNS
	Crawlers   []VisitCrawler `json:"crawlers"`   // those with most verified visits first
	Proofs     []VisitProof   `json:"proofs"`     // at most 1,000 of the visits that disobeyed
	Incomplete bool           `json:"incomplete"` // a log could not be read to its end
	Days       []VisitDay     `json:"days"`

	// Stated are the facts that flags state.
	Stated []string `json:"stated"`
	// Withheld are the visits of verified senders that might have disobeyed, by the first premise that is not shown.
	Withheld []VisitWithheld `json:"withheld"`
	LogsFrom *time.Time      `json:"logs_from,omitempty"` // the time from which logs would have to begin
	LogGaps  []VisitGap      `json:"log_gaps"`            // the times without a line because of which visits are withheld
}

// VisitGap is a time in which the logs, or those of a server, have no line.
type VisitGap struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// VisitShare counts requests and the bytes of their responses, and those for crawlers whose main purpose is one of AI.
type VisitShare struct {
	Requests   int64 `json:"requests"`
	Bytes      int64 `json:"bytes"`
	AIRequests int64 `json:"ai_requests"`
	AIBytes    int64 `json:"ai_bytes"`
}

// VisitWithheld counts the visits that lack a premise.
type VisitWithheld struct {
	Why    string `json:"why"`
	Visits int64  `json:"visits"`
	Log    string `json:"log,omitempty"` // of the first line that shows why, if one does
	Line   int64  `json:"line,omitempty"`
}

// VisitGroup counts the visits of a crawler on a day, to a section or site, or with a status.
type VisitGroup struct {
	Name       string `json:"name"`
	Visits     int64  `json:"visits"`
	Disallowed int64  `json:"disallowed"`
	Disobeyed  int64  `json:"disobeyed"`
}

// VisitHost is a host whose requests were not judged.
type VisitHost struct {
	Host  string `json:"host"`
	Lines int64  `json:"lines"`
}

// VisitList is a list of addresses, and when it was read last.
type VisitList struct {
	URL  string    `json:"url"`
	Date time.Time `json:"date"`
}

// VisitCrawler counts the visits of a crawler. Identity and Results each add up to Visits.
type VisitCrawler struct {
	Crawler   string           `json:"crawler"`
	Operator  string           `json:"operator"`
	Purposes  []string         `json:"purposes"`
	Visits    int64            `json:"visits"`
	Bytes     int64            `json:"bytes"`
	Statuses  map[string]int64 `json:"statuses"`  // visits by HTTP status, "0" if the log does not say
	Sites     map[string]int64 `json:"sites"`     // visits by origin, or "no host"; after a hundred origins, "other hosts"
	Disobeyed map[string]int64 `json:"disobeyed"` // visits that disobeyed, by origin
	Identity  map[string]int64 `json:"identity"`  // visits that are verified, claimed, not-listed and contradicted
	// claimed visits by the reason why nothing is known: no-address, shortened, proxy, unpublished, no-list, few-lists,
	// moved, other-list, no-dns or alone
	Claimed map[string]int64 `json:"claimed"`
	Results map[string]int64 `json:"results"` // visits by result; empty if nothing was judged
	// exempt visits by the reason why no rule applies: robots-txt, redirect, no-target, method, other-site or named
	Exempt map[string]int64 `json:"exempt"`
	// visits that are no-promise, unproved, old-copy and not-judged, by the first premise that is not shown: site,
	// slow, no-query, decoded, no-promise, a reason of claimed, not-listed, contradicted, list-far, refused,
	// redirected, outage, logs-begin, logs-gap, copy, unknown-copy or reading
	Withheld map[string]int64 `json:"withheld"`
	// those of withheld that might have disobeyed: the sender is verified, and a file that might apply does not allow
	// them
	NotProved     map[string]int64 `json:"not_proved"`
	RobotsFetches int64            `json:"robots_fetches"`
	LastRobots    *time.Time       `json:"last_robots,omitempty"` // the last fetch of robots.txt in these logs
	Rules         []VisitRule      `json:"rules"`                 // the rules that disallowed visits, those with most visits first
	Days          []VisitGroup     `json:"days"`                  // visits by day
	Groups        []VisitGroup     `json:"groups"`                // visits by what --by names; empty without it
	First         time.Time        `json:"first"`
	Last          time.Time        `json:"last"`
}

// VisitRule is a line that disallowed visits.
type VisitRule struct {
	SHA256  string `json:"sha256"` // the hash of the file
	Line    int    `json:"line"`
	Rule    string `json:"rule"`
	Group   string `json:"group"` // the product token, or *, whose group has the line
	Visits  int64  `json:"visits"`
	Example string `json:"example"` // a target, without the values of its query
}

// VisitProof is a visit that disobeyed, with all the evidence.
type VisitProof struct {
	Log      string         `json:"log"`
	Line     int64          `json:"line"`
	Time     time.Time      `json:"time"`
	Site     string         `json:"site"`
	Crawler  string         `json:"crawler"`
	Method   string         `json:"method"`
	Target   string         `json:"target"` // without the values of its query
	By       string         `json:"by"`     // what verified the crawler: list or dns
	List     string         `json:"list,omitempty"`
	Date     time.Time      `json:"date"` // the date of the list, or of the DNS answer
	Versions []VisitVersion `json:"versions"`
	Keep     float64        `json:"keep_hours"`  // how long the crawler may use a file
	Cache    float64        `json:"cache_hours"` // how long a cache in between may use it
}

// VisitVersion is a file that a crawler might have used, with the line that disallows the
// visit.
type VisitVersion struct {
	SHA256 string `json:"sha256"` // the hash of the file
	Line   int    `json:"line"`
	Rule   string `json:"rule"`
}

// VisitDay counts the visits of a day, in UTC, by the main purpose of the crawlers.
type VisitDay struct {
	Day        string           `json:"day"`
	Visits     map[string]int64 `json:"visits"`
	Disallowed map[string]int64 `json:"disallowed"`
	Changed    bool             `json:"changed"` // a file changed on this day
	Pending    int64            `json:"pending"` // visits from addresses in no list, which only later lists can contradict
}

type visits Visits

// MarshalJSON returns the visits with the fields schema and raw.
func (v Visits) MarshalJSON() ([]byte, error) { return encode(visits(v)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (v *Visits) UnmarshalJSON(text []byte) error { return decode(text, (*visits)(v)) }
