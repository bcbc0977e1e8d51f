package board_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// TestGoogle runs Google's own parser on the vectors of the dialect google and on
// 20,000 generated queries. It must give the verdict and the deciding line of the
// vectors, and those of this project.
func TestGoogle(t *testing.T) {
	if os.Getenv(driver.GoogleVariable) == "" {
		t.Skip("ROBOTSTXT_GOOGLE names no checkout of google/robotstxt")
	}
	google, err := driver.Google().Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer google.Close()
	google.Patience = 10 * time.Minute // thousands of stars and a long path take it seconds, and more on a busy machine
	t.Logf("google/robotstxt, %s", google.Version)
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	vectors = conformance.Only(vectors, conformance.Google)
	t.Run("vectors", func(t *testing.T) { googleVectors(t, google, vectors) })
	t.Run("generated", func(t *testing.T) { googleGenerated(t, google, vectors) })
}

func googleVectors(t *testing.T, google *driver.Process, vectors []conformance.Vector) {
	checks := 0
	failures := conformance.Run(func(_ string, body []byte, agents []string, url string) (bool, int) {
		checks++
		allowed, line, err := google.Query(body, agents, url)
		if err != nil {
			t.Fatal(err)
		}
		return allowed, line
	}, vectors)
	for _, f := range failures {
		t.Error(f)
	}
	t.Logf("%d checks", checks)
}

// The flags of the generated queries: how many, and the seed of the files.
var (
	queryCount = flag.Int("queries", 20_000, "number of generated queries")
	querySeed  = flag.Uint64("seed", 13, "seed of the generated queries")
)

func googleGenerated(t *testing.T, google *driver.Process, vectors []conformance.Vector) {
	g := newQueryGenerator(vectors)
	differ, decided := 0, 0
	for range *queryCount {
		body, agents, url := g.next()
		allowed, line, err := google.Query(body, agents, url)
		if err != nil {
			t.Fatalf("%v\n%q\n%q %q", err, body, agents, url)
		}
		rules := robotstxt.Parse(body).Rules(agents...)
		ours := rules.Explain(url)
		for range g.repeated { // until there is an index
			rules.Allowed(url)
		}
		indexed, indexedLine := rules.Verdict(url)
		once := robotstxt.Allowed(body, url, agents...)
		if once != ours.Allowed || ours.Allowed != allowed || ours.Line != line || indexed != allowed ||
			indexedLine != line {
			t.Errorf("%q\n%q %q: we %v, once %v, line %d; google %v, line %d", body, agents, url, ours.Allowed, once, ours.Line, allowed, line)
			if differ++; differ == 10 {
				t.FailNow()
			}
		}
		if line > 0 {
			decided++
		}
	}
	t.Logf("%d queries with the seed %d, %d decided by a line", *queryCount, *querySeed, decided)
	if decided < *queryCount/4 {
		t.Errorf("only %d queries are decided by a line", decided)
	}
}

// queryGenerator makes files by joining lines of the vectors, which contain every
// oddity that some clause is about, and of generated files, some with a byte
// changed. Agents and URLs are those of the vectors, and URLs at which a verdict
// of the file can change. Every fourth file is one of edgeFile.
type queryGenerator struct {
	*rand.Rand
	lines, ends  [][]byte
	agents, urls []string

	body     []byte // of the next queries
	made     []string
	latest   string // an agent of the file
	repeated int    // how often a query of the file is repeated before its answer counts
}

func newQueryGenerator(vectors []conformance.Vector) *queryGenerator {
	g := &queryGenerator{Rand: rand.New(rand.NewPCG(*querySeed, 3)),
		ends: [][]byte{[]byte("\n"), []byte("\n"), []byte("\n"), []byte("\r\n"), []byte("\r"), []byte("\n\n")}}
	bodies := corpus.Generate(corpus.DefaultSeed, 200)
	for _, v := range vectors {
		bodies = append(bodies, v.Body)
		for _, c := range v.Checks {
			g.agents = append(g.agents, c.Agents...)
			g.urls = append(g.urls, c.URL)
		}
	}
	for _, body := range bodies {
		for l := range robotstxt.Lines(body) {
			g.lines = append(g.lines, bytes.TrimRight(l.Raw, "\r\n"))
		}
	}
	return g
}

func (g *queryGenerator) next() (body []byte, agents []string, url string) {
	if len(g.made) == 0 {
		g.file()
	}
	url, g.made = g.made[0], g.made[1:]
	for range g.IntN(3) {
		agents = append(agents, pick(g, g.agents))
	}
	if g.repeated > 0 && g.IntN(2) == 0 {
		agents = append(agents, g.latest)
	}
	// Google's parser takes no lists: driver.cc tries one token after another until
	// a group names one, and no group names a crawler whose token is "*".
	if len(agents) > 1 {
		agents = slices.DeleteFunc(agents, func(agent string) bool { return agent == "*" })
	}
	return g.body, agents, url
}

