package watch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
)

// world is many sites that one server has, a proxy. Sites have no file unless set.
type world struct {
	proxy *httptest.Server

	mu     sync.Mutex
	bodies map[string]string // by host
	status map[string]int
}

func newWorld(tb testing.TB) *world {
	w := &world{bodies: make(map[string]string), status: make(map[string]int)}
	w.proxy = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		body, ok := w.bodies[r.Host]
		status := w.status[r.Host]
		w.mu.Unlock()
		switch {
		case status != 0:
			out.WriteHeader(status)
		case !ok:
			http.NotFound(out, r)
		default:
			fmt.Fprint(out, body)
		}
	}))
	tb.Cleanup(w.proxy.Close)
	return w
}

func (w *world) set(host, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bodies[host] = body
}

// client returns a client that reaches the sites.
func (w *world) client(tb testing.TB) *fetch.Client {
	tb.Helper()
	at, _ := url.Parse(w.proxy.URL)
	c, err := newClient(fetch.Network{Proxy: http.ProxyURL(at)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

// newClient returns a client without a cache.
func newClient(network fetch.Network) (*fetch.Client, error) {
	network.AllowPrivate = true
	return fetch.New(fetch.Config{
		UserAgent: "robots (+https://github.com/kosterhq/robotstxt)", KeepBodies: true, Freshness: fetch.Freshness{NoCache: true}, Network: network,
	})
}

// numbered returns the hosts s0.example, s1.example and so on.
func numbered(n int) (hosts []string) {
	for i := range n {
		hosts = append(hosts, fmt.Sprintf("s%d.example", i))
	}
	return hosts
}

// setAll gives numbered hosts a file, and returns them.
func (w *world) setAll(n int, body string) (hosts []string) {
	hosts = numbered(n)
	for _, host := range hosts {
		w.set(host, body)
	}
	return hosts
}

// sitesOf returns the sites of hosts as a run reads them.
func sitesOf(hosts ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, host := range hosts {
			if !yield("http://"+host, nil) {
				return
			}
		}
	}
}

// openStore opens the store of a folder until the test ends.
func openStore(t *testing.T, folder string) *watch.Store {
	t.Helper()
	store, err := watch.OpenStore(t.Context(), folder, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// collected is an output that keeps messages.
type collected struct {
	name string
	mu   sync.Mutex
	list []wire.WatchMessage
	fail atomic.Bool
}

func (c *collected) Name() string { return "test " + c.name }

func (c *collected) Deliver(_ context.Context, m *wire.WatchMessage) error {
	if c.fail.Load() {
		return errors.New("fails")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, *m)
	return nil
}

// take returns the texts of the messages since the last call.
func (c *collected) take() (texts []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.list {
		texts = append(texts, c.list[i].Text)
	}
	c.list = nil
	return texts
}

// passes runs single passes over sites, each after some minutes.
type passes struct {
	t       *testing.T
	folder  string
	fetch   func(context.Context, string) (*fetch.Result, error)
	hosts   []string
	now     time.Time
	expect  *watch.Expected
	prepare func(*watch.Store) // may be nil
	history *history.Store     // may be nil
	outputs []watch.Output
}

func (p *passes) run(minutes int) (watch.Tally, error) {
	p.t.Helper()
	p.now = p.now.Add(time.Duration(minutes) * time.Minute)
	store, err := watch.OpenStore(p.t.Context(), p.folder, slog.New(slog.DiscardHandler))
	if err != nil {
		return watch.Tally{}, err
	}
	defer store.Close()
	if p.prepare != nil {
		p.prepare(store)
	}
	return watch.Run(p.t.Context(), watch.Config{
		Store: store, Fetch: p.fetch, Online: &watch.Online{}, Reader: &watch.Reader{}, Expect: p.expect,
		History: p.history,
		Confirm: watch.DefaultConfirm, Concurrency: 8, Outputs: p.outputs, Now: func() time.Time { return p.now },
		Sites: sitesOf(p.hosts...),
	})
}

func newPasses(t *testing.T, w *world, hosts ...string) (*passes, *collected) {
	out := &collected{}
	client := w.client(t)
	return &passes{
		t: t, folder: t.TempDir(), hosts: hosts, now: start, outputs: []watch.Output{out},
		fetch: func(ctx context.Context, url string) (*fetch.Result, error) { return client.Robots(ctx, url) },
	}, out
}

// want runs a pass and compares the messages with the beginnings of lines.
func (p *passes) want(out *collected, minutes int, beginnings ...string) {
	p.t.Helper()
	if _, err := p.run(minutes); err != nil {
		p.t.Error(err)
	}
	got := out.take()
	slices.Sort(got)
	if len(got) != len(beginnings) {
		p.t.Errorf("want %q, got %q", beginnings, got)
		return
	}
	for i, want := range beginnings {
		if !strings.HasPrefix(got[i], want) {
			p.t.Errorf("want %q, got %q", want, got[i])
		}
	}
}

const closed = "User-agent: *\nDisallow: /\n"

// TestPasses: a change is reported by the run that confirms it, once.
func TestPasses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.set("a.example", shop)
	w.set("b.example", shop)
	p, out := newPasses(t, w, "a.example", "b.example", "a.example")
	p.want(out, 0)
	w.set("a.example", closed)
	p.want(out, 60)
	p.want(out, 5)
	p.want(out, 5, "http://a.example closes the whole site for any crawler that follows the group for *")
	p.want(out, 60)
	w.set("b.example", "# other\n"+shop)
	p.want(out, 60)
	p.want(out, 60)
	w.status["b.example"] = 503
	p.want(out, 10)
	w.status["b.example"] = 0
	p.want(out, 10)
	w.status["b.example"] = 503
	p.want(out, 10)
	p.want(out, 60, "http://b.example: status 503, which closes the whole site")
	w.status["b.example"] = 0
	p.want(out, 60)
	p.want(out, 60, "http://b.example answers again")
}

// TestReverted: changes that end before they are confirmed are counted in the next report.
func TestReverted(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	p.want(out, 0)
	for _, body := range []string{closed, "# other\n" + shop, closed} {
		w.set("a.example", body)
		p.want(out, 5)
	}
	if _, err := p.run(10); err != nil || len(out.list) != 1 || out.list[0].Events[0].Reverted != 1 {
		t.Errorf("got %v, %+v", err, out.list)
	}
	out.take()
	w.set("a.example", shop) // the third return of a meaning wants three equal answers
	p.want(out, 5)
	p.want(out, 10)
	if _, err := p.run(10); err != nil || len(out.list) != 1 || out.list[0].Events[0].Reverted != 0 {
		t.Errorf("afterwards: %v, %+v", err, out.list)
	}
}

// TestMass: more than 20 sites, or 5 % of at least 100, are one message.
func TestMass(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sites, changed, messages int }{{30, 20, 20}, {30, 21, 1}, {99, 5, 5}, {100, 4, 4},
		{100, 5, 1}, {401, 20, 20}, {401, 21, 1}} {
		w := newWorld(t)
		hosts := w.setAll(c.sites, shop)
		p, out := newPasses(t, w, hosts...)
		p.want(out, 0)
		for i := range c.changed {
			w.set(hosts[i], closed)
		}
		p.want(out, 60)
		if _, err := p.run(60); err != nil {
			t.Fatal(err)
		}
		listed := 0
		for _, m := range out.list {
			listed += len(m.Events)
		}
		if len(out.list) != c.messages || listed != c.changed {
			t.Errorf("%+v: %d messages with %d events", c, len(out.list), listed)
		}
	}
}

// TestManyChanges: an event is bounded, however many crawlers a file names, and more so in a list.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, out := newPasses(t, w, "many.example")
	for i := range 21 {
		p.hosts = append(p.hosts, fmt.Sprintf("list%d.example", i))
	}
	write := func(hosts []string, path string) {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, "User-agent: bot%c%c\nDisallow: /%s/%d\n", 'a'+i%26, 'a'+i/26, path, i)
		}
		for _, host := range hosts {
			w.set(host, b.String())
		}
	}
	size := func(sites, most int) {
		t.Helper()
		if len(out.list) != 1 || len(out.list[0].Events) != sites {
			t.Fatalf("%d messages", len(out.list))
		}
		m := out.list[0]
		for _, e := range m.Events {
			if len(e.Changes) != most || e.Omitted != 600-most { // each closes a path and opens one
				t.Errorf("%d changes, %d omitted", len(e.Changes), e.Omitted)
			}
		}
		var b strings.Builder
		lines := &watch.Lines{Out: &b}
		want := fmt.Sprintf("\n  and %d more changes\n", 600-most)
		if sites > 1 { // the groups only
			want = "\n  \"robots history\" lists the changes of each site\n"
		}
		if err := lines.Deliver(t.Context(), &m); err != nil || !strings.HasSuffix(b.String(), want) || strings.Count(b.String(), "http://") > 3+sites {
			t.Errorf("%v, text\n%s", err, &b)
		}
	}
	write(p.hosts, "old")
	p.want(out, 0)
	write(p.hosts[:1], "new")
	p.want(out, 10)
	if _, err := p.run(10); err != nil {
		t.Fatal(err)
	}
	size(1, 100)
	if text := out.take()[0]; !strings.HasSuffix(text, "\n- and 500 more changes") {
		t.Errorf("the text ends with %q", text[len(text)-100:])
	}
	write(p.hosts[1:], "new")
	p.want(out, 10)
	if _, err := p.run(10); err != nil {
		t.Fatal(err)
	}
	size(21, 10)
}

