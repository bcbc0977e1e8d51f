package watch_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
)

// simFile is a robots.txt in its parts.
type simFile struct {
	rules, gptbot          string // the paths that are disallowed
	delay, signal, license string
	sitemap, comment       string
	moved                  bool // in another order
	status                 int
	html                   bool
	nonce                  int    // 0 for none
	nonceIn                string // the part with the nonce
}

var ordinary = simFile{rules: "/cart", gptbot: "/private", delay: "5", signal: "ai-train=no", license: "https://a.example/l",
	sitemap: "https://a.example/a.xml"}

func (f simFile) String() string {
	if f.html {
		return "<!DOCTYPE html><title>Shop</title>"
	}
	gptbot := "User-agent: GPTBot\nDisallow: " + f.gptbot + "\nLicense: " + f.license + "\n"
	star := "User-agent: *\nDisallow: " + f.rules + "\nCrawl-delay: " + f.delay + "\nContent-Signal: " + f.signal + "\n"
	text := star + gptbot
	if f.moved {
		text = gptbot + star
	}
	text = "# " + f.comment + "\n" + text
	if f.sitemap != "" {
		text += "Sitemap: " + f.sitemap + "\n"
	}
	switch f.nonceIn {
	case "agents":
		text += fmt.Sprintf("User-agent: bot%d\nDisallow: /\n", f.nonce)
	case "paths":
		text += fmt.Sprintf("User-agent: *\nDisallow: /n/%d\nDisallow: /*sid=%d\n", f.nonce, f.nonce)
	case "traps": // some new lines
		for i := range 1 + f.nonce*7%10 {
			text += fmt.Sprintf("User-agent: *\nDisallow: /trap-%d-%d\n", f.nonce, i)
		}
	case "pool": // some of six lines, which are soon known
		chosen := rand.New(rand.NewPCG(uint64(f.nonce), 6)).IntN(1 << 6)
		for i := range 6 {
			if chosen>>i&1 == 1 {
				text += fmt.Sprintf("User-agent: *\nDisallow: /pool-%d\n", i)
			}
		}
	case "comments":
		text += fmt.Sprintf("User-agent: * # %d\nDisallow: %s # %d\n", f.nonce, f.rules, f.nonce)
	case "rules":
		text += fmt.Sprintf("User-agent: x\nDisallow: /%d\n", f.nonce)
	case "uses":
		text += fmt.Sprintf("User-agent: x\nDisallow: /\nLicense: https://a.example/%d\n", f.nonce)
	case "lines":
		text += fmt.Sprintf("User-agent: x\nDisallow: /\nCrawl-delay: %d\n", f.nonce)
	case "sitemaps":
		text += fmt.Sprintf("Sitemap: https://a.example/?%d\n", f.nonce)
	}
	return text
}

// behaviour is how a site behaves, and what must be reported.
type behaviour struct {
	serve func(f *simFile, m, n int) // changes what is served m minutes after the event, in the nth pass
	real  []real
	never string           // no text of an event has it
	noise []wire.WatchKind // of messages about what comes and goes; at most one a day
	daily wire.WatchKind   // of messages about a value that lasts for a day
}

// real is a change that lasts.
type real struct {
	at    int // minutes after the event
	part  string
	kinds []wire.WatchKind
	grave bool // high or critical
}

func lasting(part string, kind wire.WatchKind, grave bool) real {
	return real{0, part, []wire.WatchKind{kind}, grave}
}

const (
	closes, opens, lint = wire.WatchCloses, wire.WatchOpens, wire.WatchLint
	sitemaps, uses      = wire.WatchSitemaps, wire.WatchUse
	others, variants    = wire.WatchLines, wire.WatchVariants
)

// within changes a file in the minutes from and to, both after the event.
func within(from, to int, change func(f *simFile)) func(f *simFile, m, n int) {
	return func(f *simFile, m, _ int) {
		if from <= m && m < to {
			change(f)
		}
	}
}

func after(change func(f *simFile)) func(f *simFile, m, n int) { return within(0, 1e9, change) }

