package lint_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

func TestDeadRules(t *testing.T) {
	koster := lint.Config{Profile: lint.Koster1996}
	rfc := lint.Config{Profile: lint.RFC9309}
	for _, c := range []struct {
		name, body string
		config     lint.Config
		want       string
	}{
		{name: "narrower", body: "User-agent: *\nDisallow: /abc\nDisallow: /abc/d", want: "3:1 RX208"},
		{name: "narrower, an exception between", body: "User-agent: *\nDisallow: /abc\nDisallow: /abc/d/e\nAllow: /abc/d"},
		{name: "narrower, an exception elsewhere", body: "User-agent: *\nDisallow: /abc\nDisallow: /abc/d/e\nAllow: /abc/f", want: "3:1 RX208"},
		{name: "narrower, in a group of its own", body: "User-agent: *\nDisallow: /abc\nUser-agent: bot\nDisallow: /abc/d\nDisallow: /e/"},
		{name: "narrower, in a group for more crawlers", body: "User-agent: bot\nDisallow: /abc\n\nUser-agent: bot\nUser-agent: *\nDisallow: /abc/d\nDisallow: /e/"},
		{name: "narrower, in a second group", body: "User-agent: bot\nDisallow: /abc\nUser-agent: Bot\nDisallow: /abc/d\nDisallow: /e/", want: "4:1 RX208"},
		{name: "shadowed", body: "User-agent: *\nAllow: /abc\nDisallow: /*bc/d\nDisallow: /x/\nDisallow: /*", want: "4:1 RX208"},
		{name: "shadowed by a longer one", body: "User-agent: *\nDisallow: /\nAllow: /abc\nDisallow: /*abc", want: "3:1 RX208"},
		{name: "shadowed whole", body: "User-agent: *\nAllow: /abc\nDisallow: /*a*\nDisallow: /", want: "3:1 RX208"},
		{name: "a tie lost whole", body: "User-agent: *\nDisallow: /abc\nAllow: /abc\nDisallow: /a/", want: "2:1 RX208"},
		{name: "the end of a run", body: "User-agent: a\nDisallow: /abc\nUser-agent: b\nUser-agent: a\nDisallow: /abc\nDisallow: /x/"},
		{name: "the end of the last run", body: "User-agent: a\nDisallow: /abc\nUser-agent: a\nDisallow: /abc", want: "4:1 RX208"},
		{name: "an index page", body: "User-agent: *\nDisallow: /abc/\nAllow: /abc/index.html\nAllow: /abc/d/index.html?x"},
		{name: "an index page twice", body: "User-agent: *\nDisallow: /abc/\nAllow: /abc/index.html\nAllow: /abc/index.htm$\nAllow: /abc/index.html$", want: "5:1 RX208"},
		{name: "index pages without folders", body: "User-agent: *\nDisallow: /abc/\nAllow: /abc/index.html\nAllow: /abc/index.html?x", config: rfc, want: "4:1 RX208"},
		{name: "the same in another spelling", body: "User-agent: *\nDisallow: /%7ea/\nDisallow: /~a/", config: rfc, want: "3:1 RX208"},
		{name: "another spelling, compared as it stands", body: "User-agent: *\nDisallow: /%7Ea/\nDisallow: /~a/"},
		{name: "first match", body: "User-agent: *\nAllow: /abc\nDisallow: /abc/d", config: koster, want: "3:1 RX208"},
		{name: "first match, the other order", body: "User-agent: *\nDisallow: /abc/d\nAllow: /abc\nDisallow: /", config: koster},
		{name: "first match, stars are letters", body: "User-agent: *\nDisallow: /*\nDisallow: /abc", config: koster},
		{name: "records are not merged", body: "User-agent: *\nDisallow: /abc\n\nUser-agent: *\nDisallow: /abc\nDisallow: /x/", config: koster},
		{name: "a hidden end of a record", body: "User-agent: a\nDisallow: /abc\rDisallow: /abc\n\nUser-agent: b\nDisallow: /", config: koster},
		{name: "a duplicate", body: "User-agent: *\nDisallow: /abc\nAllow: /abc/d\nDisallow: /abc", want: "4:1 RX208"},
		{name: "an idle Allow", body: "User-agent: *\nDisallow: /abc\nAllow: /d\nAllow: /ab"},
		{name: "an Allow that says so", body: "User-agent: *\nAllow: /\nUser-agent: bot\nAllow: /*\nDisallow: /abc/"},
		{name: "an empty rule", body: "User-agent: *\nDisallow:\nDisallow: /abc\nAllow:", want: "2:1 RX210, 4:1 RX210"},
		{name: "an empty rule alone", body: "User-agent: a\nDisallow:\nUser-agent: *\nAllow:\nDisallow:"},
		{name: "a path on the next line", body: "User-agent: *\nDisallow:\n/abc # d", want: "2:1 RX215"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := rulePlaces(c.body+"\n", c.config); got != c.want {
				t.Errorf("%q: found %s, want %s", c.body, got, c.want)
			}
		})
	}
}

