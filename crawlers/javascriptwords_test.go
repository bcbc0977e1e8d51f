package crawlers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// TestJavaScriptWords checks that the JavaScript package has the words of words.txt, and the
// names of known crawlers that are not read as any other name would be. "go generate ./crawlers"
// writes the file.
func TestJavaScriptWords(t *testing.T) {
	words := wordsOfCores(t)
	var b strings.Builder
	b.WriteString("// Code generated from words.txt and the data of known crawlers by \"go generate ./crawlers\"; DO NOT EDIT.\n")
	for _, kind := range []string{"vehicle", "client", "never", "beginning", "comparing"} {
		fmt.Fprintf(&b, "\nexport const %s =\n  %q;\n", kind, strings.Join(words[kind], " "))
	}
	b.WriteString("\n/** The tokens of crawlers by names, in lower case, with blanks or without a letter; \"\" if they are equal. */\n")
	b.WriteString("export const names: Readonly<Record<string, string>> = {\n")
	for _, n := range namesOfCores(words) {
		fmt.Fprintf(&b, "  %q: %q,\n", n.name, n.token)
	}
	b.WriteString("};\n")
	checkGenerated(t, "../npm/src/core/words.ts", b.String())
}

// wordsOfCores returns the words of words.txt. Vehicles that are known, among them all clients, are
// of the kind client, because Sender prefers them to others.
func wordsOfCores(t *testing.T) map[string][]string {
	words := readWords(t)
	names := words["vehicle"]
	for c := range crawlers.All() {
		if slices.Contains(c.Purposes, "client") {
			names = append(append(names, c.Aliases...), c.Token)
		}
	}
	words["vehicle"] = nil
	for _, name := range names {
		kind := "vehicle"
		if _, known := crawlers.Find(name); known {
			kind = "client"
		}
		if !strings.Contains(name, " ") {
			words[kind] = append(words[kind], ascii.ToLower(name))
		}
	}
	for _, kind := range []string{"vehicle", "client"} {
		slices.Sort(words[kind])
		words[kind] = slices.Compact(words[kind])
	}
	return words
}

// coreName is a name in lower case with the token of its crawler, "" if they are equal.
type coreName struct{ name, token string }

// namesOfCores returns the names that the cores in other languages cannot read as any other name.
func namesOfCores(words map[string][]string) (names []coreName) {
	isNumber := func(name string) bool {
		return !strings.ContainsFunc(name, func(r rune) bool { return ascii.IsLetter(byte(r)) })
	}
	isBeginning := func(name string) bool {
		return slices.ContainsFunc(words["beginning"], func(b string) bool { return ascii.HasPrefixFold(name, b) })
	}
	for c := range crawlers.All() {
		for _, name := range append(c.Aliases, c.Token) {
			first, _, several := strings.Cut(name, " ")
			if found, _ := crawlers.Find(first); several && found.Token != c.Token ||
				isNumber(name) || isBeginning(name) {
				token := c.Token
				if ascii.EqualFold(token, name) {
					token = ""
				}
				names = append(names, coreName{ascii.ToLower(name), token})
			}
		}
	}
	return names
}
