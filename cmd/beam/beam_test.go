package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
)

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

// tool builds robots.
func tool(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "robots")
	build := exec.Command("go", "build", "-o", program, "./robots")
	build.Dir, build.Env = "..", append(os.Environ(), "GOWORK=") // another workspace, with the tool's own versions
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// robots runs the tool, and returns its output and exit status.
func robots(t *testing.T, program string, args ...string) (out string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.Command(program, append([]string{"audit"}, args...)...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); command.ProcessState == nil || command.ProcessState.ExitCode() > 0 && stdout.Len()+stderr.Len() == 0 {
		t.Fatal(err)
	}
	t.Logf("%s: exit status %d\n%s", args, command.ProcessState.ExitCode(), stderr.String())
	return stdout.String(), command.ProcessState.ExitCode()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// body returns one of several files.
func body(i int) string {
	return []string{
		"User-agent: GPTBot\nDisallow: /\n", "User-agent: *\nDisallow: /\nAllow: /about\n", "", "User-agent: *\nDisallow: /cart\nCrawl-delay: 5\n",
		"User-agent: *\nDisallow: /\n\nUser-agent: ClaudeBot\nAllow: /\n", "<html>not found</html>",
	}[i%6]
}

// warc returns a web archive whose records are gzip members. The member at damaged has a
// wrong byte.
func warc(records, damaged int) string {
	var archive bytes.Buffer
	for i := range records {
		status := []string{"200 OK", "200 OK", "404 Not Found", "503 Service Unavailable", "301 Moved\r\nLocation: /elsewhere"}[i%5]
		if i%10 == 9 {
			status = fmt.Sprintf("301 Moved\r\nLocation: https://w%d.example/robots.txt", (i*7+1)%50) // another domain
		}
		response := "HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\n\r\n" + body(i)
		record := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s://w%d.example/robots.txt\r\nWARC-Date: 2026-02-%02dT00:00:00Z\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", []string{"https", "http"}[i%2], i%50, i%28+1, len(response), response)
		var member bytes.Buffer
		zip := gzip.NewWriter(&member)
		zip.Write([]byte(record))
		zip.Close()
		if i == damaged {
			member.Bytes()[member.Len()/2] ^= 0xff
		}
		archive.Write(member.Bytes())
	}
	return archive.String()
}

// inputs writes two crawls. The second one has damaged archives: a record, a line, the end
// of an archive, and a table that is none.
func inputs(t *testing.T) (old, now string) {
	t.Helper()
	old, now = filepath.Join(t.TempDir(), "old"), filepath.Join(t.TempDir(), "now")
	for i := range 40 {
		write(t, filepath.Join(old, fmt.Sprintf("w%d.example.txt", i)), body(i+1))
		write(t, filepath.Join(now, "files", fmt.Sprintf("f%d.example", i), "robots.txt"), body(i))
	}
	write(t, filepath.Join(now, "a.warc.gz"), warc(120, -1))
	write(t, filepath.Join(now, "damaged.warc.gz"), warc(60, 31))
	write(t, filepath.Join(now, "lines.ndjson"), `{"host": "L.example", "body": "User-agent: *\nDisallow: /"}`+"\n{not JSON}\n"+`{"url": "https://w3.example/robots.txt", "status": 404}`+"\n")
	write(t, filepath.Join(now, "rows.csv"), "domain,content\nc1.example,User-agent: *\nw1.example,\n")
	var archive bytes.Buffer
	to := tar.NewWriter(&archive)
	for i := range 5 {
		to.WriteHeader(&tar.Header{Name: fmt.Sprintf("t%d.example", i), Mode: 0o644, Size: int64(len(body(i)))})
		to.Write([]byte(body(i)))
	}
	to.Close()
	write(t, filepath.Join(now, "cut.tar"), archive.String()[:archive.Len()-3000])
	return old, now
}

// rowsIn returns the rows of tables, sorted.
func rowsIn[Row any](t *testing.T, pattern string) (all []string, tables int) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		if err == nil {
			err = audit.ReadTable(name, func(row *Row) error {
				text, err := json.Marshal(row)
				all = append(all, string(text))
				return err
			})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all, len(names)
}

// sameRows compares the rows of tables, without what matches any of the patterns.
func sameRows[Row any](t *testing.T, want, got string, without ...*regexp.Regexp) {
	t.Helper()
	wantRows, _ := rowsIn[Row](t, want)
	gotRows, tables := rowsIn[Row](t, got)
	for _, rows := range [][]string{wantRows, gotRows} {
		for i := range rows {
			for _, pattern := range without {
				rows[i] = pattern.ReplaceAllString(rows[i], "")
			}
		}
		slices.Sort(rows)
	}
	t.Logf("%d rows in %d tables %s", len(gotRows), tables, filepath.Base(got))
	if len(wantRows) == 0 || !slices.Equal(wantRows, gotRows) {
		t.Errorf("%s: %d rows, the tool has %d", got, len(gotRows), len(wantRows))
		for i := range min(len(wantRows), len(gotRows)) {
			if wantRows[i] != gotRows[i] {
				t.Fatalf("got  %s\nwant %s", gotRows[i], wantRows[i])
			}
		}
	}
}

// cells returns the columns of a CSV table, sorted by row.
func cells(t *testing.T, text string, columns []string) (rows []string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%v: %q", err, text)
	}
	for _, row := range all[1:] {
		var cells []string
		for _, name := range columns {
			cells = append(cells, row[slices.Index(all[0], name)])
		}
		rows = append(rows, strings.Join(cells, ","))
	}
	slices.Sort(rows)
	return rows
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAudit runs the pipeline on Prism, and compares rows, counts and exit status with those
// of the tool.
func TestAudit(t *testing.T) {
	program := tool(t)
	old, now := inputs(t)
	for _, args := range [][]string{{"2025=" + old, "2026=" + now}, {filepath.Join(now, "*.warc.gz"), old}, {old}} {
		expected, tables := t.TempDir(), filepath.Join(t.TempDir(), "tables")
		flags := []string{"--out", expected + "/files.parquet", "--crawlers-out", expected + "/crawlers.parquet", "--bodies-out", expected + "/bodies.parquet", "--format", "csv", "--lint"}
		want, code := robots(t, program, append(flags, args...)...)
		o := &options{Tables: tables, By: audit.ByHost, Policy: fetch.GooglePolicy, Exact: true, Lint: true, Bodies: true}
		unread, err := run(t.Context(), o, args)
		if err != nil || unread != (code == 2) {
			t.Fatalf("%v: %v, unread %v, and the exit status of the tool is %d", args, err, unread, code)
		}
		sameRows[audit.File](t, expected+"/files.parquet", tables+"/files-*.parquet")
		sameRows[audit.Crawler](t, expected+"/crawlers.parquet", tables+"/crawlers-*.parquet")
		sameRows[audit.Body](t, expected+"/bodies.parquet", tables+"/bodies-*.parquet")
		if rest, _ := os.ReadDir(tables + "/" + unfinished); len(rest) > 0 {
			t.Errorf("%d unfinished files", len(rest))
		}
		columns := []string{"crawl", "crawler", "reading", "sites", "closed_by_name", "closed_by_star", "closed_by_status", "partly", "open", "open_by_status", "depends", "undecided", "unnamed", "named", "home_closed"}
		counted := cells(t, read(t, tables+"/counts.csv"), columns)
		if !slices.Equal(counted, cells(t, want, columns)) {
			t.Errorf("%v: other counts than the tool:\n%s\n%s", args, read(t, tables+"/counts.csv"), want)
		}
		again, code := robots(t, program, "--format", "csv", tables+"/crawlers-*.parquet")
		if code != 0 || cmp.Compare(again, want) != 0 {
			t.Errorf("%v: the tool counts the tables with exit status %d:\n%s\n%s", args, code, again, want)
		}
		if _, err := run(t.Context(), o, args); err == nil || !strings.Contains(err.Error(), "has tables already") {
			t.Errorf("a second run into the same folder: %v", err)
		}
	}
}

// TestBundlesOnPrism compares the tables of several bundles with those of the tool. Prism makes one bundle
// of what one reader emits, so each input has a reader here.
func TestBundlesOnPrism(t *testing.T) {
	program := tool(t)
	old, now := inputs(t)
	args := []string{old, filepath.Join(now, "a.warc.gz"), filepath.Join(now, "damaged.warc.gz"), filepath.Join(now, "lines.ndjson"), filepath.Join(now, "cut.tar")}
	expected := t.TempDir()
	_, code := robots(t, program, append([]string{"--out", expected + "/files.parquet", "--crawlers-out", expected + "/crawlers.parquet",
		"--bodies-out", expected + "/bodies.parquet"}, args...)...)
	if code != 2 {
		t.Fatalf("the damaged inputs have exit status %d", code)
	}
	o := &options{Tables: filepath.Join(t.TempDir(), "tables"), By: audit.ByHost, Policy: fetch.GooglePolicy, Exact: true, Bodies: true}
	if err := o.settle(args); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	var bundles []beam.PCollection
	for _, input := range o.Inputs {
		one := *o
		one.Inputs = []argument{input}
		read, _, _, _ := beam.ParDo4(s, &readFn{Options: one}, beam.ParDo(s, &listFn{one}, beam.Impulse(s)))
		bundles = append(bundles, beam.ParDo(s, &writeFn{Options: one}, read))
	}
	beam.ParDo0(s, &commitFn{*o}, beam.Reshuffle(s, beam.Flatten(s, bundles...)))
	if err := beamx.Run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile(`"Position":\d+`) // each input is the only one of its bundle
	sameRows[audit.File](t, expected+"/files.parquet", o.Tables+"/files-*.parquet", places)
	sameRows[audit.Crawler](t, expected+"/crawlers.parquet", o.Tables+"/crawlers-*.parquet", places)
	sameRows[audit.Body](t, expected+"/bodies.parquet", o.Tables+"/bodies-*.parquet")
	if _, tables := rowsIn[audit.File](t, o.Tables+"/files-*.parquet"); tables != len(args) {
		t.Errorf("%d bundles have %d tables", len(args), tables)
	}
}

// TestDamage compares the problems of inputs with what the archives are.
func TestDamage(t *testing.T) {
	_, now := inputs(t)
	o := &options{Tables: filepath.Join(t.TempDir(), "tables"), Agents: "GPTBot,*", By: audit.ByHost, Exact: true}
	if unread, err := run(t.Context(), o, []string{now}); err != nil || !unread {
		t.Fatalf("unread %v, %v", unread, err)
	}
	got := cells(t, read(t, filepath.Join(o.Tables, inputsName)), []string{"input", "files", "damaged"})
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], now)
	}
	want := []string{",40,0", "/a.warc.gz,120,0", "/cut.tar,3,0", "/damaged.warc.gz,60,1", "/lines.ndjson,3,1", "/rows.csv,2,0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if _, unread, err := o.problems(t.Context()); err != nil || len(unread) != 1 || !strings.Contains(unread[0], "cut.tar: it ends early, as after half a download; 3 files were read before") {
		t.Errorf("%q, %v", unread, err)
	}
}

