package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// countedFor returns the census of inputs, for the tables of sites and of names.
func countedFor(t *testing.T, by audit.By, crawlers string, inputs ...string) *audit.Census {
	t.Helper()
	in, errs := audit.Open(inputs, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	census := audit.NewCensus(by, true)
	census.Sites, census.Names = true, true
	questions := audit.Questions{Crawlers: crawlersOf(t, crawlers), Exact: true, Names: true}
	_, err := audit.Run(t.Context(), in.Sources, nil,
		audit.Options{Questions: questions, Census: census, Labels: in.Labels})
	if err != nil {
		t.Fatal(err)
	}
	return census
}

// rowsIn writes a table and returns its rows as maps.
func rowsIn(t *testing.T, write func([]string) error) (rows []map[string]any) {
	t.Helper()
	table := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := write([]string{table}); err != nil {
		t.Fatal(err)
	}
	recount(t, table, func(row map[string]any) { rows = append(rows, row) })
	return rows
}

// TestSiteRows: a row has the deciding capture, and how redirects and revisits lead to it.
func TestSiteRows(t *testing.T) {
	shut := stored{url: "https://www.a.example/robots.txt", day: 5, body: closesAll}
	moved := stored{url: robots, day: 6, status: 301, head: "Location: https://www.a.example/robots.txt\r\n"}
	archive := filepath.Join(t.TempDir(), "a.warc")
	writeFile(t, archive, []byte(texts([]stored{shut, moved, {url: robots, day: 1, body: openFile},
		{url: "https://b.example/robots.txt", day: 2, status: 503}, {url: "https://c.example/robots.txt", day: 2, status: 301, head: "Location: /x\r\n"},
		{url: "https://d.example/robots.txt", day: 9, revisit: true, refersTo: 5, refersURL: shut.url},
		{url: "https://e.example/robots.txt", day: 9, body: "<html><body>shop</body></html>"}})))
	census := countedFor(t, audit.ByHost, "GPTBot,CCBot", "x="+archive)
	got := map[string]string{}
	for _, row := range rowsIn(t, func(names []string) error { return census.WriteSites(names, nil, nil) }) {
		if row["crawler"] == "GPTBot" {
			got[row["site"].(string)] = fmt.Sprint(row["class"], " ", row["known"], " ", row["treatment"], " ",
				row["url"], " ", row["hops"], " ", row["captures"], " ", row["line"], " ", row["chain"])
		}
	}
	const www = "https://www.a.example/robots.txt"
	want := map[string]string{
		"a.example":     "text true closed by * " + www + " 1 2 2 https://a.example/robots.txt 301 > " + www + " 200",
		"www.a.example": "text true closed by * " + www + " 0 1 2 " + www + " 200",
		"b.example":     "fault true closed by status https://b.example/robots.txt 0 1 <nil> https://b.example/robots.txt 503",
		"c.example":     "redirect false <nil> https://c.example/robots.txt 0 1 <nil> https://c.example/robots.txt 301",
		"d.example":     "text true closed by * " + www + " 0 1 2 https://d.example/robots.txt 200 = " + www + " 200",
		"e.example":     "html false <nil> https://e.example/robots.txt 0 1 <nil> https://e.example/robots.txt 200",
	}
	for site := range mergedTexts(got, want) {
		if got[site] != want[site] {
			t.Errorf("%s: %s\nwant %s", site, got[site], want[site])
		}
	}
	files := t.TempDir()
	writeFile(t, filepath.Join(files, "f.example"), []byte(openFile))
	census = countedFor(t, audit.ByHost, "GPTBot", files)
	row := rowsIn(t, func(names []string) error { return census.WriteSites(names, nil, nil) })[0]
	if row["url"] != nil || row["chain"] != nil || row["record"] != "f.example" ||
		row["size"] != float64(len(openFile)) || len(row["digest"].(string)) != 64 {
		t.Errorf("a file in a folder: %v", row)
	}
}

func mergedTexts(a, b map[string]string) map[string]bool {
	keys := map[string]bool{}
	for _, texts := range []map[string]string{a, b} {
		for key := range texts {
			keys[key] = true
		}
	}
	return keys
}

// TestNameRows: names are counted once for a site, in any spelling, with the rules of all their groups.
func TestNameRows(t *testing.T) {
	folder := t.TempDir()
	for host, file := range map[string]string{
		"a.example": "User-agent: GPTBot/1.2\nUser-agent: gptbot # x\nDisallow: /\n\nUser-agent: My  Bot\nDisallow: /a\n",
		"b.example": "User-agent: gptbot\nAllow: /\n\nUser-agent: *\nDisallow: /\n\nuser-agent: Анна\nDisallow: /\nuser-agent:\n",
		"c.example": "User-agent: GPTBot\nDisallow: /x\n\nUser-agent: 360Spider\nDisallow: /\n",
		"d.example": "",
	} {
		writeFile(t, filepath.Join(folder, host), []byte(file))
	}
	list := filepath.Join(t.TempDir(), "w.csv")
	writeFile(t, list, []byte("host,visits,land\na.example,10,x\nb.example,2.5,y\nwww.c.example,7,y\n"))
	open := func() *os.File {
		file, err := os.Open(list)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	weights, err := audit.ReadWeights(open(), "visits")
	if err != nil {
		t.Fatal(err)
	}
	strata, err := audit.ReadStrata(open(), "land")
	if err != nil {
		t.Fatal(err)
	}
	census := countedFor(t, audit.ByHost, "GPTBot", folder)
	var got []string
	for _, row := range rowsIn(t, func(names []string) error { return census.WriteNames(names, strata, weights) }) {
		got = append(got, fmt.Sprint(row["stratum"], " ", row["name"], "|", row["written"], "|", row["crawler"], " ",
			row["sites"], " ", row["closed"], " ", row["partly"], " ", row["open"], " of ", row["files"], ", ",
			row["weight"]))
	}
	slices.Sort(got)
	want := []string{
		"<nil> *|*|<nil> 1 1 0 0 of 4, 2.5", "<nil> 360spider|360Spider|360Spider 1 0 0 0 of 4, 0", "<nil> gptbot|GPTBot|GPTBot 3 1 1 1 of 4, 12.5",
		"<nil> my bot|My Bot|<nil> 1 0 1 0 of 4, 10", "<nil> анна|Анна|<nil> 1 0 0 0 of 4, 2.5",
		"unlisted 360spider|360Spider|360Spider 1 0 0 0 of 2, 0", "unlisted gptbot|GPTBot|GPTBot 1 0 1 0 of 2, 0",
		"x gptbot|GPTBot|GPTBot 1 1 0 0 of 1, 10", "x my bot|My Bot|<nil> 1 0 1 0 of 1, 10",
		"y *|*|<nil> 1 1 0 0 of 1, 2.5", "y gptbot|gptbot|GPTBot 1 0 0 1 of 1, 2.5", "y анна|Анна|<nil> 1 0 0 0 of 1, 2.5",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	summary := census.Crawls()[0].Count(audit.CountConfig{Weights: weights})
	c := summary.Crawlers["GPTBot"]
	if *c.Weight != (audit.Weight{WithRules: 12.5, ClosedByFile: 10}) || c.PartlyByName != 1 ||
		summary.Unweighted != 2 {
		t.Errorf("%+v, %+v, %d sites without a weight", c.Weight, c.Tally, summary.Unweighted)
	}
	if _, err := audit.ReadWeights(strings.NewReader("host,w\na.example,1\nhttps://A.example/,1\n"), "w"); err == nil ||
		!strings.Contains(err.Error(), "two weights for a.example") {
		t.Errorf("a repeated host: %v", err)
	}
	if _, err := audit.ReadWeights(strings.NewReader("host,w\na.example,-1\n"), "w"); err == nil {
		t.Error("a negative weight is no error")
	}
}

// TestNamesUnknown: a crawl whose tables do not have the names is an error, not a table without names.
func TestNamesUnknown(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "a.example"), []byte(openFile))
	sources, errs := openSources([]string{folder}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, names := range []bool{false, true} {
		tables := t.TempDir()
		o := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Names: names}}
		writeTables(t, audited(t, o, 100, sources), tables, "files.parquet")
		census := audit.NewCensus(audit.ByHost, true)
		census.Names = true
		if err := census.ReadTable(t.Context(), audit.Table{Name: filepath.Join(tables, "files.parquet"), Label: "old"}); err != nil {
			t.Fatal(err)
		}
		err := census.WriteNames([]string{filepath.Join(tables, "names.csv")}, nil, nil)
		if names != (err == nil) || err != nil && !strings.Contains(err.Error(), `the crawl "old" are not known`) {
			t.Errorf("names %v: %v", names, err)
		}
	}
}

