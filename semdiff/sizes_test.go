package semdiff_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

// closures are files that close nearly the whole site, as people write them.
var closures = []string{
	"User-agent: *\nAllow: /$\nAllow: /about\nAllow: /blog\nAllow: /contact\nDisallow: /\n",
	"User-agent: *\nDisallow: /\nAllow: /*.css$\nAllow: /*.js$\n",
	"User-agent: *\nDisallow: *\n\nUser-agent: Googlebot\nAllow: /news/\nDisallow: /news/intern/\nDisallow: /*\n",
}

// TestCorpusSizes compares real files with each other and with closures of nearly the whole site,
// in both directions: the laws of Size are true for each row.
func TestCorpusSizes(t *testing.T) {
	t.Parallel()
	bodies, names := corpus(t, 61)
	var sites, urls, named int
	for i, body := range bodies {
		for k, other := range append([][]byte{bodies[(i+1)%len(bodies)]}, asBytes(closures)...) {
			for _, pair := range [][2][]byte{{body, other}, {other, body}} {
				name := fmt.Sprintf("%s %d", names[i], k)
				old, new := robotstxt.Parse(pair[0]), robotstxt.Parse(pair[1])
				report := differences(t, old, new, semdiff.Config{})
				for r := range report.Rows {
					row := &report.Rows[r]
					checkSizes(t, name, row)
					checkRest(t, name, row, old, new)
					named += checkPaths(t, name, row, old, new)
					if row.Site != nil {
						sites++
						urls += checkSite(t, name, row, old, new)
					}
				}
				if k == 0 {
					old, new := robotstxt.Parse(rewrite(pair[0])), robotstxt.Parse(rewrite(pair[1]))
					sameSizes(t, name, report, differences(t, old, new, semdiff.Config{}))
				}
			}
		}
	}
	t.Logf("%d files, %d changes of sites, %d URLs, %d of named paths", len(bodies), sites, urls, named)
	if len(bodies) > 0 && min(sites, urls, named) < len(bodies) {
		t.Errorf("only %d changes of sites, %d URLs, %d of named paths", sites, urls, named)
	}
}

func asBytes(texts []string) (list [][]byte) {
	for _, text := range texts {
		list = append(list, []byte(text))
	}
	return list
}

// checkSizes: a row has one size for each of its effects, and at most one closes or opens the site.
func checkSizes(t *testing.T, name string, row *semdiff.Row) {
	t.Helper()
	closes := row.Effect == semdiff.Closes || row.Effect == semdiff.Both
	opens := row.Effect == semdiff.Opens || row.Effect == semdiff.Both
	if row.Effect != semdiff.Undecided && (closes != (row.Closes != "") || opens != (row.Opens != "")) {
		t.Errorf("%s: %v: %s, closes %q, opens %q", name, row.Crawlers[0], row.Effect, row.Closes, row.Opens)
	}
	if row.Closes.IsSite() && row.Opens.IsSite() || (row.Site != nil) != (row.Closes.IsSite() || row.Opens.IsSite()) {
		t.Errorf("%s: %v: closes %q, opens %q, site %s", name, row.Crawlers[0], row.Closes, row.Opens, siteText(row))
	}
}

// checkRest: if the rest of the site opens or closes, the row says so, so that it says the opposite if the
// files change places.
func checkRest(t *testing.T, name string, row *semdiff.Row, old, new *robotstxt.Robots) {
	t.Helper()
	was, is := semdiff.Rest(row.Crawlers[0].Rules(old)), semdiff.Rest(row.Crawlers[0].Rules(new))
	if was != is && (row.Site == nil || row.Site.Opens != is) {
		t.Errorf("%s: %v: the rest was open %t, is open %t, but site %s", name, row.Crawlers[0], was, is, siteText(row))
	}
}

