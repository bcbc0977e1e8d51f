package audit_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// TestWorlds: the classes, treatments, changes, sites and names of two crawls of hosts of many kinds are those that are
// true by construction: of the archives, and of the tables of their shards. ROBOTSTXT_LONG has 20,000 hosts.
func TestWorlds(t *testing.T) {
	hosts, seeds := 400, 1
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		hosts, seeds = 20_000, 3
	}
	for seed := range seeds {
		dir := t.TempDir()
		var want struct {
			counterResult
			Kinds int            `json:"kinds"`
			Sites []string       `json:"sites"`
			Names map[string]int `json:"names"`
		}
		truth := pythonSays(t, "testdata/worlds.py", dir, strconv.Itoa(hosts), strconv.Itoa(seed))
		if err := json.Unmarshal(truth, &want); err != nil {
			t.Fatal(err)
		}
		for name, census := range map[string]*audit.Census{"archives": worldArchives(t, dir), "shards": worldShards(t, dir)} {
			got := worldCounts(t, dir, census)
			maps.DeleteFunc(want.Counts, func(_ string, n int) bool { return n == 0 })
			for key := range mergedKeys(got.Counts, want.Counts) {
				if got.Counts[key] != want.Counts[key] {
					t.Errorf("seed %d, %s, %s: %d, true are %d", seed, name, key, got.Counts[key], want.Counts[key])
				}
			}
			if rows := worldSites(t, census); !slices.Equal(rows, want.Sites) {
				t.Errorf("seed %d, %s: %d sites, true are %d: %s", seed, name, len(rows), len(want.Sites),
					firstDifference(rows, want.Sites))
			}
			if names := worldNames(t, census); census.Names && !maps.Equal(names, want.Names) {
				t.Errorf("seed %d, %s: names %v, true are %v", seed, name, names, want.Names)
			}
			if !slices.Equal(got.Changes, want.Changes) {
				t.Errorf("seed %d, %s: %d changes, true are %d: %s", seed, name, len(got.Changes), len(want.Changes),
					firstDifference(got.Changes, want.Changes))
			}
		}
		t.Logf("seed %d: %d hosts of %d kinds, %d counts and %d changes", seed, hosts, want.Kinds, len(want.Counts), len(want.Changes))
	}
}

func mergedKeys(a, b map[string]int) map[string]bool {
	keys := map[string]bool{}
	for _, counts := range []map[string]int{a, b} {
		for key := range counts {
			keys[key] = true
		}
	}
	return keys
}

func worldArchives(t *testing.T, dir string) *audit.Census {
	t.Helper()
	in, errs := audit.Open([]string{"0=" + filepath.Join(dir, "0.warc.gz"), "1=" + filepath.Join(dir, "1.warc.gz")}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	census := audit.NewCensus(audit.ByHost, true)
	census.Sites, census.Names = true, true
	for _, label := range in.Order {
		census.Crawl(label)
	}
	o := audit.Options{Census: census, Labels: in.Labels,
		Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true, Names: true}}
	if unread, err := audit.Run(t.Context(), in.Sources, nil, o); err != nil || len(unread) > 0 {
		t.Fatal(unread, err)
	}
	return census
}

func worldShards(t *testing.T, dir string) *audit.Census {
	t.Helper()
	census := audit.NewCensus(audit.ByHost, true)
	census.Sites = true
	for crawl := range 2 {
		for i := 3; i >= 1; i-- {
			sources, errs := openSources([]string{filepath.Join(dir, fmt.Sprintf("%d.warc.gz", crawl))}, nil, audit.Config{})
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			o := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true},
				Shard: audit.Shard{Index: i, Count: 3}}
			tables := t.TempDir()
			writeTables(t, audited(t, o, 100, sources), tables, "crawlers.parquet")
			table := audit.Table{Name: filepath.Join(tables, "crawlers.parquet"), Label: strconv.Itoa(crawl)}
			if err := census.ReadTable(t.Context(), table); err != nil {
				t.Fatal(err)
			}
		}
	}
	return census
}

// worldCounts returns the counts of a census under the names of worlds.py.
func worldCounts(t *testing.T, dir string, census *audit.Census) counterResult {
	t.Helper()
	got := counterResult{Counts: map[string]int{}}
	add := func(n int, key ...any) {
		if n > 0 {
			got.Counts[fmt.Sprint(key...)] += n
		}
	}
	for _, crawl := range census.Crawls() {
		s := crawl.Count(audit.CountConfig{})
		for kind, n := range s.Bodies {
			add(n, s.Label, " class ", kind)
		}
		for problem, n := range s.Problems {
			add(n, s.Label, " class ", problem)
		}
		add(s.OpenByStatus, s.Label, " class open by status")
		add(s.ClosedByStatus, s.Label, " class closed by status")
		for treatment, n := range s.Crawlers["GPTBot"].Treatments {
			add(n, s.Label, " ", audit.Treatment(treatment))
		}
	}
	table := filepath.Join(dir, "changes.jsonl")
	compared, err := census.Compare([]string{table}, nil)
	if err != nil {
		t.Fatal(err)
	}
	change := compared[0].Crawlers["GPTBot"]
	add(change.Closed.ByFile, "less open by file")
	add(change.Opened.ByFile, "more open by file")
	add(change.Closed.ByStatus, "less open by status")
	add(change.Opened.ByStatus, "more open by status")
	recount(t, table, func(row map[string]any) {
		got.Changes = append(got.Changes, fmt.Sprintf("%s,%s,%s", row["site"], row["was"], row["is"]))
	})
	slices.Sort(got.Changes)
	return got
}

// worldSites returns the crawl, site, class and treatment of each row of the table of sites.
func worldSites(t *testing.T, census *audit.Census) (rows []string) {
	t.Helper()
	table := filepath.Join(t.TempDir(), "sites.jsonl")
	if err := census.WriteSites([]string{table}, nil, nil); err != nil {
		t.Fatal(err)
	}
	recount(t, table, func(row map[string]any) {
		treatment, _ := row["treatment"].(string)
		rows = append(rows, fmt.Sprintf("%s,%s,%s,%s", row["crawl"], row["site"], row["class"], treatment))
	})
	slices.Sort(rows)
	return rows
}

// worldNames returns the counts of the table of names.
func worldNames(t *testing.T, census *audit.Census) map[string]int {
	t.Helper()
	counts := map[string]int{}
	if !census.Names {
		return counts
	}
	table := filepath.Join(t.TempDir(), "names.jsonl")
	if err := census.WriteNames([]string{table}, nil, nil); err != nil {
		t.Fatal(err)
	}
	recount(t, table, func(row map[string]any) {
		crawl := row["crawl"].(string)
		counts[crawl+" files"] = int(row["files"].(float64))
		for _, column := range []string{"sites", "closed", "partly", "open"} {
			if n := int(row[column].(float64)); n > 0 {
				counts[crawl+" "+row["name"].(string)+" "+column] = n
			}
		}
	})
	return counts
}