// TestOptions lists command lines that cannot be followed.
func TestOptions(t *testing.T) {
	for _, test := range []struct {
		o    options
		args []string
		want string
	}{
		{options{By: audit.ByHost}, []string{"a"}, "--tables is missing"},
		{options{Tables: "t", By: audit.ByHost}, nil, "there is nothing to audit"},
		{options{Tables: "t", By: "planet"}, []string{"a"}, "--by planet is not known"},
		{options{Tables: "t", By: audit.ByHost}, []string{"2025=a", "b"}, "which crawl are they?"},
		{options{Tables: "t", By: audit.ByHost, Agents: "a:,b"}, []string{"a"}, `"a:,b"`},
	} {
		if _, err := run(t.Context(), &test.o, test.args); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test.o, err)
		}
	}
}

// TestBundles: one worker writes several bundles, one after the other. Of each, and of none
// that failed, the rows are in tables of their own, although each is moved there twice.
func TestBundles(t *testing.T) {
	o := options{Tables: filepath.Join(t.TempDir(), "tables"), Bodies: true}
	worker, commit := &writeFn{Options: o}, &commitFn{o}
	var names, want []string
	for bundle, size := range []int{3, 0, 2, 1} {
		if err := worker.StartBundle(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for i := range size {
			host := fmt.Sprintf("w%d-%d.example", bundle, i)
			r := audit.Rows{File: audit.File{Host: host}, Crawlers: []audit.Crawler{{Host: host, Crawler: "GPTBot"}, {Host: host, Crawler: "*"}}, Body: &audit.Body{Digest: host}}
			if err := worker.ProcessElement(t.Context(), r, nil); err != nil {
				t.Fatal(err)
			}
			if bundle != 2 {
				want = append(want, host)
			}
		}
		if bundle == 2 {
			continue // it failed before its end
		}
		if err := worker.FinishBundle(t.Context(), func(name string) { names = append(names, name) }); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append(names, names...) {
		if err := commit.ProcessElement(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	read := func(row *audit.File) error { got = append(got, row.Host); return nil }
	tables, err := filepath.Glob(o.Tables + "/files-*.parquet")
	for _, name := range tables {
		err = errors.Join(err, audit.ReadTable(name, read))
	}
	slices.Sort(got)
	if err != nil || len(tables) != 2 || !slices.Equal(got, want) {
		t.Errorf("%d tables with %q, %v; want 2 with %q", len(tables), got, err, want)
	}
	crawlers, _ := rowsIn[audit.Crawler](t, o.Tables+"/crawlers-*.parquet")
	bodies, _ := rowsIn[audit.Body](t, o.Tables+"/bodies-*.parquet")
	if len(crawlers) != 2*len(want) || len(bodies) != len(want) {
		t.Errorf("%d rows of crawlers and %d of bodies, of %d files", len(crawlers), len(bodies), len(want))
	}
	if rest, err := os.ReadDir(filepath.Join(o.Tables, unfinished)); err != nil || len(rest) != len(o.tables("")) {
		t.Errorf("%d unfinished files, %v; want those of one bundle", len(rest), err)
	}
}
