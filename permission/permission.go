package permission

import (
	"slices"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// The purposes that package crawlers does not have.
const (
	Fetch  crawlers.Purpose = "fetch"  // to request the URL at all
	Mining crawlers.Purpose = "mining" // text and data mining
)

// The purposes of package crawlers that signals are about.
const (
	search     crawlers.Purpose = "search"
	aiSearch   crawlers.Purpose = "ai-search"
	aiTraining crawlers.Purpose = "ai-training"
	aiFetch    crawlers.Purpose = "ai-fetch"
)

var purposes = [...]crawlers.Purpose{Fetch, search, aiSearch, aiTraining, aiFetch, Mining}

// Purposes returns the purposes that Decide answers by default.
func Purposes() []crawlers.Purpose { return slices.Clone(purposes[:]) }

// IsPurpose reports whether p is Fetch, Mining, or one of crawlers.Purposes other than Unknown.
func IsPurpose(p crawlers.Purpose) bool {
	return slices.Contains(purposes[:], p) || p != crawlers.Unknown && slices.Contains(crawlers.Purposes(), p)
}

// Question asks Decide what a crawler may do with a URL.
type Question struct {
	// URL is absolute, and compared as it is, see [robotstxt.Rules.Allowed].
	URL string

	Crawler Crawler

	// Purposes are the purposes to answer, by default all that the function
	// Purposes returns.
	Purposes []crawlers.Purpose

	// Time is when the page is used. It is compared with the dates of unavailable_after. If
	// Time is zero, such a date is a limit, and the answer is provisional.
	Time time.Time

	// Formal ignores signals that no organisation defines: noai and noimageai.
	Formal bool
}

// Ask returns a question about all purposes for a crawler with these product tokens, the most
// specific first. It uses what package crawlers knows about the crawler. Without tokens, the
// question is for "*".
func Ask(url string, tokens ...string) Question {
	return Question{URL: url, Crawler: CrawlerOf(tokens...)}
}

// Verdict is whether something is permitted.
type Verdict string

// The verdicts, the strictest first.
const (
	Disallowed Verdict = "disallowed"
	Reserved   Verdict = "reserved" // ask the owner, or get a license
	Allowed    Verdict = "allowed"
	Unknown    Verdict = "unknown" // nothing refuses or permits it, or that is not known
)

// Kind is the kind of rule or signal that decides a verdict.
type Kind string

// The kinds.
const (
	// KindRule: the rules of robots.txt decide about fetching, and about purposes that are a way
	// to fetch, such as ai-fetch and archive.
	KindRule Kind = "rule"

	// KindOperator: robots.txt closes the URL to the token, and the operator says that this
	// refuses the use.
	KindOperator Kind = "operator"

	// KindNotFetched: robots.txt closes the URL to the token. A page that is not fetched is
	// not used: our reading.
	KindNotFetched Kind = "not-fetched"

	// KindNamed: a line of the token's own group allows the URL, and the token has no other
	// purpose, or blocks no crawler.
	KindNamed Kind = "named"

	// KindSignal: a signal other than the rules of robots.txt decides.
	KindSignal Kind = "signal"

	// KindOpen: nothing refuses or permits the use.
	KindOpen Kind = "open"

	// KindOther: neither the crawler nor a control token of its operator has the purpose.
	KindOther Kind = "other-crawler"

	// KindUnread: no line can name the token, or the file is unreachable or not known.
	KindUnread Kind = "unread"
)

// Says is the statement of a signal about a purpose.
type Says string

// The statements of signals. A Limit does not change the verdict.
const (
	SaysYes      Says = "yes"
	SaysNo       Says = "no"
	SaysReserved Says = "reserved"
	SaysLimit    Says = "limit"
)

// Strength is the kind of specification that defines a signal.
type Strength string

// The strengths.
const (
	Standard Strength = "standard" // an RFC
	WGDraft  Strength = "wg-draft" // a draft of a working group of the IETF
	Draft    Strength = "draft"    // a written proposal by a group that does not set standards
	Vendor   Strength = "vendor"   // the documentation of an operator or a company
	Informal Strength = "informal" // no specification defines it
)

// Answer is what a question's crawler may do with its URL for one purpose.
type Answer struct {
	URL      string           `json:"url"`
	Crawler  string           `json:"crawler"`
	Operator string           `json:"operator,omitempty"`
	Purpose  crawlers.Purpose `json:"purpose"`
	Verdict  Verdict          `json:"verdict"`

	// Kind is the kind of rule or signal that decides. Token is the token whose rules in
	// robots.txt decide, or would decide if they closed the URL: the crawler or a control token
	// of its operator. It is empty if no token decides, and with KindSignal. NeedNotObey means
	// that this crawler need not obey robots.txt, or does not obey it reliably; the verdict is
	// still the site's.
	Kind        Kind   `json:"kind"`
	Token       string `json:"token,omitempty"`
	NeedNotObey bool   `json:"need_not_obey"`

	// Fetch is the verdict about Fetch. It is independent of Verdict: a page that may
	// not be fetched can still have a verdict about its use, and a page that may be
	// fetched can be closed to a use.
	Fetch Verdict `json:"fetch"`

	// Provisional reports whether a source in Missing could make the verdict stricter. It
	// can be true only if the verdict is allowed or reserved.
	Provisional bool `json:"provisional"`

	// Reasons are the statements of the signals: first the one that decides, then the
	// others in the order of the sources. If one source repeats a statement, only a few of
	// the repetitions are included.
	Reasons []Reason `json:"reasons"`

	Conflicts []Conflict `json:"conflicts"` // contradictions between the reasons
	Missing   []string   `json:"missing"`   // sources that were not given, or cut: "tdmrep.json: not given"
	Findings  []Finding  `json:"findings"`  // signals that have no effect, and why
}

// Reason is the statement of one signal about a purpose.
type Reason struct {
	Source  string `json:"source"`            // one of Sources' names, such as "content-usage"
	Version string `json:"version,omitempty"` // the version of the specification that defines the signal
	Place   Place  `json:"place"`
	Text    string `json:"text"` // the text of the signal as the site wrote it, or a sentence if it has none; at most 300 bytes
	Says    Says   `json:"says"`

	Agent string `json:"agent,omitempty"` // the token of the group or the rule
	Path  string `json:"path,omitempty"`  // the path of the rule, if it has one
	Terms string `json:"terms,omitempty"` // the URL of a license or a policy

	Strength   Strength `json:"strength"`
	HonouredBy []string `json:"honoured_by"` // operators that document it, if any

	// Reading means that no specification defines the meaning of the signal here: the
	// meaning is our reading.
	Reading bool `json:"reading"`

	// Overridden means that another statement of the same source takes precedence, so
	// this one has no effect.
	Overridden bool `json:"overridden"`
}

// Place is where a signal is. Fields that do not apply are zero.
type Place struct {
	URL     string `json:"url,omitempty"`     // the URL of the document
	Line    int    `json:"line,omitempty"`    // the line in robots.txt or in the page, from 1
	Header  string `json:"header,omitempty"`  // the name of a response field
	Index   int    `json:"index,omitempty"`   // the index of the line among those with this name, from 0
	Offset  int    `json:"offset,omitempty"`  // the offset of an element in the page, in bytes
	Pointer string `json:"pointer,omitempty"` // an entry of tdmrep.json (RFC 6901), or a content element of an RSL document: "/0"
}

// Conflict is a contradiction between reasons.
type Conflict struct {
	Reasons [2]int `json:"reasons"` // indices in Answer.Reasons: the reason that permits, then the reason that refuses
	Kind    string `json:"kind"`    // "within" one source in one document, or "across"
	Rule    string `json:"rule"`    // the specification that decides; "none" if none does, so the stricter statement wins
}

// Finding is a signal without effect, and the reason why.
type Finding struct {
	Source  string `json:"source"`
	Place   Place  `json:"place"`
	Text    string `json:"text"`
	Message string `json:"message"`
}

// The names of sources in reasons and findings.
const (
	sourceRobots  = "robots.txt"
	sourceToken   = "token" // of a purpose, such as Google-Extended
	sourceUsage   = "content-usage"
	sourceSignal  = "content-signal"
	sourceLicense = "rsl"
	sourceTDM     = "tdmrep"
	sourceTag     = "x-robots-tag"
	sourceMeta    = "meta-robots"
)

// Sources are the signals of a site that the caller has. A nil source was not given: it
// is in Answer.Missing.
type Sources struct {
	Robots *Robots

	// Header contains the header lines of the response by the canonical name of their
	// field, as in http.Header. Lines with one name must be separate, as the server sent
	// them. An empty map means that the response has no lines; nil means that they were
	// not given.
	Header map[string][]string

	// Page are the signals in the page. Package permission/page reads them from HTML. The
	// zero Page is a page without signals, for example an image.
	Page *Page

	// TDMRep is /.well-known/tdmrep.json. The zero TDMRep is for a site without one.
	TDMRep *TDMRep

	// Documents are RSL documents by the URLs that Licenses returns, or by the texts of the references to them.
	Documents map[string]*License

	// Why is the reason why a source is nil, by its name in Answer.Missing, such as
	// "page" or "license https://example.com/l". The default is "not given".
	Why map[string]string
}

// Robots are the facts about a robots.txt.
type Robots struct {
	URL string // of the file, for places

	// In returns the file as a dialect reads it. If In returns nil, the file in that
	// dialect is unknown, and crawlers that read in it have no verdict. In is nil if
	// there is no file.
	In func(robotstxt.Dialect) *robotstxt.Robots

	// Without are the rules if In is nil: [robotstxt.AllowAll] for a site without a file,
	// or the rules that a policy chooses.
	Without robotstxt.Rules

	// Unreachable means that In is nil because the site gave no usable answer, so there can
	// be a file whose signals are not known. NoVerdict means that Without does not apply
	// either, so the verdict about Fetch is unknown.
	Unreachable, NoVerdict bool

	// Cut means that the file was not read to the end.
	Cut bool

	body []byte    // of NewRobots, until it was searched for misspelt names
	near []Finding // the lines with such a name

	kept  map[string]*useLines  // nil without NewRobots
	found map[lookup]firstLines // nil without NewRobots
	lines int                   // the number of lines in found
}

// NewRobots returns the facts of a robots.txt with this body, which is parsed when it is first
// needed, once in each dialect. Answers have findings about misspelt names, such as Content-Signals,
// only if NewRobots made their Robots. The caller must not change the body, but can replace In. The
// result is not safe for concurrent use.
func NewRobots(url string, body []byte) *Robots {
	var parsed [robotstxt.Koster1996 + 1]*robotstxt.Robots
	r := &Robots{URL: url, body: body, kept: map[string]*useLines{}, found: map[lookup]firstLines{}}
	r.In = func(d robotstxt.Dialect) *robotstxt.Robots {
		if parsed[d] == nil {
			parsed[d] = d.Parse(body)
		}
		return parsed[d]
	}
	return r
}

// Page contains the signals in a page.
type Page struct {
	Metas []Meta `json:"metas,omitempty"` // meta elements whose names can be signals
	Links []Link `json:"links,omitempty"` // links to RSL documents, and RSL documents in the page
	Base  string `json:"base,omitempty"`  // the href of the first base element that has one: links are relative to it; empty without one
	Cut   bool   `json:"cut,omitempty"`   // the page was not read to the end, or has a Problem

	Problem string `json:"problem,omitempty"` // the reason why the page is not read, for Answer.Missing; empty if it is read
}

// Meta is a meta element with a name that can be a signal.
type Meta struct {
	Name        string `json:"name"`
	Content     string `json:"content"`
	Offset      int    `json:"offset,omitempty"`       // the offset of the element in the page, in bytes
	Line        int    `json:"line,omitempty"`         // the line of the element in the page, from 1
	OutsideHead bool   `json:"outside_head,omitempty"` // some readers ignore such elements
}

// Link is a link element of a page with an RSL document, or a script element that contains one.
type Link struct {
	Href   string   `json:"href"` // the address as written
	Inline *License `json:"-"`    // the document in a script; Href is then empty

	Offset int `json:"offset,omitempty"` // the offset and the line, as in Meta
	Line   int `json:"line,omitempty"`
}
