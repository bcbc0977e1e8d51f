package watch_test

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint/editor"
	"github.com/kosterhq/robotstxt/semdiff"
)

// pairsOfFiles yields the edits, and real files with the next one and the same site's newer one.
func pairsOfFiles(t *testing.T) (pairs [][2]string) {
	for _, e := range edits {
		pairs = append(pairs, [2]string{e.before, e.after}, [2]string{e.after, e.before})
	}
	bodies, names := witness.Corpora(t)
	known := make(map[string]int)
	for i, name := range names {
		if earlier, isKnown := known[name]; isKnown {
			pairs = append(pairs, [2]string{string(bodies[earlier]), string(bodies[i])})
		} else if i%40 == 0 {
			pairs = append(pairs, [2]string{string(bodies[i]), string(bodies[(i+1)%len(bodies)])})
		}
		known[name] = i
	}
	return pairs
}

// TestSizesEverywhere: a watch, the text of a comparison, its Markdown, the annotations of GitHub and the lenses of an
// editor have the sizes of the comparison, and only the size and the crawlers decide how serious a change is.
func TestSizesEverywhere(t *testing.T) {
	t.Parallel()
	changed := 0
	for i, pair := range pairsOfFiles(t) {
		q := compare.Question{Old: []byte(pair[0]), New: []byte(pair[1])}
		result, err := compare.Run(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var want, sites []string
		for _, s := range result.Sizes {
			want = append(want, fmt.Sprint(s.Effect, s.Size, s.Agents, severityOf(&s)))
			if s.Size.IsSite() {
				sites = append(sites, fmt.Sprint(s.Effect, s.Size, s.Agents))
			}
		}
		changed += len(want)
		var listed []string
		for _, s := range result.Sites {
			listed = append(listed, fmt.Sprint(s.Effect, s.Size, s.Agents))
		}
		if !slices.Equal(listed, sites) {
			t.Errorf("pair %d: sites %v, sizes %v", i, listed, sites)
		}
		if got := effectsWatched(t, pair); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("pair %d: watch has %v, diff %v", i, got, want)
		}
		printed := printedAll(t, q, result)
		text := printed[0]
		pairs := 0
		for r := range result.Rows {
			row := &result.Rows[r]
			for s := range row.Sizes {
				words, _, _ := strings.Cut(report.EffectText(row, &row.Sizes[s], ""), " for ")
				if !strings.Contains(text, words) {
					t.Errorf("pair %d: %q is not in\n%s", i, words, text)
				}
				if row.Sizes[s].Size.IsSite() {
					pairs++
					if what, _, _ := strings.Cut(words, "%"); !strings.Contains(strings.ReplaceAll(printed[2], `\`, ""), what) {
						t.Errorf("pair %d: %q is not in\n%s", i, what, printed[2])
					}
				} else {
					pairs += len(row.With(row.Sizes[s].Effect))
				}
			}
		}
		for format, n := range []int{1: pairs, min(pairs, 50)} {
			before := []string{"", "title=", "\n| "}[format]
			got := strings.Count(printed[format], before+"closes") + strings.Count(printed[format], before+"opens")
			if format > 0 && got != n {
				t.Errorf("pair %d: %d effects, want %d in\n%s", i, got, n, printed[format])
			}
		}
		if len(result.Readings) == 0 && result.Complete && len(pair[0])+len(pair[1]) < 20_000 {
			checkLenses(t, pair, result)
		}
	}
	if changed < len(edits) {
		t.Errorf("%d changes", changed)
	}
}

// severityOf returns the gravity that the design's table has for an effect.
func severityOf(e *wire.SizedEffect) wire.WatchGravity {
	isSearch := slices.ContainsFunc(e.Agents, func(agent string) bool {
		known, _ := crawlers.Find(agent)
		return agent == "*" || slices.Contains(known.Purposes, "search")
	})
	switch closes := e.Effect == wire.Closes; {
	case e.Size.IsSite() && closes && isSearch:
		return wire.GravityCritical
	case e.Size.IsSite(), e.Size == semdiff.SizeMany && closes && isSearch:
		return wire.GravityHigh
	}
	return wire.GravityMedium
}

// effectsWatched returns the opening and closing changes of a watch, sorted.
func effectsWatched(t *testing.T, pair [2]string) (changes []string) {
	t.Helper()
	before, after := file(pair[0]), file(pair[1])
	list, err := new(watch.Reader).Changes(t.Context(), shopURL, &before, &after)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if c.Kind == wire.WatchOpens || c.Kind == wire.WatchCloses {
			changes = append(changes, fmt.Sprint(c.Kind, c.Size, c.Agents, c.Gravity))
		}
	}
	slices.Sort(changes)
	return changes
}

// printedAll returns a comparison as text, as annotations and as Markdown.
func printedAll(t *testing.T, q compare.Question, result *compare.Result) (printed [3]string) {
	t.Helper()
	for i, print := range []func(*report.Comparison, *compare.Result) error{
		(*report.Comparison).Text, (*report.Comparison).GitHub, (*report.Comparison).Markdown,
	} {
		var text strings.Builder
		c := &report.Comparison{Out: bufio.NewWriter(&text)}
		for side, body := range [][]byte{q.Old, q.New} {
			c.Sides[side] = &report.Side{Name: "robots.txt", File: answer.NewFile(body), Robots: robotstxt.Parse(body)}
		}
		if err := print(c, result); err != nil {
			t.Fatal(err)
		}
		_ = c.Out.Flush() // a strings.Builder has no errors
		printed[i] = text.String()
	}
	return printed
}

// checkLenses: lenses have the same words about the site.
func checkLenses(t *testing.T, pair [2]string, result *compare.Result) {
	t.Helper()
	lenses, err := editor.New([]byte(pair[1]), editor.Config{}).Since(t.Context(), []byte(pair[0]))
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, lens := range lenses {
		titles = append(titles, lens.Title)
	}
	for r := range result.Rows {
		row := &result.Rows[r]
		if row.Site == nil {
			continue
		}
		words, _, _ := strings.Cut(report.EffectText(row, &row.Sizes[0], ""), " for ")
		hasWords := func(title string) bool { return strings.Contains(title, words) }
		if !slices.ContainsFunc(titles, hasWords) && !strings.Contains(words, "(") {
			t.Errorf("%q is not in %q", words, titles)
		}
	}
}

// TestSeverityOfPairs: one path or fifty, a change is as serious.
func TestSeverityOfPairs(t *testing.T) {
	for _, e := range edits {
		if !strings.Contains(e.before, all) {
			continue
		}
		var got [2][]string
		for i, count := range []int{1, 50} {
			lines := numberedLines("Disallow: /added/", count)
			got[i] = effectsWatched(t, [2]string{e.before, strings.Replace(e.before, all, all+lines, 1)})
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%s: %v with one path, %v with fifty", e.name, got[0], got[1])
		}
	}
}
