package watch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// TestPartLines: the lines of a part that are kept have the changes of that part, and those of all parts are the
// changes of the files.
func TestPartLines(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 70))
	var files []string
	for _, name := range corpus(t) {
		text, err := os.ReadFile(name)
		if err == nil && len(text) < 4_000 && robotstxt.BodyOf(text) != robotstxt.BodyHTML {
			files = append(files, string(text))
		}
	}
	lines := []string{"User-agent: *", "User-agent: GPTBot", "useragent: CCBot", "Disallow: /", "Allow: /a", "Disallow",
		"Disallow:", "", "# c", "\ufeffSitemap: https://a.example/s.xml", "site-map: https://a.example/t.xml",
		"Sitemap https://a.example/u.xml", "Crawl-delay: 5", "crawl-delay: 7 # s", "Host: a.example", "Clean-param: x /y",
		"Content-Signal: ai-train=no", "content-usage: train-ai=n", "License: https://a.example/l", "Noindex: /x", "X: y", "text",
		"Request-rate: 1/5", "Visit-time: 0100-0200"}
	for range 400 {
		var b strings.Builder
		for range random.IntN(20) {
			b.WriteString(lines[random.IntN(len(lines))] + []string{"\n", "\r\n", "\r"}[random.IntN(20)/9])
		}
		files = append(files, b.String())
	}
	r := &watch.Reader{}
	differ := [4]int{}
	for range 120 {
		before, after := served(files[random.IntN(len(files))]), served(files[random.IntN(len(files))])
		var parts []wire.WatchChange
		for _, part := range watch.AllParts {
			of := func(s *watch.Served) *watch.Served {
				p, ok := part.Of(s)
				if !ok {
					t.Fatal("a file says nothing")
				}
				return &p
			}
			whole, err := r.ChangesOf(context.Background(), "http://a.example/robots.txt", before, after, part)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := r.ChangesOf(context.Background(), "http://a.example/robots.txt", of(before), of(after), part)
			if err != nil || !reflect.DeepEqual(kept, whole) {
				t.Fatalf("%q\nand %q\npart %d: %v\nin %q\nand %q: %v", before.Body, after.Body, part, whole, of(before).Body, of(after).Body, kept)
			}
			if len(whole) > 0 {
				differ[part]++
			}
			parts = append(parts, whole...)
		}
		all, err := r.Changes(context.Background(), "http://a.example/robots.txt", before, after)
		if err != nil || len(all) != len(parts) {
			t.Fatalf("%d changes (%v), and %d of parts", len(all), err, len(parts))
		}
	}
	t.Logf("pairs that differ in each part: %d", differ)
	for part, n := range differ {
		if n < 15 {
			t.Errorf("%d pairs differ in part %d", n, part)
		}
	}
}

// TestManyStatements: a file with many long agents, each of which has many lines, needs megabytes.
func TestManyStatements(t *testing.T) {
	var b strings.Builder
	const agents, lines = 40, 15_000
	for i := range agents {
		fmt.Fprintf(&b, "User-agent: %s%d\n", strings.Repeat("a", 7000), i)
	}
	for i := range lines {
		fmt.Fprintf(&b, "Disallow: /%d\n", i)
	}
	file := served(b.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := watch.RulesPart.Statements(file)
	runtime.ReadMemStats(&after)
	if want := agents + 32*lines; n != want {
		t.Errorf("%d statements, want %d", n, want)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 64<<20 {
		t.Errorf("%d bytes for a file of %d", bytes, b.Len())
	}
}

func served(body string) *watch.Served {
	return &watch.Served{Outcome: wire.OutcomeRules, Status: 200, FinalURL: "http://a.example/robots.txt", File: true, Body: []byte(body)}
}

// corpus returns the names of real files, if there are some.
func corpus(t *testing.T) []string {
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTSTXT_CORPUS"), "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}
