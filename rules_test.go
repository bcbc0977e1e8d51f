package robotstxt_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
)

// TestFallback checks the ordered fallback list: the first token that an agent line
// names selects the groups.
func TestFallback(t *testing.T) {
	// The body of the page's section "matching of user-agent fields".
	body := []byte("user-agent: googlebot-news\nDisallow: /1\n\nuser-agent: *\nDisallow: /2\n\nuser-agent: googlebot\nDisallow: /3\n")
	for _, c := range []struct {
		agents   string
		group    string // the path that is disallowed
		named    string // the same for NamedRules
		decision string // the token that chose
	}{
		{"Googlebot-News,Googlebot", "/1", "/1", "Googlebot-News"},
		{"Googlebot", "/3", "/3", "Googlebot"},
		{"Storebot-Google", "/2", "", "*"},
		{"Googlebot-Image,Googlebot", "/3", "/3", "Googlebot"},
		{"otherbot", "/2", "", "*"},
		{"otherbot-news", "/2", "", "*"},
		{"*,Googlebot", "/2", "/3", "*"},
		{"*", "/2", "", "*"},
		{"", "/2", "", "*"},
		{";", "/2", "", "*"},
		{"Googlebot/2.1", "/2", "", "*"},
	} {
		robots := robotstxt.Parse(body)
		agents := enginetest.SplitAgents(c.agents)
		for _, path := range []string{"/1", "/2", "/3"} {
			if got := robots.Rules(agents...).Allowed(path); got != (path != c.group) {
				t.Errorf("%q %s: allowed %v", agents, path, got)
			}
			if got := robots.NamedRules(agents...).Allowed(path); got != (path != c.named) {
				t.Errorf("%q %s: NamedRules allowed %v", agents, path, got)
			}
		}
		if got := robots.Rules(agents...).Explain("/").Agent; got != c.decision {
			t.Errorf("%q: %q chose the group, want %q", agents, got, c.decision)
		}
	}
}