// file makes the next body and the URLs of its queries.
func (g *queryGenerator) file() {
	var body bytes.Buffer
	var patterns []string
	g.repeated = 0
	if g.IntN(4) == 0 {
		g.edgeFile()
		return
	}
	for range 1 + g.IntN(40) {
		line := pick(g, g.lines)
		switch g.IntN(8) {
		case 0:
			line = []byte("User-agent: " + pick(g, g.agents))
		case 1:
			line = []byte("User-agent: *")
		case 2:
			line = slices.Clone(line)
			if len(line) > 0 {
				line[g.IntN(len(line))] = "/*$%:# \tau-\x00\xE9"[g.IntN(13)]
			}
		}
		body.Write(line)
		body.Write(pick(g, g.ends))
	}
	g.body = body.Bytes()
	for l := range robotstxt.Lines(g.body) {
		if l.Kind == robotstxt.KindAllow || l.Kind == robotstxt.KindDisallow {
			patterns = append(patterns, string(l.Value))
		}
	}
	g.made = slices.Collect(witness.Paths(patterns, 12))
	for range 4 {
		g.made = append(g.made, pick(g, g.urls))
	}
	if n := g.IntN(4); n == 0 {
		g.made = append(g.made, fmt.Sprintf("https://example.com%s", g.made[0]))
	}
}

// edgeFile makes a file at the limits of the engine's fast paths: values and keys whose special
// bytes are at every place of a word of eight, lines of the maximum length, tokens that differ in
// one byte, and wildcards with long paths in numbers that lead to an index and to tables.
func (g *queryGenerator) edgeFile() {
	var body bytes.Buffer
	agent := g.text("abXY-_", 1+g.IntN(40))
	other := []byte(agent)
	other[g.IntN(len(other))] ^= "\x00\x20\x01"[g.IntN(3)]
	letters := pick(g, []string{"ab", "abc/", "abcdefgh/.?=", "a%2Fé/"})
	path := "/" + g.text(letters, g.IntN(40))
	long := g.IntN(8) == 0
	if long {
		path += g.text(letters, 2000)
	}
	rules := pick(g, []int{2, 8, 9, 10, 24, 25, 60})
	for i := range rules + 2 {
		if i == 0 || i == rules/2 {
			fmt.Fprintf(&body, "User-agent:%s%s%s", g.text(" \t", g.IntN(9)), pick(g, []string{agent, string(other), "*"}), pick(g, g.ends))
		}
		key := pick(g, []string{"Disallow", "Allow", "disallow", "ALLOW", "Dissallow", "Disallow "})
		pad := g.text(" ", g.IntN(5))
		if g.IntN(20) == 0 {
			pad = g.text(" ", pick(g, []int{66, 70, 71, 72, 73, 16_640, 16_648, 16_652, 16_655, 16_660}))
		}
		fmt.Fprintf(&body, "%s:%s%s%s", key, pad, g.edgeRule(path), pick(g, []string{"", " ", "#x", " \x00", "  #"}))
		if i <= rules {
			body.Write(pick(g, g.ends))
		}
	}
	g.body = body.Bytes()
	g.repeated = 70
	g.latest = agent
	g.made = []string{path, path + "x", path[:g.IntN(len(path))+1], "/" + g.text(letters, g.IntN(40))}
	if long {
		g.made = g.made[:2]
	}
}

// edgeRule makes a pattern of pieces of a path, in their order.
func (g *queryGenerator) edgeRule(path string) string {
	rule := ""
	at := 0
	for range 1 + g.IntN(4) {
		from := at + g.IntN(len(path)-at+1)
		if rule == "" {
			from = 0
		}
		end := from + g.IntN(min(len(path)-from, 80)+1)
		rule += path[from:end] + "*"
		at = end
	}
	switch g.IntN(4) {
	case 0:
		rule = rule[:len(rule)-1]
	case 1:
		rule = rule[:len(rule)-1] + "$"
	case 2:
		changed := []byte(rule)
		changed[g.IntN(len(changed))] = "/*$%: ab\xE9"[g.IntN(9)]
		rule = string(changed)
	}
	return rule
}

// text returns n random bytes of an alphabet.
func (g *queryGenerator) text(letters string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[g.IntN(len(letters))]
	}
	return string(b)
}

func pick[E any](g *queryGenerator, from []E) E { return from[g.IntN(len(from))] }
