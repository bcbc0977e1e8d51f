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
	Title    string   // what is wrong, in general, in one sentence
	Why      string   // why it matters, with the clause
	Bad      string   // a file in which it is found, in the profile of Example
	Good     string   // the file as it should be
	// Example is the configuration under which Bad has the finding and Good has
	// not.
	Example Config
	// Mended is the configuration for Good where it is another one: how a file is
	// served does not show in its body. Default: Example.
	Mended *Config
}

// catalogue is all that is checked, by code. The rows stand beside their checks.
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

// severityOf is what the catalogue says of each code.
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