// TestPositions: an output that fails gets everything later, and does not delay the others.
func TestPositions(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	other := &collected{name: "other"}
	p.outputs = append(p.outputs, other)
	p.want(out, 0)
	other.fail.Store(true)
	w.set("a.example", closed)
	p.want(out, 60)
	if _, err := p.run(60); err == nil || len(out.list) != 1 || len(other.list) != 0 {
		t.Errorf("got %v, %d and %d messages", err, len(out.list), len(other.list))
	}
	id := out.list[0].ID
	out.take()
	w.set("a.example", shop)
	if _, err := p.run(60); err == nil {
		t.Error("no error")
	}
	other.fail.Store(false)
	p.want(out, 60, "http://a.example opens")
	if len(other.list) != 2 || other.list[0].ID != id {
		t.Errorf("other: %d messages", len(other.list))
	}
	// A new output does not get what was before.
	late := &collected{name: "late"}
	p.outputs = append(p.outputs, late)
	p.want(out, 60)
	if len(late.list) != 0 {
		t.Errorf("late: %q", late.take())
	}
}

// TestOrder: the changes of a site are reported in their order, also one that a run stored
// before it was killed, and in a list.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, sites := range []int{1, 21} {
		w := newWorld(t)
		p, out := newPasses(t, w, w.setAll(sites, closed)...)
		for _, body := range []string{closed, shop, closed} {
			w.setAll(sites, body)
			p.want(out, 60)
			if body == closed {
				continue
			}
			if _, err := p.run(60); err != nil {
				t.Fatal(err)
			}
			out.take()
		}
		p.prepare = func(s *watch.Store) { // as if the run that saw the sites open had made no message
			if err := s.Exec("UPDATE events SET message = 0"); err != nil {
				t.Error(err)
			}
		}
		if _, err := p.run(60); err != nil || len(out.list) == 0 {
			t.Fatalf("got %v, %d messages", err, len(out.list))
		}
		kinds := make(map[string][]wire.WatchKind)
		for _, m := range out.list {
			for _, e := range m.Events {
				kinds[e.Site] = append(kinds[e.Site], e.Changes[0].Kind)
			}
		}
		for site, got := range kinds {
			if want := []wire.WatchKind{wire.WatchOpens, wire.WatchCloses}; !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", site, got, want)
			}
		}
		if got := out.list[len(out.list)-1].Gravity; len(kinds) != sites || got != wire.GravityCritical {
			t.Errorf("%d sites, the gravity of the last message is %s", len(kinds), got)
		}
	}
}