func TestWithoutFile(t *testing.T) {
	for _, c := range []struct {
		rules   robotstxt.Rules
		allowed bool
		text    string
	}{
		{robotstxt.AllowAll("HTTP 404"), true, `allowed without a robots.txt: "HTTP 404"`},
		{robotstxt.DisallowAll("HTTP 503"), false, `disallowed without a robots.txt: "HTTP 503"`},
		{robotstxt.Rules{}, true, `allowed without a robots.txt`},
	} {
		d := c.rules.Explain("http://h/x?y#z")
		if c.rules.Allowed("/x") != c.allowed || d.Allowed != c.allowed || d.Line != 0 ||
			d.Path != "/x?y" || d.String() != c.text {
			t.Errorf("%s: %+v", d, d)
		}
		if _, ok := c.rules.CrawlDelay(); ok {
			t.Error("a crawl delay without a file")
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	for _, c := range []struct {
		name, body, agent string
		want              time.Duration
		ok                bool
	}{
		{"own group", "User-agent: a\nCrawl-delay: 5\nDisallow: /x", "a", 5 * time.Second, true},
		{"under the rules", "User-agent: a\nDisallow: /x\nCrawl-delay: 5\n", "a", 5 * time.Second, true},
		{"the largest", "User-agent: a\nCrawl-delay: 5\nCrawl-delay: 7.25\nCrawl-delay: x\n\nUser-agent: a\nCrawl-delay: 6", "a", 7250 * time.Millisecond, true},
		{"not inherited", "User-agent: *\nCrawl-delay: 5\nUser-agent: a\nUser-agent: a\nDisallow: /\n\nUser-agent: b\n", "b", 0, false},
		{"of everyone", "User-agent: *\nCrawl-delay: 5\n", "b", 5 * time.Second, true},
		{"zero", "User-agent: *\nCrawl-delay: 0\n", "b", 0, true},
		{"fraction", "User-agent: *\nCrawl-delay: .5\n", "b", time.Second / 2, true},
		{"long fraction", "User-agent: *\nCrawl-delay: 1.99999999999999999999\n", "b", 1999999999, true},
		{"without colon", "User-agent: *\nCRAWL-DELAY 3 # s\n", "b", 3 * time.Second, true},
		{"negative", "User-agent: *\nCrawl-delay: -1\n", "b", 0, false},
		{"words", "User-agent: *\nCrawl-delay: 10 s\n", "b", 0, false},
		{"exponent", "User-agent: *\nCrawl-delay: 1e3\n", "b", 0, false},
		{"nothing", "User-agent: *\nCrawl-delay:\n", "b", 0, false},
		{"a point", "User-agent: *\nCrawl-delay: .\n", "b", 0, false},
		{"two points", "User-agent: *\nCrawl-delay: 1.2.3\n", "b", 0, false},
		{"too large", "User-agent: *\nCrawl-delay: 99999999999999999999\n", "b", math.MaxInt64, true},
		{"the largest whole", "User-agent: *\nCrawl-delay: 9223372036\n", "b", 9223372036 * time.Second, true},
		{"just too large", "User-agent: *\nCrawl-delay: 9223372036.9\n", "b", math.MaxInt64, true},
		{"orphan", "Crawl-delay: 5\nUser-agent: *\nDisallow: /\n", "b", 0, false},
	} {
		got, ok := robotstxt.Parse([]byte(c.body)).Rules(c.agent).CrawlDelay()
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %v %v, want %v %v", c.name, got, ok, c.want, c.ok)
		}
	}
	// A record ends at a blank line, and only the first one counts.
	rules := robotstxt.Koster1996.Parse([]byte("User-agent: a\nDisallow: /x\n\nCrawl-delay: 5\n\nUser-agent: a\nCrawl-delay: 9\n")).Rules("a")
	if got, ok := rules.CrawlDelay(); ok {
		t.Errorf("koster1996: %v", got)
	}
}

// TestConcurrentUse queries from several goroutines, for the race detector.
func TestConcurrentUse(t *testing.T) {
	robots := robotstxt.RFC9309.Parse([]byte("User-agent: *\nDisallow: /*x\nAllow: /%41\n" + strings.Repeat("Disallow: /q$\n", 100)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				rules := robots.Rules("a", "b")
				if rules.Allowed("/ax") || !rules.Allowed("/%41") || rules.Explain("/x").Line != 2 {
					t.Error("wrong")
				}
			}
		})
	}
	wg.Wait()
}

// TestTokensOfOneHash checks that tokens with equal hashes are distinguished. The hash
// sets a bit that makes '@' and '`' equal, so these tokens have only two hashes.
func TestTokensOfOneHash(t *testing.T) {
	const bits = 12
	token := func(i int) string {
		s := ""
		for bit := range bits {
			s += "@`"[i>>bit&1 : i>>bit&1+1]
		}
		return s
	}
	var body strings.Builder
	for i := range 1 << bits {
		fmt.Fprintf(&body, "User-agent: %s\nUser-agent: %[1]sx\nDisallow: /%d/\n", token(i), i)
	}
	robots := robotstxt.RFC9309.Parse([]byte(body.String()))
	for i := range 1 << bits {
		for _, agent := range []string{token(i), token(i) + "X"} {
			if _, line := robots.Rules(agent).Verdict(fmt.Sprintf("/%d/", i)); line != 3*i+3 {
				t.Fatalf("%q: line %d, want %d", agent, line, 3*i+3)
			}
		}
	}
	if robots.NamedRules(token(0)+"y").Explain("/0/").Reason != robotstxt.ReasonNoGroup {
		t.Error("a token that no line names is found")
	}
}