// checkSite: after the change each URL that matches no pattern of But has the new verdict, and if
// Size is SizeAll, each URL has it. It returns the number of URLs.
func checkSite(t *testing.T, name string, row *semdiff.Row, old, new *robotstxt.Robots) (urls int) {
	t.Helper()
	if row.Site.Size == semdiff.SizeAll && row.Site.But != nil || len(row.Site.But) > 0 && len(row.Site.By) > 0 {
		t.Errorf("%s: %s", name, siteText(row))
	}
	if len(row.Site.By) > 0 {
		return 0
	}
	crawler := row.Crawlers[0]
	rules := crawler.Rules(new)
	for path := range witness.Paths(rulePatterns(crawler.Rules(old), rules), 500) {
		want, isCertain := row.Site.Opens, true
		encoded := rules.Dialect().EncodePath("http://host" + path)
		for _, e := range row.Site.But {
			if doesMatch(rules, e.Pattern, encoded) {
				isCertain = isCertainFor(rules, &e, encoded)
				want = !row.Site.Opens
			}
			if want != row.Site.Opens && isCertain {
				break
			}
		}
		if !isCertain {
			continue
		}
		urls++
		if allowed := rules.Allowed("http://host" + path); allowed != want {
			t.Errorf("%s: %v: %s, but %s is allowed: %t", name, crawler, siteText(row), path, allowed)
			return urls
		}
	}
	return urls
}

// isCertainFor reports whether an encoded path that a pattern matches has the pattern's verdict after the change.
func isCertainFor(rules robotstxt.Rules, p *semdiff.Paths, encoded string) bool {
	matches := func(pattern string) bool { return doesMatch(rules, pattern, encoded) }
	exempts := func(e semdiff.Paths) bool { return matches(e.Pattern) }
	return !p.Part || p.Without != nil && !slices.ContainsFunc(p.Without, matches) ||
		p.But != nil && !slices.ContainsFunc(p.But, exempts)
}

func rulePatterns(sides ...robotstxt.Rules) (patterns []string) {
	for _, side := range sides {
		for rule := range side.All() {
			patterns = append(patterns, rule.Pattern)
		}
	}
	return patterns
}

func doesMatch(rules robotstxt.Rules, of, encoded string) bool {
	return pattern.New(of, rules.Dialect().Traits().Wildcards).Matches(encoded)
}

// checkPaths: each URL whose verdict changes matches a pattern that names the effect. After the change
// each URL that matches a pattern without Part, or not what takes parts of it back, has the new verdict.
// It returns the number of these URLs.
func checkPaths(t *testing.T, name string, row *semdiff.Row, old, new *robotstxt.Robots) (urls int) {
	t.Helper()
	crawler := row.Crawlers[0]
	before, after := crawler.Rules(old), crawler.Rules(new)
	for path := range witness.Paths(rulePatterns(before, after), 500) {
		was, is := before.Allowed("http://host"+path), after.Allowed("http://host"+path)
		encoded := after.Dialect().EncodePath("http://host" + path)
		for _, opens := range []bool{true, false} {
			isNamed := false
			for _, paths := range row.Paths(opens) {
				if !doesMatch(after, paths.Pattern, encoded) {
					continue
				}
				isNamed = true
				if !isCertainFor(after, &paths, encoded) {
					continue
				}
				urls++
				if is != opens {
					t.Errorf("%s: %v: opens %t %s, but %s is allowed: %t", name, crawler, opens, paths.Pattern, path, is)
					return urls
				}
			}
			if was != is && is == opens && !isNamed && row.Complete {
				t.Errorf("%s: %v: %s changes, which %v do not name", name, crawler, path, row.Paths(opens))
				return urls
			}
		}
	}
	return urls
}

// rewrite adds comments to a file, and reverses the rules that follow each other.
func rewrite(body []byte) []byte {
	var out [][]byte
	var rules [][]byte
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		key, _, _ := strings.Cut(strings.ToLower(string(bytes.TrimSpace(line))), ":")
		key = strings.TrimSpace(key)
		if key == "allow" || key == "disallow" {
			rules = append(rules, line)
			continue
		}
		slices.Reverse(rules)
		out = append(append(out, rules...), line, []byte("# a comment"))
		rules = nil
	}
	slices.Reverse(rules)
	return bytes.Join(append(out, rules...), []byte("\n"))
}

// sameSizes: sizes do not depend on comments and the order of rules.
func sameSizes(t *testing.T, name string, a, b *semdiff.Report) {
	t.Helper()
	if a.Undecided() || b.Undecided() {
		return
	}
	sizes := func(r *semdiff.Report) map[string]string {
		found := make(map[string]string)
		for i := range r.Rows {
			for _, crawler := range r.Rows[i].Crawlers {
				found[crawler.String()] = fmt.Sprint(r.Rows[i].Closes, " ", r.Rows[i].Opens)
			}
		}
		return found
	}
	before, after := sizes(a), sizes(b)
	for crawler, text := range before {
		if after[crawler] != text {
			t.Errorf("%s: %s: %q, and %q after comments and another order", name, crawler, text, after[crawler])
		}
	}
}
