package wire

import (
	"time"

	"github.com/kosterhq/robotstxt"
)

// Query is the URL and the crawler of an answer.
type Query struct {
	URL               string   `json:"url"`                          // as given
	ComparedURL       string   `json:"compared_url,omitempty"`       // the URL as rules are compared with it, if that differs
	Changes           []string `json:"changes,omitempty"`            // how it differs, in the words of origin.Change
	UnresolvedVerdict Verdict  `json:"unresolved_verdict,omitempty"` // of the path before its dot segments are resolved, if it is another one
	Agent             string   `json:"agent"`                        // the crawler as given
	Tokens            []string `json:"tokens,omitempty"`             // its product tokens in their order, if it has several
	NamedOnly         bool     `json:"named_only,omitempty"`         // groups for "*" do not apply to it
	Unread            bool     `json:"unread,omitempty"`             // no user-agent line can name it, so the verdict is unknown

	// GovernedBy is the robots.txt that governs the URL if it is not the one that was read. If
	// that one is known to be of another site, the verdict is unknown.
	GovernedBy string `json:"governed_by,omitempty"`
}

// Answer is the answer for one crawler and one URL.
type Answer struct {
	Query
	Allowed     bool                `json:"allowed"` // false also while the verdict is unknown and the policy forbids
	Line        int                 `json:"line"`    // the deciding line, from 1; 0 for none
	Rule        string              `json:"rule"`    // the text of that line, without a comment
	Reason      robotstxt.Reason    `json:"reason"`
	Dialect     *robotstxt.Dialect  `json:"dialect,omitempty"` // in which the file was read; nil if Unread
	Verdict     Verdict             `json:"verdict"`
	MatchedBy   robotstxt.MatchedBy `json:"matched_by"`     // how its groups were found
	Group       string              `json:"group"`          // the token that found them, empty for none
	GroupLine   int                 `json:"group_line"`     // the first user-agent line of the deciding rule's group, 0 without a rule
	Body        robotstxt.Body      `json:"body,omitempty"` // of the file, empty without one
	Outcome     Outcome             `json:"outcome"`
	RobotsFile  string              `json:"robots_file,omitempty"` // the name of the file as given, "-" for standard input; empty if it was fetched
	*Provenance                     // nil if nothing was fetched
}

// Provenance is where the robots.txt of an answer comes from.
type Provenance struct {
	RobotsURL   string    `json:"robots_url"`   // of the site, before redirects
	FetchReason string    `json:"fetch_reason"` // why the outcome is what it is, in words
	Status      int       `json:"status"`       // of HTTP or FTP, 0 without an answer
	Source      Source    `json:"source"`
	FetchedAt   time.Time `json:"fetched_at"`    // when the site answered, or failed to, for the last time
	Age         int       `json:"age,omitempty"` // seconds from then to the beginning of the run; 0 if it was fetched in it
	Policy      string    `json:"policy"`
	Fault       string    `json:"fault,omitempty"`       // the kind of the latest fault
	Credentials bool      `json:"credentials,omitempty"` // were sent, so that crawlers might get another answer
	Edge        string    `json:"edge,omitempty"`        // what seems to have answered instead of the site, with the headers that show it
}

// Explanation is an answer with its reasons.
type Explanation struct {
	Query
	Rule       string              `json:"rule"` // the text of the deciding line, without a comment
	Verdict    Verdict             `json:"verdict"`
	MatchedBy  robotstxt.MatchedBy `json:"matched_by"`
	Outcome    Outcome             `json:"outcome"`
	Body       robotstxt.Body      `json:"body,omitempty"`        // of the file, empty without one
	RobotsFile string              `json:"robots_file,omitempty"` // the name of the file as given; empty if it was fetched
	Decision   robotstxt.Decision  `json:"decision"`
	Others     []OtherDialect      `json:"other_dialects"`
	Fetch      *Site               `json:"fetch,omitempty"` // nil if nothing was fetched
}

// OtherDialect is the decision of a dialect that was not requested.
type OtherDialect struct {
	Why      string             `json:"why"` // why it decides differently, empty if it does not
	Decision robotstxt.Decision `json:"decision"`
}

// Check is an expectation about one URL and crawler, and the answer.
type Check struct {
	Expectation
	Answer
}

// Expectation is an expectation about one URL and crawler, and whether it is true.
type Expectation struct {
	File        string `json:"file"`      // that states it
	FileLine    int    `json:"file_line"` // from 1
	Robots      string `json:"robots"`    // the path or URL of the robots.txt
	Passed      bool   `json:"passed"`
	WantAllowed bool   `json:"want_allowed"`
	WantLine    *int   `json:"want_line,omitempty"` // 0 if no line can decide; nil if any line can

	// All is set if the URL is a path pattern that was checked. The answer is then about
	// Witness.
	All       bool   `json:"all,omitempty"`
	Witness   string `json:"witness,omitempty"`   // a path of the pattern; with another verdict than expected if there is one
	Undecided bool   `json:"undecided,omitempty"` // it is neither proved nor disproved
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

// AppendJSON appends what MarshalJSON returns. It allocates nothing if there is room.
func (a *Answer) AppendJSON(to []byte) ([]byte, error) {
	if text, ok := a.appendPlain(to); ok {
		return text, nil
	}
	return appendTo(to, (*answer)(a))
}

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
