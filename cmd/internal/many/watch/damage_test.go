package watch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
)

// remembering makes passes whose fetches are kept in a history.
func remembering(t *testing.T, w *world, hosts ...string) (*passes, *collected) {
	t.Helper()
	p, out := newPasses(t, w, hosts...)
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	at, _ := url.Parse(w.proxy.URL)
	client, err := fetch.New(fetch.Config{
		UserAgent: "robots (+https://github.com/kosterhq/robotstxt)", KeepBodies: true, Freshness: fetch.Freshness{NoCache: true},
		Network: fetch.Network{Proxy: http.ProxyURL(at), AllowPrivate: true},
		OnFetch: func(s *fetch.Stored) {
			o := history.FromStored(s)
			o.Time, o.Source = p.now, "watch"
			if err := store.Add(context.WithoutCancel(t.Context()), o); err != nil {
				t.Error(err)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	p.history = store
	p.fetch = func(ctx context.Context, url string) (*fetch.Result, error) { return client.Robots(ctx, url) }
	return p, out
}

// TestDamageLosesNoAlert zeroes each page of the store, empties it, cuts it and removes it, between
// the fetch that finds a change and the one that confirms it, and between the confirmation and a
// delivery that has failed. The next run reports the change, or ends with an error, and then the
// run after it reports the change. No run waits for a process that does not exist.
func TestDamageLosesNoAlert(t *testing.T) {
	t.Parallel()
	const pageSize = 4096
	zeroed := func(page int) func(path string) error {
		return func(path string) error {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt(make([]byte, pageSize), int64(page)*pageSize)
			return errors.Join(err, f.Close())
		}
	}
	damages := map[string]func(path string) error{
		"emptied": func(path string) error { return os.Truncate(path, 0) },
		"cut":     func(path string) error { return os.Truncate(path, 3*pageSize) },
		"removed": os.Remove,
	}
	for page := range 16 {
		damages[fmt.Sprintf("page %d zeroed", page)] = zeroed(page)
	}
	for name, damage := range damages {
		for _, failed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, delivery failed %v", name, failed), func(t *testing.T) {
				t.Parallel() // it waits for the disk
				w := newWorld(t)
				hosts := w.setAll(3, shop+strings.Repeat("# a long text that no page of the store has room for\n", 400))
				p, out := remembering(t, w, hosts...)
				p.want(out, 0)
				w.set(hosts[1], closed)
				p.want(out, 60)
				if failed {
					out.fail.Store(true)
					if _, err := p.run(60); err == nil {
						t.Error("no error of the output")
					}
					out.fail.Store(false)
				}
				if err := damage(filepath.Join(p.folder, watch.FileName)); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				for runs := 1; len(out.list) == 0; runs++ {
					_, err := p.run(60)
					if err == nil && len(out.list) == 0 || runs > 2 {
						t.Fatalf("run %d reports nothing, and ends with %v", runs, err)
					}
				}
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("it took %s", took)
				}
				for _, text := range out.take() {
					if !strings.HasPrefix(text, "http://s1.example closes the whole site") {
						t.Errorf("reported %q", text)
					}
				}
				p.want(out, 60)
			})
		}
	}
}

// TestRestored: a site whose state is lost continues with the history of earlier runs: an old
// change is not reported again, a fault is still known, and a site without a history, or with one
// from elsewhere, is seen for the first time.
func TestRestored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hosts := w.setAll(4, shop)
	p, out := remembering(t, w, hosts[:3]...)
	lose := func() {
		t.Helper()
		if err := os.Remove(filepath.Join(p.folder, watch.FileName)); err != nil {
			t.Fatal(err)
		}
	}
	p.want(out, 0)
	w.set(hosts[0], closed)
	w.status[hosts[2]] = 503
	p.want(out, 60)
	p.want(out, 60, "http://s0.example closes", "http://s2.example: status 503")
	p.want(out, 26*60)
	lose()
	p.hosts = hosts
	elsewhere := history.Observation{Origin: "http://s3.example", Time: p.now, Status: 200, Source: "git", Body: []byte(closed)}
	if err := p.history.Add(t.Context(), elsewhere); err != nil {
		t.Fatal(err)
	}
	p.want(out, 60)
	w.set(hosts[0], shop)
	delete(w.status, hosts[2])
	p.want(out, 60)
	lose()
	p.want(out, 60, "http://s0.example opens", "http://s2.example answers again")
	p.want(out, 60)
}

// TestStillClaimed: a single pass whose output stays claimed by another process ends with an error
// if there are messages that the output has not delivered.
func TestStillClaimed(t *testing.T) {
	watch.SetPatience(t, 2*time.Second)
	w := newWorld(t)
	w.set("a.example", shop)
	p, _ := newPasses(t, w, "a.example")
	out := &collected{name: "claimed"}
	p.outputs = []watch.Output{out}
	p.want(out, 0)
	w.set("a.example", closed)
	p.want(out, 60)
	p.prepare = func(s *watch.Store) {
		claim := fmt.Sprintf("UPDATE outputs SET claimed = %d", time.Now().Add(29*time.Second).UnixMilli())
		if err := s.Exec(claim); err != nil {
			t.Error(err)
		}
	}
	_, err := p.run(60)
	if err == nil || !strings.Contains(err.Error(), "1 message is not delivered, because another process") || len(out.list) > 0 {
		t.Errorf("it ends with %v", err)
	}
}

