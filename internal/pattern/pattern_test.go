package pattern_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/pattern"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

func TestNew(t *testing.T) {
	for _, c := range []struct {
		encoded   string
		wildcards bool
		want      pattern.Pattern
		priority  int
	}{
		{"/a", true, pattern.Pattern{Text: "/a"}, 2},
		{"/a*$", true, pattern.Pattern{Text: "/a*", Wild: true, Anchored: true}, 4},
		{"/a$b", true, pattern.Pattern{Text: "/a$b"}, 4},
		{"/$$", true, pattern.Pattern{Text: "/$", Anchored: true}, 3},
		{"$", true, pattern.Pattern{Anchored: true}, 1},
		{"", true, pattern.Pattern{}, 0},
		{"/a*$", false, pattern.Pattern{Text: "/a*$"}, 4},
	} {
		p := pattern.New(c.encoded, c.wildcards)
		if p != c.want || p.Priority() != c.priority || p.String() != c.encoded {
			t.Errorf("%q, wildcards %v: %#v, priority %d, %q", c.encoded, c.wildcards, p, p.Priority(), p)
		}
	}
}

func TestFolder(t *testing.T) {
	for _, c := range []struct{ encoded, want string }{
		{"/a/index.html", "/a/$"},
		{"/a/index.htm$", "/a/$"},
		{"/index.html?x", "/$"},
		{"/*/index.htm*", "/*/$"},
		{"/a/index.htm*", "/a/$"}, // the star goes with the file name
		{"/a/index.html/", ""},
		{"/a/xindex.html", ""},
		{"index.html", ""},
		{"/a/index.ht", ""},
		{"", ""},
	} {
		folder, ok := pattern.New(c.encoded, true).Folder()
		if ok != (c.want != "") || ok && folder != pattern.New(c.want, true) {
			t.Errorf("%q: %#v, %v", c.encoded, folder, ok)
		}
	}
}

// TestWeight: weights are ordered by priority, then Allow, then the earlier line. Their
// methods return the values they were made from.
func TestWeight(t *testing.T) {
	var last pattern.Weight
	for _, priority := range []int{0, 1, 50_000} {
		for _, allow := range []bool{false, true} {
			for _, line := range []int{1 << 29, 2, 1} {
				w := pattern.Weigh(priority, allow, line)
				if w <= last {
					t.Errorf("priority %d, allow %v, line %d does not weigh more than the rule before", priority, allow, line)
				}
				if w.Priority() != priority || w.Allow() != allow || w.Line() != line ||
					w.Allowed() != (allow || priority == 0) {
					t.Errorf("priority %d, allow %v, line %d: read as %d, %v, %d", priority, allow, line, w.Priority(), w.Allow(), w.Line())
				}
				last = w
			}
		}
	}
	if none := pattern.Weight(0); none.Line() != 0 || !none.Allowed() {
		t.Error("no rule has a line or disallows")
	}
}

// matchesSlowly is the definition of a match, octet by octet. A star matches any text, and
// any text may follow a pattern that does not end in '$'.
func matchesSlowly(encoded, path string) bool {
	switch {
	case encoded == "":
		return true
	case encoded == "$":
		return path == ""
	case encoded[0] == '*':
		return matchesSlowly(encoded[1:], path) || path != "" && matchesSlowly(encoded, path[1:])
	default:
		return path != "" && path[0] == encoded[0] && matchesSlowly(encoded[1:], path[1:])
	}
}

// The patterns of the fuzz targets have a, b, slashes and dollars. The tilde
// represents all other bytes.
var fewPaths = witness.Short([]string{"a", "b", "/", "$", "~"}, 4)

