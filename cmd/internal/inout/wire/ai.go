package wire

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// AIView is what a robots.txt says to AI services and search engines: which of them may
// fetch the site, and what they may use its pages for.
type AIView struct {
	Name        string             `json:"name"` // the file, the URL or the host as given
	RobotsURL   string             `json:"robots_url,omitempty"`
	Status      int                `json:"status,omitempty"` // of HTTP or FTP
	Outcome     Outcome            `json:"outcome"`
	Body        robotstxt.Body     `json:"body,omitempty"`    // of the file, empty without one
	Dialect     *robotstxt.Dialect `json:"dialect,omitempty"` // that was requested for all crawlers; missing if each has its own
	Purposes    []AIAccess         `json:"purposes"`
	Preferences []AIPreference     `json:"preferences"` // in file order
	Licenses    []Extension        `json:"licenses"`    // the License lines
	Problems    []AIProblem        `json:"problems"`    // of these lines, such as contradictions
}

// AIAccess is what applies to known crawlers with one purpose and equal access.
type AIAccess struct {
	Purpose     string              `json:"purpose"`
	MatchedBy   robotstxt.MatchedBy `json:"matched_by"`
	Group       string              `json:"group"`            // whose group decides: "its own", "Googlebot's", "all (*)", "none"
	Access      semdiff.Extent      `json:"access"`           // how much of the site they may fetch
	Except      []Exception         `json:"except"`           // if Access is partly: the rules that make exceptions
	Otherwise   Verdict             `json:"otherwise"`        // about the paths that no exception matches
	Preferences []string            `json:"preferences"`      // that their groups state, such as "ai-train=no"
	Agents      []string            `json:"agents"`           // their product tokens
	Dialects    []robotstxt.Dialect `json:"dialects"`         // in which they read the file, one for each of agents; none if Unread
	Unread      bool                `json:"unread,omitempty"` // no user-agent line can name them, so that their access is unknown
	Disobey     []string            `json:"disobey"`          // the crawlers that do not obey robots.txt, or not reliably
}

// Exception is a rule whose paths, or some of them, have another verdict than the rest
// of the site.
type Exception struct {
	Line    int    `json:"line"`
	Pattern string `json:"pattern"` // as in the file; in diff, and of an index page and its folder, in the dialect's encoding
	Part    bool   `json:"part"`    // not all paths that it matches are an exception, or that is undecided
}

// AIPreference is what a line says about one use of the pages of a path.
type AIPreference struct {
	Line    int      `json:"line"`
	Key     string   `json:"key"`    // Content-Signal or Content-Usage
	Agents  []string `json:"agents"` // the tokens of the line's group
	Path    string   `json:"path"`   // empty for the whole site
	Use     string   `json:"use"`    // ai-train, ai-input, search
	Granted bool     `json:"granted"`
}

// AIProblem is a finding of the linter about a preference or a license.
type AIProblem struct {
	Line    int    `json:"line"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// aiView is the type without methods that is encoded.
type aiView AIView

// MarshalJSON returns the view with the fields schema and raw.
func (v AIView) MarshalJSON() ([]byte, error) { return encode(aiView(v)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (v *AIView) UnmarshalJSON(text []byte) error { return decode(text, (*aiView)(v)) }
