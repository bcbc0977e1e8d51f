package semdiff_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

func mirrored(report *semdiff.Report) *semdiff.Report {
	mirrored := &semdiff.Report{Old: report.New, New: report.Old}
	for _, row := range report.Rows {
		switch row.Effect {
		case semdiff.Opens:
			row.Effect = semdiff.Closes
		case semdiff.Closes:
			row.Effect = semdiff.Opens
		}
		mirrored.Rows = append(mirrored.Rows, row)
	}
	return mirrored
}

func checkLaws(t *testing.T, files [3]*robotstxt.Robots, about string) {
	t.Helper()
	var reports [3][3]*semdiff.Report
	for i, old := range files {
		for j, new := range files {
			reports[i][j] = differences(t, old, new, semdiff.Config{Steps: 1 << 20})
			checkWitnesses(t, old, new, reports[i][j], about)
		}
		if !reports[i][i].Equal() || len(reports[i][i].Other) > 0 {
			t.Fatalf("a file differs from itself: %s: %s", summary(reports[i][i]), about)
		}
	}
	for i := range files {
		for j := range files {
			there, back := reports[i][j], reports[j][i]
			if there.Undecided() || back.Undecided() {
				continue
			}
			if got, want := effects(mirrored(back)), effects(there); got != want {
				t.Fatalf("%d→%d: %s, back %s: %s", i, j, summary(there), summary(back), about)
			}
			for k := range files {
				if there.Equal() && reports[j][k].Equal() && !reports[i][k].Equal() && !reports[i][k].Undecided() {
					t.Fatalf("equal to equal, but %s: %s", summary(reports[i][k]), about)
				}
			}
		}
	}
}

// effects says which crawlers meet which effect, in an order that does not
// depend on that of the files.
func effects(report *semdiff.Report) string {
	var all []string
	for _, row := range report.Rows {
		for _, crawler := range row.Crawlers {
			all = append(all, strings.ToLower(crawler.String())+" "+row.Effect.String())
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

func TestLaws(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 1))
	for i := range size(60, 5000) {
		pieces := oracleAlphabets[i%len(oracleAlphabets)].pieces
		var files [3]*robotstxt.Robots
		a, b := smallPair(r, pieces)
		c, d := smallPair(r, pieces)
		bodies := []string{a + strings.Replace(c, "*", "a", 1), b + strings.Replace(c, "*", "A", 1), a + strings.Replace(d, "*", "b", 1)}
		dialect := robotstxt.Dialects()[i%3]
		for i, body := range bodies {
			files[i] = dialect.Parse([]byte(body))
		}
		if r.IntN(2) == 0 {
			files[1] = robotstxt.Dialects()[r.IntN(3)].Parse([]byte(bodies[1]))
		}
		checkLaws(t, files, strings.Join(bodies, "---\n"))
	}
}

// FuzzCompare checks the laws for any two files and the formatted first one, and looks for URLs,
// made from the rules, for which equal files differ.
func FuzzCompare(f *testing.F) {
	r := rand.New(rand.NewPCG(10, 1))
	for i := range 20 {
		old, new := smallPair(r, oracleAlphabets[i%len(oracleAlphabets)].pieces)
		f.Add([]byte(old), []byte(new), uint8(i))
	}
	f.Add([]byte("User-agent: a\nUser-agent:\nCrawl-delay: 1\nDisallow: /%zz*$\n\nDisallow: /a*b*c\n"), []byte("User-agent: **\nAllow: /\xff\x01*%2f?%2F\n"), uint8(1))
	f.Fuzz(func(t *testing.T, old, new []byte, dialects uint8) {
		all := robotstxt.Dialects()
		a, b := all[int(dialects)%3], all[int(dialects/3)%3]
		formatted := a.Parse(lint.Format(old, map[robotstxt.Dialect]lint.Profile{
			robotstxt.Google: lint.Google, robotstxt.RFC9309: lint.RFC9309, robotstxt.Koster1996: lint.Koster1996,
		}[a], lint.KeepEnds))
		files := [3]*robotstxt.Robots{a.Parse(old), b.Parse(new), formatted}
		about := a.String() + ", " + b.String() + "\n" + string(old) + "\n---\n" + string(new)
		checkLaws(t, files, about)
		if report := differences(t, files[0], formatted, semdiff.Config{}); !report.Equal() && !report.Undecided() {
			t.Fatalf("formatted: %s: %s", summary(report), about)
		}
		attack(t, files[0], files[1], about)
	})
}

// attack compares the engine's verdicts about URLs made from the rules of two files with the
// effects of the report.
func attack(t *testing.T, old, new *robotstxt.Robots, about string) {
	t.Helper()
	for _, row := range differences(t, old, new, semdiff.Config{Steps: 1 << 20}).Rows {
		crawler := row.Crawlers[0]
		before, after := crawler.Rules(old), crawler.Rules(new)
		for path := range witness.Between(patternsOf(before), patternsOf(after), 500) {
			if strings.ContainsRune(path, 0) {
				continue
			}
			was, is := before.Allowed("http://host"+path), after.Allowed("http://host"+path)
			if was != is && (row.Effect == semdiff.Equal || is && row.Effect == semdiff.Closes ||
				was && row.Effect == semdiff.Opens) {
				t.Fatalf("%v, but %q: %s", row.Effect, path, about)
			}
		}
	}
}

// FuzzMinimize: a file without the rules that can go decides as before.
func FuzzMinimize(f *testing.F) {
	r := rand.New(rand.NewPCG(11, 1))
	for i := range 20 {
		body, _ := smallPair(r, oracleAlphabets[i%len(oracleAlphabets)].pieces)
		f.Add([]byte(body), uint8(i))
	}
	f.Fuzz(func(t *testing.T, body []byte, dialects uint8) {
		if bytes.IndexByte(body, 0) >= 0 {
			return // lines are cut there, and removing them would be another matter
		}
		all := robotstxt.Dialects()
		files := []*robotstxt.Robots{all[int(dialects)%3].Parse(body)}
		if dialects >= 128 {
			files = append(files, all[int(dialects/3)%3].Parse(body))
		}
		minimal := minimized(t, semdiff.Config{Steps: 1 << 20}, files...)
		rest := []byte(without(string(body), minimal.Removed))
		for _, file := range files {
			if report := differences(t, file, file.Dialect().Parse(rest), semdiff.Config{}); !report.Equal() &&
				!report.Undecided() {
				t.Fatalf("%q without %+v: %s", body, minimal.Removed, summary(report))
			}
		}
	})
}
