package enginetest

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// The laws of the engine are fuzz targets. Their seeds run with every go test.

func FuzzDecisions(f *testing.F) {
	for i, body := range Bodies {
		for j, url := range URLs {
			f.Add([]byte(body), url, Agents[(i+j)%len(Agents)])
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, url, agents string) {
		for _, d := range robotstxt.Dialects() {
			checkDecision(t, d, d.Parse(body), body, SplitAgents(agents), url)
			checkExtensions(t, d, d.Parse(body), body, SplitAgents(agents))
		}
	})
}

// checkDecision compares every function that gives a verdict with the reference and
// with the others.
func checkDecision(t testing.TB, d robotstxt.Dialect, robots *robotstxt.Robots, body []byte, agents []string,
	url string) {
	t.Helper()
	rules := robots.Rules(agents...)
	explained := rules.Explain(url)
	want := reference(d.String(), body, agents, url)
	if explained.Allowed != want.allowed || explained.Line != want.line {
		t.Errorf("%v %q %q %q:\nExplain   %v line %d (%v)\nreference %v line %d",
			d, body, agents, url, explained.Allowed, explained.Line, explained, want.allowed, want.line)
	}
	// In the paths of the reference, Koster's symbols are written as octets.
	if d != robotstxt.Koster1996 && explained.Path != want.path {
		t.Errorf("%v %q: path %q, reference %q", d, url, explained.Path, want.path)
	}
	if rules.Dialect() != explained.Dialect {
		t.Errorf("Dialect is %v, Explain says %v", rules.Dialect(), explained.Dialect)
	}
	if by, agent := rules.MatchedBy(), rules.Agent(); by != explained.MatchedBy || agent != explained.Agent {
		t.Errorf("%v %q %q: matched by %s %q, Explain %s %q", d, body, agents, by, agent, explained.MatchedBy, explained.Agent)
	}
	by := rules.MatchedBy()
	isChosen := by == robotstxt.MatchedByName || by == robotstxt.MatchedByFallback
	isOwn := len(agents) > 0 && ascii.EqualFold(rules.Agent(), agents[0])
	if isChosen && isOwn != (by == robotstxt.MatchedByName) {
		t.Errorf("%v %q %q: matched by %s %q", d, body, agents, rules.MatchedBy(), rules.Agent())
	}
	if allowed := rules.Allowed(url); allowed != explained.Allowed {
		t.Errorf("%v %q %q %q: Allowed %v, Explain %v", d, body, agents, url, allowed, explained.Allowed)
	}
	if allowed, line := rules.Verdict(url); allowed != explained.Allowed || line != explained.Line {
		t.Errorf("%v %q %q %q: Verdict %v %d, Explain %v", d, body, agents, url, allowed, line, explained)
	}
	if allowed := d.Allowed(body, url, agents...); allowed != explained.Allowed {
		t.Errorf("%v %q %q %q: one shot %v, Explain %v", d, body, agents, url, allowed, explained.Allowed)
	}
	named := robots.NamedRules(agents...).Explain(url)
	if want := referenceNamed(d.String(), body, agents, url); named.Allowed != want.allowed || named.Line != want.line {
		t.Errorf("%v %q %q %q:\nNamedRules %v line %d\nreference  %v line %d",
			d, body, agents, url, named.Allowed, named.Line, want.allowed, want.line)
	}
	if allowed, line := firstOfAll(rules.All(), d, url); allowed != explained.Allowed || line != explained.Line {
		t.Errorf("%v %q %q %q: first of All %v line %d, Explain %v", d, body, agents, url, allowed, line, explained)
	}
	if path := d.EncodePath(url); path != explained.Path {
		t.Errorf("%v %q: EncodePath %q, Explain %q", d, url, path, explained.Path)
	}
	checkReasons(t, explained)
}

// firstOfAll decides by the first rule of Rules.All that matches.
func firstOfAll(rules iter.Seq[robotstxt.Rule], d robotstxt.Dialect, url string) (allowed bool, line int) {
	path := d.EncodePath(url)
	for rule := range rules {
		p := pattern.New(rule.Pattern, d.Traits().Wildcards)
		p.Slashes = d.Traits().QuerySlash
		if p.Matches(path) {
			return rule.Allow || rule.Length == 0, rule.Line
		}
	}
	return true, 0
}

