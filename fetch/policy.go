package fetch

import (
	"fmt"
	"strings"
	"time"
)

// Policy says what an answer to the robots.txt request means, and what holds
// while there is none. The zero value is GooglePolicy; a value that names no
// policy acts as it. Table has every cell.
type Policy uint8

// The policies.
const (
	// GooglePolicy is Google's documentation page: nothing may be fetched while
	// the file is unreachable; after 30 days its last copy holds again.
	GooglePolicy Policy = iota
	// RFC9309Policy goes on with an expired copy while the file is unreachable,
	// which 2.4 permits, and takes no freshness of over 24 hours.
	RFC9309Policy
	// GoogleLadderPolicy is the newer wording of Google's page: 12 hours of
	// nothing, then the last copy or none, and after 30 days what the site
	// does otherwise (Config.SiteAnswers) decides.
	GoogleLadderPolicy
	// KosterPolicy is the draft of 1996: 401 and 403 close the site, a fault
	// defers all visits, and a copy is fresh for 7 days.
	KosterPolicy
)

// Policies returns all policies, the default first.
func Policies() []Policy {
	return []Policy{GooglePolicy, RFC9309Policy, GoogleLadderPolicy, KosterPolicy}
}

// class is what an answer is, whatever its policy makes of it.
type class uint8

const (
	classFile        class = iota // a body to parse
	classEmpty                    // success without a body: an empty file
	classRedirect                 // to be followed
	classUnavailable              // there is no file
	classForbidden                // there is one, but not for us
	classUnreachable              // the site does not say
	classRefused                  // the address guard forbids to ask
)

var classNames = [...]string{
	"file", "empty file", "redirect", "unavailable", "forbidden", "unreachable", "refused",
}

// statusRange gives the codes from first to last their class.
type statusRange struct {
	first, last int
	class       class
	note        string
}

// statuses covers 100 to 999, in order and without gaps; what lies outside is
// unreachable.
var statuses = []statusRange{
	{100, 199, classUnreachable, "an interim answer where a final one is due"},
	{200, 203, classFile, ""},
	{204, 205, classEmpty, "success, and no body by definition"},
	{206, 206, classUnreachable, "a part that was not asked for"},
	{207, 299, classFile, ""},
	{300, 300, classUnavailable, "a choice that a crawler cannot make"},
	{301, 303, classRedirect, ""},
	{304, 304, classUnreachable, "unasked; asked for, it makes the copy fresh again"},
	{305, 306, classUnavailable, "no longer followed by anyone"},
	{307, 308, classRedirect, ""},
	{309, 399, classUnavailable, "a redirect to nowhere"},
	{400, 400, classUnavailable, ""},
	{401, 401, classForbidden, ""},
	{402, 402, classUnavailable, ""},
	{403, 403, classForbidden, ""},
	{404, 428, classUnavailable, ""},
	{429, 429, classUnreachable, "a server error in all but its number"},
	{430, 499, classUnavailable, ""},
	{500, 599, classUnreachable, "unavailable if Config.NotFoundPage says so; never 503"},
	{600, 999, classUnreachable, "no status of HTTP"},
}

// classOf returns the class of an HTTP status.
func classOf(status int) class {
	for _, r := range statuses {
		if r.first <= status && status <= r.last {
			return r.class
		}
	}
	return classUnreachable
}

// ftpStatuses gives FTP's replies their class; all others are unreachable.
var ftpStatuses = []statusRange{
	{226, 226, classFile, "the transfer is complete"},
	{332, 332, classForbidden, "an account is wanted, as 401"},
	{530, 530, classForbidden, "the anonymous login is refused, as 401"},
	{550, 550, classUnavailable, "there is no such file, as 404"},
}

// answer is what crawlers are told. Whatever a table leaves out is a refusal.
type answer uint8

const (
	answerDisallowAll answer = iota // nothing may be fetched
	answerAllowAll                  // no restrictions
	answerFile                      // by the rules of the file
	answerCopy                      // by the rules of the expired copy
	answerAskSite                   // allow all if the site answers otherwise, else disallow all
)

var answerNames = [...]string{
	"disallow all", "allow all", "the file's rules", "the copy's rules", "allow all if the site answers otherwise, else disallow all",
}

