package generate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/generate"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
)

func write(t *testing.T, before, text string) *wire.Generated {
	t.Helper()
	g, err := generate.Write(context.Background(), []byte(before), intention(t, text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return g
}

func outcomeOf(g *wire.Generated, token string) wire.IntentOutcome {
	for _, c := range g.Crawlers {
		if c.Agent == token {
			return c.Outcome
		}
	}
	return ""
}

// TestPurposes checks which crawlers are closed, and which stay because of another purpose.
func TestPurposes(t *testing.T) {
	for _, tt := range []struct {
		intention string
		written   string // tokens
		kept      string
		open      string // tokens that nothing is written about
	}{
		{"--no ai-training --yes search", "GPTBot ClaudeBot Google-Extended Applebot-Extended Bytespider CCBot", "bingbot", "OAI-SearchBot ChatGPT-User anthropic-ai"},
		{"--no ai-training,bingbot", "GPTBot bingbot CCBot", "", "Googlebot"},
		{"--no ai-training,archive", "GPTBot CCBot", "bingbot", ""},
		{"--no ai-search", "OAI-SearchBot PerplexityBot Google-Extended", "Googlebot bingbot PetalBot Applebot", "GPTBot"},
		{"--no ai-training --yes ai-search", "GPTBot Google-Extended", "bingbot", ""},
		{"--no ai-search,search", "Googlebot PetalBot OAI-SearchBot Applebot bingbot", "", "GPTBot"},
		{"--no ai-search,search,ai-training", "Googlebot bingbot PetalBot Google-Extended", "", ""},
		{"--no CCBot", "CCBot", "", "GPTBot"},
		{"--no anthropic-ai", "anthropic-ai", "", "ClaudeBot"},
	} {
		g := write(t, "", tt.intention)
		for want, tokens := range map[wire.IntentOutcome]string{wire.IntentWritten: tt.written,
			wire.IntentKept: tt.kept, "": tt.open} {
			for _, token := range strings.Fields(tokens) {
				if got := outcomeOf(g, token); got != want {
					t.Errorf("%s: %s is %q, want %q", tt.intention, token, got, want)
				}
				closed := !robotstxt.RFC9309.Allowed([]byte(g.Body), "/page", token)
				if closed != (want == wire.IntentWritten) {
					t.Errorf("%s: %s closed: %v\n%s", tt.intention, token, closed, g.Body)
				}
			}
		}
		if !g.Complete {
			t.Errorf("%s: not complete: %q", tt.intention, g.Missed)
		}
		for _, token := range strings.Fields(tt.kept) {
			if !strings.Contains(strings.Join(g.Notes, "\n"), token) || !strings.Contains(g.Body, token) {
				t.Errorf("%s: the comment does not name %s: %q", tt.intention, token, g.Notes)
			}
		}
	}
}

// TestComplete checks that nothing is missed if all is expressed.
func TestComplete(t *testing.T) {
	for _, text := range []string{"--no GPTBot,ClaudeBot", "--no GPTBot=/a --yes search", "--yes Googlebot=/"} {
		if g := write(t, "", text); !g.Complete || len(g.Missed) > 0 {
			t.Errorf("%s: missed %q", text, g.Missed)
		}
	}
}

// TestFile checks whole files, except for the comment.
func TestFile(t *testing.T) {
	const star = "User-agent: *\nDisallow: /cart/\nCrawl-delay: 10\nContent-Signal: search=yes\n"
	for _, tt := range []struct{ name, before, intention, after string }{
		{"new", "", "--no GPTBot", "User-agent: GPTBot\nDisallow: /\n"},
		{"a group repeats what * says", star, "--no GPTBot=/x/",
			star + "\nUser-agent: GPTBot\nDisallow: /cart/\nDisallow: /x/\nCrawl-delay: 10\nContent-Signal: search=yes\n"},
		{"of one group, each repeats its own delay", "User-agent: ClaudeBot\nCrawl-delay: 5\nUser-agent: GPTBot\nCrawl-delay: 7\nUser-agent: *\nDisallow: /a\n", "--no ClaudeBot,GPTBot=/b",
			"User-agent: *\nDisallow: /a\n\nUser-agent: ClaudeBot\nDisallow: /a\nDisallow: /b\nCrawl-delay: 5\n\nUser-agent: GPTBot\nDisallow: /a\nDisallow: /b\nCrawl-delay: 7\n"},
		{"a closed one needs no more", star, "--no GPTBot", star + "\nUser-agent: GPTBot\nDisallow: /\n"},
		{"its own group moves", "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /a\nAllow: /a/b\n", "--no GPTBot=/a",
			"User-agent: CCBot\nDisallow: /a\nAllow: /a/b\n\nUser-agent: GPTBot\nDisallow: /a\n\nUser-agent: *\nAllow: /\n"},
		{"its own group stays, and a new one is before the sitemaps", "User-agent: GPTBot\nDisallow: /p/\n\nUser-agent: GPTBot\nDisallow: /q/\n\nUser-agent: Googlebot\nDisallow: /x\n\n# all maps\nSitemap: https://shop.example/s\n", "--no GPTBot,CCBot",
			"User-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /x\n\nUser-agent: CCBot\nDisallow: /\n\n# all maps\nSitemap: https://shop.example/s\n"},
		{"a comment of the last rule stays with it", "User-agent: *\nDisallow: /x\n# until May\n\nSitemap: https://shop.example/s", "--no GPTBot",
			"User-agent: *\nDisallow: /x\n# until May\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: https://shop.example/s"},
		{"a comment of the first sitemap does, too", "User-agent: *\nDisallow: /x\n# maps\nSitemap: https://shop.example/s", "--no GPTBot",
			"User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n\n# maps\nSitemap: https://shop.example/s"},
		{"the rest of its group stays too", "User-agent: GPTBot # training\nDisallow: /a\nNoindex: /b\nSitemap: https://shop.example/s\nHost: shop.example\n\n# all\nUser-agent: *\nAllow: /\n", "--no GPTBot",
			"User-agent: GPTBot\nDisallow: /\n# training\nSitemap: https://shop.example/s\nHost: shop.example\n\n# all\nUser-agent: *\nAllow: /\n"},
		{"at the top if the end is open", "User-agent: foo", "--no GPTBot", "User-agent: GPTBot\nDisallow: /\n\nUser-agent: foo"},
		{"after rules for nobody", "Disallow: /x\nUser-agent: foo\n", "--no GPTBot", "Disallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: foo\n"},
		{"the first agent of a group goes", "User-agent: GPTBot\nContent-Usage: search=n\nLicense: https://shop.example/l\nUser-agent: foo\nDisallow: /a\nUser-agent: GPTBot\nUser-agent: bar", "--no GPTBot",
			"User-agent: GPTBot\nDisallow: /\n\nUser-agent: foo\nContent-Usage: search=n\nLicense: https://shop.example/l\nDisallow: /a\nUser-agent: bar\n"},
		{"line ends", "\ufeffUser-agent: *\rDisallow: /a", "--no GPTBot", "\ufeffUser-agent: *\rDisallow: /a\r\rUser-agent: GPTBot\rDisallow: /\r"},
		{"CRLF", "User-agent: *\r\nDisallow: /a\r\n", "--no GPTBot", "User-agent: *\r\nDisallow: /a\r\n\r\nUser-agent: GPTBot\r\nDisallow: /\r\n"},
		{"a mark before the first group", "\ufeffUser-agent: GPTBot\nDisallow: /a\nUser-agent: foo\nDisallow: /b\n", "--no GPTBot",
			"\ufeffUser-agent: GPTBot\nDisallow: /\nUser-agent: foo\nDisallow: /b\n"},
		{"what is closed opens", "User-agent: *\nDisallow: /\n", "--yes DuckDuckBot=/", "User-agent: *\nDisallow: /\n\nUser-agent: DuckDuckBot\nDisallow:\n"},
		{"a part of what is closed opens", "User-agent: *\nDisallow: /\n", "--yes DuckDuckBot=/press/", "User-agent: *\nDisallow: /\n\nUser-agent: DuckDuckBot\nDisallow: /\nAllow: /press/\n"},
		{"without a path, lines that close parts stay", "User-agent: *\nDisallow: /cart/\n", "--yes DuckDuckBot", "User-agent: *\nDisallow: /cart/\n"},
		{"unless all is closed", "User-agent: *\nDisallow: /\n", "--yes DuckDuckBot", "User-agent: *\nDisallow: /\n\nUser-agent: DuckDuckBot\nDisallow:\n"},
		{"an exception", "", "--no GPTBot --yes GPTBot=/press/", "User-agent: GPTBot\nDisallow: /\nAllow: /press/\n"},
		{"a longer contrary line", "User-agent: *\nAllow: /*.css$\nDisallow: /b\n", "--no GPTBot=/a/",
			"User-agent: *\nAllow: /*.css$\nDisallow: /b\n\nUser-agent: GPTBot\nAllow: /*.css$\nDisallow: /a/*.css$\nDisallow: /b\nDisallow: /a/\n"},
	} {
		g := write(t, tt.before, tt.intention)
		var after strings.Builder
		for line := range robotstxt.Lines([]byte(g.Body)) {
			if !strings.Contains(string(line.Comment), "# robots generate") && !strings.HasPrefix(string(line.Comment), "#   ") &&
				!strings.HasPrefix(string(line.Comment), "# No source says") {
				after.Write(line.Raw)
			} else if line.Number == 1 {
				after.WriteString(strings.TrimSuffix(string(line.Raw[:3]), "# r"))
			}
		}
		if after.String() != tt.after {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.name, after.String(), tt.after)
		}
	}
}

// TestFallbacks checks that crawlers that fall back to a closed one keep what applied to
// them, if a line can name them.
func TestFallbacks(t *testing.T) {
	g := write(t, "User-agent: Googlebot\nDisallow: /search\n", "--no Googlebot")
	for token, want := range map[string]wire.IntentOutcome{
		"Googlebot": wire.IntentWritten, "Googlebot-News": wire.IntentRepeated, "Applebot": wire.IntentRepeated, "Screaming Frog SEO Spider": wire.IntentReached, "bingbot": "",
	} {
		if got := outcomeOf(g, token); got != want {
			t.Errorf("%s is %q, want %q", token, got, want)
		}
	}
	rules := robotstxt.Parse([]byte(g.Body)).Rules("Googlebot-News", "Googlebot")
	if !rules.Allowed("/news") || rules.Allowed("/search") {
		t.Errorf("Googlebot-News does not keep its rules:\n%s", g.Body)
	}
	if !g.Complete || !strings.Contains(strings.Join(g.Notes, "\n"), "Screaming Frog SEO Spider") {
		t.Errorf("the crawlers that it reaches are not named: %q", g.Notes)
	}
}

// TestAgain: a run that replaces the groups of an earlier one leaves none of its comments, and
// comments of other people stay.
func TestAgain(t *testing.T) {
	const own = "# Ours since 2020\nUser-agent: *\nDisallow: /cart/ # no use\n"
	first := write(t, own, "--no GPTBot=/a")
	second := write(t, first.Body, "--no GPTBot=/b")
	if n := strings.Count(second.Body, "with the crawlers known on"); n != 1 || !strings.HasPrefix(second.Body, own) {
		t.Errorf("%d comments of generate in\n%s", n, second.Body)
	}
	first = write(t, own, "--yes search --signals content-signal")
	second = write(t, first.Body, "--no search --signals content-signal")
	if n := strings.Count(second.Body, "with the crawlers known on"); n != 1 {
		t.Errorf("%d comments of generate in\n%s", n, second.Body)
	}
}

// TestSignals checks the lines of signals.
func TestSignals(t *testing.T) {
	for _, tt := range []struct{ name, before, intention, want string }{
		{"a new file", "", "--no ai-training --yes search --signals content-usage", "User-agent: *\nAllow: /\nContent-Usage: search=y, train-ai=n\n"},
		{"other names", "", "--no ai-search --signals content-signal", "User-agent: *\nAllow: /\nContent-Signal: ai-input=no\n"},
		{"a path", "", "--no ai-search=/p/ --signals content-usage", "User-agent: *\nAllow: /\nContent-Usage: /p/ ai-use=n\n"},
		{"every group", "User-agent: *\nDisallow: /x\n\nUser-agent: Googlebot\nDisallow: /y", "--yes search --signals content-signal",
			"User-agent: *\nDisallow: /x\nContent-Signal: search=yes\n\nUser-agent: Googlebot\nDisallow: /y\nContent-Signal: search=yes\n"},
		{"a contradiction", "User-agent: *\nAllow: /\nContent-Signal: ai-train=yes, search=yes\nContent-Usage: /a train-ai=y\n", "--no ai-training=/ --signals content-usage",
			"User-agent: *\nAllow: /\nContent-Usage: train-ai=n\nContent-Signal: search=yes\n"},
		{"a string with a comma", "User-agent: *\nAllow: /\nContent-Usage: /a x=\"y,train-ai=y\";p, train-ai=y;q=1, z\n", "--no ai-training --signals content-signal",
			"User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nContent-Usage: /a x=\"y,train-ai=y\";p, z\n"},
		{"a longer path", "User-agent: *\nAllow: /\nContent-Usage: /a/ search=y\nContent-Usage: /b/ z\n", "--no ai-training --signals content-usage",
			"User-agent: *\nAllow: /\nContent-Usage: train-ai=n\nContent-Usage: /a/ train-ai=n\nContent-Usage: /b/ train-ai=n\nContent-Usage: /a/ search=y\nContent-Usage: /b/ z\n"},
		{"a path that matches all is longer than none", "User-agent: *\nAllow: /\nContent-Usage: / search=y\nContent-Usage: /* train-ai=y, z\n", "--no ai-training --signals content-usage",
			"User-agent: *\nAllow: /\nContent-Usage: train-ai=n\nContent-Usage: / train-ai=n\nContent-Usage: /* train-ai=n\nContent-Usage: / search=y\nContent-Usage: /* z\n"},
		{"a label of the whole site at a path", "", "--no ai-training --no search=/p/ --signals content-usage",
			"Content-Usage: train-ai=n\nContent-Usage: /p/ search=n, train-ai=n\n"},
		{"the contrary in a closed group, and outside of groups", "Content-Signal: ai-train=yes, search=no\nUser-agent: foo\nDisallow: /\nContent-Usage: train-ai=y # why\n\nUser-agent: *\nAllow: /\n",
			"--no ai-training --signals content-signal", "Content-Signal: search=no\nUser-agent: foo\nDisallow: /\n# why\n\nUser-agent: *\nAllow: /\nContent-Signal: ai-train=no\n"},
		{"closed groups need none", "User-agent: foo\nDisallow: /\n\nUser-agent: *\nAllow: /\nContent-Signal: search=yes\n", "--yes search --signals content-signal",
			"User-agent: foo\nDisallow: /\n\nUser-agent: *\nAllow: /\nContent-Signal: search=yes\n"},
	} {
		if g := write(t, tt.before, tt.intention); !strings.Contains(g.Body, tt.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.name, g.Body, tt.want)
		}
	}
	for before, intent := range map[string]string{
		"User-agent: *\nAllow: /\nContent-Usage: /*/drafts/ search=y\n":    "--no ai-search=/p/ --signals content-usage",
		"User-agent: *\nDisallow: /\nContent-Usage: /*/drafts/ search=y\n": "--no ai-search=/p/ --yes GPTBot --signals content-usage", // in the group that is opened
		"": "--no ai-search=/p/ --no search=/*/drafts/ --signals content-usage",
	} {
		if g := write(t, before, intent); g.Complete || !strings.Contains(strings.Join(g.Missed, "\n"), "decide about some of the pages: /*/drafts/.") {
			t.Errorf("%s: a line that hides a part of a path is not named: %q", intent, g.Missed)
		}
	}
	g := write(t, "User-agent: *\nAllow: /\nContent-Usage: /*/drafts/ search=y\n", "--no ai-search=/p/ --signals content-usage")
	if g.Complete || !strings.Contains(strings.Join(g.Missed, "\n"), "Content-Usage lines with longer paths decide about some of the pages: /*/drafts/.") {
		t.Errorf("a line that hides a part of a path is not named: %q", g.Missed)
	}
	g = write(t, "", "--no ai-search=/p/ --signals content-signal")
	if !g.Complete || !strings.Contains(strings.Join(g.Notes, "\n"), "No specification defines paths for Content-Signal, so there is none for ai-search=/p/.") {
		t.Errorf("a path that Content-Signal lacks is not named: %q", g.Notes)
	}
}