func TestRulesGroups(t *testing.T) {
	body := []byte("User-agent: a\nDisallow: /1\n\nUser-agent: *\nDisallow: /2\n\nUser-agent: A\nUser-agent: a\nDisallow: /3\n")
	for _, c := range []struct {
		dialect robotstxt.Dialect
		agent   string
		want    []int // the lines of the groups' rules
	}{
		{robotstxt.Google, "a", []int{2, 9}},
		{robotstxt.Google, "b", []int{5}},
		{robotstxt.Koster1996, "a", []int{2}},
	} {
		var got []int
		for group := range c.dialect.Parse(body).Rules(c.agent).Groups() {
			for rule := range group.Rules() {
				got = append(got, rule.Line)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v %s: rules on lines %v, want %v", c.dialect, c.agent, got, c.want)
		}
	}
	for range robotstxt.AllowAll("").Groups() {
		t.Error("a group without a file")
	}
}

// TestAll checks that the strongest rule comes first, that the groups of a token
// are merged, and that an index page is yielded twice. That the order agrees with
// Verdict is a law, which package enginetest tests.
func TestAll(t *testing.T) {
	body := []byte("User-agent: a\nDisallow: /é\nAllow: /b/index.html$\nDisallow:\n\nUser-agent: b\nDisallow: /\n\n" +
		"User-agent: a\nDisallow: /b/x\nAllow: /b/x\nDisallow: /*c$\n")
	for _, c := range []struct {
		dialect robotstxt.Dialect
		agent   string
		want    string
	}{
		{robotstxt.Google, "a", "3 Allow /b/index.html$; 2 Disallow /%C3%A9; " +
			"3 Allow /b/$ folder; 11 Allow /b/x; 10 Disallow /b/x; 12 Disallow /*c$; 4 Disallow "},
		{robotstxt.RFC9309, "a", "0 Allow /robots.txt$; 3 Allow /b/index.html$; 2 Disallow /%C3%A9; 11 Allow /b/x; 10 Disallow /b/x; " +
			"12 Disallow /*c$; 4 Disallow "},
		{robotstxt.Koster1996, "a", "2 Disallow /é; 3 Allow /b/index.html$"},
		{robotstxt.Google, "b", "7 Disallow /"},
		{robotstxt.Google, "c", ""},
		{robotstxt.RFC9309, "c", "0 Allow /robots.txt$"},
	} {
		var got []string
		for rule := range c.dialect.Parse(body).Rules(c.agent).All() {
			directive, folder := "Disallow", ""
			if rule.Allow {
				directive = "Allow"
			}
			if rule.Folder {
				folder = " folder"
			}
			if rule.Length != len(rule.Pattern) {
				t.Errorf("%v %s: %q has length %d", c.dialect, c.agent, rule.Pattern, rule.Length)
			}
			got = append(got, fmt.Sprintf("%d %s %s%s", rule.Line, directive, rule.Pattern, folder))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%v %s:\ngot  %s\nwant %s", c.dialect, c.agent, got, c.want)
		}
	}
}

func TestAllWithoutFile(t *testing.T) {
	for _, rules := range []robotstxt.Rules{{}, robotstxt.AllowAll("x"), robotstxt.DisallowAll("x")} {
		if all := slices.Collect(rules.All()); len(all) > 0 {
			t.Errorf("%v", all)
		}
	}
}

// TestAllStops checks that the consumer can stop after any rule.
func TestAllStops(t *testing.T) {
	rules := robotstxt.RFC9309.Parse([]byte("User-agent: *\nDisallow: /a\nDisallow: /b\n")).Rules()
	for n := range 4 {
		seen := 0
		for range rules.All() {
			if seen == n {
				break
			}
			seen++
		}
		if seen != min(n, 3) {
			t.Errorf("%d rules instead of %d", seen, n)
		}
	}
}

// TestTraits compares the Traits of each dialect with its verdicts.
func TestTraits(t *testing.T) {
	for _, d := range robotstxt.Dialects() {
		allowed := func(path string, rules ...string) bool {
			return d.Parse([]byte("User-agent: *\n" + strings.Join(rules, "\n"))).Rules().Allowed(path)
		}
		got := robotstxt.Traits{
			Wildcards:  !allowed("/ab", "Disallow: /*b$"),
			FirstMatch: allowed("/ab", "Allow: /a", "Disallow: /ab"),
			IndexRule:  allowed("/a/", "Allow: /a/index.html", "Disallow: /a/"),
			Records:    allowed("/b", "Disallow: /a", "", "User-agent: *", "Disallow: /b"),
			QuerySlash: !allowed("/a?b%2Fc", "Disallow: /*/c"),
		}
		if got != d.Traits() {
			t.Errorf("%v: its verdicts have the traits %+v, but Traits returns %+v", d, got, d.Traits())
		}
	}
}
