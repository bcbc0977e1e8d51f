package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
)

//go:generate go test -run TestPoliciesInDocs|Test(JavaScript|Python)Policies|TestConformanceTimelines -update .

// Policy defines what a response to the robots.txt request means, and what
// applies while robots.txt is unreachable. The zero value is GooglePolicy, and
// unknown values behave like it.
type Policy uint8

// The policies.
const (
	// GooglePolicy follows Google's documentation page. While robots.txt is
	// unreachable, everything is disallowed. After 30 days the rules of the last
	// copy apply; without a copy everything is allowed.
	GooglePolicy Policy = iota
	// RFC9309Policy uses an expired copy while robots.txt is unreachable, and
	// never treats an answer as fresh for more than 24 hours. [RFC 9309 2.4]
	RFC9309Policy
	// GoogleLadderPolicy follows the newer wording of Google's page. For 12
	// hours everything is disallowed. Then the rules of the last copy apply; if
	// there is no copy, everything is allowed. After 30 days Freshness.SiteAnswers
	// decides.
	GoogleLadderPolicy
	// KosterPolicy follows Koster's 1996 draft. The statuses 401 and 403 disallow
	// everything, as does an unreachable robots.txt. The client follows
	// redirects, including status 300, until it finds a file; after too many of
	// them the file is unreachable. An answer is fresh for 7 days.
	KosterPolicy
	// CarefulPolicy allows only on evidence: a text file, an empty one, or the status 404
	// or 410. Web pages, bytes that are not text, other statuses and faults disallow
	// everything, but the rules of the last file apply for 24 hours after its fetch. It
	// follows no specification: the challenge page of a network in front of a site is not
	// a permission.
	CarefulPolicy
)

// Policies returns all policies, the default first.
func Policies() []Policy {
	return []Policy{GooglePolicy, RFC9309Policy, GoogleLadderPolicy, KosterPolicy, CarefulPolicy}
}

// class is the kind of a response. It does not depend on the policy.
type class uint8

const (
	classFile        class = iota // a body to parse
	classEmpty                    // success without a body: an empty file
	classRedirect                 // a redirect to follow
	classUnavailable              // the site has no robots.txt
	classRejected                 // another client error: no robots.txt for this client
	classForbidden                // the site requires authorization
	classUnreachable              // a fault: the rules are unknown
	classRefused                  // the address guard refused the connection
	classUndefined                // a status without a meaning here; the policy decides
	classLocal                    // local trouble: the site was not reached, and not to blame
)

type statusRange struct {
	first, last int
	class       class
	note        string
}

// statuses covers 100 to 999, in order and without gaps. Other codes are
// unreachable.
var statuses = []statusRange{
	{100, 199, classUnreachable, "an interim response without a final one"},
	{200, 203, classFile, ""},
	{204, 205, classEmpty, "success without a body by definition"},
	{206, 206, classUnreachable, "part of the file; the file if Content-Range covers all of it"},
	{207, 299, classFile, ""},
	{300, 300, classUndefined, "several choices"},
	{301, 303, classRedirect, ""},
	{304, 304, classUnreachable, "not a conditional request; otherwise the copy is fresh again"},
	{305, 306, classUndefined, "obsolete; not followed"},
	{307, 308, classRedirect, ""},
	{309, 399, classUndefined, "no target to follow"},
	{400, 400, classRejected, ""},
	{401, 401, classForbidden, ""},
	{402, 402, classRejected, ""},
	{403, 403, classForbidden, ""},
	{404, 404, classUnavailable, ""},
	{405, 409, classRejected, ""},
	{410, 410, classUnavailable, ""},
	{411, 428, classRejected, ""},
	{429, 429, classUnreachable, "treated like a server error"},
	{430, 499, classRejected, ""},
	{500, 599, classUnreachable, "a server error"},
	{600, 999, classUnreachable, "not an HTTP status"},
}

func classOf(status int) class { return classIn(statuses, status) }

func classIn(ranges []statusRange, status int) class {
	for _, r := range ranges {
		if r.first <= status && status <= r.last {
			return r.class
		}
	}
	return classUnreachable
}

// ftpStatuses maps FTP replies to classes. Other replies are unreachable.
var ftpStatuses = []statusRange{
	{226, 226, classFile, "the transfer is complete"},
	{332, 332, classForbidden, "the server requires an account, like 401"},
	{530, 530, classForbidden, "the server refuses the anonymous login, like 401"},
	{550, 550, classUnavailable, "there is no such file, like 404"},
}

// effect is the decision of a policy for a site. The zero value is safe: a
// missing table entry disallows everything.
type effect uint8

const (
	effectDisallowAll effect = iota // nothing may be fetched
	effectAllowAll                  // no restrictions
	effectFile                      // the rules of the file decide
	effectCopy                      // the rules of the expired copy decide
	effectLocal                     // the file is unknown because of this machine; like disallow all, but temporary
	effectBySite                    // allow all if Freshness.SiteAnswers reports true, else disallow all
)

// classEffects is the effect of each class under each policy, except redirects
// and unreachable files, whose effects depend on more than the class. RFC 9309
// does not define some statuses; the draft that follows it treats them as
// unreachable, see Policy.isFault. [Draft: unreachable status]
var classEffects = [...][5]effect{
	classFile:        {effectFile, effectFile, effectFile, effectFile, effectFile},
	classEmpty:       {effectFile, effectFile, effectFile, effectFile, effectFile},
	classUnavailable: {effectAllowAll, effectAllowAll, effectAllowAll, effectAllowAll, effectAllowAll},
	classRejected:    {effectAllowAll, effectAllowAll, effectAllowAll, effectAllowAll, effectDisallowAll},
	classForbidden:   {effectAllowAll, effectAllowAll, effectAllowAll, effectDisallowAll, effectDisallowAll},
	classRefused:     {effectDisallowAll, effectDisallowAll, effectDisallowAll, effectDisallowAll, effectDisallowAll},
	classUndefined:   {effectAllowAll, effectDisallowAll, effectAllowAll, effectAllowAll, effectDisallowAll},
	classLocal:       {effectLocal, effectLocal, effectLocal, effectLocal, effectLocal},
}

