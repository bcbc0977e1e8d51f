package audit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Questions are the questions about each file. The zero value has no crawler.
type Questions struct {
	Crawlers []answer.Crawler
	Samples  []string           // URLs or paths; their hosts do not matter
	Dialect  *robotstxt.Dialect // nil means that each crawler has its own
	Policy   fetch.Policy       // decides the meaning of a status
	// NotFoundPages reads a 5xx as 404 if fetch.LooksNotFound recognises its page.
	NotFoundPages bool
	// Exact searches for a proof of Crawler.Access if the access is not obvious. Lint
	// fills the columns of the linter.
	Exact, Lint bool
	// Bodies writes the files themselves to the third table.
	Bodies bool
	// Names fills the column names.
	Names bool
}

// analyst analyses one file after the other. It is not safe for concurrent use.
type analyst struct {
	Questions
	input string // File.Input
	crawl string // File.Crawl
	table bool   // make the rows of crawlers, and not only the verdicts
	lines bool   // add the deciding lines to the verdicts
	sites bool   // see Census.Sites

	observe func(*Input) error // see Options

	readers []answer.Crawler // Crawlers in Dialect
	names   []crawlerNames
	kinds   kinds

	// About the current file.
	forms   [len(dialects)]*robotstxt.Robots // by dialect, nil if it was not read yet
	answers []answered

	// About the current crawler, see answered.
	groups, others []int32
}

var dialects = [...]robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309, robotstxt.Koster1996}

type crawlerNames struct{ dialect, other *string }

func newAnalyst(q Questions, table, lines bool) *analyst {
	a := &analyst{Questions: q, table: table, lines: lines}
	for _, crawler := range q.Crawlers {
		crawler = crawler.In(q.Dialect)
		var names crawlerNames
		if !crawler.Unread {
			names.dialect = new(crawler.Dialect.String())
			if other, ok := crawler.Other(); ok {
				names.other = new(other.Dialect.String())
			}
		}
		a.readers = append(a.readers, crawler)
		a.names = append(a.names, names)
	}
	a.kinds = newKinds(a.readers)
	return a
}

// answered contains the results for the rules of some groups. Crawlers with the same
// groups, in both of their readings if they have two, share it; only their delays can
// differ.
type answered struct {
	dialect robotstxt.Dialect
	groups  []int32        // their first lines
	others  []int32        // the first lines for the other reading, after a zero; empty without one
	extent  semdiff.Extent // by the first reading
	access  *semdiff.Extent
	each    [2]*semdiff.Extent // by each reading, if they differ
	home    *bool
	rest    *bool // nil unless the extent is partly, and the rest the same by each reading
	samples *int32
	line    *int32
	rule    *string
}

// Rows are the rows of one file.
type Rows struct {
	File     File
	Crawlers []Crawler
	Body     *Body // nil without Questions.Bodies, and if the file was not read

	verdicts []byte // see appendVerdict
	fault    error  // the internal error if the problem of the file is Internal, else nil
}

// analyse makes the rows of a file. If that panics, the rows have the problem Internal.
// The error is ctx's, if ctx ends, or observe's.
func (a *analyst) analyse(ctx context.Context, in *Input, rows *Rows) error {
	rows.fault = nil
	err := panics.Contain(cmp.Or(in.URL, in.Host)+" of "+a.input+", "+in.Record, &in.Body, func() error {
		if a.observe != nil {
			if err := a.observe(in); err != nil {
				return err
			}
		}
		return a.rows(ctx, in, rows)
	})
	if term.TraceOf(err) == "" {
		return err
	}
	fresh := newAnalyst(a.Questions, a.table, a.lines)
	fresh.input = a.input
	fresh.crawl = a.crawl
	fresh.observe = a.observe
	fresh.sites = a.sites
	*a = *fresh
	unread := Input{Record: in.Record, Host: in.Host, URL: in.URL, FetchedAt: in.FetchedAt, Position: in.Position,
		Problem: Internal, Detail: term.Reason(err)}
	rows.fault = err
	return a.rows(ctx, &unread, rows)
}

