package audit_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// counter is a program in Python's standard library that generates crawls, and counts them without
// any code of this project.
func counter(t *testing.T, args ...string) []byte {
	t.Helper()
	return pythonSays(t, append([]string{"testdata/counter.py"}, args...)...)
}

// pythonSays returns what a program in Python prints.
func pythonSays(t *testing.T, args ...string) []byte {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT TESTED: there is no python3")
	}
	program := exec.Command(python, args...)
	program.Stderr = os.Stderr
	out, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// counterResult is what the counter prints.
type counterResult struct {
	Counts  map[string]int `json:"counts"`
	Changes []string       `json:"changes"`
}

// TestCounter: shares, classes, strata and changes of three crawls with redirects of all kinds, all
// forms of times, variants and damage are those of the counter: of the inputs, of the tables of four
// shards, and after an interruption. ROBOTSTXT_LONG has 20,000 sites.
func TestCounter(t *testing.T) {
	sites, seeds := 200, 1
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		sites, seeds = 20_000, 3
	}
	for seed := range seeds {
		dir := t.TempDir()
		counter(t, "generate", dir, strconv.Itoa(sites), strconv.Itoa(seed))
		var want counterResult
		if err := json.Unmarshal(counter(t, "count", dir), &want); err != nil {
			t.Fatal(err)
		}
		for name, census := range map[string]*audit.Census{"inputs": counterInputs(t, dir, nil),
			"interrupted": counterInputs(t, dir, counterParts(t, dir)), "shards": counterShards(t, dir)} {
			got := counterCounts(t, dir, census)
			differences := 0
			for key := range maps.Keys(got.Counts) {
				if got.Counts[key] != want.Counts[key] {
					differences++
				}
			}
			for key, n := range want.Counts {
				if got.Counts[key] != n {
					if differences++; differences < 20 {
						t.Errorf("seed %d, %s, %s: %d, the counter has %d", seed, name, key, got.Counts[key], n)
					}
				}
			}
			if !slices.Equal(got.Changes, want.Changes) {
				t.Errorf("seed %d, %s: %d changes, the counter has %d: %s", seed, name, len(got.Changes), len(want.Changes), firstDifference(got.Changes, want.Changes))
			}
			if differences > 0 {
				t.Errorf("seed %d, %s: %d differences", seed, name, differences)
			}
		}
		t.Logf("seed %d: %d counts and %d changes of %d sites", seed, len(want.Counts), len(want.Changes), sites)
	}
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return got[i] + ", want " + want[i]
		}
	}
	return ""
}

const counterCrawlers = "GPTBot,CCBot,Googlebot,Applebot"

