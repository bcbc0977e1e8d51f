package lint

import (
	"cmp"
	"slices"
)

// Entry describes a kind of finding.
type Entry struct {
	Code     Code
	Name     string   // in words, for people and pages: "agent-with-space"
	Severity Severity // in profile Google; Off if only others report it
	Title    string   // the problem, in one sentence
	Why      string   // why it matters, with its clause
	Bad      string   // a file with the finding, if checked with Example
	Good     string   // the same file without the problem
	// Example is the configuration with which Bad has the finding and Good does
	// not.
	Example Config
	// GoodExample is the configuration for Good. nil means Example. They differ if
	// the finding is about how a file is served, which is not in its body.
	GoodExample *Config
}

// catalogue contains all kinds of findings, by code. Each row is in the file of its
// check.
var catalogue = slices.SortedFunc(slices.Values(slices.Concat(
	agentEntries,
	patternEntries,
	percentEntries,
	starEntries,
	widthEntries,
	deadRuleEntries,
	tieEntries,
	emptyRuleEntries,
	groupEntries,
	byteEntries,
	extensionEntries,
	servedEntries,
)), func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })

// severityOf contains the severity of each code, from the catalogue.
var severityOf = func() map[Code]Severity {
	severities := make(map[Code]Severity, len(catalogue))
	for i := range catalogue {
		severities[catalogue[i].Code] = catalogue[i].Severity
	}
	return severities
}()

// Catalogue returns all kinds of findings, by code.
func Catalogue() []Entry { return slices.Clone(catalogue) }

// About returns the entry of a code, and whether there is one.
func About(code Code) (Entry, bool) {
	i := slices.IndexFunc(catalogue, func(e Entry) bool { return e.Code == code })
	if i < 0 {
		return Entry{}, false
	}
	return catalogue[i], true
}