// patternOf makes a short pattern from bytes.
func patternOf(data string) pattern.Pattern {
	var b strings.Builder
	b.WriteString([]string{"/", "*", "/a", "/*"}[len(data)%4])
	for i := range min(len(data), 5) {
		b.WriteByte("ab/**ab$"[data[i]%8])
	}
	return pattern.New(b.String(), true)
}

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
		{"", "*", true},
		{"/*foo", "*foo", true},
		{"*foo", "/*foo", true},
		{"/*/foo", "*/foo", false}, // /foo itself
		{"*/foo", "/foo", true},
		{"*/foo", "/*/foo", true},
		{"*/", "", true},
		{"/*b", "/a*b", true},
		{"/*ab*", "/*a*b", false},
		{"/*a*b", "/*ab", true},
		{"/*.php$", "/x/*.php$", true},
		{"/*.php$", "/x/*.php", false},
		{"/*.php", "/x.php$", true},
		{"/a", "b", true}, // b matches no path
		{"$", "/a", false},
	} {
		if got := pattern.New(c.outer, true).Contains(pattern.New(c.inner, true)); got != c.want {
			t.Errorf("%q contains %q: %v", c.outer, c.inner, got)
		}
	}
}

// TestContainsWithoutWildcards: patterns without wildcards may contain any byte, including
// the one in exemplars.
func TestContainsWithoutWildcards(t *testing.T) {
	for _, c := range []struct {
		outer, inner string
		want         bool
	}{
		{"/a", "/a\xFF", true}, {"/a\xFF", "/a", false}, {"/\xFF", "/", false}, {"/*", "/a", false}, {"/*", "/*b", true}, {"/a$", "/a", false},
	} {
		outer, inner := pattern.New(c.outer, false), pattern.New(c.inner, false)
		if got := outer.Contains(inner); got != c.want {
			t.Errorf("%q contains %q: %v", c.outer, c.inner, got)
		}
		if !outer.Intersects(inner) && c.want || outer.MatchesEvery() {
			t.Errorf("%q, %q: do not intersect, or match every path", c.outer, c.inner)
		}
	}
}

func TestIntersects(t *testing.T) {
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
		{"", "/a", true},
		{"", "a", false}, // no path begins with a
		{"$", "*", false},
	} {
		a, b := pattern.New(c.a, true), pattern.New(c.b, true)
		if a.Intersects(b) != c.want || b.Intersects(a) != c.want {
			t.Errorf("%q intersects %q: not %v", c.a, c.b, c.want)
		}
	}
}

func TestWithoutRedundantEnd(t *testing.T) {
	for _, c := range []struct{ encoded, want string }{
		{"/a*", "/a"}, {"/a**", "/a"}, {"/a*$", "/a"}, {"*", "/"}, {"/*b*", "/*b"}, {"/a", ""}, {"/*b$", ""}, {"/a$*", ""},
	} {
		p := pattern.New(c.encoded, true)
		shorter, ok := p.WithoutRedundantEnd()
		if ok != (c.want != "") || ok && (shorter.String() != c.want || !shorter.Contains(p) || !p.Contains(shorter)) {
			t.Errorf("%q: %#v, %v", c.encoded, shorter, ok)
		}
	}
}

// FuzzPattern: Matches agrees with the definition of a match on all short paths. If Contains
// or Intersects returns true, no short path refutes it; if it returns false, a short path
// shows why.
func FuzzPattern(f *testing.F) {
	f.Add("\x00\x03\x01", "\x03\x01")
	f.Add("\x03\x00\x03\x01", "\x00\x01\x07")
	f.Add("\x07", "\x00\x07\x01")
	f.Fuzz(func(t *testing.T, x, y string) {
		p, q := patternOf(x), patternOf(y)
		every, none, contains, intersects := true, true, true, false
		for _, path := range fewPaths {
			inP, inQ := p.Matches(path), q.Matches(path)
			if inP != matchesSlowly(p.String(), path) {
				t.Errorf("%q matches %q: %v", p, path, inP)
			}
			if inP && (!strings.HasPrefix(path, p.Beginning()) || !pattern.ByteSetOf(path).Contains(p.Needs()) ||
				pattern.Google.CannotMatch(p.String(), path)) {
				t.Errorf("%q matches %q: not so by its beginning, its bytes or CannotMatch", p, path)
			}
			every, none = every && inP, none && !inP
			contains = contains && (inP || !inQ)
			intersects = intersects || inP && inQ
		}
		// Short paths can refute containment and prove intersection. For the
		// converse the path that shows it must be short.
		bytes := len(strings.ReplaceAll(p.String()+q.String(), "*", ""))
		if said := p.Contains(q); said && !contains || !said && contains && bytes <= 4 && len(q.String()) <= 3 {
			t.Errorf("%q contains %q: said %v, tried %v", p, q, said, contains)
		}
		if said := p.Intersects(q); intersects && !said || said && !intersects && bytes <= 4 {
			t.Errorf("%q intersects %q: said %v, tried %v", p, q, said, intersects)
		}
		if p.MatchesEvery() != every {
			t.Errorf("%q matches every path: tried %v", p, every)
		}
		if p.MatchesNone() && !none {
			t.Errorf("%q matches no path: tried %v", p, none)
		}
		if same := p.WithoutRuns(); !same.Contains(p) || !p.Contains(same) || p.Wild && strings.Contains(same.Text, "**") {
			t.Errorf("%v without runs of stars is %v", p, same)
		}
		if shorter, ok := p.WithoutRedundantEnd(); ok &&
			(!shorter.Contains(p) || !p.Contains(shorter) || shorter.Priority() >= p.Priority() && p.Text != "*") {
			t.Errorf("%q without its redundant end is %q", p, shorter)
		}
	})
}

