package watch_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// pipes is a listener whose connections are in memory, because time in a bubble stands still
// while a goroutine waits for a socket.
type pipes struct {
	conns chan net.Conn
	ended chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.ended) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
}

// steppedWorld is a run with an interval of an hour, of one site, whose clock can be set.
type steppedWorld struct {
	t       *testing.T
	offset  atomic.Int64 // of the clock
	body    atomic.Value
	status  atomic.Int64
	fetches atomic.Int64
	out     *collected
	folder  string
	at      time.Time // of the last message, as recorded
}

func (w *steppedWorld) now() time.Time {
	// as a clock that was set: without the monotonic reading
	return time.Now().Add(time.Duration(w.offset.Load())).Round(0)
}

func (w *steppedWorld) ServeHTTP(out http.ResponseWriter, _ *http.Request) {
	w.fetches.Add(1)
	if status := w.status.Load(); status != 0 {
		out.WriteHeader(int(status))
		return
	}
	fmt.Fprint(out, w.body.Load())
}

// run runs until story returns, and returns the error of the run.
func (w *steppedWorld) run(ctx context.Context, story func()) error {
	listener := &pipes{conns: make(chan net.Conn), ended: make(chan struct{})}
	server := &http.Server{Handler: w}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	kept, err := history.Open(ctx, filepath.Join(w.folder, "history.db"), history.Config{})
	if err != nil {
		return err
	}
	defer kept.Close()
	client, err := fetch.New(fetch.Config{
		UserAgent: "robots (+https://github.com/kosterhq/robotstxt)", KeepBodies: true,
		Freshness: fetch.Freshness{NoCache: true, Clock: w.now},
		Network:   fetch.Network{Dial: listener.dial, Resolver: listener, AllowPrivate: true},
		OnFetch: func(s *fetch.Stored) {
			if err := kept.Add(ctx, history.FromStored(s)); err != nil {
				w.t.Error(err)
			}
		},
	})
	if err != nil {
		return err
	}
	defer client.Close()
	store, err := watch.OpenStore(ctx, w.folder, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer store.Close()
	running, stop := context.WithCancel(ctx)
	ended := make(chan error)
	go func() {
		_, err := watch.Run(running, watch.Config{
			Store: store, Online: &watch.Online{}, Reader: &watch.Reader{}, Every: time.Hour,
			Confirm: watch.DefaultConfirm, Now: w.now,
			Concurrency: 2, Outputs: []watch.Output{w.out}, Fault: func(err error) { w.t.Error(err) },
			Fetch: func(ctx context.Context, url string) (*fetch.Result, error) { return client.Robots(ctx, url) },
			Sites: sitesOf("a.example"),
		})
		ended <- err
	}()
	story()
	stop()
	return <-ended
}

// quiet waits, and checks that nothing is reported meanwhile.
func (w *steppedWorld) quiet(what string, d time.Duration) {
	w.t.Helper()
	time.Sleep(d)
	if got := w.out.take(); len(got) > 0 {
		w.t.Errorf("%s: reported %q", what, got)
	}
}

// reported waits, and checks that one message with this beginning comes meanwhile.
func (w *steppedWorld) reported(what string, d time.Duration, want string) {
	w.t.Helper()
	time.Sleep(d)
	w.out.mu.Lock()
	if len(w.out.list) > 0 {
		w.at = w.out.list[0].Events[0].At
	}
	w.out.mu.Unlock()
	if got := w.out.take(); len(got) != 1 || !strings.HasPrefix(got[0], "http://a.example"+want) {
		w.t.Errorf("%s: want %q, got %q", what, want, got)
	}
}

// hourly checks that the site is fetched once an hour for some hours.
func (w *steppedWorld) hourly(what string) {
	w.t.Helper()
	const hours = 4
	before := w.fetches.Load()
	w.quiet(what, hours*time.Hour)
	if n := w.fetches.Load() - before; n < hours-1 || n > hours+1 {
		w.t.Errorf("%s: %d fetches in %d hours", what, n, hours)
	}
}

// TestClockSteps sets the clock while a run waits: for the next fetch, for the confirmation
// of a change, during a fault. A change is confirmed ten minutes later by the monotonic
// clock, the schedule goes on, and each message is delivered once.
func TestClockSteps(t *testing.T) {
	t.Parallel()             // it waits for the disk, as its steps and TestStorm do
	sqlitefile.Compress(nil) // the encoder of the process must not belong to a bubble
	for name, step := range map[string]time.Duration{
		"forward a day": 24 * time.Hour, "back a day": -24 * time.Hour, "back an hour": -time.Hour, "forward two minutes": 2 * time.Minute, "back a year": -365 * 24 * time.Hour,
	} {
		if step.Abs() != 24*time.Hour && os.Getenv("ROBOTSTXT_LONG") == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			synctest.Test(t, func(t *testing.T) { testClockStep(t, folder, step) })
		})
	}
}

func testClockStep(t *testing.T, folder string, step time.Duration) {
	w := &steppedWorld{t: t, out: &collected{}, folder: folder}
	w.body.Store(shop)
	err := w.run(t.Context(), func() {
		w.quiet("first seen", 2*time.Hour)
		w.offset.Add(int64(step))
		w.hourly("after a step while nothing is pending")

		w.body.Store(closed)
		w.untilFetched()
		w.quiet("pending", 5*time.Minute)
		w.offset.Add(int64(step))
		w.quiet("less than ten minutes after the step", 9*time.Minute)
		w.reported("confirmed", 8*time.Minute, " closes the whole site")
		if passed := w.now().Sub(w.at); passed < 0 || passed > 10*time.Minute {
			t.Errorf("reported at %v, %v ago", w.at, passed)
		}
		w.hourly("after a step while a change was pending")

		w.body.Store(shop)
		w.untilFetched()
		w.quiet("pending again", time.Minute)
		w.offset.Add(int64(-step))
		w.quiet("less than ten minutes after the step back", 9*time.Minute)
		w.reported("confirmed again", 8*time.Minute, " opens")

		w.status.Store(503)
		w.untilFetched()
		w.quiet("a fault", 30*time.Minute)
		w.offset.Add(int64(step))
		w.quiet("less than an hour after the step", 55*time.Minute)
		w.reported("a lasting fault", 65*time.Minute, ": status 503")
		w.status.Store(0)
		w.reported("recovered", 90*time.Minute, " answers again")
		w.hourly("at the end")
	})
	if err != nil {
		t.Error(err)
	}
	kept, err := history.Open(t.Context(), filepath.Join(folder, "history.db"), history.Config{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if a, err := kept.At(t.Context(), "http://a.example", w.at); err != nil || a.Certainty == history.Unknown {
		t.Errorf("the history has nothing at the time of the report: %+v, %v", a, err)
	}
}

// untilFetched waits for the next fetch.
func (w *steppedWorld) untilFetched() {
	for before := w.fetches.Load(); w.fetches.Load() == before; {
		time.Sleep(time.Second)
	}
}