// damages are statements that damage what the store knows about deliveries.
var damages = map[string][]string{
	"messages and events vanish": {"DELETE FROM messages", "DELETE FROM sqlite_sequence", "DELETE FROM events"},
	"messages vanish":            {"DELETE FROM messages", "DELETE FROM sqlite_sequence"},
	"only messages vanish":       {"DELETE FROM messages"},
	"position above":             {"UPDATE outputs SET position = 5"},
	"largest position":           {"UPDATE outputs SET position = 9223372036854775807"},
	"position a text":            {"UPDATE outputs SET position = 'x'"},
	"position a fraction":        {"UPDATE outputs SET position = 1.5"},
	"position a blob":            {"UPDATE outputs SET position = x'00'"},
	"position and sequence": {
		"UPDATE outputs SET position = 'x'", "UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'messages'",
	},
	"output vanishes":   {"DELETE FROM outputs"},
	"largest sequences": {"UPDATE sqlite_sequence SET seq = 9223372036854775807"},
	"largest event":     {"UPDATE events SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM events)"},
	"largest message":   {"UPDATE messages SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM messages)"},
	"largest message, position": {
		"UPDATE messages SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM messages)",
		"UPDATE outputs SET position = 9223372036854775807",
	},
}

// TestDamageOfDeliveries damages rows after a first delivery, before the fetch that confirms a
// second change, during it, and after a delivery of it that failed. The change is delivered, or the
// run ends with an error and the run after it delivers the change; no message comes for ever.
func TestDamageOfDeliveries(t *testing.T) {
	t.Parallel()
	const before, during, after = "before the confirmation", "during the fetch", "after a failed delivery"
	for name, orders := range damages {
		for _, when := range []string{before, during, after} {
			t.Run(name+", "+when, func(t *testing.T) {
				t.Parallel() // it waits for the disk
				w := newWorld(t)
				w.set("a.example", shop)
				p, out := newPasses(t, w, "a.example")
				p.want(out, 0)
				w.set("a.example", closed)
				p.want(out, 60)
				p.want(out, 60, "http://a.example closes")
				w.set("a.example", shop)
				p.want(out, 60)
				if when == after {
					out.fail.Store(true)
					if _, err := p.run(60); err == nil {
						t.Error("no error of the output")
					}
					out.fail.Store(false)
				}
				vanished := when == after && strings.Contains(name, "and events")
				damageOnce(t, p, when == during, orders)
				_, err := p.run(60)
				if err != nil {
					_, err = p.run(60)
				}
				got := strings.Join(out.take(), "\n")
				if n := strings.Count(got, " opens"); err != nil || n != 1 && !vanished {
					t.Errorf("ends with %v, and reports %q", err, got)
				}
				p.want(out, 60)
			})
		}
	}
}

// damageOnce damages the store of the next run as it begins, or at its first fetch.
func damageOnce(t *testing.T, p *passes, atFetch bool, orders []string) {
	p.prepare = func(s *watch.Store) {
		p.prepare = nil
		damage := func() {
			for _, order := range orders {
				if err := s.Exec(order); err != nil {
					t.Error(err)
				}
			}
		}
		if !atFetch {
			damage()
			return
		}
		fetching := p.fetch
		p.fetch = func(ctx context.Context, url string) (*fetch.Result, error) {
			p.fetch = fetching
			damage()
			return fetching(ctx, url)
		}
	}
}

// damaging is an output that damages the store while it delivers.
type damaging struct {
	collected
	damage func()
}

func (d *damaging) Deliver(ctx context.Context, m *wire.WatchMessage) error {
	if len(d.list) < 5 {
		d.damage()
	}
	return d.collected.Deliver(ctx, m)
}

// TestDamageDuringDelivery: a delivery whose position the store does not keep ends the loop with an
// error, and the next run ends without one.
func TestDamageDuringDelivery(t *testing.T) {
	for _, order := range []string{"UPDATE outputs SET position = 'x'", "UPDATE outputs SET position = x'00'"} {
		w := newWorld(t)
		w.set("a.example", shop)
		p, _ := newPasses(t, w, "a.example")
		out := &damaging{damage: func() {}}
		p.outputs = []watch.Output{out}
		p.want(&out.collected, 0)
		w.set("a.example", closed)
		p.want(&out.collected, 60)
		p.prepare = func(s *watch.Store) {
			out.damage = func() {
				if err := s.Exec(order); err != nil {
					t.Error(err)
				}
			}
		}
		_, err := p.run(60)
		if got := out.take(); err == nil || !strings.Contains(err.Error(), "does not keep what was delivered") || len(got) != 1 {
			t.Errorf("%s: ends with %v, and reports %q", order, err, got)
		}
		p.prepare = nil
		out.damage = func() {}
		p.want(&out.collected, 60, "http://a.example closes")
		p.want(&out.collected, 60)
	}
}

// TestDamageLosesReported: a single pass that has reported a change, but whose message the store has
// lost, ends with an error.
func TestDamageLosesReported(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	p.want(out, 0)
	w.set("a.example", closed)
	p.want(out, 60)
	damageOnce(t, p, false, []string{"CREATE TRIGGER lose AFTER INSERT ON events BEGIN DELETE FROM events; END"})
	_, err := p.run(60)
	if err == nil || !strings.Contains(err.Error(), "1 change is reported, but nothing is delivered") || len(out.list) > 0 {
		t.Errorf("ends with %v, and reports %q", err, out.take())
	}
}

// TestFirstOutput: an output that follows runs without any is new, and gets no old message.
func TestFirstOutput(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	outputs := p.outputs
	p.outputs = nil
	p.want(out, 0)
	w.set("a.example", closed)
	p.want(out, 60)
	p.want(out, 60)
	p.outputs = outputs
	p.want(out, 60)
	w.set("a.example", shop)
	p.want(out, 60)
	p.want(out, 60, "http://a.example opens")
}
