package semdiff_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// hostile are pairs of files that were made to be hard, 500 KB each at most.
var hostile = []struct {
	name string
	pair func() (old, new string)
}{
	{"16 rules with two stars, one gone", func() (string, string) {
		rules := make([]string, 16)
		for i := range rules {
			rules[i] = fmt.Sprintf("Disallow: /*%c*yz\n", 'a'+i)
		}
		return joined(rules), joined(rules[1:])
	}},
	{"16 rules with two stars, others for them", func() (string, string) {
		var old, new []string
		for i := range 16 {
			old = append(old, fmt.Sprintf("Disallow: /*%c*yz\n", 'a'+i))
			new = append(new, fmt.Sprintf("Disallow: /*%c*yz$\n", 'a'+i), fmt.Sprintf("Disallow: /*%c*yz*a\n", 'a'+i))
		}
		return joined(old), joined(new)
	}},
	{"315 rules with several stars", func() (string, string) {
		r := rand.New(rand.NewPCG(1, 1))
		return joined(starry(r, 315)), joined(starry(r, 315))
	}},
	{"315 rules with several stars, one gone", func() (string, string) {
		rules := starry(rand.New(rand.NewPCG(1, 1)), 315)
		return joined(rules), joined(rules[1:])
	}},
	{"500 KB of stars", func() (string, string) {
		r := rand.New(rand.NewPCG(2, 1))
		return joined(starry(r, 20_000)), joined(starry(r, 20_000))
	}},
	{"500 KB of prefixes", func() (string, string) {
		r := rand.New(rand.NewPCG(3, 1))
		return joined(prefixes(r, 25_000)), joined(prefixes(r, 25_000))
	}},
	{"500 KB of one-letter rules", func() (string, string) {
		return "User-agent: *\n" + strings.Repeat("Disallow: /*a*a*a\n", 27_000), "User-agent: *\n" + strings.Repeat("Disallow: /*a*a\n", 29_000)
	}},
	{"500 KB in 30 patterns", func() (string, string) {
		var old, new []string
		for i := range 30 {
			old = append(old, "Disallow: /*"+strings.Repeat("ab", 8000)+fmt.Sprint(i)+"*c\n")
			new = append(new, "Disallow: /*"+strings.Repeat("ab", 8000)+fmt.Sprint(i)+"*d\n")
		}
		return joined(old), joined(new)
	}},
	{"500 KB in 250 patterns", func() (string, string) {
		var old, new []string
		for i := range 250 {
			old = append(old, "Disallow: /*"+strings.Repeat("ab", 990)+fmt.Sprint(i)+"*c\n")
			new = append(new, "Allow: /*"+strings.Repeat("ab", 995)+"*"+fmt.Sprint(i)+"*d$\n")
		}
		return joined(old), joined(new)
	}},
	{"15,000 crawlers of one group", func() (string, string) {
		var b strings.Builder
		for i := range 15_000 {
			fmt.Fprintf(&b, "User-agent: %s\n", letters(i))
		}
		rules := strings.Join(prefixes(rand.New(rand.NewPCG(4, 1)), 10_000), "")
		return b.String() + rules, b.String() + "Allow: /x\n" + rules
	}},
	{"15,000 crawlers of one group with delays of their own", func() (string, string) {
		var old, new strings.Builder
		for i := range 15_000 {
			fmt.Fprintf(&old, "User-agent: %s\nCrawl-delay: %d\n", letters(i), i)
			fmt.Fprintf(&new, "User-agent: %s\nCrawl-delay: %d\n", letters(i), i+1)
		}
		rules := strings.Join(prefixes(rand.New(rand.NewPCG(4, 1)), 5_000), "")
		return old.String() + rules, new.String() + "Allow: /x\n" + rules
	}},
	{"10,000 groups", func() (string, string) {
		var old, new strings.Builder
		for i := range 10_000 {
			fmt.Fprintf(&old, "User-agent: %s\nDisallow: /*%s*%d\n", letters(i), letters(i), i)
			fmt.Fprintf(&new, "User-agent: %s\nDisallow: /*%s*%d\n", letters(i), letters(i), i+1)
		}
		return old.String(), new.String()
	}},
	{"5,000 groups and one for all of them", func() (string, string) {
		var agents, groups strings.Builder
		for i := range 5_000 {
			fmt.Fprintf(&agents, "User-agent: %s\n", letters(i))
			fmt.Fprintf(&groups, "User-agent: %s\nDisallow: /%s\n", letters(i), letters(i))
		}
		rules := strings.Join(prefixes(rand.New(rand.NewPCG(4, 1)), 10_000), "")
		return agents.String() + rules + groups.String(), agents.String() + "Allow: /x\n" + rules + groups.String()
	}},
}

