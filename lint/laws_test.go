package lint_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// change is a verdict that two files differ in.
type change struct {
	agent, path   string
	before, after bool
}

// changes compares two files for all agents that either names, for everyone and
// for a crawler that no file names, on paths where a verdict can change. It
// returns the first difference and how many verdicts were compared.
func changes(d robotstxt.Dialect, before, after []byte, agents, paths int) (first *change, compared int) {
	a, b := d.Parse(before), d.Parse(after)
	tokens, patternsA := named(a)
	others, patternsB := named(b)
	tokens = append(append(tokens, others...), "*", "", "a-crawler-that-no-file-names")
	slices.Sort(tokens)
	tokens = slices.Compact(tokens)
	urls := slices.Collect(witness.Between(patternsA, patternsB, paths))
	step := max(1, len(tokens)/agents)
	for i := 0; i < len(tokens); i += step {
		rulesA, rulesB := a.Rules(tokens[i]), b.Rules(tokens[i])
		for _, path := range urls {
			compared++
			url := "https://example.com" + path
			if was, is := rulesA.Allowed(url), rulesB.Allowed(url); was != is {
				return &change{tokens[i], path, was, is}, compared
			}
		}
	}
	return nil, compared
}

// named returns the tokens that a file names, and all its patterns.
func named(r *robotstxt.Robots) (tokens, patterns []string) {
	for g := range r.Groups() {
		for a := range g.Agents() {
			tokens = append(tokens, strings.ToLower(a.Token))
		}
		for rule := range g.Rules() {
			patterns = append(patterns, rule.Pattern)
		}
	}
	return tokens, patterns
}

// checkSitemaps: plain fixes neither lose a sitemap nor make one up.
func checkSitemaps(t *testing.T, before, after []byte) {
	t.Helper()
	addresses := func(body []byte) (all []string) {
		for s := range robotstxt.Parse(body).Sitemaps() {
			all = append(all, s.URL)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	if was, is := addresses(before), addresses(after); !slices.Equal(was, is) {
		t.Errorf("the plain fixes change the sitemaps: %q become %q", was, is)
	}
}

// mend makes all fixes that fit beside each other, without those that are meant
// to change verdicts unless meaning is set. It returns how many it made.
func mend(t testing.TB, body []byte, findings []lint.Finding, meaning bool) (fixed []byte, fixes int) {
	t.Helper()
	var edits []lint.Edit
	for _, f := range findings {
		if f.Fix == nil || f.Fix.Meaning && !meaning {
			continue
		}
		more := append(slices.Clone(edits), f.Fix.Edits...)
		if _, err := lint.Apply(body, more); err != nil {
			continue // it overlaps another one
		}
		edits = more
		fixes++
	}
	fixed, err := lint.Apply(body, edits)
	if err != nil {
		t.Fatal(err)
	}
	return fixed, fixes
}

// checkFindings checks the laws of the findings of any body.
func checkFindings(t *testing.T, body []byte, profile lint.Profile) []lint.Finding {
	t.Helper()
	lines := slices.Collect(robotstxt.Lines(body))
	findings := lint.Check(body, lint.Config{Profile: profile, Pedantic: true, MaxFindings: -1, MaxPerCode: -1})
	for i, f := range findings {
		if _, ok := lint.About(f.Code); !ok || f.Severity == lint.Off || f.Message == "" {
			t.Errorf("%v: not in the catalogue, off, or silent", f)
		}
		if f.Start < 0 || f.End < f.Start || f.End > len(body) || f.Line < 1 || f.Line > len(lines) {
			t.Fatalf("%v: outside of a body of %d bytes and %d lines", f, len(body), len(lines))
		}
		if l := lines[f.Line-1]; f.Start != l.Offset+f.Column-1 || f.Start > l.Offset+len(l.Raw) {
			t.Errorf("%v: does not start in its line, which is at %d with %d bytes", f, l.Offset, len(l.Raw))
		}
		if i > 0 && f.Start < findings[i-1].Start {
			t.Errorf("%v: after a finding about a later place", f)
		}
		for _, r := range f.Related {
			if r.Line < 1 || r.Line > len(lines) || r.Message == "" {
				t.Errorf("%v: related line %d of %d", f, r.Line, len(lines))
			}
		}
		if f.Fix == nil {
			continue
		}
		fixed, err := lint.Apply(body, f.Fix.Edits)
		if err != nil || string(fixed) == string(body) || f.Fix.Title == "" {
			t.Errorf("%v: fix %v fits not, does nothing or has no title: %v", f, f.Fix, err)
		}
	}
	return findings
}

// checkEqual proves that two files give the same verdicts in all dialects.
func checkEqual(t *testing.T, profile lint.Profile, before, after []byte) {
	t.Helper()
	for _, dialect := range robotstxt.Dialects() {
		report, err := semdiff.Compare(context.Background(), dialect.Parse(before),
			dialect.Parse(after), semdiff.Config{Steps: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range report.Rows {
			if len(row.Changes) > 0 {
				t.Fatalf("profile %v: plain fixes change verdicts in %v for %v: %+v\nbefore %q\nafter  %q", profile, dialect, row.Crawlers, row.Changes, before, after)
			}
		}
	}
}

// FuzzCheck: the findings of any body are within it, and no plain fix changes a
// verdict, alone or with the others.
func FuzzCheck(f *testing.F) {
	for _, e := range lint.Catalogue() {
		f.Add([]byte(e.Bad), uint8(e.Example.Profile))
		f.Add([]byte(e.Good), uint8(e.Example.Profile))
	}
	f.Fuzz(func(t *testing.T, body []byte, number uint8) {
		profile := lint.Profile(int(number) % len(lint.Profiles()))
		findings := checkFindings(t, body, profile)
		fixed, _ := mend(t, body, findings, false)
		checkSitemaps(t, body, fixed)
		checkEqual(t, profile, body, fixed)
		for i, f := range findings {
			if f.Fix != nil && !f.Fix.Meaning {
				alone, _ := mend(t, body, findings[i:i+1], false)
				checkEqual(t, profile, body, alone)
			}
		}
	})
}

// TestCorpusFixes makes all plain fixes of real files and compares verdicts. With ROBOTSTXT_LONG it
// takes each file in every profile, and otherwise one in three, in one profile.
func TestCorpusFixes(t *testing.T) {
	t.Parallel()
	agents, paths := 4, 40
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		agents, paths = 50, 400
	}
	fixes, compared := 0, 0
	bodies, _ := witness.Corpus(t)
	for i, body := range bodies {
		for _, profile := range lint.Profiles() {
			if os.Getenv("ROBOTSTXT_LONG") == "" && (i%3 > 0 || i/3%len(lint.Profiles()) != int(profile)) {
				continue
			}
			fixed, n := mend(t, body, checkFindings(t, body, profile), false)
			if n == 0 {
				continue
			}
			fixes += n
			checkSitemaps(t, body, fixed)
			for _, dialect := range robotstxt.Dialects() {
				c, n := changes(dialect, body, fixed, agents, paths)
				compared += n
				if c != nil {
					t.Errorf("file %d, profile %v: the plain fixes change a verdict in %v: %+v", i, profile, dialect, *c)
				}
			}
		}
	}
	t.Logf("%d fixes made, %d verdicts compared", fixes, compared)
}
