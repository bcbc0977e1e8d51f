package audit_test

import (
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// stored is a record of an archive about a path of a.example, or a URL.
type stored struct {
	url, body string
	day       int    // after 2026-01-01
	status    int    // 0: 200
	head      string // more header fields
	revisit   bool
	digest    string // WARC-Payload-Digest, "" without one
	refersTo  int    // the day of the record that a revisit names, 0 without one
	refersURL string // its URL; "": that of the robots.txt
}

func (s stored) text() string {
	if strings.HasPrefix(s.url, "/") {
		s.url = "https://a.example" + s.url
	}
	kind, fields := "response", ""
	if s.revisit {
		kind = "revisit"
	}
	if s.digest != "" {
		fields += "WARC-Payload-Digest: " + s.digest + "\n"
	}
	if s.refersTo != 0 {
		fields += "WARC-Refers-To-Target-URI: " + cmp.Or(s.refersURL, "https://a.example/robots.txt") + "\nWARC-Refers-To-Date: " + dayOf(s.refersTo) + "\n"
	}
	block := fmt.Sprintf("HTTP/1.1 %d X\r\n%s\r\n%s", max(200, s.status), s.head, s.body)
	return warcText("1.1", "WARC-Type: "+kind+"\nWARC-Target-URI: "+s.url+"\nWARC-Date: "+dayOf(s.day)+"\n"+fields+
		"Content-Type: application/http; msgtype=response\n", block)
}

func dayOf(day int) string {
	return time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.RFC3339)
}