func (a *analyst) rows(ctx context.Context, in *Input, rows *Rows) error {
	a.answers = a.answers[:0]
	rows.Crawlers = rows.Crawlers[:0]
	rows.Body = nil
	rows.verdicts = rows.verdicts[:0]
	rows.File = File{Input: a.input, Record: in.Record, Host: in.Host, Crawl: ifAny(a.crawl), URL: ifAny(in.URL),
		Redirect: ifAny(in.Redirect), Detail: ifAny(in.Detail), PayloadDigest: ifAny(in.PayloadDigest),
		RefersTo: ifAny(in.RefersTo)}
	f := &rows.File
	if !in.RefersAt.IsZero() {
		f.RefersAt = new(millisOf(in.RefersAt))
	}
	f.Position = new(in.Position)
	if !in.FetchedAt.IsZero() {
		f.FetchedAt = new(millisOf(in.FetchedAt))
	}
	if in.Status != 0 {
		f.Status = new(int32(in.Status))
	}
	robots, rules := a.read(in, f)
	if f.Problem == nil && in.Problem == "" && robots != nil && a.Bodies {
		rows.Body = &Body{Digest: *f.Digest, Body: slices.Clone(in.Body)}
	}
	if a.Names && robots != nil {
		names, err := a.agentNames(ctx, in.Body)
		if err != nil {
			return err
		}
		f.Names = &names
	}
	row := Crawler{
		Input: f.Input, Record: f.Record, Host: f.Host, FetchedAt: f.FetchedAt, Body: f.Body, Digest: f.Digest,
		URL: f.URL, Status: f.Status, Problem: f.Problem, Outcome: f.Outcome, Redirect: f.Redirect, Crawl: f.Crawl,
		Position: f.Position, PayloadDigest: f.PayloadDigest, RefersTo: f.RefersTo, RefersAt: f.RefersAt,
	}
	return a.crawlers(ctx, in.Body, robots, rules, row, rows)
}

// crawlers makes the rows of crawlers. Each row begins like the given one.
func (a *analyst) crawlers(ctx context.Context, body []byte, robots *robotstxt.Robots, rules robotstxt.Rules,
	row Crawler, rows *Rows) error {
	a.kinds.begin()
	if robots != nil {
		for _, dialect := range a.kinds.dialects {
			a.kinds.mark(a.in(body, dialect))
		}
	}
	for i, crawler := range a.readers {
		shared := a.kinds.of(i)
		if !shared.known {
			row.MatchedBy = nil
			row.Access = nil
			row.Home, row.Rest = nil, nil
			row.Samples = nil
			row.CrawlDelay = nil
			row.Dialect = nil
			row.Other = nil
			row.Line = nil
			row.Rule = nil
			row.DialectAccess, row.OtherAccess, row.OtherMatched = nil, nil, nil
			switch {
			case row.Outcome == nil:
			case crawler.Unread:
				row.MatchedBy = pointerTo(robotstxt.MatchedByNone)
			default:
				row.Dialect, row.Other = a.names[i].dialect, a.names[i].other
				if robots != nil {
					rules = crawler.Rules(a.in(body, crawler.Dialect))
				}
				if err := a.fill(ctx, &row, crawler, rules, body, robots != nil); err != nil {
					return err
				}
			}
			v := verdictIn(&row)
			shared.known = true
			shared.row = row
			shared.verdict = appendVerdict(shared.verdict[:0], &v, a.lines)
		}
		if a.table {
			shared.row.Crawler = crawler.Name
			rows.Crawlers = append(rows.Crawlers, shared.row)
		}
		rows.verdicts = append(rows.verdicts, shared.verdict...)
	}
	return nil
}

// read fills the columns that do not depend on a crawler. If there is no file, robots is
// nil and the rules follow from the status. If the rules are not known, f.Outcome is nil.
func (a *analyst) read(in *Input, f *File) (robots *robotstxt.Robots, rules robotstxt.Rules) {
	problem := in.Problem
	if in.IsRevisit() {
		problem = Revisit
	}
	if problem == "" && in.Status != 0 {
		meaning := a.meaning(in)
		switch outcome := wire.Outcome(meaning.Outcome); outcome {
		case "":
			problem = Redirect
		case wire.OutcomeAllowAll, wire.OutcomeDisallowAll:
			if meaning.Detail == "HTTP status "+strconv.Itoa(in.Status) {
				meaning.Detail = "" // the row has it
			}
			if f.Detail == nil || in.Outcome != "" {
				f.Detail = ifAny(meaning.Detail)
			}
			f.Outcome = &outcome
			if outcome == wire.OutcomeAllowAll {
				return nil, robotstxt.AllowAll("")
			}
			return nil, robotstxt.DisallowAll("")
		default:
			in.Body = meaning.File
		}
	}
	if problem != "" {
		f.Problem = new(string(problem))
		return nil, rules
	}
	f.Outcome = new(wire.OutcomeRules)
	f.Body = new(robotstxt.BodyOf(in.Body))
	f.Size = new(int64(len(in.Body)))
	f.Cut = new(in.Cut)
	if a.table || a.sites {
		digest := sha256.Sum256(in.Body)
		f.Digest = new(hex.EncodeToString(digest[:]))
	}
	clear(a.forms[:])
	robots = a.in(in.Body, robotstxt.Google)
	if a.Dialect != nil {
		robots = a.in(in.Body, *a.Dialect)
	}
	a.count(robots, f)
	if a.Lint {
		a.lint(in.Body, f)
	}
	return robots, rules
}

