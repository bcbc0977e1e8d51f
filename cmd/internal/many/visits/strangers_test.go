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
// challenge with 202; X-Forwarded-For with a forged beginning; a crawler that keeps files for a month; and
// requests that are not GET.
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
	return []string{"/cart", "/private", "/files"}
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
		e.target = []string{"/tea/%d", "/cart/%d", "/private/%d", "/files/%d.iso", sitemap + "?%d"}[w.random.IntN(5)]
		e.target = fmt.Sprintf(e.target, w.random.IntN(9))
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
func (e *event) local(zone *time.Location) string {
	at := e.logged.In(zone).Format(time.DateTime)
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

// thirdVerdicts are the results of a world that are wrong, and how many visits rightly disobeyed.
type thirdVerdicts struct {
	accused, missed []string
	rightly         int
}

func (w *thirdWorld) judge(t *testing.T, form, without string, zone *time.Location) (v thirdVerdicts) {
	t.Helper()
	var text strings.Builder
	for i := range w.events {
		if form == "local" {
			text.WriteString(w.events[i].local(zone))
		} else {
			text.WriteString(w.events[i].proxied())
		}
	}
	config := visits.Config{
		Sites: origins(t, "https://shop.example"), History: w.history(t), Lists: newLists(t), Zone: zone,
		Note: t.Logf, Problem: func(err error) { t.Error(err) },
		Hits: func(row *visits.Row) error {
			e := &w.events[row.Line-1]
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
	if form == "local" {
		config.Map = accesslog.Map{"time": "t", "addr": "a", "agent": "ua", "target": "u", "host": "h", "method": "m", "status": "s", "bytes": "b"}
	} else {
		config.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	}
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

// TestThirdWorld: nobody who obeyed is accused, and every visit that can be proved is found. The world needs
// the premises that its shapes are about.
func TestThirdWorld(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	rightly := 0
	needed := map[string]bool{"timed": false, "not-named": false, "method": false, "listed": false, "answered": false}
	for seed := range uint64(10) {
		w := newThirdWorld(seed)
		for _, form := range []string{"proxied", "local"} {
			v := w.judge(t, form, "", zone)
			rightly += v.rightly
			if len(v.accused)+len(v.missed) > 0 {
				t.Errorf("seed %d, %s: accused\n%s\nprovable, but not found\n%s", seed, form, strings.Join(v.accused, "\n"), strings.Join(v.missed, "\n"))
			}
		}
		for premise, found := range needed {
			if !found {
				needed[premise] = len(w.judge(t, "proxied", premise, zone).accused) > 0
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
