package generate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/generate"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// intention returns the statements and signals of a text in the form of the flags:
// "--no ai-training --yes search --signals content-usage".
func intention(t testing.TB, text string) (config generate.Config) {
	t.Helper()
	config, err := parseIntention(text)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func parseIntention(text string) (config generate.Config, err error) {
	fields := strings.Fields(text)
	for i := 0; i < len(fields); i++ {
		value := ""
		if i+1 < len(fields) {
			value = fields[i+1]
		}
		switch fields[i] {
		case "--no", "--yes":
			err = config.Add(fields[i] == "--yes", value)
			i++
		case "--signals":
			err = config.AddSignals(strings.Split(value, ",")...)
			i++
		default:
			err = fmt.Errorf("what is %q?", fields[i])
		}
		if err != nil {
			return config, err
		}
	}
	return config, nil
}

// readingsOf returns how a crawler may read files: as ReadingOf says, and otherwise if no
// source says how it does.
func readingsOf(token string) (readings []crawlers.Reading) {
	r, ok := crawlers.ReadingOf(token)
	if !ok {
		return nil
	}
	if other, ok := r.Other(); ok {
		return []crawlers.Reading{r, other}
	}
	return []crawlers.Reading{r}
}

// isUnder is whether a path of the tests, which has no wildcards, contains a URL path.
func isUnder(path, statement string) bool { return strings.HasPrefix(path, statement) }

// meant returns the verdict that the statements mean for a crawler at a URL path, and false
// if they mean none, so that the verdict is as before. It is the meaning in the words of the
// documentation, URL by URL, and shares no code with the package.
func meant(config generate.Config, c crawlers.Crawler, path string, closedBefore bool) (allow, decided bool) {
	longest := func(is func(generate.Statement) bool) (found *generate.Statement) {
		for i := range config.Statements {
			if s := &config.Statements[i]; is(*s) && isUnder(path, s.Path) &&
				(found == nil || len(strings.TrimPrefix(s.Path, "/")) >= len(strings.TrimPrefix(found.Path, "/"))) {
				found = s
			}
		}
		return found
	}
	explicit := func(s *generate.Statement) (bool, bool) {
		return s.Allow, !s.Allow || s.Path != "" || closedBefore
	}
	for _, operator := range []bool{false, true} {
		named := func(s generate.Statement) bool { return s.Crawler == c.Token && operator == (s.Operator != "") }
		if s := longest(named); s != nil {
			return explicit(s)
		}
	}
	refused := 0
	permitted := 0
	allowed := (*generate.Statement)(nil)
	deepest := longest(func(s generate.Statement) bool { return slices.Contains(c.Purposes, s.Purpose) })
	isSearch := c.Purposes[0] == "search"
	for _, p := range c.Purposes {
		switch s := longest(func(s generate.Statement) bool { return s.Purpose == p }); {
		case s != nil && !s.Allow:
			refused++
			isSearch = isSearch && p != "search"
		case s != nil:
			permitted++
			if allowed == nil || allowed.Path == "" {
				allowed = s
			}
		}
	}
	switch {
	case refused > 0 && (c.Control || permitted == 0 && !isSearch):
		return false, true
	case permitted > 0 && (!c.Control || permitted == len(c.Purposes)):
		return explicit(allowed)
	case deepest == nil:
		return false, false
	}
	// What is said at this path has no effect, so a shorter one decides.
	var others generate.Config
	for _, s := range config.Statements {
		if !slices.Contains(c.Purposes, s.Purpose) || s.Path != deepest.Path {
			others.Statements = append(others.Statements, s)
		}
	}
	return meant(others, c, path, closedBefore)
}

// readBack checks that the intention can be read from the result: by the engine URL by URL,
// by semdiff for the crawlers that it is not about, by robots ai, and by package permission.
func readBack(t *testing.T, before []byte, config generate.Config, g *wire.Generated) {
	t.Helper()
	after := []byte(g.Body)
	outcomes := make(map[string]wire.GeneratedCrawler)
	for _, c := range g.Crawlers {
		outcomes[c.Agent] = c
	}
	readURLs(t, before, after, config, outcomes)
	readOthers(t, before, after, config, outcomes)
	readAI(t, after, config, outcomes)
	readPermission(t, after, config, outcomes)
	readPaths(t, g, config)
}

// readPermission checks that a closed crawler has fetch disallowed, that a closed control
// token has its purposes disallowed for a crawler of its operator, and that signals
// disallow or allow the purposes of crawlers that may fetch.
func readPermission(t *testing.T, after []byte, config generate.Config, outcomes map[string]wire.GeneratedCrawler) {
	t.Helper()
	const url = "https://shop.example/unlisted"
	sources := &permission.Sources{Robots: permission.NewRobots("https://shop.example/robots.txt", after)}
	verdicts := func(url, token string, purposes ...crawlers.Purpose) (verdicts []permission.Verdict) {
		q := permission.Ask(url, token)
		q.Purposes = purposes
		for _, a := range permission.Decide(q, sources) {
			verdicts = append(verdicts, a.Verdict)
		}
		return verdicts
	}
	for _, o := range outcomes {
		if len(o.Paths) != 1 || o.Paths[0] != (wire.GeneratedPath{Path: "/", Verdict: wire.VerdictDisallowed}) {
			continue
		}
		if got := verdicts(url, o.Agent, permission.Fetch)[0]; got != permission.Disallowed && !o.Control {
			t.Fatalf("permission: fetch for %s is %s\n%s", o.Agent, got, after)
		}
		crawler := map[string]string{"Google-Extended": "Googlebot", "Applebot-Extended": "Applebot"}[o.Agent]
		if crawler == "" {
			continue
		}
		for i, got := range verdicts(url, crawler, "ai-training") {
			if got != permission.Disallowed {
				t.Fatalf("permission: purpose %d of %s for %s is %s\n%s", i, o.Agent, crawler, got, after)
			}
		}
	}
	for _, s := range config.Statements {
		if len(config.Signals) == 0 || s.Path != "" || !slices.Contains([]crawlers.Purpose{"search", "ai-search", "ai-training"}, s.Purpose) {
			continue
		}
		for _, token := range []string{"*", "FooBot", "bingbot", "YandexBot"} {
			got := verdicts(url, token, s.Purpose, permission.Fetch)
			if got[1] == permission.Allowed && (got[0] == permission.Disallowed) != !s.Allow {
				t.Fatalf("permission: %s for %s is %s\nconfig %+v\n%s", s.Purpose, token, got[0], config, after)
			}
		}
	}
}

// readPaths checks that Content-Usage refuses a purpose below each path for which it is refused,
// whatever longer paths the lines of the file have.
func readPaths(t *testing.T, g *wire.Generated, config generate.Config) {
	t.Helper()
	hidden := slices.ContainsFunc(g.Missed, func(text string) bool { return strings.Contains(text, "Content-Usage lines with longer paths") })
	if hidden || !slices.Contains(config.Signals, generate.ContentUsage) {
		return
	}
	sources := &permission.Sources{Robots: permission.NewRobots("https://shop.example/robots.txt", []byte(g.Body))}
	urls := []string{"/"}
	for e := range robotstxt.Google.Parse([]byte(g.Body)).Extensions() {
		if e.Name == "Content-Usage" {
			urls = append(urls, strings.NewReplacer("*", "x", "$", "").Replace(permission.ReadUsage(e.Value).Path))
		}
	}
	for _, s := range config.Statements {
		contrary := func(o generate.Statement) bool { return o.Purpose == s.Purpose && o.Allow }
		if s.Allow || !slices.Contains([]crawlers.Purpose{"search", "ai-search", "ai-training"}, s.Purpose) || strings.ContainsAny(s.Path, "*$") ||
			slices.ContainsFunc(config.Statements, contrary) {
			continue
		}
		for _, path := range append(urls, s.Path) {
			if !strings.HasPrefix(path, "/") || !strings.HasPrefix(path, s.Path) {
				continue
			}
			q := permission.Ask("https://shop.example"+path+"x", "FooBot")
			q.Purposes = []crawlers.Purpose{s.Purpose, permission.Fetch}
			if a := permission.Decide(q, sources); a[1].Verdict == permission.Allowed &&
				a[0].Verdict != permission.Disallowed {
				t.Fatalf("permission: %s at %sx is %s\nconfig %+v\n%s", s.Purpose, path, a[0].Verdict, config, g.Body)
			}
		}
	}
}

// patternsOf returns the patterns of a file and of the statements.
func patternsOf(body []byte, config generate.Config) (patterns []string) {
	for line := range robotstxt.Lines(body) {
		if line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow {
			patterns = append(patterns, string(line.Value))
		}
	}
	for _, s := range config.Statements {
		patterns = append(patterns, s.Path, s.Path+"x")
	}
	return patterns
}

// valueOf returns the value of a line.
func valueOf(body []byte, number int) string {
	for line := range robotstxt.Lines(body) {
		if line.Number == number {
			return string(line.Value)
		}
	}
	return ""
}

func readURLs(t *testing.T, before, after []byte, config generate.Config, outcomes map[string]wire.GeneratedCrawler) {
	t.Helper()
	paths := slices.Collect(witness.Between(patternsOf(before, config), patternsOf(after, config), 60))
	files := make(map[robotstxt.Dialect][2]*robotstxt.Robots)
	for _, d := range robotstxt.Dialects() {
		files[d] = [2]*robotstxt.Robots{d.Parse(before), d.Parse(after)}
	}
	known := make(map[string]bool)
	for c := range crawlers.All() {
		retired := c.Status == crawlers.Retired &&
			!slices.ContainsFunc(config.Statements, func(s generate.Statement) bool { return s.Crawler == c.Token })
		outcome := outcomes[c.Token].Outcome
		if outcome == wire.IntentReached {
			continue
		}
		closed := false
		for i, reading := range readingsOf(c.Token) {
			old, now := reading.Rules(files[reading.Dialect][0]), reading.Rules(files[reading.Dialect][1])
			if i == 0 {
				closed = isClosed(t, old, known)
			}
			for _, path := range paths {
				if path == "/robots.txt" || strings.HasPrefix(path, "//") {
					continue
				}
				want := old.Allowed(path)
				if allow, decided := meant(config, c, reading.Dialect.EncodePath(path), closed); decided &&
					!retired && outcome != wire.IntentUnexpressed {
					want = allow
				}
				if got := now.Allowed(path); got != want {
					t.Fatalf("%s %s: allowed %v, want %v (%s)\nconfig %+v\nbefore:\n%s\nafter:\n%s", c.Token, path, got, want, outcome, config, before, after)
				}
			}
		}
	}
}

// isClosed reports whether rules disallow all paths. known has the answers so far.
func isClosed(t *testing.T, rules robotstxt.Rules, known map[string]bool) bool {
	t.Helper()
	key := rules.Explain("/").Dialect.String() + fmt.Sprint(rules.MatchedBy()) + rules.Agent()
	closed, ok := known[key]
	if !ok {
		d, err := semdiff.Decides(context.Background(), rules, "/", semdiff.Config{})
		if err != nil {
			t.Fatal(err)
		}
		closed = d.AllDisallowed
		known[key] = closed
	}
	return closed
}

// readOthers checks that semdiff finds no change for crawlers that are not intended.
func readOthers(t *testing.T, before, after []byte, config generate.Config, outcomes map[string]wire.GeneratedCrawler) {
	t.Helper()
	for _, d := range robotstxt.Dialects()[:2] {
		from, to := d.Parse(before), d.Parse(after)
		compared := semdiff.Config{Only: true, Crawlers: []semdiff.Crawler{{}}}
		add := func(token string) {
			for _, r := range readingsOf(token) {
				if r.Dialect == d {
					compared.Crawlers = append(compared.Crawlers,
						semdiff.Crawler{Tokens: r.Tokens, NamedOnly: r.NamedOnly})
				}
			}
		}
		for c := range crawlers.All() {
			if o, about := outcomes[c.Token]; !about || len(o.Paths) == 0 && o.Outcome != wire.IntentReached {
				add(c.Token)
			}
		}
		for group := range from.Groups() {
			for agent := range group.Agents() {
				_, known := crawlers.Find(answer.TokenRead(robotstxt.RFC9309, valueOf(before, agent.Line)))
				// Google reads a part of some tokens, such as MJ of MJ12bot
				if _, misread := crawlers.Find(agent.Token); !known && !misread && strings.Trim(agent.Token, "*") != "" {
					add(agent.Token)
				}
			}
		}
		report, err := semdiff.Compare(context.Background(), from, to, compared)
		if err != nil {
			t.Fatal(err)
		}
		if !report.Equal() {
			t.Fatalf("%v: verdicts change for others: %+v\nconfig %+v\nbefore:\n%s\nafter:\n%s", d, report.Rows, config, before, after)
		}
		for _, other := range report.Other {
			if other.Kind == "Host" || other.Kind == "Clean-param" {
				continue // they are about the file, whatever group precedes them
			}
			if len(config.Signals) == 0 || other.Kind != "Content-Usage" && other.Kind != "Content-Signal" {
				t.Fatalf("%v: other lines change: %+v\nconfig %+v\nbefore:\n%s\nafter:\n%s", d, other, config, before, after)
			}
		}
	}
}

// readAI checks that robots ai shows closed crawlers and purpose tokens as closed, and the
// signals in the groups of the others.
func readAI(t *testing.T, after []byte, config generate.Config, outcomes map[string]wire.GeneratedCrawler) {
	t.Helper()
	view, err := aiview.New(context.Background(), "robots.txt", answer.RuleFile(answer.NewFile(after), nil, nil),
		aiview.Config{Purposes: crawlers.Purposes(), Each: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range view.Purposes {
		o := outcomes[entry.Agents[0]]
		closes := len(o.Paths) > 0 &&
			!slices.ContainsFunc(o.Paths,
				func(p wire.GeneratedPath) bool { return p.Verdict == wire.VerdictAllowed }) &&
			slices.ContainsFunc(o.Paths, func(p wire.GeneratedPath) bool { return p.Path == "/" })
		if closes && entry.Access != semdiff.ExtentClosed {
			t.Fatalf("robots ai: %s is %s\n%s", entry.Agents[0], entry.Access, after)
		}
		if entry.Access != semdiff.ExtentOpen && entry.Access != semdiff.ExtentPartly ||
			entry.MatchedBy == robotstxt.MatchedByNone {
			continue
		}
		for _, signal := range config.Signals {
			for _, s := range config.Statements {
				use := map[crawlers.Purpose]string{"search": "search", "ai-search": "ai-input", "ai-training": "ai-train"}[s.Purpose]
				if use == "" || s.Path != "" && signal != generate.ContentUsage {
					continue
				}
				p := wire.AIPreference{Use: use, Granted: s.Allow, Path: strings.TrimSuffix(s.Path, "/")}
				if s.Path != "/" {
					p.Path = s.Path
				}
				contrary := p
				contrary.Granted = !p.Granted
				overridden := slices.ContainsFunc(config.Statements,
					func(o generate.Statement) bool { return o.Purpose == s.Purpose && o.Allow != s.Allow })
				if !slices.Contains(entry.Preferences, aiview.Text(p)) ||
					slices.Contains(entry.Preferences, aiview.Text(contrary)) && !overridden {
					t.Fatalf("robots ai: %s states %q, want %q\nconfig %+v\n%s", entry.Agents[0], entry.Preferences, aiview.Text(p), config, after)
				}
			}
		}
	}
}

// checkLaws writes an intention into a file, reads it back, and writes it again. It reports
// whether the file was refused.
func checkLaws(t *testing.T, before []byte, config generate.Config) (g *wire.Generated, refused error) {
	t.Helper()
	config.Language = language.German
	g, err := generate.Write(context.Background(), before, config)
	if err != nil {
		if term.HintOf(err) == "" {
			t.Fatalf("an error without a hint: %v", err)
		}
		return nil, err
	}
	if g.Changed == bytes.Equal(before, []byte(g.Body)) || g.Complete != (len(g.Missed) == 0) {
		t.Fatalf("changed %v, complete %v, but %q", g.Changed, g.Complete, g.Missed)
	}
	checkPlan(t, g)
	readBack(t, before, config, g)
	checkAgain(t, before, config, g)
	kept := comments(before)
	for line := range robotstxt.Lines([]byte(g.Body)) {
		if len(kept) > 0 && bytes.Equal(line.Comment, kept[0]) {
			kept = kept[1:]
		}
	}
	if len(kept) > 0 {
		t.Fatalf("the comment %q is lost\nbefore:\n%s\nafter:\n%s", kept[0], before, g.Body)
	}
	return g, nil
}

// checkAgain checks that writing an intention into its own result changes nothing.
func checkAgain(t *testing.T, before []byte, config generate.Config, g *wire.Generated) {
	t.Helper()
	again, err := generate.Write(context.Background(), []byte(g.Body), config)
	if err != nil {
		t.Fatalf("writing it again: %v\nconfig %+v\nbefore:\n%s\nafter:\n%s", err, config, before, g.Body)
	}
	if again.Changed {
		t.Fatalf("writing it again changes it\nconfig %+v\nbefore:\n%s\nafter:\n%s\nagain:\n%s", config, before, g.Body, again.Body)
	}
}

// checkPlan checks that a plan in German says each fact once, and names each crawler for which nothing else
// shows that it is not simply refused or allowed.
func checkPlan(t *testing.T, g *wire.Generated) {
	t.Helper()
	plan := " " + strings.Join(g.Sentences, " ")
	for i, sentence := range g.Sentences {
		if slices.Contains(g.Sentences[:i], sentence) || english.MatchString(sentence) {
			t.Fatalf("%q in %q", sentence, g.Sentences)
		}
	}
	for _, c := range g.Crawlers {
		isShown := c.Outcome == wire.IntentWritten && !c.Control || c.Outcome == wire.IntentAlready
		if !isShown && !strings.Contains(plan, " "+c.Agent) {
			t.Fatalf("%s is %s, and the plan does not name it: %q", c.Agent, c.Outcome, g.Sentences)
		}
	}
	if (g.Patch != "") != g.Changed {
		t.Fatalf("changed %v, and the difference is %q", g.Changed, g.Patch)
	}
}

var english = regexp.MustCompile(`\b(the|These|this|they|because|which|refuse|allow|other|lines?|purposes?)\b`)

// comments returns the comments that are alone in their lines.
func comments(body []byte) (found [][]byte) {
	for line := range robotstxt.Lines(body) {
		if line.Kind == robotstxt.KindComment {
			found = append(found, line.Comment)
		}
	}
	return found
}

// seedFiles are files with what makes writing hard.
var seedFiles = []string{
	"",
	"User-agent: *\nDisallow: /cart/\nCrawl-delay: 10\nContent-Signal: search=yes, ai-train=yes\n\nSitemap: https://shop.example/s.xml\n",
	"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /\n",
	"\ufeffUser-agent: GPTBot\r\nDisallow: /private/\r\nAllow: /private/open\r\n\r\nUser-agent: *\r\nDisallow: /x\r\n",
	"User-agent: *\rDisallow: /a\r\rUser-agent: bingbot\rDisallow: /b",
	"Disallow: /orphan\nUser-agent: CCBot\nUser-agent: GPTBot\nDisallow: /a\nUser-agent: foo",
	"User-agent: GPTBot\nCrawl-delay: 5\nUser-agent: Googlebot\nCrawl-delay: 7\nDisallow: /x\nUser-agent: *\nAllow: /*.css$\nDisallow: /m*/x\n",
	"User-agent: ClaudeBot # Anthropic\nNoindex: /a\nHost: shop.example\nDisallow: /\nClean-param: ref /a\nUser-agent: foo\nDisallow: /foo\n",
	"User-agent: *\nContent-Usage: train-ai=y, search=n\nContent-Usage: /members/ train-ai=y\nDisallow:\n",
	"User-agent: MJ12bot\nDisallow: /\nUser-agent: googlebot/2.1\nUser-agent: Google-Extended\nDisallow: /p\nLicense: https://shop.example/l.xml\n",
	"Crawl-delay: 3\nContent-Signal: ai-train=no\nUser-agent: Claude-User\n",
	"# only a comment",
	"User-agent: CODE87\nDisallow:/\nUser-agent: GPTBot/1.0\nUser-agent: Code\nUser-agent: ClaudeBot (training)\nAllow: /press/a\nDisallow: /a\n",
	"user agent: gptbot\ndissalow: /a\nUser-agent gptbot\nDisallow /b\n",
}

// seedIntentions are intentions of each kind.
var seedIntentions = []string{
	"--no ai-training",
	"--no ai-training --yes search --no ai-fetch=/members/ --signals content-usage,content-signal",
	"--no ai-training,bingbot --yes archive",
	"--no ai-search,search --signals content-signal",
	"--no Googlebot --yes ai-fetch=/press/",
	"--yes search,ai-search --no ai-training=/a",
	"--no ai-training,CCBot --yes ai-training=/press/ --signals content-usage",
	"--no AdsBot-Google,MJ12bot=/a --yes bingbot=/",
	"--no search=/a --no ai-search=/a/b --no ai-training=/ --signals content-usage",
	"--no ads,seo,archive,ai-fetch --no ai-fetch=/m",
}

// drawn returns the intention of a number: up to three statements, and signals.
func drawn(n uint64) (config generate.Config, err error) {
	draw := func(below int) int {
		d := int(n % uint64(below))
		n /= uint64(below)
		return d
	}
	subjects := []string{"ai-training", "ai-search", "ai-fetch", "search", "seo,ads", "Googlebot", "GPTBot", "bingbot,CCBot", "Google-Extended", "AdsBot-Google,MJ12bot"}
	paths := []string{"", "=/", "=/a", "=/a/b", "=/members/", "=/m"}
	for range 1 + draw(3) {
		err = errors.Join(err, config.Add(draw(3) == 0, subjects[draw(len(subjects))]+paths[draw(len(paths))]))
	}
	config.Signals = generate.Signals()[draw(3):]
	return config, err
}

func FuzzWrite(f *testing.F) {
	for i, file := range seedFiles {
		f.Add(file, uint64(i+1)*0xbf58476d1ce4e5b9)
	}
	f.Fuzz(func(t *testing.T, file string, n uint64) {
		config, err := drawn(n)
		if err != nil {
			t.Fatal(err)
		}
		if len(file) <= 2048 {
			checkLaws(t, []byte(file), config) // a statement may contradict another
		}
	})
}

// TestLaws checks every file with every fifth intention, and with ROBOTSTXT_LONG with every one.
func TestLaws(t *testing.T) {
	for i, file := range seedFiles {
		for n, text := range seedIntentions {
			if (i+n)%5 > 0 && os.Getenv("ROBOTSTXT_LONG") == "" {
				continue
			}
			if _, err := checkLaws(t, []byte(file), intention(t, text)); err != nil {
				t.Errorf("%q, %s: %v", file, text, err)
			}
		}
	}
}

// TestRandom checks files of random lines, which meet each other in all ways.
func TestRandom(t *testing.T) {
	files := 20
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		files = 2000
	}
	lines := []string{
		"User-agent: *", "User-agent: *", "User-agent: GPTBot", "User-agent: Googlebot", "User-agent: bingbot", "User-agent: foo", "User-agent: MJ12bot",
		"User-agent: CODE87", "User-agent: Claude-User", "User-agent: Google-Extended", "User-agent: Applebot", "User-agent: AdsBot-Google", "user agent: googlebot-news", "User-agent:",
		"Disallow: /", "Disallow: /a", "Disallow: /a/b", "Disallow: /*.css$", "Disallow:", "Disallow: /m*s/x", "dissalow: /members/", "Allow: /", "Allow: /a", "Allow: /a/b/c",
		"Allow: /*/b", "Allow: *", "Allow: /press/*.css$", "Allow: /m", "Crawl-delay: 5", "Crawl-delay: 9", "Request-rate: 1/5", "Content-Signal: ai-train=yes, search=no", "Content-Usage: /a/ search=y", "Content-Usage: train-ai=y", "Content-Usage: /a/b/c z", "Content-Usage: /*/b ai-use=n", "Content-Usage: / train-ai=y, search=y",
		"Content-Usage: /a train-ai=y, x", "Content-Usage: search=n", "License: https://shop.example/l.xml", "Noindex: /a", "Host: shop.example", "Sitemap: https://shop.example/s.xml",
		"# a comment", "", "nonsense",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range files {
		var file []byte
		end := []string{"\n", "\n", "\r\n", "\r"}[random.IntN(4)]
		for range random.IntN(14) {
			file = append(file, lines[random.IntN(len(lines))]+end...)
		}
		if random.IntN(3) == 0 {
			file = bytes.TrimRight(file, "\r\n")
		}
		config, err := drawn(random.Uint64())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := checkLaws(t, file, config); err != nil && !strings.Contains(err.Error(), "both refused and allowed") &&
			!strings.Contains(err.Error(), "no statement has a purpose with a signal") {
			t.Errorf("%v\nconfig %+v\n%q", err, config, file)
		}
	}
}

// TestCorpus writes intentions into real files.
func TestCorpus(t *testing.T) {
	bodies, names := witness.Corpus(t)
	few, each := 10, 1 // intentions
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		few, each = 300, 3
	}
	written := 0
	unchanged := 0
	outcomes := make(map[wire.IntentOutcome]int)
	refusals := make(map[string]int)
	for i := range min(few, len(names)) {
		body := bodies[i*len(names)/few]
		for n := range each {
			text := seedIntentions[(i+n*3)%len(seedIntentions)]
			g, refused := checkLaws(t, body, intention(t, text))
			switch {
			case refused != nil:
				refusals[refused.Error()]++
				continue
			case g.Changed:
				written++
			default:
				unchanged++
			}
			for _, c := range g.Crawlers {
				outcomes[c.Outcome]++
				if c.Outcome == wire.IntentUnexpressed && c.Reason != "no line can name it" && testing.Verbose() {
					t.Logf("%s: %s: %s %v", filepath.Base(names[i*len(names)/few]), text, c.Agent, c.Reason)
				}
			}
		}
	}
	t.Logf("%d files with %d intentions each: %d written, %d were as intended, refused: %v; crawlers: %v", few, each, written, unchanged, refusals, outcomes)
	if written == 0 {
		t.Error("nothing was written")
	}
}