func sha1Of(body string) string {
	sum := sha1.Sum([]byte(body))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

func sha256Of(body string) string {
	sum := sha256.Sum256([]byte(body))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func base64Of(body string) string {
	sum := sha256.Sum256([]byte(body))
	return "sha-256:" + base64.StdEncoding.EncodeToString(sum[:])
}

const robots = "/robots.txt"

// file returns the record of a response with its digest.
func file(url string, day int, body string) stored {
	return stored{url: url, day: day, body: body, digest: sha1Of(body)}
}

// bare returns the record of a response without a digest.
func bare(day, status int, body string) stored {
	return stored{url: robots, day: day, status: status, body: body}
}

// again returns a revisit that refers to the response of a day, 0 for none.
func again(day int, digest string, refersTo int) stored {
	return stored{url: robots, day: day, revisit: true, digest: digest, refersTo: refersTo}
}

// orders calls yield with each order of records.
func orders(records []stored, yield func([]stored)) {
	var swap func(n int)
	swap = func(n int) {
		if n == len(records) {
			yield(records)
		}
		for i := n; i < len(records); i++ {
			records[n], records[i] = records[i], records[n]
			swap(n + 1)
			records[n], records[i] = records[i], records[n]
		}
	}
	swap(0)
}

// summaryOf returns how a.example is counted.
func summaryOf(census *audit.Census) string {
	crawl := census.Crawls()[0]
	s := crawl.Count(audit.CountConfig{Strata: onlyA})
	of := s.Strata[0].Crawlers["*"]
	if s.Strata[0].Known == 0 {
		return "unknown"
	}
	for treatment, n := range of.Treatments {
		if n > 0 {
			return audit.Treatment(treatment).String()
		}
	}
	return ""
}

var onlyA = func() *audit.Strata {
	strata, err := audit.ReadStrata(strings.NewReader("host,name\na.example,a\n"), "name")
	if err != nil {
		panic(err)
	}
	return strata
}()

// throughTables counts an input from its rows, and from its tables of both kinds in shards.
func throughTables(t *testing.T, by audit.By, name string) []string {
	t.Helper()
	tables, both := audit.NewCensus(by, false), audit.NewCensus(by, false)
	q := audit.Questions{Crawlers: crawlersOf(t, "*"), Exact: true}
	for i := range 2 {
		sources, _ := openSources([]string{name}, nil, audit.Config{})
		dir := t.TempDir()
		o := audit.Options{Questions: q, Shard: audit.Shard{Index: i + 1, Count: 2}}
		writeTables(t, audited(t, o, 1, sources), dir, "crawlers.parquet", "files.parquet")
		for into, name := range map[string]*audit.Census{"crawlers": tables, "files": both} {
			if err := name.ReadTable(t.Context(), audit.Table{Name: filepath.Join(dir, into+".parquet")}); err != nil {
				t.Fatal(err)
			}
		}
		if err := both.ReadTable(t.Context(), audit.Table{Name: filepath.Join(dir, "crawlers.parquet")}); err != nil {
			t.Fatal(err)
		}
	}
	return []string{countedIn(t, by, name), summaryOf(tables), summaryOf(both)}
}

// countedIn counts an input.
func countedIn(t *testing.T, by audit.By, name string) string {
	t.Helper()
	sources, errs := openSources([]string{name}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	census := audit.NewCensus(by, false)
	o := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*"), Exact: true}, Census: census}
	if unread, err := audit.Run(t.Context(), sources, nil, o); err != nil || len(unread) > 0 {
		t.Fatal(unread, err)
	}
	return summaryOf(census)
}

// TestRevisits: a revisit has the file with its digest, else that of the record that it names, else, with status 304,
// that of the capture before. The order of the records does not matter, nor whether tables are counted.
func TestRevisits(t *testing.T) {
	const (
		closed = "closed by *"
		other  = "https://b.example/robots.txt"
		shut   = closesAll
		open   = openFile
	)
	unmodified, gone := again(3, "", 0), again(3, sha1Of(shut), 0)
	unmodified.status, gone.status = 304, 404
	moved, elsewhere := bare(3, 301, ""), again(3, sha1Of(shut), 0)
	moved.head, elsewhere.url = "Location: https://c.example/robots.txt\r\n", "https://c.example/robots.txt"
	for name, c := range map[string]struct {
		records []stored
		want    string
	}{
		"as on day 1":             {[]stored{file(robots, 1, open), file(robots, 2, shut), again(3, sha1Of(open), 0)}, "open"},
		"unchanged":               {[]stored{file(robots, 1, open), file(robots, 2, shut), again(3, sha1Of(shut), 0)}, closed},
		"a later file":            {[]stored{file(robots, 4, shut), again(3, sha1Of(open), 0)}, closed},
		"another URL":             {[]stored{file(other, 1, shut), again(3, sha1Of(shut), 0)}, closed},
		"unknown digest":          {[]stored{file(robots, 1, open), again(3, sha1Of("x"), 0)}, "unknown"},
		"another algorithm":       {[]stored{file(robots, 1, open), again(3, sha256Of(open), 0)}, "unknown"},
		"case of the algorithm":   {[]stored{file(robots, 1, open), again(3, "SHA1"+sha1Of(open)[4:], 0)}, "open"},
		"only a reference":        {[]stored{bare(1, 200, open), bare(2, 200, shut), again(3, "", 1)}, "open"},
		"a reference to no time":  {[]stored{bare(1, 200, open), again(3, "", 2)}, "unknown"},
		"other digests":           {[]stored{file(robots, 1, open), again(3, sha1Of("x"), 1)}, "unknown"},
		"nothing":                 {[]stored{bare(1, 200, open), again(3, "", 0)}, "unknown"},
		"the digest of no bytes":  {[]stored{file(other, 1, ""), file(robots, 2, shut), again(3, sha1Of(""), 0)}, "unknown"},
		"likewise, base64":        {[]stored{{url: other, digest: base64Of("")}, file(robots, 2, shut), again(3, base64Of(""), 0)}, "unknown"},
		"base64":                  {[]stored{{url: other, digest: base64Of(shut), body: shut}, again(3, base64Of(shut), 0)}, closed},
		"an empty file by name":   {[]stored{file(robots, 1, ""), file(robots, 2, shut), again(3, sha1Of(""), 1)}, "open"},
		"304":                     {[]stored{file(robots, 1, open), file(robots, 2, shut), unmodified}, closed},
		"304 of a response":       {[]stored{file(robots, 1, open), bare(3, 304, ""), file(robots, 4, shut)}, closed},
		"304 after a fault":       {[]stored{file(robots, 1, shut), bare(2, 503, ""), bare(3, 304, "")}, closed},
		"304 after a 304":         {[]stored{file(robots, 1, shut), bare(2, 304, ""), unmodified}, closed},
		"304 after a revisit":     {[]stored{file(other, 1, shut), again(2, sha1Of(shut), 0), bare(3, 304, "")}, closed},
		"304 without a file":      {[]stored{bare(3, 304, ""), file(other, 1, shut)}, "unknown"},
		"another status":          {[]stored{file(robots, 1, shut), gone}, "open by status"},
		"a redirect to a revisit": {[]stored{file(other, 1, shut), moved, elsewhere}, closed},
	} {
		path := filepath.Join(t.TempDir(), "a.warc")
		orders(c.records, func(records []stored) {
			writeFile(t, path, []byte(texts(records)))
			if got := countedIn(t, audit.ByHost, path); got != c.want {
				t.Errorf("%s: %s, want %s: %+v", name, got, c.want, records)
			}
			if got := historySays(t, records); got != "" && got != c.want {
				t.Errorf("%s, history: %s, want %s: %+v", name, got, c.want, records)
			}
		})
		for i, got := range throughTables(t, audit.ByHost, path) {
			if got != c.want {
				t.Errorf("%s, %d: %s, want %s", name, i, got, c.want)
			}
		}
	}
}

// historySays returns how the file of the newest record of a.example, which is a revisit, treats crawlers; "" if the
// record is none.
func historySays(t *testing.T, records []stored) (treatment string) {
	t.Helper()
	newest := slices.MaxFunc(records, func(x, y stored) int { return cmp.Compare(x.day, y.day) })
	isOf := newest.status == 304 || newest.status == 0 && newest.revisit
	if !isOf || newest.url != robots {
		return ""
	}
	var bodies []string
	var revisits audit.Revisits
	err := audit.ReadWARC(strings.NewReader(texts(records)), audit.Config{}, func(in *audit.Input) error {
		bodies = append(bodies, string(in.Body))
		revisits.Note(in, audit.RecordOf(in, 0, len(bodies)), in.Problem == "" && in.Status == 200)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	of, _ := revisits.Files()
	for file, visits := range of {
		for _, visit := range visits {
			if visit.Origin == "https://a.example" && visit.Time.Format(time.RFC3339) == dayOf(newest.day) {
				return map[bool]string{true: "closed by *", false: "open"}[bodies[file.Number-1] == closesAll]
			}
		}
	}
	return "unknown"
}

func texts(records []stored) string {
	var archive strings.Builder
	for _, r := range records {
		archive.WriteString(r.text())
	}
	return archive.String()
}

// TestManyRevisits: a site that was unchanged for long keeps the capture with its file.
func TestManyRevisits(t *testing.T) {
	records := []stored{file(robots, 0, closesAll)}
	for day := 1; day <= 300; day++ {
		records = append(records, again(day, sha1Of(closesAll), 0))
	}
	path := filepath.Join(t.TempDir(), "a.warc")
	writeFile(t, path, []byte(texts(records)))
	if got := throughTables(t, audit.ByHost, path); fmt.Sprint(got) != "[closed by * closed by * closed by *]" {
		t.Error(got)
	}
}
