package fix_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/lint"
)

// Brute force
//
// These tests judge fixed files without a proof: they query the engine for every
// short path that is made of the patterns' own texts. They know neither package
// semdiff nor how the linter finds what it removes.

// maxPieces bounds the texts of which the paths of one file are made, so that
// there are some thousand paths.
const maxPieces = 14

// bruteForce compares the verdicts of two files for every token that they name and
// one that they do not, on all concatenations of two pieces with what may come
// between and after them.
func bruteForce(t *testing.T, name string, before, after []byte) (queries int) {
	t.Helper()
	for d, read := range map[string]func([]byte) *robotstxt.Robots{
		"google":  robotstxt.Google.Parse,
		"rfc9309": robotstxt.RFC9309.Parse,
		"strict":  func(body []byte) *robotstxt.Robots { return robotstxt.RFC9309.Parse(strictly(body)) },
	} {
		a, b := read(before), read(after)
		paths := concatenations(pieces(a, b))
		for _, token := range tokens(a, b) {
			old := a.Rules(token)
			fixed := b.Rules(token)
			for _, path := range paths {
				queries += 2
				if was, is := old.Allowed(path), fixed.Allowed(path); was != is {
					t.Errorf("%s: in %s the verdict of %q about %q was %v and is %v", name, d, token, path, was, is)
					return queries
				}
			}
		}
	}
	return queries
}

// strictLine is a line that a strict reader reads.
var strictLine = regexp.MustCompile(`(?i)^[ \t]*(user-agent|allow|disallow)[ \t]*:[ \t]*([^#]*?)[ \t]*(#.*)?$`)

// noCrawler is the value of a user-agent line that names no crawler.
const noCrawler = "+"

// strictly returns what a strict reader reads in a file. An agent that is neither a token nor
// "*" is no crawler.
func strictly(body []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(body))) {
		if m := strictLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			if strings.EqualFold(m[1], "user-agent") && m[2] != "*" && !robotstxt.ValidAgent(m[2]) {
				m[2] = noCrawler
			}
			fmt.Fprintf(&out, "%s: %s\n", m[1], m[2])
		}
	}
	return []byte(out.String())
}

// tokens returns one token for each combination of groups that apply to a token,
// and one that no group names.
func tokens(files ...*robotstxt.Robots) []string {
	all := []string{"no-file-names-this-crawler"}
	for _, robots := range files {
		for group := range robots.Groups() {
			for agent := range group.Agents() {
				if agent.Token != noCrawler {
					all = append(all, agent.Token)
				}
			}
		}
	}
	seen := make(map[string]bool)
	return slices.DeleteFunc(all, func(token string) bool {
		key := ""
		for i, robots := range files {
			for group := range robots.Rules(token).Groups() {
				for agent := range group.Agents() {
					key += fmt.Sprint(i, ":", agent.Line, " ")
					break
				}
			}
		}
		known := seen[key]
		seen[key] = true
		return known
	})
}

// pieces returns texts of patterns: those of the patterns that only one file has
// come first, then those that share their first letters with one of these.
func pieces(files ...*robotstxt.Robots) (pieces []string) {
	count := make(map[string]int)
	for i, robots := range files {
		for group := range robots.Groups() {
			for rule := range group.Rules() {
				count[fmt.Sprint(rule.Allow, rule.Pattern)] += 1 - 2*i
			}
		}
	}
	var changed, others []string
	for _, robots := range files {
		for group := range robots.Groups() {
			for rule := range group.Rules() {
				texts := strings.FieldsFunc(rule.Pattern, func(r rune) bool { return r == '*' || r == '$' })
				if count[fmt.Sprint(rule.Allow, rule.Pattern)] != 0 {
					changed = append(changed, texts...)
				} else {
					others = append(others, texts...)
				}
			}
		}
	}
	related := func(text string) bool {
		return slices.ContainsFunc(changed,
			func(c string) bool { return text[:min(3, len(text))] == c[:min(3, len(c))] })
	}
	near, far := slices.DeleteFunc(slices.Clone(others),
		func(s string) bool { return !related(s) }), slices.DeleteFunc(others, related)
	for _, text := range slices.Concat(spread(changed, maxPieces/2), spread(near, maxPieces/4),
		spread(far, maxPieces/4), changed, near, far) {
		if len(pieces) < maxPieces && !slices.Contains(pieces, text) {
			pieces = append(pieces, text)
		}
	}
	return pieces
}

