package wire

import (
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
)

// Query is the URL and the crawler of an answer.
type Query struct {
	URL               string   `json:"url"`                          // the URL as given
	ComparedURL       string   `json:"compared_url,omitempty"`       // the URL to which rules are compared, if it differs
	Changes           []string `json:"changes,omitempty"`            // the differences between the two, in the words of origin.Change
	UnresolvedVerdict Verdict  `json:"unresolved_verdict,omitempty"` // the verdict for the path with its dot segments, if it differs
	Agent             string   `json:"agent"`                        // the crawler as given
	Tokens            []string `json:"tokens,omitempty"`             // the crawler's product tokens in their order, if it has several
	NamedOnly         bool     `json:"named_only,omitempty"`         // groups for "*" do not apply to the crawler
	Unread            bool     `json:"unread,omitempty"`             // no user-agent line can name the crawler, so the verdict is unknown

	// JoinedLine is the user-agent line above the deciding rule that makes it one of the crawler's too: no rule
	// separates it from the user-agent lines above it, of which one selects the group for the crawler, by
	// a token of the crawler or as "*". Missing if there is none.
	JoinedLine int `json:"joined_line,omitempty"`

	// FetchedAnyway is true if the URL is the robots.txt itself and disallowed: crawlers fetch it
	// whatever it says.
	FetchedAnyway bool `json:"fetched_anyway,omitempty"`

	// GovernedBy is the robots.txt that governs the URL, if it is not the one that was read.
	// The verdict is then unknown if the one that was read is known to belong to another site.
	GovernedBy string `json:"governed_by,omitempty"`
}

// FetchedAnyway is the note about a robots.txt that disallows itself, see Query.FetchedAnyway.
const FetchedAnyway = "crawlers fetch robots.txt itself anyway"

// JoinedGroup returns the note that the rules after a user-agent line are for other crawlers too, of which it
// names the first few. See Query.JoinedLine.
func JoinedGroup(line int, crawlers ...string) string {
	const few = 4
	names := strings.Join(crawlers[:min(few, len(crawlers))], ", ")
	if len(crawlers) > few {
		names += fmt.Sprintf(" and %d more", len(crawlers)-few)
	}
	return fmt.Sprintf("the group of line %d is for %s too: no rule separates that line from the user-agent lines above it", line, names)
}

// Answer is the answer for one crawler and one URL.
type Answer struct {
	Query
	Allowed   bool                `json:"allowed"` // also false if the verdict is unknown and the policy forbids the URL
	Line      int                 `json:"line"`    // the deciding line, from 1; 0 for none
	Rule      string              `json:"rule"`    // the text of the deciding line, without a comment
	Reason    robotstxt.Reason    `json:"reason"`
	Dialect   *robotstxt.Dialect  `json:"dialect,omitempty"` // how the file was read; missing if unread is true
	Verdict   Verdict             `json:"verdict"`
	MatchedBy robotstxt.MatchedBy `json:"matched_by"`     // how the crawler's groups were found
	Group     string              `json:"group"`          // the token that found the groups, empty for none
	GroupLine int                 `json:"group_line"`     // the first user-agent line of the deciding rule's group, 0 without a rule
	Body      robotstxt.Body      `json:"body,omitempty"` // what the file contains, empty without a file
	Outcome   Outcome             `json:"outcome"`
	// the name of the file as given, or "-" for standard input; empty if robots fetched the file
	RobotsFile  string `json:"robots_file,omitempty"`
	*Provenance        // nil if nothing was fetched
}

// Provenance is where the robots.txt of an answer comes from.
type Provenance struct {
	RobotsURL   string    `json:"robots_url"`   // the URL of the site's robots.txt, before redirects
	FetchReason string    `json:"fetch_reason"` // the reason for the outcome, in words
	Status      int       `json:"status"`       // the HTTP or FTP status, 0 if the site did not answer
	Source      Source    `json:"source"`
	FetchedAt   time.Time `json:"fetched_at"`      // the last time that the site answered, or failed to
	Age         int       `json:"age,omitempty"`   // seconds from fetched_at to the beginning of the run; 0 if the run fetched the file
	Cause       Cause     `json:"cause,omitempty"` // the reason for the outcome, as a word
	Policy      string    `json:"policy"`
	Fault       string    `json:"fault,omitempty"`       // the kind of the latest fault
	Credentials bool      `json:"credentials,omitempty"` // robots sent credentials, so crawlers might get another answer
	// the service that seems to have answered instead of the site, with the headers that show it
	Edge string `json:"edge,omitempty"`
}

