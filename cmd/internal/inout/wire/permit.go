package wire

import (
	"time"

	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Permit is what may be done with a URL, for each purpose.
type Permit struct {
	URL             string    `json:"url"`                    // as given
	ComparedURL     string    `json:"compared_url,omitempty"` // as rules are compared with it, if it differs
	RobotsURL       string    `json:"robots_url,omitempty"`
	RobotsFile      string    `json:"robots_file,omitempty"` // the local file
	GovernedBy      string    `json:"governed_by,omitempty"` // see Query
	Outcome         Outcome   `json:"outcome"`
	Operator        string    `json:"operator,omitempty"` // whose crawlers were asked about
	AskedAt         time.Time `json:"asked_at"`
	RobotsFetchedAt time.Time `json:"robots_fetched_at,omitzero"` // missing without a fetch
	RobotsSHA256    string    `json:"robots_sha256,omitempty"`    // of what was read of the file, in hexadecimal; missing without a file
	RobotsBytes     int       `json:"robots_bytes"`               // that were read of it
	CrawlersVersion string    `json:"crawlers_version"`           // of the data about crawlers: a date

	Requested []string       `json:"requested"` // the URLs that were requested beside robots.txt
	Answers   []PermitAnswer `json:"answers"`   // for each crawler of the question and each purpose
	Differing []PermitAnswer `json:"differing"` // for known crawlers with another verdict, if none was named

	Markdown string `json:"markdown,omitempty"` // what robots permit --format markdown prints, if the request asked for it
}

// PermitAnswer is what a crawler may do with the URL for one purpose, and with the site.
type PermitAnswer struct {
	permission.Answer
	PermitExtent
}

// PermitExtent is how much of the site robots.txt opens to the token that decides.
type PermitExtent struct {
	Extent    semdiff.Extent `json:"extent"`    // unknown if no token decides
	Except    []Exception    `json:"except"`    // if Extent is partly: the rules that make exceptions
	Otherwise Verdict        `json:"otherwise"` // about the paths that no exception matches
	Group     string         `json:"group"`     // whose group decides: "its own", "Googlebot's", "all (*)", "none"
}

// permit is the type without methods that is encoded.
type permit Permit

// MarshalJSON returns the answers with the fields schema and raw.
func (p Permit) MarshalJSON() ([]byte, error) { return encode(permit(p)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (p *Permit) UnmarshalJSON(text []byte) error { return decode(text, (*permit)(p)) }