// checkReasons checks that the fields of a Decision agree with each other.
func checkReasons(t testing.TB, d robotstxt.Decision) {
	t.Helper()
	if (d.Rule == nil) != (d.Line == 0) {
		t.Errorf("rule and line do not go together: %v", d)
	}
	if (d.MatchedBy == robotstxt.MatchedByNone) != (len(d.AgentLines) == 0) ||
		(d.MatchedBy == robotstxt.MatchedByStar) != (d.Agent == "*") {
		t.Errorf("matched by %s, agent %q on %v", d.MatchedBy, d.Agent, d.AgentLines)
	}
	if (d.GroupLine == 0) != (d.Rule == nil) || d.GroupLine > 0 && d.GroupLine >= d.Line {
		t.Errorf("rule of line %d in the group of line %d", d.Line, d.GroupLine)
	}
	if d.Rule != nil && d.Rule.Line != d.Line {
		t.Errorf("rule of line %d, deciding line %d", d.Rule.Line, d.Line)
	}
	if d.Reason == robotstxt.ReasonRule && d.Rule.Allow != d.Allowed {
		t.Errorf("the deciding rule says the opposite: %v", d)
	}
	if d.Tie != nil && (d.Tie.Allow || d.Tie.Length != d.Rule.Length || !slices.Contains(d.Others, *d.Tie)) {
		t.Errorf("no tie: %+v", d)
	}
	if !slices.IsSortedFunc(d.Others, func(a, b robotstxt.Rule) int { return a.Line - b.Line }) {
		t.Errorf("others out of file order: %+v", d.Others)
	}
	if strings.ContainsAny(d.String(), "\n\r\x1b") {
		t.Errorf("String is not one clean line: %q", d.String())
	}
}

// oddLines are lines whose bytes Unicode would read differently.
var oddLines = []string{
	"a:1\v2\f3\x1c4\u2028", "\xEF\xBB\xBF\xEF\xBB\xBFAllow:/", "Allow: \u00A0/\u3000", "uSeR-aGeNt: x\ndi\u017Fallow: /\n\u212Ax:",
	"Disallow: /a#b # c\n # d", "User-agents:x\nAllow-all:/\ndisallow*:/\nSitemaps:y", ": /x\n::\nAllow:", "Disallow /a:/b\nDisallow  \t /x # y z\nfoo bar",
}

func FuzzLines(f *testing.F) {
	for _, body := range append(oddLines, Bodies...) {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { checkLines(t, body) })
}

// checkLines compares Lines with the reference, and its raw lines, joined, with the
// body.
func checkLines(t testing.TB, body []byte) {
	t.Helper()
	want := referenceLines(body)
	var joined []byte
	i := 0
	for l := range robotstxt.Lines(body) {
		joined = append(joined, l.Raw...)
		if i >= len(want) {
			t.Fatalf("%q: more than %d lines", body, len(want))
		}
		if got, want := lineString(l), want[i].String(); got != want {
			t.Errorf("%q line %d:\ngot  %s\nwant %s", body, l.Number, got, want)
		}
		checkOffsets(t, body, l)
		i++
	}
	if i != len(want) {
		t.Errorf("%q: %d lines, want %d", body, i, len(want))
	}
	if !bytes.Equal(joined, body) {
		t.Errorf("joined lines are %q, want %q", joined, body)
	}
}

func checkOffsets(t testing.TB, body []byte, l robotstxt.Line) {
	t.Helper()
	for _, part := range []struct {
		offset int
		bytes  []byte
	}{{l.Offset, l.Raw}, {l.KeyOffset, l.Key}, {l.ValueOffset, l.Value}, {l.CommentOffset, l.Comment}} {
		if !bytes.HasPrefix(body[part.offset:], part.bytes) {
			t.Errorf("line %d: %q is not at %d", l.Number, part.bytes, part.offset)
		}
	}
}

func lineString(l robotstxt.Line) string {
	kind := strings.ReplaceAll(l.Kind.String(), " ", "-")
	return fmt.Sprintf("%d [%d:%d] %s %q %q %q %v %v %v %v", l.Number, l.Offset, l.Offset+len(l.Raw), kind,
		l.Key, l.Value, bytes.TrimPrefix(l.Comment, []byte("#")), l.Typo, l.MissingColon, l.TooLong, l.NULCut)
}

func (l referenceLine) String() string {
	return fmt.Sprintf("%d [%d:%d] %s %q %q %q %v %v %v %v", l.number, l.start, l.end, l.kind,
		l.key, l.value, l.comment, l.typo, l.missingColon, l.tooLong, l.nulCut)
}

func FuzzEncodeURL(f *testing.F) {
	for _, url := range append(URLs, "/%c3%a9é%", "%%c3", "http://ü/%e2") {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		encoded := robotstxt.EncodeURL(url)
		if want := string(refNormalise([]byte(url))); encoded != want {
			t.Errorf("EncodeURL(%q) = %q, want %q", url, encoded, want)
		}
		if again := robotstxt.EncodeURL(encoded); again != encoded {
			t.Errorf("EncodeURL(%q) = %q, not stable: %q", url, encoded, again)
		}
	})
}