// TestTwo: two runs at the same time on one store report each change once.
func TestTwo(t *testing.T) {
	w := newWorld(t)
	hosts := w.setAll(60, shop)
	p, out := newPasses(t, w, hosts...)
	p.want(out, 0)
	for i := range 15 {
		w.set(hosts[i], closed)
	}
	for range 2 {
		p.now = p.now.Add(time.Hour)
		var both sync.WaitGroup
		for range 2 {
			q := *p
			both.Go(func() {
				if _, err := q.run(0); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
	}
	seen := make(map[string]int)
	for _, m := range out.list {
		for _, e := range m.Events {
			seen[e.Site]++
		}
	}
	if len(seen) != 15 {
		t.Errorf("%d sites reported", len(seen))
	}
	for site, n := range seen {
		if n != 1 {
			t.Errorf("%s was reported %d times", site, n)
		}
	}
}

// TestExpect: what is served differs from the file of the repository, at once, once.
func TestExpect(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", "# comment\n"+shop)
	p, out := newPasses(t, w, "a.example")
	p.expect = &watch.Expected{Name: "robots.txt", Body: []byte(shop)}
	p.want(out, 0)
	w.set("a.example", "# BEGIN\nUser-agent: CCBot\nDisallow: /\n# END\n\n"+shop)
	if _, err := p.run(1); err != nil || len(out.list) != 1 {
		t.Fatal(err, out.list)
	}
	for _, c := range out.list[0].Events[0].Changes {
		if !c.Injected {
			t.Errorf("%s is not marked", c.Text)
		}
	}
	if e := out.list[0].Events[0]; e.Expected != "robots.txt" || !strings.Contains(out.list[0].Text, "4 lines added on the way, from line 1 on: User-agent: CCBot") {
		t.Errorf("got %+v", e)
	}
	out.take()
	p.want(out, 1)
	w.set("a.example", closed)
	p.want(out, 1, "http://a.example closes the whole site for any crawler that follows the group for *")
	w.set("a.example", "# a comment, which moves the lines\n"+closed)
	p.want(out, 1)
	w.set("a.example", shop)
	p.want(out, 1)
	w.set("a.example", closed)
	p.want(out, 1, "http://a.example closes the whole site for any crawler that follows the group for *")
}

// TestEvery: a run with an interval finds a change, confirms it and delivers it by itself.
func TestEvery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	p.want(out, 0)
	w.set("a.example", closed)
	store := openStore(t, p.folder)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	tally, err := watch.Run(ctx, watch.Config{
		Store: store, Fetch: p.fetch, Online: &watch.Online{}, Reader: &watch.Reader{}, Every: time.Minute,
		Confirm:     50 * time.Millisecond,
		Concurrency: 4, Outputs: []watch.Output{out, stopper(stop)}, Fault: func(err error) { t.Error(err) },
		Sites: sitesOf("a.example"),
	})
	if err != nil || tally.Events != 1 || len(out.list) != 1 {
		t.Errorf("got %+v, %v, %d messages", tally, err, len(out.list))
	}
}

// stopper is an output that ends a run.
type stopper func()

func (stopper) Name() string { return "stopper" }

func (s stopper) Deliver(context.Context, *wire.WatchMessage) error {
	s()
	return nil
}

// TestLines: the text of a message escapes what sites sent.
func TestLines(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, _ := newPasses(t, w, "a.example")
	var text bytes.Buffer
	p.outputs = []watch.Output{&watch.Lines{Out: &text}}
	for _, body := range []string{shop, shop + "Sitemap: https://a.example/\x1b[31m\nUser-agent: x\nDisallow: /\x1b]0;\n"} {
		w.set("a.example", body)
		for range 2 {
			if _, err := p.run(60); err != nil {
				t.Fatal(err)
			}
		}
	}
	if strings.ContainsRune(text.String(), '\x1b') || !strings.Contains(text.String(), "http://a.example") {
		t.Errorf("got %q", text.String())
	}
}

// TestVariants: a site that serves two files in turn has one message with both, and how often, of
// the gravity of the gravest change between them, also if what was reported is the closed one.
func TestVariants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for site, bodies := range map[string][2]string{"a.example": {shop, closed}, "b.example": {closed, shop}} {
		w.set(site, bodies[0])
	}
	p, out := newPasses(t, w, "a.example", "b.example")
	p.want(out, 0)
	for i := range 60 {
		one, other := shop, closed
		if i%2 == 0 {
			one, other = closed, shop
		}
		w.set("a.example", one)
		w.set("b.example", other)
		if _, err := p.run(60); err != nil {
			t.Fatal(err)
		}
	}
	events := 0
	for _, message := range out.list {
		for _, e := range message.Events {
			events++
			if c := e.Changes[0]; e.Gravity != wire.GravityCritical || c.Kind != wire.WatchVariants ||
				!strings.Contains(c.Text, "4 of 8 answers: ") {
				t.Errorf("%s: %s, %+v", e.Site, e.Gravity, c)
			}
		}
	}
	if events != 2 {
		t.Errorf("%d events, want one of each site", events)
	}
}

// TestPendingAtStart: a site with a pending change of any part that is fetched earlier for it is due when a run begins,
// because --confirm might be another one now.
func TestPendingAtStart(t *testing.T) {
	for name, c := range map[string]struct {
		body  string
		isDue bool
	}{
		"rules": {closed, true}, "uses": {shop + "License: https://shop.example/l\n", true}, "nothing": {shop, false},
	} {
		w := newWorld(t)
		w.set("a.example", shop)
		p, out := newPasses(t, w, "a.example")
		p.want(out, 0)
		w.set("a.example", c.body)
		p.want(out, 60)
		now := p.now.Add(time.Minute)
		store, err := watch.OpenStore(t.Context(), p.folder, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var first time.Time
		_, err = watch.Run(ctx, watch.Config{
			Store: store, Fetch: p.fetch, Online: &watch.Online{}, Reader: &watch.Reader{}, Sites: sitesOf("a.example"),
			Every: 24 * time.Hour, Confirm: time.Second, Concurrency: 1, Now: func() time.Time { return now },
			Started: func(_ int, at time.Time) { first = at; cancel() }, Fault: func(err error) { t.Error(err) },
		})
		store.Close()
		if err != nil || first.Equal(now) != c.isDue {
			t.Errorf("%s: %v after the start, %v", name, first.Sub(now), err)
		}
	}
}