func shut(f *simFile)    { f.rules, f.gptbot = "/", "/" }
func html(f *simFile)    { f.html = true }
func down(f *simFile)    { f.status = http.StatusServiceUnavailable }
func missing(f *simFile) { f.status = http.StatusNotFound }

var behaviours = map[string]behaviour{
	"steady":        {serve: after(func(*simFile) {})},
	"build comment": {serve: func(f *simFile, _, n int) { f.comment = strconv.Itoa(n) }},
	"order":         {serve: func(f *simFile, _, n int) { f.moved = n%2 == 0 }},
	"closes":        {serve: after(shut), real: []real{lasting("rules", closes, true)}},
	"opens": {serve: func(f *simFile, m, _ int) {
		if m < 0 {
			shut(f)
		}
	}, real: []real{lasting("rules", opens, true)}},
	"closes for six hours": {serve: within(0, 360, shut),
		real: []real{lasting("rules", closes, true), {360, "rules", []wire.WatchKind{opens}, true}}},
	"rolled back": {serve: within(0, 9, shut)},
	"path":        {serve: after(func(f *simFile) { f.rules = "/tmp" }), real: []real{lasting("rules", closes, false)}},
	"gptbot":      {serve: after(func(f *simFile) { f.gptbot = "/" }), real: []real{lasting("rules", closes, true)}},
	"restart":     {serve: within(0, 40, down)},
	"outage":      {serve: within(0, 300, down), real: []real{lasting("rules", wire.WatchServerError, true), {300, "rules", []wire.WatchKind{wire.WatchRecovered}, false}}},
	"down every other two hours": {serve: func(f *simFile, m, _ int) {
		if m >= 0 && m/120%2 == 0 {
			down(f)
		}
	}, real: []real{lasting("rules", wire.WatchServerError, true), {120, "rules", []wire.WatchKind{wire.WatchRecovered}, false}},
		noise: []wire.WatchKind{wire.WatchServerError}},
	"every other 503": {serve: func(f *simFile, m, n int) {
		if m >= 0 && n%2 == 0 {
			down(f)
		}
	}},
	"gone": {serve: after(missing), real: []real{lasting("rules", wire.WatchGone, true)}},
	"gone for": {serve: within(0, 300, missing),
		real: []real{lasting("rules", wire.WatchGone, true), {300, "rules", []wire.WatchKind{wire.WatchAppeared}, true}}},
	"web page": {serve: after(html), real: []real{lasting("rules", wire.WatchHTML, true)}},
	"bad answers": {serve: func(f *simFile, _, n int) {
		if n%11 == 7 {
			html(f)
		}
	}},
	"closed answers": {serve: func(f *simFile, _, n int) {
		if n%13 == 7 {
			shut(f)
		}
	}, never: "closes the whole site"},
	"two bad answers of eight": {serve: func(f *simFile, m, n int) {
		if m >= 0 && m < 200 && n%6 == 0 {
			html(f)
		}
	}},
	"two files": {serve: func(f *simFile, _, n int) {
		if n%2 == 0 {
			shut(f)
		}
	}, noise: []wire.WatchKind{variants, closes, opens}},
	"two sitemaps": {serve: func(f *simFile, _, n int) { f.sitemap += []string{"", "b"}[n%2] },
		noise: []wire.WatchKind{variants, sitemaps}},
	"sitemap": {serve: after(func(f *simFile) { f.sitemap += "b" }), real: []real{lasting("sitemaps", sitemaps, false)}},
	"sitemap twice": {serve: func(f *simFile, m, _ int) {
		f.sitemap += []string{"", "b", "c"}[min(max(0, m+360)/360, 2)]
	}, real: []real{lasting("sitemaps", sitemaps, false), {360, "sitemaps", []wire.WatchKind{sitemaps}, false}}},
	"daily sitemap": {serve: func(f *simFile, m, _ int) { f.sitemap += strconv.Itoa((m + 1e6) / 1440) },
		daily: sitemaps},
	"one answer closed": {serve: func(f *simFile, m, _ int) {
		if m >= 0 {
			f.rules = "/tmp"
		}
		if m >= simEvery && m < 2*simEvery {
			shut(f)
		}
	}, never: "whole site for search", real: []real{lasting("rules", closes, false)}},
	"deployed twice": {serve: func(f *simFile, m, _ int) {
		if m >= 0 && m < simEvery || m >= 6*simEvery {
			f.rules = "/tmp"
		}
	}, real: []real{{6 * simEvery, "rules", []wire.WatchKind{closes}, false}}},
	"sitemap every 100 minutes": {serve: func(f *simFile, m, _ int) { f.sitemap += strconv.Itoa((m + 1e6) / 100) },
		noise: []wire.WatchKind{sitemaps, variants}},
	"path every 100 minutes": {serve: func(f *simFile, m, _ int) { f.rules = "/" + strconv.Itoa((m+1e6)/100) },
		noise: []wire.WatchKind{closes, opens, variants}},
	"three parts in turn": {serve: func(f *simFile, _, n int) {
		f.license += strconv.Itoa(n % 2)
		f.sitemap += strconv.Itoa(n % 2)
		f.delay += strconv.Itoa(n % 2)
	}, noise: []wire.WatchKind{uses, sitemaps, others, variants}},
	"never reported": {serve: func(f *simFile, m, _ int) {
		if m < -5*simEvery || m >= -4*simEvery && m < 0 {
			missing(f)
		} else if m < 0 {
			f.sitemap = "https://a.example/never"
		}
	}, never: "never", real: []real{lasting("rules", wire.WatchAppeared, true)}},
	"delay":   {serve: after(func(f *simFile) { f.delay = "6" }), real: []real{lasting("lines", others, false)}},
	"signal":  {serve: after(func(f *simFile) { f.signal = "ai-train=yes" }), real: []real{lasting("uses", uses, false)}},
	"license": {serve: after(func(f *simFile) { f.license += "2" }), real: []real{lasting("uses", uses, false)}},
	"everything": {serve: after(func(f *simFile) { shut(f); f.sitemap += "b"; f.signal = "ai-train=yes"; f.delay = "1" }),
		real: []real{lasting("rules", closes, true), lasting("sitemaps", sitemaps, false),
			lasting("uses", uses, false), lasting("lines", others, false)}},
}

