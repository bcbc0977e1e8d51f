package visits_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/history"
)

// thirdWorld simulates a site behind proxies, by the guide and the law alone. Its shapes are not in the other
// worlds: downloads of hours whose lines have the time of their end; local times without a zone over the
// hour that comes twice; robots.txt on another host; a sitemap in a disallowed folder; a firewall's
// challenge with 202; X-Forwarded-For with a forged beginning; a crawler that keeps files for a month;
// requests that are not GET; and servers that log the path they found: the page of a folder, a page for all paths
// without a file, and percent codes that they decoded.
type thirdWorld struct {
	random  *rand.Rand
	begin   time.Time
	end     time.Time
	changed time.Time     // when /private and /files were disallowed
	stale   time.Duration // how long the cache keeps the file, less an hour
	wall    [2]time.Time
	walled  string // the crawler whose fetches the firewall challenges
	rude    string
	events  []event
}

// event is a request, and what its sender did.
type event struct {
	at, logged     time.Time
	host, addr     string
	forwarded      string // what the client sent as X-Forwarded-For
	isDirect       bool   // not through a proxy
	agent          string
	method, target string
	status         int
	bytes          int64
	disobeyed      bool // by a real crawler, against the copy that it held
	isProvable     bool
}

const sitemap = "/private/map.xml"

// targets are what crawlers request, if they hold a file that allows it.
var targets = []string{
	"/tea/%d", "/cart/%d", "/cart/x?%d", "/private/%d", "/files/%d.iso", sitemap + "?%d",
	"/?%d", "/index.php?%d", "/docs/%d", "/docs%%2F%d", "/~joe/%d", "/%%7Ejoe/%d", "/nothing/%d", "/app/front.php?%d",
}

func newThirdWorld(seed uint64) *thirdWorld {
	w := &thirdWorld{random: rand.New(rand.NewPCG(seed, 66)), begin: time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC)}
	w.end = w.begin.AddDate(0, 0, 12)
	w.stale = time.Duration(seed%2) * 23 * time.Hour
	w.changed = w.begin.Add(w.between(20*time.Hour, 60*time.Hour))
	w.rude = []string{"GPTBot", "CCBot"}[w.random.IntN(2)]
	w.walled = []string{"GPTBot", "CCBot"}[w.random.IntN(2)]
	w.wall[0] = w.begin.Add(w.between(48*time.Hour, 150*time.Hour))
	w.wall[1] = w.wall[0].Add(w.between(2*time.Hour, 12*time.Hour))
	for _, crawler := range []string{"GPTBot", "CCBot", "Amazonbot"} {
		w.crawl(crawler)
	}
	w.others()
	slices.SortStableFunc(w.events, func(a, b event) int { return a.logged.Compare(b.logged) })
	return w
}

func (w *thirdWorld) between(least, most time.Duration) time.Duration {
	return least + time.Duration(w.random.Int64N(int64(most-least)))
}

// closed returns the folders that the file of a time closes.
func (w *thirdWorld) closed(at time.Time) []string {
	if at.Before(w.changed) {
		return []string{"/cart"}
	}
	return []string{"/cart", "/private", "/files", "/docs/", "/index.php", "/~joe", "/app"}
}

func (w *thirdWorld) body(at time.Time) string {
	body := "Sitemap: https://shop.example" + sitemap + "\nUser-agent: *\n"
	for _, folder := range w.closed(at) {
		body += "Disallow: " + folder + "\n"
	}
	return body
}

// crawl simulates a crawler, which fetches robots.txt through a cache of a day and keeps it for a day or a
// month. It begins before the logs.
func (w *thirdWorld) crawl(crawler string) {
	keep := 24 * time.Hour
	if crawler == "Amazonbot" {
		keep = 720 * time.Hour
	}
	var closed []string
	var fetched, until time.Time
	for at := w.begin.Add(-70 * time.Hour); at.Before(w.end); at = at.Add(w.between(time.Minute, time.Hour)) {
		if !at.Before(until) {
			fetched, until = at, at.Add(w.between(keep*9/10, keep))
			closed = w.fetch(crawler, at)
		}
		e := event{at: at, logged: at, host: "shop.example", addr: addresses[crawler], agent: crawler, method: "GET"}
		e.status, e.bytes = 200, 900
		e.target = fmt.Sprintf(targets[w.random.IntN(len(targets))], w.random.IntN(9))
		if strings.HasPrefix(e.target, sitemap) {
			e.target = sitemap // named by the file
		} else if w.random.IntN(20) == 0 {
			e.method = []string{"POST", "OPTIONS"}[w.random.IntN(2)]
		}
		if strings.HasPrefix(e.target, "/files/") {
			e.bytes = 3e8
			e.logged = at.Add(w.between(time.Minute, 12*time.Hour))
		}
		isIn := func(folder string) bool { return strings.HasPrefix(e.target, folder) }
		isClosed := slices.ContainsFunc(closed, isIn) && e.target != sitemap && e.method == "GET"
		e.disobeyed = isClosed && crawler == w.rude
		isTarget := at.Sub(fetched) < 3*time.Minute // it might be where robots.txt redirects
		isWalled := crawler == w.walled &&
			!at.Before(w.wall[0].Add(-time.Hour)) && !at.After(w.wall[1].Add(74*time.Hour))
		e.isProvable = e.disobeyed && strings.HasPrefix(e.target, "/cart") && !isTarget && !isWalled &&
			at.After(w.begin.Add(74*time.Hour))
		if !isClosed || e.disobeyed {
			w.add(e)
		}
	}
}