// TestErrors checks what is refused, and that each error has a hint.
func TestErrors(t *testing.T) {
	check := func(name string, err error, want string) {
		t.Helper()
		if term.HintOf(err) == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q with a hint", name, err, want)
		}
	}
	for text, want := range map[string]string{
		"--no ai-trainin":      `"ai-trainin" is neither a purpose, nor a known crawler or operator`,
		"--no GPTBto":          `"GPTBto" is neither`,
		"--no search,":         `"" is neither`,
		"--no search=x":        `"x" does not begin with a slash`,
		"--no search=":         `"" does not begin with a slash`,
		"--no search=/a#b":     "cannot be the path of a rule",
		"--signals foo":        `"foo" is not a signal`,
		"--no search=/\x1b[2J": "cannot be the path of a rule",
		"--no search=/" + strings.Repeat("a", 5000): "is longer than",
	} {
		_, err := parseIntention(text)
		check(text, err, want)
	}
	for name, want := range map[string]string{"Facebook": "write Meta for all crawlers of this operator", "Opneai": "did you mean OpenAI?", "adz": "did you mean ads?"} {
		if hint := term.HintOf(new(generate.Config).Add(false, name)); hint != want {
			t.Errorf("the hint for %s is %q, want %q", name, hint, want)
		}
	}
	check("a crawler with a blank", new(generate.Config).Add(false, "ChatGPT Agent"), "no user-agent line can name ChatGPT Agent")
	for text, want := range map[string]string{
		"":                                     "there are no intentions",
		"--no search --yes search":             "search is both refused and allowed",
		"--no search=/ --yes search":           "search is both",
		"--no GPTBot=/a --yes GPTBot=/a":       "GPTBot=/a is both",
		"--no GPTBot --signals content-signal": "no statement has a purpose with a signal",
	} {
		_, err := generate.Write(context.Background(), nil, intention(t, text))
		check(text, err, want)
	}
	var many generate.Config
	for i := range 60 {
		many.Statements = append(many.Statements, generate.Statement{Purpose: "search", Path: "/" + strings.Repeat("a", i+1)})
	}
	_, err := generate.Write(context.Background(), nil, many)
	check("many paths", err, "more than 50 paths")
	_, err = generate.Write(context.Background(), nil, generate.Config{Statements: []generate.Statement{{Purpose: "x\nDisallow: /"}}})
	check("an unknown purpose", err, "a known purpose or a known crawler")
	for name, body := range map[string]string{
		"HTML":                      "<!DOCTYPE html><html><body>User-agent: *</body></html>",
		"UTF-16":                    "\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00",
		"larger than the limit":     "User-agent: *\nDisallow: /a\n" + strings.Repeat("# x\n", robotstxt.DefaultBodyLimit/4),
		"larger with the new lines": "User-agent: *\nDisallow: /a\n" + strings.Repeat("# x\n", robotstxt.DefaultBodyLimit/4-100),
	} {
		_, err := generate.Write(context.Background(), []byte(body), intention(t, "--no ai-training --signals content-usage"))
		check(name, err, "")
	}
}

