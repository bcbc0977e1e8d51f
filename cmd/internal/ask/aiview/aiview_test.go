package aiview_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/internal/uselines"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

func view(t *testing.T, text string, dialect robotstxt.Dialect) *wire.AIView {
	t.Helper()
	file := answer.NewFile([]byte(text))
	v, err := aiview.New(t.Context(), "robots.txt", answer.RuleFile(file, &dialect, nil),
		aiview.Config{Dialect: &dialect, Purposes: []crawlers.Purpose{"ai-training"}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func matches(dialect robotstxt.Dialect, pattern, path string) bool {
	return !dialect.Parse([]byte("User-agent: *\nDisallow: " + pattern + "\n")).Rules().Allowed(path)
}

// checkExact checks a view for paths: the exceptions are all, and those that are not in
// part are whole.
func checkExact(t *testing.T, text string, dialect robotstxt.Dialect, paths []string) {
	t.Helper()
	for _, a := range view(t, text, dialect).Purposes {
		if a.Access == semdiff.ExtentUndecided {
			continue
		}
		crawler := answer.NewCrawler(a.Agents[0])
		rules := crawler.Rules(dialect.Parse([]byte(text)))
		for _, path := range paths {
			usual := rules.Allowed(path) == (a.Otherwise == wire.VerdictAllowed)
			matched, whole := false, false
			for _, e := range a.Except {
				if matches(dialect, e.Pattern, path) {
					matched, whole = true, whole || !e.Part
				}
			}
			if !usual && !matched || usual && whole {
				t.Errorf("in %s, %s of %q is usual: %v, but the view is %+v", dialect, path, text, usual, a)
			}
		}
	}
}

// TestExact: what a view says about all paths is true of many.
func TestExact(t *testing.T) {
	patterns := []string{"/", "/*", "/a", "/a/", "/a/b", "/*b", "/a$", "/a*b$", "/*$", "*", "", "/b/*/a", "b", "/%61"}
	paths := []string{"/"}
	for range 4 {
		for _, path := range paths {
			for _, more := range []string{"a", "b", "/"} {
				paths = append(paths, path+more)
			}
		}
		paths = paths[:min(len(paths), 120)]
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		text := "User-agent: *\n"
		for range 1 + random.IntN(5) {
			text += []string{"Allow: ", "Disallow: "}[random.IntN(2)] + patterns[random.IntN(len(patterns))] + "\n"
		}
		for _, dialect := range robotstxt.Dialects() {
			checkExact(t, text, dialect, paths)
		}
	}
}

// TestExactOnRealFiles looks at some files of the corpus.
func TestExactOnRealFiles(t *testing.T) {
	bodies, _ := witness.Corpus(t)
	for _, text := range bodies[:min(len(bodies), 79)] {
		var paths []string
		for group := range robotstxt.Parse(text).Groups() {
			for rule := range group.Rules() {
				path := strings.NewReplacer("*", "x", "$", "").Replace(rule.Pattern)
				paths = append(paths, path, path+"x/y", strings.TrimSuffix(path, "/"))
				if len(paths) > 90 {
					break
				}
			}
		}
		checkExact(t, string(text), robotstxt.Google, paths)
	}
}

func TestView(t *testing.T) {
	v := view(t, `License: https://shop.example/license.xml
User-agent: *
Content-Signal: search=yes, ai-train=no
Disallow: /archive/
Allow: /archive/2024/
User-agent: GPTBot
Content-Usage: /press/ train-ai=y
Content-Usage: /press/ train-ai=n
Disallow: /
`, robotstxt.Google)
	var got []string
	for _, a := range v.Purposes {
		got = append(got, fmt.Sprint(a.MatchedBy, " ", a.Access, " ", a.Otherwise, " ", a.Except, " ", a.Preferences, " ",
			len(a.Agents) > 1))
	}
	want := "name closed disallowed [] [/press/ ai-train=yes /press/ ai-train=no] false\n" +
		"star partly allowed [{4 /archive/ true}] [search=yes ai-train=no] true"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if len(v.Preferences) != 4 || len(v.Licenses) != 1 || len(v.Problems) == 0 || v.Problems[0].Code != "RX514" {
		t.Errorf("got %+v, %+v, %+v", v.Preferences, v.Licenses, v.Problems)
	}
}

// TestNamed: a view says that a file names a crawler only if a User-agent line has the crawler's own token, and not
// one to which it falls back.
func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"User-agent: Googlebot\nDisallow: /a\n":                                       "fallback, Googlebot's",
		"User-agent: *\nDisallow: /b\n\nUser-agent: Googlebot\nDisallow: /a\n":        "fallback, Googlebot's",
		"User-agent: applebot\nDisallow: /b\n\nUser-agent: Googlebot\nDisallow: /a\n": "name, its own",
		"User-agent: *\nDisallow: /b\n":                                               "star, all (*)",
		"User-agent: CCBot\nDisallow: /b\n":                                           "none, none",
	} {
		file := answer.NewFile([]byte(text))
		config := aiview.Config{Purposes: []crawlers.Purpose{"search"}, Each: true}
		v, err := aiview.New(t.Context(), "", answer.RuleFile(file, nil, nil), config)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range v.Purposes {
			if got := string(a.MatchedBy) + ", " + a.Group; a.Agents[0] == "Applebot" && got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		}
	}
}

// TestManyPreferences: a row has each preference of its groups once, however many there are, and a
// preference lists at most 100 of the tokens of its group.
func TestManyPreferences(t *testing.T) {
	var body strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&body, "User-agent: agent-%d\n", i)
	}
	body.WriteString("User-agent: GPTBot\n")
	for range 2 {
		for i := range 5000 {
			fmt.Fprintf(&body, "Content-Usage: /p%d train-ai=n\n", i)
		}
	}
	body.WriteString("Disallow:\nUser-agent: ClaudeBot\nContent-Usage: /p0 train-ai=n\n")
	v := view(t, body.String(), robotstxt.Google)
	if len(v.Preferences) != 10_001 {
		t.Fatalf("%d preferences", len(v.Preferences))
	}
	if p := v.Preferences[0]; len(p.Agents) != 100 || p.MoreAgents != 4901 {
		t.Errorf("%d agents and %d more", len(p.Agents), p.MoreAgents)
	}
	for _, a := range v.Purposes {
		want := map[string]int{"GPTBot": 5000, "ClaudeBot": 1}[a.Agents[0]]
		if len(a.Preferences) != want || want == 5000 && a.Preferences[4999] != "/p4999 ai-train=no" {
			t.Errorf("%s: %d preferences", a.Agents, len(a.Preferences))
		}
	}
}

