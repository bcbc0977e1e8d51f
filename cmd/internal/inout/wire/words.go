package wire

// Verdict is the answer to whether a URL may be fetched.
type Verdict string

// The verdicts. An expired copy, and the policy after a status of the site, give a
// verdict. Without a copy and without an answer of the site the verdict is unknown,
// even if the policy disallows all URLs for now.
const (
	VerdictAllowed    Verdict = "allowed"
	VerdictDisallowed Verdict = "disallowed"
	VerdictUnknown    Verdict = "unknown"
)

// VerdictOf returns the verdict of a file or a status.
func VerdictOf(allowed bool) Verdict {
	if allowed {
		return VerdictAllowed
	}
	return VerdictDisallowed
}

// Outcome is what the result of a fetch means for crawlers.
type Outcome string

// The outcomes.
const (
	OutcomeRules       Outcome = "rules"        // the site's file decides
	OutcomeAllowAll    Outcome = "allow-all"    // there are no restrictions
	OutcomeDisallowAll Outcome = "disallow-all" // nothing may be fetched
	// no site was asked: a file was given, or this machine could not send the request
	OutcomeLocal Outcome = "local"
)

// Source is where the information about a site comes from.
type Source string

// The sources.
const (
	SourceNetwork Source = "network" // the site, in this run
	SourceMemory  Source = "memory"  // the site, earlier, in the memory of this client
	SourceStore   Source = "store"   // a cache
	SourceStale   Source = "stale"   // an expired copy, while the site is unreachable
	// the policy, while the file is unreachable: without an answer, or after a status such as 503
	SourceAssumed Source = "assumed"
)

// Cause is the reason for an outcome, as package fetch names it.
type Cause string

// The causes.
const (
	CauseFile       Cause = "file"
	CauseEmpty      Cause = "empty-file"
	CauseMissing    Cause = "missing"          // there is no file
	CauseForbidden  Cause = "forbidden"        // the site requires authorization
	CauseRedirects  Cause = "redirects"        // too many, or one without a usable target
	CauseNotFound   Cause = "not-found-page"   // a server error that is read as 404
	CauseUndefined  Cause = "undefined-status" // a 3xx status without a target
	CauseStale      Cause = "stale-copy"       // the file is unreachable, so an old copy decides
	CauseStatus     Cause = "status"           // the file is unreachable: a status such as 503
	CauseNetwork    Cause = "network"          // the file is unreachable: no valid response
	CauseLongOutage Cause = "long-outage"      // the file has been unreachable for so long that nothing is restricted
	CauseRefused    Cause = "refused-address"  // robots does not connect to the address
	CauseLocal      Cause = "local"            // the request failed on this machine
)

// ChangeEffect is the effect of a change on URLs.
type ChangeEffect string

// The effects of a change.
const (
	Opens  ChangeEffect = "opens"  // they were disallowed and are allowed
	Closes ChangeEffect = "closes" // they were allowed and are disallowed
)

// TokenKind is the kind of a part of a line.
type TokenKind string

// The kinds of tokens.
const (
	TokenKey        TokenKind = "key"         // of a line that crawlers read, such as Disallow
	TokenUnknownKey TokenKind = "unknown-key" // any other key
	TokenAgent      TokenKind = "agent"       // the value of a user-agent line
	TokenPattern    TokenKind = "pattern"     // the path pattern of a rule, between its wildcards
	TokenWildcard   TokenKind = "wildcard"    // in a path pattern
	TokenURL        TokenKind = "url"         // of a sitemap
	TokenValue      TokenKind = "value"       // of another line
	TokenComment    TokenKind = "comment"
	TokenIgnored    TokenKind = "ignored" // text that crawlers do not read
)

// ResourceKind is the purpose for which a web page loads a file.
type ResourceKind string

// The kinds of resources.
const (
	ResourceStyle  ResourceKind = "style"
	ResourceScript ResourceKind = "script"
	ResourceImage  ResourceKind = "image"
	ResourceFont   ResourceKind = "font"
	ResourceMedia  ResourceKind = "media" // audio, video, and their tracks
	ResourceFrame  ResourceKind = "frame" // another page or a plug-in within it
	ResourceOther  ResourceKind = "other"
)

// Faults, values of the field fault: kinds of errors of package fetch that need
// other words than the rest.
const (
	FaultRefused = "refused address"
	FaultStatus  = "status"
	FaultTimeout = "timeout"
)

// IntentOutcome is the result of an intention for one crawler.
type IntentOutcome string

// The outcomes of intentions.
const (
	IntentWritten     IntentOutcome = "written"     // a new group expresses it
	IntentAlready     IntentOutcome = "already"     // the file already expressed it
	IntentKept        IntentOutcome = "kept"        // not closed, because it has purposes that are not refused
	IntentUnexpressed IntentOutcome = "unexpressed" // no line can express it, so the file is unchanged
	IntentRepeated    IntentOutcome = "repeated"    // no intention: its new group repeats the rules that applied before
	IntentReached     IntentOutcome = "reached"     // no intention, but changed together with another crawler
)
