package lint_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestHostileBodies checks large bodies in which each line, or all of one, is worth
// a finding. With ROBOTSTXT_LONG they are of about a megabyte, and it would take
// minutes if anything were quadratic. No line is worth more than a few findings.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	n := 350
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		n = 30_000
	}
	bodies := map[string]string{
		"agents":             strings.Repeat("User-agent: a\nUser-agent: Gogglebot\nUser-agent: b c\n", n) + strings.Repeat("Allow: /x\n", n),
		"one agent":          strings.Repeat("User-agent: *\n", 2*n) + strings.Repeat("Disallow: /$\n", 2*n) + strings.Repeat("User-agent: *\n", 2*n),
		"rules on one line":  strings.Repeat("User-agent: a Disallow: /\n", 2*n),
		"short paths":        "User-agent: *\n" + strings.Repeat("Disalow: /abc\n", n) + strings.Repeat("Disalow: /a\n", n),
		"only allowed":       "User-agent: *\n" + strings.Repeat("Allow: /abc\n", n) + strings.Repeat("User-agent: Gogglebot\n", n) + strings.Repeat("Allow: /x\n", n),
		"joined":             strings.Repeat("User-agent: a\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 1\n", n) + strings.Repeat("Allow: /x\n", n) + "Disallow: /",
		"groups of one":      strings.Repeat("User-agent: anthropic-ai\nAllow: /x\n", n) + "User-agent: *\nDisallow: /",
		"retired":            strings.Repeat("User-agent: anthropic-ai\nUser-agent: ClaudeBot\nDisallow: /\n", n),
		"groups of bingbot":  "User-agent: *\n" + strings.Repeat("Disallow: /x/\nDisallow: /y/\n", n) + strings.Repeat("User-agent: bingbot\nDisallow: /z/\n", n),
		"folders of scripts": "User-agent: *\n" + strings.Repeat("Disallow: /js/\nDisallow: /wp-includes/\n", n),
		"delays of no group": strings.Repeat("Crawl-delay: 1\n", n) + "User-agent: *\n",
		"delays of a group":  strings.Repeat("User-agent: a\n", n) + strings.Repeat("Crawl-delay: 1\n", n),
		"folders of Drupal":  "User-agent: *\n" + strings.Repeat("Disallow: /misc/\nDisallow: /*?\n", n),
		"lost line breaks":   "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat(`\na`, 5000)+":\n", 1+n/5000),
		"names that begin":   strings.Repeat("User-agent: Abxy*\n", n) + "Disallow: /a\n",
		"escapes":            "User-agent: *\n" + strings.Repeat("Disallow: /*"+strings.Repeat(`\*`, 5000)+"\n", 1+n/5000),
		"clean parameters":   "User-agent: *\n" + strings.Repeat("Disallow: /*?a\n", 1900) + strings.Repeat("Clean-param: aa\n", n) + "User-agent: Yandex\nDisallow: /x\n",
		"a group twice":      "User-agent: a\nDisallow: /x\n" + strings.Repeat("User-agent: a\n", n) + strings.Repeat("Allow: /b\n", n),
		"short paths of one": strings.Repeat("User-agent: a\n", n) + strings.Repeat("Disallow: /ab\n", n) + "Disallow: /abc\n",
		"fetchers":           strings.Repeat("User-agent: ChatGPT-User\n", n) + strings.Repeat("Disallow: /z/\n", n),
		"headers":            strings.Repeat("User-agent: Mozilla/5.0 (compatible; bingbot/2.0)\n", n/2),
		"lists":              strings.Repeat("User-agent: a,b,c,d,e,f,g\n", n),
		"versions":           strings.Repeat("User-agent: GPTBot/1.0\n", n) + strings.Repeat("Allow: /x\n", n) + "User-agent: GPTBot\n" + strings.Repeat("Allow: /x\n", n-1) + "Disallow: /x\n",
		"one value":          "User-agent: " + strings.Repeat("disallow ", n),
		"empty lines":        strings.Repeat("\n", 20*n),
		"blanks in groups":   "User-agent: *\n" + strings.Repeat("Disallow: /\n\n", 2*n),
		"orphans":            strings.Repeat("Disallow: /\n\n", 2*n),
		"marks":              strings.Repeat("\xEF\xBB\xBF", 10*n) + "User-agent: *",
		"marks on lines":     strings.Repeat("\xEF\xBB\xBFUser-agent: *\n", n),
		"NUL bytes":          "User-agent: *\n" + strings.Repeat("a\x00\n", 2*n) + strings.Repeat("\x00", 20*n),
		"CR":                 strings.Repeat("\r", 20*n),
		"text":               "User-agent: *\n" + strings.Repeat("some text here\n\n", 2*n),
		"no colons":          strings.Repeat("Disallow=/x\n", 2*n),
		"Latin-1":            strings.Repeat("Disallow: /\xE9\n", 2*n),
		"one line":           strings.Repeat("\xE9 ", 10*n),
		"UTF-16":             strings.Repeat("a\x00", 20*n),
		"markup":             "<html>\n" + strings.Repeat("<p>text</p>\n", 2*n) + "User-agent: *",
		"without any rules":  strings.Repeat("User-agent: a\n\n", n) + "User-agent: *",
		"different unknowns": differentAgents(n),
		"ends of parameters": "User-agent: *\nDisallow: x/\n" + strings.Repeat("Disallow: /*n=\n", n) + strings.Repeat("Disallow: /*id=\nDisallow: /p\nAllow: /pa\n", n/3),
		"names with blanks":  "User-agent: *\n" + strings.Repeat("Disallow: /a/b c\nAllow: /a/bc\n", n/2),
		"empty rules":        "User-agent: *\n" + strings.Repeat("Disallow:\n", n) + "Disallow: /x\n" + strings.Repeat("Disallow:\n", n),
		"folders of static":  "User-agent: *\n" + strings.Repeat("Disallow: /static/\nAllow: /static/a/css/\n", n/2),
		"an empty group":     differentAgents(n) + strings.TrimSuffix(differentAgents(n), "Disallow: /\n") + strings.Repeat("\n", 5*n),
	}
	for name, body := range bodies {
		for _, profile := range []lint.Profile{lint.Google, lint.Yandex, lint.Koster1996, lint.Staging} {
			t.Run(name+"/"+profile.String(), func(t *testing.T) {
				const perLine = 5
				config := lint.Config{Profile: profile, Pedantic: true, MaxFindings: -1, MaxPerCode: -1}
				found := len(lint.Check([]byte(body), config))
				lines := 1 + strings.Count(body, "\n")
				if found == 0 && name != "empty lines" || found > perLine*lines {
					t.Errorf("%d findings in %d lines, want 1 to %d per line", found, lines, perLine)
				}
				if shown := len(lint.Check([]byte(body), lint.Config{Profile: profile})); shown > found {
					t.Errorf("%d findings by default, %d of all", shown, found)
				}
			})
		}
	}
}

func differentAgents(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "User-agent: crawler-%c%c%c%c\n", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, 'a'+i/17576)
	}
	return b.String() + "Disallow: /\n"
}