// fetch fetches robots.txt: a redirect leads to a file on another host, or a firewall challenges it.
func (w *thirdWorld) fetch(crawler string, at time.Time) (closed []string) {
	e := event{at: at, logged: at, host: "shop.example", addr: addresses[crawler], agent: crawler, method: "GET"}
	e.target, e.status = "/robots.txt", 302
	if crawler == w.walled && at.After(w.wall[0]) && at.Before(w.wall[1]) {
		e.status, e.bytes = 202, 700
		w.add(e)
		return nil
	}
	w.add(e)
	e.logged = at.Add(time.Second)
	e.host, e.target, e.status, e.bytes = "static.example", "/rules/shop", 200, 99
	w.add(e)
	return w.closed(at.Add(-w.between(w.stale, w.stale+time.Hour))) // from a cache
}

// others simulates people and false crawlers, who send crawlers' addresses in X-Forwarded-For.
func (w *thirdWorld) others() {
	for at := w.begin; at.Before(w.end); at = at.Add(w.between(time.Minute, 40*time.Minute)) {
		e := event{
			at: at, logged: at, host: "shop.example", addr: fmt.Sprintf("11.77.%d.9", w.random.IntN(200)), agent: "Firefox",
			method: "GET", target: "/cart/1?a=b", status: 200, bytes: 5,
		}
		if w.random.IntN(2) == 0 {
			e.agent = []string{"GPTBot", "CCBot", "Amazonbot"}[w.random.IntN(3)]
			e.forwarded = addresses[e.agent]
			e.isDirect = w.random.IntN(2) == 0
		}
		w.add(e)
	}
}

func (w *thirdWorld) add(e event) {
	if !e.logged.Before(w.begin) && e.logged.Before(w.end) {
		w.events = append(w.events, e)
	}
}

// proxied returns the line that a server behind a proxy writes.
func (e *event) proxied() string {
	addr, forwarded := "10.0.0.3", e.addr
	if e.forwarded != "" {
		forwarded = e.forwarded + ", " + e.addr
	}
	if e.isDirect {
		addr, forwarded = e.addr, e.forwarded
	}
	at := e.logged.Format("02/Jan/2006:15:04:05 -0700")
	request := fmt.Sprintf("%s %s HTTP/1.1", e.method, e.target)
	return fmt.Sprintf("%s:443 %s - - [%s] %q %d %d \"-\" \"%s/1.0\" %q\n", e.host, addr, at, request, e.status, e.bytes, e.agent, forwarded)
}

// local returns a line with a local time without a zone.
func (e *event) local() string {
	at := e.logged.In(berlin).Format(time.DateTime)
	return fmt.Sprintf(`{"t":%q,"a":%q,"h":%q,"m":%q,"u":%q,"s":%d,"b":%d,"ua":"%s/1.0"}`+"\n",
		at, e.addr, e.host, e.method, e.target, e.status, e.bytes, e.agent)
}

