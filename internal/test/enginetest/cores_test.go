package enginetest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/agentlist"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/origin"
)

// TestCores compares the cores in other languages, and the engine as WebAssembly, with the engine:
// decisions with all their lines, delays and sitemaps, about the files of the generators here and about
// real ones. Each gets the same questions: about one real file in sixteen, and with ROBOTSTXT_LONG about
// all. ROBOTSTXT_NPM is the folder of the npm package, by default that of the repository.
func TestCores(t *testing.T) {
	t.Parallel()
	questions := Size(5000, 100_000)
	every := Size(16, 1)
	var cores []*exec.Cmd
	npm := cmp.Or(os.Getenv("ROBOTSTXT_NPM"), "../../../npm")
	node, err := exec.LookPath("node")
	if _, errBuilt := os.Stat(filepath.Join(npm, "dist", "core.js")); err == nil && errBuilt == nil {
		script := exec.Command(node, "test/differential.mjs")
		script.Dir = npm
		cores = append(cores, script)
	} else {
		t.Log("NOT CHECKED: the core in JavaScript: it needs Node and npm/dist, which npm/build makes")
	}
	if python, err := exec.LookPath("python3"); err == nil {
		script := exec.Command(python, "tests/differential.py")
		script.Dir = "../../../python"
		script.Env = append(os.Environ(), "PYTHONPATH=src", "PYTHONDONTWRITEBYTECODE=1")
		cores = append(cores, script)
	} else {
		t.Log("NOT CHECKED: the core in Python: there is no python3")
	}
	if len(cores) == 0 {
		t.Skip("there is no Node and no Python")
	}
	var in []io.WriteCloser
	var to []io.Writer
	reports := make([]bytes.Buffer, len(cores))
	for i, core := range cores {
		pipe, err := core.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		in, to = append(in, pipe), append(to, pipe)
		core.Stdout, core.Stderr = &reports[i], &reports[i]
		if err := core.Start(); err != nil {
			t.Fatal(err)
		}
	}
	s := coreScript{t: t, r: rand.New(rand.NewPCG(28, 1)), out: bufio.NewWriterSize(io.MultiWriter(to...), 1<<20)}
	s.askHostile()
	s.askOrigin()
	s.askCorpus(every)
	for n := 0; s.asked < s.corpus+questions; n++ {
		s.askGenerated(n)
	}
	err = s.out.Flush() // of the first core that has ended early, whose report says why
	for i, core := range cores {
		in[i].Close()
		err = errors.Join(err, core.Wait())
		t.Logf("%s: %s", core.Args[0], reports[i].Bytes())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d questions about real and hostile files, %d about generated ones; %d of them about URLs that are typed",
		s.corpus, s.asked-s.corpus, s.typed)
}

// coreScript writes questions for the script.
type coreScript struct {
	t             *testing.T
	r             *rand.Rand
	out           *bufio.Writer
	asked, corpus int
	typed         int // of asked: URLs that are read as browsers do
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
	AsSent   bool               `json:"as_sent"`
	Decision robotstxt.Decision `json:"decision"`
}

// ask writes the questions about a file in all dialects. Every third URL is read as browsers do.
func (s *coreScript) ask(body []byte, agents, urls []string) {
	s.askAs(body, agents, urls, func(i int) bool { return i%3 > 0 })
}

