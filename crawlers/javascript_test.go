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

// coreReadings are the readings of known crawlers that a token alone does not show, for the
// cores in other languages: tokens in lower case.
type coreReadings struct {
	stated, chains map[string][]string // by dialect, by the fallbacks
	namedOnly      []string
}

// TestJavaScriptReadings checks that the JavaScript package has the readings of the known
// crawlers. "go generate ./crawlers" writes the file.
func TestJavaScriptReadings(t *testing.T) {
	r := readingsOfCores(t)
	var b strings.Builder
	b.WriteString("// Code generated from the data of known crawlers by \"go generate ./crawlers\"; DO NOT EDIT.\n\n")
	b.WriteString("/** The crawlers that read in a dialect that their token does not show, by dialect. */\n")
	writeLists(&b, "stated", r.stated)
	b.WriteString("\n/** The crawlers that ignore the groups for \"*\". */\n")
	fmt.Fprintf(&b, "export const namedOnly = %q;\n", strings.Join(r.namedOnly, ","))
	b.WriteString("\n/** The crawlers that fall back to other tokens, by these. */\n")
	writeLists(&b, "fallbacks", r.chains)
	checkGenerated(t, "../npm/src/core/readings.ts", b.String())
}

func readingsOfCores(t *testing.T) coreReadings {
	stated := map[string][]string{}
	chains := map[string][]string{}
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
			isStated := new(robotstxt.Dialect).UnmarshalText([]byte(c.Dialect)) == nil // else of its fallbacks
			if ok && isStated && !(r.Dialect == robotstxt.Google && robotstxt.ValidAgent(token)) {
				special = true
				stated[r.Dialect.String()] = append(stated[r.Dialect.String()], token)
			}
			if special && strings.ContainsAny(token, ":,") {
				t.Errorf("the lists of tokens in the cores cannot contain %q", token)
			}
		}
	}
	return coreReadings{stated, chains, namedOnly}
}

// writeLists writes lists of tokens by key as an object.
func writeLists(b *strings.Builder, name string, lists map[string][]string) {
	fmt.Fprintf(b, "export const %s: Readonly<Record<string, string>> = {\n", name)
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(b, "  %q:\n    %q,\n", key, strings.Join(lists[key], ","))
	}
	b.WriteString("};\n")
}
