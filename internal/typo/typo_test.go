package typo_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		typos int
	}{
		{"", "", 0},
		{"allow", "allow", 0},
		{"Allow", "aLLOW", 0},    // the case does not count
		{"alow", "allow", 1},     // dropped
		{"alllow", "allow", 1},   // added
		{"ablow", "allow", 1},    // replaced
		{"lalow", "allow", 1},    // swapped
		{"LAlow", "allow", 1},    // swapped, in another case
		{"sitmep", "sitemap", 2}, // dropped and replaced
		{"allow[", "allow{", 1},  // these differ as cases do, but are no letters
		{"ca", "abc", 3},         // nothing is added between swapped letters
		{"", "abc", 3},
		{"kitten", "sitting", 3},
		{"badcfehg", "abcdefgh", 4}, // nothing but swaps
	} {
		for most := range 6 {
			for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
				n, ok := typo.Distance(pair[0], pair[1], most)
				if ok != (c.typos <= most) || ok && n != c.typos {
					t.Errorf("Distance(%q, %q, %d) = %d, %v; there are %d typos", pair[0], pair[1], most, n, ok, c.typos)
				}
			}
		}
	}
	if _, ok := typo.Distance("", "", -1); ok {
		t.Error("fewer typos than none")
	}
}

// TestLongWords checks that a word over the limit is rejected by its length and
// that no word allocates memory.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("a", 50<<20)
	name := strings.Repeat("b", 63)
	if n := testing.AllocsPerRun(1, func() {
		if _, ok := typo.Distance(long, "allow", 2); ok {
			t.Error("a word of 50 MB is near")
		}
		if _, ok := typo.Distance(name, name, 63); !ok {
			t.Error("a word is not near itself")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n, ok := typo.Distance(long[:100_000], "b"+long[:100_000], 1); n != 1 || !ok {
		t.Errorf("long words: %d, %v", n, ok)
	}
}

// whole is Distance written plainly: the whole table, and no bound.
func whole(a, b string) int {
	a, b = ascii.ToLower(a), ascii.ToLower(b)
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			switch {
			case i == 0 || j == 0:
				table[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				table[i][j] = table[i-1][j-1]
				continue
			}
			table[i][j] = 1 + min(table[i-1][j-1], table[i-1][j], table[i][j-1])
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				table[i][j] = min(table[i][j], 1+table[i-2][j-2])
			}
		}
	}
	return table[len(a)][len(b)]
}

// FuzzDistance: the bounded table agrees with the whole one, in both directions.
func FuzzDistance(f *testing.F) {
	f.Add("Googelbot", "Googlebot", 1)
	f.Add("abcabcabc", "bacbcabca", 4)
	f.Add("", "a", 0)
	f.Add(strings.Repeat("ab", 40), strings.Repeat("ba", 40), 3)
	f.Fuzz(func(t *testing.T, a, b string, most int) {
		if len(a) > 200 || len(b) > 200 || most < 0 || most > 400 {
			return
		}
		want := whole(a, b)
		for _, pair := range [][2]string{{a, b}, {b, a}} {
			n, ok := typo.Distance(pair[0], pair[1], most)
			if ok != (want <= most) || ok && n != want {
				t.Errorf("Distance(%q, %q, %d) = %d, %v; want %d", pair[0], pair[1], most, n, ok, want)
			}
		}
	})
}
