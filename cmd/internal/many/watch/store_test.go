package watch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// logged opens the store of a folder, and returns what it logs.
func logged(t *testing.T, folder string) string {
	t.Helper()
	var log bytes.Buffer
	s, err := watch.OpenStore(t.Context(), folder, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return log.String()
}

// TestDamage: a damaged file is renamed with a note, and the run begins with what is served.
// Only the last three are kept.
func TestDamage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	path := filepath.Join(p.folder, watch.FileName)
	for i := range 5 {
		p.want(out, 60)
		w.set("a.example", []string{closed, shop}[i%2]) // is not compared with what is lost
		for _, name := range []string{path + "-wal", path + "-shm"} {
			if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, bytes.Repeat([]byte{byte('a' + i)}, 8192), 0o600); err != nil {
			t.Fatal(err)
		}
		if log := logged(t, p.folder); !strings.Contains(log, "was damaged; it was renamed") || !strings.Contains(log, fmt.Sprintf("damaged-%d", i+1)) {
			t.Errorf("logged %q", log)
		}
		p.want(out, 60)
		p.want(out, 60)
	}
	kept, err := filepath.Glob(path + ".damaged-*")
	if n := sqlitefile.Damaged(path); err != nil || n != 5 || len(kept) != 3 {
		t.Errorf("%d were renamed, kept are %q, %v", n, kept, err)
	}
	w.set("a.example", "User-agent: *\nDisallow: /new\n")
	p.want(out, 60)
	p.want(out, 60, "http://a.example opens all but /new")
}

// TestOlderSchema: a file of an older version is renamed with a note and stays as it is; one
// of a newer version is an error.
func TestOlderSchema(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	p.want(out, 0)
	newer := watch.Schema
	newer.Version, newer.Text = watch.Schema.Version+1, newer.Text+";\nCREATE TABLE more (id INTEGER PRIMARY KEY)"
	var log bytes.Buffer
	s, err := watch.OpenSchema(t.Context(), p.folder, slog.New(slog.NewTextHandler(&log, nil)), newer)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if !strings.Contains(log.String(), "was made by an older version; it was renamed") {
		t.Errorf("logged %q", &log)
	}
	_, err = p.run(1)
	if !errors.Is(err, watch.ErrDegraded) || !strings.Contains(err.Error(), "use a newer program") {
		t.Errorf("a file of a newer version: %v", err)
	}
	path := filepath.Join(p.folder, watch.FileName)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+".older-1"+suffix, path+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	w.set("a.example", closed)
	p.want(out, 60)
	p.want(out, 60, "http://a.example closes the whole site")
}

// TestDamagedRow: a site whose row is not as it was written counts as not seen before, and an
// event or a message is left out; the others stay. The run that leaves out a message says so.
func TestDamagedRow(t *testing.T) {
	w := newWorld(t)
	hosts := []string{"a.example", "b.example", "c.example"}
	for _, host := range hosts {
		w.set(host, shop)
	}
	p, out := newPasses(t, w, hosts...)
	p.want(out, 0)
	order := func(query string) {
		p.prepare = func(s *watch.Store) {
			p.prepare = nil
			if err := s.Exec(query); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, host := range hosts {
		w.set(host, closed)
	}
	p.want(out, 60)
	order(`UPDATE sites SET state = CAST(replace(CAST(state AS TEXT), '200', '201') AS BLOB) WHERE origin = 'http://a.example'`)
	p.want(out, 60, "http://b.example closes", "http://c.example closes")

	for _, host := range hosts {
		w.set(host, shop)
	}
	p.want(out, 60)
	out.fail.Store(true)
	if _, err := p.run(60); err == nil {
		t.Error("no error of the output")
	}
	out.fail.Store(false)
	order(`UPDATE messages SET message = CAST(replace(CAST(message AS TEXT), 'opens', 'opent') AS BLOB) WHERE CAST(message AS TEXT) LIKE '%b.example opens%'`)
	if _, err := p.run(60); err == nil || !strings.Contains(err.Error(), "1 message is damaged, and not delivered") {
		t.Errorf("it ends with %v", err)
	}
	got := out.take()
	slices.Sort(got)
	if len(got) != 2 || !strings.HasPrefix(got[0], "http://a.example opens") || !strings.HasPrefix(got[1], "http://c.example opens") {
		t.Errorf("reported %q", got)
	}
	order(`INSERT INTO events (site, at, gravity, message, event, sum) VALUES (1, 0, 0, 0, x'7b7d', 1)`)
	p.want(out, 60)
}

// TestFullDisk: on a full file system a run ends with an error that says so, and reports
// nothing that it has not stored; with room again the next run goes on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil || os.Geteuid() != 0 {
		t.Skip("NOT TESTED: only root on Linux can mount a small file system")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: no small file system: %v %s", err, out)
	}
	defer func() {
		if out, err := exec.Command("umount", "-l", folder).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	}()
	w := newWorld(t)
	hosts := w.setAll(300, shop)
	p, out := newPasses(t, w, hosts...)
	p.folder = folder
	p.want(out, 0)
	for _, host := range hosts[:10] {
		w.set(host, closed)
	}
	filler := filepath.Join(folder, "filler")
	for size := 8 << 20; size > 0; size /= 2 { // as much as there is room for
		f, err := os.OpenFile(filler, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write(make([]byte, size)) // fails
		f.Close()
	}
	for range 2 {
		_, err := p.run(60)
		if !errors.Is(err, watch.ErrDegraded) || !strings.Contains(err.Error(), "full") {
			t.Errorf("on a full disk: %v", err)
		}
		if got := out.take(); len(got) > 0 {
			t.Errorf("reported %q", got)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if log := logged(t, folder); log != "" {
		t.Errorf("logged %q", log)
	}
	p.want(out, 60)
	tally, err := p.run(60)
	if got := out.take(); err != nil || tally.Events != 10 || len(got) != 10 {
		t.Errorf("afterwards: %+v, %v, %q", tally, err, got)
	}
}

// TestReplaced: a run with an interval ends when another file is in place of the store.
func TestReplaced(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, out := newPasses(t, w, "a.example")
	store := openStore(t, p.folder)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	path := filepath.Join(p.folder, watch.FileName)
	_, err := watch.Run(ctx, watch.Config{
		Store: store, Online: &watch.Online{}, Reader: &watch.Reader{}, Every: 50 * time.Millisecond, Concurrency: 1,
		Outputs: []watch.Output{out}, Fault: func(err error) { t.Error(err) },
		Fetch: func(ctx context.Context, url string) (*fetch.Result, error) {
			for _, suffix := range []string{"", "-wal", "-shm"} {
				_ = os.Rename(path+suffix, path+".away"+suffix) // fails the second time
			}
			return p.fetch(ctx, url)
		},
		Sites: sitesOf("a.example"),
	})
	if err == nil || !strings.Contains(err.Error(), "run again") {
		t.Errorf("got %v", err)
	}
}