// TestEveryPurpose writes each purpose alone, and each crawler.
func TestEveryPurpose(t *testing.T) {
	for _, p := range crawlers.Purposes() {
		for _, allow := range []bool{false, true} {
			config := generate.Config{Statements: []generate.Statement{{Allow: allow, Purpose: p, Path: "/"}}}
			if _, refused := checkLaws(t, []byte("User-agent: *\nDisallow: /x\n"), config); refused != nil {
				t.Errorf("%s, allow %v: %v", p, allow, refused)
			}
		}
	}
	var all generate.Config
	for c := range crawlers.All() {
		all.Statements = append(all.Statements, generate.Statement{Crawler: c.Token})
	}
	if _, refused := checkLaws(t, []byte("User-agent: *\nDisallow: /x\n"), all); refused != nil {
		t.Error(refused)
	}
}

// TestCancelled checks that a cancelled context ends the proof.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if g, err := generate.Write(ctx, []byte("User-agent: *\nDisallow: /a\n"), intention(t, "--no ai-training=/b")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run returns %v, %v", g, err)
	}
}

// TestBudget checks that what cannot be proved within the budget is not written as if it were.
func TestBudget(t *testing.T) {
	var hard strings.Builder
	hard.WriteString("User-agent: *\n")
	for i := range 400 {
		hard.WriteString("Disallow: /*" + strings.Repeat("a*b", i%20+1) + string(rune('a'+i%26)) + "$\n")
		hard.WriteString("Allow: /*" + strings.Repeat("b*a", i%20+1) + string(rune('a'+i%26)) + "\n")
	}
	config := intention(t, "--no GPTBot=/a")
	config.Steps = 10_000
	g, err := generate.Write(context.Background(), []byte(hard.String()), config)
	if err != nil {
		t.Fatal(err)
	}
	if g.Changed || g.Complete || outcomeOf(g, "GPTBot") != wire.IntentUnexpressed {
		t.Errorf("changed %v, complete %v, %s", g.Changed, g.Complete, outcomeOf(g, "GPTBot"))
	}
	if !slices.ContainsFunc(g.Missed, func(s string) bool { return strings.Contains(s, "GPTBot") }) {
		t.Errorf("GPTBot is not named: %q", g.Missed)
	}
}

