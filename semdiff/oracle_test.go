package semdiff_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

func size(usual, long int) int {
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		return long
	}
	return usual
}

// partOf returns the paths with which files are tried: a quarter of them, another one for each
// number, or all if ROBOTSTXT_LONG requests it.
func partOf(paths []string, number int) (part []string) {
	every := size(4, 1)
	for i := number % every; i < len(paths); i += every {
		part = append(part, paths[i])
	}
	return part
}

func differences(t testing.TB, old, new *robotstxt.Robots, config semdiff.Config) *semdiff.Report {
	t.Helper()
	report, err := semdiff.Compare(t.Context(), old, new, config)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func minimized(t testing.TB, config semdiff.Config, files ...*robotstxt.Robots) *semdiff.Minimal {
	t.Helper()
	minimal, err := semdiff.Minimize(t.Context(), config, files...)
	if err != nil {
		t.Fatal(err)
	}
	return minimal
}

// oracleAlphabets are the pieces that paths and patterns are made of, and how
// many of them a path has at most, so that all paths can be tried.
var oracleAlphabets = []struct {
	pieces []string
	depth  int
}{
	{[]string{"a", "b", "/"}, 6},
	{[]string{"a", "%", "2", "F", "?"}, 5},
	{[]string{"/", "index.htm", "l", "a"}, 5},
	{[]string{"a", "%61", "%2F", "?", "/", "%2f"}, 5},
	{[]string{"F", "%2F", "?", "/"}, 6},
	{[]string{"*", "$", "a", "%2A", "%24", "é"}, 5},
	{[]string{"%7E", "~", "%7e", "%", "7"}, 5},
	{[]string{"a", "?", "%3F", "%25", "%"}, 5},
}

// TestBruteForce makes small files at random, and compares the report with the verdicts of
// paths of a few pieces.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	tally := make(map[semdiff.Effect]int)
	for _, alphabet := range oracleAlphabets {
		paths := witness.Short(alphabet.pieces, alphabet.depth)
		for i := range size(60, 1500) {
			old, new := smallPair(r, alphabet.pieces)
			dialects := robotstxt.Dialects()
			a := dialects[r.IntN(len(dialects))]
			b := a
			if r.IntN(2) == 0 {
				b = dialects[r.IntN(len(dialects))]
			}
			tally[checkPair(t, a.Parse([]byte(old)), b.Parse([]byte(new)), partOf(paths, i),
				fmt.Sprintf("%v → %v\n%s---\n%s", a, b, old, new))]++
			if t.Failed() {
				return
			}
		}
	}
	for effect, count := range tally {
		t.Logf("%v: %d", effect, count)
	}
}

func smallPair(r *rand.Rand, pieces []string) (old, new string) {
	pieces = append([]string{"*", "*"}, pieces...)
	rule := func() string {
		value := []string{"/", "/", "/", "*", ""}[r.IntN(5)]
		for range r.IntN(5) {
			value += pieces[r.IntN(len(pieces))]
		}
		return []string{"Allow: ", "Disallow: "}[r.IntN(2)] + value + []string{"\n", "\n", "$\n"}[r.IntN(3)]
	}
	var rules []string
	for range 1 + r.IntN(6) {
		rules = append(rules, rule())
	}
	old = "User-agent: *\n" + strings.Join(rules, "")
	switch i := r.IntN(len(rules)); r.IntN(5) {
	case 0:
		rules[i] = rule()
	case 1:
		rules = append(rules[:i:i], rules[i+1:]...)
	case 2:
		j := r.IntN(len(rules))
		rules[i], rules[j] = rules[j], rules[i]
	case 3:
		for i := range rules {
			rules[i] = rule()
		}
	case 4: // the same paths in another order
		for i := range rules {
			if r.IntN(2) == 0 && !strings.HasSuffix(rules[i], "$\n") {
				rules[i] = strings.TrimSuffix(rules[i], "\n") + strings.Repeat("*", 1+r.IntN(6)) + "\n"
			}
		}
	}
	return old, "User-agent: *\n" + strings.Join(rules, "")
}

type linePair struct {
	opens    bool
	old, new int
}

// checkPair compares two files with one group for every crawler, and checks the report by the
// engine's verdicts about some paths.
func checkPair(t *testing.T, old, new *robotstxt.Robots, paths []string, about string) semdiff.Effect {
	t.Helper()
	report := differences(t, old, new, semdiff.Config{})
	row := report.Rows[0]
	about = fmt.Sprintf("%s\n%+v", about, row)
	if row.Effect == semdiff.Undecided || !row.Complete || len(report.Rows) != 1 {
		t.Fatalf("undecided, incomplete or of several rows: %s", about)
	}
	checkWitnesses(t, old, new, report, about)
	listed := make(map[linePair]string)
	for _, change := range row.Changes {
		listed[linePair{change.Opens, change.OldLine, change.NewLine}] = change.Witness
	}
	seen := make(map[linePair]bool)
	before, after := old.Rules(), new.Rules()
	for _, path := range paths {
		was, oldLine := before.Verdict("http://host" + path)
		is, newLine := after.Verdict("http://host" + path)
		pair := linePair{is, oldLine, newLine}
		if was == is || seen[pair] {
			continue
		}
		seen[pair] = true
		witness, ok := listed[pair]
		if !ok {
			t.Fatalf("%q was missed: %s", path, about)
		}
		if symbols(old, new, witness) > symbols(old, new, path) {
			t.Fatalf("%q is shorter than %q: %s", path, witness, about)
		}
	}
	return row.Effect
}

func symbols(old, new *robotstxt.Robots, path string) (n int) {
	codes := old.Dialect() != robotstxt.Google || new.Dialect() != robotstxt.Google
	for i := 0; i < len(path); i++ {
		if codes && len(path)-i >= 3 && path[i] == '%' && isHex(path[i+1]) && isHex(path[i+2]) {
			i += 2
		}
		n++
	}
	return n
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

// checkWitnesses has the engine confirm each change of a report, and the effects that they
// add up to.
func checkWitnesses(t testing.TB, old, new *robotstxt.Robots, report *semdiff.Report, about string) {
	t.Helper()
	for _, row := range report.Rows {
		var opens, closes bool
		for _, change := range row.Changes {
			opens, closes = opens || change.Opens, closes || !change.Opens
			for _, crawler := range row.Crawlers {
				url := "http://host" + change.Witness
				was, oldLine := crawler.Rules(old).Verdict(url)
				is, newLine := crawler.Rules(new).Verdict(url)
				if was == is || is != change.Opens || oldLine != change.OldLine || newLine != change.NewLine {
					t.Fatalf("the engine says %v by line %d, then %v by line %d of %+v: %s", was, oldLine, is, newLine, change, about)
				}
			}
		}
		if row.Effect != semdiff.Undecided && row.Effect != effectOf(opens, closes) {
			t.Fatalf("the changes are not those of the effect: %s", about)
		}
	}
}

func effectOf(opens, closes bool) semdiff.Effect {
	return map[[2]bool]semdiff.Effect{
		{}: semdiff.Equal, {true, false}: semdiff.Opens, {false, true}: semdiff.Closes, {true, true}: semdiff.Both,
	}[[2]bool{opens, closes}]
}
