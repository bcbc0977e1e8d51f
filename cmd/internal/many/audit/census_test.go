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
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/origin"
)

// captureLine returns a line of NDJSON.
func captureLine(second int, status int, url, body, location string) string {
	text, _ := json.Marshal(map[string]any{"url": url + "/robots.txt", "status": status, "body": body, "location": location,
		"fetched_at": fmt.Sprintf("2026-01-01T00:%02d:%02dZ", second/60, second%60)})
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

// redirectsTo returns the captures of so many sites, of which each redirects to the next, and an
// end.
func redirectsTo(n int, end string) (lines []string) {
	for i := range n {
		lines = append(lines, captureLine(0, 301, fmt.Sprintf("https://r%d.example", i), "", fmt.Sprintf("https://r%d.example/robots.txt", i+1)))
	}
	return append(lines, end)
}

// TestRedirects: a record leads where a client goes, and one that leads nowhere keeps its Location.
func TestRedirects(t *testing.T) {
	l, err := conformance.ReadLocations()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range l.Cases {
		want := origin.Text(c.Location).Given() // without user name and password
		if c.Target != nil {
			want = *c.Target
		}
		if got := audit.Resolved(l.From, c.Location); got != want {
			t.Errorf("%q: %q, want %q", c.Location, got, want)
		}
	}
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
		}, "1 sites, 0 closed, 0 open, 1 not known"},
		"a redirect to www": {audit.ByHost, []string{
			captureLine(0, 301, "https://b.example", "", "https://www.b.example/robots.txt"), captureLine(0, 200, "https://www.b.example", closesAll, ""),
		}, "2 sites, 2 closed, 0 open, 0 not known"},
		"a redirect to another path": {audit.ByHost, []string{
			captureLine(0, 200, "https://b.example/en", closesAll, ""), captureLine(0, 302, "https://b.example", "", "/en/robots.txt"),
		}, "1 sites, 1 closed, 0 open, 0 not known"},
		"a redirect as browsers read it": {audit.ByHost, []string{
			captureLine(0, 200, "https://b.example/en", closesAll, ""), captureLine(0, 302, "https://b.example", "", `https:\en\robots.txt`),
		}, "1 sites, 1 closed, 0 open, 0 not known"},
		"the capture nearest in time": {audit.ByHost, []string{
			captureLine(50, 301, "https://b.example", "", "https://c.example/robots.txt"),
			captureLine(0, 404, "https://c.example", "", ""), captureLine(40, 200, "https://c.example", closesAll, ""), captureLine(90, 404, "https://c.example", "", ""),
		}, "2 sites, 1 closed, 1 open, 0 not known"},
		"the newer of two captures": {audit.ByHost, []string{
			captureLine(50, 301, "https://b.example", "", "https://c.example/robots.txt"),
			captureLine(40, 404, "https://c.example", "", ""), captureLine(60, 200, "https://c.example", closesAll, ""),
		}, "2 sites, 2 closed, 0 open, 0 not known"},
		"five redirects": {audit.ByHost, redirectsTo(5, captureLine(0, 200, "https://r5.example", closesAll, "")), "6 sites, 6 closed, 0 open, 0 not known"},
		"six redirects":  {audit.ByHost, redirectsTo(6, captureLine(0, 200, "https://r6.example", closesAll, "")), "7 sites, 6 closed, 1 open, 0 not known"},
		"a cycle":        {audit.ByHost, redirectsTo(2, captureLine(0, 301, "https://r2.example", "", "https://r0.example/robots.txt")), "3 sites, 0 closed, 3 open, 0 not known"},
		"not of captures": {audit.ByCapture, []string{
			captureLine(0, 301, "https://b.example", "", "https://www.b.example/robots.txt"), captureLine(0, 200, "https://www.b.example", closesAll, ""),
		}, "2 sites, 1 closed, 0 open, 1 not known"},
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
		{"shop.com", "www.shop.com", "a.b.shop.com"}, // com
		{"shop.co.uk", "blog.shop.co.uk"},            // co.uk
		{"other.co.uk"},                              // co.uk
		{"co.uk"},                                    // a suffix is a site of its own
		{"uk.com"},                                   // so is a private one
		{"ann.github.io", "www.ann.github.io"},       // github.io, private
		{"ben.github.io"},                            // github.io
		{"a.city.kawasaki.jp", "city.kawasaki.jp"},   // !city.kawasaki.jp
		{"a.b.foo.kawasaki.jp", "b.foo.kawasaki.jp"}, // *.kawasaki.jp
		{"b.bar.kawasaki.jp"},                        // *.kawasaki.jp
		{"www.shop.公司.cn", "shop.xn--55qx5d.cn"},     // 公司.cn
		{"a.shop.example", "b.shop.example", "shop.example:8443", "a.shop.example:8443"}, // *, no rule; a port is no part of a domain
		{"localhost"},                                                                            // no dot
		{"192.0.2.7", "192.0.2.7:8080"}, {"198.51.2.7"}, {"[2001:db8::7]", "[2001:db8::7]:8080"}, // addresses have no domain
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
	{200, "User-agent: GPTBot\nDisallow: /\nAllow: /a\n\nUser-agent: *\nAllow: /$\nDisallow: /\n"},
	{404, ""}, {503, ""}, {200, "<html><body>shop</body></html>"}, {301, ""},
}

