package audit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
)

// crawlersTable audits the file of a host, and returns the table of crawlers.
func crawlersTable(t *testing.T, agent, body string) (name string) {
	t.Helper()
	dir := t.TempDir()
	text, _ := json.Marshal(map[string]string{"host": "a.example", "body": body})
	writeFile(t, filepath.Join(dir, "in.ndjson"), text)
	sources, _ := openSources([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
	options := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, agent), Exact: true}}
	writeTables(t, audited(t, options, 1, sources), dir, "crawlers.parquet")
	return filepath.Join(dir, "crawlers.parquet")
}

// rewritten writes the rows of a table of crawlers again, as a program that joins tables does: with all columns, and
// without what robots says in the metadata.
func rewritten(t *testing.T, name string, change func(*audit.Crawler)) string {
	t.Helper()
	rows, err := parquet.ReadFile[audit.Crawler](name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		change(&rows[i])
	}
	name = filepath.Join(t.TempDir(), "crawlers.parquet")
	if err := parquet.WriteFile(name, rows); err != nil {
		t.Fatal(err)
	}
	return name
}

// warned compares two tables, and returns the comparison with its warnings in one text.
func warned(t *testing.T, before, after string) (compared *audit.Comparison, warnings string) {
	t.Helper()
	census := audit.NewCensus(audit.ByHost, true)
	for i, name := range []string{before, after} {
		if err := census.ReadTable(t.Context(), audit.Table{Name: name, Label: []string{"old", "new"}[i]}); err != nil {
			t.Fatal(err)
		}
	}
	crawls := census.Crawls()
	compared, err := crawls[1].Compare(crawls[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return compared, strings.Join(compared.Warnings, "\n")
}

// TestRestIsKnownToLack: a warning says that a table has no column rest if it lacks it, even if another table was
// joined that has it, and not if only the readings of a crawler differ about the rest.
func TestRestIsKnownToLack(t *testing.T) {
	const differ = "User-agent: GPTBot2\nDisallow: /\nAllow: /about\n\nUser-agent: *\nDisallow: /cart\n"
	rows, err := parquet.ReadFile[audit.Crawler](crawlersTable(t, "GPTBot", differ))
	if err != nil || text(rows[0].Access) != "partly" || rows[0].Rest != nil {
		t.Fatal(rows, err)
	}
	without := func(row *audit.Crawler) { row.Rest = nil }
	const part = "User-agent: *\nDisallow: /cart\n"
	for _, c := range []struct {
		name, agent, body string
		change            func(*audit.Crawler)
		want              bool
	}{
		{"readings differ", "GPTBot", differ, func(*audit.Crawler) {}, false},
		{"one reading, joined", "Googlebot", part, without, true},
		{"one reading", "Googlebot", part, func(*audit.Crawler) {}, false},
	} {
		before := rewritten(t, crawlersTable(t, c.agent, c.body), c.change)
		_, got := warned(t, before, crawlersTable(t, c.agent, c.body))
		if strings.Contains(got, `a table of old has no column "rest"`) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestSizeOfDifferingReadings: if the readings of a crawler differ about the rest, the size of a change is null, and
// the column says so.
func TestSizeOfDifferingReadings(t *testing.T) {
	census := audit.NewCensus(audit.ByHost, true)
	for label, body := range map[string]string{"old": "", "new": "User-agent: GPTBot2\nDisallow: /\nAllow: /about\n\nUser-agent: *\nDisallow: /cart\n"} {
		census.Crawl("old") // the first one
		if err := census.ReadTable(t.Context(), audit.Table{Name: crawlersTable(t, "GPTBot", body), Label: label}); err != nil {
			t.Fatal(err)
		}
	}
	crawls := census.Crawls()
	_, err := crawls[1].Compare(crawls[0], func(row *audit.ChangeRow) error {
		if row.Was != "open" || row.Is != "partly" || text(row.Effect) != "closes" || row.Size != nil {
			t.Errorf("%+v", row)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range audit.Schema() {
		for _, c := range table.Columns {
			if table.Name == "changes" && (c.Name == "was" || c.Name == "size") && !strings.Contains(c.Doc, "if the readings of the crawler differ about the") {
				t.Errorf("%s: %s", c.Name, c.Doc)
			}
		}
	}
}

// TestEarlierNames: if a table might be of a version that called a group for another crawler one that names this one, a
// warning says that "no longer named" might be that.
func TestEarlierNames(t *testing.T) {
	const body = "User-agent: Googlebot\nDisallow: /\n"
	now := crawlersTable(t, "Applebot", body)
	earlier := rewritten(t, now, func(row *audit.Crawler) { *row.MatchedBy = robotstxt.MatchedByName })
	for _, c := range []struct{ before, after, want string }{
		{now, now, ""},
		{earlier, now, `a table of old might be of a version that said that a file names a crawler even if the crawler only falls back to a group for another one: this might cause some of the sites "no longer named" of Applebot; audit its files again`},
		{now, earlier, `a table of new might be of a version that said that a file names a crawler even if the crawler only falls back to a group for another one: this might cause some of the sites "named now" of Applebot; audit its files again`},
		{crawlersTable(t, "Applebot", "User-agent: Applebot\nDisallow: /\n"), now, ""},
		{earlier, crawlersTable(t, "Applebot", "User-agent: *\nDisallow: /\n"), ""},
	} {
		compared, got := warned(t, c.before, c.after)
		if got != c.want {
			t.Errorf("%+v: %q, want %q", compared.Crawlers["Applebot"], got, c.want)
		}
	}
}

// TestPartsOfVersions: parts of a version whose rows mean something else are refused with its name, and parts of
// another one are continued.
func TestPartsOfVersions(t *testing.T) {
	config := audit.PartsConfig{Settings: map[string]any{"inputs": []string{"a"}}, Tool: "v1.2.3"}
	for _, c := range []struct{ old, new, want string }{
		{`"Tool": "v1.2.3"`, `"Tool": "v1.2.4"`, ""},
		{`"Meaning": 1`, `"Meaning": 0`, "has the unfinished work of robots v1.2.3, whose rows this version cannot continue"},
		{"\"Meaning\": 1,\n  \"Tool\": \"v1.2.3\"", `"Meaning": 0`, "has the unfinished work of another version of robots, whose rows"},
		{`"a"`, `"b"`, "has parts of an audit with other options or inputs"},
		{`"a"`, `"b`, "is damaged"},
	} {
		folder := t.TempDir()
		if _, err := audit.OpenParts(folder, config); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(folder, "settings.json")
		settings, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(settings), c.old) {
			t.Fatalf("%s, %v", settings, err)
		}
		writeFile(t, name, []byte(strings.Replace(string(settings), c.old, c.new, 1)))
		_, err = audit.OpenParts(folder, config)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s instead of %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

// TestPolicies: a crawl has the policy by which it was read, even if that was long ago; none if tables do not say it.
func TestPolicies(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "in.ndjson"), []byte(`{"host": "a.example", "status": 403}`+"\n"))
	sources, _ := openSources([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
	questions := audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Policy: fetch.KosterPolicy}
	parts := audited(t, audit.Options{Questions: questions}, 1, sources)
	parts.Provenance = &wire.AuditProvenance{Policy: "koster"}
	writeTables(t, parts, dir, "crawlers.parquet")
	koster := filepath.Join(dir, "crawlers.parquet")
	for _, c := range []struct {
		tables []string
		want   string
		all    []string
	}{
		{[]string{koster}, "koster", []string{"koster"}},
		{[]string{rewritten(t, koster, func(*audit.Crawler) {})}, "", []string{"not known"}},
		{[]string{koster, rewritten(t, koster, func(*audit.Crawler) {})}, "", []string{"koster", "not known"}},
	} {
		census := audit.NewCensus(audit.ByHost, false)
		for place, name := range c.tables {
			if err := census.ReadTable(t.Context(), audit.Table{Name: name, Place: place}); err != nil {
				t.Fatal(err)
			}
		}
		s := census.Crawls()[0].Count(audit.CountConfig{})
		if s.Policy != c.want || !slices.Equal(census.Policies(), c.all) || s.Faults[403] != 1 {
			t.Errorf("%d tables: policy %q of %q, faults %v", len(c.tables), s.Policy, census.Policies(), s.Faults)
		}
	}
}