// TestEnded: a view whose caller has gone ends with the error of the context.
func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := answer.NewFile([]byte("User-agent: *\nContent-Signal: ai-train=no\n"))
	_, err := aiview.New(ctx, "", answer.RuleFile(file, nil, nil), aiview.Config{Purposes: aiview.Purposes})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestViewWithoutFile: what the site has answered applies. The policy for a file that is
// unreachable decides about fetching only.
func TestViewWithoutFile(t *testing.T) {
	for _, test := range []struct {
		site wire.Site
		want semdiff.Extent
	}{
		{wire.Site{Outcome: wire.OutcomeAllowAll, Provenance: wire.Provenance{Source: wire.SourceNetwork}}, semdiff.ExtentOpen},
		{wire.Site{Outcome: wire.OutcomeDisallowAll, Provenance: wire.Provenance{Source: wire.SourceAssumed, Fault: wire.FaultStatus}}, semdiff.ExtentClosed},
		{wire.Site{Outcome: wire.OutcomeDisallowAll, Provenance: wire.Provenance{Source: wire.SourceAssumed, Fault: wire.FaultTimeout}}, semdiff.ExtentUnknown},
		{wire.Site{Outcome: wire.OutcomeLocal}, semdiff.ExtentUnknown},
	} {
		r := answer.RuleSite(&test.site, nil, nil, nil, nil)
		v, err := aiview.New(t.Context(), "shop.example", r, aiview.Config{Purposes: aiview.Purposes})
		if err != nil {
			t.Fatal(err)
		}
		v.Purposes = slices.DeleteFunc(v.Purposes, func(a wire.AIAccess) bool { // as if there were a file
			return a.Unread && a.Access == semdiff.ExtentUnknown && a.Otherwise == wire.VerdictUnknown
		})
		for _, a := range v.Purposes {
			want := test.want
			if want == semdiff.ExtentClosed && a.Purpose != "ai-fetch" {
				want = semdiff.ExtentUnknown
			}
			if a.Access != want || a.MatchedBy != robotstxt.MatchedByNone {
				t.Errorf("%+v: got %+v", test.site, a)
			}
		}
		if len(v.Purposes) != len(aiview.Purposes) {
			t.Errorf("got %d rows", len(v.Purposes))
		}
	}
}