// TestPlainElsewhere: a rule that decides nothing in the profile's dialect alone is
// reported, but its removal is no plain fix.
func TestPlainElsewhere(t *testing.T) {
	for _, c := range []struct {
		name, body, code string
		profile          lint.Profile
		plain            bool
	}{
		{"an index page", "User-agent: *\nAllow: /$\nAllow: /index.html\nDisallow: /\n", "RX208", lint.Google, false},
		{"the same for Bing", "User-agent: *\nAllow: /$\nAllow: /index.html\nDisallow: /\n", "RX208", lint.Bing, false},
		{"no index page", "User-agent: *\nAllow: /$\nAllow: /\nDisallow: /\n", "RX208", lint.Google, true},
		{"the first match", "User-agent: *\nAllow: /abc\nDisallow: /abc/b\nDisallow: /cde\n", "RX208", lint.Koster1996, false},
		{"a spelling", "User-agent: *\nDisallow: /%7Ea/\nDisallow: /~a/\n", "RX208", lint.RFC9309, false},
	} {
		found := false
		for _, f := range lint.Check([]byte(c.body), lint.Config{Profile: c.profile, Pedantic: true}) {
			if string(f.Code) == c.code {
				found = true
				if plain := f.Fix != nil && !f.Fix.Meaning; plain != c.plain {
					t.Errorf("%s: plain %v, want %v: %+v", c.name, plain, c.plain, f)
				}
			}
		}
		if !found {
			t.Errorf("%s: no %s", c.name, c.code)
		}
	}
}

func TestDeadRuleMessages(t *testing.T) {
	for _, c := range []struct {
		rules, want string
		profile     lint.Profile
	}{
		{"Disallow: /abc\nDisallow: /abc/d", `Redundant: line 2 already covers this path.`, lint.Google},
		{"Disallow: /abc\nAllow: /abc\nDisallow: /a/", `This line has no effect: line 3, Allow "/abc", matches the same URLs and wins, because Allow wins if both are equally long.`, lint.Google},
		{"Disallow: /\nAllow: /abc\nDisallow: /*abc", `This line has no effect: line 4, Disallow "/*abc", matches the same URLs and wins, because it is longer.`, lint.RFC9309},
		{"Allow: /abc\nDisallow: /abc/d", `This line has no effect: line 2, Allow "/abc", matches the same URLs and wins, because it comes first.`, lint.Koster1996},
		{"Disallow: /abc\nDisallow: /abc", `Redundant: line 2 is the same rule.`, lint.Google},
	} {
		if got := ruleMessage(t, "User-agent: *\n"+c.rules+"\n", lint.Config{Profile: c.profile, Pedantic: true}); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.rules, got, c.want)
		}
	}
}

// TestWork: the search says what it has not decided, and more work decides more.
func TestWork(t *testing.T) {
	for _, form := range hostileRules {
		var body strings.Builder
		body.WriteString("User-agent: *\n")
		form.body(&body, 400)
		before := -1
		for _, work := range []int{1, 1_000, 100_000, 100_000_000} {
			undecided, rules := 0, 0
			for _, f := range lint.Check([]byte(body.String()), lint.Config{Steps: work, Pedantic: true}) {
				if f.Code == "RX216" {
					if _, err := fmt.Sscanf(f.Message, "%d of %d rules", &undecided, &rules); err != nil {
						t.Fatal(f.Message)
					}
				}
			}
			if work == 1 && undecided == 0 || work == 100_000_000 && undecided > 0 ||
				before >= 0 && undecided > before {
				t.Errorf("%s: %d of %d undecided with work %d, %d with less", form.name, undecided, rules, work, before)
			}
			before = undecided
		}
	}
}

// fewRules makes a small file of groups that share crawlers, with rules that
// have much to do with each other; plain ones without what the telling paths
// could be too few for.
func fewRules(r *rand.Rand, plain bool) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var b strings.Builder
	for range 1 + r.IntN(3) {
		for range 1 + r.IntN(2) {
			fmt.Fprintf(&b, "User-agent: %s\n", pick("*", "*", "abot", "bbot", "Abot"))
		}
		for range r.IntN(6) {
			b.WriteString(pick("Allow: ", "Disallow: ", "Disallow: "))
			if plain {
				fmt.Fprintf(&b, "%s%s%s%s\n", pick("/", "/", "/a", "/*", "*/"), pick("", "a", "b", "*"), pick("", "a", "/"), pick("", "", "$", "*"))
				continue
			}
			b.WriteString(pick("/", "/", "/a", "/a", "/ab", "/*", "*", "*/", "", "a"))
			for range r.IntN(4) {
				b.WriteString(pick("a", "b", "/", "*", "*", "a*", "/b", "a", "/", "$", "%24", " "))
			}
			b.WriteString(pick("", "", "", "", "*", "$", "*$", "/index.html", "/index.htm*", "%61", "é"))
			b.WriteString(pick("\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r"))
		}
	}
	return b.String()
}

