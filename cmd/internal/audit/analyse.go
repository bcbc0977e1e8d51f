package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/access"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Questions says what is found out about each file. The zero value asks for no crawler.
type Questions struct {
	Crawlers []answer.Crawler
	Samples  []string // URLs or paths; their hosts do not matter
	Dialect  robotstxt.Dialect
	Policy   fetch.Policy // decides what a status means
	// Exact searches for a proof of Crawler.Access where it is not obvious. Lint fills
	// the columns of the linter.
	Exact, Lint bool
	// Bodies keeps the files themselves, for the third table.
	Bodies bool
}

// analyst answers questions about one file after the other. It is not safe for
// concurrent use.
type analyst struct {
	Questions
	input string // File.Input

	groups  []int32 // of the current crawler: the first lines of its groups
	answers []answered
	known   int // how many of answers are about the current file
}

// answered is what the rules of some groups say: crawlers with the same groups have the
// same answer.
type answered struct {
	groups  []int32
	access  *access.Access
	home    *bool
	samples *int32
	delay   *float64
}

// Rows are the rows of one file.
type Rows struct {
	File     File
	Crawlers []Crawler
	Body     *Body // nil without Questions.Bodies, and if the file was not read
}

// analyse appends the rows of a file's crawlers to rows. The error is that of ctx.
func (a *analyst) analyse(ctx context.Context, in *Input, rows *Rows) error {
	a.known = 0
	rows.File = File{Input: a.input, Record: in.Record, Host: in.Host}
	if !in.FetchedAt.IsZero() {
		rows.File.FetchedAt = new(Millis(in.FetchedAt.UnixMilli()))
	}
	f := &rows.File
	f.URL, f.Detail = ifAny(in.URL), ifAny(in.Detail)
	if in.Status != 0 {
		f.Status = new(int32(in.Status))
	}
	robots, rules := a.read(in, f)
	if f.Problem == nil && in.Problem == "" && robots != nil && a.Bodies {
		rows.Body = &Body{Digest: *f.Digest, Body: slices.Clone(in.Body)}
	}
	for _, crawler := range a.Crawlers {
		row := Crawler{Input: f.Input, Record: f.Record, Host: f.Host, FetchedAt: f.FetchedAt, Body: f.Body, Digest: f.Digest, Crawler: crawler.Name}
		if f.Outcome != nil {
			if robots != nil {
				rules = crawler.Rules(robots)
			}
			if err := a.fill(ctx, &row, crawler, rules, robots != nil); err != nil {
				return err
			}
		}
		rows.Crawlers = append(rows.Crawlers, row)
	}
	return nil
}

// read fills the columns that do not depend on a crawler. robots is nil if there is no
// file; then rules are those of the status, and f.Outcome is nil if there are none.
func (a *analyst) read(in *Input, f *File) (robots *robotstxt.Robots, rules robotstxt.Rules) {
	problem := in.Problem
	if problem == "" && in.Status == http.StatusNotModified {
		problem = Revisit // the file is as before, and not here
	}
	if problem == "" && in.Status != 0 {
		outcome, ok := a.Policy.StatusOutcome(in.Status)
		switch {
		case !ok:
			problem = Redirect
		case outcome == fetch.OutcomeAllowAll:
			f.Outcome = new(wire.OutcomeAllowAll)
			return nil, robotstxt.AllowAll("")
		case outcome == fetch.OutcomeDisallowAll:
			f.Outcome = new(wire.OutcomeDisallowAll)
			return nil, robotstxt.DisallowAll("")
		}
	}
	if problem != "" {
		f.Problem = new(string(problem))
		return nil, rules
	}
	f.Outcome = new(wire.OutcomeRules)
	digest := sha256.Sum256(in.Body)
	f.Body, f.Size, f.Cut, f.Digest = new(wire.BodyOf(in.Body)), new(int64(len(in.Body))), new(in.Cut), new(hex.EncodeToString(digest[:]))
	robots = a.Dialect.Parse(in.Body)
	a.count(robots, f)
	if a.Lint {
		a.lint(in.Body, f)
	}
	return robots, rules
}

// count fills the columns about the lines of a file.
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

// maxJoined bounds a cell that joins the values of lines, in bytes.
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

// fill fills the row of a crawler. isFile is false if the rules are those of a status.
func (a *analyst) fill(ctx context.Context, row *Crawler, crawler answer.Crawler, rules robotstxt.Rules, isFile bool) error {
	a.groups = a.groups[:0]
	matched := wire.MatchedByNone
	for group := range rules.Groups() {
		first := int32(0)
		for agent := range group.Agents() {
			if first == 0 {
				first = int32(agent.Line)
				a.groups = append(a.groups, first)
			}
			if matched == wire.MatchedByName {
				break
			}
			if slices.ContainsFunc(crawler.Tokens, func(token string) bool { return strings.EqualFold(token, agent.Token) }) {
				matched = wire.MatchedByName
			}
		}
	}
	if matched == wire.MatchedByNone && len(a.groups) > 0 || len(crawler.Tokens) == 1 && crawler.Tokens[0] == "*" && len(a.groups) > 0 {
		matched = wire.MatchedByStar
	}
	if isFile {
		row.MatchedBy = &matched
	}
	known, err := a.answer(ctx, rules)
	if err != nil {
		return err
	}
	row.Access, row.Home, row.Samples, row.CrawlDelay = known.access, known.home, known.samples, known.delay
	return nil
}

// answer returns what rules say, computed once for the same groups.
func (a *analyst) answer(ctx context.Context, rules robotstxt.Rules) (*answered, error) {
	for i := range a.answers[:a.known] {
		if slices.Equal(a.answers[i].groups, a.groups) {
			return &a.answers[i], nil
		}
	}
	if a.known == len(a.answers) {
		a.answers = append(a.answers, answered{})
	}
	known := &a.answers[a.known]
	*known = answered{groups: append(known.groups[:0], a.groups...)}
	a.known++
	known.home = new(rules.Allowed("/"))
	if delay, ok := rules.CrawlDelay(); ok {
		known.delay = new(delay.Seconds())
	}
	if len(a.Samples) > 0 {
		known.samples = new(int32)
		for _, url := range a.Samples {
			if rules.Allowed(url) {
				*known.samples++
			}
		}
	}
	got, err := a.access(ctx, rules)
	known.access = got
	return known, err
}

func (a *analyst) access(ctx context.Context, rules robotstxt.Rules) (*access.Access, error) {
	if !a.Exact {
		if obvious, ok := access.Obvious(rules); ok {
			return &obvious, nil
		}
		return nil, nil
	}
	got, err := access.Of(ctx, rules, semdiff.Config{})
	if err != nil || got == access.Undecided {
		return nil, err
	}
	return &got, nil
}

func ifAny(text string) *string {
	if text == "" {
		return nil
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	return &text
}
