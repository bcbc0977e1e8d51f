// Package surfaces contains questions about crawlers and URLs, and the one answer that
// every way to ask must give: the packages, the commands, the service, JavaScript, the page.
// Its tests ask them. A new surface belongs there too.
package surfaces

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentlist"
	"github.com/kosterhq/robotstxt/origin"
)

// Case is a robots.txt, as a file or as the response of a site.
type Case struct {
	Name   string
	Body   []byte
	Status int // of the response; 200 for a file

	parsed sync.Map // *robotstxt.Robots by dialect: each file has hundreds of questions
}

func (c *Case) robots(d robotstxt.Dialect) *robotstxt.Robots {
	if parsed, ok := c.parsed.Load(d); ok {
		return parsed.(*robotstxt.Robots)
	}
	body, _, _ := robotstxt.ReadBody(bytes.NewReader(c.Body), 0) // a reader of bytes does not fail
	parsed := d.Parse(body)
	c.parsed.Store(d, parsed)
	return parsed
}

// Host returns the host of a site that serves the case.
func (c *Case) Host() string { return strings.ReplaceAll(c.Name, " ", "-") + ".example" }

// international is the first label of a host in Unicode, and asciiLabel the same in ASCII.
const international, asciiLabel = "Bücher.", "xn--bcher-kva."

// Hosts returns the hosts of the URLs in ASCII.
func (c *Case) Hosts() []string { return []string{c.Host(), asciiLabel + c.Host()} }

// Question asks about a crawler and a URL.
type Question struct {
	*Case
	Agent   string             // a crawler in the notation of lists: a chain has colons
	URL     string             // as typed
	Dialect *robotstxt.Dialect // nil for the crawler's own reading
}

// Answer is the answer of every surface. A surface that cannot express a field omits it.
type Answer struct {
	Verdict   string `json:"verdict"` // allowed, disallowed, unknown
	Line      int    `json:"line"`
	MatchedBy string `json:"matched_by"`
	Dialect   string `json:"dialect"`
}

// Tokens returns the tokens of the crawler.
func (q *Question) Tokens() []string {
	chains, err := agentlist.Parse(q.Agent)
	if err != nil || len(chains) != 1 {
		panic(fmt.Sprintf("%q is not one crawler", q.Agent))
	}
	return chains[0]
}

// DialectName returns the name of the dialect, "" for the crawler's own reading.
func (q *Question) DialectName() string {
	if q.Dialect == nil {
		return ""
	}
	return q.Dialect.String()
}

func (q *Question) String() string {
	return fmt.Sprintf("%s, %s, %q, dialect %q", q.Name, q.Agent, q.URL, q.DialectName())
}

// Text returns the answer about the URL as typed.
func (q *Question) Text() Answer { return q.answer(origin.Text(q.URL)) }

// Request returns the answer about the URL as net/http sends it. ok is false if net/http
// refuses the URL.
func (q *Question) Request() (a Answer, ok bool) {
	u, _, err := origin.ParseRequest(q.URL)
	if err != nil {
		return Answer{}, false
	}
	return q.answer(u), true
}

func (q *Question) answer(u origin.URL) Answer {
	reading, ok := crawlers.ReadingOf(q.Tokens()...)
	reading = reading.In(q.Dialect)
	a := Answer{Verdict: "unknown", MatchedBy: "none", Dialect: reading.Dialect.String()}
	if !ok && q.Dialect == nil {
		return a
	}
	rules := reading.Rules(q.robots(reading.Dialect))
	switch {
	case q.Status >= 500:
		rules = robotstxt.DisallowAll("")
	case q.Status >= 400:
		rules = robotstxt.AllowAll("")
	}
	d := rules.Explain(u.Compared())
	a.Verdict, a.Line, a.MatchedBy = "disallowed", d.Line, string(d.MatchedBy)
	if d.Allowed {
		a.Verdict = "allowed"
	}
	return a
}

// MarshalJSON writes the question for programs in other languages, with the name of its file,
// which they get once.
func (q *Question) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Case    string `json:"case"`
		Token   string `json:"token"` // the first of the crawler
		Agent   string `json:"agent"`
		URL     string `json:"url"`
		Dialect string `json:"dialect,omitempty"`
	}{q.Name, q.Tokens()[0], q.Agent, q.URL, q.DialectName()})
}

// Crawlers are the crawlers of the questions: an unnamed one, known ones with fallbacks or
// without the groups for star, tokens that Google's parser cannot match, and one that no
// parser can.
func Crawlers() []string {
	return []string{
		"*", "FooBot", "foobot", "Googlebot", "Googlebot-Image", "Googlebot-News:Googlebot", "AdsBot-Google", "AdsBot-Google:Googlebot", "bingbot", "GPTBot",
		"MJ12bot", "AI2Bot", "img2dataset", "360Spider", `"Sogou web spider"`, `"Sogou web spider":Googlebot`, "MJ12bot:FooBot", "x.y",
	}
}

var paths = []string{
	"", "/", "/private/", "/private", "/Private/x", "/a%20b", "/a b", "/müller/x", "/m%FCller/x", "/m%fcller/x", "/public/../private/x", "/public/%2e%2e/private/x",
	`/public\..\private`, "/%7Ejoe", "/~joe", "/x?q=1 2", "/x?q=%2F", "/robots.txt", "/page#top", "/p|q", "/img/a.png", "/a%2Fb", "/a/b", "/index.html", "/?a=/private/",
}

