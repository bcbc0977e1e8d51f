package main

import (
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentlist"
)

// outcome is what came of one check of a suite.
type outcome struct {
	check  conformance.Check
	answer answer
	passed bool
	why    *explanation // nil if it passed
	took   time.Duration
}

// judge puts all checks of a suite to its robots.txt.
func (s *suite) judge() {
	s.outcomes = make([]outcome, 0, len(s.Checks))
	for _, c := range s.Checks {
		began := time.Now()
		o := s.judgeCheck(c)
		o.took = time.Since(began)
		s.outcomes = append(s.outcomes, o)
	}
}

func (s *suite) judgeCheck(c conformance.Check) outcome {
	dialect := s.dialectOf(c)
	who, _ := s.crawlerOf(c)
	in := &inquiry{dialect: dialect, crawlers: who}
	v := &visit{url: c.URL, compared: c.URL, ruling: s.subject.ruling(dialect, who[0])}
	if s.Robots != "" { // a vector means its URLs as they are
		v.compared = robotstxt.EncodeURL(c.URL)
	}
	o := outcome{check: c, answer: in.judge(v, 0)}
	o.passed = o.answer.Allowed == c.Allowed && (c.Line == conformance.AnyLine || c.Line == o.answer.Line)
	if !o.passed {
		o.why = in.explanation(v, 0)
	}
	return o
}

func (s *suite) dialectOf(c conformance.Check) robotstxt.Dialect {
	dialect := s.dialect
	if c.Dialect != "" {
		// The file was read, so it is a name that both sides know.
		_ = dialect.UnmarshalText([]byte(c.Dialect))
	}
	return dialect
}

// crawlerOf returns who asks, alone in a slice, and what is known of it. A vector
// means its tokens as they are.
func (s *suite) crawlerOf(c conformance.Check) ([]crawler, []crawlers.Crawler) {
	asked := []crawler{{asked: agentText(c.Agents), tokens: c.Agents}}
	flags := crawlerFlags{exact: s.exact || s.Robots == ""}
	return asked, flags.follow(asked)
}

// agentText is a crawler as it is printed.
func agentText(tokens []string) string {
	if len(tokens) == 0 {
		return "*"
	}
	return agentlist.Format(tokens)
}

// tellOfAgents tells, once each, how crawlers ask that are known, and warns of
// those that are hardly what was meant. A vector may be about just that. What
// was told for other suites is among told.
func (s *suite) tellOfAgents(t *term.Terminal, told map[string]bool) {
	if s.Robots == "" {
		return
	}
	once := func(what string) bool {
		first := !told[what]
		told[what] = true
		return first
	}
	for _, c := range s.Checks {
		who, known := s.crawlerOf(c)
		if once(who[0].asked) {
			noteKnown(t, who, known)
		}
		dialect := s.dialectOf(c)
		for _, token := range c.Agents {
			if once(dialect.String()+" "+token) && !isNameable(dialect, token) {
				name, _ := crawlers.ProductToken(token)
				t.Warn("%s:%d: no group can name %q: dialect %s reads %q of it", term.Escape(s.Name), c.HeadLine, token, dialect, tokenRead(dialect, name))
			}
		}
	}
}

// wanted says what a check expects of whom.
func (o *outcome) wanted() string {
	word := "disallowed"
	if o.check.Allowed {
		word = "allowed"
	}
	text := term.Escape(o.check.URL) + " should be " + word + " for " + quoteStar(o.answer.Agent)
	if o.answer.Dialect != robotstxt.Google {
		text += " in dialect " + o.answer.Dialect.String()
	}
	switch line := o.check.Line; {
	case line == 0:
		text += " by no line"
	case line > 0:
		text += " by line " + strconv.Itoa(line)
		if o.answer.Reason != robotstxt.ReasonNoFile {
			text += " (" + o.why.body.describe(line) + ")"
		}
	}
	return text
}

// describe says in a word or two what a line of the robots.txt is.
func (b *body) describe(line int) string {
	switch rule := b.rule(line); {
	case rule != "":
		return term.Escape(rule)
	case line > b.lines:
		return "behind the end"
	default:
		return "no rule"
	}
}

// got says what is so instead.
func (o *outcome) got() string {
	word := "is disallowed "
	if o.answer.Allowed {
		word = "is allowed "
	}
	return word + ground(o.why)
}
