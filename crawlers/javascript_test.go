package crawlers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// TestJavaScriptReadings checks that the JavaScript package has the readings of the known
// crawlers. "go generate ./crawlers" writes the file.
func TestJavaScriptReadings(t *testing.T) {
	checkGenerated(t, "../npm/src/core/readings.ts", javaScriptReadings(t))
}

// javaScriptReadings returns the source of the readings that a token alone does not show.
func javaScriptReadings(t *testing.T) string {
	stated, chains := map[string][]string{}, map[string][]string{}
	var namedOnly []string
	for c := range crawlers.All() {
		for _, token := range append([]string{c.Token}, c.Aliases...) {
			token = ascii.ToLower(token)
			r, ok := crawlers.ReadingOf(token)
			special := len(c.Fallbacks) > 0 || r.NamedOnly
			if len(c.Fallbacks) > 0 {
				chain := strings.Join(c.Fallbacks, ":")
				chains[chain] = append(chains[chain], token)
			}
			if r.NamedOnly {
				namedOnly = append(namedOnly, token)
			}
			if ok && r.Stated && !(r.Dialect == robotstxt.Google && robotstxt.ValidAgent(token)) {
				special = true
				stated[r.Dialect.String()] = append(stated[r.Dialect.String()], token)
			}
			if special && strings.ContainsAny(token, ":,") {
				t.Errorf("the lists of tokens in readings.ts cannot contain %q", token)
			}
		}
	}
	var b strings.Builder
	b.WriteString("// Code generated from the data of known crawlers by \"go generate ./crawlers\"; DO NOT EDIT.\n\n")
	b.WriteString("/** The crawlers that read in a dialect that their token does not show, by dialect. */\n")
	writeLists(&b, "stated", stated)
	b.WriteString("\n/** The crawlers that ignore the groups for \"*\". */\n")
	fmt.Fprintf(&b, "export const namedOnly = %q;\n", strings.Join(namedOnly, ","))
	b.WriteString("\n/** The crawlers that fall back to other tokens, by these. */\n")
	writeLists(&b, "fallbacks", chains)
	return b.String()
}

// writeLists writes lists of tokens by key as an object.
func writeLists(b *strings.Builder, name string, lists map[string][]string) {
	fmt.Fprintf(b, "export const %s: Readonly<Record<string, string>> = {\n", name)
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(b, "  %q:\n    %q,\n", key, strings.Join(lists[key], ","))
	}
	b.WriteString("};\n")
}