// TestOlderTables: tables of the version before the columns of names are counted, and give the rows of sites. What they
// do not have is null, or an error that names the crawl.
func TestOlderTables(t *testing.T) {
	for _, tables := range [][]string{{"crawlers"}, {"files", "crawlers"}, {"crawlers", "files"}} {
		census := audit.NewCensus(audit.ByHost, true)
		census.Sites, census.Names = true, true
		for place, name := range tables {
			table := audit.Table{Name: filepath.Join("testdata", "older", name+".parquet"), Label: "old", Place: place}
			if err := census.ReadTable(t.Context(), table); err != nil {
				t.Fatal(err)
			}
		}
		c := census.Crawls()[0].Count(audit.CountConfig{}).Crawlers["GPTBot"]
		if c.ClosedByFile() != 2 || c.WithRules() != 3 || c.PartlyByName != 1 || c.Sum() != 4 {
			t.Errorf("%v: %+v", tables, c.Tally)
		}
		size := map[bool]any{true: nil, false: float64(31)}[len(tables) == 1]
		for _, row := range rowsIn(t, func(names []string) error { return census.WriteSites(names, nil, nil) }) {
			if row["site"] == "c.example" && (row["size"] != size || row["hops"] != 1.0 ||
				row["chain"] != "http://c.example/robots.txt 301 > https://a.example/robots.txt 200") {
				t.Errorf("%v: %v", tables, row)
			}
		}
		err := census.WriteNames([]string{filepath.Join(t.TempDir(), "names.csv")}, nil, nil)
		if err == nil || !strings.Contains(err.Error(), `"old"`) {
			t.Errorf("%v: names: %v", tables, err)
		}
	}
}

