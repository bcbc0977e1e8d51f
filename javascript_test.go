package robotstxt_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/agentlist"
	"github.com/kosterhq/robotstxt/internal/witness"
	"github.com/kosterhq/robotstxt/origin"
)

// TestJavaScriptCore compares the core of the npm package, which is written in TypeScript,
// with the engine: decisions with all their lines, delays and sitemaps, about the files of
// the generators here and about real ones.
func TestJavaScriptCore(t *testing.T) {
	npm := os.Getenv("ROBOTSTXT_NPM")
	if npm == "" {
		t.Skip("set ROBOTSTXT_NPM to the folder npm, once it is built")
	}
	questions := size(100_000, 5_000_000)
	script := exec.Command("node", "test/differential.mjs")
	script.Dir, script.Stderr = npm, os.Stderr
	in, err := script.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := script.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := script.Start(); err != nil {
		t.Fatal(err)
	}
	s := coreScript{t: t, r: rand.New(rand.NewPCG(28, 1)), out: bufio.NewWriterSize(in, 1<<20)}
	go func() {
		defer in.Close()
		s.askCorpus()
		for n := 0; s.asked < s.corpus+questions; n++ {
			s.askGenerated(n)
		}
		s.out.Flush()
	}()
	report, readErr := io.ReadAll(out)
	if err := errors.Join(readErr, script.Wait()); err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	t.Logf("%d questions about real files, %d about generated ones: %s", s.corpus, s.asked-s.corpus, report)
}

// coreScript writes questions for the script.
type coreScript struct {
	t             *testing.T
	r             *rand.Rand
	out           *bufio.Writer
	asked, corpus int
}

// latin1 returns a text with a character for each byte, for JSON.
func latin1(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

type coreFile struct {
	Body     string      `json:"body"`
	Dialect  string      `json:"dialect"`
	Agent    string      `json:"agent"` // in the notation of lists, "" for any
	Sitemaps []string    `json:"sitemaps"`
	Hosts    []string    `json:"hosts"`
	Delay    float64     `json:"delay"` // -1 if there is none
	URLs     []coreQuery `json:"urls"`
}

type coreQuery struct {
	URL      string             `json:"url"`
	AsIs     bool               `json:"as_is"`
	Decision robotstxt.Decision `json:"decision"`
}

// ask writes the questions about a file in all dialects.
func (s *coreScript) ask(body []byte, agents, urls []string) {
	for _, d := range robotstxt.Dialects() {
		robots := d.Parse(body)
		rules := robots.Rules(agents...)
		f := coreFile{Body: latin1(string(body)), Dialect: d.String(), Sitemaps: []string{}, Hosts: []string{}, Delay: -1}
		if len(agents) > 0 {
			f.Agent = latin1(quotedAgents(agents))
		}
		for sitemap := range robots.Sitemaps() {
			f.Sitemaps = append(f.Sitemaps, latin1(sitemap.URL))
		}
		for e := range robots.Extensions() {
			if e.Name == "Host" {
				f.Hosts = append(f.Hosts, latin1(e.Value))
			}
		}
		if delay, ok := rules.CrawlDelay(); ok {
			f.Delay = delay.Seconds()
		}
		for i, url := range urls {
			q := coreQuery{URL: latin1(url), AsIs: i%3 > 0}
			if !q.AsIs {
				url = origin.Text(url).Compared()
			}
			q.Decision = rules.Explain(url)
			q.Decision.Agent, q.Decision.Path = latin1(q.Decision.Agent), latin1(q.Decision.Path)
			for _, rule := range []*robotstxt.Rule{q.Decision.Rule, q.Decision.Tie} {
				if rule != nil {
					rule.Pattern = latin1(rule.Pattern)
				}
			}
			for i := range q.Decision.Others {
				q.Decision.Others[i].Pattern = latin1(q.Decision.Others[i].Pattern)
			}
			f.URLs = append(f.URLs, q)
			s.asked++
		}
		line, err := json.Marshal(f)
		if err != nil {
			s.t.Error(err)
		}
		s.out.Write(append(line, '\n'))
	}
}

// quotedAgents returns a chain in the notation of lists, all tokens in quotes.
func quotedAgents(agents []string) string {
	quoted := make([]string, len(agents))
	for i, agent := range agents {
		quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(agent) + `"`
	}
	return strings.Join(quoted, ":")
}

func (s *coreScript) askGenerated(n int) {
	r := s.r
	if n%4 == 0 {
		patterns := repeatedPatterns(r)
		var urls []string
		for range 12 {
			urls = append(urls, repeatedURL(r, patterns))
		}
		s.ask([]byte(repeatingBody(r, patterns)), []string{pick(r, repeatedTokens), pick(r, repeatedTokens)}[:r.IntN(3)], urls)
		return
	}
	body := []byte(randomBody(r))
	urls := witnessURLs(body, 8)
	for range 6 {
		urls = append(urls, randomURL(r), oddURL(r))
	}
	s.ask(body, randomAgents(r), urls)
}

// oddURL returns a text that a browser changes before it is a URL.
func oddURL(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pick(r, []string{"", " ", "\t"}))
	b.WriteString(pick(r, []string{"http://", "HTTPS:", "ftp:/", "ht\ttp:\\\\", "//", "/", "\\", "x:", "mailto:", ""}))
	b.WriteString(pick(r, []string{
		"", "h", "u:p@h", "H:80", "h:443", "h:0", "h:x", "[::1]", "[::1", "1.2.3", "0x7f.1", "1.2.3.4.5", "bücher.example", "a..b",
		"h.", "a b", "a;b", "h%41", "@h",
	}))
	for range r.IntN(7) {
		b.WriteString(pick(r, []string{
			"/", "/", "\\", ".", "..", "%2e", "%2E%2e", "a", "b", "?", "#", " ", "\n", "\"", "'", "<", "^", "|", "%41", "%c3%a9", "é",
			"\xE9", "%", ";", ":", "//", "@", "\x00", "\x7f", "{}",
		}))
	}
	return b.String()
}

// askCorpus writes questions about the crawlers of real files and any other.
func (s *coreScript) askCorpus() {
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTSTXT_CORPUS"), "*.txt"))
	if err != nil || os.Getenv("ROBOTSTXT_CORPUS") == "" {
		return
	}
	for i, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			s.t.Error(err)
			continue
		}
		var patterns, agents []string
		for l := range robotstxt.Lines(body) {
			switch l.Kind {
			case robotstxt.KindAllow, robotstxt.KindDisallow:
				patterns = append(patterns, string(l.Value))
			case robotstxt.KindUserAgent:
				agents = append(agents, string(l.Value))
			}
		}
		var urls []string
		for path := range witness.Paths(patterns, size(5, 20)) {
			urls = append(urls, "http://h"+path)
		}
		s.ask(body, nil, urls)
		if len(agents) > 0 {
			agent := agents[i%len(agents)]
			if _, err := agentlist.Parse(quotedAgents([]string{agent})); err == nil {
				s.ask(body, []string{agent}, urls)
			}
		}
	}
	s.corpus = s.asked
}
