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

// Purposes returns the purposes that Decide answers by default.
func Purposes() []crawlers.Purpose {
	return []crawlers.Purpose{Fetch, search, aiSearch, aiTraining, aiFetch, Mining}
}

// IsPurpose reports whether p is Fetch, Mining, or a purpose of package crawlers that is known.
func IsPurpose(p crawlers.Purpose) bool {
	return p == Fetch || p == Mining || p != crawlers.Unknown && slices.Contains(crawlers.Purposes(), p)
}

// Question is what Decide answers: what a crawler may do with a URL.
type Question struct {
	// URL is absolute, and compared as it is, see [robotstxt.Rules.Allowed].
	URL string

	// Crawler is the name of the crawler in answers. Reading says which groups it obeys;
	// the zero Reading is that of "*", any crawler without a group of its own.
	Crawler string
	Reading crawlers.Reading

	// Unread means that no user-agent line can name the crawler, so that what groups say to
	// it is unknown. See [crawlers.ReadingOf].
	Unread bool

	// Operator is the operator of the crawler, as in package crawlers, or empty. Some signals
	// mean different things to different operators.
	Operator string

	// Purposes are the purposes to answer, by default those of Purposes.
	Purposes []crawlers.Purpose

	// Time is when the page is used. It is compared with the dates of unavailable_after. For
	// the zero Time these are limits, and the answer is provisional.
	Time time.Time

	// Formal leaves out signals that no organisation defines: noai and noimageai.
	Formal bool
}

// Ask returns the question of all purposes for a crawler with these product tokens, the most
// specific first, as package crawlers knows it; without tokens, for "*".
func Ask(url string, tokens ...string) Question {
	q := Question{URL: url, Crawler: "*"}
	reading, ok := crawlers.ReadingOf(tokens...)
	q.Reading, q.Unread = reading, !ok
	if len(tokens) > 0 {
		q.Crawler = tokens[0]
		if known, found := crawlers.Find(tokens[0]); found && known.Operator != crawlers.Unknown {
			q.Operator = known.Operator
		}
	}
	return q
}

// Verdict is whether something is permitted.
type Verdict string

// The verdicts, the strictest first.
const (
	Disallowed Verdict = "disallowed"
	Reserved   Verdict = "reserved" // ask the owner, or get a license
	Allowed    Verdict = "allowed"
	Unknown    Verdict = "unknown" // no signal
)

// Says is what a signal says about a purpose.
type Says string

// What signals say. A Limit changes no verdict.
const (
	SaysYes      Says = "yes"
	SaysNo       Says = "no"
	SaysReserved Says = "reserved"
	SaysLimit    Says = "limit"
)

// Strength is the kind of text that defines a signal.
type Strength string

// The strengths.
const (
	Standard Strength = "standard" // an RFC
	WGDraft  Strength = "wg-draft" // a draft of a working group of the IETF
	Draft    Strength = "draft"    // a proposal with a text, by a group that makes no standards
	Vendor   Strength = "vendor"   // the documentation of an operator or a company
	Informal Strength = "informal" // no text defines it
)

// Answer is what a question's crawler may do with its URL for one purpose.
type Answer struct {
	URL      string           `json:"url"`
	Crawler  string           `json:"crawler"`
	Operator string           `json:"operator,omitempty"`
	Purpose  crawlers.Purpose `json:"purpose"`
	Verdict  Verdict          `json:"verdict"`

	// Fetch is the verdict about Fetch. A page that may not be fetched may still have a
	// verdict about its use, and the other way round.
	Fetch Verdict `json:"fetch"`

	// Provisional means that the verdict is allowed or reserved, and that a source that is
	// Missing could make it stricter: allowed so far.
	Provisional bool `json:"provisional"`

	// Reasons are what the signals say, the deciding one first; of the others, in the order
	// of the sources. Of equal statements of one source there are at most a few.
	Reasons []Reason `json:"reasons"`

	Conflicts []Conflict `json:"conflicts"` // between the reasons
	Missing   []string   `json:"missing"`   // sources that were not given, or cut: "tdmrep.json: not given"
	Findings  []Finding  `json:"findings"`  // signals that have no effect, and why
}

