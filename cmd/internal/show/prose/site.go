package prose

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// StandIn returns a few words about the rules for a site without a file, and the reason.
func StandIn(s *wire.Site) string {
	short, _ := standIn(s)
	return short
}

// clause returns StandIn as a clause that follows "because".
func clause(s *wire.Site) string {
	_, clause := standIn(s)
	return clause
}

func standIn(s *wire.Site) (short, clause string) {
	switch {
	case s.Outcome == wire.OutcomeAllowAll && s.Answered():
		short = noRestrictions + Fault(s)
		return short, "there are " + short
	case s.Outcome == wire.OutcomeLocal:
		return "no request possible from here", "its robots.txt could not be requested from here"
	case s.Fault == wire.FaultRefused:
		return Refused(s), "its robots.txt " + Refused(s)
	case s.Source == wire.SourceAssumed:
		short = "unreachable: " + Fault(s)
		return short, "its robots.txt is " + short
	default:
		short = "closed: " + Fault(s)
		return short, "the site is " + short
	}
}

const noRestrictions = "no restrictions: "

func policyText(s *wire.Site) string {
	verdict := wire.VerdictOf(s.Outcome == wire.OutcomeAllowAll)
	return "policy " + s.Policy + ": " + string(verdict)
}

// Refused returns a clause about the address that the address guard refused.
func Refused(s *wire.Site) string {
	if len(s.Hops) > 0 {
		return "redirects to a private address"
	}
	return "is at a private address"
}

// Fault returns why a site has no file, in a word or two.
func Fault(s *wire.Site) string {
	switch {
	case !s.Answered():
		return s.Fault
	case s.Source != wire.SourceAssumed && 300 <= s.Status && s.Status < 400:
		return s.FetchReason // it shows how the redirects ended
	case s.IsNotFoundPage():
		return statusText(s) + ", " + notFoundPage
	case strings.HasPrefix(s.Error, statusText(s)):
		return term.Escape(s.Error)
	default:
		return statusText(s)
	}
}

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

// site lists the facts about a site. A summary has only the facts that matter to its
// owner. assumed reports that the policy's decision is the verdict, because the site did
// not answer.
func (b *block) site(s *wire.Site, assumed bool) {
	summary := b.columns > 0
	b.field("url", term.Escape(s.FinalURL))
	if n := len(s.Hops); summary && n > 0 {
		b.field("by way of", term.Count(n, "redirect", "redirects"))
	}
	if !summary {
		b.request(s)
	}
	b.field("answer", answerText(s))
	if s.Edge != "" {
		b.fields("answer", term.Wrap(edgeText(s), b.columns-12, ""))
	}
	if !summary {
		for _, h := range s.Headers {
			b.field("headers", term.Excerpt(h.Name+": "+h.Value))
		}
	}
	b.field("outcome", b.outcome(s, assumed))
	if s.Error != "" && s.Fault != wire.FaultStatus {
		b.fields("error", term.Wrap(term.Escape(s.Error), b.columns-12, ""))
	}
	if s.Fault == wire.FaultRefused {
		b.field("", answer.AllowHint)
	}
	if !summary {
		b.field("source", sourceText(s, b.runBegan))
		b.times(s)
		b.field("policy", s.Policy)
	}
}

func (b *block) request(s *wire.Site) {
	for _, hop := range s.Hops {
		b.field("by way of", fmt.Sprintf("%s, which answers %d", term.Escape(hop.URL), hop.Status))
	}
	if s.Proxy != "" {
		b.field("proxy", term.Escape(s.Proxy))
	}
	if s.Credentials {
		b.field("request", "with credentials; crawlers can get a different answer without them")
	}
}

// edgeText returns the service that seems to have answered instead of the site.
func edgeText(s *wire.Site) string {
	return "from " + term.Escape(s.Edge) + " and not from the site, it seems"
}

// outcome returns the meaning of the answer for crawlers. The caller has printed the
// cause.
func (b *block) outcome(s *wire.Site, assumed bool) string {
	switch {
	case s.Outcome == wire.OutcomeRules:
		return "the rules of the file apply"
	case s.Outcome == wire.OutcomeLocal:
		return b.palette.Paint(term.Yellow, "nothing is known")
	case !s.Answered() && !assumed:
		return b.palette.Paint(term.Yellow, "nothing is known") + "; " + policyText(s)
	case s.Outcome == wire.OutcomeAllowAll:
		return b.palette.Paint(term.Green, "everything is allowed")
	default:
		return b.palette.Paint(term.Red, "nothing may be fetched")
	}
}

func answerText(s *wire.Site) string {
	text := statusText(s)
	if s.IsNotFoundPage() {
		return text + ", " + notFoundPage
	}
	if s.Outcome != wire.OutcomeRules {
		return text
	}
	text += fmt.Sprintf(", %d bytes", s.Bytes)
	if s.Truncated {
		text += ", and more after the limit (--limit)"
	}
	if !s.Delimited {
		text += ", maybe incomplete: the site did not send the length"
	}
	return text
}

var sourceTexts = map[wire.Source]string{
	wire.SourceNetwork: "the site",
	wire.SourceMemory:  "the site",
	wire.SourceStore:   "the cache",
	wire.SourceStale:   "an expired copy",
}

// sourceText returns the source of the information, and the age of a copy when the run
// began, unless that time is zero.
func sourceText(s *wire.Site, began time.Time) string {
	switch {
	case !began.IsZero() && (s.Source == wire.SourceStore || s.Source == wire.SourceStale):
		return sourceTexts[s.Source] + ", " + Age(began.Sub(s.FetchedAt)) + " old, of " + Time(s.FetchedAt)
	case s.Source != wire.SourceAssumed:
		return sourceTexts[s.Source] + ", " + Time(s.FetchedAt)
	case s.Answered():
		return "the policy, for the status of " + Time(s.FetchedAt)
	default:
		return "none, so the policy decides"
	}
}

// times shows for how long the answer is valid.
func (b *block) times(s *wire.Site) {
	if !s.FreshUntil.IsZero() {
		b.field("fresh", fmt.Sprintf("until %s, for %s", Time(s.FreshUntil), s.FreshUntil.Sub(s.FetchedAt).Round(time.Second)))
	}
	if !s.FailingSince.IsZero() {
		b.field("failing", "since "+Time(s.FailingSince))
	}
}