// spread returns some elements of a list, at equal distances.
func spread(list []string, n int) (some []string) {
	for i := range min(n, len(list)) {
		some = append(some, list[i*len(list)/min(n, len(list))])
	}
	return some
}

func concatenations(pieces []string) (paths []string) {
	between := []string{"", "/", "x", "?", "index.html"}
	for _, first := range append([]string{""}, pieces...) {
		for _, sign := range between {
			for _, second := range append([]string{""}, pieces...) {
				for _, end := range between {
					if path := first + sign + second + end; strings.HasPrefix(path, "/") {
						paths = append(paths, path)
					} else {
						paths = append(paths, "/"+path)
					}
				}
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// TestBruteForce fixes and formats generated files of rules that have much to do
// with each other.
func TestBruteForce(t *testing.T) {
	files := 60
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		files = 1500
	}
	r := rand.New(rand.NewPCG(21, 1))
	fixes, queries := 0, 0
	for range files {
		body := []byte(generated(r))
		profile := lint.Profiles()[r.IntN(len(lint.Profiles()))]
		made, err := fix.Make(context.Background(), body, fix.Config{Lint: lint.Config{Profile: profile}})
		if err != nil {
			t.Fatal(err)
		}
		fixes += made.Made
		if was, is := crawlerNames(body), crawlerNames(made.Body); was != is {
			t.Errorf("%v %q: %d crawlers are named, and %d after the fixes: %q", profile, body, was, is, made.Body)
		}
		queries += bruteForce(t, fmt.Sprintf("%v %q", profile, body), body, made.Body)
		formatted, err := fix.Format(context.Background(), body, profile, lint.KeepEnds)
		if err != nil {
			t.Fatal(err)
		}
		queries += bruteForce(t, fmt.Sprintf("formatted for %v: %q", profile, body), body, formatted.Body)
	}
	t.Logf("%d fixes in %d files, %d queries", fixes, files, queries)
	if fixes < files/2 {
		t.Errorf("%d fixes in %d files are too few to test anything", fixes, files)
	}
}

// crawlerNames returns how many different values the user-agent lines have. No fix
// may make two of them one.
func crawlerNames(body []byte) int {
	names := make(map[string]bool)
	for line := range robotstxt.Lines(body) {
		if line.Kind == robotstxt.KindUserAgent {
			names[strings.ToLower(string(line.Value))] = true
		}
	}
	return len(names)
}

// generated returns a small file with much to fix.
func generated(r *rand.Rand) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var b strings.Builder
	for range 1 + r.IntN(4) {
		for range 1 + r.IntN(2) {
			fmt.Fprintf(&b, "%s: %s\n", pick("User-agent", "user-agent", "Useragent", "user agent"), pick("*", "*", "Googlebot", "Googlebot/2.1", "Yandex", "Yandex.Gazeta Bot", "Baiduspider+", "Xenu's", "Sogou web spider", "Sogou"))
		}
		for range r.IntN(7) {
			b.WriteString(pick("Allow: ", "Disallow: ", "Disallow: ", "disallow:", "Disallow ", "dissallow: ", "DisallowAITraining: ", "Disallow - "))
			b.WriteString(pick("/", "/", "/a", "/a/", "*", "/*", ""))
			for range r.IntN(3) {
				b.WriteString(pick("a", "b", "/", "*", ".gif", "index.html", "%7e", "%e4", "ä", "?"))
			}
			b.WriteString(pick("\n", "\n", "\n", "*\n", "$\n", "\n\n", "\r\n"))
		}
		b.WriteString(pick("", "\n", "Crawl-delay: 5\n", "Sitemap: https://shop.example/s.xml\n"))
	}
	return b.String()
}
