package expect

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/conformance"
)

// WriteText writes each robots.txt that is unreachable or a web page, then each other check
// that did not pass, with the reasons of the answer, then the counts. The caller checks w
// for errors.
func (r *Report) WriteText(w *bufio.Writer, p term.Palette) {
	r.writeObstacles(w, p)
	for _, s := range r.Suites {
		if s.Err != nil || s.obstacle() != noObstacle {
			continue
		}
		for _, t := range s.troubles() {
			fmt.Fprintln(w, t.text(p))
		}
	}
	fmt.Fprintln(w, r.sum(p))
}

func (r *Report) sum(p term.Palette) string {
	failed := r.Count(Failed)
	unknown := r.Count(Unknown)
	broken := r.Broken()
	sum := fmt.Sprintf("%d passed, %d failed", r.Count(Passed), failed)
	if unknown > 0 {
		sum += fmt.Sprintf(", %d unknown", unknown)
	}
	if broken == 1 {
		sum += ", 1 file could not be tested"
	} else if broken > 1 {
		sum += fmt.Sprintf(", %d files could not be tested", broken)
	}
	if failed+unknown+broken > 0 {
		return p.Paint(term.Red, sum)
	}
	return p.Paint(term.Green, sum)
}

// WriteJSON writes each check as a line with a [wire.Check].
func (r *Report) WriteJSON(w io.Writer) error {
	for _, s := range r.Suites {
		for i := range s.Outcomes {
			if err := term.PrintJSON(w, s.Outcomes[i].wire(s)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *Outcome) wire(s *Suite) wire.Check {
	c := wire.Check{Answer: o.Answer, Expectation: wire.Expectation{
		File: s.Name, FileLine: o.Check.HeadLine, Robots: s.Subject.Name, Passed: o.Result == Passed,
		WantAllowed: o.Check.Allowed,
		All:         o.Check.All, Witness: o.Witness, Undecided: o.Tried != "", Tried: o.Tried,
	}}
	c.RobotsFile = "" // it is Robots
	if o.Check.Line != conformance.AnyLine {
		c.WantLine = &o.Check.Line
	}
	return c
}

// trouble is a check that did not pass, with the reasons of the answer.
type trouble struct {
	suite   *Suite
	outcome *Outcome
	why     *wire.Explanation
	file    *answer.File
	agents  []string // the crawlers to which this applies
}

func newTrouble(s *Suite, o *Outcome) *trouble {
	why, file := o.Explain()
	if o.Check.All {
		why.ComparedURL = "" // the witness is encoded already
	}
	return &trouble{s, o, why, file, []string{why.Agent}}
}

// troubles returns the checks of a suite that did not pass. It combines checks of one line
// that fail for several crawlers for the same reason.
func (s *Suite) troubles() (list []*trouble) {
	type key struct {
		line, decides, group int
		url, reason, token   string
		dialect              robotstxt.Dialect
	}
	at := make(map[key]*trouble)
	for i := range s.Outcomes {
		o := &s.Outcomes[i]
		if o.Result == Passed {
			continue
		}
		t := newTrouble(s, o)
		k := key{o.Check.HeadLine, o.Answer.Line, o.Answer.GroupLine, o.Check.URL,
			string(o.Answer.Verdict) + o.Answer.Reason.String() + o.Tried + o.Witness, o.Answer.Group,
			t.why.Decision.Dialect}
		if same := at[k]; same != nil {
			same.agents = append(same.agents, t.why.Agent)
			continue
		}
		at[k] = t
		list = append(list, t)
	}
	return list
}

func (t *trouble) whom() string {
	names := make([]string, len(t.agents))
	for i, agent := range t.agents {
		names[i] = term.Token(agent)
	}
	return term.First(names, 8)
}

// text returns what was expected, the verdict instead, and the reasons.
func (t *trouble) text(p term.Palette) string {
	place := fmt.Sprintf("%s:%d:", term.Escape(t.suite.Name), t.outcome.Check.HeadLine)
	text := fmt.Sprintf("%s %s\nbut %s\n\n", p.Paint(term.Bold, place), t.wanted(), t.got())
	if t.outcome.Tried != "" {
		return text
	}
	return text + prose.Grounds(p, t.file, t.suite.Subject.Name, t.why)
}

func (t *trouble) wanted() string {
	check := &t.outcome.Check
	word := "disallowed"
	if check.Allowed {
		word = "allowed"
	}
	what := term.Escape(check.URL)
	if check.All {
		what = "every path that " + what + " matches"
	}
	text := what + " should be " + word + " for " + t.whom()
	if dialect := t.why.Decision.Dialect; dialect != robotstxt.Google {
		text += " in dialect " + dialect.String()
	}
	switch line := check.Line; {
	case line == 0:
		text += " by no line"
	case line > 0:
		text += " by line " + strconv.Itoa(line)
		if t.why.Decision.Reason != robotstxt.ReasonNoFile {
			text += " (" + lineText(t.file, line) + ")"
		}
	}
	return text
}

func (t *trouble) got() string {
	what := ""
	if t.outcome.Check.All {
		what = term.Escape(t.why.Decision.Path) + " "
	}
	switch hindered := t.suite.obstacle(); {
	case hindered == notRules:
		return "its robots.txt is " + t.file.NotRules()
	case hindered == unreachable:
		return "that is unknown " + prose.Reason(t.why)
	case t.outcome.Tried != "":
		return "that is undecided: " + term.Escape(t.outcome.Tried)
	case t.why.Verdict == wire.VerdictUnknown:
		return "that is unknown " + prose.Reason(t.why)
	case t.why.Verdict == wire.VerdictAllowed:
		return what + "is allowed " + prose.Reason(t.why)
	default:
		return what + "is disallowed " + prose.Reason(t.why)
	}
}

func lineText(f *answer.File, line int) string {
	switch rule := f.Rule(line); {
	case rule != "":
		return term.Escape(rule)
	case line > f.Lines:
		return "after the end of the file"
	default:
		return "not a rule"
	}
}
