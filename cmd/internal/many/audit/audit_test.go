package audit_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// The hosts of the test archives and their files.
const (
	openFile   = "User-agent: *\nDisallow:\n"
	closedFile = "User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /a\nCrawl-delay: 2.5\nContent-Signal: ai-train=no\nSitemap: https://x.example/s.xml\n"
)

// crawlersOf returns crawlers in the notation of --agent.
func crawlersOf(t testing.TB, list string) []answer.Crawler {
	t.Helper()
	parsed, err := answer.ParseCrawlers(list)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// openSources returns the sources of arguments.
func openSources(arguments []string, stdin io.Reader, config audit.Config) ([]audit.Source, []error) {
	in, errs := audit.Open(arguments, stdin, config)
	return in.Sources, errs
}

// run audits inputs and returns the rows.
func run(t *testing.T, o audit.Options, config audit.Config, arguments ...string) (files []audit.File,
	crawlers []audit.Crawler) {
	t.Helper()
	sources, errs := openSources(arguments, nil, config)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return rowsOf(t, audited(t, o, 0, sources))
}

// audited audits sources into parts, each of so many files.
func audited(t *testing.T, o audit.Options, files int, sources []audit.Source) *audit.Parts {
	t.Helper()
	config := audit.PartsConfig{Bodies: o.Bodies, Shard: o.Shard, Files: files}
	parts, err := audit.OpenParts(filepath.Join(t.TempDir(), "parts"), config)
	if err != nil {
		t.Fatal(err)
	}
	if unread, err := audit.Run(t.Context(), sources, parts, o); err != nil || len(unread) > 0 {
		t.Fatal(unread, err)
	}
	return parts
}

// writeTables writes tables of parts into a folder.
func writeTables(t *testing.T, parts *audit.Parts, folder string, names ...string) {
	t.Helper()
	for _, name := range names {
		write := map[byte]func(string) error{'f': parts.WriteFiles, 'c': parts.WriteCrawlers,
			'b': parts.WriteBodies}[name[0]]
		if err := write(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func rowsOf(t *testing.T, parts *audit.Parts) (files []audit.File, crawlers []audit.Crawler) {
	t.Helper()
	if err := parts.Files(func(f *audit.File) error { files = append(files, *f); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := parts.Crawlers(func(c *audit.Crawler) error { crawlers = append(crawlers, *c); return nil }); err != nil {
		t.Fatal(err)
	}
	return files, crawlers
}

// text returns what a value points to, "null" for nil.
func text[T any](value *T) string {
	if value == nil {
		return "null"
	}
	return fmt.Sprint(*value)
}

// said returns what a row of a crawler says in one line.
func said(c *audit.Crawler) string {
	return fmt.Sprintf("%s %s: %s %s, home %s, delay %s", c.Host, c.Crawler, text(c.MatchedBy), text(c.Access), text(c.Home), text(c.CrawlDelay))
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

// archives writes the two files in every form of input, and returns their names.
func archives(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeFile(t, at("folder/open.example.txt"), []byte(openFile))
	writeFile(t, at("folder/shut.example/robots.txt"), []byte(closedFile))

	var tarred, zipped bytes.Buffer
	tw, zw := tar.NewWriter(&tarred), zip.NewWriter(&zipped)
	for _, f := range [][2]string{{"./open.example.robots.txt", openFile}, {"sub/shut.example", closedFile}} {
		tw.WriteHeader(&tar.Header{Name: f[0], Size: int64(len(f[1])), Mode: 0o644, Typeflag: tar.TypeReg})
		io.WriteString(tw, f[1])
		w, _ := zw.Create(f[0])
		io.WriteString(w, f[1])
	}
	tw.Close()
	zw.Close()
	writeFile(t, at("a.tar"), tarred.Bytes())
	writeFile(t, at("a.tgz"), gzipped(tarred.Bytes()))
	writeFile(t, at("a.zip"), zipped.Bytes())

	quoted, _ := json.Marshal(openFile)
	lines := fmt.Sprintf(`{"host": "open.example", "status": 200, "fetched_at": "2026-11-22T10:00:00Z", "body": %s}`+"\n\n"+`{"url": "https://shut.example/robots.txt", "body_base64": %q}`+"\n",
		quoted, base64.StdEncoding.EncodeToString([]byte(closedFile)))
	writeFile(t, at("a.ndjson"), []byte(lines))
	writeFile(t, at("a.jsonl.gz"), gzipped([]byte(lines)))

	one, two := warcRecord("https://open.example/robots.txt", 200, openFile), warcRecord("https://shut.example/robots.txt", 200, closedFile)
	writeFile(t, at("a.warc"), []byte(one+two))
	writeFile(t, at("a.warc.gz"), append(gzipped([]byte(one)), gzipped([]byte(two))...))

	names := map[string]string{"folder": at("folder"), "pattern": at("folder/**/*.txt")}
	for _, name := range []string{"a.tar", "a.tgz", "a.zip", "a.ndjson", "a.jsonl.gz", "a.warc", "a.warc.gz"} {
		names[name] = at(name)
	}
	return names
}

// warcRecord returns a response record. [WARC 1.1 6.3]
func warcRecord(url string, status int, body string) string {
	block := fmt.Sprintf("HTTP/1.1 %d Status\r\nContent-Type: text/plain\r\n\r\n%s", status, body)
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-11-22T10:00:00Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block)
}

// Every form of input gives the same verdicts.
func TestForms(t *testing.T) {
	want := []string{
		"open.example *: star open, home true, delay null",
		"open.example GPTBot: star open, home true, delay null",
		"shut.example *: star closed, home false, delay null",
		"shut.example GPTBot: name partly, home true, delay 2.5",
	}
	for form, name := range archives(t) {
		files, crawlers := run(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot"), Exact: true}},
			audit.Config{}, name)
		var got []string
		for i := range crawlers {
			got = append(got, said(&crawlers[i]))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", form, strings.Join(got, "\n"))
		}
		for _, f := range files {
			if f.Host == "shut.example" && (*f.Groups != 2 || *f.Rules != 2 || *f.Sitemaps != 1 || text(f.ContentSignal) != "ai-train=no" ||
				text(f.LintCodes) != "null" || *f.Size != int64(len(closedFile))) ||
				(f.FetchedAt != nil) != (strings.HasPrefix(form, "a.warc") || f.Host == "open.example" && strings.Contains(form, "json")) {
				t.Errorf("%s: %+v", form, f)
			}
		}
	}
}

// Standard input may have each form but zip.
func TestStdin(t *testing.T) {
	for form, name := range archives(t) {
		if form == "folder" || form == "pattern" || form == "a.zip" {
			continue
		}
		sources, errs := openSources([]string{"-"}, strings.NewReader(readFile(t, name)), audit.Config{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		var hosts []string
		err := sources[0].Files(context.Background(), func(in *audit.Input) error {
			hosts = append(hosts, in.Host)
			return nil
		})
		if err != nil || !slices.Equal(hosts, []string{"open.example", "shut.example"}) {
			t.Errorf("%s: %v, %v", form, hosts, err)
		}
	}
	sources, _ := openSources([]string{"-"}, strings.NewReader("User-agent: *\n"), audit.Config{})
	if err := sources[0].Files(context.Background(), func(*audit.Input) error { return nil }); err == nil {
		t.Error("a robots.txt on standard input is no archive")
	}
}

// A folder with archives is read with them, and host names can be given.
func TestFolderWithArchives(t *testing.T) {
	names := archives(t)
	files, _ := run(t, audit.Options{}, audit.Config{Hosts: map[string]string{"open.example.txt": "www.open.example"}}, filepath.Dir(names["a.zip"]))
	hosts := map[string]int{}
	for _, f := range files {
		hosts[f.Host]++
	}
	if fmt.Sprint(hosts) != "map[open.example:7 shut.example:8 www.open.example:1]" {
		t.Error(hosts)
	}
}

// What is not known is null.
func TestUnknownIsNull(t *testing.T) {
	cut := strings.Replace(warcRecord("https://cut.example/robots.txt", 200, openFile), "WARC-Date", "WARC-Truncated: length\r\nWARC-Date", 1)
	revisit := strings.Replace(warcRecord("https://again.example/robots.txt", 200, ""), "response", "revisit", 1)
	coded := strings.Replace(warcRecord("https://coded.example/robots.txt", 200, openFile), "Content-Type: text/plain", "Content-Encoding: zz/pl", 1)
	data := strings.Join([]string{
		cut, revisit, coded,
		warcRecord("https://moved.example/robots.txt", 301, ""),
		warcRecord("https://none.example/robots.txt", 404, "<html>"),
		warcRecord("https://down.example/robots.txt", 503, "User-agent: *\nAllow: /\n"),
		warcRecord("https://page.example/index.html", 200, "<html>"),
		"WARC/9.9\r\n\r\n",
		strings.Replace(warcRecord("https://other.example/robots.txt", 200, openFile), "response", "request", 1),
	}, "")
	name := filepath.Join(t.TempDir(), "a.warc")
	writeFile(t, name, []byte(data))
	files, crawlers := run(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*"), Exact: true,
		Lint: true}}, audit.Config{}, name)
	var got []string
	for i, f := range files {
		got = append(got, fmt.Sprintf("%s: status %s, problem %s, outcome %s, body %s, size %s, lint %s, %s %s",
			f.Host, text(f.Status), text(f.Problem), text(f.Outcome), text(f.Body), text(f.Size), text(f.LintCodes),
			text(crawlers[i].MatchedBy), text(crawlers[i].Access)))
	}
	want := []string{
		"cut.example: status 200, problem truncated, outcome null, body null, size null, lint null, null null",
		"again.example: status 200, problem revisit, outcome null, body null, size null, lint null, null null",
		"coded.example: status 200, problem undecodable, outcome null, body null, size null, lint null, null null",
		"moved.example: status 301, problem null, outcome allow-all, body null, size null, lint null, null open", // it has no Location
		"none.example: status 404, problem null, outcome allow-all, body null, size null, lint null, null open",
		"down.example: status 503, problem null, outcome disallow-all, body null, size null, lint null, null closed",
		": status null, problem damaged, outcome null, body null, size null, lint null, null null",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Each line of JSON that cannot be read is a row with a problem; the others are read.
func TestDamagedLines(t *testing.T) {
	lines := []string{
		`{"host": "a.example", "body": ""}`, `{"host": "a.example"`, `[]`, `{"body": "x"}`, `{"host": "b.example", "status": 20, "body": ""}`,
		`{"host": "b.example", "body": "", "body_base64": ""}`, `{"host": "b.example", "status": 200}`, `{"host": "b.example", "body_base64": "***"}`,
		`{"host": "b.example", "body": "` + strings.Repeat("a", 70_000) + `"}`, `{"host": "c.example", "status": 404}`,
	}
	name := filepath.Join(t.TempDir(), "a.ndjson")
	writeFile(t, name, []byte(strings.Join(lines, "\n")))
	files, _ := run(t, audit.Options{}, audit.Config{Limit: 100}, name)
	for i, f := range files {
		if ok := i == 0 || i == len(lines)-1; ok != (f.Problem == nil) || f.Record != fmt.Sprintf("line %d", i+1) {
			t.Errorf("%s: problem %s: %s", f.Record, text(f.Problem), text(f.Detail))
		}
	}
	if len(files) != len(lines) {
		t.Errorf("%d rows for %d lines", len(files), len(lines))
	}
}

// A file over the limit is read up to it.
func TestLimit(t *testing.T) {
	for form, name := range archives(t) {
		files, _ := run(t, audit.Options{}, audit.Config{Limit: 30}, name)
		for _, f := range files {
			if want := min(30, len(map[string]string{"open.example": openFile, "shut.example": closedFile}[f.Host])); *f.Size != int64(want) ||
				*f.Cut != (want == 30) {
				t.Errorf("%s: %s: %s bytes, cut %s", form, f.Host, text(f.Size), text(f.Cut))
			}
		}
	}
}

// The tables in other formats have the same cells.
func TestFormats(t *testing.T) {
	sources, _ := openSources([]string{archives(t)["a.warc.gz"]}, nil, audit.Config{})
	dir := t.TempDir()
	parts := audited(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Bodies: true}}, 0, sources)
	for _, end := range []string{".parquet", ".csv", ".jsonl"} {
		writeTables(t, parts, dir, "files"+end, "crawlers"+end, "bodies"+end)
	}
	var fromParquet []string
	err := audit.ReadTable(filepath.Join(dir, "crawlers.parquet"), func(c *audit.Crawler) error {
		fromParquet = append(fromParquet, c.Host+","+text(c.MatchedBy)+","+text(c.CrawlDelay))
		return nil
	})
	if want := []string{"open.example,star,null", "shut.example,name,2.5"}; err != nil || !slices.Equal(fromParquet, want) {
		t.Errorf("%v, %v", fromParquet, err)
	}
	var bodies []string
	audit.ReadTable(filepath.Join(dir, "bodies.parquet"), func(b *audit.Body) error {
		bodies = append(bodies, string(b.Body))
		return nil
	})
	if !slices.Equal(bodies, []string{openFile, closedFile}) {
		t.Errorf("%q", bodies)
	}
	sameCells(t, dir, "files")
	sameCells(t, dir, "crawlers")
}

// sameCells compares a CSV file with a file of JSON lines.
func sameCells(t *testing.T, dir, name string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(readFile(t, filepath.Join(dir, name+".csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(readFile(t, filepath.Join(dir, name+".jsonl"))), "\n") {
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		var object map[string]any
		if err := decoder.Decode(&object); err != nil {
			t.Fatal(err)
		}
		for column, header := range rows[0] {
			want := ""
			if object[header] != nil {
				want = fmt.Sprint(object[header])
			}
			if got := rows[i+1][column]; got != want {
				t.Errorf("%s, row %d, %s: CSV %q, JSON %q", name, i, header, got, want)
			}
		}
	}
	if len(rows) != 3 {
		t.Errorf("%s: %d rows", name, len(rows))
	}
}

// The shards of an audit have each row once: of several inputs by input, of a single
// one by file.
func TestShards(t *testing.T) {
	names := archives(t)
	for _, arguments := range [][]string{{names["a.zip"]}, {names["a.zip"], names["a.tar"], names["a.warc"], names["folder"], names["a.ndjson"]}} {
		whole, _ := run(t, audit.Options{}, audit.Config{}, arguments...)
		var want, got []string
		for _, f := range whole {
			want = append(want, f.Input+" "+f.Record)
		}
		for i := range 3 {
			files, _ := run(t, audit.Options{Shard: audit.Shard{Index: i + 1, Count: 3}}, audit.Config{}, arguments...)
			for _, f := range files {
				got = append(got, f.Input+" "+f.Record)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%v\n%v", got, want)
		}
	}
}

// Parts of an audit with other settings are refused.
func TestOtherSettings(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "parts")
	for _, settings := range []string{"a", "a", "b"} {
		if _, err := audit.OpenParts(folder, audit.PartsConfig{Settings: settings}); (err == nil) != (settings == "a") {
			t.Errorf("%s: %v", settings, err)
		}
	}
	if _, err := audit.OpenParts(folder, audit.PartsConfig{Settings: "a", Bodies: true}); err == nil {
		t.Error("parts without bodies are used for an audit with bodies")
	}
	// A version with another order of rows, or without the word fallback, has written the settings.
	settings := filepath.Join(folder, "settings.json")
	own := readFile(t, settings)
	for now, then := range map[string]string{`"Order": 2`: `"Order": 1`, `,
  "Meaning": 1`: ""} {
		older := strings.Replace(own, now, then, 1)
		writeFile(t, settings, []byte(older))
		if _, err := audit.OpenParts(folder, audit.PartsConfig{Settings: "a"}); err == nil || older == own {
			t.Errorf("without %s: %v", now, err)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
