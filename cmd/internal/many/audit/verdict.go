package audit

import (
	"encoding/binary"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Treatment is how a site treats a crawler. For several crawlers, the strictest treatment
// applies.
type Treatment uint8

// The treatments, the strictest first.
const (
	ClosedByName     Treatment = iota // the site is closed by a group that names the crawler
	ClosedByFallback                  // the same for another crawler, see robotstxt.MatchedByFallback
	ClosedByStar                      // the site is closed by the group for "*"
	ClosedByStatus                    // the site is closed because of its HTTP status
	MostlyClosed                      // a part is closed, and so is the rest, see semdiff.Rest
	// A part is closed; the table does not show whether the rest is, or the readings differ about it.
	PartlyClosed
	MostlyOpen // a part is closed, and the rest is open
	// The treatment depends on the parser, and no source states how the crawler reads files.
	Depends
	Undecided    // the search was too long or, without Questions.Exact, not made
	FullyOpen    // the whole site is open
	OpenByStatus // the whole site is open: no file was served, and the policy opens it
	Unnamed      // no line can name the crawler
	treatments
)

// Extent returns how much of a site a treatment opens, or "" if it is unknown.
func (t Treatment) Extent() semdiff.Extent {
	switch t {
	case ClosedByName, ClosedByFallback, ClosedByStar, ClosedByStatus:
		return semdiff.ExtentClosed
	case MostlyClosed, PartlyClosed, MostlyOpen:
		return semdiff.ExtentPartly
	case FullyOpen, OpenByStatus:
		return semdiff.ExtentOpen
	}
	return ""
}

// String returns the treatment in words.
func (t Treatment) String() string {
	return [...]string{
		"closed by name", "closed by fallback", "closed by *", "closed by status", "mostly closed", "partly", "mostly open", "depends on the parser", "undecided", "open", "open by status", "cannot be named",
	}[t]
}

// Treatments are counts of sites by treatment.
type Treatments [treatments]int

// Sum returns the number of sites.
func (t Treatments) Sum() (sum int) {
	for _, n := range t {
		sum += n
	}
	return sum
}

// Closed returns the number of sites that are closed.
func (t Treatments) Closed() int { return t.ClosedByFile() + t[ClosedByStatus] }

// ClosedByFile returns the number of sites that are closed by their file.
func (t Treatments) ClosedByFile() int {
	return t[ClosedByName] + t[ClosedByFallback] + t[ClosedByStar]
}

// WithRules returns the number of sites with a file, or with an answer without one that opens the site.
func (t Treatments) WithRules() int { return t.Sum() - t[ClosedByStatus] }

// Partly returns the number of sites of which a part is closed.
func (t Treatments) Partly() int { return t[MostlyClosed] + t[PartlyClosed] + t[MostlyOpen] }

// Open returns the number of sites that are open.
func (t Treatments) Open() int { return t[FullyOpen] + t[OpenByStatus] }

// verdict has the facts of a crawler's row that a census keeps.
type verdict struct {
	present bool // the table has the row
	Treatment
	matched    robotstxt.MatchedBy // "" if the status decides
	each       [2]semdiff.Extent   // by each reading, if the treatment is Depends
	other      robotstxt.MatchedBy // by the other reading, in the same case
	homeClosed bool
	delay      bool // a Crawl-delay applies
	line       int  // 0 without one
	rule       string
}

func (t Treatment) isClosedByFile() bool {
	return t.Extent() == semdiff.ExtentClosed && t != ClosedByStatus
}

// isByName reports whether a group that names the crawler leaves an extent of the site open.
func (v *verdict) isByName(extent semdiff.Extent) bool {
	return v.Extent() == extent && v.matched == robotstxt.MatchedByName
}

// isPossiblyClosed reports whether it is not known if the site is closed.
func (v *verdict) isPossiblyClosed() bool {
	return v.Treatment == Undecided || v.Treatment == Depends && slices.Contains(v.each[:], semdiff.ExtentClosed)
}

func treatmentIn(row *Crawler) Treatment {
	if row.Dialect == nil && row.MatchedBy != nil {
		return Unnamed
	}
	t := treatmentOf(valueOf(row.Access), valueOf(row.MatchedBy))
	switch {
	case t != PartlyClosed || row.Rest == nil:
		return t
	case *row.Rest:
		return MostlyOpen
	}
	return MostlyClosed
}

// treatmentOf returns the treatment of an extent. matched is empty if the status decides.
func treatmentOf(extent semdiff.Extent, matched robotstxt.MatchedBy) Treatment {
	switch extent {
	case semdiff.ExtentClosed:
		switch matched {
		case "":
			return ClosedByStatus
		case robotstxt.MatchedByName:
			return ClosedByName
		case robotstxt.MatchedByFallback:
			return ClosedByFallback
		}
		return ClosedByStar
	case semdiff.ExtentPartly:
		return PartlyClosed
	case semdiff.ExtentDepends:
		return Depends
	case semdiff.ExtentOpen:
		if matched == "" {
			return OpenByStatus
		}
		return FullyOpen
	}
	return Undecided
}

// byReading returns the treatments by the two readings of the crawler. ok is false if one of
// them does not show how much is open.
func (v *verdict) byReading() (each [2]Treatment, ok bool) {
	each = [2]Treatment{v.Treatment, v.Treatment}
	if v.Treatment == Depends {
		each = [2]Treatment{treatmentOf(v.each[0], v.matched), treatmentOf(v.each[1], v.other)}
	}
	return each, each[0].Extent() != "" && each[1].Extent() != ""
}

// reachWords returns how much of the site is open, by both readings if they differ.
func (v *verdict) reachWords() string {
	each, _ := v.byReading()
	one, other := each[0].reach(), each[1].reach()
	if one != other {
		return one + " or " + other
	}
	return one
}

// reach returns how much of a site is open, in words: open, mostly open, partly, mostly closed or closed.
func (t Treatment) reach() string {
	if extent := t.Extent(); extent != semdiff.ExtentPartly {
		return string(extent)
	}
	return t.String()
}

// inWords returns the treatment in words, or the treatments by both readings: "open or
// partly".
func (v *verdict) inWords() string {
	if each, ok := v.byReading(); ok && each[0] != each[1] {
		return each[0].String() + " or " + each[1].String()
	}
	return v.Treatment.String()
}

func verdictIn(row *Crawler) verdict {
	v := verdict{
		present: true, Treatment: treatmentIn(row), matched: valueOf(row.MatchedBy),
		homeClosed: row.Home != nil && !*row.Home, delay: row.CrawlDelay != nil,
	}
	if v.Treatment == Depends {
		v.each = [2]semdiff.Extent{valueOf(row.DialectAccess), valueOf(row.OtherAccess)}
		v.other = valueOf(row.OtherMatched)
	}
	if !slices.Contains(matches[:], v.matched) || !slices.Contains(matches[:], v.other) {
		v.Treatment, v.matched, v.each, v.other = Undecided, "", [2]semdiff.Extent{}, "" // a table of a later version
	}
	if row.Line != nil && row.Rule != nil {
		v.line, v.rule = int(*row.Line), *row.Rule
	}
	return v
}

// matches numbers the values of MatchedBy.
var matches = [...]robotstxt.MatchedBy{"", robotstxt.MatchedByName, robotstxt.MatchedByFallback,
	robotstxt.MatchedByStar, robotstxt.MatchedByNone}

// The bits of a verdict's first byte, which is 0 without a row. The other bits are a number: 1 more than the treatment
// times the number of matches, plus the index in matches. After Depends a byte has the strictness by each reading, and
// the index by the other.
const (
	homeClosedBit = 1 << iota
	delayBit
	flagBits = iota
)

// The numbers fit into the other bits.
const _ = uint8((int(treatments)*len(matches) + 1) << flagBits)

// appendVerdict appends the verdict about the next crawler. lines: with the deciding line.
func appendVerdict(to []byte, v *verdict, lines bool) []byte {
	if !v.present {
		return append(to, 0)
	}
	first := byte(1+int(v.Treatment)*len(matches)+slices.Index(matches[:], v.matched)) << flagBits
	if v.homeClosed {
		first |= homeClosedBit
	}
	if v.delay {
		first |= delayBit
	}
	to = append(to, first)
	if v.Treatment == Depends {
		to = append(to, byte(strictness(v.each[0])|strictness(v.each[1])<<2|slices.Index(matches[:], v.other)<<4))
	}
	if lines {
		to = binary.AppendUvarint(to, uint64(v.line))
		to = binary.AppendUvarint(to, uint64(len(v.rule)))
		to = append(to, v.rule...)
	}
	return to
}

// verdictsIn returns the verdicts that appendVerdict appended.
func verdictsIn(text string, lines bool) (all []verdict) {
	for len(text) > 0 {
		first := text[0]
		text = text[1:]
		if first == 0 {
			all = append(all, verdict{})
			continue
		}
		number := int(first>>flagBits) - 1
		v := verdict{present: true, Treatment: Treatment(number / len(matches)), matched: matches[number%len(matches)],
			homeClosed: first&homeClosedBit != 0, delay: first&delayBit != 0}
		if v.Treatment == Depends {
			v.each = [2]semdiff.Extent{extentOf(text[0] & 3), extentOf(text[0] >> 2 & 3)}
			v.other = matches[text[0]>>4]
			text = text[1:]
		}
		if lines {
			line, n := binary.Uvarint([]byte(text))
			size, m := binary.Uvarint([]byte(text[n:]))
			v.line, v.rule = int(line), text[n+m:n+m+int(size)]
			text = text[n+m+int(size):]
		}
		all = append(all, v)
	}
	return all
}

// facts are the facts of a file's row that a census keeps. Files share them.
type facts struct {
	detailed bool // from the table of files
	problem  string
	status   int32
	outcome  wire.Outcome
	body     robotstxt.Body
	month    string // the month of the fetch, such as 2026-11; empty if unknown

	size    int // index in Summary.Sizes
	cut     bool
	signals [len(Signals)]bool
	linted  bool
	codes   string
}

// Signals are the lines of Summary.Signals.
var Signals = [...]string{"Content-Signal", "Content-Usage", "License", "Sitemap"}

// answered reports whether the site answered with a status below 500, or with one that is read like 404,
// see Questions.NotFoundPages. A file without a status counts as an answer.
func (f *facts) answered() bool {
	return f.status != 0 && f.status < 500 || f.status == 0 && (f.problem == "" || f.problem == string(Revisit)) ||
		f.outcome == wire.OutcomeAllowAll
}

// known reports whether the rules of the site are known: the file is text or empty, or the
// status decides.
func (f *facts) known() bool {
	return f.outcome != "" && (f.body == "" || f.body == robotstxt.BodyText || f.body == robotstxt.BodyEmpty)
}

func valueOf[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}

func monthOf(at *Millis) string {
	if at == nil {
		return ""
	}
	return at.Time().Format("2006-01")
}

// captureOf returns the capture of a row of the table of files. Without a position in the row,
// captures without a time have a number.
func captureOf(f *File, group int32, number int64) capture {
	if f.Position != nil {
		number = *f.Position
	}
	in := capture{
		host: f.Host, url: valueOf(f.URL), redirect: valueOf(f.Redirect), at: valueOf(f.FetchedAt), group: group,
		number: number, place: placeOf(f), rules: valueOf(f.Rules),
		digest: digestOf(valueOf(f.PayloadDigest)), input: f.Input, record: f.Record, fileDigest: valueOf(f.Digest),
		size: -1, names: f.Names,
		facts: facts{
			detailed: true, problem: valueOf(f.Problem), status: valueOf(f.Status), outcome: valueOf(f.Outcome),
			body: valueOf(f.Body), month: monthOf(f.FetchedAt),
			cut: valueOf(f.Cut), linted: f.LintCodes != nil, codes: valueOf(f.LintCodes),
			signals: [...]bool{f.ContentSignal != nil, f.ContentUsage != nil, f.License != nil,
				valueOf(f.Sitemaps) > 0},
		},
	}
	if in.facts.problem == string(Revisit) {
		in.refersTo = refersTo{valueOf(f.RefersTo), valueOf(f.RefersAt)}
	}
	if f.Size != nil {
		in.size = *f.Size
		in.facts.size = sizeClass(in.size)
	}
	return in
}

// captureIn returns the capture of a row of the table of crawlers, without verdicts.
func captureIn(row *Crawler, group int32, number int64) capture {
	in := captureOf(&File{
		Input: row.Input, Record: row.Record, Host: row.Host, FetchedAt: row.FetchedAt, URL: row.URL,
		Status:  row.Status,
		Problem: row.Problem, Outcome: row.Outcome, Body: row.Body, Redirect: row.Redirect, Position: row.Position,
		PayloadDigest: row.PayloadDigest, RefersTo: row.RefersTo, RefersAt: row.RefersAt, Digest: row.Digest,
	}, group, number)
	in.facts.detailed = false
	return in
}
