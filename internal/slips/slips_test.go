package slips_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/slips"
)

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		slips int
	}{
		{"", "", 0},
		{"allow", "allow", 0},
		{"alow", "allow", 1},     // dropped
		{"alllow", "allow", 1},   // added
		{"ablow", "allow", 1},    // replaced
		{"lalow", "allow", 1},    // swapped
		{"sitmep", "sitemap", 2}, // dropped and replaced
		{"Allow", "allow", 1},    // case counts
		{"ca", "abc", 3},         // nothing goes in between what was swapped
		{"", "abc", 3},
		{"kitten", "sitting", 3},
	} {
		for most := range 5 {
			for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
				n, ok := slips.Within(pair[0], pair[1], most)
				if ok != (c.slips <= most) || ok && n != c.slips {
					t.Errorf("Within(%q, %q, %d) = %d, %v; there are %d slips", pair[0], pair[1], most, n, ok, c.slips)
				}
			}
		}
	}
}

// TestLong: what cannot be near is told by its length alone.
func TestLong(t *testing.T) {
	long := strings.Repeat("a", 50<<20)
	if n := testing.AllocsPerRun(1, func() {
		if _, ok := slips.Within(long, "allow", 2); ok {
			t.Error("a word of 50 MB is near")
		}
	}); n != 0 {
		t.Errorf("%v allocations for a word of 50 MB", n)
	}
}