// Reason is what one signal says about a purpose.
type Reason struct {
	Source  string `json:"source"`            // one of Sources' names, such as "content-usage"
	Version string `json:"version,omitempty"` // of the text that defines it
	Place   Place  `json:"place"`
	Text    string `json:"text"` // of the signal, as the site wrote it, or a sentence if there is none; at most 300 bytes
	Says    Says   `json:"says"`

	Agent string `json:"agent,omitempty"` // the token of the group or the rule
	Path  string `json:"path,omitempty"`  // of the rule, if it has one
	Terms string `json:"terms,omitempty"` // the URL of a license or a policy

	Strength   Strength `json:"strength"`
	HonouredBy []string `json:"honoured_by"` // operators that document it, if any

	// Reading means that no text decides what the signal means here: it is our reading.
	Reading bool `json:"reading"`

	// Overridden means that the source itself gives another of its statements precedence,
	// so that this one does not count.
	Overridden bool `json:"overridden"`
}

// Place is where a signal is. Fields that do not apply are zero.
type Place struct {
	URL     string `json:"url,omitempty"`     // of the document
	Line    int    `json:"line,omitempty"`    // of robots.txt, or of the page, counted from 1
	Header  string `json:"header,omitempty"`  // the name of a response field
	Index   int    `json:"index,omitempty"`   // of the line among those with this name, counted from 0
	Offset  int    `json:"offset,omitempty"`  // of an element of the page, in bytes
	Pointer string `json:"pointer,omitempty"` // of an entry of tdmrep.json (RFC 6901), or of a content element of an RSL document: "/0"
}

// Conflict is a contradiction between reasons.
type Conflict struct {
	Reasons [2]int `json:"reasons"` // indices of Answer.Reasons: who says yes, who refuses
	Kind    string `json:"kind"`    // "within" one source in one document, or "across"
	Rule    string `json:"rule"`    // the text that decides, "none" if the stricter one counts because no text decides
}

// Finding is a signal without effect, and why it has none.
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

// Sources are what the caller has of a site. What is nil was not given, and is missing.
type Sources struct {
	Robots *Robots

	// Header are the lines of the response by the canonical name of their field, as
	// http.Header has them. Lines with one name must be apart, as the server sent them. A
	// map without lines means that the response has none.
	Header map[string][]string

	// Page are the signals in the page. Package permission/page reads them from HTML. The
	// zero Page is one without signals, for example an image.
	Page *Page

	// TDMRep is /.well-known/tdmrep.json. The zero TDMRep is for a site without one.
	TDMRep *TDMRep

	// Documents are RSL documents by the URLs that Licenses returns.
	Documents map[string]*License

	// Why says why sources are nil, by their names in Answer.Missing: "page", "license
	// https://example.com/l". The default is "not given".
	Why map[string]string
}

// Robots are the facts about a robots.txt.
type Robots struct {
	URL string // of the file, for places

	// In returns the file as a dialect reads it, nil if that is not known; then a crawler
	// that reads in this dialect has no verdict. In is nil if there is no file.
	In func(robotstxt.Dialect) *robotstxt.Robots

	// Without are the rules if In is nil: [robotstxt.AllowAll] for a site without a file,
	// or what a policy says.
	Without robotstxt.Rules

	// Unreachable means that In is nil because the site gave no usable answer, so that there
	// may be a file whose signals are not known. NoVerdict means that Without does not count
	// either, so that fetching is unknown.
	Unreachable, NoVerdict bool

	// Cut means that the file is longer than what was read of it.
	Cut bool

	body []byte    // of NewRobots, until it was searched for misspelt names
	near []Finding // the lines with such a name

	kept map[string]*useLines // nil without NewRobots
}

// NewRobots returns the facts of a robots.txt with this body, which is parsed when it is first
// needed, once in each dialect. Only of such a Robots the answers have findings about misspelt names,
// such as Content-Signals. The caller must not change the body, and may replace In. The result is
// not safe for concurrent use.
func NewRobots(url string, body []byte) *Robots {
	var parsed [robotstxt.Koster1996 + 1]*robotstxt.Robots
	return &Robots{URL: url, body: body, kept: map[string]*useLines{}, In: func(d robotstxt.Dialect) *robotstxt.Robots {
		if parsed[d] == nil {
			parsed[d] = d.Parse(body)
		}
		return parsed[d]
	}}
}

// Page are the signals that a page contains.
type Page struct {
	Metas []Meta
	Links []Link // to RSL documents, and RSL documents in the page
	Cut   bool   // the page is longer than what was read of it, or has a Problem

	Problem string // why it is not read, for Answer.Missing; empty if it is read
}

// Meta is a meta element with a name that may be a signal.
type Meta struct {
	Name, Content string
	Offset, Line  int  // in the page: in bytes, and counted from 1
	OutsideHead   bool // some readers ignore such elements
}

// Link is a link element of a page with an RSL document, or a script element that contains one.
type Link struct {
	Href   string   // as written
	Inline *License // of a script; then Href is empty

	Offset, Line int // as in Meta
}