func joined(rules []string) string { return "User-agent: *\n" + strings.Join(rules, "") }

func letters(i int) string {
	token := "x"
	for ; i > 0; i /= 26 {
		token += string(rune('a' + i%26))
	}
	return token
}

func starry(r *rand.Rand, n int) (rules []string) {
	for range n {
		value := "/"
		for range 2 + r.IntN(3) {
			value += "*" + letters(1 + r.IntN(600))[1:]
		}
		rules = append(rules, []string{"Allow: ", "Disallow: "}[r.IntN(2)]+value+"\n")
	}
	return rules
}

func prefixes(r *rand.Rand, n int) (rules []string) {
	for range n {
		rules = append(rules, []string{"Allow: /", "Disallow: /"}[r.IntN(2)]+letters(r.IntN(1 << 24))[1:]+"\n")
	}
	return rules
}

// TestHostile: comparisons that cannot be decided end, take a bounded amount of
// memory, and are not called equal without proof. A third of them suffices without
// ROBOTSTXT_LONG, which .ci/run sets.
func TestHostile(t *testing.T) {
	for i, c := range hostile {
		if i%3 > 0 && size(0, 1) == 0 {
			continue
		}
		oldBody, newBody := c.pair()
		for _, dialects := range [][2]robotstxt.Dialect{{}, {robotstxt.Google, robotstxt.RFC9309}} {
			if dialects[1] != dialects[0] && size(0, 1) == 0 && !strings.Contains(c.name, "groups") {
				continue
			}
			old, new := dialects[0].Parse([]byte(oldBody)), dialects[1].Parse([]byte(newBody))
			var report *semdiff.Report
			took, heap := measured(func() { report = differences(t, old, new, semdiff.Config{}) })
			checkWitnesses(t, old, new, report, c.name)
			pairs := 0
			for _, row := range report.Rows {
				pairs += len(row.Changes)
			}
			t.Logf("%v %s: %d and %d bytes: %v, %d rows, %d changes, equal %v, undecided %v, heap %d MB", dialects, c.name,
				len(oldBody), len(newBody), took.Round(time.Millisecond), len(report.Rows), pairs, report.Equal(),
				report.Undecided(), heap>>20)
			if heap > 64<<20 {
				t.Errorf("%s: %d MB", c.name, heap>>20)
			}
		}
	}
}

// TestHostileMinimized: files that cannot be minimised within the budget end, and
// take a bounded amount of memory.
func TestHostileMinimized(t *testing.T) {
	for i, c := range hostile {
		if i%3 > 0 && size(0, 1) == 0 {
			continue
		}
		body, _ := c.pair()
		dialects := robotstxt.Dialects()[:size(1, 2)] // google first
		files := parsedIn(body, dialects)
		var minimal *semdiff.Minimal
		took, heap := measured(func() { minimal = minimized(t, semdiff.Config{}, files...) })
		t.Logf("%v %s: %v, %d removed, %d undecided, heap %d MB", dialects, c.name, took.Round(time.Millisecond),
			len(minimal.Removed), len(minimal.Undecided), heap>>20)
		if heap > 64<<20 {
			t.Errorf("%s: %d MB", c.name, heap>>20)
		}
	}
}

func measured(f func()) (took time.Duration, heap uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in programs
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	done, peak := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		for {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	start := time.Now()
	f()
	took = time.Since(start)
	close(done)
	return took, <-peak - min(before.HeapAlloc, 1<<62)
}
