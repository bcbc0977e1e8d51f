package crawlers_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentname"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

var update = flag.Bool("update", false, "format crawlers.json, and write rows.go and docs/crawlers.md")

// file is crawlers.json.
type file struct {
	Version  string           `json:"version"`
	Crawlers []crawlers.Entry `json:"crawlers"`
}

// readFile returns crawlers.json.
func readFile(t *testing.T) (f file) {
	t.Helper()
	text, err := os.ReadFile("crawlers.json")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestDataIsFormatted checks that the data file is sorted, and indented as Go does, so
// that a diff contains only changed facts, that its dates and verified fields are those
// of the claims, and that its ranks are those of the sample if ROBOTSTXT_CORPUS2026 is set.
// "go generate ./crawlers" formats the file.
func TestDataIsFormatted(t *testing.T) {
	f := readFile(t)
	for i := range f.Crawlers {
		derive(&f.Crawlers[i])
	}
	rank(t, f.Crawlers)
	slices.SortStableFunc(f.Crawlers, func(a, b crawlers.Entry) int {
		return cmp.Compare(strings.ToLower(a.Token), strings.ToLower(b.Token))
	})
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(f); err != nil {
		t.Fatal(err)
	}
	checkGenerated(t, "crawlers.json", want.String())
	if i := bytes.IndexFunc(want.Bytes(), func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("crawlers.json contains %q at byte %d: it must be ASCII", want.Bytes()[i], i)
	}
}

// TestEntries checks that each entry uses known values, refers only to known
// crawlers, and has claims for its facts.
func TestEntries(t *testing.T) {
	f := readFile(t)
	if _, err := time.Parse(time.DateOnly, f.Version); err != nil {
		t.Errorf("version %q, want a date", f.Version)
	}
	seen := map[string]bool{}
	for _, e := range f.Crawlers {
		for _, name := range append([]string{e.Token}, e.Aliases...) {
			key := strings.ToLower(name)
			if seen[key] || key == "" || strings.TrimSpace(key) != key {
				t.Errorf("token or alias %q is a duplicate or invalid", name)
			}
			seen[key] = true
		}
		checkWords(t, e.Crawler)
		checkNames(t, e.Crawler)
		checkClaims(t, e, f.Version)
	}
}

func checkWords(t *testing.T, c crawlers.Crawler) {
	for i, purpose := range c.Purposes {
		if !slices.Contains(crawlers.Purposes(), purpose) || slices.Contains(c.Purposes[:i], purpose) {
			t.Errorf("%s: purpose %q is a duplicate or not among Purposes", c.Token, purpose)
		}
	}
	if len(c.Purposes) == 0 || len(c.Purposes) > 1 && slices.Contains(c.Purposes, crawlers.Unknown) {
		t.Errorf("%s: purposes %q", c.Token, c.Purposes)
	}
	if c.Operator == "" {
		t.Errorf("%s: no operator; write %q", c.Token, crawlers.Unknown)
	}
	known := []crawlers.Obeys{crawlers.ObeysAll, crawlers.ObeysNamed, crawlers.ObeysNone, crawlers.Unknown}
	if !slices.Contains(known, c.Obeys) {
		t.Errorf("%s: obeys %q", c.Token, c.Obeys)
	}
	if !slices.Contains([]crawlers.Status{crawlers.Active, crawlers.Retired, crawlers.Unknown}, c.Status) {
		t.Errorf("%s: status %q", c.Token, c.Status)
	}
	if d := new(robotstxt.Dialect); c.Dialect != crawlers.Unknown &&
		(d.UnmarshalText([]byte(c.Dialect)) != nil || !d.ValidAgent(c.Token)) {
		t.Errorf("%s: dialect %q is unknown, or cannot name the token", c.Token, c.Dialect)
	}
	for line, answer := range c.Extensions {
		if !slices.Contains([]crawlers.Answer{crawlers.Yes, crawlers.No, crawlers.Unknown}, answer) ||
			answer == crawlers.Unknown && line != "Crawl-delay" {
			t.Errorf("%s: %s is %q", c.Token, line, answer)
		}
		if !slices.Contains(extensions, line) {
			t.Errorf("%s: line %q is not one of %q", c.Token, line, extensions)
		}
	}
	if c.Extensions["Crawl-delay"] == "" {
		t.Errorf("%s: no answer for Crawl-delay; write %q", c.Token, crawlers.Unknown)
	}
	if c.Limits.Bytes < 0 || c.Limits.Rules < 0 || c.Limits.RuleChars < 0 {
		t.Errorf("%s: limits %+v", c.Token, c.Limits)
	}
	if c.Cache != crawlers.Unknown && !regexp.MustCompile(`^[1-9]\d*h$`).MatchString(c.Cache) {
		t.Errorf("%s: cache %q; write a number of hours", c.Token, c.Cache)
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
		if slices.Contains(c.Replacements, token) && other.Status == crawlers.Retired {
			t.Errorf("%s: its replacement %s is retired too", c.Token, token)
		}
	}
	if tokens := c.Tokens(); len(slices.Compact(slices.Sorted(slices.Values(tokens)))) != len(tokens) {
		t.Errorf("%s: tokens %q", c.Token, tokens)
	}
	if len(c.Replacements) > 0 && c.Status != crawlers.Retired {
		t.Errorf("%s: has a replacement but is not retired", c.Token)
	}
	for _, mask := range c.ReverseDNS {
		if !strings.HasPrefix(strings.TrimLeft(mask, "abcdefghijklmnopqrstuvwxyz-"), "*") || !strings.Contains(mask, ".") {
			t.Errorf("%s: %q is no mask", c.Token, mask)
		}
	}
}

// known returns the JSON names of the fields with a known value that a claim can
// support.
func known(c crawlers.Crawler) (fields []string) {
	for _, f := range []struct {
		name  string
		known bool
	}{
		{"operator", c.Operator != crawlers.Unknown},
		{"purposes", c.Purposes[0] != crawlers.Unknown},
		{"obeys", c.Obeys != crawlers.Unknown},
		{"control", c.Control},
		{"fallbacks", len(c.Fallbacks) > 0},
		{"dialect", c.Dialect != crawlers.Unknown},
		{"status", c.Status != crawlers.Unknown},
		{"replacements", len(c.Replacements) > 0},
		{"extensions", len(c.Extensions) > 1 || c.Extensions["Crawl-delay"] != crawlers.Unknown},
		{"limits", c.Limits != crawlers.Limits{}},
		{"cache", c.Cache != crawlers.Unknown},
		{"reverse_dns", len(c.ReverseDNS) > 0},
		{"ip_ranges", len(c.IPRanges) > 0},
	} {
		if f.known {
			fields = append(fields, f.name)
		}
	}
	return fields
}

func checkClaims(t *testing.T, e crawlers.Entry, version string) {
	var urls, supported []string
	for _, claim := range e.Claims {
		urls = append(urls, claim.URL)
		if !isDate(claim.Date) || claim.Date != crawlers.Unknown && claim.Date > version {
			t.Errorf("%s: date %q", e.Token, claim.Date)
		}
		if claim.Quote == "" || strings.TrimSpace(claim.Quote) != claim.Quote {
			t.Errorf("%s: quote %q; write %q if there is none", e.Token, claim.Quote, crawlers.Unknown)
		}
		if len(claim.Fields) == 0 || !slices.IsSorted(claim.Fields) {
			t.Errorf("%s: fields %q of a claim", e.Token, claim.Fields)
		}
		for _, field := range claim.Fields {
			if field == "aliases" && len(e.Aliases) > 0 {
				continue
			}
			if !slices.Contains(append(known(e.Crawler), "refuses", "token", "listed", "first_seen", "last_seen"), field) {
				t.Errorf("%s: a claim for %s, which is unknown", e.Token, field)
			}
		}
		supported = append(supported, claim.Fields...)
		checkSource(t, e, claim)
	}
	for _, field := range known(e.Crawler) {
		// Operator and purposes of some well-known programs are common knowledge.
		if field != "operator" && field != "purposes" && !slices.Contains(supported, field) {
			t.Errorf("%s: no claim supports %s", e.Token, field)
		}
	}
	_, err := time.Parse(time.DateOnly, e.Checked)
	if unchecked := e.Checked == crawlers.Unknown; unchecked != (err != nil) ||
		unchecked != (len(e.Claims) == 0) || !unchecked && e.Checked > version {
		t.Errorf("%s: checked %q with %d claims", e.Token, e.Checked, len(e.Claims))
	}
	for _, text := range slices.Concat(urls, e.IPRanges) {
		if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			t.Errorf("%s: %q is not an absolute URL", e.Token, text)
		}
	}
}

