package fix_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// TestCorpus fixes and formats a quarter of the real files, and compares the verdicts once more: by
// a proof over all fixes together, and on URLs that are made from the patterns.
// With ROBOTSTXT_LONG it takes all files, and also judges them by brute force.
func TestCorpus(t *testing.T) {
	bodies, files := witness.Corpus(t)
	refused := make(map[lint.Code]int)
	made, fixed, formatted, kept, undecided, koster, queries := 0, 0, 0, 0, 0, 0, 0
	var spent time.Duration
	for i, name := range files {
		if i%4 > 0 && os.Getenv("ROBOTSTXT_LONG") == "" {
			continue
		}
		body := bodies[i]
		start := time.Now()
		r, err := fix.Make(context.Background(), body, fix.Config{})
		spent += time.Since(start)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		made += r.Made
		for _, refusal := range r.Refused {
			refused[refusal.Finding.Code]++
			if strings.HasPrefix(refusal.Reason, "it is undecided ") {
				undecided++
			}
			if testing.Verbose() {
				t.Logf("%s:%d: %s %s", filepath.Base(name), refusal.Finding.Line, refusal.Finding.Code, refusal.Reason)
			}
		}
		if r.Made > 0 {
			fixed++
			checkSame(t, name, body, r.Body)
			if os.Getenv("ROBOTSTXT_LONG") != "" {
				queries += bruteForce(t, name, body, r.Body)
			}
		}
		if len(r.Changes) > 0 {
			koster++
		}
		f, err := fix.Format(context.Background(), body, lint.Google, lint.KeepEnds)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch {
		case len(f.Refused) > 0:
			kept++
			t.Logf("%s: not formatted: %s", filepath.Base(name), f.Refused[0].Reason)
		case string(f.Body) != string(body):
			formatted++
		}
	}
	t.Logf("%d made, refused: %v", made, refused)
	t.Logf("%d queries by brute force", queries)
	t.Logf("of %d files: %d fixed in %v, %d refusals undecided, %d with another verdict in koster1996; %d formatted, %d left as they were",
		len(files), fixed, spent.Round(time.Second), undecided, koster, formatted, kept)
}

// checkSame compares two files in the dialects of the proof.
func checkSame(t *testing.T, name string, before, after []byte) {
	t.Helper()
	for _, d := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
		a, b := d.Parse(before), d.Parse(after)
		report, err := semdiff.Compare(context.Background(), a, b, semdiff.Config{Changes: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range report.Rows {
			if len(row.Changes) > 0 {
				t.Errorf("%s: in %s %v get %+v", name, d, row.Crawlers, row.Changes)
			}
		}
		urls := slices.Collect(witness.Between(patterns(a), patterns(b), 64))
		for _, crawler := range semdiff.Crawlers(a, b) {
			old, changed := crawler.Rules(a), crawler.Rules(b)
			for _, path := range urls {
				if url := "http://host" + path; old.Allowed(url) != changed.Allowed(url) {
					t.Errorf("%s: in %s %s gets another verdict about %s", name, d, crawler, path)
				}
			}
		}
	}
}

func patterns(robots *robotstxt.Robots) (list []string) {
	for group := range robots.Groups() {
		for rule := range group.Rules() {
			list = append(list, rule.Pattern)
		}
	}
	return list
}