// outage is one period of the time that a file has been unreachable, and the
// effects that apply in it after the copy, if any, has expired.
type outage struct {
	over   time.Duration // since the first fault, exclusive
	name   string
	copy   [5]effect
	nocopy [5]effect
}

const (
	day        = 24 * time.Hour
	ladderStop = 12 * time.Hour
	longOutage = 30 * day
)

// outages lists the periods, latest first.
var outages = []outage{
	{
		longOutage, "over 30 days",
		[5]effect{effectCopy, effectCopy, effectBySite, effectDisallowAll, effectCopy},
		[5]effect{effectAllowAll, effectAllowAll, effectBySite, effectDisallowAll, effectDisallowAll},
	},
	{
		ladderStop, "over 12 hours, up to 30 days",
		[5]effect{effectDisallowAll, effectCopy, effectCopy, effectDisallowAll, effectCopy},
		[5]effect{effectDisallowAll, effectDisallowAll, effectAllowAll, effectDisallowAll, effectDisallowAll},
	},
	{
		-1, "up to 12 hours",
		[5]effect{effectDisallowAll, effectCopy, effectDisallowAll, effectDisallowAll, effectCopy},
		[5]effect{effectDisallowAll, effectDisallowAll, effectDisallowAll, effectDisallowAll, effectDisallowAll},
	},
}

var policies = [...]struct {
	name      string
	freshness freshness
	redirects int // how many in a row are followed by default

	// A 300 with a usable Location is a redirect, and a file after too many redirects is
	// unreachable instead of missing [Koster 3.1].
	untilFound bool

	// Any answer except a text file, an empty file, 404 or 410 is a fault, and a copy
	// replaces the file for a day after its fetch.
	onEvidence bool
}{
	GooglePolicy:       {"google", freshness{normalFresh, 7 * day}, robotstxt.DefaultRedirects, false, false},
	RFC9309Policy:      {"rfc9309", freshness{normalFresh, normalFresh}, robotstxt.DefaultRedirects, false, false},
	GoogleLadderPolicy: {"google-ladder", freshness{normalFresh, 7 * day}, robotstxt.DefaultRedirects, false, false},
	KosterPolicy:       {"koster", freshness{7 * day, 30 * day}, 20, true, false},
	CarefulPolicy:      {"careful", freshness{normalFresh, normalFresh}, robotstxt.DefaultRedirects, false, true},
}

func (p Policy) follows(status int) bool {
	return classOf(status) == classRedirect || status == http.StatusMultipleChoices && policies[p.index()].untilFound
}

func (p Policy) index() int {
	if int(p) >= len(policies) {
		return int(GooglePolicy)
	}
	return int(p)
}

// Redirects returns how many redirects in a row a client follows by default, and the outcome
// of one more. [RFC 9309 2.3.1.2]
func (p Policy) Redirects() (most int, end Outcome) {
	return policies[p.index()].redirects, p.lostOutcome(true)
}

// loses reports whether a redirect that is not followed makes the file unreachable: one
// too many, or one without a usable Location.
func (p Policy) loses(tooMany bool) bool {
	row := policies[p.index()]
	return row.onEvidence || tooMany && row.untilFound
}

// isFault reports whether a response of class c leaves the rules unknown: the file
// is unreachable.
func (p Policy) isFault(c class) bool {
	switch c {
	case classUnreachable:
		return true
	case classUndefined:
		return p.effectOf(c) == effectDisallowAll
	case classRejected, classForbidden:
		return policies[p.index()].onEvidence
	}
	return false
}

// evidenceLasts is how long after its fetch a copy can replace an unreachable file under a
// policy onEvidence.
const evidenceLasts = day

// effectOf returns the effect of a response of class c. It must not be a redirect
// or unreachable.
func (p Policy) effectOf(c class) effect { return classEffects[c][p.index()] }

// lostOutcome returns the outcome of a redirect that is not followed, see loses.
func (p Policy) lostOutcome(tooMany bool) Outcome {
	if p.loses(tooMany) {
		return OutcomeDisallowAll
	}
	return OutcomeAllowAll
}

func (p Policy) duringOutage(unreachable time.Duration, hasCopy bool) effect {
	unreachable = max(unreachable, 0) // a clock was set back
	for _, o := range outages {
		if unreachable <= o.over {
			continue
		}
		if hasCopy {
			return o.copy[p.index()]
		}
		return o.nocopy[p.index()]
	}
	return effectDisallowAll
}

// String returns the policy's name in lower case, for example "google-ladder".
func (p Policy) String() string { return policies[p.index()].name }

// MarshalText returns the policy's name. It never fails.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText sets p to the policy with that name, ignoring case. For an
// unknown name it returns an error that lists the known ones, and leaves p
// unchanged.
func (p *Policy) UnmarshalText(text []byte) error {
	var names []string
	for i := range policies {
		if strings.EqualFold(policies[i].name, string(text)) {
			*p = Policy(i)
			return nil
		}
		names = append(names, policies[i].name)
	}
	return fmt.Errorf("unknown policy %q: use one of %s", text, strings.Join(names, ", "))
}
