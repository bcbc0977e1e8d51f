package lint_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestMaxFindings: limits leave out findings, not counts.
func TestMaxFindings(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: x\n" + strings.Repeat("Noindex: /\n", 250) + strings.Repeat("Sitemap: /s\n", 30))
	noindex := lint.Count{Code: "RX501", Severity: lint.Warning, Found: 250, Plain: 250}
	sitemap := lint.Count{Code: "RX502", Severity: lint.Warning, Found: 30}
	rule := lint.Count{Code: "RX202", Severity: lint.Error, Found: 1, Meant: 1}
	for _, c := range []struct {
		name      string
		config    lint.Config
		omitted   [2]int // of RX501, of RX502
		returned  int
		lastStart int
	}{
		{"defaults", lint.Config{}, [2]int{249, 0}, 32, len(body) - 12 + 9},
		{"hundred of a code", lint.Config{MaxPerCode: 100}, [2]int{150, 0}, 131, len(body) - 12 + 9},
		{"some of a code", lint.Config{MaxPerCode: 5}, [2]int{245, 25}, 11, 26 + 250*11 + 4*12 + 9},
		{"some in all, the error first", lint.Config{MaxFindings: 3, MaxPerCode: 100}, [2]int{248, 30}, 3, 26 + 11},
		{"all", lint.Config{MaxFindings: -1, MaxPerCode: -1}, [2]int{}, 281, len(body) - 12 + 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			noindex, sitemap := noindex, sitemap
			noindex.Omitted, sitemap.Omitted = c.omitted[0], c.omitted[1]
			report := lint.Inspect(body, c.config)
			report.Steps = 0 // Limit searches nothing
			all := lint.Check(body, lint.Config{MaxFindings: -1, MaxPerCode: -1})
			if limited := lint.Limit(all, c.config); !reflect.DeepEqual(limited, report) {
				t.Errorf("Limit returns %d findings with counts %+v, Inspect %d with %+v", len(limited.Findings), limited.Counts, len(report.Findings), report.Counts)
			}
			if want := []lint.Count{rule, noindex, sitemap}; !slices.Equal(report.Counts, want) {
				t.Errorf("counts %+v, want %+v", report.Counts, want)
			}
			last := report.Findings[len(report.Findings)-1]
			if len(report.Findings) != c.returned || last.Start != c.lastStart || report.Findings[0].Code != "RX202" {
				t.Errorf("%d findings up to %d, want %d up to %d", len(report.Findings), last.Start, c.returned, c.lastStart)
			}
		})
	}
}

// TestCountsOfSuppressed: what a comment hides is not counted.
func TestCountsOfSuppressed(t *testing.T) {
	report := lint.Inspect([]byte("Noindex: / # robots-lint: ignore\n\nUser-agent: *\nDisallow: /private/\n"), lint.Config{})
	if len(report.Counts) > 0 || len(report.Findings) > 0 {
		t.Errorf("%+v", report)
	}
}

// TestFilter: the filter has every finding, complete and before limits apply, and what
// it drops is not counted.
func TestFilter(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /p/\n" + strings.Repeat("Noindex: /p/\n", 250))
	want := lint.Check(body, lint.Config{MaxFindings: -1, MaxPerCode: -1})
	var all []lint.Finding
	report := lint.Inspect(body, lint.Config{MaxPerCode: 100, Filter: func(f *lint.Finding) bool {
		all = append(all, *f)
		return f.Line > 200
	}})
	if !reflect.DeepEqual(all, want) {
		t.Errorf("the filter had %d findings, want %d", len(all), len(want))
	}
	counts := []lint.Count{{Code: "RX501", Severity: lint.Warning, Found: 52, Plain: 52}}
	if !slices.Equal(report.Counts, counts) || !reflect.DeepEqual(report.Findings, want[198:]) {
		t.Errorf("counts %+v of %d findings, want %+v", report.Counts, len(report.Findings), counts)
	}
	report = lint.Inspect(body, lint.Config{Filter: func(*lint.Finding) bool { return false }})
	if len(report.Counts) > 0 || len(report.Findings) > 0 {
		t.Errorf("%+v", report)
	}
}