// TestEncodedAnywhere checks that an octet is encoded at every position of URLs and
// patterns of any length.
func TestEncodedAnywhere(t *testing.T) {
	for n := range 40 {
		for at := range n + 1 {
			for _, odd := range []string{"%c3", "\x80", "\xFF", "%4", "%c", "é"} {
				text := strings.Repeat("a", at) + odd + strings.Repeat("b", n-at)
				want := string(refNormalise([]byte(text)))
				if got := robotstxt.EncodeURL(text); got != want {
					t.Errorf("EncodeURL(%q) = %q, want %q", text, got, want)
				}
				for group := range robotstxt.Parse([]byte("User-agent: *\nDisallow: " + text)).Groups() {
					for rule := range group.Rules() {
						if rule.Pattern != want || rule.Length != len(want) {
							t.Errorf("the pattern of %q is %q of length %d, want %q", text, rule.Pattern, rule.Length, want)
						}
					}
				}
			}
		}
	}
}

// FuzzManyRules checks that the index agrees with trying the rules one by one. The
// rules of a set have many prefixes, stars, ends and lengths in common.
func FuzzManyRules(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint16(230*seed), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, rules uint16, dense bool) {
		r := rand.New(rand.NewPCG(seed, 3))
		parts := []string{"a", "b", "aa", "/", "ab", "shop", "item-", "*", "**", "$", "?", "%41", "%2F", "index.html", "é", ".php"}
		if dense {
			parts = []string{"a", "aa", "*", "aaaa", "b"}
		}
		value := func() string {
			s := "/"
			for range 1 + r.IntN(7) {
				s += parts[r.IntN(len(parts))]
			}
			return s
		}
		var body strings.Builder
		body.WriteString("User-agent: *\n")
		for range rules % 2000 {
			body.WriteString([]string{"Allow: ", "Disallow: "}[r.IntN(2)] + value() + []string{"\n", "$\n"}[r.IntN(4)/3])
		}
		for _, d := range robotstxt.Dialects() {
			rules := d.Parse([]byte(body.String())).Rules("x")
			for range 80 { // so that the engine makes its index
				url := strings.ReplaceAll(value(), "*", "x")
				want := rules.Explain(url)
				if allowed, line := rules.Verdict(url); allowed != want.Allowed || line != want.Line {
					t.Fatalf("%v %q %q: Verdict %v %d, Explain %v", d, body.String(), url, allowed, line, want)
				}
				checkReasons(t, want)
			}
		}
	})
}

// Law: a rule made from a path, with some octets replaced by stars, matches that
// path. Equal octets match, and a star matches the replaced ones. [G42, G43, RFC 9309
// 2.2.2, Koster 3.2.2] The law is true in
//
//   - Google, if EncodeURL leaves the path unchanged, because only the rule is
//     encoded (G22, G48),
//   - RFC9309, except for /robots.txt, which is always allowed,
//   - Koster1996 without stars, because it has no wildcards, and without a query,
//     which it does not compare.

// FuzzSelfMatch tests that law. The bits of stars say which octets are replaced.
func FuzzSelfMatch(f *testing.F) {
	for i, url := range URLs {
		f.Add(url, uint64(0))
		f.Add(url, uint64(0x5A5A)<<i)
	}
	f.Add("/go?redirect=http%3A%2F%2Fx", uint64(0b110))
	f.Add("/x?y=a%2Fb", uint64(0b111110))
	f.Fuzz(checkSelfMatch)
}

func checkSelfMatch(t *testing.T, path string, stars uint64) {
	path, ok := rulePath(path)
	if !ok {
		return
	}
	for _, d := range robotstxt.Dialects() {
		pattern := starred(path, stars)
		switch d {
		case robotstxt.Google:
			if robotstxt.EncodeURL(path) != path {
				continue
			}
		case robotstxt.Koster1996:
			pattern, _, _ = strings.Cut(path, "?")
		}
		body := []byte("User-agent: *\nDisallow: " + pattern + "\n")
		got := d.Parse(body).Rules("x").Explain(path)
		if got.Reason == robotstxt.ReasonRobotsFile {
			continue
		}
		if got.Allowed || got.Line != 2 {
			t.Errorf("%v: rule %q does not match %q: %v", d, pattern, path, got)
		}
		if d.Allowed(body, path, "x") {
			t.Errorf("%v: rule %q does not match %q in one shot", d, pattern, path)
		}
	}
}