// telling are paths that the small files decide differently, if any: short ones,
// and those that end in what the files' patterns end in.
var telling = func() []string {
	paths := witness.Short([]string{"a", "b", "/", "~", "$"}, 4)
	for _, path := range witness.Short([]string{"a", "b", "/"}, 2) {
		for _, end := range []string{"/index.html", "/index.htm", "/index.html~", "%C3%A9", "a", "index.html"} {
			paths = append(paths, path+end)
		}
	}
	return paths
}()

var fewAgents = []string{"*", "", "abot", "bbot", "unnamed"}

// verdicts are those of a file for all agents, on the telling paths and others.
func verdicts(d robotstxt.Dialect, body string, others []string) []bool {
	robots := d.Parse([]byte(body))
	all := make([]bool, 0, len(fewAgents)*(len(telling)+len(others)))
	for _, agent := range fewAgents {
		rules := robots.Rules(agent)
		for _, paths := range [][]string{telling, others} {
			for _, path := range paths {
				all = append(all, rules.Allowed("https://example.com"+path))
			}
		}
	}
	return all
}

// withoutLine returns a body without one of its lines.
func withoutLine(body string, number int) string {
	var b strings.Builder
	for l := range robotstxt.Lines([]byte(body)) {
		if l.Number != number {
			b.Write(l.Raw)
		}
	}
	return b.String()
}

// fixed returns a body with the plain fixes of those findings that are picked.
func fixed(t *testing.T, body string, findings []lint.Finding, pick func(lint.Finding) bool) string {
	t.Helper()
	var edits []lint.Edit
	for _, f := range findings {
		if f.Fix != nil && !f.Fix.Meaning && strings.HasPrefix(string(f.Code), "RX2") && pick(f) {
			edits = append(edits, f.Fix.Edits...)
		}
	}
	out, err := lint.Apply([]byte(body), slices.DeleteFunc(edits, func(e lint.Edit) bool {
		return slices.ContainsFunc(edits,
			func(o lint.Edit) bool { return o != e && o.Start <= e.Start && e.End <= o.End })
	}))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// checkDeadRules checks that the plain fixes of a small file, each alone, some and all
// of them, change no verdict. It returns how many rules were found to decide
// nothing, and how many were not: those that can still be taken out when all
// fixes are made.
func checkDeadRules(t *testing.T, profile lint.Profile, body string, r *rand.Rand) (found, missed int) {
	t.Helper()
	d := profile.Dialect()
	_, patterns := named(d.Parse([]byte(body)))
	others := slices.Collect(witness.Paths(patterns, 300))
	before := verdicts(d, body, others)
	findings := lint.Check([]byte(body), lint.Config{Profile: profile, Pedantic: true})
	check := func(what, after string) {
		if !slices.Equal(before, verdicts(d, after, others)) {
			t.Fatalf("%v: %s changes a verdict:\n%q\n%q\n%+v", profile, what, body, after, findings)
		}
	}
	all := func(lint.Finding) bool { return true }
	check("all fixes", fixed(t, body, findings, all))
	check("some fixes", fixed(t, body, findings, func(lint.Finding) bool { return r.IntN(2) == 0 }))
	for i, f := range findings {
		switch f.Code {
		case "RX208":
			found++
			check("removing the line", withoutLine(body, f.Line))
		default:
			check("the fix of "+string(f.Code), fixed(t, body, findings[i:i+1], all))
		}
	}
	if slices.ContainsFunc(findings, func(f lint.Finding) bool {
		return lint.Unclear(f.Code) || strings.HasSuffix(f.Message, "; Allow wins.")
	}) {
		return 0, 0 // no rule is reported that may be needed after it is mended
	}
	after := fixed(t, body, findings, all)
	again := lint.Check([]byte(after), lint.Config{Profile: profile, Pedantic: true})
	for g := range d.Parse([]byte(after)).Groups() {
		rules := slices.Collect(g.Rules())
		if len(rules) == 1 {
			continue // it keeps two runs of agent lines apart
		}
		for _, rule := range rules {
			known := func(f lint.Finding) bool {
				related := slices.ContainsFunc(f.Related, func(r lint.Related) bool { return r.Line == rule.Line })
				return (f.Line == rule.Line || related) && (f.Code == "RX202" || f.Code == "RX208")
			}
			if rule.Allow || slices.ContainsFunc(again, known) { // an Allow may say what is so without it
				continue
			}
			if slices.Equal(before, verdicts(d, withoutLine(after, rule.Line), others)) {
				missed++
			}
		}
	}
	return found, missed
}

// FuzzDeadRules: a rule that is said to decide nothing decides nothing.
func FuzzDeadRules(f *testing.F) {
	seeds := uint64(20)
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		seeds = 3_000
	}
	for seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		body := fewRules(r, seed%3 == 0)
		for _, profile := range []lint.Profile{lint.Google, lint.RFC9309, lint.Koster1996} {
			checkDeadRules(t, profile, body, r)
		}
	})
}