// largeBodies are bodies of about so many bytes that once took gigabytes.
func largeBodies(size int) map[string]string {
	lines := func(format string) string {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return map[string]string{
		"the same rule":     "User-agent: *\n" + strings.Repeat("Disallow: /a*\n", size/14),
		"distinct rules":    lines("Disallow: /%x\n"),
		"distinct patterns": lines("Disallow: /*a%d*\n"),
		"bare CR":           strings.Repeat("\r", size),
		"text and bare CR":  strings.Repeat("a\r", size/2),
		"sitemaps":          lines("Sitemap: /s%d.xml\n"),
		"NUL bytes":         strings.Repeat("\x00\n", size/2),
		"agents":            strings.Repeat("User-agent: a b\n", size/16),
		"suppressions":      strings.Repeat("# robots-lint: ignore RX501\n", size/28),
	}
}

// TestMemory: what Inspect allocates in all, freed or not, is bounded by the read limit,
// and so is the result: what comes after it changes nothing.
func TestMemory(t *testing.T) {
	limit, size, profiles := 64_000, 1<<20, []lint.Profile{lint.Google}
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		limit, size, profiles = 512_000, 56<<20, lint.Profiles()
	}
	most := uint64(137 * limit)
	for name, body := range largeBodies(size) {
		for _, profile := range profiles {
			t.Run(name+"/"+profile.String(), func(t *testing.T) {
				text := []byte(body)
				var report lint.Report
				allocated := allocatedBy(func() {
					report = lint.Inspect(text,
						lint.Config{Profile: profile, Bytes: limit})
				})
				t.Logf("%.1f MB allocated for %.1f MB, %d findings", float64(allocated)/1e6, float64(len(text))/1e6, len(report.Findings))
				if allocated > most {
					t.Errorf("%d bytes allocated, want at most %d", allocated, most)
				}
				if strings.Trim(body, "\r\n") == "" {
					return // nothing comes after the limit, so that Truncated would change the result
				}
				begin := lint.Inspect(text[:limit+limit/8],
					lint.Config{Profile: profile, Bytes: limit, Truncated: true})
				for _, r := range []*lint.Report{&report, &begin} {
					r.Findings = slices.DeleteFunc(r.Findings, func(f lint.Finding) bool { return f.Code == "RX406" })
					r.Counts = slices.DeleteFunc(r.Counts, func(c lint.Count) bool { return c.Code == "RX406" })
				}
				if !reflect.DeepEqual(report, begin) {
					t.Error("the findings depend on what comes after the limit")
				}
			})
		}
	}
}

// allocatedBy returns the bytes that a function allocates when it runs again. Tables that are made once do not
// count. A sync.Pool keeps values for each processor, and two garbage collections empty it, so the result would
// depend on the processors that run the test and on when memory is collected. Therefore the pools are empty at
// the beginning and keep everything until the end.
func allocatedBy(f func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	f()
	runtime.GC()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWholeLines: the part that is read ends with a line, whatever ends the lines.
func TestWholeLines(t *testing.T) {
	for _, newline := range []string{"\n", "\r", "\r\n"} {
		body := []byte("User-agent: *" + newline + "Disallow: /a" + newline + newline + "Noindex: /" + newline + "Noindex: /")
		for limit := 1; limit < len(body); limit++ {
			lines := bytes.Count(bytes.ReplaceAll(body[:limit], []byte("\r\n"), []byte("\n")), []byte("\n"))
			if newline == "\r" {
				lines = bytes.Count(body[:limit], []byte("\r"))
			}
			report := lint.Inspect(body, lint.Config{Bytes: limit})
			found := slices.ContainsFunc(report.Findings, func(f lint.Finding) bool { return f.Code == "RX501" })
			if want := limit >= len(body)-len("Noindex: /"+newline); found != want {
				t.Errorf("newline %q, limit %d of %d, in line %d: found %v, want %v", newline, limit, len(body), lines+1, found, want)
			}
		}
	}
}

// TestAllocations: a file without findings is inspected in little memory, most of which
// is used again.
func TestAllocations(t *testing.T) {
	body := []byte("User-agent: *\nAllow: /search/about\nDisallow: /search/\nDisallow: /cart/\n\nSitemap: https://shop.example/sitemap.xml\n")
	if found := lint.Check(body, lint.Config{}); len(found) > 0 {
		t.Fatal(found)
	}
	const most = 40 // 28 when this was written
	if n := testing.AllocsPerRun(100, func() { lint.Check(body, lint.Config{}) }); n > most {
		t.Errorf("%v allocations, want at most %d", n, most)
	}
}

// TestAllocationsOfFindings: a finding takes a few allocations.
func TestAllocationsOfFindings(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\n")
	const rules = 60
	for i := range rules {
		fmt.Fprintf(&body, "Disallow: /a%d/\nDisallow: /a%d/b\n", i, i)
	}
	text := []byte(body.String())
	all := lint.Config{MaxPerCode: -1, Severities: map[lint.Code]lint.Severity{"RX208": lint.Info}}
	if found := len(lint.Check(text, all)); found != rules {
		t.Fatalf("%d findings, want %d", found, rules)
	}
	const most = 12 * rules // 9 each when this was written
	if n := testing.AllocsPerRun(100, func() { lint.Check(text, all) }); n > most {
		t.Errorf("%v allocations, want at most %d", n, most)
	}
}
