package watch_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// storeOne copies a store of version 1 of the schema into a folder. A run that watched every quarter of an hour
// wrote it until 16:05, with these sites:
//
//	plain, gone                nothing but the reported answer, a file or none
//	pending, sitemap           a pending closing, a pending Sitemap line
//	fault, down, recovering    a pending fault, a reported one, and one whose end is pending
//	nonce, flapping            a Sitemap line that is always new, and two files in turn, both told
//	told, late                 a closing whose message one output has not delivered, and one without a message
func storeOne(t *testing.T, folder string) {
	t.Helper()
	text, err := os.ReadFile("testdata/store-1.db")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, watch.FileName), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// storeOneSites returns the sites of storeOne, as they are served from then on, and a function that runs passes.
func storeOneSites(t *testing.T) (w *world, p *passes, out, other *collected, pass func(minutes int)) {
	w = newWorld(t)
	const site = ".example"
	for name, body := range map[string]string{"plain": shop, "pending": closed,
		"sitemap": shop + "Sitemap: https://shop.example/c.xml\n", "recovering": shop, "told": closed, "late": closed} {
		w.set(name+site, body)
	}
	w.status["fault.example"], w.status["down.example"] = http.StatusServiceUnavailable, http.StatusServiceUnavailable
	p, out = newPasses(t, w, "plain"+site, "pending"+site, "sitemap"+site, "fault"+site, "down"+site, "recovering"+site,
		"nonce"+site, "flapping"+site, "gone"+site, "told"+site, "late"+site)
	other = &collected{name: "other"}
	p.outputs = append(p.outputs, other)
	p.now = start.Add(245 * time.Minute)
	n := 19
	return w, p, out, other, func(minutes int) {
		t.Helper()
		n++
		w.mu.Lock()
		nonce := shop
		if strings.HasPrefix(w.bodies["nonce.example"], closed) {
			nonce = closed
		}
		w.mu.Unlock()
		w.set("nonce.example", nonce+fmt.Sprintf("Sitemap: https://shop.example/n.xml?t=%d\n", n))
		w.set("flapping.example", []string{shop, closed}[n%2])
		if _, err := p.run(minutes); err != nil {
			t.Error(err)
		}
	}
}

// upgraded checks that a run goes on with the store of storeOne: what was pending is confirmed at the right
// time, each output gets what it has not delivered, and nothing is told twice in the passes after that.
func upgraded(t *testing.T, folder string, passes int) {
	t.Helper()
	w, p, out, other, pass := storeOneSites(t)
	p.folder = folder
	want := func(c *collected, beginnings ...string) {
		t.Helper()
		got := c.take()
		slices.Sort(got)
		if !slices.EqualFunc(got, beginnings, func(text, beginning string) bool {
			return strings.HasPrefix(text, "http://"+beginning)
		}) {
			t.Errorf("%v: got %q, want %q", p.now, got, beginnings)
		}
	}
	pass(9)
	want(out, "late.example closes")
	want(other, "late.example closes", "told.example: closes") // told is a message of the earlier version
	pass(1)
	want(out, "pending.example closes", "recovering.example answers again", "sitemap.example: Sitemap: added")
	want(other, "pending.example closes", "recovering.example answers again", "sitemap.example: Sitemap: added")
	pass(49)
	want(out)
	pass(1)
	want(out, "fault.example: status 503")
	for range passes {
		pass(15)
		want(out)
	}
	w.set("nonce.example", closed)
	pass(15)
	want(out)
	pass(15)
	want(out, "nonce.example closes")
}

// TestUpgrade: a store of version 1 becomes one of this version, and a run goes on with it.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	storeOne(t, folder)
	pages := func(want map[string]string) {
		for query, want := range want {
			page := httptest.NewRecorder()
			(&watch.Pages{Folder: folder}).ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/watch?"+query, nil))
			if !strings.Contains(page.Body.String(), want) {
				t.Errorf("page %q: %d %s", query, page.Code, page.Body)
			}
		}
	}
	pages(map[string]string{"": "the next run of <code>robots watch</code> upgrades it"})
	if log := logged(t, folder); log != "" {
		t.Errorf("logged %q", log)
	}
	pages(map[string]string{"": "pending.example</a></td><td>a file, a change is pending<",
		"q=plain": "plain.example</a></td><td>a file<", "site=http://told.example": "closes the whole site"})
	upgraded(t, folder, 120)
}

// TestUpgradeAtOnce: several processes open the store at the same time.
func TestUpgradeAtOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	storeOne(t, folder)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := watch.OpenStore(t.Context(), folder, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	all.Wait()
	upgraded(t, folder, 4)
}

// TestUpgradeKilled kills a process that has upgraded the store, but not ended the transaction.
func TestUpgradeKilled(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	storeOne(t, folder)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), "WATCH_UPGRADE="+folder)
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "upgraded\n" {
		t.Errorf("%q, %v", line, err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	if s, err := watch.OpenSchema(t.Context(), folder, slog.New(slog.DiscardHandler), watch.SchemaOne); err != nil {
		t.Errorf("after the kill it is not of version 1: %v", err)
	} else {
		s.Close()
	}
	upgraded(t, folder, 4)
}

// stuckUpgrade upgrades the store of a folder, and never ends the transaction.
func stuckUpgrade(folder string) error {
	schema := watch.Schema
	one := schema.Upgrades[1]
	schema.Upgrades = map[int64]sqlitefile.Upgrade{1: {Text: one.Text, Do: func(c *sqlitefile.Conn) error {
		if err := one.Do(c); err != nil {
			return err
		}
		fmt.Println("upgraded")
		select {}
	}}}
	_, err := watch.OpenSchema(context.Background(), folder, slog.New(slog.DiscardHandler), schema)
	return err
}

// TestUpgradeDamaged: a damaged row of version 1 is a site that was never seen, and the others stay.
func TestUpgradeDamaged(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	storeOne(t, folder)
	s, err := watch.OpenSchema(t.Context(), folder, slog.New(slog.DiscardHandler), watch.SchemaOne)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"pending", "plain"} {
		if err := s.Exec("UPDATE sites SET size = 7, state = CAST(replace(CAST(state AS TEXT), '200', '201') AS BLOB) WHERE origin = 'http://" + host + ".example'"); err != nil {
			t.Error(err)
		}
	}
	s.Close()
	w, p, out, _, pass := storeOneSites(t)
	p.folder = folder
	pass(10)
	if got := out.take(); len(got) != 3 || strings.Contains(strings.Join(got, ""), "pending.example") {
		t.Errorf("got %q", got)
	}
	w.set("pending.example", shop)
	w.set("plain.example", closed)
	pass(15)
	pass(15)
	if got := strings.Join(out.take(), "\n"); !strings.Contains(got, "http://pending.example opens") || !strings.Contains(got, "http://plain.example closes") {
		t.Errorf("got %q", got)
	}
}