// meaning returns what the answer of an input means. A client has said it already.
func (a *analyst) meaning(in *Input) fetch.Meaning {
	if in.Outcome != "" {
		return fetch.Meaning{Outcome: fetch.Outcome(in.Outcome), Detail: in.Detail, File: in.Body}
	}
	response := in.Response()
	if a.NotFoundPages {
		response.NotFoundPage = fetch.LooksNotFound
	}
	return a.Policy.Meaning(response)
}

func (a *analyst) in(body []byte, d robotstxt.Dialect) *robotstxt.Robots {
	if a.forms[d] == nil {
		a.forms[d] = d.Parse(body)
	}
	return a.forms[d]
}

func (a *analyst) count(robots *robotstxt.Robots, f *File) {
	var groups, rules, sitemaps int32
	for group := range robots.Groups() {
		groups++
		for range group.Rules() {
			rules++
		}
	}
	for range robots.Sitemaps() {
		sitemaps++
	}
	f.Groups, f.Rules, f.Sitemaps = &groups, &rules, &sitemaps
	for extension := range robots.Extensions() {
		switch {
		case strings.EqualFold(extension.Name, "Content-Signal"):
			join(&f.ContentSignal, extension.Value)
		case strings.EqualFold(extension.Name, "Content-Usage"):
			join(&f.ContentUsage, extension.Value)
		case strings.EqualFold(extension.Name, "License"):
			join(&f.License, extension.Value)
		}
	}
}

// maxJoined bounds a cell that joins the values of several lines, in bytes.
const maxJoined = 4096

func join(to **string, value string) {
	value = strings.ToValidUTF8(value, "\ufffd")
	switch {
	case *to == nil:
		*to = &value
	case len(**to)+len(value) < maxJoined:
		*to = new(**to + " | " + value)
	}
}

func (a *analyst) lint(body []byte, f *File) {
	var errors, warnings int32
	var codes []string
	for _, finding := range lint.Check(body, lint.Config{}) {
		switch finding.Severity {
		case lint.Error:
			errors++
		case lint.Warning:
			warnings++
		}
		codes = append(codes, string(finding.Code))
	}
	slices.Sort(codes)
	f.LintErrors, f.LintWarnings = &errors, &warnings
	f.LintCodes = new(strings.Join(slices.Compact(codes), " "))
}

// fill fills the row of a crawler. isFile is false if the rules follow from a status.
func (a *analyst) fill(ctx context.Context, row *Crawler, crawler answer.Crawler, rules robotstxt.Rules, body []byte,
	isFile bool) error {
	a.groups = appendGroups(a.groups[:0], rules)
	a.others = a.others[:0]
	other, doubtful := crawler.Other()
	var otherRules robotstxt.Rules
	if doubtful && isFile {
		otherRules = other.Rules(a.in(body, other.Dialect))
		a.others = appendGroups(append(a.others, 0), otherRules)
	}
	if isFile {
		row.MatchedBy = pointerTo(rules.MatchedBy())
	}
	if delay, ok := rules.CrawlDelay(); ok {
		row.CrawlDelay = new(delay.Seconds())
	}
	for _, known := range a.answers {
		if known.dialect == crawler.Dialect && slices.Equal(known.groups, a.groups) &&
			slices.Equal(known.others, a.others) {
			known.fill(row, otherRules)
			return nil
		}
	}
	found, err := a.alone(ctx, crawler, rules, isFile)
	if err != nil {
		return err
	}
	found.others = slices.Clone(a.others)
	extents := [2]semdiff.Extent{found.extent, found.extent}
	if isFile && doubtful && found.extent != semdiff.ExtentUndecided { // else nothing is known of either reading
		extents[1], _, err = semdiff.ExtentOf(ctx, otherRules, a.config())
		if err != nil {
			return err
		}
		if found.rest != nil && semdiff.Rest(otherRules) != *found.rest {
			found.rest = nil // the readings differ, also about the size of a change
		}
	}
	found.access, found.each = accessOf(extents)
	found.fill(row, otherRules)
	a.answers = append(a.answers, found)
	return nil
}

