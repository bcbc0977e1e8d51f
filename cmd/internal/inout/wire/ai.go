package wire

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// AIView is what a robots.txt tells AI services and search engines: which of them may
// fetch the site, and how they may use its pages.
type AIView struct {
	Name        string             `json:"name"` // the file, the URL or the host as given
	RobotsURL   string             `json:"robots_url,omitempty"`
	Status      int                `json:"status,omitempty"` // the HTTP or FTP status
	Outcome     Outcome            `json:"outcome"`
	FetchReason string             `json:"fetch_reason,omitempty"` // the reason for the outcome, in words
	Body        robotstxt.Body     `json:"body,omitempty"`         // what the file contains, empty without a file
	Dialect     *robotstxt.Dialect `json:"dialect,omitempty"`      // the dialect requested for all crawlers; missing if each has its own
	Purposes    []AIAccess         `json:"purposes"`
	Preferences []AIPreference     `json:"preferences"` // in file order
	Licenses    []AILicense        `json:"licenses"`    // in file order
	Problems    []AIProblem        `json:"problems"`    // findings about the preferences, licenses and old names, such as contradictions
}

// AIAccess is the access of known crawlers that have the same purpose and equal access.
type AIAccess struct {
	Purpose     string              `json:"purpose"`
	MatchedBy   robotstxt.MatchedBy `json:"matched_by"`
	Group       string              `json:"group"`       // the deciding group: "its own", "Googlebot's", "all (*)", "none"
	Access      semdiff.Extent      `json:"access"`      // how much of the site they may fetch
	Except      []Exception         `json:"except"`      // the rules that make exceptions, if access is partly
	Otherwise   Verdict             `json:"otherwise"`   // the verdict for paths without an exception
	Preferences []string            `json:"preferences"` // the preferences in their groups, such as "ai-train=no"
	Agents      []string            `json:"agents"`      // their product tokens
	// how they read the file, one dialect for each of agents; none if unread is true
	Dialects []robotstxt.Dialect `json:"dialects"`
	Unread   bool                `json:"unread,omitempty"` // no user-agent line can name them, so their access is unknown
	Disobey  []string            `json:"disobey"`          // the crawlers that do not obey robots.txt, or not reliably
}

// Exception is a rule that gives some or all of its paths a different verdict from the
// rest of the site.
type Exception struct {
	Line int `json:"line"`
	// as written in the file; in a comparison, or for an index page and its folder, in the dialect's encoding
	Pattern string `json:"pattern"`
	Part    bool   `json:"part"` // some paths of the pattern are not an exception, or that is undecided
}

// AIPreference is a line's preference about one use of the pages under a path.
type AIPreference struct {
	Line       int      `json:"line"`
	Key        string   `json:"key"`                   // Content-Signal or Content-Usage
	Agents     []string `json:"agents"`                // the names in the line's group, at most 100
	MoreAgents int      `json:"more_agents,omitempty"` // how many more the group has
	Path       string   `json:"path"`                  // empty for the whole site
	Use        string   `json:"use"`                   // ai-train, ai-input, search
	Granted    bool     `json:"granted"`
}

// AILicense is a License line.
type AILicense struct {
	Line       int      `json:"line"`
	Agents     []string `json:"agents"`                // the names in the line's group, at most 100
	MoreAgents int      `json:"more_agents,omitempty"` // how many more the group has
	// the line is outside all groups, and applies to crawlers whose groups have no License line
	Outside bool   `json:"outside,omitempty"`
	Value   string `json:"value"`
}

// AIProblem is a finding of the linter about a preference or a license.
type AIProblem struct {
	Line    int    `json:"line"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

type aiView AIView

// MarshalJSON returns the view with the fields schema and raw.
func (v AIView) MarshalJSON() ([]byte, error) { return encode(aiView(v)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (v *AIView) UnmarshalJSON(text []byte) error { return decode(text, (*aiView)(v)) }
