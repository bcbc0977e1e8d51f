package semdiff_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

func compare(t *testing.T, dialect robotstxt.Dialect, old, new string, crawlers ...semdiff.Crawler) *semdiff.Report {
	t.Helper()
	return differences(t, dialect.Parse([]byte(old)), dialect.Parse([]byte(new)), semdiff.Config{Crawlers: crawlers})
}

func summary(report *semdiff.Report) string {
	var b strings.Builder
	for _, row := range report.Rows {
		fmt.Fprintf(&b, "%v %v", row.Crawlers, row.Effect)
		for _, c := range row.Changes {
			fmt.Fprintf(&b, " %d→%d %s", c.OldLine, c.NewLine, c.Witness)
		}
		b.WriteString("; ")
	}
	for _, d := range report.Other {
		fmt.Fprintf(&b, "%s %v %q → %q; ", d.Kind, d.Crawlers, d.Old, d.New)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestCompare(t *testing.T) {
	const everyone = "User-agent: *\n"
	for _, c := range []struct {
		about    string
		dialect  robotstxt.Dialect
		old, new string
		want     string
	}{
		{"nothing changes", robotstxt.Google, everyone + "Disallow: /a\nAllow: /b\n", everyone + "Allow: /b\nDisallow: /a\n", "[*] equal"},
		{"empty files", robotstxt.Google, "", "# comment\n", "[*] equal"},
		{"a star at the end is nothing", robotstxt.Google, everyone + "Disallow: /a*\n", everyone + "Disallow: /a\n", "[*] equal"},
		{"but it weighs", robotstxt.Google, everyone + "Disallow: /aa*\nAllow: /*b\n", everyone + "Disallow: /aa\nAllow: /*b\n", "[*] opens 2→3 /aab"},
		{"a shorter prefix", robotstxt.Google, everyone + "Disallow: /ab\n", everyone + "Disallow: /a\n", "[*] closes 0→2 /a"},
		{"both", robotstxt.Google, everyone + "Disallow: /a\n", everyone + "Disallow: /b\n", "[*] both 0→2 /b 2→0 /a"},
		{"the index page stands for its folder", robotstxt.Google, everyone + "Disallow: /\nAllow: /index.html\nAllow: /$\n", everyone + "Disallow: /\nAllow: /index.html\n", "[*] equal"},
		{"but in one dialect only", robotstxt.RFC9309, everyone + "Disallow: /\nAllow: /index.html\nAllow: /$\n", everyone + "Disallow: /\nAllow: /index.html\n", "[*] closes 4→2 /"},
		{"raw octets", robotstxt.Google, everyone + "Disallow: /~a\n", everyone + "Disallow: /%7Ea\n", "[*] both 0→2 /%7Ea 2→0 /~a"},
		{"one canonical form", robotstxt.RFC9309, everyone + "Disallow: /~a\n", everyone + "Disallow: /%7ea\n", "[*] equal"},
		{"robots.txt is always allowed", robotstxt.RFC9309, everyone + "Disallow: /robots.txt$\n", everyone, "[*] equal"},
		{"not so in Google's parser", robotstxt.Google, everyone + "Disallow: /robots.txt$\n", everyone, "[*] opens 2→0 /robots.txt"},
		{"the first match", robotstxt.Koster1996, everyone + "Disallow: /a\nAllow: /ab\n", everyone + "Allow: /ab\nDisallow: /a\n", "[*] opens 2→2 /ab"},
		{"order does not matter", robotstxt.Google, everyone + "Disallow: /a\nAllow: /ab\n", everyone + "Allow: /ab\nDisallow: /a\n", "[*] equal"},
		{"a new group", robotstxt.Google, everyone + "Disallow: /\n", everyone + "Disallow: /\n\nUser-agent: FooBot\nDisallow: /a\n", "[*] equal; [FooBot] opens 2→0 /"},
		{"one row", robotstxt.Google, "User-agent: A\nUser-agent: B\nDisallow: /a\n", "User-agent: a\nUser-agent: b\nAllow: /a\n", "[*] equal; [A B] opens 3→3 /a"},
		{"an empty token", robotstxt.Google, "User-agent: 360Spider\nDisallow: /a\n", "", `[*] equal; [""] opens 2→0 /a`},
		{"lines beside the rules", robotstxt.Google, "Sitemap: /s\n" + everyone + "Crawl-delay: 1\nHost: h\nDisallow:\n", "Sitemap: /s\nSitemap: /t\n" + everyone + "Crawl-delay: 2\nHost: h\nDisallow:\n",
			`[*] equal; Sitemap [] [] → ["/t"]; Crawl-delay [*] ["1"] → ["2"]`},
		{"delays of lists", robotstxt.Google, "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nUser-agent: c\nVisit-time: 1\nUser-agent: *\nHost: h\nDisallow: /x\n",
			"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 2\nUser-agent: C\nVisit-time: 1\nUser-agent: *\nDisallow: /x\n",
			`[* a b c] equal; Host [* a b c] ["h"] → []; Crawl-delay [b] [] → ["2"]; Visit-time [b] ["1"] → []`},
	} {
		if got := summary(compare(t, c.dialect, c.old, c.new)); got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
		if c.about == "" {
			t.Error("say what the case is about")
		}
	}
}

// TestMissedBySampling: deletions like two in real files that 4,096 URLs made
// from the rules did not show, because other rules hide the change on all of
// those.
func TestMissedBySampling(t *testing.T) {
	for _, c := range []struct{ dropped, before, witness string }{
		{"Disallow: /humanresources/*/administrator/\n", "/humanresources/", "/humanresources/w/administrator/"},
		{"Disallow: /*fucking\n", "/", "/wfucking"},
	} {
		var b strings.Builder
		b.WriteString(c.dropped)
		for octet := 0; octet < 0x100; octet++ {
			if octet != 'w' {
				fmt.Fprintf(&b, "Disallow: %s%%%02X*\n", c.before, octet)
			}
		}
		for _, octet := range "/?&=" { // which are not their codes
			fmt.Fprintf(&b, "Disallow: %s%c*\n", c.before, octet)
		}
		rules := b.String()
		old := robotstxt.RFC9309.Parse([]byte("User-agent: *\n" + rules))
		new := robotstxt.RFC9309.Parse([]byte("User-agent: *\n" + strings.Replace(rules, c.dropped, "", 1)))
		for path := range witness.Between(patternsOf(old.Rules()), patternsOf(new.Rules()), 0) {
			url := "http://host" + path
			if old.Rules().Allowed(url) != new.Rules().Allowed(url) {
				t.Errorf("%q: sampling finds %s", c.dropped, path)
				break
			}
		}
		report := differences(t, old, new, semdiff.Config{})
		if report.Rows[0].Effect != semdiff.Opens || report.Rows[0].Changes[0].Witness != c.witness {
			t.Errorf("%q: %s", c.dropped, summary(report))
		}
	}
}

func patternsOf(rules robotstxt.Rules) (patterns []string) {
	for rule := range rules.All() {
		patterns = append(patterns, rule.Pattern)
	}
	return patterns
}

func TestCrawlersOfConfig(t *testing.T) {
	old := "User-agent: *\nDisallow: /\n"
	new := "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /a\n"
	report := compare(t, robotstxt.Google, old, new,
		semdiff.Crawler{Tokens: []string{"Googlebot-News", "Googlebot"}},
		semdiff.Crawler{Tokens: []string{"AdsBot-Google"}, NamedOnly: true})
	if got, want := summary(report), "[* AdsBot-Google!] equal; [Googlebot Googlebot-News:Googlebot] opens 2→0 /"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	report, err := semdiff.Compare(ctx, robotstxt.Parse(nil), robotstxt.Parse(nil), semdiff.Config{})
	if report != nil || err != context.Canceled {
		t.Errorf("%v, %v", report, err)
	}
}

// TestUndecided: a budget that does not suffice gives no equality.
func TestUndecided(t *testing.T) {
	var old, new strings.Builder
	for _, b := range []*strings.Builder{&old, &new} {
		b.WriteString("User-agent: *\n")
		for c := 'a'; c < 'q'; c++ {
			fmt.Fprintf(b, "Disallow: /*%c*yz\n", c)
		}
	}
	new.WriteString("Allow: /*yz*a*b*c*d*e*f*g*yz\nDisallow: /*yz*a*b*c*d*e*f*g*yz$\n")
	report := differences(t, robotstxt.Parse([]byte(old.String())), robotstxt.Parse([]byte(new.String())),
		semdiff.Config{Steps: 1000})
	if report.Equal() || !report.Undecided() || report.Rows[0].Tried == "" {
		t.Errorf("%+v", report)
	}
}

// TestReordered: a rule that comes to be weaker than others is compared only with
// those that share a path with it, however many rules with wildcards there are.
func TestReordered(t *testing.T) {
	var rules strings.Builder
	rules.WriteString("User-agent: *\nAllow: /shop/press/a\n")
	for i := range 30 {
		fmt.Fprintf(&rules, "Disallow: /*x%d*y%d\n", i, i)
	}
	for before, after := range map[string]string{
		"Disallow: /shop/legal/**\n":                         "Disallow: /shop/legal/\n",
		"Disallow: /shop/legal/**\nDisallow: /shop/legal/\n": "Disallow: /shop/legal/\n",
	} {
		old, new := robotstxt.Parse([]byte(rules.String()+before)), robotstxt.Parse([]byte(rules.String()+after))
		if report := differences(t, old, new, semdiff.Config{Steps: 10_000}); !report.Equal() {
			t.Errorf("%q → %q: %s, want equal", before, after, summary(report))
		}
	}
}

func TestNilFiles(t *testing.T) {
	report := differences(t, nil, robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n")), semdiff.Config{})
	if summary(report) != "[*] closes 0→2 /" {
		t.Error(summary(report))
	}
	if minimal := minimized(t, semdiff.Config{}, nil); len(minimal.Removed) > 0 {
		t.Errorf("%+v", minimal)
	}
}

func TestCrawlers(t *testing.T) {
	a := robotstxt.RFC9309.Parse([]byte("User-agent: *\nUser-agent: b\nUser-agent: A\nUser-agent: **\n"))
	b := robotstxt.Parse([]byte("User-agent: a\nUser-agent: C\n"))
	var got []string
	for _, crawler := range semdiff.Crawlers(a, b) {
		got = append(got, crawler.String())
	}
	if want := []string{"*", "b", "A", "C"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestChangesLimit: a limit of the list changes neither the effect nor what is
// listed before it.
func TestChangesLimit(t *testing.T) {
	old := robotstxt.Parse([]byte("User-agent: *\nDisallow: /a\nDisallow: /b\nAllow: /c\n"))
	new := robotstxt.Parse([]byte("User-agent: *\nDisallow: /c\n"))
	a, b := differences(t, old, new, semdiff.Config{}).Rows[0], differences(t, old, new,
		semdiff.Config{Changes: 1}).Rows[0]
	if !a.Complete || b.Complete || b.Tried == "" || a.Effect != semdiff.Both || b.Effect != a.Effect ||
		len(b.Changes) > 2 {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// TestShortestOfSome: if not all changes are listed, a witness is not called shortest
// because of a pair of claims that was left out: here "/" has the same lines.
func TestShortestOfSome(t *testing.T) {
	old := robotstxt.Google.Parse([]byte("User-agent: *\nDisallow: /\n"))
	new := robotstxt.RFC9309.Parse([]byte("User-agent: *\nDisallow: /b\n"))
	for limit, want := range map[int]semdiff.Change{
		1: {Opens: true, OldLine: 2, Witness: "/robots.txt"},
		9: {Opens: true, OldLine: 2, Witness: "/", Shortest: true},
	} {
		report := differences(t, old, new, semdiff.Config{Changes: limit})
		if !slices.Contains(report.Rows[0].Changes, want) {
			t.Errorf("%d changes: got %+v, want %+v", limit, report.Rows, want)
		}
	}
}

// TestOnly: the budget is spent on the crawlers of the configuration alone.
func TestOnly(t *testing.T) {
	hard, _ := hostile[0].pair()
	hard = strings.Replace(hard, "User-agent: *", "User-agent: a", 1)
	old, new := hard+"Disallow: /o\nUser-agent: b\nDisallow: /x\n", "User-agent: a\nDisallow: /\nUser-agent: b\nDisallow: /y\n"
	config := semdiff.Config{Crawlers: []semdiff.Crawler{{Tokens: []string{"b"}}}, Only: true, Steps: 2000}
	report := differences(t, robotstxt.Parse([]byte(old)), robotstxt.Parse([]byte(new)), config)
	if len(report.Rows) != 1 || report.Rows[0].Effect != semdiff.Both || !report.Rows[0].Complete {
		t.Errorf("%+v", report)
	}
	minimal := minimized(t, config, robotstxt.Parse([]byte("User-agent: a\nDisallow: /a\nDisallow: /b\nUser-agent: b\nDisallow: /b\nDisallow: /b\n")))
	if len(minimal.Removed) != 2 {
		t.Errorf("%+v: a rule that none of the crawlers obeys goes, and one of two equal ones", minimal)
	}
}

// TestOtherEmpty: a value that appears and one that disappears are two differences, even if they are empty.
func TestOtherEmpty(t *testing.T) {
	with, without := "Disallow: /x\nCrawl-delay:\n", "Disallow: /x\n"
	old := robotstxt.Parse([]byte("User-agent: a\n" + with + "\nUser-agent: b\n" + without))
	new := robotstxt.Parse([]byte("User-agent: a\n" + without + "\nUser-agent: b\n" + with))
	other := differences(t, old, new, semdiff.Config{}).Other
	var counts []int
	for _, d := range other {
		counts = append(counts, len(d.Old), len(d.New))
	}
	if !slices.Equal(counts, []int{1, 0, 0, 1}) {
		t.Errorf("%+v", other)
	}
}

// TestManyLicenses: thousands of License lines outside all groups that groups replace are one difference,
// and are not repeated for each group.
func TestManyLicenses(t *testing.T) {
	const lines, groups = 2000, 300
	var outside, own, without strings.Builder
	for i := range lines {
		fmt.Fprintf(&outside, "License: https://l.example/%d\n", i)
	}
	for i := range groups {
		agent := fmt.Sprintf("\nUser-agent: bot%c%c\nDisallow: /a\n", 'a'+i%26, 'a'+i/26)
		without.WriteString(agent)
		fmt.Fprintf(&own, "%sLicense: https://g.example/%d\n", agent, i)
	}
	old := robotstxt.Parse([]byte(outside.String() + without.String()))
	new := robotstxt.Parse([]byte(outside.String() + own.String()))
	for _, pair := range [][2]*robotstxt.Robots{{old, new}, {new, old}} {
		values, replaced := 0, 0
		for _, d := range differences(t, pair[0], pair[1], semdiff.Config{}).Other {
			values += len(d.Old) + len(d.New)
			if len(d.Old)+len(d.New) == lines {
				replaced = len(d.Crawlers)
			}
		}
		if values != lines+groups || replaced != groups {
			t.Errorf("%d values; %d crawlers have lost or got the lines outside", values, replaced)
		}
	}
}