// TestPlan: a plan does not call a closed crawler open, and says what is written for one that is not closed as a whole.
func TestPlan(t *testing.T) {
	for _, c := range []struct{ body, flags, want, not string }{
		{"User-agent: bingbot\nDisallow: /\n", "--no ai-training", "do not close the site to them: bingbot.", "stay open"},
		{"User-agent: *\nDisallow: /\nAllow: /p\n", "--no ai-training", "do not close the site to them: bingbot.", "stay open"},
		{"User-agent: GPTBot\nAllow: /a/b\nDisallow: /\n", "--yes GPTBot", "refuse the home page to these: GPTBot.", "token"},
		{"", "--no ai-training=/a --no bingbot=/b", "Amazonbot, bingbot, Brightbot", "Already"},
	} {
		config := intention(t, c.flags)
		config.Language = language.English
		g, err := generate.Write(context.Background(), []byte(c.body), config)
		if err != nil {
			t.Fatal(err)
		}
		if plan := strings.Join(g.Sentences, " "); !strings.Contains(plan, c.want) || strings.Contains(plan, c.not) {
			t.Errorf("%q, %s: %s", c.body, c.flags, plan)
		}
	}
}

// TestGivenUp: a wish that is given up leaves no trace, and a sentence names few of the crawlers that a file makes up.
func TestGivenUp(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\nAllow: /*long/path/here/x\nDisallow: /search\n")
	config := intention(t, "--no Googlebot=/a*b")
	config.Language = language.English
	g, err := generate.Write(context.Background(), []byte(body.String()), config)
	if err != nil {
		t.Fatal(err)
	}
	if g.Changed || len(g.Notes) > 0 || !strings.HasSuffix(strings.Join(g.Missed, ""), ": Googlebot.") {
		t.Errorf("%v, %q, %q\n%s", g.Changed, g.Missed, g.Notes, g.Body)
	}
	for i := range 300 {
		fmt.Fprintf(&body, "\nUser-agent: made-up-%s\nAllow: /*long/path/here/x\nContent-Usage: /*long/ab/%d train-ai=y\n", strings.Repeat("x", i), i)
	}
	config = intention(t, "--no all=/a*b --no ai-training=/a*b --signals content-usage")
	g, err = generate.Write(context.Background(), []byte(body.String()), config)
	if err != nil {
		t.Fatal(err)
	}
	missed := strings.Join(g.Missed, " ")
	for _, name := range []string{"made-up-", "/ab/"} {
		if n := strings.Count(missed, name); n < 1 || n > 20 {
			t.Errorf("%d names with %q: %q", n, name, missed)
		}
	}
	if !strings.Contains(missed, "x and 281 more.") || !strings.HasSuffix(missed, "9 and 280 more.") { // 281: and * for all others
		t.Errorf("the lists do not say how many more there are: %q", missed)
	}
}