// derive sets the fields that follow from the claims: which facts a passage of the operator
// verifies, and the dates.
func derive(e *crawlers.Entry) {
	e.Verified, e.Listed, e.FirstSeen, e.LastSeen = []string{}, crawlers.Unknown, crawlers.Unknown, crawlers.Unknown
	facts := append(known(e.Crawler), "refuses")
	for _, c := range e.Claims {
		for _, field := range c.Fields {
			if c.Source == crawlers.FromOperator && c.Quote != crawlers.Unknown && slices.Contains(facts, field) {
				e.Verified = append(e.Verified, field)
			}
			switch {
			case c.Date == crawlers.Unknown:
			case field == "listed":
				e.Listed = min(e.Listed, c.Date) // digits sort before Unknown
			case field == "first_seen":
				e.FirstSeen = min(e.FirstSeen, c.Date)
			case field == "last_seen" && (e.LastSeen == crawlers.Unknown || e.LastSeen < c.Date):
				e.LastSeen = c.Date
			}
		}
	}
	slices.Sort(e.Verified)
	e.Verified = slices.Compact(e.Verified)
}

// rank sets the ranks: the places by how many files of the sample name the crawlers. Without the
// sample they stay, and new entries have the last place.
func rank(t *testing.T, entries []crawlers.Entry) {
	sample, _ := witness.Newer(t)
	if sample == nil {
		last := 0
		for _, e := range entries {
			last = max(last, e.Rank)
		}
		for i := range entries {
			entries[i].Rank = cmp.Or(entries[i].Rank, last)
		}
		return
	}
	if len(sample) != 246 {
		t.Errorf("the sample has %d files, and texts say 246", len(sample))
	}
	byName := map[string]int{}
	for i, e := range entries {
		for _, name := range append([]string{e.Token}, e.Aliases...) {
			byName[strings.ToLower(name)] = i
		}
	}
	files := make([]int, len(entries))
	for _, body := range sample {
		named := map[int]bool{}
		for _, name := range agentname.InLines(robotstxt.Google.Parse(body), body) {
			if i, known := byName[strings.ToLower(name.Text)]; known && !named[i] {
				named[i] = true
				files[i]++
			}
		}
	}
	for i := range entries {
		entries[i].Rank = 1
		for _, n := range files {
			if n > files[i] {
				entries[i].Rank++
			}
		}
	}
}

