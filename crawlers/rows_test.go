package crawlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/golden"
)

// TestRows checks that rows.go has the facts of crawlers.json. "go generate
// ./crawlers" writes it.
func TestRows(t *testing.T) {
	want, err := format.Source(rowsSource(readFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	checkGenerated(t, "rows.go", string(want))
}

// checkGenerated compares a file with what "go generate ./crawlers" writes, or writes it.
func checkGenerated(t *testing.T, name, want string) {
	t.Helper()
	golden.Check(t, *update, name, []byte(want), "go generate ./crawlers")
}

// TestRowsAreTheFile checks that the package returns exactly the entries of
// crawlers.json. After an update, the tests must run again to see the new rows.
func TestRowsAreTheFile(t *testing.T) {
	if *update {
		t.Skip("the rows in this process are those before the update")
	}
	f := readFile(t)
	if crawlers.Version() != f.Version {
		t.Errorf("Version() = %q, want %q", crawlers.Version(), f.Version)
	}
	var entries []crawlers.Entry
	for c := range crawlers.All() {
		entries = append(entries, crawlers.Entry{Crawler: c, Claims: crawlers.Claims(c.Token)})
	}
	if len(entries) != len(f.Crawlers) {
		t.Fatalf("%d crawlers, want %d", len(entries), len(f.Crawlers))
	}
	for i, entry := range entries {
		got, want := marshal(t, entry), marshal(t, f.Crawlers[i])
		if got != want {
			t.Errorf("entry %d is %s, want %s", i, got, want)
		}
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rowsSource returns the source of rows.go, not yet formatted.
func rowsSource(f file) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated from crawlers.json by go generate; DO NOT EDIT.\n\npackage crawlers\n\nconst version = %q\n\n", f.Version)
	b.WriteString("// rows are sorted by token.\nvar rows = [...]row{\n")
	type name struct {
		text string
		row  int
	}
	var names []name
	for i, c := range f.Crawlers {
		b.WriteString(rowSource(c.Crawler))
		for _, text := range append([]string{c.Token}, c.Aliases...) {
			names = append(names, name{text, i})
		}
	}
	b.WriteString("}\n\n// names are sorted without regard to case.\nvar names = [...]name{\n")
	slices.SortFunc(names, func(a, b name) int {
		return strings.Compare(strings.ToLower(a.text), strings.ToLower(b.text))
	})
	for _, n := range names {
		fmt.Fprintf(&b, "{%q, %d, %#x},\n", n.text, n.row, crawlers.LettersOf(n.text))
	}
	b.WriteString("}\n\n// claims have the order of rows.\nvar claims = [...][]Claim{\n")
	for _, c := range f.Crawlers {
		b.WriteString("{")
		for _, claim := range c.Claims {
			fmt.Fprintf(&b, "\n{%#v, %q, %q, %q, %q},", claim.Fields, claim.URL, claim.Date, claim.Quote, claim.Source)
		}
		b.WriteString("\n},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// unqualified removes the name of the package from types.
var unqualified = strings.NewReplacer("[]crawlers.", "[]", "crawlers.Limits{", "Limits{")

// rowSource returns a row without the fields that are zero.
func rowSource(c crawlers.Crawler) string {
	var b strings.Builder
	fields := reflect.TypeFor[crawlers.Crawler]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		value := reflect.ValueOf(c).Field(i)
		if value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0 || name == "Extensions" {
			continue
		}
		text := fmt.Sprintf("%#v", value)
		fmt.Fprintf(&b, "%s: %s, ", name, unqualified.Replace(text))
	}
	extensions := "[]extension{"
	for _, key := range slices.Sorted(maps.Keys(c.Extensions)) {
		extensions += fmt.Sprintf("{%q, %q}, ", key, c.Extensions[key])
	}
	return fmt.Sprintf("{Crawler{%s}, %s}},\n", strings.TrimSuffix(b.String(), ", "), strings.TrimSuffix(extensions, ", "))
}
