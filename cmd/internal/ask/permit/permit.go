// Package permit answers what crawlers may do with a URL, from the facts that the caller has about
// its site. It fetches nothing and reads no HTML, so a web page can use it. Package sites fetches
// the missing facts.
package permit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
)

// Purposes returns the purposes with these names without repetition; without names, the
// purposes of package permission. If a name matches no purpose, it is returned as wrong.
func Purposes(names []string) (purposes []crawlers.Purpose, wrong string) {
	if len(names) == 0 {
		return permission.Purposes(), ""
	}
	for _, name := range names {
		p := crawlers.Purpose(ascii.ToLower(name))
		if !permission.IsPurpose(p) {
			return nil, name
		}
		if !slices.Contains(purposes, p) {
			purposes = append(purposes, p)
		}
	}
	return purposes, ""
}

// Operator returns the operator about whose crawlers a person wants to ask, as answer.Operator reads
// the text. The error has a hint.
func Operator(text string) (string, error) {
	name, err := answer.Operator(text)
	if err == nil && name == crawlers.Unknown {
		err = term.Errorf("the operators of some crawlers are unknown, so nothing can be asked about them together").Hint("name the crawlers")
	}
	return name, err
}

// Config has the questions and the known facts.
type Config struct {
	Crawlers []answer.Crawler   // none means "*", and known crawlers with another verdict
	Purposes []crawlers.Purpose // with Operator, none means the purposes of each crawler

	// Operator, as the function returns it, asks about its crawlers in use, each for its known
	// purposes among Purposes, instead of Crawlers.
	Operator string

	Time   time.Time
	Formal bool // without informal signals

	// Given has the caller's facts, apart from robots.txt.
	Given permission.Sources
}

// LastFile keeps what is proved about the robots.txt of the last URL, so that inquiries about URLs
// of one site, one after another, prove it once. The zero value keeps nothing yet. It is not safe
// for concurrent use.
type LastFile struct{ extents *aiview.Extents }

// of returns the extents of the file of a ruling, and keeps them unless l is nil.
func (l *LastFile) of(ruling *answer.Ruling) *aiview.Extents {
	if l != nil && l.extents != nil && l.extents.Are(ruling) {
		return l.extents
	}
	extents := aiview.NewExtents(ruling)
	if l != nil {
		l.extents = extents
	}
	return extents
}

// Inquiry is about one URL.
type Inquiry struct {
	Sources *permission.Sources // at first Config.Given and robots.txt; the caller can add others
	Permit  *wire.Permit        // without answers

	config       *Config
	visit        *answer.Visit
	extents      *aiview.Extents
	asked, known []permission.Question
}

// Begin returns the inquiry about the URL of a visit. last can be nil.
func (c *Config) Begin(v *answer.Visit, last *LastFile) *Inquiry {
	p := &wire.Permit{
		URL: v.URL, ComparedURL: v.ComparedURL(), GovernedBy: v.Other.RobotsURL(), RobotsFile: v.Ruling.File.Name,
		Outcome:  wire.OutcomeLocal,
		Operator: c.Operator, AskedAt: c.Time.UTC().Truncate(time.Second),
		CrawlersVersion: crawlers.Version(), Requested: []string{}, Answers: []wire.PermitAnswer{},
		Differing: []wire.PermitAnswer{},
	}
	if s := v.Ruling.Site; s != nil {
		p.RobotsURL, p.RobotsFetchedAt = s.RobotsURL, s.FetchedAt
		p.Outcome, p.FetchReason = s.Outcome, s.FetchReason
		if len(s.Hops) > 0 {
			p.RobotsFinalURL = s.FinalURL
		}
	}
	if v.Ruling.HasFile() {
		p.RobotsSHA256, p.RobotsBytes = fmt.Sprintf("%x", sha256.Sum256(v.Ruling.File.Text)), len(v.Ruling.File.Text)
		p.RobotsTruncated, p.Body = v.Ruling.File.Truncated, v.Ruling.File.Kind
	}
	extents := last.of(v.Ruling)
	sources := c.Given
	sources.Robots, sources.Documents, sources.Why = extents.Robots, map[string]*permission.License{},
		map[string]string{}
	maps.Copy(sources.Documents, c.Given.Documents)
	i := &Inquiry{Sources: &sources, Permit: p, config: c, visit: v, extents: extents}
	i.asked, i.known = c.questions(v)
	return i
}

// Questions returns all questions that will be answered.
func (i *Inquiry) Questions() []permission.Question { return slices.Concat(i.asked, i.known) }

