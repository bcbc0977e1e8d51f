package lint_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
)

func TestContains(t *testing.T) {
	for _, c := range []struct {
		outer, inner string
		want         bool
	}{
		{"/a", "/a", true},
		{"/a", "/ab", true},
		{"/ab", "/a", false},
		{"/a", "/a$", true},
		{"/a$", "/a", false},
		{"/a*", "/a", true}, // the star adds nothing
		{"/a", "/a*", true},
		{"/a*$", "/a", true},
		{"/*", "/", true},
		{"*", "/", true}, // every path begins with a slash
		{"/", "*", true},
		{"/*foo", "*foo", true},
		{"*foo", "/*foo", true},
		{"/*/foo", "*/foo", false}, // /foo itself
		{"*/foo", "/foo", true},
		{"*/foo", "/*/foo", true},
		{"/*b", "/a*b", true},
		{"/*ab*", "/*a*b", false},
		{"/*a*b", "/*ab", true},
		{"/*.php$", "/x/*.php$", true},
		{"/*.php$", "/x/*.php", false},
		{"/*.php", "/x.php$", true},
	} {
		if got := lint.Contains(c.outer, c.inner, true); got != c.want {
			t.Errorf("%q contains %q: %v", c.outer, c.inner, got)
		}
	}
}

func TestMeets(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"/a", "/b", false},
		{"/a", "/ab", true},
		{"/a$", "/ab", false},
		{"/a*", "/*b", true},
		{"/*.php$", "/*.html$", false},
		{"/*.php$", "/*.html", true},
		{"/*ab$", "/a*b$", true},
		{"/a*a$", "/a$", false}, // one a cannot be both
		{"*/a$", "/a$", true},
	} {
		if lint.Meets(c.a, c.b, true) != c.want || lint.Meets(c.b, c.a, true) != c.want {
			t.Errorf("%q meets %q: not %v", c.a, c.b, c.want)
		}
	}
}

// shortPaths returns all paths of up to so many bytes over an alphabet.
func shortPaths(alphabet string, length int) []string {
	paths := []string{"/"}
	for start := 0; length > 1; length-- {
		end := len(paths)
		for _, path := range paths[start:end] {
			for _, c := range alphabet {
				paths = append(paths, path+string(c))
			}
		}
		start = end
	}
	return paths
}

// The patterns of the fuzz targets have a, b, slashes and dollars. The tilde stands for
// all other letters.
var fewPaths = shortPaths("ab/$~", 5)

// patternOf makes a short pattern of bytes.
func patternOf(data string) string {
	var b strings.Builder
	b.WriteString([]string{"/", "*", "/a", "/*"}[len(data)%4])
	for i := range min(len(data), 5) {
		b.WriteByte("ab/**ab$"[data[i]%8])
	}
	return b.String()
}

// FuzzLanguage: what is said of two patterns without trying paths holds for all
// short paths, and what is not said has a short path that shows why.
func FuzzLanguage(f *testing.F) {
	f.Add("\x00\x03\x01", "\x03\x01")
	f.Add("\x03\x00\x03\x01", "\x00\x01\x07")
	f.Add("\x07", "\x00\x07\x01")
	f.Fuzz(func(t *testing.T, x, y string) {
		p, q := patternOf(x), patternOf(y)
		inP := robotstxt.Parse([]byte("User-agent: *\nDisallow: " + p + "\n")).Rules()
		inQ := robotstxt.Parse([]byte("User-agent: *\nDisallow: " + q + "\n")).Rules()
		contains, meets := true, false
		for _, path := range fewPaths {
			p, q := !inP.Allowed("https://example.com"+path), !inQ.Allowed("https://example.com"+path)
			contains = contains && (p || !q)
			meets = meets || p && q
		}
		// Short paths can refute containment and prove that two patterns meet. For
		// the converse the witness must be short: its letters are those of both.
		enough := len(strings.ReplaceAll(p+q, "*", "")) <= 4 // and a slash
		if said := lint.Contains(p, q, true); said && !contains || !said && contains && enough && fits(q) {
			t.Errorf("%q contains %q: said %v, tried %v", p, q, said, contains)
		}
		if said := lint.Meets(p, q, true); meets && !said || said && !meets && enough {
			t.Errorf("%q meets %q: said %v, tried %v", p, q, said, meets)
		}
	})
}

// fits reports whether the word of a pattern is among the short paths.
func fits(pattern string) bool { return len(pattern) <= 3 }

// TestWeighing holds what the search believes of the dialects to what they do.
func TestWeighing(t *testing.T) {
	for _, d := range robotstxt.Dialects() {
		allowed := func(path string, rules ...string) bool {
			return d.Parse([]byte("User-agent: *\n" + strings.Join(rules, "\n"))).Rules().Allowed(path)
		}
		wildcards, firstMatch, indexRule := lint.Weighing(d)
		if is := !allowed("/ab", "Disallow: /*b$"); is != wildcards {
			t.Errorf("%v: wildcards %v", d, is)
		}
		if is := allowed("/ab", "Allow: /a", "Disallow: /ab"); is != firstMatch {
			t.Errorf("%v: first match %v", d, is)
		}
		if is := allowed("/a/", "Allow: /a/index.html", "Disallow: /a/"); is != indexRule {
			t.Errorf("%v: index rule %v", d, is)
		}
		merged := !allowed("/b", "Disallow: /a", "", "User-agent: *", "Disallow: /b")
		if merged == firstMatch {
			t.Errorf("%v: merges groups %v, weighs by length %v", d, merged, !firstMatch)
		}
	}
}
