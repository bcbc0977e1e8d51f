package fetch

import (
	"context"
	"time"
)

// siteTest is what Config.SiteAnswers says about a site after a fault.
type siteTest uint8

const (
	siteUntested siteTest = iota
	siteSilent
	siteAnswers
)

// mustCheckSite reports whether the answer at now depends on
// Config.SiteAnswers, which has not been called since the fault.
func (c *Client) mustCheckSite(s *state, now time.Time) bool {
	return s.fault != nil && s.fault.site == siteUntested && c.config.SiteAnswers != nil &&
		s.fault.Class == classUnreachable && s.trouble == nil && !s.isFresh(c.config.Policy, now) &&
		c.config.Policy.duringOutage(s.outage(now), s.hasCopy()) == effectBySite
}

// checkSite calls Config.SiteAnswers and returns s with its result. It waits at most
// Config.Timeout, even if the function ignores its context.
func (c *Client) checkSite(s *state) *state {
	ctx, cancel := context.WithTimeout(c.background, c.config.Timeout)
	defer cancel()
	answers := make(chan bool, 1)
	go func() { answers <- c.config.SiteAnswers(ctx, s.origin) }()
	tested := *s.fault
	tested.site = siteSilent
	select {
	case ok := <-answers:
		if ok {
			tested.site = siteAnswers
		}
	case <-ctx.Done():
	}
	next := &state{origin: s.origin, checkedAt: s.checkedAt, lastAnswer: s.lastAnswer, fault: &tested, robots: s.robots}
	c.keepUnlessNewer(next)
	return next
}
