package crawlers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestPythonCrawlers checks that the Python package has the readings of the known crawlers, the
// words of words.txt, and the names of known crawlers that are not read as any other name would
// be. "go generate ./crawlers" writes the file.
func TestPythonCrawlers(t *testing.T) {
	r := readingsOfCores(t)
	words := wordsOfCores(t)
	var b strings.Builder
	b.WriteString("# Code generated from words.txt and the data of known crawlers by \"go generate ./crawlers\"; DO NOT EDIT.\n")
	writePythonLists(&b, "The crawlers that read in a dialect that their token does not show, by dialect.", "STATED", r.stated)
	fmt.Fprintf(&b, "\n# The crawlers that ignore the groups for \"*\".\nNAMED_ONLY = %q\n", strings.Join(r.namedOnly, ","))
	writePythonLists(&b, "The crawlers that fall back to other tokens, by these.", "FALLBACKS", r.chains)
	b.WriteString("\n# The words of User-Agent headers by what they are.\n")
	for _, kind := range []string{"vehicle", "client", "never", "beginning", "comparing"} {
		fmt.Fprintf(&b, "%s = %q\n", strings.ToUpper(kind), strings.Join(words[kind], " "))
	}
	b.WriteString("\n# The tokens of crawlers by names, in lower case, with blanks or without a letter; \"\" if they are equal.\nNAMES = {\n")
	for _, n := range namesOfCores(words) {
		fmt.Fprintf(&b, "    %q: %q,\n", n.name, n.token)
	}
	b.WriteString("}\n")
	checkGenerated(t, "../python/src/kosterhq_robotstxt/crawlers.py", b.String())
}

// writePythonLists writes lists of tokens by key as a dictionary.
func writePythonLists(b *strings.Builder, comment, name string, lists map[string][]string) {
	fmt.Fprintf(b, "\n# %s\n%s = {\n", comment, name)
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(b, "    %q: %q,\n", key, strings.Join(lists[key], ","))
	}
	b.WriteString("}\n")
}
