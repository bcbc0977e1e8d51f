package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// standIn says in a few words what applies without a file, and why.
func standIn(s *wire.Site) string {
	switch {
	case s.Outcome == wire.OutcomeAllowAll:
		return "no restrictions: " + faultText(s)
	case s.Fault == wire.FaultRefused:
		return "redirects to a private address"
	case s.Source == wire.SourceAssumed:
		return "unreachable: " + faultText(s)
	default:
		return "closed: " + faultText(s)
	}
}

// because is standIn in words that follow "because".
func because(s *wire.Site) string {
	switch {
	case s.Outcome == wire.OutcomeAllowAll:
		return "there are no restrictions: " + faultText(s)
	case s.Fault == wire.FaultRefused:
		return "its robots.txt redirects to a private address"
	case s.Source == wire.SourceAssumed:
		return "its robots.txt is unreachable: " + faultText(s)
	default:
		return "the site is closed: " + faultText(s)
	}
}

// faultText is the cause in a word or two.
func faultText(s *wire.Site) string {
	switch {
	case s.Source == wire.SourceAssumed && s.Fault != wire.FaultStatus:
		return s.Fault
	case 300 < s.Status && s.Status < 400:
		return "redirects lead nowhere"
	default:
		return statusText(s)
	}
}

// statusText says how the site answered.
func statusText(s *wire.Site) string {
	switch {
	case s.Status == 0:
		return "none"
	case strings.HasPrefix(s.Origin, "ftp:"):
		return "FTP status " + strconv.Itoa(s.Status)
	default:
		return "HTTP status " + strconv.Itoa(s.Status)
	}
}

// copyText says that an answer rests on a copy, and how old that is; "" if it does
// not.
func copyText(r *answer.Ruling) string {
	switch s := r.Site; {
	case s.Source == wire.SourceStale || s.Source == wire.SourceStore:
		return "  (a copy of " + timeText(s.FetchedAt) + ")"
	case s.Source == wire.SourceAssumed && s.FetchedAt.Before(r.Began):
		return "  (asked last at " + timeText(s.FetchedAt) + ")"
	default:
		return ""
	}
}

// site lists all that is known about a site.
func (p *prose) site(s *wire.Site) {
	p.field("url", term.Escape(s.FinalURL))
	name := "by way of"
	for _, hop := range s.Hops {
		p.field(name, fmt.Sprintf("%s, which answers %d", term.Escape(hop.URL), hop.Status))
		name = ""
	}
	p.field("answer", answerText(s))
	p.headers(s)
	p.field("outcome", p.outcome(s))
	if s.Error != "" && s.Fault != wire.FaultStatus {
		p.field("error", term.Escape(s.Error))
	}
	if s.Fault == wire.FaultRefused {
		p.field("", "--allow-private follows redirects to private addresses")
	}
	source := sourceTexts[s.Source]
	if s.Source != wire.SourceAssumed {
		source += ", " + timeText(s.FetchedAt)
	}
	p.field("source", source)
	p.times(s)
	p.field("policy", s.Policy)
}

// headers lists the headers of a site's response.
func (p *prose) headers(s *wire.Site) {
	name := "headers"
	for _, h := range s.Headers {
		p.field(name, term.Clip(term.Escape(h.Name+": "+h.Value), widestExcerpt))
		name = ""
	}
}

// outcome says what the policy makes of it, the cause being named already.
func (p *prose) outcome(s *wire.Site) string {
	switch s.Outcome {
	case wire.OutcomeRules:
		return "the rules of the file hold"
	case wire.OutcomeAllowAll:
		return p.palette.Paint(term.Green, "everything is allowed")
	default:
		return p.palette.Paint(term.Red, "nothing may be fetched")
	}
}

// answerText says what came from the site.
func answerText(s *wire.Site) string {
	text := statusText(s)
	if s.Outcome != wire.OutcomeRules {
		return text
	}
	text += fmt.Sprintf(", %d bytes", s.Bytes)
	if s.Truncated {
		text += ", and more behind the limit, which --limit sets"
	}
	if !s.Delimited {
		text += ", which may not be all: the site did not say where they end"
	}
	return text
}

var sourceTexts = map[wire.Source]string{
	wire.SourceNetwork: "the site",
	wire.SourceMemory:  "the site",
	wire.SourceStore:   "the cache",
	wire.SourceStale:   "an expired copy",
	wire.SourceAssumed: "none, so the policy decides",
}

// times tells how long it holds.
func (p *prose) times(s *wire.Site) {
	if !s.FreshUntil.IsZero() {
		p.field("fresh", fmt.Sprintf("until %s, for %s", timeText(s.FreshUntil), s.FreshUntil.Sub(s.FetchedAt).Round(time.Second)))
	}
	if !s.FailingSince.IsZero() {
		p.field("failing", "since "+timeText(s.FailingSince))
	}
}

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
