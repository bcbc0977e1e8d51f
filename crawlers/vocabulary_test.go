package crawlers_test

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

// TestVocabulary checks that vocabulary.go has the names of crawlers.json and the words of
// words.txt. "go generate ./crawlers" writes it.
func TestVocabulary(t *testing.T) {
	want, err := format.Source(vocabularySource(t, readFile(t), readWords(t)))
	if err != nil {
		t.Fatal(err)
	}
	checkGenerated(t, "vocabulary.go", string(want))
}

// readWords returns the words of words.txt by the first word of the comment above them.
func readWords(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string][]string{}
	kind := ""
	for line := range strings.Lines(string(text)) {
		if comment, found := strings.CutPrefix(line, "# "); found {
			kind, _, _ = strings.Cut(comment, ":")
			continue
		}
		words[kind] = append(words[kind], strings.Fields(line)...)
	}
	return words
}

// vocabularySource returns the source of vocabulary.go, not yet formatted.
func vocabularySource(t *testing.T, f file, words map[string][]string) []byte {
	type term struct {
		text, kind string
		row        int
	}
	var terms []term
	rows := map[string]int{} // by name, in lower case
	for i, c := range f.Crawlers {
		for _, name := range append([]string{c.Token}, c.Aliases...) {
			rows[strings.ToLower(name)] = i
		}
	}
	for _, kind := range []string{"vehicle", "never", "comparing", "introducing"} {
		for _, text := range words[kind] {
			row, found := rows[text]
			if !found {
				row = -1
			} else if kind != "vehicle" {
				t.Errorf("words.txt has %q, which is a crawler, as %s", text, kind)
			}
			terms = append(terms, term{text, kind, row})
			if strings.ToLower(text) != text || strings.ContainsAny(text, "/+") {
				t.Errorf("words.txt: %q is no word in lower case", text)
			}
		}
	}
	for i, c := range f.Crawlers {
		kind := "known"
		if slices.Contains(c.Purposes, "client") {
			kind = "vehicle"
		}
		for _, name := range append([]string{c.Token}, c.Aliases...) {
			// Sender reads the first word of a name such as "Brightbot 1.0".
			first := name[:strings.IndexAny(name+" ", " /")]
			if row, found := rows[strings.ToLower(first)]; name != first && found && row == i {
				continue
			}
			if strings.ContainsAny(name, "/+()[]{}<>\"';,|@") {
				t.Errorf("a header cannot contain the name %q as one word", name)
			}
			if !slices.ContainsFunc(terms, func(t term) bool { return strings.EqualFold(t.text, name) }) {
				terms = append(terms, term{name, kind, i})
			}
		}
	}
	slices.SortFunc(terms, func(a, b term) int { // names of several words before their first
		if n := strings.Count(b.text, " ") - strings.Count(a.text, " "); n != 0 {
			return n
		}
		return strings.Compare(strings.ToLower(a.text), strings.ToLower(b.text))
	})
	const size = 4096
	var slots [size]int
	for i, term := range terms {
		first, _, _ := strings.Cut(term.text, " ")
		at := crawlers.Hash(first)
		for ; slots[at%size] != 0; at++ {
		}
		slots[at%size] = i + 1
	}
	var b bytes.Buffer
	b.WriteString("// Code generated from crawlers.json and words.txt by go generate; DO NOT EDIT.\n\npackage crawlers\n\n")
	b.WriteString("// terms are the vocabulary. Names of several words are in front.\nvar terms = [...]term{\n")
	for _, t := range terms {
		fmt.Fprintf(&b, "{%q, %s, %d},\n", t.text, t.kind, t.row)
	}
	fmt.Fprintf(&b, "}\n\n// beginnings of words that are never crawlers.\nvar beginnings = %#v\n\n", words["beginning"])
	fmt.Fprintf(&b, "// slots are the numbers of terms, from 1, by the hash of their first word. If the slot is\n// taken, the number is in the next free one.\nvar slots = [%d]uint16{", size)
	for i, n := range slots {
		if i%32 == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%d,", n)
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}
