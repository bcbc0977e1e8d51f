package crawlers_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
)

var update = flag.Bool("update", false, "format crawlers.json, and write docs/crawlers.md")

// file is crawlers.json.
type file struct {
	Version  string             `json:"version"`
	Crawlers []crawlers.Crawler `json:"crawlers"`
}

// TestDataIsFormatted checks that the data file is sorted, and indented as Go does, so
// that a diff contains only changed facts. "go generate ./crawlers" formats the
// file.
func TestDataIsFormatted(t *testing.T) {
	const name = "crawlers.json"
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(got))
	decoder.DisallowUnknownFields()
	var f file
	if err := decoder.Decode(&f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	slices.SortStableFunc(f.Crawlers, func(a, b crawlers.Crawler) int {
		return cmp.Compare(strings.ToLower(a.Token), strings.ToLower(b.Token))
	})
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(f); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		got = want.Bytes()
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not sorted and indented: run go generate ./crawlers", name)
	}
	if i := bytes.IndexFunc(got, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("%s contains %q at byte %d: it must be ASCII", name, got[i], i)
	}
}

// TestEntries checks that each entry uses known values, refers only to known
// crawlers, and has sources.
func TestEntries(t *testing.T) {
	if _, err := time.Parse(time.DateOnly, crawlers.Version()); err != nil {
		t.Errorf("Version() = %q, want a date", crawlers.Version())
	}
	seen := map[string]bool{}
	for c := range crawlers.All() {
		key := strings.ToLower(c.Token)
		if seen[key] || key == "" || strings.TrimSpace(key) != key {
			t.Errorf("token %q is a duplicate or invalid", c.Token)
		}
		seen[key] = true
		checkWords(t, c)
		checkNames(t, c)
		checkSources(t, c)
	}
	if len(seen) < 100 {
		t.Errorf("only %d crawlers", len(seen))
	}
}

func checkWords(t *testing.T, c crawlers.Crawler) {
	for i, purpose := range c.Purposes {
		if !slices.Contains(crawlers.Purposes(), purpose) || slices.Contains(c.Purposes[:i], purpose) {
			t.Errorf("%s: purpose %q is a duplicate or not among Purposes", c.Token, purpose)
		}
	}
	if len(c.Purposes) == 0 || len(c.Purposes) > 1 && slices.Contains(c.Purposes, "unknown") {
		t.Errorf("%s: purposes %q", c.Token, c.Purposes)
	}
	known := []crawlers.Obeys{crawlers.ObeysUnknown, crawlers.ObeysAll, crawlers.ObeysNamed, crawlers.ObeysNone}
	if !slices.Contains(known, c.Obeys) {
		t.Errorf("%s: obeys %q", c.Token, c.Obeys)
	}
	for line, answer := range c.Extensions {
		if answer != crawlers.Yes && answer != crawlers.No {
			t.Errorf("%s: %s is %q; omit it if unknown", c.Token, line, answer)
		}
		if !slices.Contains(extensions, line) {
			t.Errorf("%s: line %q is not one of %q", c.Token, line, extensions)
		}
	}
	if c.Limits.Bytes < 0 || c.Limits.Rules < 0 || c.Limits.RuleChars < 0 {
		t.Errorf("%s: limits %+v", c.Token, c.Limits)
	}
	if c.Control && c.Obeys == crawlers.ObeysNone {
		t.Errorf("%s: a control token without Obeys", c.Token)
	}
}

// extensions are the lines that the data cover, in one spelling.
var extensions = []string{"Clean-param", "Content-Signal", "Content-Usage", "Crawl-delay", "Host", "License", "Noindex", "Request-rate", "Visit-time"}

func checkNames(t *testing.T, c crawlers.Crawler) {
	for _, token := range slices.Concat(c.Fallbacks, c.Replacements) {
		other, ok := crawlers.Find(token)
		if !ok || other.Token != token || token == c.Token {
			t.Errorf("%s: no other crawler %q", c.Token, token)
		}
		if slices.Contains(c.Replacements, token) && other.Retired {
			t.Errorf("%s: its replacement %s is retired too", c.Token, token)
		}
	}
	if tokens := c.Tokens(); len(slices.Compact(slices.Sorted(slices.Values(tokens)))) != len(tokens) {
		t.Errorf("%s: tokens %q", c.Token, tokens)
	}
	if len(c.Replacements) > 0 && !c.Retired {
		t.Errorf("%s: has a replacement but is not retired", c.Token)
	}
}

func checkSources(t *testing.T, c crawlers.Crawler) {
	if c.Verified && len(c.Sources) == 0 {
		t.Errorf("%s: verified without a source", c.Token)
	}
	var urls []string
	for _, source := range c.Sources {
		urls = append(urls, source.URL)
		_, day := time.Parse(time.DateOnly, source.Date)
		_, month := time.Parse("2006-01", source.Date)
		if source.Date != "" && day != nil && month != nil || source.Date > crawlers.Version() {
			t.Errorf("%s: date %q", c.Token, source.Date)
		}
	}
	for _, text := range slices.Concat(urls, c.IPRanges) {
		if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			t.Errorf("%s: %q is not an absolute URL", c.Token, text)
		}
	}
	for _, mask := range c.ReverseDNS {
		if !strings.HasPrefix(strings.TrimLeft(mask, "abcdefghijklmnopqrstuvwxyz-"), "*") || !strings.Contains(mask, ".") {
			t.Errorf("%s: %q is no mask", c.Token, mask)
		}
	}
}