func (w *thirdWorld) history(t *testing.T) *history.Store {
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	times := []time.Time{w.changed.Add(-time.Millisecond), w.changed}
	for at := w.begin.AddDate(0, 0, -60); at.Before(w.end.AddDate(0, 0, 2)); at = at.Add(6 * time.Hour) {
		times = append(times, at)
	}
	for _, at := range times {
		o := history.Observation{Origin: "https://shop.example", Time: at, Status: 200, Body: []byte(w.body(at)), Source: "watch",
			FinalURL: "https://static.example/rules/shop", Redirects: []string{"https://shop.example/robots.txt"}}
		if err := store.Add(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// mapped returns the target as a server logs it that shows the path it found.
func (e *event) mapped() (path, query string) {
	path, query, _ = strings.Cut(e.target, "?")
	path = strings.NewReplacer("%2F", "/", "%7E", "~").Replace(path)
	switch {
	case path == "/":
		path = "/index.php"
	case strings.HasPrefix(path, "/nothing/"):
		path = "/app/front.php"
	}
	return path, query
}

func (e *event) iis() string {
	path, query := e.mapped()
	if query == "" {
		query = "-"
	}
	return fmt.Sprintf("%s %s %s %s %s %s/1.0 %s %d %d\n",
		e.logged.Format(time.DateTime), e.addr, e.method, path, query, e.agent, e.host, e.status, e.bytes)
}

func (e *event) apache() string {
	path, query := e.mapped()
	if query != "" {
		query = "?" + query
	}
	at := e.logged.Format("02/Jan/2006:15:04:05 -0700")
	return fmt.Sprintf("%s %s [%s] \"%s %s%s\" %d %d \"%s/1.0\"\n", e.host, e.addr, at, e.method, path, query, e.status, e.bytes, e.agent)
}

// thirdForms are the forms of the logs.
var thirdForms = []thirdForm{
	{"proxied", "", (*event).proxied, func(c *visits.Config) { c.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} }},
	{"local", "", (*event).local, func(c *visits.Config) {
		c.Map = accesslog.Map{"time": "t", "addr": "a", "agent": "ua", "target": "u", "host": "h", "method": "m", "status": "s", "bytes": "b"}
	}},
	{"IIS", "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs-host sc-status sc-bytes\n", (*event).iis, func(*visits.Config) {}},
	{"Apache's pieces", "", (*event).apache, func(c *visits.Config) {
		format, err := accesslog.ParseFormat(`%V %h %t "%m %U%q" %>s %b "%{User-Agent}i"`)
		if err != nil {
			panic(err)
		}
		c.Format = format
	}},
}

type thirdForm struct {
	name, head string
	line       func(*event) string
	change     func(*visits.Config)
}

// thirdVerdicts are the results of a world that are wrong, and how many visits rightly disobeyed.
type thirdVerdicts struct {
	accused, missed []string
	rightly         int
}

func (w *thirdWorld) judge(t *testing.T, form thirdForm, store *history.Store, without string) (v thirdVerdicts) {
	t.Helper()
	var text strings.Builder
	text.WriteString(form.head)
	for i := range w.events {
		text.WriteString(form.line(&w.events[i]))
	}
	config := visits.Config{
		Sites: origins(t, "https://shop.example"), History: store, Lists: newLists(t), Zone: berlin,
		Note: t.Logf, Problem: func(err error) { t.Error(err) },
		Hits: func(row *visits.Row) error {
			e := &w.events[int(row.Line)-1-strings.Count(form.head, "\n")]
			switch is := *row.Result == "disobeyed"; {
			case is && e.disobeyed:
				v.rightly++
			case is:
				v.accused = append(v.accused, fmt.Sprintf("%+v", e))
			case e.isProvable:
				v.missed = append(v.missed, fmt.Sprintf("%s %s: %+v", *row.Result, *row.Why, e))
			}
			return nil
		},
	}
	form.change(&config)
	if without != "" {
		config.Without(without)
	}
	found, err := visits.Run(t.Context(), config, []visits.Log{logOf("a.log", text.String())})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, found)
	return v
}

var berlin, berlinErr = time.LoadLocation("Europe/Berlin") // of the logs without a zone

// TestThirdWorld: nobody who obeyed is accused, and every visit that can be proved is found. The world needs
// the premises that its shapes are about.
func TestThirdWorld(t *testing.T) {
	if berlinErr != nil {
		t.Skip(berlinErr)
	}
	rightly := 0
	needed := map[string]bool{"timed": false, "not-named": false, "method": false, "listed": false, "answered": false, "whole-target": false}
	for seed := range uint64(10) {
		w := newThirdWorld(seed)
		store := w.history(t)
		for _, form := range thirdForms {
			v := w.judge(t, form, store, "")
			rightly += v.rightly
			if len(v.accused)+len(v.missed) > 0 {
				t.Errorf("seed %d, %s: accused\n%s\nprovable, but not found\n%s", seed, form.name, strings.Join(v.accused, "\n"), strings.Join(v.missed, "\n"))
			}
		}
		for premise, found := range needed {
			if !found {
				form := thirdForms[0]
				if premise == "whole-target" {
					form = thirdForms[2]
				}
				needed[premise] = len(w.judge(t, form, store, premise).accused) > 0
			}
		}
	}
	if rightly < 1000 {
		t.Errorf("only %d visits are shown to have disobeyed", rightly)
	}
	for premise, found := range needed {
		if !found {
			t.Errorf("without the premise %s, nobody is accused", premise)
		}
	}
}
