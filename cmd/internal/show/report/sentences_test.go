package report_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/internal/pattern"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

// closures are files that close nearly the whole site, as people write them.
var closures = []string{
	"User-agent: *\nAllow: /$\nAllow: /about\nAllow: /blog\nAllow: /contact\nDisallow: /\n",
	"User-agent: *\nAllow: /about\nDisallow: /\n",
	"User-agent: *\nDisallow: *\nAllow: /*.css$\nAllow: /*.js$\n",
}

// ordinary are paths of usual sites, which no rule of a file suggests.
var ordinary = []string{"/", "/about", "/about/team", "/blog", "/blog/", "/blog/2026/05/a-day", "/cart", "/contact", "/de/", "/favicon.ico",
	"/index.html", "/news/1", "/p?id=7", "/products/red-shoe", "/search?q=shoe", "/shop/shoes?sort=price", "/style.css", "/wp-admin/", "/x.pdf"}

// sentence is what a text says about an effect on one crawler.
type sentence struct {
	text   string
	opens  bool
	but    bool    // all paths except those of list; otherwise those of list
	list   []claim // nil if all is true
	all    bool    // list has each pattern
	was    string  // open or closed, except those of before; "" if the text does not say it
	before []claim
}

// claim is a pattern of a sentence.
type claim struct {
	pattern string
	part    bool
	without []string
}

var (
	effectForm = regexp.MustCompile("^(closes|opens) (the whole site|nearly the whole site|(all but )?(.*?)) for X(?:, by [^;]*)?(?:; it was (open|closed)(?: except (.*))?|; .*)?$")
	claimForm  = regexp.MustCompile(`^(\S+)(?: \(except ([^()]*)\)| (\(in part\)))?(?:, | and |$)`)
)

// parse reads a text about crawlers that are called X.
func parse(t *testing.T, text string) *sentence {
	m := effectForm.FindStringSubmatch(text)
	if m == nil {
		t.Errorf("%q has no known form", text)
		return nil
	}
	s := &sentence{text: text, opens: m[1] == "opens", but: m[3] != "" || strings.HasSuffix(m[2], "the whole site")}
	s.list, s.all = claims(m[4])
	s.all = s.all && !strings.HasPrefix(m[2], "nearly")
	before, all := claims(m[6])
	s.before = before
	if all {
		s.was = m[5]
	}
	return s
}

// claims reads a list of patterns. It does not have all if it ends with a number, or perhaps with others.
func claims(text string) (list []claim, all bool) {
	for text != "" {
		m := claimForm.FindStringSubmatch(text)
		if m == nil || !strings.ContainsAny(m[1][:1], "/*") {
			return list, false
		}
		c := claim{pattern: m[1], part: m[3] != ""}
		if m[2] != "" {
			for _, w := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ' ' || r == ',' }) {
				if w != "and" {
					c.without = append(c.without, w)
				}
			}
		}
		list, text = append(list, c), text[len(m[0]):]
	}
	return list, true
}

// reader is how a crawler reads a file.
type reader struct{ rules robotstxt.Rules }

func (s reader) allows(path string) bool { return s.rules.Allowed("http://host" + path) }

func (s reader) matches(of, path string) bool {
	d := s.rules.Dialect()
	p := pattern.New(of, d.Traits().Wildcards)
	p.Slashes = d.Traits().QuerySlash
	return p.Matches(d.EncodePath("http://host" + path))
}

// find returns whether a path matches a claim, and whether a claim is about it for certain.
func (s reader) find(list []claim, path string) (isNamed, isCertain bool) {
	for _, c := range list {
		if s.matches(c.pattern, path) {
			takes := func(p string) bool { return s.matches(p, path) }
			isNamed = true
			isCertain = isCertain || !c.part && !slices.ContainsFunc(c.without, takes)
		}
	}
	return isNamed, isCertain
}

// contradicts reports whether a path contradicts a sentence about two files.
func (s *sentence) contradicts(old, new reader, path string) bool {
	for _, r := range []reader{old, new} {
		if r.rules.Dialect().EncodePath("http://host"+path) == "/robots.txt" {
			return false // it is always allowed
		}
	}
	was, is := old.allows(path), new.allows(path)
	isNamed, isCertain := new.find(s.list, path)
	if s.but && (isCertain && is == s.opens || s.all && !isNamed && is != s.opens) {
		return true
	}
	if !s.but && (isCertain && is != s.opens || s.all && !isNamed && was != is && is == s.opens) {
		return true
	}
	isNamed, isCertain = old.find(s.before, path)
	wasOpen := s.was == "open"
	return s.was != "" && (isCertain && was == wasOpen || !isNamed && was != wasOpen)
}

