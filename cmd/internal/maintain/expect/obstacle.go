package expect

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
)

// obstacle is the reason why no expectation about a robots.txt can pass, whatever it
// expects.
type obstacle int

const (
	noObstacle  obstacle = iota
	unreachable          // the policy decides, not the file
	notRules             // the robots.txt is a web page, or not text
)

// obstacle returns the reason why no check of the suite can pass. The file of expectations
// can accept it. A request that this machine could not send is never accepted.
func (s *Suite) obstacle() obstacle {
	switch r := s.Subject.Ruling; {
	case s.IsVector():
		return noObstacle
	case s.isUnreachable() && (!s.UnreachableOK || r.Site.Outcome == wire.OutcomeLocal):
		return unreachable
	case r.HasFile() && r.File.NotRules() != "" && !s.HTMLOK:
		return notRules
	}
	return noObstacle
}

func (s *Suite) isUnreachable() bool {
	site := s.Subject.Ruling.Site
	return site != nil && site.Source == wire.SourceAssumed
}

// Accepted returns the reason why a suite's site is unreachable, in a few words, if the
// file of expectations accepts that. Otherwise it returns "".
func (s *Suite) Accepted() string {
	if s.Err != nil || !s.isUnreachable() || s.obstacle() != noObstacle {
		return ""
	}
	return prose.StandIn(s.Subject.Ruling.Site)
}

func (o obstacle) result() Result {
	if o == notRules {
		return Failed
	}
	return Unknown
}

// writeObstacles writes a block for each robots.txt with an obstacle, with the files of
// expectations about it.
func (r *Report) writeObstacles(w *bufio.Writer, p term.Palette) {
	written := make(map[*Subject]bool)
	for _, s := range r.Suites {
		if s.Err != nil || s.obstacle() == noObstacle || written[s.Subject] {
			continue
		}
		written[s.Subject] = true
		fmt.Fprintln(w, r.obstacleText(s, p))
	}
}

// obstacleText returns the block of the robots.txt of a suite.
func (r *Report) obstacleText(of *Suite, p term.Palette) string {
	var b strings.Builder
	name := p.Paint(term.Bold, term.Source(of.Subject.Name)+":")
	word, accept := "failed", `"html: ok"`
	switch {
	case of.obstacle() == notRules:
		fmt.Fprintf(&b, "%s this is %s, in which crawlers find no rules\n", name, of.Subject.Ruling.File.NotRules())
	default:
		fmt.Fprintf(&b, "%s %s\n", name, prose.StandIn(of.Subject.Ruling.Site))
		word, accept = "unknown", `"unreachable: ok"`
	}
	for _, s := range r.Suites {
		if s.Err != nil || s.Subject != of.Subject || s.obstacle() != of.obstacle() {
			continue
		}
		fmt.Fprintf(&b, "  %s: %s %s\n", term.Escape(s.Name), term.Count(len(s.Outcomes), "expectation", "expectations"), word)
	}
	if site := of.Subject.Ruling.Site; site == nil || site.Outcome != wire.OutcomeLocal {
		fmt.Fprintf(&b, "  %s in the file of expectations accepts that\n", accept)
	}
	return b.String()
}