// TestOneProof: a view proves the same rules in the same dialect once, and all proofs have one budget.
func TestOneProof(t *testing.T) {
	bodies, names := witness.Corpora(t)
	step := 25
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		step = 1
	}
	proved, asked := 0, 0
	for i := 0; i < len(bodies); i += step {
		ruling := answer.RuleFile(answer.NewFile(bodies[i]), nil, nil)
		extents := aiview.NewExtents(ruling)
		rules := make(map[string]bool)
		ask := func() {
			for _, purpose := range aiview.Purposes {
				for _, c := range crawlers.Select(crawlers.Selection{Purposes: []crawlers.Purpose{purpose}}) {
					crawler := answer.NewCrawler(c.Token)
					use := permission.UseOf(extents.Robots, crawler.Permission(), purpose)
					if _, err := extents.Of(t.Context(), use); err != nil {
						t.Fatal(err)
					}
					if use.Token != "" && ruling.HasFile() {
						rules[textOf(use.Rules)] = true
					}
					asked++
				}
			}
		}
		ask()
		proofs, left := extents.Spent()
		if proofs != len(rules) {
			t.Errorf("%s: %d proofs of %d lists of rules", names[i], proofs, len(rules))
		}
		if left < -proofs {
			t.Errorf("%s: %d steps more than there are", names[i], -left)
		}
		ask()
		if again, same := extents.Spent(); again != proofs || same != left {
			t.Errorf("%s: the same questions took %d proofs more", names[i], again-proofs)
		}
		proved += proofs
	}
	t.Logf("%d proofs for %d questions", proved, asked)
	if proved == 0 {
		t.Error("nothing was proved")
	}
}

// textOf returns what rules say in their dialect, without their lines.
func textOf(rules robotstxt.Rules) string {
	text := rules.Dialect().String()
	for g := range rules.Groups() {
		for r := range g.Rules() {
			text += fmt.Sprintf("\n%v %d %q", r.Allow, r.Length, r.Pattern)
		}
	}
	return text
}

// TestProblems: a view says where a preference does not reach a crawler that the file lets in, and where an old name is
// closed while its successor is let in, each once.
func TestProblems(t *testing.T) {
	v := view(t, `User-agent: *
Content-Signal: ai-train=no
Disallow: /cart

User-agent: msnbot
User-agent: anthropic-ai
Disallow: /

User-agent: GPTBot
User-agent: ClaudeBot
Allow: /
`, robotstxt.Google)
	var got []string
	for _, p := range v.Problems {
		got = append(got, fmt.Sprint(p.Line, " ", p.Code, " ", p.Message))
	}
	want := []string{
		"2 RX524 This line does not apply to GPTBot, ClaudeBot, because",
		"6 RX110 anthropic-ai no longer exists; Anthropic uses ClaudeBot, and by name the file opens the site to ClaudeBot",
	}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

// TestLicenses: the License lines for a name, or else those outside all groups, are those that apply.
func TestLicenses(t *testing.T) {
	const named = "User-agent: GPTBot\nUser-agent: ClaudeBot\nLicense: own\nDisallow: /\nLICENSE: second\n\n"
	for _, text := range []string{
		"", "License: top\n", named, "License: top\n\n" + named + "User-agent: *\nDisallow: /cart\n",
		"License: top\nLicense: more\nUser-agent: CCBot\nUser-agent: *\nDisallow:\n\nLicense: last\n" + named,
	} {
		robots := robotstxt.Parse([]byte(text))
		licenses := view(t, text, robotstxt.Google).Licenses
		for _, name := range []string{"*", "GPTBot", "ClaudeBot", "CCBot"} {
			var own, outside, want []int
			for _, l := range licenses {
				if slices.Contains(l.Agents, name) {
					own = append(own, l.Line)
				}
				if l.Outside {
					outside = append(outside, l.Line)
				}
			}
			isNamed := func(l wire.AILicense) bool { return slices.Contains(l.Agents, name) }
			rules := robots.Rules()
			if name != "*" {
				rules = answer.NewCrawler(name).Rules(robots)
			}
			if rules.MatchedBy() == robotstxt.MatchedByStar && !slices.ContainsFunc(licenses, isNamed) {
				continue // the lines for "*" apply
			}
			if own == nil {
				own = outside
			}
			for x := range uselines.Of(robots, rules, uselines.License) {
				want = append(want, x.Line)
			}
			if !slices.Equal(own, want) {
				t.Errorf("%q: lines %v for %s, want %v", text, own, name, want)
			}
		}
	}
}