// noisy has the kinds of messages about a nonce in a part.
var noisy = map[string][]wire.WatchKind{"": nil, "sitemaps": {sitemaps}, "lines": {others}, "uses": {uses}, "comments": nil,
	"rules": {variants, closes, opens}, "agents": {variants, closes, opens, others, uses}, "paths": {variants, closes, opens},
	"traps": {variants, closes, opens}}

// simEvery is the number of minutes between two passes.
const simEvery = 30

// simulated is a site with a behaviour and a nonce.
type simulated struct {
	name, nonce string
	behaviour
	event   int // the minute of the event
	fetches atomic.Int64
}

// sim is many sites that one server has, a proxy, at a time.
type sim struct {
	proxy *httptest.Server
	sites map[string]*simulated
	now   atomic.Int64 // minutes after start
}

// newSim returns sites with each behaviour, without a nonce and with one in each part; if few is set, one site each.
// Each has its event in the four hours after a minute.
func newSim(t *testing.T, random *rand.Rand, few bool, event int) *sim {
	s := &sim{sites: make(map[string]*simulated)}
	parts := slices.Sorted(maps.Keys(noisy))
	for _, name := range slices.Sorted(maps.Keys(behaviours)) {
		b := behaviours[name]
		one := parts[random.IntN(len(parts))]
		for _, nonce := range parts {
			if few && nonce != one {
				continue
			}
			host := strings.ReplaceAll(cmp.Or(nonce, "no")+"."+name, " ", "-") + ".example"
			s.sites[host] = &simulated{name: name, nonce: nonce, behaviour: b, event: event + random.IntN(240)}
		}
	}
	s.proxy = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		site := s.sites[r.Host]
		n := int(site.fetches.Add(1))
		f := ordinary
		f.nonceIn = site.nonce
		f.nonce = n
		now := int(s.now.Load())
		site.serve(&f, now-site.event, now/simEvery) // the second fetch of a pass, after a kill, finds the same
		if f.status != 0 {
			out.WriteHeader(f.status)
			return
		}
		fmt.Fprint(out, f)
	}))
	t.Cleanup(s.proxy.Close)
	return s
}