// Answer answers the questions from the sources. If ctx ends, it returns ctx's error.
func (i *Inquiry) Answer(ctx context.Context) (*wire.Permit, error) {
	p := i.Permit
	for _, q := range i.asked {
		if err := i.decide(ctx, &p.Answers, q, func(*permission.Answer) bool { return true }); err != nil {
			return nil, err
		}
	}
	for _, q := range i.known {
		differs := func(a *permission.Answer) bool {
			return !slices.ContainsFunc(p.Answers,
				func(star wire.PermitAnswer) bool { return star.Purpose == a.Purpose && star.Verdict == a.Verdict })
		}
		if err := i.decide(ctx, &p.Differing, q, differs); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(p.Differing, func(a, b wire.PermitAnswer) int {
		return slices.Index(i.config.Purposes, a.Purpose) - slices.Index(i.config.Purposes, b.Purpose)
	})
	return p, nil
}

// decide adds the requested answers to a question.
func (i *Inquiry) decide(ctx context.Context, to *[]wire.PermitAnswer, q permission.Question,
	wanted func(*permission.Answer) bool) error {
	for _, a := range permission.Decide(q, i.Sources) {
		if !wanted(&a) {
			continue
		}
		extent, err := i.extents.Of(ctx, permission.UseOf(i.Sources.Robots, q.Crawler, a.Purpose))
		if err != nil {
			return err
		}
		decided := wire.PermitAnswer{Answer: a, PermitExtent: *extent}
		decided.URL = i.visit.Shown()
		if len(a.Reasons) > 0 && a.Reasons[0].Source == "robots.txt" {
			decided.JoinedLine = i.joinedLine(q.Crawler, &a)
			decided.FetchedAnyway = i.visit.IsFetchedAnyway(wire.Verdict(a.Verdict))
		}
		*to = append(*to, decided)
	}
	return nil
}

// joinedLine returns the user-agent line of the deciding rule if that seems to be for another crawler, else 0.
func (i *Inquiry) joinedLine(crawler permission.Crawler, a *permission.Answer) int {
	reading := crawler.Reading
	if a.Token != "" && !slices.Contains(reading.Tokens, a.Token) { // a token that controls uses
		reading = answer.NewCrawler(a.Token).Reading
	}
	return i.visit.Ruling.JoinedLineOf(reading, a.Reasons[0].Place.Line)
}

// Validate returns an error, with a hint, if no crawler of the operator has one of the purposes.
func (c *Config) Validate() error {
	if c.Operator == "" || len(c.Purposes) == 0 || len(c.ofOperator()) > 0 {
		return nil
	}
	var has []string
	for _, p := range crawlers.Purposes() {
		of := crawlers.Selection{Operators: []string{c.Operator}, Purposes: []crawlers.Purpose{p}}
		if p != crawlers.Unknown && len(crawlers.Select(of)) > 0 {
			has = append(has, string(p))
		}
	}
	err := term.Errorf("no known crawler of %s has such a purpose", c.Operator)
	if has == nil {
		return err
	}
	return err.Hint("the purposes of its crawlers are " + strings.Join(has, ", "))
}

// ofOperator returns the crawlers of the operator, with the purposes about which to ask.
func (c *Config) ofOperator() (of []crawlers.Crawler) {
	for _, k := range crawlers.Select(crawlers.Selection{Operators: []string{c.Operator}}) {
		switch {
		case len(c.Purposes) > 0:
			k.Purposes = c.has(&k)
		case k.Purposes[0] == crawlers.Unknown:
			k.Purposes = nil
		}
		if len(k.Purposes) > 0 {
			of = append(of, k)
		}
	}
	return of
}

// has returns the purposes of a crawler among those of the questions. Each has the purpose fetch too, except
// tokens that only control uses.
func (c *Config) has(k *crawlers.Crawler) (has []crawlers.Purpose) {
	for _, p := range c.Purposes {
		if slices.Contains(k.Purposes, p) || p == permission.Fetch && !k.Control {
			has = append(has, p)
		}
	}
	return has
}

// questions returns the questions, and those about known crawlers that might have another answer.
func (c *Config) questions(v *answer.Visit) (asked, known []permission.Question) {
	switch {
	case c.Operator != "":
		for _, of := range c.ofOperator() {
			asked = append(asked, c.question(v, answer.NewCrawler(of.Token), of.Purposes))
		}
	case len(c.Crawlers) == 0:
		return []permission.Question{c.question(v, answer.NewCrawler(), c.Purposes)}, c.known(v)
	}
	for _, crawler := range c.Crawlers {
		asked = append(asked, c.question(v, crawler, c.Purposes))
	}
	return asked, nil
}

// question returns the question of one crawler.
func (c *Config) question(v *answer.Visit, crawler answer.Crawler, purposes []crawlers.Purpose) permission.Question {
	return permission.Question{URL: v.Compared, Crawler: crawler.Permission(), Purposes: purposes, Time: c.Time,
		Formal: c.Formal}
}

// known returns the questions of the known crawlers that have one of the purposes, each for the
// purposes that it has. Crawlers that no user-agent line can name are omitted.
func (c *Config) known(v *answer.Visit) (questions []permission.Question) {
	for _, k := range crawlers.Select(crawlers.Selection{}) {
		has := c.has(&k)
		if crawler := answer.NewCrawler(k.Token); has != nil && !crawler.Unread {
			questions = append(questions, c.question(v, crawler, has))
		}
	}
	return questions
}
