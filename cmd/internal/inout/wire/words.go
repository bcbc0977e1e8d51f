package wire

// Verdict is the answer to whether a URL may be fetched.
type Verdict string

// The verdicts. A decision of an expired copy, or of the policy after a status of the
// site, is a verdict. Without an answer of the site and without a copy the verdict is
// unknown, even if the policy disallows all URLs for now.
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

// Outcome is the result of a fetch for crawlers.
type Outcome string

// The outcomes.
const (
	OutcomeRules       Outcome = "rules"        // the site's file decides
	OutcomeAllowAll    Outcome = "allow-all"    // there are no restrictions
	OutcomeDisallowAll Outcome = "disallow-all" // nothing may be fetched
	OutcomeLocal       Outcome = "local"        // no site answered: a file was given, or this machine could not send the request
)

// Source is where the information about a site comes from.
type Source string

// The sources.
const (
	SourceNetwork Source = "network" // the site, in this run
	SourceMemory  Source = "memory"  // the site, by this client and earlier
	SourceStore   Source = "store"   // a cache
	SourceStale   Source = "stale"   // an expired copy, while the site is unreachable
	SourceAssumed Source = "assumed" // the policy, while the file is unreachable: without an answer, or after a status such as 503
)

// ChangeEffect is the effect of a change on URLs.
type ChangeEffect string

// The effects of a change.
const (
	Opens  ChangeEffect = "opens"  // they were disallowed and are allowed
	Closes ChangeEffect = "closes" // they were allowed and are disallowed
)

// TokenKind is what a part of a line is.
type TokenKind string

// The kinds of tokens.
const (
	TokenKey        TokenKind = "key"         // of a line that crawlers read, such as Disallow
	TokenUnknownKey TokenKind = "unknown-key" // any other key
	TokenAgent      TokenKind = "agent"       // the value of a user-agent line
	TokenPattern    TokenKind = "pattern"     // the path pattern of a rule, without wildcards
	TokenWildcard   TokenKind = "wildcard"    // in a path pattern
	TokenURL        TokenKind = "url"         // of a sitemap
	TokenValue      TokenKind = "value"       // of another line
	TokenComment    TokenKind = "comment"
	TokenIgnored    TokenKind = "ignored" // text that crawlers do not read
)

// ResourceKind is what a web page loads a file for.
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

// IntentOutcome is what became of an intention for one crawler.
type IntentOutcome string

// The outcomes of intentions.
const (
	IntentWritten     IntentOutcome = "written"     // a new group has it
	IntentAlready     IntentOutcome = "already"     // the file was as intended
	IntentKept        IntentOutcome = "kept"        // not closed, because it has purposes that are not refused
	IntentUnexpressed IntentOutcome = "unexpressed" // unchanged, because no line can express it
	IntentRepeated    IntentOutcome = "repeated"    // not intended: its group repeats what applied to it before
	IntentReached     IntentOutcome = "reached"     // not intended, but changed with another crawler
)
