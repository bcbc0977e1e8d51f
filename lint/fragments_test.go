package lint_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// Fragments of mistakes in real files. Bodies that consist of them are far more often odd in a way
// that a check looks at than those that a fuzzer makes of bytes.
var (
	keyFragments = []string{
		"User-agent", "user-agent", "User agent", "Useragent", "User-agents", "Disallow", "Dissallow", "Disalow", "Disallowed", "Allow", "allow", "Alow",
		"Sitemap", "Site-map", "Sitemaps", "Crawl-delay", "Request-rate", "Visit-time", "Clean-param", "Host", "Noindex", "Content-Signal", "Content-Usage",
		"License", "Deny", "Block", "http", "Agentmap", "", "#", "# robots-lint", "// User-agent", "\ufeffUser-agent", "<br>Disallow", "\x00Disallow", "Rule", "status",
	}
	separatorFragments = []string{": ", ":", " : ", " ", "", "=", " = ", ";", "; ", " - ", "-", "::", ": :", "\uff1a", ":\t", ":\u00a0", "\n", ": \n", "/", "#"}
	valueFragments     = []string{
		"/", "*", "/*", "/*$", "$", "/$", "", " ", "/cart", "/tmp", "/logs", "*.pdf", "*.doc", "/*.pdf$*", ",", ";", ", ", " ,", " ;", " , ", "|", "/a//b", "//", "/../", "/./",
		"?", "/?", "/*?", "&", "&amp;", "%", "%2", "%zz", "%c3", "%C3%A9", "é", "Ã±", "\xe9", "\u200b", "\u00a0", "\u2011", "\ufeff", "\x00", "\\", "\\n", "\\b", "^", "(a|b)", ".*", "[a-z]+",
		"{{ x }}", "<path>", "\"", "'", "`", "“", "( )", "()", "[]", "+", "!", "not ", " and ", " or ", " AND NOT ", "except ", "all", "any", "everyone", "none",
		"https://example.com/a", "http:/", "://", "www.example.com", "example.com", "/sitemap.xml", "http://localhost", "htp://x", "sitemap.html", ":80", "@",
		"Googlebot", "googlebot", "Gogglebot", "Google-bot", "GPTBot", "ClaudeBot", "anthropic-ai", "bingbot", "Yandex", "MJ12bot", "360Spider", "archive.org_bot", "Sogou web spider",
		"FooBot", "OpenAI", "Google", "Perplexity", "GPT", "bot", "Mozilla", "Mozilla/5.0 (compatible; bingbot/2.0)", "/1.0", "/v1.01", "curl", "(compatible;", "compatible; ",
		" Disallow: /", " Allow: /x", "Sitemap:", "Disallow:", "User-agent:", "10", "1.5", "1/10s", "0600-0845", "-", "--", "5 s", "1,5", "a&b /x", "a&&b", "&", "=",
		"ai-train=no", "ai-train=", "search=y,", "train-ai=n", "use=", "ignore RX208", "robots-lint: ignore", "robots-lint: ", "---", "{", "}", "[", "]", "\"a\":", "<html>", "<p>",
	}
	endFragments = []string{"\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n\r", "", " # note\n", "#\n", " \t\n", "\x00\n", "\v\n"}
)

// fragmentBody composes a body.
func fragmentBody(r *rand.Rand) []byte {
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	var b strings.Builder
	if r.IntN(8) == 0 {
		b.WriteString("\ufeff")
	}
	for range 1 + r.IntN(6) {
		if r.IntN(3) == 0 {
			b.WriteString("User-agent: ")
		} else {
			b.WriteString(pick(keyFragments) + pick(separatorFragments))
		}
		for range r.IntN(5) {
			b.WriteString(pick(valueFragments))
			if r.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		b.WriteString(pick(endFragments))
	}
	return []byte(b.String())
}

// fragmentConfig returns one of the many ways to check a body.
func fragmentConfig(r *rand.Rand, profile lint.Profile) lint.Config {
	config := lint.Config{Profile: profile, Pedantic: r.IntN(2) == 0, Truncated: r.IntN(8) == 0}
	if r.IntN(4) == 0 {
		config.URL = valueFragments[r.IntN(len(valueFragments))]
	}
	if r.IntN(8) == 0 {
		config.Bytes = 1 + r.IntN(60)
	}
	if r.IntN(8) == 0 {
		config.MaxPerCode = r.IntN(3) - 1
	}
	return config
}

// TestFragments: Check and Format never panic, and the findings of any body are within it. With
// ROBOTSTXT_LONG there are a million bodies.
func TestFragments(t *testing.T) {
	calls := 8_000
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		calls = 1_000_000
	}
	profiles := lint.Profiles()
	findings := 0
	for i := range calls {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		body, config := fragmentBody(r), fragmentConfig(r, profiles[i%len(profiles)])
		found, fault := checkSafely(body, config)
		if fault != "" {
			t.Fatalf("body %d: %q with %+v: %s", i, body, config, fault)
		}
		findings += found
	}
	if findings < calls {
		t.Errorf("only %d findings in %d bodies", findings, calls)
	}
}

// checkSafely checks a body and returns the number of findings, and what is wrong: a panic, or a
// finding or a fix outside of the body.
func checkSafely(body []byte, config lint.Config) (found int, fault string) {
	defer func() {
		if p := recover(); p != nil {
			fault = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	findings := lint.Check(body, config)
	for _, f := range findings {
		if f.Start < 0 || f.End < f.Start || f.End > len(body) || f.Message == "" {
			return 0, fmt.Sprintf("the finding %+v", f)
		}
		if f.Fix == nil {
			continue
		}
		if _, err := lint.Apply(body, f.Fix.Edits); err != nil {
			return 0, fmt.Sprintf("the fix of %+v: %v", f, err)
		}
	}
	lint.Format(body, config.Profile, lint.KeepEnds)
	return len(findings), ""
}

// TestSeparators: rules with separators that stand alone.
func TestSeparators(t *testing.T) {
	checkRooms(t, "RX204", around("User-agent: *\nDisallow: ", "\n", []room{
		{body: "/cart ;", want: "2:11 RX204", says: `next to "/cart"`, fixed: "/cart", meaning: true},
		{body: "/tmp , /logs", want: "2:11 RX204", says: "a line for each of these 2", fixed: "/tmp\nDisallow: /logs", meaning: true},
		{body: "*.pdf , *.doc", want: "2:11 RX204", says: "a line for each of these 2", fixed: "*.pdf\nDisallow: *.doc", meaning: true},
		{body: "/ ,", want: "2:11 RX204", says: "as one path"},
	}))
}
