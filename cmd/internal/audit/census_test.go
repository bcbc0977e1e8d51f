package audit_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
)

// capture returns a line of NDJSON.
func captureLine(second int, status int, url, body, location string) string {
	text, _ := json.Marshal(map[string]any{"url": url + "/robots.txt", "status": status, "body": body, "location": location, "fetched_at": fmt.Sprintf("2026-01-01T00:%02d:%02dZ", second/60, second%60)})
	return string(text) + "\n"
}

const closesAll = "User-agent: *\nDisallow: /\n"

// counted audits lines and says how many sites there are, and how many are closed and open
// to all crawlers.
func counted(t *testing.T, by audit.By, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.ndjson")
	writeFile(t, name, []byte(strings.Join(lines, "")))
	sources, _ := openSources([]string{name}, nil, audit.Config{})
	census := audit.NewCensus(by, false)
	options := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*"), Exact: true}, Census: census}
	if _, err := audit.Run(t.Context(), sources, nil, options); err != nil {
		t.Fatal(err)
	}
	s := census.Crawls()[0].Count(audit.CountConfig{})
	return fmt.Sprintf("%d sites, %d closed, %d open, %d not known", s.Sites, s.Crawlers["*"].Closed(), s.Crawlers["*"].Open(), s.Sites-s.Known)
}