// Explanation is an answer with its reasons.
type Explanation struct {
	Query
	Rule       string              `json:"rule"` // the text of the deciding line, without a comment
	Verdict    Verdict             `json:"verdict"`
	MatchedBy  robotstxt.MatchedBy `json:"matched_by"`
	Outcome    Outcome             `json:"outcome"`
	Body       robotstxt.Body      `json:"body,omitempty"`        // what the file contains, empty without a file
	RobotsFile string              `json:"robots_file,omitempty"` // the name of the file as given; empty if robots fetched the file
	Decision   robotstxt.Decision  `json:"decision"`
	Others     []OtherDialect      `json:"other_dialects"`
	Fetch      *Site               `json:"fetch,omitempty"` // missing if nothing was fetched
}

// OtherDialect is the decision of a dialect that was not requested.
type OtherDialect struct {
	Why      string             `json:"why"` // why it decides differently, empty if it decides alike
	Decision robotstxt.Decision `json:"decision"`
	// As in Query, for this dialect.
	JoinedLine    int  `json:"joined_line,omitempty"`
	FetchedAnyway bool `json:"fetched_anyway,omitempty"`
}

// Check is an expectation about one URL and crawler, and the answer.
type Check struct {
	Expectation
	Answer
}

// Expectation is an expectation about one URL and crawler, and whether it is true.
type Expectation struct {
	File        string `json:"file"`      // the file that states it
	FileLine    int    `json:"file_line"` // the line in file, from 1
	Robots      string `json:"robots"`    // the path or URL of the robots.txt
	Passed      bool   `json:"passed"`
	WantAllowed bool   `json:"want_allowed"`
	WantLine    *int   `json:"want_line,omitempty"` // 0 if no line can decide; nil if any line can

	// All is set if the URL is a path pattern that was checked. The answer is then about
	// Witness.
	All       bool   `json:"all,omitempty"`
	Witness   string `json:"witness,omitempty"`   // a path that the pattern matches; if possible one that fails the expectation
	Undecided bool   `json:"undecided,omitempty"` // the expectation is neither proved nor disproved
	Tried     string `json:"tried,omitempty"`     // why it is undecided
}

// The types without methods that are encoded.
type (
	answer      Answer
	explanation Explanation
	check       struct {
		Expectation
		answer
	}
)

// MarshalJSON returns the answer with the fields schema and raw.
func (a Answer) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil) }

// AppendJSON appends what MarshalJSON returns.
func (a *Answer) AppendJSON(to []byte) ([]byte, error) { return appendTo(to, (*answer)(a)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (a *Answer) UnmarshalJSON(text []byte) error { return decode(text, (*answer)(a)) }

// MarshalJSON returns the explanation with the fields schema and raw. The decision has no
// dialect if Unread.
func (e Explanation) MarshalJSON() ([]byte, error) {
	if !e.Unread {
		return encode(explanation(e))
	}
	type decision struct {
		robotstxt.Decision
		Dialect *robotstxt.Dialect `json:"dialect,omitempty"`
	}
	return encode(struct {
		explanation
		Decision decision `json:"decision"`
	}{explanation(e), decision{Decision: e.Decision}})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (e *Explanation) UnmarshalJSON(text []byte) error { return decode(text, (*explanation)(e)) }

// MarshalJSON returns the check with the fields schema and raw.
func (c Check) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// AppendJSON appends what MarshalJSON returns.
func (c *Check) AppendJSON(to []byte) ([]byte, error) {
	return appendTo(to, check{c.Expectation, answer(c.Answer)})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (c *Check) UnmarshalJSON(text []byte) error {
	var read check
	if err := decode(text, &read); err != nil {
		return err
	}
	*c = Check{read.Expectation, Answer(read.answer)}
	return nil
}
