package lint

import "strings"

// inspector looks for findings. Their order changes nothing: what a line is, is known before, and which findings hide
// others is decided after all of them.
type inspector struct {
	inspect func(*document)
	of      portion
}

// portion is how much of a body crawlers can read, or an inspector needs.
type portion uint8

const (
	anyBody portion = iota // even one that is not lines of text
	anyText                // even the beginning of a line that is longer than the limit
	wholeLines
)

var inspectors = []inspector{
	{inspectServed, anyBody}, {inspectFileName, anyBody}, {inspectEncoding, anyBody},
	{inspectSize, anyText}, {inspectLineBytes, anyText}, {inspectKeys, anyText},
	{inspectAgents, wholeLines}, {inspectPurposes, wholeLines}, {inspectServices, wholeLines},
	{inspectPatterns, wholeLines}, {inspectParameters, wholeLines}, {inspectResources, wholeLines},
	{inspectRuns, wholeLines}, {inspectBreaks, wholeLines}, {inspectMisplaced, wholeLines},
	{inspectRepeats, wholeLines}, {inspectOpened, wholeLines}, {inspectEveryone, wholeLines},
	{inspectSiteClosed, wholeLines}, {inspectSiteOpen, wholeLines}, {inspectExtensions, wholeLines},
	{inspectNoSitemap, wholeLines}, {inspectDeadRules, wholeLines},
}

// Entry describes a kind of finding.
type Entry struct {
	Code     Code
	Name     string   // in words, for people and pages: "agent-with-space"
	Severity Severity // in most profiles; Off if only some report it
	Pedantic bool     // reported only if Config.Pedantic or Config.Severities requests it
	// Profiles has the severity in profiles in which it differs.
	Profiles map[Profile]Severity
	// Once is the highest severity of which only the first finding is returned by default, because
	// generators write many such lines. If a platform wrote the file, no finding of severity Info
	// is returned, because the platform's users cannot change the lines. Off means that all
	// findings are returned. See Config.MaxPerCode.
	Once  Severity
	Title string // the problem, in one sentence
	Why   string // why it matters, with its clause
	Bad   string // a file that has the finding if it is checked with Example
	Good  string // the same file without the problem
	// Example is the configuration with which Bad has the finding and Good does
	// not.
	Example Config
	// GoodExample is the configuration for Good. nil means Example. They differ if
	// the finding is about how a file is served, which is not in its body.
	GoodExample *Config
}

var catalogue = []check{
	rxAgentNotAToken, rxAgentMatchesNone, rxAgentBeyondAlphabet, rxAgentIsHeader, rxUnknownAgent, rxMisspeltAgent,
	rxRetiredAgent, rxAgentNeedNotObey, rxDirectiveInAgent, rxAgentList, rxAgentAll,
	rxPatternWithoutSlash, rxPatternIsURL, rxPatternWithBlank, rxDollarInside, rxPatternNotASCII, rxHashCutsPattern,
	rxDeadRule, rxEmptyRule, rxPatternWiderThanItLooks, rxBadPercentCode, rxPathOnNextLine, rxDeadRulesUndecided,
	rxRegularExpression, rxEscapedPattern, rxDotSegment, rxBlockedResources, rxParameterFirst,
	rxNamesSecret, rxIndexComment,
	rxJoinedGroups, rxRepeatedAgent, rxDropsRulesForAll, rxRuleOutsideGroup, rxNoGroupForAll, rxSiteClosed,
	rxSiteOpen, rxBlankLineInGroup, rxGroupLosesRules, rxHomePageClosed, rxPurposeUnequal, rxRulesInTheWrongGroup,
	rxClosesServices,
	rxMarkup, rxByteOrderMark, rxNotUTF8, rxStrayByteOrderMark, rxOverLimit, rxLimitsOfOthers, rxLongLine, rxNULByte,
	rxMissingColon, rxMisspeltKey, rxKeyByPrefix, rxText, rxBareCR, rxColonOfTheValue, rxDirectiveWithoutColon,
	rxNoDirective, rxMergeConflict, rxDirectiveInComment, rxTemplate,
	rxRetiredDirective, rxSitemapNotAbsolute, rxSitemapTwice, rxSitemapDisallowed, rxCrawlDelayNotANumber,
	rxCrawlDelayExtreme, rxCrawlDelayIgnored, rxCleanParamForm, rxRateForm, rxPreferenceForm, rxPreferenceLabel,
	rxPreferenceContradicted, rxLicenseNotAbsolute, rxUnknownDirective, rxUnreadMisspelling, rxExtensionOutsideGroup,
	rxIdleSuppression, rxNoSitemap, rxCrawlDelayOfClosed, rxSitemapUnreachable, rxPreferenceNotRead, rxSearchDecides,
	rxUseAfterLastGroup,
	rxServedStatus, rxServedType, rxServedByRedirect, rxServedDifferently, rxServedNotAtAll, rxServedCut,
	rxNotRobotsTxt,
}

// entryNamed returns the entry with a code or a name, ignoring case. It is nil if there is none.
func entryNamed(text string) *Entry {
	for _, c := range catalogue {
		if strings.EqualFold(text, string(c.Code)) || strings.EqualFold(text, c.Name) {
			return c.Entry
		}
	}
	return nil
}

// Named returns the entry with a code or a name, ignoring case, and whether there is one.
func Named(text string) (Entry, bool) {
	if entry := entryNamed(text); entry != nil {
		return *entry, true
	}
	return Entry{}, false
}

// Catalogue returns all kinds of findings, by code.
func Catalogue() []Entry {
	entries := make([]Entry, len(catalogue))
	for i, c := range catalogue {
		entries[i] = *c.Entry
	}
	return entries
}

// About returns the entry of a code, and whether there is one.
func About(code Code) (Entry, bool) { return Named(string(code)) }