// URLs returns the URLs about a host, in the forms in which people type them.
func URLs(host string) (urls []string) {
	for _, path := range paths {
		urls = append(urls, "http://"+host+path)
	}
	return append(urls, "HTTP://"+strings.ToUpper(host)+":80/private/", " http://"+host+"/private/ ", "http://"+host+"/pri\tvate/", "http://user:secret@"+host+"/private/",
		"http:/"+host+"/private/", "https://"+host+"/private/", "HTTPS://"+host+":443/a b", "http://"+international+host+"/private/", "https://"+international+host+"/private/x")
}

// Cases returns the files and responses of the questions.
func Cases() []*Case {
	text := func(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	shop := text("User-agent: Googlebot", "Disallow: /private/", "Allow: /private/x", "", "User-agent: FooBot", "User-agent: MJ12bot", "Disallow: /", "Allow: /public", "", "User-agent: *", "Disallow: /a b", "Disallow: /*.png$")
	utf16le := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(string(shop))) {
		utf16le = append(utf16le, byte(unit), byte(unit>>8))
	}
	long := slices.Concat(text("User-agent: *", "Disallow: /private/"), []byte(strings.Repeat("# filling\n", 60_000)), text("Disallow: /"))
	cases := []*Case{
		{Name: "shop", Body: shop},
		{Name: "digits", Body: text("User-agent: MJ12bot", "User-agent: AI2Bot", "Disallow: /", "", "User-agent: img2dataset", "Disallow: /private/", "", "User-agent: *", "Allow: /")},
		{Name: "digits cut", Body: text("User-agent: MJ", "Disallow: /private/", "", "User-agent: AI", "Disallow: /", "", "User-agent: x.y", "Disallow: /a")},
		{Name: "blank token", Body: text("User-agent: Sogou web spider", "User-agent: 360Spider", "Disallow: /", "", "User-agent: Sogou", "Disallow: /private/")},
		{Name: "star only", Body: text("User-agent: *", "Disallow: /private/", "Disallow: /a%20b", "Disallow: /m%FCller/")},
		{Name: "named only", Body: text("User-agent: Googlebot", "Disallow: /private/")},
		{Name: "adsbot", Body: text("User-agent: *", "Disallow: /", "", "User-agent: AdsBot-Google", "Disallow: /private/")},
		{Name: "empty", Body: nil},
		{Name: "no group", Body: text("Disallow: /", "Sitemap: http://no-group.example/s.xml")},
		{Name: "empty rule", Body: text("User-agent: *", "Disallow:", "", "User-agent: FooBot", "Disallow: ")},
		{Name: "ties", Body: text("User-agent: *", "Disallow: /private", "Allow: /private", "Disallow: /a", "Allow: /a%20b")},
		{Name: "wildcards", Body: text("User-agent: *", "Disallow: /*?q=", "Disallow: /*.png$", "Disallow: /*%2F", "Allow: /$")},
		{Name: "encodings", Body: text("User-agent: *", "Disallow: /müller/", "Disallow: /~joe", "Disallow: /a%2fb", "Disallow: /p|q")},
		{Name: "latin1", Body: []byte("User-agent: *\nDisallow: /m\xFCller/\n")},
		{Name: "index", Body: text("User-agent: *", "Disallow: /", "Allow: /index.html")},
		{Name: "bom", Body: slices.Concat([]byte("\xEF\xBB\xBF"), shop)},
		{Name: "utf16", Body: utf16le},
		{Name: "cr", Body: []byte(strings.ReplaceAll(string(shop), "\n", "\r"))},
		{Name: "crlf", Body: []byte(strings.ReplaceAll(string(shop), "\n", "\r\n"))},
		{Name: "nul", Body: []byte("User-agent: *\nDisallow: /private/\x00x\nDisallow: /a\x00\n")},
		{Name: "html", Body: text("<!doctype html>", "<title>Not found</title>", "<p>User-agent: *", "Disallow: /private/", "</p>")},
		{Name: "typos", Body: text("useragent: *", "disalow: /private/", "dissallow /a")},
		{Name: "records", Body: text("User-agent: FooBot", "", "Disallow: /private/", "", "User-agent: *", "Disallow: /public", "", "Disallow: /a")},
		{Name: "one list", Body: text("User-agent: FooBot", "Crawl-delay: 3", "User-agent: *", "Disallow: /private/")},
		{Name: "dots", Body: text("User-agent: *", "Disallow: /public/", "Allow: /private/")},
		{Name: "truncated", Body: long},
		{Name: "missing", Body: text("User-agent: *", "Disallow: /"), Status: 404},
		{Name: "unavailable", Body: text("User-agent: *", "Allow: /"), Status: 503},
	}
	for _, c := range cases {
		if c.Status == 0 {
			c.Status = 200
		}
	}
	return cases
}

// Dialects returns the dialects of the questions, nil for the crawler's own reading first.
func Dialects() []*robotstxt.Dialect {
	dialects := []*robotstxt.Dialect{nil}
	for _, d := range robotstxt.Dialects() {
		dialects = append(dialects, &d)
	}
	return dialects
}

// Questions returns all questions, in an order that depends on the seed only.
func Questions(seed uint64) (all []*Question) {
	for _, c := range Cases() {
		for _, agent := range Crawlers() {
			for _, url := range URLs(c.Host()) {
				for _, dialect := range Dialects() {
					all = append(all, &Question{c, agent, url, dialect})
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}