// sentences counts what sentences are compared with.
type sentences struct{ pairs, texts, listed, urls int }

// check compares two files, and each sentence about them with its URLs.
func (n *sentences) check(t *testing.T, old, new []byte) {
	t.Helper()
	n.pairs++
	result, err := compare.Run(context.Background(), compare.Question{Old: old, New: new})
	if err != nil {
		t.Fatal(err)
	}
	for i := range result.Rows {
		row := &result.Rows[i]
		if row.Of == nil || len(row.Sizes) == 0 {
			continue
		}
		dialect := robotstxt.Google
		for _, reading := range result.Readings {
			if slices.Contains(reading.Agents, row.Agents[0]) {
				dialect = reading.Dialect
			}
		}
		crawler := row.Of.Crawlers[0]
		sides := [2]reader{{crawler.Rules(dialect.Parse(old))}, {crawler.Rules(dialect.Parse(new))}}
		var patterns []string
		for _, s := range sides {
			for rule := range s.rules.All() {
				patterns = append(patterns, rule.Pattern)
			}
		}
		paths := slices.AppendSeq(slices.Clone(ordinary), witness.Paths(patterns, 200))
		for e := range row.Sizes {
			s := parse(t, report.EffectText(row, &row.Sizes[e], "X"))
			if s == nil {
				continue
			}
			n.texts++
			if s.all {
				n.listed++
			}
			for _, path := range paths {
				n.urls++
				if s.contradicts(sides[0], sides[1], path) {
					t.Errorf("%s: %q, which %s contradicts\n%s---\n%s", row.Agents[0], s.text, path, shortened(old), shortened(new))
					return
				}
			}
		}
	}
}

func shortened(body []byte) []byte { return body[:min(len(body), 500)] }

// TestSentences: no sentence about two files is contradicted by a URL. The pairs are real files with closures of nearly
// the whole site, with edits that close them but for exceptions, and with the next real file.
func TestSentences(t *testing.T) {
	bodies, _ := witness.Corpora(t)
	closing, real := 30, 60
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		closing, real = 300, 1200
	}
	var n sentences
	for i := range closing {
		body := bodies[i*len(bodies)/closing]
		n.check(t, body, []byte(closures[i%len(closures)]))
		for k, lines := range []string{"Disallow: /\nAllow: /$\nAllow: /about\n", "Disallow: /\nAllow: /blog/\nDisallow: /blog/drafts/\n"} {
			edited := append([]byte("User-agent: *\n"+lines+"\n"), body...)
			pair := [2][]byte{body, edited}
			n.check(t, pair[k], pair[1-k])
		}
	}
	for i := range real {
		at := i * len(bodies) / real
		n.check(t, bodies[at], bodies[(at+1)%len(bodies)])
	}
	t.Logf("%d pairs, %d sentences, %d of which name all patterns, %d comparisons with a URL", n.pairs, n.texts, n.listed, n.urls)
	if n.listed < n.pairs {
		t.Errorf("%d of %d sentences about %d pairs name all patterns", n.listed, n.texts, n.pairs)
	}
}

// TestClosures: of 360 closures of real files, 360 are named as what they are.
func TestClosures(t *testing.T) {
	bodies, names := witness.Corpora(t)
	named, files := 0, 0
	for i := 0; files < 120 && i < len(bodies); i += len(bodies) / 200 {
		if !semdiff.Rest(robotstxt.Parse(bodies[i]).Rules()) {
			continue // it is closed before
		}
		files++
		for _, closure := range closures {
			result, err := compare.Run(t.Context(), compare.Question{Old: bodies[i], New: []byte(closure)})
			if err != nil {
				t.Fatal(err)
			}
			for r := range result.Rows {
				row := &result.Rows[r]
				if !slices.Contains(row.Agents, compare.Any) || len(row.Sizes) == 0 {
					continue
				}
				text := report.EffectText(row, &row.Sizes[0], "X")
				if row.Sizes[0].Effect == wire.Closes && row.Sizes[0].Size.IsSite() && strings.HasPrefix(text, "closes all but ") {
					named++
				} else {
					t.Errorf("%s, closed by %q: %s", names[i], closure, text)
				}
			}
		}
	}
	if named != 360 {
		t.Errorf("%d of %d closures are named", named, 3*files)
	}
}