// TestMatchesEvery: for all values of rules with at most six bytes of a few, in the encoding
// of each dialect, MatchesEvery agrees with the verdicts of all short paths.
func TestMatchesEvery(t *testing.T) {
	const alphabet, longest = "/*$a%", 6
	paths := witness.Short([]string{"/", "a", "x", "%25", "%AA"}, 4)
	for name, dialect := range map[string]struct {
		encoding  pattern.Encoding
		wildcards bool
		spellings int // that match every path
	}{
		"google": {pattern.Google, true, 42}, "rfc9309": {pattern.RFC9309Rule, true, 42}, "koster1996": {pattern.Koster1996, false, 1},
	} {
		spellings := 0
		values := []string{""}
		for i := 0; i < len(values); i++ {
			value := values[i]
			p := pattern.New(string(dialect.encoding.AppendPattern(nil, value, dialect.wildcards)), dialect.wildcards)
			every := true
			for at := 0; every && at < len(paths); at++ {
				if dialect.wildcards {
					every = matchesSlowly(p.String(), paths[at])
				} else {
					every = strings.HasPrefix(paths[at], p.String())
				}
			}
			if p.MatchesEvery() != every {
				t.Errorf("%s, %q: %v, tried %v", name, value, p.MatchesEvery(), every)
			}
			if every && value != "" {
				spellings++
			}
			for at := range alphabet {
				if len(value) < longest {
					values = append(values, value+alphabet[at:at+1])
				}
			}
		}
		if spellings != dialect.spellings {
			t.Errorf("%s: %d values match every path, want %d", name, spellings, dialect.spellings)
		}
	}
}

// TestEncodings: Changes reports whether AppendTo appends something else, which an encoding
// leaves unchanged when it is encoded again.
func TestEncodings(t *testing.T) {
	for name, e := range map[string]*pattern.Encoding{
		"as is": &pattern.AsIs, "Google": &pattern.Google, "RFC 9309 rule": &pattern.RFC9309Rule, "RFC 9309 URL": &pattern.RFC9309URL, "Koster 1996": &pattern.Koster1996,
	} {
		random := rand.New(rand.NewPCG(1, 2))
		parts := []string{"/", "a", "%41", "%c3%a9", "\xE9", "é", "%", "%4", "%2f", "?", "*", "$", "%2A", "%24", "%25", "~", "%7e"}
		for range 2000 {
			var s string
			for range random.IntN(6) {
				s += parts[random.IntN(len(parts))]
			}
			encoded := string(e.AppendTo(nil, s))
			again := string(e.AppendTo(nil, encoded))
			switch {
			case !e.Changes(s) && encoded != s:
				t.Errorf("%s: %q is said to stay, and becomes %q", name, s, encoded)
			case again != encoded:
				t.Errorf("%s: %q becomes %q, that becomes %q", name, s, encoded, again)
			case slices.Contains([]string{"RFC 9309 rule", "RFC 9309 URL"}, name) && strings.ContainsAny(encoded, "$"):
				t.Errorf("%s: %q becomes %q", name, s, encoded)
			}
		}
	}
}