// simPass runs a pass at a time, which appends its messages to a file in the folder.
func simPass(folder, proxy string, hosts []string, now time.Time) error {
	out, err := os.OpenFile(filepath.Join(folder, "out.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	at, err := url.Parse(proxy)
	if err != nil {
		return err
	}
	client, err := newClient(fetch.Network{Proxy: http.ProxyURL(at)})
	if err != nil {
		return err
	}
	defer client.Close()
	store, err := watch.OpenStore(context.Background(), folder, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer store.Close()
	_, err = watch.Run(context.Background(), watch.Config{
		Store: store, Reader: &watch.Reader{}, Online: &watch.Online{}, Concurrency: 8, Confirm: watch.DefaultConfirm,
		Outputs: []watch.Output{&watch.Lines{Out: out, JSON: true}}, Now: func() time.Time { return now },
		Fetch: func(ctx context.Context, url string) (*fetch.Result, error) { return client.Robots(ctx, url) },
		Sites: sitesOf(hosts...),
	})
	return err
}

// simChild is simPass with what the environment says.
func simChild(folder string) error {
	minutes, err := strconv.Atoi(os.Getenv("WATCH_NOW"))
	if err != nil {
		return err
	}
	now := start.Add(time.Duration(minutes) * time.Minute)
	return simPass(folder, os.Getenv("WATCH_PROXY"), strings.Fields(os.Getenv("WATCH_SITES")), now)
}

// TestBehaviours watches sites of 26 behaviours, each without a nonce and with one in each part, every quarter
// of an hour, and kills some runs. Each change that lasts is reported once and in time, nothing else is, and
// a site of which values come and go has at most one message a day.
func TestBehaviours(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	seeds, hours, event := 1, 38, 25
	isLong := os.Getenv("ROBOTSTXT_LONG") != ""
	if isLong {
		seeds, hours, event = 5, 48, 30
	}
	for seed := range seeds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 70))
			testBehaviours(t, random, newSim(t, random, !isLong, event*60), hours)
		})
	}
}