// fill fills the row of a crawler, whose rules in its other reading are given.
func (known *answered) fill(row *Crawler, other robotstxt.Rules) {
	row.Access = known.access
	row.Home = known.home
	row.Rest = nil
	if valueOf(known.access) == semdiff.ExtentPartly {
		row.Rest = known.rest
	}
	row.Samples = known.samples
	row.Line = known.line
	row.Rule = known.rule
	row.DialectAccess, row.OtherAccess, row.OtherMatched = known.each[0], known.each[1], nil
	if row.OtherAccess != nil {
		row.OtherMatched = pointerTo(other.MatchedBy())
	}
}

// accessOf returns the columns about the extents by the two readings of a crawler.
func accessOf(extents [2]semdiff.Extent) (access *semdiff.Extent, each [2]*semdiff.Extent) {
	switch {
	case slices.Contains(extents[:], semdiff.ExtentUndecided):
		return nil, each
	case extents[0] == extents[1]:
		return &extents[0], each
	}
	return new(semdiff.ExtentDepends), [2]*semdiff.Extent{&extents[0], &extents[1]}
}

func appendGroups(to []int32, rules robotstxt.Rules) []int32 {
	for group := range rules.Groups() {
		for agent := range group.Agents() {
			to = append(to, int32(agent.Line))
			break
		}
	}
	return to
}

// sample returns the number of samples that rules allow, or nil if there are no samples.
func (a *analyst) sample(rules robotstxt.Rules) *int32 {
	if len(a.Samples) == 0 {
		return nil
	}
	allowed := new(int32)
	for _, url := range a.Samples {
		if rules.Allowed(url) {
			*allowed++
		}
	}
	return allowed
}

// exactSteps bounds the search for a proof. With five times as many steps, only 2 more of
// 3,274 real files are decided, and they take most of the total time.
const exactSteps = 200_000

// alone returns the results for the current groups that do not depend on the other reading
// of a crawler: the extent, which can be undecided, and the line that decides.
func (a *analyst) alone(ctx context.Context, crawler answer.Crawler, rules robotstxt.Rules,
	isFile bool) (found answered, err error) {
	for _, known := range a.answers {
		if known.dialect == crawler.Dialect && slices.Equal(known.groups, a.groups) {
			return known, nil
		}
	}
	found = answered{dialect: crawler.Dialect, groups: slices.Clone(a.groups), home: new(rules.Allowed("/")),
		samples: a.sample(rules)}
	extent, witness, err := semdiff.ExtentOf(ctx, rules, a.config())
	if err != nil {
		return found, err
	}
	found.extent = extent
	if extent == semdiff.ExtentPartly {
		found.rest = new(semdiff.Rest(rules))
	}
	if isFile && (a.table || a.lines) {
		path := "/"
		if witness != nil && *found.home {
			path = witness.Path // the part of the site that is closed
		}
		if decision := rules.Explain(path); decision.Rule != nil {
			found.line, found.rule = new(int32(decision.Line)), new(ruleText(decision.Rule))
		}
	}
	return found, nil
}

func (a *analyst) config() semdiff.Config {
	if !a.Exact {
		return semdiff.Config{Steps: 1} // no search
	}
	return semdiff.Config{Steps: exactSteps}
}

// maxRule bounds the text of a rule in a table, in bytes.
const maxRule = 1000

func ruleText(rule *robotstxt.Rule) string {
	key := "Disallow: "
	if rule.Allow {
		key = "Allow: "
	}
	return key + strings.ToValidUTF8(rule.Pattern[:min(len(rule.Pattern), maxRule)], "\ufffd")
}

func ifAny(text string) *string {
	if text == "" {
		return nil
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	return &text
}

// pointerTo returns a pointer that all rows share.
func pointerTo(by robotstxt.MatchedBy) *robotstxt.MatchedBy {
	return &matches[slices.Index(matches[:], by)]
}