// counterParts returns the parts of a run of which a part of the first input is complete.
func counterParts(t *testing.T, dir string) *audit.Parts {
	t.Helper()
	parts, err := audit.OpenParts(t.TempDir(), audit.PartsConfig{Files: 50})
	if err != nil {
		t.Fatal(err)
	}
	in, errs := audit.Open([]string{"0=" + filepath.Join(dir, "crawl-0.ndjson")}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	questions := audit.Questions{Crawlers: crawlersOf(t, counterCrawlers), Exact: true}
	if _, err := audit.Run(t.Context(), in.Sources, parts,
		audit.Options{Questions: questions, Labels: in.Labels}); err != nil {
		t.Fatal(err)
	}
	return parts
}

// counterInputs counts the inputs, with the parts of an earlier run unless they are nil.
func counterInputs(t *testing.T, dir string, parts *audit.Parts) *audit.Census {
	t.Helper()
	var names []string
	for crawl := range 3 {
		for _, end := range []string{"ndjson", "warc.gz"} {
			names = append(names, fmt.Sprintf("%d=%s", crawl, filepath.Join(dir, fmt.Sprintf("crawl-%d.%s", crawl, end))))
		}
	}
	in, errs := audit.Open(names, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	census := audit.NewCensus(audit.ByHost, true)
	for _, label := range in.Order {
		census.Crawl(label)
	}
	questions := audit.Questions{Crawlers: crawlersOf(t, counterCrawlers), Exact: true}
	if _, err := audit.Run(t.Context(), in.Sources, parts,
		audit.Options{Questions: questions, Labels: in.Labels, Places: in.Places, Census: census}); err != nil {
		t.Fatal(err)
	}
	return census
}

// counterShards counts the tables of crawlers of four shards of each input.
func counterShards(t *testing.T, dir string) *audit.Census {
	t.Helper()
	census := audit.NewCensus(audit.ByHost, true)
	place := 0
	for crawl := range 3 {
		for _, end := range []string{"ndjson", "warc.gz"} {
			in, errs := audit.Open([]string{filepath.Join(dir, fmt.Sprintf("crawl-%d.%s", crawl, end))}, nil, audit.Config{})
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			for i := 4; i >= 1; i-- { // in another order
				options := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, counterCrawlers),
					Exact: true}, Shard: audit.Shard{Index: i, Count: 4}}
				table := filepath.Join(dir, fmt.Sprintf("crawlers-%d-%s-%d.parquet", crawl, end, i))
				writeTables(t, audited(t, options, 0, in.Sources), dir, filepath.Base(table))
				if err := census.ReadTable(t.Context(),
					audit.Table{Name: table, Label: strconv.Itoa(crawl), Place: place}); err != nil {
					t.Fatal(err)
				}
				place++
			}
		}
	}
	return census
}

// counterCounts returns the counts of a census under the names of the counter.
func counterCounts(t *testing.T, dir string, census *audit.Census) counterResult {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "strata.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	strata, err := audit.ReadStrata(file, "country")
	if err != nil {
		t.Fatal(err)
	}
	got := counterResult{Counts: map[string]int{}}
	add := func(n int, key ...string) {
		if n > 0 {
			got.Counts[strings.Join(key, " / ")] += n
		}
	}
	for _, crawl := range census.Crawls() {
		s := crawl.Count(audit.CountConfig{Strata: strata})
		classes := 0
		class := func(kind string, n int) {
			classes += n
			add(n, s.Label, "class", kind)
		}
		add(audit.Sum(s.Lost), s.Label, "lost")
		add(s.Sites, s.Label, "sites")
		for kind, n := range s.Bodies {
			class(string(kind), n)
		}
		for problem, n := range s.Problems {
			class(problem, n)
		}
		class("open by status", s.OpenByStatus)
		class("closed by status", s.ClosedByStatus)
		if classes != s.Sites {
			t.Errorf("crawl %s: %d sites in classes, of %d", s.Label, classes, s.Sites)
		}
		for name, c := range s.Crawlers {
			for treatment, n := range c.Treatments {
				add(n, s.Label, name, audit.Treatment(treatment).String())
			}
			add(c.Matched["name"], s.Label, name, "named")
		}
		for _, stratum := range s.Strata {
			for name, treatments := range stratum.Crawlers {
				for treatment, n := range treatments.Treatments {
					add(n, s.Label, "stratum", stratum.Name, name, audit.Treatment(treatment).String())
				}
			}
		}
	}
	table := filepath.Join(dir, "changes.jsonl")
	compared, err := census.Compare([]string{table}, strata)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range compared {
		label := c.Before + "-" + c.After
		add(c.Appeared, label, "appeared")
		add(c.Vanished, label, "vanished")
		add(c.Sites, label, "both")
		for name, change := range c.Crawlers {
			add(change.Known, label, name, "known")
			add(change.Closed.Sum(), label, name, "less open")
			add(change.Opened.Sum(), label, name, "more open")
			add(change.Named, label, name, "named now")
			add(change.Unnamed, label, name, "no longer named")
		}
	}
	recount(t, table, func(row map[string]any) {
		var cells []string
		for _, column := range []string{"before", "after", "site", "crawler", "was", "is", "stratum"} {
			cells = append(cells, row[column].(string))
		}
		got.Changes = append(got.Changes, strings.Join(cells, ","))
	})
	slices.Sort(got.Changes)
	return got
}