func testBehaviours(t *testing.T, random *rand.Rand, s *sim, hours int) {
	folder := t.TempDir()
	hosts := make([]string, 0, len(s.sites))
	for host := range s.sites {
		hosts = append(hosts, host)
	}
	slices.Sort(hosts)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	kills := 0
	for m := 0; m <= hours*60; m += simEvery {
		s.now.Store(int64(m))
		if random.IntN(12) == 0 {
			child := exec.Command(self)
			child.Env = append(os.Environ(), "WATCH_SIM="+folder, "WATCH_PROXY="+s.proxy.URL, "WATCH_NOW="+strconv.Itoa(m),
				"WATCH_SITES="+strings.Join(hosts, " "))
			before := s.requests()
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			most := before + random.Int64N(int64(len(hosts)))
			for began := time.Now(); s.requests() < most && time.Since(began) < 10*time.Second; {
				time.Sleep(time.Millisecond)
			}
			_ = child.Process.Kill()
			_ = child.Wait()
			kills++
		}
		if err := simPass(folder, s.proxy.URL, hosts, start.Add(time.Duration(m)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	events := make(map[string][]wire.WatchEvent)
	for _, line := range deliveredIn(t, filepath.Join(folder, "out.jsonl")) {
		var message wire.WatchMessage
		if err := json.Unmarshal([]byte(line), &message); err != nil {
			t.Fatal(err)
		}
		for _, e := range message.Events {
			host := strings.TrimPrefix(e.Site, "http://")
			events[host] = append(events[host], e)
		}
	}
	var total verdict
	for _, host := range hosts {
		v := s.sites[host].judge(events[host])
		if v.untrue+v.missed+v.much > 0 {
			t.Errorf("%s: %+v, its event is at %v", host, v, start.Add(time.Duration(s.sites[host].event)*time.Minute))
			for _, e := range events[host] {
				t.Logf("  %v %+v", e.At, texts(e.Changes))
			}
		}
		total.untrue += v.untrue
		total.missed += v.missed
		total.real += v.real
		total.noise += v.noise
		total.much += v.much
	}
	t.Logf("%d sites, %d hours, %d fetches, %d kills: %+v", len(hosts), hours, s.requests(), kills, total)
}

// TestManySites: a pass over 5,000 sites requests each file once.
func TestManySites(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("ROBOTSTXT_LONG is not set")
	}
	s := newSim(t, rand.New(rand.NewPCG(5, 70)), false, simEvery)
	names := slices.Sorted(maps.Keys(s.sites))
	for i := len(s.sites); i < 5000; i++ {
		like := s.sites[names[i%len(names)]]
		s.sites[fmt.Sprintf("s%d.example", i)] = &simulated{name: like.name, nonce: like.nonce, behaviour: like.behaviour,
			event: like.event}
	}
	hosts := slices.Sorted(maps.Keys(s.sites))
	folder := t.TempDir()
	for pass := range int64(6) {
		s.now.Store(pass * simEvery)
		if err := simPass(folder, s.proxy.URL, hosts, start.Add(time.Duration(pass)*simEvery*time.Minute)); err != nil {
			t.Fatal(err)
		}
		for _, host := range hosts {
			if n := s.sites[host].fetches.Load(); n != pass+1 {
				t.Errorf("%s: %d requests in %d passes", host, n, pass+1)
			}
		}
	}
	t.Logf("%d sites, %d requests, %d messages", len(hosts), s.requests(), len(deliveredIn(t, filepath.Join(folder, "out.jsonl"))))
}

func (s *sim) requests() (n int64) {
	for _, site := range s.sites {
		n += site.fetches.Load()
	}
	return n
}

func texts(list []wire.WatchChange) (lines []string) {
	for i := range list {
		lines = append(lines, string(list[i].Kind)+": "+list[i].Text)
	}
	return lines
}

// verdict counts what is wrong with the events of a site, and the changes that last and the other events.
type verdict struct{ untrue, missed, much, real, noise int }

func (site *simulated) judge(events []wire.WatchEvent) (v verdict) {
	allowed := slices.Concat(site.noise, noisy[site.nonce], []wire.WatchKind{site.daily})
	slices.SortFunc(events, func(a, b wire.WatchEvent) int { return a.At.Compare(b.At) })
	told := make([]int, len(site.real))
	type dayOf struct {
		day     int
		isDaily bool
	}
	days := make(map[dayOf]int)
	for _, e := range events {
		m := int(e.At.Sub(start).Minutes()) - site.event
		isReal := false
		kinds := allowed
		for i, r := range site.real {
			const limit = 150
			has := slices.ContainsFunc(e.Changes,
				func(c wire.WatchChange) bool { return slices.Contains(r.kinds, c.Kind) })
			if told[i] == 0 && r.at <= m && m <= r.at+limit && has {
				told[i]++
				isReal = true
				kinds = slices.Concat(kinds, r.kinds, []wire.WatchKind{closes, opens, lint})
			}
		}
		for _, c := range e.Changes {
			if !slices.Contains(kinds, c.Kind) || site.never != "" && strings.Contains(c.Text, site.never) {
				v.untrue++
			}
		}
		isDaily := slices.ContainsFunc(e.Changes, func(c wire.WatchChange) bool { return c.Kind == site.daily })
		if !isReal {
			v.noise++
			days[dayOf{(m + 1e6*1440) / 1440, isDaily}]++
		}
	}
	for i := range site.real {
		v.real++
		if told[i] == 0 {
			v.missed++
		}
	}
	for _, n := range days {
		v.much = max(v.much, n-1)
	}
	return v
}
