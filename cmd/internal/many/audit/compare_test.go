package audit_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

// comparedAs compares two crawls of the same lines with different questions.
func comparedAs(t *testing.T, lines string, before, after audit.Questions) *audit.Comparison {
	t.Helper()
	census := audit.NewCensus(audit.ByHost, false)
	for i, q := range []audit.Questions{before, after} {
		name := filepath.Join(t.TempDir(), "in.ndjson")
		writeFile(t, name, []byte(lines))
		in, errs := audit.Open([]string{[]string{"old", "new"}[i] + "=" + name}, nil, audit.Config{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		q.Crawlers = []answer.Crawler{answer.NewCrawler("GPTBot")}
		if _, err := audit.Run(t.Context(), in.Sources, nil,
			audit.Options{Questions: q, Census: census, Labels: in.Labels}); err != nil {
			t.Fatal(err)
		}
	}
	compared, err := census.Compare(nil, nil)
	if err != nil || len(compared) != 1 {
		t.Fatal(compared, err)
	}
	return compared[0]
}

// Crawls that were read in another dialect, or by another policy, are compared with a warning.
func TestReadDifferently(t *testing.T) {
	const lines = `{"host": "a.example", "status": 401}` + "\n" + `{"host": "b.example", "body": "User-agent: *\nDisallow: /\n"}` + "\n"
	koster := robotstxt.Koster1996
	for name, c := range map[string]struct {
		after audit.Questions
		want  []string
	}{
		"alike":           {audit.Questions{}, nil},
		"another dialect": {audit.Questions{Dialect: &koster}, []string{"GPTBot was read as google or rfc9309 in old and as koster1996 in new: this might cause some of the changes; audit both with the same --dialect"}},
		"another policy":  {audit.Questions{Policy: fetch.KosterPolicy}, []string{"status 401 means an open site in old and a closed site in new: this might cause some of the changes; audit both with the same --policy"}},
	} {
		if got := comparedAs(t, lines, audit.Questions{}, c.after).Warnings; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A comparison has what is closed in all ways, home pages and names of both crawls.
func TestComparedSides(t *testing.T) {
	change := comparedAs(t, `{"host": "a.example", "body": "User-agent: GPTBot\nDisallow: /\nAllow: /about\n"}`, audit.Questions{Exact: true}, audit.Questions{Exact: true}).Crawlers["GPTBot"]
	if s := change.After; s != change.Before || s.Closed() != 0 || s.HomeClosed != 1 || s.Named != 1 {
		t.Errorf("%+v", change)
	}
}

// A shard that was not read is noticed.
func TestMissingShard(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "in.ndjson"), []byte(strings.Repeat(`{"host": "a.example", "body": ""}`+"\n", 8)))
	tables := shardTables(t, dir, 3)
	for _, c := range []struct {
		read []string
		want string
	}{
		{tables, ""},
		{tables[:2], "the tables of crawlers of 2026 lack shard 3/3: the counts omit its sites"},
		{tables[2:], "the tables of crawlers of 2026 lack shard 1/3, 2/3: the counts omit its sites"},
	} {
		census := audit.NewCensus(audit.ByHost, false)
		for i, name := range c.read {
			if err := census.ReadTable(t.Context(), audit.Table{Name: name, Label: "2026", Place: i}); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(census.MissingShards(), "\n"); got != c.want {
			t.Errorf("%d tables: %q, want %q", len(c.read), got, c.want)
		}
	}
}

// shardTables writes the table of crawlers of each shard of in.ndjson.
func shardTables(t *testing.T, dir string, count int) (tables []string) {
	t.Helper()
	in, errs := audit.Open([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for i := 1; i <= count; i++ {
		shard := audit.Shard{Index: i, Count: count}
		parts := audited(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*")}, Shard: shard}, 0,
			in.Sources)
		name := "crawlers-" + shard.String()[:1] + ".parquet"
		writeTables(t, parts, dir, name)
		tables = append(tables, filepath.Join(dir, name))
	}
	return tables
}

// One odd cell in a column of ranks has a stratum of its own, and the others stay ranges.
func TestOddRank(t *testing.T) {
	list := "host,rank\nodd.example,n/a\n"
	for i := range 60 {
		list += fmt.Sprintf("h%d.example,%d\n", i, i*i*i+1)
	}
	strata, err := audit.ReadStrata(strings.NewReader(list), "rank")
	if err != nil || strata.Names[0] != "1 to 1,000" || strata.Names[len(strata.Names)-2] != "no number" || len(strata.Names) > 11 {
		t.Fatalf("%v, %v", strata, err)
	}
	if at := strata.Of("odd.example"); at != len(strata.Names)-2 {
		t.Errorf("odd.example has the stratum %d", at)
	}
}

// The names of files in folders and archives are hosts in the form of origins.
func TestHostsOfNames(t *testing.T) {
	dir := t.TempDir()
	var archive bytes.Buffer
	to := tar.NewWriter(&archive)
	for _, name := range []string{"SHOP.Example./robots.txt", "münchen.example.txt", "Two.EXAMPLE", "one_host.example:443.txt"} {
		to.WriteHeader(&tar.Header{Name: name, Mode: 0o644})
	}
	to.Close()
	writeFile(t, filepath.Join(dir, "in.tar"), archive.Bytes())
	writeFile(t, filepath.Join(dir, "WWW.Shop.Example..txt"), nil)
	var got []string
	in, errs := audit.Open([]string{dir}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, source := range in.Sources {
		if err := source.Files(t.Context(), func(in *audit.Input) error {
			got = append(got, in.Host)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"shop.example", "xn--mnchen-3ya.example", "two.example", "one_host.example", "www.shop.example"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A column of statuses without a status is one error, and not only damaged rows.
func TestColumnOfStatuses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in.csv")
	writeFile(t, name, []byte("host,status,body\na.example,active,\nb.example,closed,\n"))
	for _, c := range []struct {
		columns map[string]string
		want    string
	}{
		{nil, `no row has a number in the column of statuses; one has "active"`},
		{map[string]string{"status": ""}, ""},
		{map[string]string{"state": "status"}, `--columns state=status: columns contain no "state"`},
	} {
		in, errs := audit.Open([]string{name}, nil, audit.Config{Columns: c.columns})
		var err error
		if len(errs) > 0 {
			err = errs[0]
		} else {
			err = in.Sources[0].Files(t.Context(), func(*audit.Input) error { return nil })
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v", c.columns, err)
		}
	}
}

// TestOtherTypes: a table whose columns have the names of ours, and other types, is an error.
func TestOtherTypes(t *testing.T) {
	type row struct {
		Record  string   `parquet:"record"`
		Crawler []string `parquet:"crawler"`
		Access  int64    `parquet:"access"`
	}
	name := filepath.Join(t.TempDir(), "other.parquet")
	if err := parquet.WriteFile(name, []row{{"1", []string{"GPTBot", "*"}, 1 << 40}}); err != nil {
		t.Fatal(err)
	}
	err := audit.ReadTable(name, func(*audit.Crawler) error { return nil })
	if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "the column \"") {
		t.Errorf("%v, which does not name the file and a column", err)
	}
}

// An error in a Parquet file names it.
func TestDamagedTable(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "crawlers.parquet")
	writeCrawlers(t, name, strings.Repeat(exampleLines, 50))
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	clear(text[4 : len(text)/4])
	writeFile(t, name, text)
	err = audit.NewCensus(audit.ByHost, false).ReadTable(t.Context(), audit.Table{Name: name})
	if err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("%v, which does not name the file", err)
	}
	writeFile(t, name, text[:100])
	if err := audit.ReadTable(name, func(*audit.Crawler) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), name) {
		t.Errorf("%v, which does not name the file", err)
	}
}

// TestFlippedBits: a table in which some bits are wrong is read, or is an error that names it.
func TestFlippedBits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "crawlers.parquet")
	writeCrawlers(t, name, strings.Repeat(exampleLines, 50))
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for i := range 100 {
		damaged := []byte(string(text))
		for range 1 + i%4 {
			damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		}
		writeFile(t, name, damaged)
		for what, err := range map[string]error{
			"table":  audit.ReadTable(name, func(*audit.Crawler) error { return nil }),
			"census": audit.NewCensus(audit.ByHost, false).ReadTable(t.Context(), audit.Table{Name: name}),
		} {
			if err != nil {
				refused++
			}
			if err != nil && !strings.Contains(fmt.Sprint(err), name) {
				t.Fatalf("%s: %v, which does not name the file", what, err)
			}
		}
	}
	t.Logf("%d of 200 were refused", refused)
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}

// What changed by both readings of a crawler is a change. Naming is counted apart from access,
// and a URL that parsers read differently does not hide how much of the site is open.
func TestReadingsThatDiffer(t *testing.T) {
	const blank = "User-agent: *\nDisallow: /admin/\nDisallow: /sitecore modules/\n"
	const twoTokens = "User-agent: GPTBot2\nDisallow: /\n" // GPTBot in google, not in rfc9309
	const closedByName = "User-agent: GPTBot\nDisallow: /\n"
	for name, c := range map[string]struct {
		before, after string
		known         int
		opened        int
		closed        int
		unnamed       int
		change        string
	}{
		"one URL differs":         {closedByName, blank, 1, 1, 0, 1, "closed by name to mostly open"},
		"the category differs":    {closedByName, "User-agent: *\nDisallow: /*%7e\nAllow: /\n", 1, 1, 0, 1, "closed by name to mostly open"},
		"open or closed":          {"User-agent: *\nDisallow: /a\n", twoTokens, 1, 0, 0, 0, "mostly open to closed by name or open"},
		"only one reading":        {"", twoTokens, 1, 0, 0, 0, ""},
		"both readings":           {twoTokens + "Allow: /a\n\nUser-agent: *\nDisallow: /b\n", closedByName, 1, 0, 1, 0, "partly to closed by name"},
		"only one rest":           {"User-agent: *\nDisallow: /a\n", twoTokens + "Allow: /a\n\nUser-agent: *\nDisallow: /a\n", 1, 0, 0, 0, ""},
		"the same, and undecided": {blank, blank, 1, 0, 0, 0, ""},
	} {
		census := audit.NewCensus(audit.ByHost, true)
		for i, body := range []string{c.before, c.after} {
			file := filepath.Join(t.TempDir(), "in.ndjson")
			text, _ := json.Marshal(map[string]string{"host": "a.example", "body": body})
			writeFile(t, file, text)
			in, _ := audit.Open([]string{[]string{"old", "new"}[i] + "=" + file}, nil, audit.Config{})
			q := audit.Questions{Exact: true, Crawlers: crawlersOf(t, "GPTBot")}
			if _, err := audit.Run(t.Context(), in.Sources, nil,
				audit.Options{Questions: q, Census: census, Labels: in.Labels}); err != nil {
				t.Fatal(err)
			}
		}
		changes := ""
		crawls := census.Crawls()
		compared, err := crawls[1].Compare(crawls[0], func(row *audit.ChangeRow) error {
			changes += row.Was + " to " + row.Is
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		change := compared.Crawlers["GPTBot"]
		if change.Known != c.known || change.Opened.Sum() != c.opened || change.Closed.Sum() != c.closed ||
			change.Unnamed != c.unnamed || changes != c.change {
			t.Errorf("%s: %+v, %q, want %+v", name, change, changes, c)
		}
	}
}

// dropRest writes a table of crawlers as before the column rest.
func dropRest(t *testing.T, name string) {
	t.Helper()
	rows, err := parquet.ReadFile[audit.Crawler](name)
	if err != nil || len(rows) != 1 || rows[0].Rest == nil || !*rows[0].Rest {
		t.Fatal(rows, err)
	}
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[audit.Crawler]()),
		func(f reflect.StructField) bool { return f.Name == "Rest" })
	old := reflect.New(reflect.StructOf(fields)).Elem()
	for _, f := range fields {
		old.FieldByName(f.Name).Set(reflect.ValueOf(rows[0]).FieldByName(f.Name))
	}
	var table bytes.Buffer
	w := parquet.NewWriter(&table, parquet.SchemaOf(old.Interface()))
	if err := errors.Join(w.Write(old.Interface()), w.Close()); err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, table.Bytes())
}

// TestRest: from mostly open to mostly closed is a change. If the earlier tables have no column rest, it
// is not counted, and a warning says so.
func TestRest(t *testing.T) {
	bodies := [2]string{"User-agent: *\nDisallow: /cart\n", "User-agent: *\nAllow: /about\nDisallow: /\n"}
	for _, isOld := range []bool{false, true} {
		census := audit.NewCensus(audit.ByHost, true)
		for i, body := range bodies {
			dir := t.TempDir()
			text, _ := json.Marshal(map[string]string{"host": "a.example", "body": body})
			writeFile(t, filepath.Join(dir, "in.ndjson"), text)
			sources, _ := openSources([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
			options := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true}}
			writeTables(t, audited(t, options, 1, sources), dir, "crawlers.parquet")
			name := filepath.Join(dir, "crawlers.parquet")
			if isOld && i == 0 {
				dropRest(t, name)
			}
			if err := census.ReadTable(t.Context(), audit.Table{Name: name, Label: []string{"old", "new"}[i]}); err != nil {
				t.Fatal(err)
			}
		}
		var rows []string
		crawls := census.Crawls()
		compared, err := crawls[1].Compare(crawls[0], func(row *audit.ChangeRow) error {
			rows = append(rows, fmt.Sprint(row.Was, ", ", row.Is, ", ", *row.Effect, " ", *row.Size))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		change := compared.Crawlers["GPTBot"]
		if partly := change.Before.Partly() + change.After.Partly(); partly != 2 || change.Known != 1 {
			t.Errorf("%+v", change)
		}
		if isOld {
			const want = `a table of old has no column "rest", so`
			if len(rows) != 0 || change.Closed.Sum() != 0 || !strings.Contains(fmt.Sprint(compared.Warnings), want) {
				t.Errorf("without the column: %q, %+v, %q", rows, change, compared.Warnings)
			}
			continue
		}
		want := []string{"mostly open, mostly closed, closes most"}
		if !slices.Equal(rows, want) || change.Closed.Sum() != 1 || len(compared.Warnings) != 0 {
			t.Errorf("%q, %+v, %q", rows, change, compared.Warnings)
		}
	}
}

// TestSizesOfChanges: the sizes in the table of changes are those that package semdiff finds in the files,
// with some for many.
func TestSizesOfChanges(t *testing.T) {
	bodies := [][]byte{nil, []byte("User-agent: *\nAllow: /$\nAllow: /about\nDisallow: /\n"), []byte("User-agent: *\nDisallow: /\n"),
		[]byte("User-agent: GPTBot\nDisallow: /*/\n\nUser-agent: *\nDisallow: /cart\n")}
	real, _ := witness.Corpus(t)
	for i := 0; i < len(real); i += 97 {
		bodies = append(bodies, real[i], bodies[1+i%3])
	}
	google := robotstxt.Google
	census := audit.NewCensus(audit.ByHost, true)
	for crawl := range 2 {
		var lines strings.Builder
		for i := range bodies {
			for step := range 3 {
				body := bodies[(i+crawl*(step+1))%len(bodies)]
				host := fmt.Sprintf("h%d-%d.example", i, step)
				line, _ := json.Marshal(map[string]string{"host": host, "body": string(body)})
				fmt.Fprintf(&lines, "%s\n", line)
			}
		}
		name := filepath.Join(t.TempDir(), "in.ndjson")
		writeFile(t, name, []byte(lines.String()))
		sources, _ := openSources([]string{name}, nil, audit.Config{})
		q := audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot"), Exact: true, Dialect: &google}
		options := audit.Options{Questions: q, Census: census, Labels: []string{fmt.Sprint(crawl)}}
		if _, err := audit.Run(t.Context(), sources, nil, options); err != nil {
			t.Fatal(err)
		}
	}
	crawls := census.Crawls()
	compared := map[string]int{}
	_, err := crawls[1].Compare(crawls[0], func(row *audit.ChangeRow) error {
		if row.Effect == nil {
			return nil
		}
		var i, step int
		if _, err := fmt.Sscanf(row.Site, "h%d-%d.example", &i, &step); err != nil {
			return err
		}
		crawler := semdiff.Crawler{}
		if row.Crawler != "*" {
			crawler.Tokens = []string{row.Crawler}
		}
		old, new := robotstxt.Parse(bodies[i]), robotstxt.Parse(bodies[(i+step+1)%len(bodies)])
		config := semdiff.Config{Only: true, Crawlers: []semdiff.Crawler{crawler}}
		report, err := semdiff.Compare(t.Context(), old, new, config)
		if err != nil {
			return err
		}
		want := report.Rows[0].Closes
		if *row.Effect == "opens" {
			want = report.Rows[0].Opens
		}
		if want == semdiff.SizeMany {
			want = semdiff.SizeSome
		}
		compared[*row.Effect+" "+*row.Size]++
		if *row.Size != string(want) {
			t.Errorf("%s, %s: %s to %s, %s %s, and semdiff finds %s", row.Site, row.Crawler, row.Was, row.Is, *row.Effect, *row.Size, want)
		}
		return nil
	})
	if err != nil || len(compared) < 6 && len(real) > 0 {
		t.Error(compared, err)
	}
}

// TestRepeatedHosts: a host with two numbers has the lower one; two texts are an error.
func TestRepeatedHosts(t *testing.T) {
	strata, err := audit.ReadStrata(strings.NewReader("host,rank\nhttps://a.example,1000\nhttp://a.example,50\nhttps://b.example,1000\n"), "rank")
	if err != nil || strata.Names[strata.Of("a.example")] != "50" || strata.Names[strata.Of("b.example")] != "1000" {
		t.Error(strata, err)
	}
	_, err = audit.ReadStrata(strings.NewReader("host,land\na.example,de\nA.example,de\na.example,fr\n"), "land")
	if err == nil || !strings.Contains(err.Error(), `both "de" and "fr" for a.example`) {
		t.Error(err)
	}
}