// TestLackingColumns: a table without a column that tells files from faults is an error, not wrong counts.
func TestLackingColumns(t *testing.T) {
	type row struct {
		Record  string `parquet:"record"`
		Crawler string `parquet:"crawler"`
		Access  string `parquet:"access"`
		Outcome string `parquet:"outcome"`
		Body    string `parquet:"body"`
	}
	name := filepath.Join(t.TempDir(), "t.parquet")
	if err := parquet.WriteFile(name, []row{{"a.example", "GPTBot", "closed", "rules", "text"}}); err != nil {
		t.Fatal(err)
	}
	err := audit.NewCensus(audit.ByHost, false).ReadTable(t.Context(), audit.Table{Name: name})
	if err == nil || !strings.Contains(err.Error(), `no column "matched_by"`) {
		t.Error(err)
	}
}

// TestUnknownWords: a row with a word in matched_by that this version does not know, as a later one could write, is
// undecided, and the other rows count.
func TestUnknownWords(t *testing.T) {
	type row struct {
		Record  string  `parquet:"record"`
		Host    string  `parquet:"host"`
		Crawler string  `parquet:"crawler"`
		Access  string  `parquet:"access"`
		Dialect string  `parquet:"dialect"`
		Outcome string  `parquet:"outcome"`
		Body    string  `parquet:"body"`
		Status  int32   `parquet:"status"`
		Matched string  `parquet:"matched_by"`
		First   *string `parquet:"dialect_access,optional"`
		Second  *string `parquet:"other_access,optional"`
		Other   *string `parquet:"other_matched_by,optional"`
	}
	open, closed, known, unknown := "open", "closed", "star", "weird"
	rows := []row{
		{"1", "a.example", "GPTBot", "closed", "google", "rules", "text", 200, unknown, nil, nil, nil},
		{"2", "b.example", "GPTBot", "depends", "google", "rules", "text", 200, known, &open, &closed, &unknown},
		{"3", "c.example", "GPTBot", "depends", "google", "rules", "text", 200, known, &open, &closed, &known},
		{"4", "d.example", "GPTBot", "closed", "google", "rules", "text", 200, known, nil, nil, nil},
	}
	name := filepath.Join(t.TempDir(), "t.parquet")
	if err := parquet.WriteFile(name, rows); err != nil {
		t.Fatal(err)
	}
	census := audit.NewCensus(audit.ByHost, true)
	if err := census.ReadTable(t.Context(), audit.Table{Name: name}); err != nil {
		t.Fatal(err)
	}
	got := census.Crawls()[0].Count(audit.CountConfig{}).Crawlers["GPTBot"].Treatments
	if want := (audit.Treatments{audit.Undecided: 2, audit.Depends: 1, audit.ClosedByStar: 1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestNamesOfHostileFiles: names that select the same groups have one extent, and the rules that are judged for the
// names of a file are bounded.
func TestNamesOfHostileFiles(t *testing.T) {
	var shared, own strings.Builder
	for i := range 100 {
		name := strings.Repeat(string(rune('a'+i%26)), 1+i/26) // Google reads letters only
		fmt.Fprintf(&shared, "User-agent: %s\n", name)
		fmt.Fprintf(&own, "User-agent: %s\nDisallow: /%s\n", name, name)
	}
	rules := strings.Repeat("Disallow: /x\n", 30_000)
	for what, c := range map[string]struct {
		body            string
		closed, unknown int
	}{
		"one group":    {shared.String() + rules + "Disallow: /\n", 100, 0},
		"many sets":    {shared.String() + rules + "Disallow: /\n" + own.String(), 16, 84},
		"many lines":   {strings.Repeat("User-agent: n1\nDisallow: /\n", 5000), 1, 0},
		"not a Google": {"User-agent: 360Spider\nDisallow: /\n", 0, 1},
	} {
		folder := t.TempDir()
		writeFile(t, filepath.Join(folder, "a.example"), []byte(c.body))
		questions := audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true, Names: true}
		files, _ := run(t, audit.Options{Questions: questions}, audit.Config{}, folder)
		names := *files[0].Names
		closed, unknown := strings.Count(names, "closed "), strings.Count(names, "unknown ")
		if closed != c.closed || unknown != c.unknown {
			t.Errorf("%s: %d closed, %d unknown", what, closed, unknown)
		}
	}
}
