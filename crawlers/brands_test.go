package crawlers_test

import (
	"fmt"
	"go/format"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

// TestBrands checks that brands.go has the table of brands.tsv, whose names are sorted and whose
// tokens are those of crawlers in use. "go generate ./crawlers" writes it.
func TestBrands(t *testing.T) {
	text, err := os.ReadFile("brands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n")
	var b strings.Builder
	b.WriteString("// Code generated from brands.tsv by go generate; DO NOT EDIT.\n\npackage crawlers\n\n// brands are companies and products whose names people write instead of the names of their crawlers.\nvar brands = [...]struct {\n\tname string\n\ttokens []string\n}{\n")
	last := ""
	for line := range strings.Lines(table) {
		name, list, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		tokens := strings.Split(list, ",")
		if name <= last || strings.ContainsAny(name, " .-_") || strings.ToLower(name) != name {
			t.Errorf("%q after %q: want names in lower case, without marks, in order", name, last)
		}
		for _, token := range tokens {
			if c, ok := crawlers.Find(token); !ok || c.Token != token || c.Status == crawlers.Retired {
				t.Errorf("%s: %q is not the token of a crawler that may be in use", name, token)
			}
		}
		if m, ok := crawlers.Meant(name); !*update &&
			(!ok || m.Why != crawlers.Company || !m.Sure || !slices.Equal(m.Tokens, tokens)) {
			t.Errorf("Meant(%q) = %+v, %v", name, m, ok)
		}
		if operator, ok := crawlers.OperatorNamed(name); !ok {
			t.Errorf("OperatorNamed(%q) = %q", name, operator)
		}
		fmt.Fprintf(&b, "{%q, %#v},\n", name, tokens)
		last = name
	}
	b.WriteString("}\n")
	want, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	checkGenerated(t, "brands.go", string(want))
}
