package fetch

import (
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// Change says what is different about an origin after a fetch, or after the Store
// had a newer entry than memory.
type Change struct {
	Origin origin.Origin
	At     time.Time // time of the fetch
	What   Changed
	Before Known
	After  Known
}

// Known is what a client knows about an origin at one time.
type Known struct {
	Outcome   Outcome
	Reason    Reason
	Status    int    // HTTP or FTP status of the last attempt; 0 without a response
	Digest    Digest // of the last file, also while it is unreachable; zero without one
	CheckedAt time.Time
}

// Changed is a set of properties that are different after a Change.
type Changed uint8

// The properties.
const (
	ChangedFile         Changed = 1 << iota // the bytes of the file, or whether there is one
	ChangedOutcome                          // rules, allow all or disallow all
	ChangedSource                           // what decides: an answer of the site, an expired copy, or the policy
	ChangedReachability                     // whether robots.txt is reachable
)

var changedNames = [...]string{"file", "outcome", "source", "reachability"}

// Has reports whether c contains all properties of other.
func (c Changed) Has(other Changed) bool { return c&other == other }

// Names returns the names of the properties in c, for example ["file", "outcome"].
func (c Changed) Names() []string {
	var names []string
	for i, name := range changedNames {
		if c.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names of the properties, separated by commas.
func (c Changed) String() string { return strings.Join(c.Names(), ",") }

// known returns what is known by s at now, and which of three sources decides.
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

// comparedWith returns s as Config.OnChange compares it with after: without local
// trouble, and, if nothing has tested whether the site answers, with the result of
// the test in after.
func (s *state) comparedWith(after *state) *state {
	c := &state{origin: s.origin, checkedAt: s.checkedAt, lastAnswer: s.lastAnswer, fault: s.fault}
	if s.fault != nil && s.fault.site == siteUntested && after.fault != nil {
		tested := *s.fault
		tested.site, c.fault = after.fault.site, &tested
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
	if change.Before.Digest != change.After.Digest {
		change.What |= ChangedFile
	}
	if change.Before.Outcome != change.After.Outcome {
		change.What |= ChangedOutcome
	}
	if oldSource != newSource {
		change.What |= ChangedSource
	}
	if (before.fault == nil) != (after.fault == nil) {
		change.What |= ChangedReachability
	}
	if change.What != 0 {
		c.config.OnChange(change)
	}
}
