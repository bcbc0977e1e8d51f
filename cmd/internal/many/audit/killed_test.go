package audit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/download"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
)

// smallParts makes parts that are written every few milliseconds.
var smallParts = audit.PartsConfig{Settings: "killed", Files: 64}

// TestKilled ends an audit at any moment without warning, as kill -9 does, and goes on
// with it. In the end it has the rows of an undisturbed run. It does so five times, and with
// ROBOTSTXT_LONG fifty times.
func TestKilled(t *testing.T) {
	if folder := os.Getenv("AUDIT_TO_KILL"); folder != "" {
		auditUntilKilled(t, folder)
		return
	}
	kills := 5
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		kills = 50
	}
	dir := t.TempDir()
	for input := range 3 {
		var lines strings.Builder
		for i := range 800 {
			fmt.Fprintf(&lines, `{"host": "h%d-%d.example", "body": "User-agent: *\\nDisallow: /%d\\n"}`+"\n", input, i, i)
		}
		writeFile(t, filepath.Join(dir, "inputs", fmt.Sprint(input)+".ndjson"), []byte(lines.String()))
	}
	want, _ := run(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot")}}, audit.Config{},
		filepath.Join(dir, "inputs"))
	killedOften(t, dir, kills, []string{filepath.Join(dir, "inputs")}, want)
}

// TestKilledURLs is TestKilled for inputs at URLs, whose server cuts connections: 30 kills.
func TestKilledURLs(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("ROBOTSTXT_LONG is not set")
	}
	s := newStore(t, 3)
	cuts := storeFault{"", false, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
		s.give(w, r, data, sending{tag: `"v"`, most: s.part(data)})
	}}
	dir := t.TempDir()
	var urls, names []string
	for input := range 3 {
		name := fmt.Sprint(input) + ".ndjson.gz"
		var lines strings.Builder
		for i := range 800 {
			fmt.Fprintf(&lines, `{"host": "h%d-%d.example", "body": "User-agent: *\nDisallow: /%d\n"}`+"\n", input, i, i)
		}
		data := gzipped([]byte(lines.String()))
		names = append(names, filepath.Join(dir, name))
		writeFile(t, names[input], data)
		s.files["/"+name], s.faults["/"+name] = data, cuts
		urls = append(urls, s.URL+"/"+name)
	}
	want, _ := run(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot")}}, audit.Config{}, names...)
	killedOften(t, dir, 30, urls, want)
}

// killedOften kills audits of inputs in a folder, and continues them. In the end each has the wanted rows.
func killedOften(t *testing.T, dir string, kills int, inputs []string, want []audit.File) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	audits := 0
	// A process that is killed before it has written a part has more time the next time:
	// on a slow machine it takes long to start.
	patience := 40 * time.Millisecond
	for killed := 0; killed < kills; {
		if err := os.RemoveAll(filepath.Join(dir, "parts")); err != nil {
			t.Fatal(err)
		}
		for {
			child := exec.Command(os.Args[0], "-test.run=^TestKilled$")
			child.Env = append(os.Environ(), "AUDIT_TO_KILL="+dir, "AUDIT_INPUTS="+strings.Join(inputs, "\n"))
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			before := completeParts(t, dir)
			timer := time.AfterFunc(time.Duration(random.Int64N(int64(patience))), func() { child.Process.Kill() })
			if err := child.Wait(); err == nil {
				timer.Stop()
				break
			}
			if killed++; completeParts(t, dir) <= before {
				patience += patience / 4
			}
		}
		audits++
		patience = max(patience/2, 40*time.Millisecond)
		parts, err := audit.OpenParts(filepath.Join(dir, "parts"), smallParts)
		if err != nil {
			t.Fatal(err)
		}
		got, crawlers := rowsOf(t, parts)
		if !slices.EqualFunc(got, want, func(a, b audit.File) bool {
			return a.Record == b.Record && a.Host == b.Host && *a.Digest == *b.Digest
		}) || len(crawlers) != 2*len(got) {
			t.Fatalf("%d rows of files and %d of crawlers after %d kills, %d expected", len(got), len(crawlers), killed, len(want))
		}
	}
	t.Logf("%d audits ended %d times", audits, kills)
}

// completeParts returns how many parts are complete.
func completeParts(t *testing.T, dir string) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "parts", "*.files.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

func auditUntilKilled(t *testing.T, dir string) {
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		t.Fatal(err)
	}
	sources, _ := openSources(strings.Split(os.Getenv("AUDIT_INPUTS"), "\n"), nil,
		audit.Config{Download: download.New(client, time.Millisecond)})
	parts, err := audit.OpenParts(filepath.Join(dir, "parts"), smallParts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Run(context.Background(), sources, parts,
		audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot")}}); err != nil {
		t.Fatal(err)
	}
}

// An audit whose context ends leaves complete parts only, and goes on.
func TestInterrupted(t *testing.T) {
	var lines strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&lines, `{"host": "h%d.example", "body": ""}`+"\n", i)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ndjson"), []byte(lines.String()))
	sources, _ := openSources([]string{filepath.Join(dir, "a.ndjson")}, nil, audit.Config{})
	parts, err := audit.OpenParts(filepath.Join(dir, "parts"), smallParts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := audit.Run(ctx, []audit.Source{&stops{sources[0], 500, func() {
		waitForPart(t, dir)
		cancel()
	}}}, parts, audit.Options{}); err != context.Canceled {
		t.Fatal(err)
	}
	if rows, _ := rowsOf(t, parts); len(rows) == 0 || len(rows)%smallParts.Files != 0 || len(rows) > 500 {
		t.Errorf("%d rows of an interrupted audit", len(rows))
	}
	var progress audit.Progress
	if _, err := audit.Run(context.Background(), sources, parts, audit.Options{Progress: &progress}); err != nil {
		t.Fatal(err)
	}
	rows, _ := rowsOf(t, parts)
	if len(rows) != 1000 || progress.Files.Load() != 1000 || progress.Skipped.Load() == 0 {
		t.Errorf("%d rows, %d files, %d skipped", len(rows), progress.Files.Load(), progress.Skipped.Load())
	}
}

// waitForPart waits until a part is complete.
func waitForPart(t *testing.T, dir string) {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if completeParts(t, dir) > 0 {
			return
		}
	}
	t.Error("no part was written")
}

// stops calls a function after some files of a source, and ends with the context.
type stops struct {
	audit.Source
	after int
	stop  func()
}

func (s *stops) Files(ctx context.Context, yield func(*audit.Input) error) error {
	n := 0
	return s.Source.Files(ctx, func(in *audit.Input) error {
		if n++; n == s.after {
			s.stop()
			<-ctx.Done()
			return ctx.Err()
		}
		return yield(in)
	})
}
