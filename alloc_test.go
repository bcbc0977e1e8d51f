package robotstxt_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// allocs returns how often f allocates, on average, or in a single run if that is
// less: the race detector makes pools drop values at random.
func allocs(f func()) float64 {
	least := testing.AllocsPerRun(10, f)
	for range 20 {
		if least == 0 {
			break
		}
		least = min(least, testing.AllocsPerRun(1, f))
	}
	return least
}

// isRace reports whether the race detector is on.
func isRace() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// allocBodies exercise every code path of the engine that could allocate.
func allocBodies() map[string][]byte {
	return map[string][]byte{
		"plain":       []byte("User-agent: FooBot\nDisallow: /a\nAllow: /a/b\n\nUser-agent: *\nDisallow: /\n"),
		"wildcards":   []byte("User-agent: *\nDisallow: /*.php$\nDisallow: /*a*b*c\nAllow: /x*$\n"),
		"slashes":     []byte("User-agent: *\nDisallow: /*/d%2Fq\nDisallow: /*%2Fb*%2F*c$\nAllow: /a?c/d*x/\n"),
		"coded":       []byte("User-agent: *\n" + strings.Repeat("Disallow: /*%2Fq*/%2F\n", 3000)),
		"percent":     []byte("User-agent: *\nDisallow: /%c3%a9/é\nAllow: /%2A$\nAllow: /x/index.html\n"),
		"long rule":   []byte("User-agent: *\nDisallow: /" + strings.Repeat("é", 8000) + "\n"),
		"many groups": []byte(strings.Repeat("User-agent: FooBot\nUser-agent: b\nDisallow: /q\nAllow: /*q$\n", 500)),
		"odd lines":   []byte("\xEF\xBB\xBFUser-agent FooBot\r\rDisallow\t/x\x00y\r\n: :\nfoo bar baz\nDisalow: \n"),
	}
}

// TestAllowedDoesNotAllocate tests both forms of Allowed in all dialects.
func TestAllowedDoesNotAllocate(t *testing.T) {
	urls := []string{
		"https://example.com/a/b", "/x/", "http://h?q", "/%7euser/é/%2A$*", "/" + strings.Repeat("a", 2000),
		"/%7E" + strings.Repeat("é", 4000), "/a:b;c,(d)+e!@[]?u=http://x",
		"/a%2Fb?c/d%2Fe", "/" + strings.Repeat("a", 3000) + "?/" + strings.Repeat("b", 3000) + "/",
	}
	agents := []string{"Googlebot-News", "FooBot"}
	bodies := allocBodies()
	if isRace() {
		delete(bodies, "coded") // a buffer for each of its rules, of which pools then drop many
	}
	for name, body := range bodies {
		for _, d := range robotstxt.Dialects() {
			rules := d.Parse(body).Rules(agents...)
			for range 100 { // so that an index, if any, exists
				rules.Allowed("/")
			}
			for _, url := range urls {
				if n := allocs(func() { rules.Allowed(url) }); n != 0 {
					t.Errorf("%s %v %.20s: Rules.Allowed allocates %v times", name, d, url, n)
				}
				if n := allocs(func() { d.Allowed(body, url, agents...) }); n != 0 {
					t.Errorf("%s %v %.20s: one-shot Allowed allocates %v times", name, d, url, n)
				}
				// The list is made for the call, and must not escape from it.
				if n := allocs(func() { d.Allowed(body, url, "Googlebot", agents[1]) }); n != 0 {
					t.Errorf("%s %v %.20s: one-shot Allowed with a list of its own allocates %v times", name, d, url, n)
				}
			}
		}
	}
}

func TestRulesAndLinesDoNotAllocate(t *testing.T) {
	for name, body := range allocBodies() {
		robots := robotstxt.Parse(body)
		if n := allocs(func() { robots.Rules("Googlebot", "FooBot") }); n != 0 {
			t.Errorf("%s: Rules allocates %v times", name, n)
		}
		if n := allocs(func() {
			for l := range robotstxt.Lines(body) {
				_ = l.Number
			}
		}); n != 0 {
			t.Errorf("%s: Lines allocates %v times", name, n)
		}
		if n := allocs(func() { robots.Rules("FooBot").CrawlDelay(); robots.Rules("FooBot").MatchedBy() }); n != 0 {
			t.Errorf("%s: CrawlDelay or MatchedBy allocates %v times", name, n)
		}
	}
}

// TestParseAllocatesTwice checks that Parse allocates only the Robots and its slab,
// for files of any size.
func TestParseAllocatesTwice(t *testing.T) {
	bodies := allocBodies()
	for _, lines := range []int{0, 1, 100, 5_000} {
		var b strings.Builder
		b.WriteString("User-agent: *\nUser-agent: FooBot\nCrawl-delay: 1\nSitemap: https://h/s.xml\n")
		for i := range lines {
			fmt.Fprintf(&b, "Disallow: /%d/*/x\nDisallow: /é%d$\nUser-agent: Foo%cBot\n", i, i, 'A'+i%26)
		}
		bodies[fmt.Sprintf("%d rules", 2*lines)] = []byte(b.String())
	}
	for name, body := range bodies {
		for _, d := range robotstxt.Dialects() {
			if n := allocs(func() { d.Parse(body) }); n > 2 {
				t.Errorf("%s %v: Parse allocates %v times, want at most 2", name, d, n)
			}
		}
	}
}

// TestAllowedWithProfile checks that Allowed does not allocate in a build with a profile of
// the engine's own benchmarks. Such a build inlines more, and the compiler then moves more to
// the heap. Only the packages whose functions are inlined into each other get the profile: with
// it for all, the standard library would be compiled again. Every call that the short profile
// contains is hot, so that chance decides less. Each profile is new, so all that depends on
// package strings, which is nearly everything, is compiled again: 150 s of a new machine's test
// command. .ci/run sets ROBOTSTXT_LONG.
func TestAllowedWithProfile(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG to build the engine with a profile")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("NOT TESTED: a build with a profile: there is no go command")
	}
	folder := t.TempDir()
	profile, binary := filepath.Join(folder, "cpu.pprof"), filepath.Join(folder, "engine.test")
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/kosterhq/robotstxt"
	build := []string{"go", "test", "-c", "-o", binary}
	for _, path := range []string{module, module + "/internal/pattern", "strings", "internal/stringslite"} {
		build = append(build, "-gcflags="+path+"=-pgoprofile="+profile+" -d=pgoinlinecdfthreshold=100")
	}
	for _, command := range [][]string{
		{own, "-test.run=^$", "-test.bench=Allowed|Rules|Hostile", "-test.benchtime=30ms", "-test.cpuprofile=" + profile},
		append(build, "."),
		{binary, "-test.run=^(TestAllowedDoesNotAllocate|TestRulesAndLinesDoNotAllocate|TestParseAllocatesTwice)$"},
	} {
		if output, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, output)
		}
	}
}