// settled is what a class means once and for all: for the classes that are
// neither redirects nor faults, and for each policy.
var settled = [...][4]answer{
	classFile:        {answerFile, answerFile, answerFile, answerFile},
	classEmpty:       {answerFile, answerFile, answerFile, answerFile},
	classUnavailable: {answerAllowAll, answerAllowAll, answerAllowAll, answerAllowAll},
	classForbidden:   {answerAllowAll, answerAllowAll, answerAllowAll, answerDisallowAll},
	classRefused:     {answerDisallowAll, answerDisallowAll, answerDisallowAll, answerDisallowAll},
}

// outage is a stretch of the time for which a file has been unreachable, and
// what holds in it once the copy, if there is one, has expired.
type outage struct {
	over   time.Duration // since the first fault; exactly as long belongs to the stretch before
	name   string
	copy   [4]answer
	nocopy [4]answer
}

const (
	day         = 24 * time.Hour
	ladderStop  = 12 * time.Hour
	longOutage  = 30 * day
	minFresh    = 5 * time.Minute
	normalFresh = day
)

// outages are the rungs of each policy's ladder, the longest first.
var outages = []outage{
	{
		longOutage, "over 30 days",
		[4]answer{answerCopy, answerCopy, answerAskSite, answerDisallowAll},
		[4]answer{answerAllowAll, answerAllowAll, answerAskSite, answerDisallowAll},
	},
	{
		ladderStop, "over 12 hours, up to 30 days",
		[4]answer{answerDisallowAll, answerCopy, answerCopy, answerDisallowAll},
		[4]answer{answerDisallowAll, answerDisallowAll, answerAllowAll, answerDisallowAll},
	},
	{
		-1, "up to 12 hours",
		[4]answer{answerDisallowAll, answerCopy, answerDisallowAll, answerDisallowAll},
		[4]answer{answerDisallowAll, answerDisallowAll, answerDisallowAll, answerDisallowAll},
	},
}

// freshness is how long an answer may be used without asking again.
type freshness struct {
	normal, max time.Duration
}

var policies = [...]struct {
	name, source string
	freshness    freshness
}{
	GooglePolicy:       {"google", "Google's documentation page", freshness{normalFresh, 7 * day}},
	RFC9309Policy:      {"rfc9309", "RFC 9309", freshness{normalFresh, normalFresh}},
	GoogleLadderPolicy: {"google-ladder", "Google's documentation page, newer wording", freshness{normalFresh, 7 * day}},
	KosterPolicy:       {"koster", "Koster's draft of 1996", freshness{7 * day, 30 * day}},
}

func (p Policy) index() int {
	if int(p) >= len(policies) {
		return int(GooglePolicy)
	}
	return int(p)
}

// settled returns what an answer of class c means.
func (p Policy) settled(c class) answer { return settled[c][p.index()] }

// during returns what holds when the file has been unreachable for so long,
// with an expired copy or without any.
func (p Policy) during(unreachable time.Duration, copied bool) answer {
	unreachable = max(unreachable, 0) // a clock may have been set back
	for _, o := range outages {
		if unreachable <= o.over {
			continue
		}
		if copied {
			return o.copy[p.index()]
		}
		return o.nocopy[p.index()]
	}
	return answerDisallowAll
}

// fresh returns how long an answer with the given lifetime, asked for by its
// headers, may be used; zero headers mean the policy's own.
func (p Policy) fresh(asked time.Duration, stated bool) time.Duration {
	f := policies[p.index()].freshness
	if !stated {
		return f.normal
	}
	return min(max(asked, minFresh), f.max)
}

// String returns the policy's name in lower case, "google-ladder" for instance.
func (p Policy) String() string { return policies[p.index()].name }

// MarshalText returns the policy's name. It never fails.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText sets p to the policy of that name. An unknown name is an error
// that lists the known ones and leaves p unchanged.
func (p *Policy) UnmarshalText(text []byte) error {
	var names []string
	for i := range policies {
		if strings.EqualFold(policies[i].name, string(text)) {
			*p = Policy(i)
			return nil
		}
		names = append(names, policies[i].name)
	}
	return fmt.Errorf("unknown policy %q: want one of %s", text, strings.Join(names, ", "))
}
