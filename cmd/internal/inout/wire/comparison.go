package wire

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Comparison has the changes between two robots.txt files. Agents are crawlers in the
// notation of --agent; "*" is any crawler that no group names. Lists are never null.
type Comparison struct {
	Old             string              `json:"old"`                     // the path as given, or the URL of a site's robots.txt
	New             string              `json:"new"`                     // likewise
	OldTruncated    bool                `json:"old_truncated"`           // the old file has more bytes than the limit, and only those before it were compared
	NewTruncated    bool                `json:"new_truncated"`           // likewise
	Dialects        []robotstxt.Dialect `json:"dialects"`                // of the old and of the new file
	Readings        []ComparedReading   `json:"readings,omitempty"`      // of agents that were compared in another dialect, because they read files in it
	UnreadAgents    []string            `json:"unread_agents,omitempty"` // that no user-agent line can name, so that nothing is known about them
	Agents          []string            `json:"agents"`                  // that were compared
	Equal           bool                `json:"equal"`                   // it is proved that no verdict differs for any of them
	Undecided       bool                `json:"undecided"`               // for some of them
	UndecidedAgents []string            `json:"undecided_agents"`        // for whom it is neither proved that all verdicts are equal nor which differ
	Tried           string              `json:"tried,omitempty"`         // why something is undecided or incomplete
	Complete        bool                `json:"complete"`                // all pairs of deciding lines are in Changes
	Sites           []SiteChange        `json:"sites"`                   // for whom the whole site opens or closes, or nearly
	Changes         []PathChange        `json:"changes"`
	Other           []OtherDifference   `json:"other"` // beside the verdicts
	URLs            int                 `json:"urls"`  // how many given URLs were compared
	Flips           []Flip              `json:"flips"` // the URLs whose verdict differs

	// OtherURLs is how many of URLs belong to sites other than Site, whose own files decide.
	// They have no flips if Site is a file's site; if no site is known, Site is the first URL's.
	Site      string `json:"site,omitempty"`
	SiteKnown bool   `json:"site_known,omitempty"`
	OtherURLs int    `json:"other_urls,omitempty"`
}

// ComparedReading is the crawlers that read both files in a dialect.
type ComparedReading struct {
	Dialect robotstxt.Dialect `json:"dialect"`
	Agents  []string          `json:"agents"`
}

// SiteChange says that a whole site opens or closes, or all but a few patterns.
type SiteChange struct {
	Agents    []string       `json:"agents"`
	Effect    ChangeEffect   `json:"effect"`
	Whole     bool           `json:"whole"`     // the whole site
	But       []string       `json:"but"`       // the patterns of the paths with the other verdict, none if Whole is true
	Before    semdiff.Extent `json:"before"`    // how much of the site they could fetch
	Except    []Exception    `json:"except"`    // if Before is partly: the rules that made exceptions, none if there are many
	Otherwise Verdict        `json:"otherwise"` // before, about the paths that no exception matches
}

// PathChange is a pair of deciding lines, one of each file, that give some paths
// another verdict.
type PathChange struct {
	Agents  []string     `json:"agents"`
	Effect  ChangeEffect `json:"effect"`
	OldLine int          `json:"old_line"`       // from 1; 0 if no line decides
	NewLine int          `json:"new_line"`       // from 1; 0 if no line decides
	Witness string       `json:"witness"`        // such a path, with its query: of a given URL if one is such
	URLs    int          `json:"urls,omitempty"` // how many given URLs change by these lines
}

// OtherDifference is a difference that changes no verdict.
type OtherDifference struct {
	Kind   string   `json:"kind"`   // "Sitemap", or the name of an extension line, such as "Crawl-delay"
	Agents []string `json:"agents"` // empty for sitemaps, which belong to no group
	Old    []string `json:"old"`    // the values that only the old file has
	New    []string `json:"new"`    // the values that only the new file has
}

// Flip is a given URL with another verdict.
type Flip struct {
	URL    string       `json:"url"` // as given
	Agents []string     `json:"agents"`
	Effect ChangeEffect `json:"effect"`
}

type comparison Comparison

// MarshalJSON returns the comparison with the fields schema and raw.
func (c Comparison) MarshalJSON() ([]byte, error) { return encode(comparison(c)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *Comparison) UnmarshalJSON(text []byte) error { return decode(text, (*comparison)(c)) }
