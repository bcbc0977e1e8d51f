package wire

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Comparison has the changes between two robots.txt files. Agents are crawlers in the
// notation of --agent; "*" is any crawler that follows the group for *. Lists are never null.
type Comparison struct {
	Old string `json:"old"` // the path as given, or the URL of a site's robots.txt
	New string `json:"new"` // the new file, in the same form
	// the old file is longer than the limit; only the bytes within the limit were compared
	OldTruncated bool                `json:"old_truncated"`
	NewTruncated bool                `json:"new_truncated"` // the same for the new file
	Dialects     []robotstxt.Dialect `json:"dialects"`      // the dialects of the old and of the new file
	// the agents that were compared in another dialect, because they read files in it
	Readings     []ComparedReading `json:"readings,omitempty"`
	UnreadAgents []string          `json:"unread_agents,omitempty"` // agents that no user-agent line can name, so nothing is known about them
	Agents       []string          `json:"agents"`                  // the crawlers that were compared
	// proof that no verdict differs for any of agents, by the bytes that were compared
	Equal           bool          `json:"equal"`
	Undecided       bool          `json:"undecided"`           // undecided_agents is not empty
	UndecidedAgents []string      `json:"undecided_agents"`    // agents for which neither equality nor all differences are proved
	Tried           string        `json:"tried,omitempty"`     // why something is undecided or incomplete
	Complete        bool          `json:"complete"`            // changes contains all pairs of deciding lines
	Sizes           []SizedEffect `json:"sizes"`               // how much of the site opens or closes, and for which crawlers
	Sentences       []string      `json:"sentences,omitempty"` // the same in the language that a request names
	// crawlers for which the whole site, or nearly all of it, opens or closes: effects of the size most or all
	Sites   []SiteChange      `json:"sites"`
	Changes []PathChange      `json:"changes"`
	Other   []OtherDifference `json:"other"` // differences that change no verdict
	URLs    int               `json:"urls"`  // the number of given URLs that were compared
	Flips   []Flip            `json:"flips"` // the given URLs whose verdict differs

	// OtherURLs is the number of given URLs that belong to sites other than Site, so that other
	// files decide about them. They have no flips if SiteKnown is true. Otherwise Site is the
	// first URL's site.
	Site      string `json:"site,omitempty"`
	SiteKnown bool   `json:"site_known,omitempty"`
	OtherURLs int    `json:"other_urls,omitempty"`
}

// ComparedReading is the crawlers that read both files in a dialect.
type ComparedReading struct {
	Dialect robotstxt.Dialect `json:"dialect"`
	Agents  []string          `json:"agents"`
}

// SizedEffect is an effect for some crawlers. Each crawler has at most one size for each effect.
type SizedEffect struct {
	Agents   []string     `json:"agents"`
	Effect   ChangeEffect `json:"effect"`
	Size     semdiff.Size `json:"size"`
	Patterns []string     `json:"patterns"` // the patterns of the paths that open or close, each once
	// the patterns of the exceptions, if every other path has the new verdict; an entry of sites has those of
	// the sizes most and all
	But []string `json:"but"`
	// those of patterns, or of but if it is not empty, of which perhaps not all paths are meant
	Partial []PartialPattern `json:"partial"`
}

// PartialPattern is a pattern of which only some paths, or perhaps not all, open, close or are exceptions.
type PartialPattern struct {
	Pattern string `json:"pattern"`
	// the patterns of the paths that do not; empty if they are more than three, or not known
	Without []string `json:"without"`
}

// SiteChange says that a whole site opens or closes, or nearly all of it.
type SiteChange struct {
	Agents    []string         `json:"agents"`
	Effect    ChangeEffect     `json:"effect"`
	Size      semdiff.Size     `json:"size"`      // most or all
	But       []string         `json:"but"`       // the patterns of the exceptions; other paths have the new verdict
	Partial   []PartialPattern `json:"partial"`   // the patterns of but of which only some paths, or perhaps not all, are exceptions
	By        []string         `json:"by"`        // the patterns that do it together if none matches every path
	Before    semdiff.Extent   `json:"before"`    // how much of the site they could fetch before
	Except    []Exception      `json:"except"`    // the rules that made exceptions, if before is partly
	Otherwise Verdict          `json:"otherwise"` // the verdict before, for paths without an exception
}

// PathChange is a pair of deciding lines, one in each file, that give some paths a different
// verdict.
type PathChange struct {
	Agents  []string     `json:"agents"`
	Effect  ChangeEffect `json:"effect"`
	OldLine int          `json:"old_line"`       // the line in the old file, from 1; 0 if no line decides
	NewLine int          `json:"new_line"`       // the line in the new file, from 1; 0 if no line decides
	Witness string       `json:"witness"`        // one of these paths, with its query; a given URL's if possible
	URLs    int          `json:"urls,omitempty"` // the number of given URLs that these lines change
}

// OtherDifference is a difference that changes no verdict.
type OtherDifference struct {
	Kind   string   `json:"kind"`   // "Sitemap", or the name of an extension line, such as "Crawl-delay"
	Agents []string `json:"agents"` // empty for sitemaps, and for signals outside all groups, which apply to no crawler
	Old    []string `json:"old"`    // the values that only the old file has
	New    []string `json:"new"`    // the values that only the new file has
}

// Flip is a given URL whose verdict differs.
type Flip struct {
	URL    string       `json:"url"` // the URL as given
	Agents []string     `json:"agents"`
	Effect ChangeEffect `json:"effect"`
}

type comparison Comparison

// MarshalJSON returns the comparison with the fields schema and raw.
func (c Comparison) MarshalJSON() ([]byte, error) { return encode(comparison(c)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *Comparison) UnmarshalJSON(text []byte) error { return decode(text, (*comparison)(c)) }
