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
					if !strings.HasPrefix(text, "http://s1.example: closes the whole site") {
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
	p.want(out, 60, "http://s0.example: closes", "http://s2.example: status 503")
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
	p.want(out, 60, "http://s0.example: opens", "http://s2.example: answers again")
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