// checkSource checks that a claim supports no more than its kind of source can: a list
// shows only that it knows a name, and only the operator knows what it uses.
func checkSource(t *testing.T, e crawlers.Entry, claim crawlers.Claim) {
	if !slices.Contains([]crawlers.Source{crawlers.FromOperator, crawlers.FromList, crawlers.FromOther}, claim.Source) {
		t.Errorf("%s: source %q", e.Token, claim.Source)
	}
	for field, sources := range map[string][]crawlers.Source{
		"listed":     {crawlers.FromList},
		"first_seen": {crawlers.FromOperator, crawlers.FromOther},
		"last_seen":  {crawlers.FromOperator},
		"cache":      {crawlers.FromOperator},
		"dialect":    {crawlers.FromOperator},
		"refuses":    {crawlers.FromOperator},
	} {
		if slices.Contains(claim.Fields, field) && !slices.Contains(sources, claim.Source) {
			t.Errorf("%s: a claim of source %q for %s", e.Token, claim.Source, field)
		}
	}
	if !slices.Contains(claim.Fields, "listed") {
		return
	}
	quote := regexp.MustCompile(`\\|\[(\w)\w\]`).ReplaceAllString(claim.Quote, "$1")
	if !slices.ContainsFunc(append(e.Aliases, e.Token), func(name string) bool {
		return regexp.MustCompile(`(?i)(^|[^\w-])` + regexp.QuoteMeta(name) + `($|[^\w-])`).MatchString(quote)
	}) {
		t.Errorf("%s: a list that says %q does not name it", e.Token, claim.Quote)
	}
}

// isDate reports whether text is a day, a month, a year or Unknown.
func isDate(text string) bool {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return text == crawlers.Unknown
}
