package board_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/internal/witness"
)

// TestGoogle runs Google's own parser on the vectors of the dialect google and on
// 20,000 generated queries. It must give the verdict and the deciding line of the
// vectors, and those of this project.
func TestGoogle(t *testing.T) {
	if os.Getenv(driver.GoogleVariable) == "" {
		t.Skip("ROBOTSTXT_GOOGLE names no checkout of google/robotstxt")
	}
	installed, err := driver.Google().Install(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer installed.Remove()
	google, err := installed.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer google.Close()
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

const generatedQueries = 20_000

func googleGenerated(t *testing.T, google *driver.Process, vectors []conformance.Vector) {
	g := newQueryGenerator(vectors)
	differ, decided := 0, 0
	for range generatedQueries {
		body, agents, url := g.next()
		allowed, line, err := google.Query(body, agents, url)
		if err != nil {
			t.Fatalf("%v\n%q\n%q %q", err, body, agents, url)
		}
		ours := robotstxt.Parse(body).Rules(agents...).Explain(url)
		if once := robotstxt.Allowed(body, url, agents...); once != ours.Allowed || ours.Allowed != allowed || ours.Line != line {
			t.Errorf("%q\n%q %q: we %v, once %v, line %d; google %v, line %d", body, agents, url, ours.Allowed, once, ours.Line, allowed, line)
			if differ++; differ == 10 {
				t.FailNow()
			}
		}
		if line > 0 {
			decided++
		}
	}
	t.Logf("%d queries, %d decided by a line", generatedQueries, decided)
	if decided < generatedQueries/4 {
		t.Errorf("only %d queries are decided by a line", decided)
	}
}

// queryGenerator makes files by joining lines of the vectors, which contain every
// oddity that some clause is about, and of generated files, some with a byte
// changed. Agents and URLs are those of the vectors, and URLs at which a verdict
// of the file can change.
type queryGenerator struct {
	*rand.Rand
	lines, ends  [][]byte
	agents, urls []string

	body []byte // of the next queries
	made []string
}

func newQueryGenerator(vectors []conformance.Vector) *queryGenerator {
	g := &queryGenerator{Rand: rand.New(rand.NewPCG(13, 3)), ends: [][]byte{[]byte("\n"), []byte("\n"), []byte("\n"), []byte("\r\n"), []byte("\r"), []byte("\n\n")}}
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
	for range 1 + g.IntN(40) {
		line := pick(g, g.lines)
		switch g.IntN(8) {
		case 0:
			line = []byte("User-agent: " + pick(g, g.agents))
		case 1:
			line = []byte("User-agent: *")
		case 2:
			if line = slices.Clone(line); len(line) > 0 {
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

func pick[E any](g *queryGenerator, from []E) E { return from[g.IntN(len(from))] }