// A site counts once, by the capture that says what crawlers of the site read.
func TestSites(t *testing.T) {
	for name, c := range map[string]struct {
		by    audit.By
		lines []string
		want  string
	}{
		"the latest capture": {audit.ByHost, []string{
			captureLine(2, 200, "https://b.example", closesAll, ""), captureLine(1, 200, "https://b.example", "", ""), captureLine(0, 200, "https://B.example", "", ""),
		}, "1 sites, 1 closed, 0 open, 0 not known"},
		"the last one without a time": {audit.ByHost, []string{`{"host": "b.example", "body": ""}` + "\n", `{"host": "b.example", "body": "User-agent: *\nDisallow: /"}`}, "1 sites, 1 closed, 0 open, 0 not known"},
		"https before a later http": {audit.ByHost, []string{
			captureLine(0, 200, "https://b.example", closesAll, ""), captureLine(5, 404, "http://b.example", "", ""),
		}, "1 sites, 1 closed, 0 open, 0 not known"},
		"http if https fails": {audit.ByHost, []string{
			captureLine(0, 503, "https://b.example", "", ""), captureLine(5, 404, "http://b.example", "", ""),
		}, "1 sites, 0 closed, 1 open, 0 not known"},
		"https below 500 is an answer": {audit.ByHost, []string{
			captureLine(0, 404, "https://b.example", "", ""), captureLine(5, 200, "http://b.example", closesAll, ""),
		}, "1 sites, 0 closed, 1 open, 0 not known"},
		"a redirect to the other origin": {audit.ByHost, []string{
			captureLine(9, 301, "http://b.example", "", "https://b.example/robots.txt"), captureLine(0, 503, "https://b.example", "", ""),
		}, "1 sites, 1 closed, 0 open, 0 not known"},
		"a redirect to the other origin alone": {audit.ByHost, []string{
			captureLine(0, 301, "http://b.example", "", "https://b.example/robots.txt"),
		}, "0 sites, 0 closed, 0 open, 0 not known"},
		"a redirect to another host": {audit.ByHost, []string{
			captureLine(0, 301, "http://b.example", "", "https://www.b.example/robots.txt"),
		}, "1 sites, 0 closed, 0 open, 1 not known"},
		"another path": {audit.ByHost, []string{
			captureLine(0, 200, "https://b.example", closesAll, ""), captureLine(5, 404, "https://b.example/index.html", "", ""), `{"host": "c.example", "url": "https://c.example/", "status": 404}` + "\n",
		}, "1 sites, 1 closed, 0 open, 0 not known"},
		"spellings of a host": {audit.ByHost, []string{
			`{"host": "a.example", "body": ""}` + "\n", `{"host": "a.example:443", "body": ""}` + "\n", `{"host": "A.example.", "body": ""}` + "\n", `{"host": "https://a.example/", "body": ""}` + "\n",
			`{"host": " a.example", "body": ""}` + "\n", `{"host": "a.example:80", "url": "http://a.example/robots.txt", "body": ""}` + "\n",
			`{"host": "münchen.example", "body": ""}` + "\n", `{"host": "xn--mnchen-3ya.example", "body": ""}` + "\n", `{"host": "a.example:8443", "body": ""}` + "\n",
		}, "3 sites, 0 closed, 3 open, 0 not known"},
		"other ports": {audit.ByHost, []string{
			captureLine(0, 200, "https://b.example", closesAll, ""), captureLine(1, 200, "https://b.example:8443", "", ""), captureLine(1, 200, "http://b.example:80", "", ""),
		}, "2 sites, 1 closed, 1 open, 0 not known"},
		"origins": {audit.ByOrigin, []string{
			captureLine(0, 200, "https://b.example", closesAll, ""), captureLine(1, 404, "http://b.example", "", ""), captureLine(0, 200, "http://b.example", closesAll, ""),
		}, "2 sites, 1 closed, 1 open, 0 not known"},
		"domains": {audit.ByDomain, []string{
			captureLine(0, 301, "https://shop.co.uk", "", "https://www.shop.co.uk/robots.txt"), captureLine(0, 200, "https://www.shop.co.uk", closesAll, ""),
			captureLine(1, 200, "https://blog.shop.co.uk", "", ""), captureLine(0, 200, "https://other.co.uk", "", ""),
		}, "2 sites, 1 closed, 1 open, 0 not known"},
		"captures": {audit.ByCapture, []string{
			captureLine(0, 200, "https://b.example", closesAll, ""), captureLine(1, 404, "http://b.example", "", ""), captureLine(2, 200, "https://b.example", "", ""),
		}, "3 sites, 1 closed, 2 open, 0 not known"},
		"a web page is not known": {audit.ByHost, []string{captureLine(0, 200, "https://b.example", "<html><body>shop</body></html>", "")}, "1 sites, 0 closed, 0 open, 1 not known"},
		"a revisit is as before":  {audit.ByHost, []string{captureLine(0, 200, "https://b.example", closesAll, ""), captureLine(5, 304, "https://b.example", "", "")}, "1 sites, 1 closed, 0 open, 0 not known"},
	} {
		if got := counted(t, c.by, c.lines...); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Domains are counted by hand with the rules of the public suffix list that are beside each site.
func TestDomains(t *testing.T) {
	sites := [][]string{
		{"shop.com", "www.shop.com", "a.b.shop.com"},                         // com
		{"shop.co.uk", "blog.shop.co.uk"},                                    // co.uk
		{"other.co.uk"},                                                      // co.uk
		{"co.uk"},                                                            // a suffix is a site of its own
		{"uk.com"},                                                           // so is a private one
		{"ann.github.io", "www.ann.github.io"},                               // github.io, private
		{"ben.github.io"},                                                    // github.io
		{"a.city.kawasaki.jp", "city.kawasaki.jp"},                           // !city.kawasaki.jp
		{"a.b.foo.kawasaki.jp", "b.foo.kawasaki.jp"},                         // *.kawasaki.jp
		{"b.bar.kawasaki.jp"},                                                // *.kawasaki.jp
		{"www.shop.公司.cn", "shop.xn--55qx5d.cn"},                             // 公司.cn
		{"a.shop.example", "b.shop.example"},                                 // *, no rule
		{"shop.example:8443", "a.shop.example:8443"},                         // a port of its own
		{"localhost"},                                                        // no dot
		{"192.0.2.7"}, {"198.51.2.7"}, {"192.0.2.7:8080"}, {"[2001:db8::7]"}, // addresses have no domain
	}
	var lines []string
	for _, hosts := range sites {
		for _, host := range hosts {
			lines = append(lines, captureLine(0, 200, "https://"+host, closesAll, ""))
		}
	}
	if got, want := counted(t, audit.ByDomain, lines...), fmt.Sprintf("%d sites, %[1]d closed, 0 open, 0 not known", len(sites)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, hosts := range sites {
		lines = nil
		for _, host := range hosts {
			lines = append(lines, captureLine(0, 200, "https://"+host, closesAll, ""))
		}
		if got := counted(t, audit.ByDomain, lines...); !strings.HasPrefix(got, "1 sites, 1 closed") {
			t.Errorf("%q: %s", hosts, got)
		}
	}
}

// Strata have the hosts that counts have, also after a byte order mark.
func TestStrataHosts(t *testing.T) {
	strata, err := audit.ReadStrata(strings.NewReader("\ufeffhost,country\nMÜNCHEN.example,de\n"), "country")
	if err != nil || strata.Of("xn--mnchen-3ya.example") != 0 {
		t.Error(strata, err)
	}
}

// variants are files with every treatment of GPTBot.
var variants = []struct {
	status int
	body   string
}{
	{200, ""}, {200, closesAll}, {200, "User-agent: *\nDisallow: /a\n"}, {200, "User-agent: GPTBot\nDisallow: /\n"},
	{200, "User-agent: GPTBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n"}, {200, "User-agent: CCBot\nDisallow: /\n"},
	{404, ""}, {503, ""}, {200, "<html><body>shop</body></html>"}, {301, ""},
}

// randomCrawl writes random captures of 300 hosts, and their tables in four shards.
func randomCrawl(t *testing.T, dir string, random *rand.Rand, crawlers []answer.Crawler) {
	t.Helper()
	var lines strings.Builder
	for second := range 800 {
		v := variants[random.IntN(len(variants))]
		scheme := []string{"http", "https"}[random.IntN(2)]
		host := fmt.Sprintf("h%d.example", random.IntN(300))
		location := map[int]string{301: "https://" + host + "/robots.txt"}[v.status]
		lines.WriteString(captureLine(second, v.status, scheme+"://"+host, v.body, location))
	}
	writeFile(t, filepath.Join(dir, "in.ndjson"), []byte(lines.String()))
	for shard := range 4 {
		sources, _ := openSources([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
		options := audit.Options{Questions: audit.Questions{Crawlers: crawlers, Exact: true}, Shard: audit.Shard{Index: shard + 1, Count: 4}}
		parts := audited(t, options, 90, sources)
		number := strconv.Itoa(shard)
		writeTables(t, parts, dir, "crawlers-"+number+".parquet", "crawlers-"+number+".jsonl", "files-"+number+".parquet")
	}
}

// countedRows returns the rows that count, by crawler and host, and the hosts: a plain
// recount of the tables.
func countedRows(t *testing.T, dir string) (rows map[string]map[string]map[string]any, hosts map[string]bool) {
	t.Helper()
	latest := map[string]map[string]map[string]any{} // by crawler and origin
	for shard := range 4 {
		recount(t, filepath.Join(dir, fmt.Sprintf("crawlers-%d.jsonl", shard)), func(row map[string]any) {
			crawler, from := row["crawler"].(string), strings.TrimSuffix(row["url"].(string), "/robots.txt")
			if latest[crawler] == nil {
				latest[crawler] = map[string]map[string]any{}
			}
			if last := latest[crawler][from]; last == nil || last["fetched_at"].(string) < row["fetched_at"].(string) {
				latest[crawler][from] = row
			}
		})
	}
	rows, hosts = map[string]map[string]map[string]any{}, map[string]bool{}
	for crawler, of := range latest {
		rows[crawler] = map[string]map[string]any{}
		for host := range 300 {
			name := fmt.Sprintf("h%d.example", host)
			https, http := of["https://"+name], of["http://"+name]
			if http != nil && http["problem"] == "redirect" {
				http = nil
			}
			row := cmp.Or(boolRow(https != nil && (http == nil || https["status"].(float64) < 500), https), boolRow(true, http))
			if row == nil {
				continue
			}
			hosts[name] = true
			rows[crawler][name] = *row
		}
	}
	return rows, hosts
}

func boolRow(is bool, row map[string]any) *map[string]any {
	if !is || row == nil {
		return nil
	}
	return &row
}

// treated returns the treatment in a row, "" if the rules are not known.
func treated(row map[string]any) string {
	isFile := row["body"] == "text" || row["body"] == "empty"
	switch {
	case row["outcome"] == nil || !isFile && row["body"] != nil:
		return ""
	case row["body"] == nil && row["access"] == "closed":
		return "closed by status"
	case row["body"] == nil:
		return "open by status"
	case row["access"] == "closed" && row["matched_by"] == "name":
		return "closed by name"
	case row["access"] == "closed":
		return "closed by *"
	}
	return row["access"].(string)
}

// The counts of two crawls and of their changes are those of a plain recount: of the
// inputs, of the tables of their shards, and of both kinds of tables.
func TestCensus(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	dirs := []string{t.TempDir(), t.TempDir()}
	crawlers := [][]answer.Crawler{crawlersOf(t, "GPTBot,CCBot,Googlebot"), crawlersOf(t, "*,CCBot,GPTBot")}
	want := map[string]int{}
	var rows [2]map[string]map[string]map[string]any
	var hosts [2]map[string]bool
	for i, dir := range dirs {
		randomCrawl(t, dir, random, crawlers[i])
		rows[i], hosts[i] = countedRows(t, dir)
		for crawler, of := range rows[i] {
			for _, row := range of {
				if treatment := treated(row); treatment != "" {
					want[fmt.Sprint(i, " ", crawler, " ", treatment)]++
				}
				if row["home"] == false && treated(row) != "" {
					want[fmt.Sprint(i, " ", crawler, " home")]++
				}
			}
		}
		want[fmt.Sprint(i, " sites")] = len(hosts[i])
	}
	changed := recountChanges(rows, hosts, want)

	tables := func(pattern ...string) func(*audit.Census) {
		return func(census *audit.Census) {
			for i, dir := range dirs {
				for _, pattern := range pattern {
					names, _ := filepath.Glob(filepath.Join(dir, pattern))
					for n, name := range names {
						if err := census.ReadTable(t.Context(), audit.Table{Name: name, Label: fmt.Sprint(i), Place: n}); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
	for name, fill := range map[string]func(*audit.Census){
		"tables of crawlers":     tables("crawlers-*.parquet"),
		"both tables":            tables("files-*.parquet", "crawlers-*.parquet"),
		"both, the others first": tables("crawlers-*.parquet", "files-*.parquet"),
		"inputs": func(census *audit.Census) {
			for i, dir := range dirs {
				sources, _ := openSources([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
				options := audit.Options{Questions: audit.Questions{Crawlers: crawlers[i], Exact: true}, Census: census, Labels: []string{fmt.Sprint(i)}}
				if _, err := audit.Run(t.Context(), sources, nil, options); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		for _, lines := range []bool{false, true} {
			census := audit.NewCensus(audit.ByHost, lines)
			fill(census)
			got, gotChanged := map[string]int{}, filepath.Join(t.TempDir(), "changes.csv")
			var changes []string
			if lines {
				changes = []string{gotChanged}
			}
			compared, err := census.Compare(changes)
			if err != nil {
				t.Fatal(err)
			}
			addCounts(got, census, compared[0])
			if !maps.Equal(got, want) {
				t.Errorf("%s:\n%v\ncounted\n%v", name, got, want)
			}
			if lines {
				sameLines(t, gotChanged, changed)
			}
		}
	}
}

// recountChanges adds the counts of changes, and returns the rows of the table of changes.
func recountChanges(rows [2]map[string]map[string]map[string]any, hosts [2]map[string]bool, want map[string]int) (changed []string) {
	strictness := map[any]int{"open": 1, "partly": 2, "closed": 3}
	for host := range hosts[1] {
		if !hosts[0][host] {
			want["appeared"]++
			continue
		}
		want["both"]++
		var closed, opened bool
		for _, crawler := range []string{"CCBot", "GPTBot"} {
			before, after := rows[0][crawler][host], rows[1][crawler][host]
			was, is := treated(before), treated(after)
			if was == "" || is == "" {
				continue
			}
			switch a, b := strictness[before["access"]], strictness[after["access"]]; {
			case b > a:
				want[crawler+" less open"]++
				closed = true
			case b < a:
				want[crawler+" more open"]++
				opened = true
			}
			if after["matched_by"] == "name" && before["matched_by"] != "name" {
				want[crawler+" named"]++
			}
			if was != is {
				cell := func(value any) string {
					if value == nil {
						return ""
					}
					return fmt.Sprint(value)
				}
				changed = append(changed, fmt.Sprintf("0,1,%s,%s,%s,%s,%s,%s,%s,%s", host, crawler, was, is, cell(before["line"]), cell(before["rule"]), cell(after["line"]), cell(after["rule"])))
			}
		}
		if closed {
			want["sites less open"]++
		}
		if opened {
			want["sites more open"]++
		}
	}
	want["vanished"] = len(hosts[0]) - want["both"]
	return changed
}

func addCounts(got map[string]int, census *audit.Census, c *audit.Comparison) {
	for i, crawl := range census.Crawls() {
		s := crawl.Count(audit.CountConfig{})
		got[fmt.Sprint(i, " sites")] = s.Sites
		for name, count := range s.Crawlers {
			got[fmt.Sprint(i, " ", name, " home")] = count.HomeClosed
			for treatment, n := range count.Treatments {
				if n > 0 {
					got[fmt.Sprint(i, " ", name, " ", audit.Treatment(treatment))] = n
				}
			}
		}
	}
	got["both"], got["appeared"], got["vanished"] = c.Sites, c.Appeared, c.Vanished
	got["sites less open"], got["sites more open"] = c.Closed.Count, c.Opened.Count
	for name, change := range c.Crawlers {
		got[name+" less open"], got[name+" more open"], got[name+" named"] = change.Closed, change.Opened, change.Named
	}
}

// sameLines compares the rows of a CSV file with others in any order.
func sameLines(t *testing.T, name string, want []string) {
	t.Helper()
	got := strings.Split(strings.TrimSpace(readFile(t, name)), "\n")[1:]
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) < 50 {
		t.Errorf("%d changes, want %d:\n%s\nwant\n%s", len(got), len(want), strings.Join(got[:min(5, len(got))], "\n"), strings.Join(want[:min(5, len(want))], "\n"))
	}
}
