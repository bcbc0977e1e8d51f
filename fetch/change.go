package fetch

import (
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// Change lists what a fetch changed about an origin, or an entry in the Store that
// was newer than memory.
type Change struct {
	Origin origin.Origin
	At     time.Time // time of the fetch
	// What lists what is different, in this order:
	//
	//	"file"          the bytes of the file, or whether there is one
	//	"outcome"       rules, allow all or disallow all
	//	"source"        what decides: an answer of the site, an expired copy, or the policy
	//	"reachability"  whether robots.txt is reachable
	What   []string
	Before Known
	After  Known
}

// Known is what a client knows about an origin at one time.
type Known struct {
	Outcome   Outcome
	Reason    Reason
	Status    int    // HTTP or FTP status of the last attempt; 0 without a response
	Digest    string // SHA-256 of the last file in hexadecimal, even while it is unreachable; empty without one
	CheckedAt time.Time
}

// known returns what s knows at now, and which of three sources decides.
func (c *Client) known(s *state, now time.Time) (_ Known, source Source) {
	r := s.result(c.config.Policy, now, SourceNetwork)
	k := Known{Outcome: r.Outcome, Reason: r.Reason, Digest: s.digestOf(), CheckedAt: s.checkedAt}
	switch {
	case s.fault != nil:
		k.Status = s.fault.Status
	case s.lastAnswer != nil:
		k.Status = s.lastAnswer.Status
	}
	return k, r.Source
}

// comparedWith returns s in the form that Config.OnChange compares with after: without
// local trouble and, if nothing has tested whether the site answers, with the result of
// that test in after.
func (s *state) comparedWith(after *state) *state {
	c := s.clone()
	c.trouble = nil
	if s.fault != nil && s.fault.site == siteUntested && after.fault != nil {
		tested := *s.fault
		tested.site = after.fault.site
		c.fault = &tested
	}
	return c
}

// reportChange calls Config.OnChange if after differs from before. Nothing is
// reported for an origin about which nothing was known, and for local trouble,
// which changes nothing about a site.
func (c *Client) reportChange(before, after *state) {
	if c.config.OnChange == nil || after.trouble != nil || before.lastAnswer == nil && before.fault == nil {
		return
	}
	before = before.comparedWith(after)
	now := c.now()
	change := Change{Origin: after.origin, At: after.checkedAt}
	var oldSource, newSource Source
	change.Before, oldSource = c.known(before, now)
	change.After, newSource = c.known(after, now)
	for _, property := range []struct {
		name      string
		different bool
	}{
		{"file", change.Before.Digest != change.After.Digest},
		{"outcome", change.Before.Outcome != change.After.Outcome},
		{"source", oldSource != newSource},
		{"reachability", (before.fault == nil) != (after.fault == nil)},
	} {
		if property.different {
			change.What = append(change.What, property.name)
		}
	}
	if change.What != nil {
		c.config.OnChange(change)
	}
}