// TestDeadRulesFound measures how many of the rules that decide nothing are
// found, in files with little else than such rules. Those that only several
// others together make idle are not.
func TestDeadRulesFound(t *testing.T) {
	for _, profile := range []lint.Profile{lint.Google, lint.RFC9309} {
		r := rand.New(rand.NewPCG(7, uint64(profile)))
		found, missed := 0, 0
		for range 60 {
			n, more := checkDeadRules(t, profile, fewRules(r, true), r)
			found, missed = found+n, missed+more
		}
		share := 100 * float64(found) / float64(found+missed)
		t.Logf("%v: %d found, %d missed: %.1f%%", profile, found, missed, share)
		if share < 95 {
			t.Errorf("%v: only %.1f%% of the rules that decide nothing are found", profile, share)
		}
	}
}

// TestCorpusDeadRules takes each rule that is said to decide nothing out of its
// real file.
func TestCorpusDeadRules(t *testing.T) {
	t.Parallel()
	removed := 0
	bodies, _ := witness.Corpus(t)
	for i, body := range bodies {
		if os.Getenv("ROBOTSTXT_LONG") == "" && i%8 != 0 {
			continue
		}
		for _, profile := range []lint.Profile{lint.Google, lint.RFC9309, lint.Koster1996} {
			tried := 0
			for _, f := range lint.Check(body, lint.Config{Profile: profile, Pedantic: true}) {
				if f.Code != "RX208" || tried > 5 {
					continue
				}
				tried++
				removed++
				after := []byte(withoutLine(string(body), f.Line))
				if c, _ := changes(profile.Dialect(), body, after, 4, 60); c != nil {
					t.Errorf("file %d, profile %v, line %d: %+v: %s", i, profile, f.Line, *c, f.Message)
				}
			}
		}
	}
	t.Logf("%d rules taken out", removed)
}

// hostileRules are files made to keep the search for dead rules busy, of about n
// rules.
var hostileRules = []struct {
	name string
	body func(b *strings.Builder, n int)
}{
	{"literals", func(b *strings.Builder, n int) {
		for i := range n {
			fmt.Fprintf(b, "Disallow: /section-%d/item-%d\n", i%50, i)
		}
	}},
	{"groups", func(b *strings.Builder, n int) {
		for i := range n / 10 {
			fmt.Fprintf(b, "User-agent: bot%s\n", strings.Repeat("x", i%100)+strings.Repeat("y", i/100))
			for j := range 10 {
				fmt.Fprintf(b, "Disallow: /a%d/\n", j)
			}
		}
	}},
	{"wildcards", func(b *strings.Builder, n int) {
		for i := range n {
			fmt.Fprintf(b, "%s: /*%b*%b$\n", []string{"Allow", "Disallow"}[i%2], i, n-i)
		}
	}},
	{"prefixes", func(b *strings.Builder, n int) {
		for i := range min(n, 4000) {
			fmt.Fprintf(b, "%s: /%s\n", []string{"Allow", "Disallow"}[i%2], strings.Repeat("a", i))
		}
	}},
	{"stars", func(b *strings.Builder, n int) {
		for i := range min(n, 1000) {
			fmt.Fprintf(b, "Disallow: /%s%d\n", strings.Repeat("*a", min(5*n, 5000)-i), i)
		}
	}},
	{"duplicates", func(b *strings.Builder, n int) { b.WriteString(strings.Repeat("Disallow: /a\nAllow: /ab\n", n/2)) }},
	{"shared", func(b *strings.Builder, n int) {
		// One group for all, and one more for each: as many merged sets.
		for i := range n / 10 {
			fmt.Fprintf(b, "User-agent: bot%s\n", strings.Repeat("x", i%100)+strings.Repeat("y", i/100))
		}
		for i := range n / 2 {
			fmt.Fprintf(b, "Disallow: /%d\n", i)
		}
		for i := range n / 10 {
			fmt.Fprintf(b, "User-agent: bot%s\nDisallow: /%d/x\n", strings.Repeat("x", i%100)+strings.Repeat("y", i/100), i)
		}
	}},
}