// rulePath returns the bytes of s that can be in both a path and the value of a rule.
// It also reports whether the rule is literal: a value that ends in '$' is an anchored
// pattern instead [G44].
func rulePath(s string) (path string, ok bool) {
	if i := strings.IndexAny(s, "#\x00\n\r"); i >= 0 {
		s = s[:i]
	}
	path = "/" + strings.TrimLeft(s, "/")
	return path, strings.TrimRight(path, " \t\v\f") == path && !strings.HasSuffix(path, "$") && len(path) < 16_000
}

// starred replaces each run of octets whose bits are set in stars by one star. A
// percent code counts as one octet; literal stars are left alone.
func starred(path string, stars uint64) string {
	var b strings.Builder
	replaced := false
	for i, octet := 0, 0; i < len(path); octet++ {
		width := 1
		if refIsEscape([]byte(path), i) {
			width = 3
		}
		text := path[i : i+width]
		if replace := stars>>(octet%64)&1 == 1 && text != "*"; !replace {
			b.WriteString(text)
			replaced = false
		} else if !replaced {
			b.WriteByte('*')
			replaced = true
		}
		i += width
	}
	return b.String()
}

// TestSelfMatch tests the same law on generated paths.
func TestSelfMatch(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 5))
	for range Size(20_000, 1_000_000) {
		path := randomValue(r) + randomValue(r)
		checkSelfMatch(t, path, r.Uint64()&r.Uint64())
		checkSelfMatch(t, robotstxt.EncodeURL(path), r.Uint64()|r.Uint64())
		if t.Failed() {
			return
		}
	}
}

// Laws of the canonical form of RFC9309. It writes a slash of the query like an encoded one
// of the path, so a pattern in which a star replaces the '?' must match both. Units of the
// form are an octet or %HH.
//
//   - Encoding a canonical path changes nothing.
//   - A pattern in which stars replace units matches all paths that it matched before, and
//     is not heavier.

// FuzzCanonical tests these laws. The bits of stars say which units are replaced.
func FuzzCanonical(f *testing.F) {
	for i, url := range URLs {
		f.Add(url, URLs[(i+3)%len(URLs)], uint64(0x5A5A)<<i)
	}
	f.Add("/a%2Fb/c?u=/d%2fe?/f", "/a%2Fb/*?u=%2Fd", uint64(0b1100010))
	f.Fuzz(checkCanonical)
}

func checkCanonical(t *testing.T, url, value string, stars uint64) {
	const d = robotstxt.RFC9309
	path := d.EncodePath(url)
	if again := d.EncodePath("http://h" + path); again != path {
		t.Errorf("EncodePath(%q) = %q, then %q", url, path, again)
	}
	for _, value := range []string{path, value} {
		rule, ok := onlyRule(d, value)
		if !ok {
			continue
		}
		text, end := rule.Pattern, ""
		if strings.HasSuffix(text, "$") {
			text, end = text[:len(text)-1], "$"
		}
		starredRule, ok := onlyRule(d, starred(text, stars)+end)
		if !ok {
			t.Fatalf("no rule with the pattern %q", starred(text, stars)+end)
		}
		if starredRule.Length > rule.Length {
			t.Errorf("%q is heavier than %q", starredRule.Pattern, rule.Pattern)
		}
		for _, url := range []string{path, path + "/%2F?/", text, text + "/x"} {
			if matchesRule(d, rule, url) && !matchesRule(d, starredRule, url) {
				t.Errorf("%q matches %q, but %q does not", rule.Pattern, url, starredRule.Pattern)
			}
		}
	}
}

// onlyRule returns the rule with a value, which is ok if the value is not changed by the
// syntax of lines.
func onlyRule(d robotstxt.Dialect, value string) (rule robotstxt.Rule, ok bool) {
	if strings.ContainsAny(value, "#\x00\n\r") || strings.Trim(value, " \t\v\f") != value || value == "" || len(value) > 4000 {
		return rule, false
	}
	for group := range d.Parse([]byte("User-agent: *\nDisallow: " + value)).Groups() {
		for rule := range group.Rules() {
			return rule, true
		}
	}
	return rule, false
}

func matchesRule(d robotstxt.Dialect, rule robotstxt.Rule, path string) bool {
	rules := d.Parse([]byte("User-agent: *\nDisallow: " + rule.Pattern)).Rules()
	return rules.Explain("http://h"+path).Line == 2
}

// TestCanonical tests the same laws on generated paths.
func TestCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range Size(5000, 250_000) {
		checkCanonical(t, "/"+randomValue(r)+randomValue(r), randomValue(r)+randomValue(r), r.Uint64()&r.Uint64())
		if t.Failed() {
			return
		}
	}
}