// askAs is ask with a function that reports whether a URL is compared as it is.
func (s *coreScript) askAs(body []byte, agents, urls []string, asSent func(i int) bool) {
	for _, d := range robotstxt.Dialects() {
		robots := d.Parse(body)
		rules := robots.Rules(agents...)
		f := coreFile{Body: latin1(string(body)), Dialect: d.String(), Sitemaps: []string{}, Hosts: []string{},
			Delay: -1}
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
			q := coreQuery{URL: latin1(url), AsSent: asSent(i)}
			if !q.AsSent {
				s.typed++
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

// quotedAgents returns a chain in the notation of lists, all tokens in quotes, with codes for octets outside ASCII.
func quotedAgents(agents []string) string {
	quoted := make([]string, len(agents))
	for i, agent := range agents {
		var b strings.Builder
		for _, c := range []byte(agent) {
			switch {
			case c == '"' || c == '\\':
				b.WriteByte('\\')
				b.WriteByte(c)
			case c < ' ' || c >= 0x7F:
				fmt.Fprintf(&b, `\x%02X`, c)
			default:
				b.WriteByte(c)
			}
		}
		quoted[i] = `"` + b.String() + `"`
	}
	return strings.Join(quoted, ":")
}

func (s *coreScript) askGenerated(n int) {
	r := s.r
	if n%4 == 0 {
		body, agents, url := ManyRules(r)
		var urls []string
		for range 12 {
			urls = append(urls, url())
		}
		s.ask(body, agents, urls)
		return
	}
	body := []byte(RandomBody(r))
	urls := WitnessURLs(body, 8)
	for range 6 {
		urls = append(urls, RandomURL(r))
	}
	sent := len(urls)
	for range 6 {
		urls = append(urls, oddURL(r))
	}
	s.askAs(body, RandomAgents(r), urls, func(i int) bool { return i < sent && i%3 > 0 || i%6 == 5 })
}

// oddURL returns a text that a browser changes before it is a URL.
func oddURL(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pick(r, []string{"", " ", "\t"}))
	b.WriteString(pick(r, []string{"http://", "HTTPS:", "ftp:/", "ht\ttp:\\\\", "//", "/", "\\", "x:", "mailto:", ""}))
	b.WriteString(pick(r, []string{
		"", "h", "u:p@h", "H:80", "h:443", "h:0", "h:x", "[::1]", "[::1", "1.2.3", "0x7f.1", "1.2.3.4.5", "bücher.example", "a..b",
		"h.", "a b", "a;b", "h%41", "@h", "xn--a", "xn--", "a.xn--h", "٣", "a٣", "א", "aא", "א٣", "א1", "א1٣", "אa.h", "א-", "h.א.b", "é.א", "ا.۳",
		"%CC%81", "a\u0301", "日本", "क्", "क\u094d\u200d", "ß", "ⓐ", "ａ．b", "a\u00ad", "\uFFFD", "%E4", "１.2.3.4", "0.0.0.0x", "☃", "😀", "h%2Fa",
	}))
	for range r.IntN(7) {
		b.WriteString(pick(r, []string{
			"/", "/", "\\", ".", "..", "%2e", "%2E%2e", "a", "b", "?", "#", " ", "\n", "\"", "'", "<", "^", "|", "%41", "%c3%a9", "é",
			"\xE9", "%", ";", ":", "//", "@", "\x00", "\x7f", "{}",
		}))
	}
	return b.String()
}

// askHostile writes questions about files that are made to take long or to be misread.
func (s *coreScript) askHostile() {
	defer func() { s.corpus = s.asked }()
	stars := "User-agent: *\nDisallow: /" + strings.Repeat("*a", 2000) + "b$\nAllow: /" + strings.Repeat("a*", 1000)
	urls := []string{"/" + strings.Repeat("a", 20_000), "/" + strings.Repeat("ab", 10_000) + "b", "/?" + strings.Repeat("a%2Fa/", 3000), "http://h/" + strings.Repeat("../", 500) + "a"}
	for _, body := range []string{
		stars,
		"User-agent: *\nDisallow: /" + strings.Repeat("*", 16_000) + "x",
		"User-agent: *\nDisallow: /" + strings.Repeat("a%2F*", 400) + "$\nDisallow: /*?" + strings.Repeat("*%2fa", 200),
		strings.Repeat("User-agent: a\n", 500) + strings.Repeat("Crawl-delay: 1\nUser-agent: *\n", 500) + "Disallow: /a",
		"User-agent: *\nDisallow: /a*a$\nDisallow: /*/x%2Fy*z\nDisallow: /*%2Fx?%2Fy$\nDisallow: /?%2Fa*",
		"User-agent: *\nAllow: /a/$\nAllow: /a/index.html\nDisallow: /a/\nAllow: /a/index.htmx\nAllow: /a/$",
		"User-agent: *\n" + strings.Repeat(" ", 16_662) + "#\nDisallow" + strings.Repeat("x", 16_655) + ":/a\r\rDisallow: /" + strings.Repeat("a", 17_000),
		"\xEF\xBBUser-agent: *\x00\nDisallow : /a\x00b\n\x00#\nAllow\t/a",
		strings.Repeat("\r", 5000) + "User-agent *\r\nDisallow /a\nallow a b c\nCrawl-delay: .5\nCrawl-delay: 99999999999999999999",
	} {
		s.ask([]byte(body), nil, append([]string{"/a/", "/a", "/a/index.html", "/a\x00b", "/aaaaaaaaaaaaaaaaaaaaaaaaab", "/q/x/yz?%2F", "/q?/x/yz", "/a/x?/y", "/a%2Fx?/y", "/.//h/x", "/a/./a"}, urls...))
	}
}

// askOrigin asks for the compared form of all texts in the tests of package origin, which its
// tests of browsers and of spellings share with nobody else.
func (s *coreScript) askOrigin() {
	texts := map[string]bool{}
	for _, name := range []string{"origin_test.go", "spelling_test.go", "url_test.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), "../../../origin/"+name, nil, 0)
		if err != nil {
			s.t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, _ := strconv.Unquote(literal.Value)
				texts[text] = true
			}
			return true
		})
	}
	data, err := os.ReadFile("../../../origin/testdata/wpt/http.json")
	if err != nil {
		s.t.Fatal(err)
	}
	var browsers []struct{ Input string }
	if err := json.Unmarshal(data, &browsers); err != nil {
		s.t.Fatal(err)
	}
	for _, c := range browsers {
		texts[c.Input] = true
	}
	if len(texts) < 700 {
		s.t.Errorf("there are %d texts", len(texts))
	}
	s.askAs([]byte("User-agent: *\nDisallow: /a"), nil, slices.Sorted(maps.Keys(texts)), func(int) bool { return false })
	s.corpus = s.asked
}

// askCorpus writes questions about the crawlers of some real files and any other: one in every.
func (s *coreScript) askCorpus(every int) {
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTSTXT_CORPUS"), "*.txt"))
	if err != nil || os.Getenv("ROBOTSTXT_CORPUS") == "" {
		return
	}
	for i, name := range names {
		if i%every > 0 {
			continue
		}
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
		for path := range witness.Paths(patterns, Size(5, 20)) {
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
