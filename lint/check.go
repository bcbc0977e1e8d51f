package lint

import (
	"cmp"
	"slices"
	"strings"
)

// familiesOfBytes inspect, in this order, the bytes of the whole body. They come before
// the families that read the lines, so that a line that is lost because of its bytes
// has no findings about its words.
var familiesOfBytes = []family{servedFamily, fileNameFamily, encodingFamily, sizeFamily, lineBytesFamily, keyFamily}

// familiesOfText inspect, in this order, the part of the body that the profile's
// crawlers read, unless the body is not text.
var familiesOfText = []family{
	agentFamily, purposeFamily, patternFamily, resourceFamily,
	runFamily, misplacedFamily, repeatFamily, bareGroupFamily, groupLosesFamily, everyoneFamily, siteClosedFamily, siteOpenFamily,
	extensionFamily, noSitemapFamily,
	deadRuleFamily, // after all that mark lines as unclear
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
	Bad   string // a file with the finding, if checked with Example
	Good  string // the same file without the problem
	// Example is the configuration with which Bad has the finding and Good does
	// not.
	Example Config
	// GoodExample is the configuration for Good. nil means Example. They differ if
	// the finding is about how a file is served, which is not in its body.
	GoodExample *Config
}

// catalogue contains all checks, by code. The check of suppressions is in no family,
// because its function needs the catalogue.
var catalogue = func() (checks []*check) {
	for _, f := range slices.Concat(familiesOfBytes, familiesOfText) {
		checks = append(checks, f.checks...)
	}
	checks = append(checks, rxIdleSuppression)
	for _, c := range checks {
		c.Example.Pedantic = c.Pedantic
	}
	slices.SortFunc(checks, func(a, b *check) int { return cmp.Compare(a.Code, b.Code) })
	return checks
}()

// checkNamed returns the check with a code or a name, ignoring case. It is nil if there is none.
func checkNamed(text string) *check {
	for _, c := range catalogue {
		if strings.EqualFold(text, string(c.Code)) || strings.EqualFold(text, c.Name) {
			return c
		}
	}
	return nil
}

// Named returns the entry with a code or a name, ignoring case, and whether there is one.
func Named(text string) (Entry, bool) {
	if c := checkNamed(text); c != nil {
		return c.Entry, true
	}
	return Entry{}, false
}

// Catalogue returns all kinds of findings, by code.
func Catalogue() []Entry {
	entries := make([]Entry, len(catalogue))
	for i, c := range catalogue {
		entries[i] = c.Entry
	}
	return entries
}

// About returns the entry of a code, and whether there is one.
func About(code Code) (Entry, bool) {
	i, found := slices.BinarySearchFunc(catalogue, code, func(c *check, code Code) int { return cmp.Compare(c.Code, code) })
	if !found {
		return Entry{}, false
	}
	return catalogue[i].Entry, true
}