// randomCrawl writes random captures of 150 hosts, and their tables in four shards.
func randomCrawl(t *testing.T, dir string, random *rand.Rand, crawlers []answer.Crawler) {
	t.Helper()
	var lines strings.Builder
	for second := range 400 {
		v := variants[random.IntN(len(variants))]
		scheme := []string{"http", "https"}[random.IntN(2)]
		host := fmt.Sprintf("h%d.example", random.IntN(150))
		location := map[int]string{301: "https://" + host + "/robots.txt"}[v.status]
		lines.WriteString(captureLine(second, v.status, scheme+"://"+host, v.body, location))
	}
	writeFile(t, filepath.Join(dir, "in.ndjson"), []byte(lines.String()))
	for shard := range 4 {
		sources, _ := openSources([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
		options := audit.Options{Questions: audit.Questions{Crawlers: crawlers, Exact: true},
			Shard: audit.Shard{Index: shard + 1, Count: 4}}
		parts := audited(t, options, 90, sources)
		number := strconv.Itoa(shard)
		writeTables(t, parts, dir, "crawlers-"+number+".parquet", "crawlers-"+number+".jsonl", "files-"+number+".parquet")
	}
}

// countedRows returns the rows that count, by crawler and host, and the hosts: a plain
// recount of the tables.
func countedRows(t *testing.T, dir string) (rows map[string]map[string]map[string]any, hosts map[string]bool) {
	t.Helper()
	all := map[string]map[string][]map[string]any{} // by crawler and origin
	for shard := range 4 {
		recount(t, filepath.Join(dir, fmt.Sprintf("crawlers-%d.jsonl", shard)), func(row map[string]any) {
			crawler, from := row["crawler"].(string), strings.TrimSuffix(row["url"].(string), "/robots.txt")
			if all[crawler] == nil {
				all[crawler] = map[string][]map[string]any{}
			}
			all[crawler][from] = append(all[crawler][from], row)
		})
	}
	rows, hosts = map[string]map[string]map[string]any{}, map[string]bool{}
	for crawler, of := range all {
		rows[crawler] = map[string]map[string]any{}
		for host := range 150 {
			name := fmt.Sprintf("h%d.example", host)
			newest := func(from string) map[string]any { return nearest(of[from], 1<<40) }
			row, http := newest("https://"+name), newest("http://"+name)
			if http != nil && (row == nil || row["status"].(float64) >= 500) {
				row = http
			}
			if row != nil {
				hosts[name] = true
				rows[crawler][name] = followedRow(of, row)
			}
		}
	}
	return rows, hosts
}

// secondOf returns the time of a row.
func secondOf(row map[string]any) int64 {
	at, _ := time.Parse(time.RFC3339, row["fetched_at"].(string))
	return at.Unix()
}

// nearest returns the row that is nearest to a time, the later one of two.
func nearest(rows []map[string]any, second int64) (best map[string]any) {
	for _, row := range rows {
		from := func(row map[string]any) int64 { return max(secondOf(row)-second, second-secondOf(row)) }
		if best == nil || from(row) < from(best) || from(row) == from(best) && secondOf(row) > secondOf(best) {
			best = row
		}
	}
	return best
}

// followedRow follows the redirects of a row, at most five.
func followedRow(of map[string][]map[string]any, first map[string]any) map[string]any {
	row := first
	for hops := 0; row["problem"] == "redirect"; hops++ {
		if hops == 5 {
			return map[string]any{"outcome": "allow-all", "access": "open", "home": true}
		}
		row = nearest(of[strings.TrimSuffix(row["redirect"].(string), "/robots.txt")], secondOf(first))
		if row == nil {
			return first
		}
	}
	return row
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
	return reached(row)
}

// reached returns how much of a site a row opens.
func reached(row map[string]any) string {
	switch access := row["access"].(string); {
	case access != "partly":
		return access
	case row["rest"] == true:
		return "mostly open"
	default:
		return "mostly closed"
	}
}

// sizes are the effects of a change from one reach to another, with their sizes.
var sizes = map[string]string{
	"open to mostly open": "closes,some", "open to mostly closed": "closes,most", "open to closed": "closes,all",
	"mostly open to mostly closed": "closes,most", "mostly open to closed": "closes,all", "mostly closed to closed": "closes,all",
	"closed to mostly closed": "opens,some", "closed to mostly open": "opens,most", "closed to open": "opens,all",
	"mostly closed to mostly open": "opens,most", "mostly closed to open": "opens,all", "mostly open to open": "opens,some",
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
						if err := census.ReadTable(t.Context(),
							audit.Table{Name: name, Label: fmt.Sprint(i), Place: n}); err != nil {
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
				options := audit.Options{Questions: audit.Questions{Crawlers: crawlers[i], Exact: true},
					Census: census, Labels: []string{fmt.Sprint(i)}}
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
			compared, err := census.Compare(changes, nil)
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
func recountChanges(rows [2]map[string]map[string]map[string]any, hosts [2]map[string]bool,
	want map[string]int) (changed []string) {
	strictness := map[string]int{"open": 1, "mostly open": 2, "mostly closed": 3, "closed": 4}
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
			reach := [2]string{reached(before), reached(after)}
			switch a, b := strictness[reach[0]], strictness[reach[1]]; {
			case b > a:
				want[crawler+" less open"]++
				closed = true
			case b < a:
				want[crawler+" more open"]++
				opened = true
			}
			if after["matched_by"] == "name" && before["matched_by"] != "name" && was != "closed by status" {
				want[crawler+" named"]++
			}
			if was != is {
				cell := func(value any) string {
					if value == nil {
						return ""
					}
					return fmt.Sprint(value)
				}
				by := "file"
				if was == "closed by status" || is == "closed by status" {
					by = "status"
				}
				changed = append(changed, fmt.Sprintf("0,1,%s,%s,%s,%s,%s,%s,%s,%s,%s,,%s", host, crawler, was, is, cell(before["line"]), cell(before["rule"]),
					cell(after["line"]), cell(after["rule"]), cmp.Or(sizes[reach[0]+" to "+reach[1]], ","), by))
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
	got["sites less open"], got["sites more open"] = c.Closed.Count+c.Closed.ByStatus, c.Opened.Count+c.Opened.ByStatus
	for name, change := range c.Crawlers {
		got[name+" less open"], got[name+" more open"], got[name+" named"] = change.Closed.Sum(), change.Opened.Sum(), change.Named
	}
}

// sameLines compares the rows of a CSV file with others in any order.
func sameLines(t *testing.T, name string, want []string) {
	t.Helper()
	got := strings.Split(strings.TrimSpace(readFile(t, name)), "\n")[1:]
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) < 50 {
		t.Errorf("%d changes, want %d:\n%s\nwant\n%s", len(got), len(want), strings.Join(got[:min(5, len(got))], "\n"),
			strings.Join(want[:min(5, len(want))], "\n"))
	}
}

// Each of several crawls is compared with the next, and the first with the last, so a site that is
// missing in between keeps its change. The table of changes has strata, also of unlisted sites.
func TestThreeCrawls(t *testing.T) {
	open, shut := "User-agent: *\nDisallow:\n", closesAll
	crawls := []map[string]string{{"a.example": open, "b.example": open}, {"a.example": shut}, {"a.example": open, "b.example": shut}}
	census := audit.NewCensus(audit.ByHost, true)
	for i, sites := range crawls {
		lines := ""
		for host, body := range sites {
			lines += captureLine(0, 200, "https://"+host, body, "")
		}
		name := filepath.Join(t.TempDir(), "in.ndjson")
		writeFile(t, name, []byte(lines))
		sources, _ := openSources([]string{name}, nil, audit.Config{})
		options := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*"), Exact: true}, Census: census,
			Labels: []string{strconv.Itoa(i)}}
		if _, err := audit.Run(t.Context(), sources, nil, options); err != nil {
			t.Fatal(err)
		}
	}
	strata, err := audit.ReadStrata(strings.NewReader("7,a.example\n9000,c.example\n"), "rank") // as Tranco writes it
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "changes.csv")
	compared, err := census.Compare([]string{name}, strata)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range compared {
		change := c.Crawlers["*"]
		got = append(got, fmt.Sprintf("%s-%s: %d sites, %d less, %d more", c.Before, c.After, c.Sites, change.Closed.Sum(), change.Opened.Sum()))
	}
	if want := []string{"0-1: 1 sites, 1 less, 0 more", "1-2: 1 sites, 0 less, 1 more", "0-2: 2 sites, 1 less, 0 more"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	const want = `before,after,site,crawler,was,is,before_line,before_rule,after_line,after_rule,effect,size,stratum,by
0,1,a.example,*,open,closed by *,2,"Disallow: ",2,Disallow: /,closes,all,7,file
1,2,a.example,*,closed by *,open,2,Disallow: /,2,"Disallow: ",opens,all,7,file
0,2,b.example,*,open,closed by *,2,"Disallow: ",2,Disallow: /,closes,all,unlisted,file
`
	if got := readFile(t, name); strings.ReplaceAll(got, "\r", "") != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for i, crawl := range census.Crawls() {
		s := crawl.Count(audit.CountConfig{Strata: strata})
		known := 0
		for _, stratum := range s.Strata {
			known += stratum.Known
		}
		if known != s.Known || known != len(crawls[i]) {
			t.Errorf("crawl %d: %d sites in strata, %d known", i, known, s.Known)
		}
	}
}

// Of captures without a time, the last one counts, whether a file is read as a whole, in shards, or
// from their tables in any order.
func TestUndated(t *testing.T) {
	dir := t.TempDir()
	var lines strings.Builder
	for i := range 40 {
		body := []string{"", "User-agent: *\\nDisallow: /\\n"}[i%7%2]
		fmt.Fprintf(&lines, "{\"host\": \"h%d.example\", \"body\": \"%s\"}\n", i%5, body)
	}
	writeFile(t, filepath.Join(dir, "in.ndjson"), []byte(lines.String()))
	want := counted(t, audit.ByHost, lines.String())
	tables := shardTables(t, dir, 3)
	for _, order := range [][]string{tables, {tables[2], tables[0], tables[1]}} {
		census := audit.NewCensus(audit.ByHost, false)
		for i, name := range order {
			if err := census.ReadTable(t.Context(), audit.Table{Name: name, Place: i}); err != nil {
				t.Fatal(err)
			}
		}
		s := census.Crawls()[0].Count(audit.CountConfig{})
		got := fmt.Sprintf("%d sites, %d closed, %d open, %d not known", s.Sites, s.Crawlers["*"].Closed(), s.Crawlers["*"].Open(), s.Sites-s.Known)
		if got != want {
			t.Errorf("%v: %s, want %s", order, got, want)
		}
	}
}
