package history_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
)

// writerVariable makes the test binary a process that adds observations until it is killed,
// and prints the number of each that is acknowledged. Its value is the path of the database
// and the first number.
const writerVariable = "ROBOTSTXT_HISTORY_WRITER"

func TestMain(m *testing.M) {
	if text := os.Getenv(writerVariable); text != "" {
		writeUntilKilled(text)
	}
	os.Exit(m.Run())
}

func writeUntilKilled(text string) {
	var first int
	var path string
	if _, err := fmt.Sscanf(text, "%d %s", &first, &path); err != nil {
		panic(err)
	}
	s, err := history.Open(context.Background(), path, history.Config{})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for i := first; ; i++ {
		if err := s.Add(context.Background(), numbered(i)); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(i)
	}
}

// numbered returns the observation with a number: eight origins in turn, each time another file.
func numbered(i int) history.Observation {
	o := seen(epoch.Add(time.Duration(i)*time.Minute), 3+i)
	o.Origin = fmt.Sprintf("https://shop%d.example", i%8)
	return o
}

// start starts a process that writes. acknowledged returns the last number, after it was killed.
func start(t *testing.T, path string, first int) (kill func(), acknowledged func() int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	var out bytes.Buffer
	cmd.Env, cmd.Stdout = append(os.Environ(), fmt.Sprintf("%s=%d %s", writerVariable, first, path)), &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }, func() int {
		last := first - 1
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "error") {
				t.Error(line)
			}
			if n := 0; strings.HasSuffix(line, "\n") {
				if _, err := fmt.Sscan(line, &n); err == nil {
					last = n
				}
			}
		}
		return last
	}
}

func checkNumbered(t *testing.T, s *history.Store, from, to int) {
	t.Helper()
	for i := from; i <= to; i++ {
		o := numbered(i)
		a, err := s.At(t.Context(), o.Origin, o.Time)
		if err != nil || a.Certainty != history.Proved || kindOf(t, s, a.Before.Version) != 3+i {
			t.Fatalf("observation %d, which was acknowledged: %+v, %v", i, a, err)
		}
	}
}

// TestKilled kills processes that write, two at a time. No acknowledged observation may be
// lost, and nothing may be damaged.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	rounds := 5
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		rounds = 100
	}
	next := [2]int{0, 1_000_000}
	// On a busy machine the processes may begin to write later than usual.
	for round := 0; round < rounds || next[0] == 0 || next[1] == 1_000_000; round++ {
		var kills [2]func()
		var ends [2]func() int
		for i := range kills {
			kills[i], ends[i] = start(t, path, next[i])
		}
		time.Sleep(150 * time.Millisecond * time.Duration(1+round/rounds))
		for i, kill := range kills {
			kill()
			next[i] = ends[i]() + 1
		}
	}
	s := open(t, path, history.Config{})
	checkNumbered(t, s, 0, next[0]-1)
	checkNumbered(t, s, 1_000_000, next[1]-1)
	if st, err := s.Stats(t.Context()); err != nil || st.Damaged != 0 || st.DroppedObservations != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	t.Logf("%d and %d observations in %d rounds", next[0], next[1]-1_000_000, rounds)
}

// TestFullDisk makes the file system refuse more pages: observations are errors, what is there
// can be read, and afterwards observations are kept again.
func TestFullDisk(t *testing.T) {
	defer history.SetRetryAfter(100 * time.Millisecond)()
	if _, err := os.Stat("/dev/full"); err != nil || os.Geteuid() != 0 {
		t.Skip("NOT TESTED: only root on Linux can mount a small file system")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: no small file system: %v %s", err, out)
	}
	defer func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	}()
	s, err := history.Open(t.Context(), filepath.Join(dir, "h.db"), history.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := 0
	for ; n < 5000; n++ {
		o := numbered(n)
		for i := range 60 {
			o.Body = fmt.Appendf(o.Body, "Disallow: /%x\n", (n+1)*(i+7919)*104729)
		}
		if err = s.Add(t.Context(), o); err != nil {
			break
		}
	}
	if !errors.Is(err, history.ErrDegraded) {
		t.Fatalf("after %d observations on a disk of 2 MB: %v", n, err)
	}
	for i := range n {
		if a, err := s.At(t.Context(), numbered(i).Origin, numbered(i).Time); err != nil ||
			a.Certainty != history.Proved {
			t.Fatalf("observation %d of %d: %+v, %v", i, n, a, err)
		}
	}
	if out, err := exec.Command("mount", "-o", "remount,size=16m", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	again := numbered(n)
	for waiting := time.Now(); s.Add(t.Context(), again) != nil; time.Sleep(20 * time.Millisecond) {
		if time.Since(waiting) > time.Minute {
			t.Fatalf("there is space, and an observation is refused: %v", s.Add(t.Context(), again))
		}
	}
	if a, err := s.At(t.Context(), again.Origin, again.Time); err != nil || a.Certainty != history.Proved {
		t.Errorf("an observation after there was space again: %+v, %v", a, err)
	}
}

// TestOlderSchema: a database with other tables of an older version is renamed with a note,
// and its content is untouched.
func TestOlderSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s := open(t, path, history.Config{})
	if err := s.Add(t.Context(), numbered(0)); err != nil {
		t.Fatal(err)
	}
	s.Close()
	var log bytes.Buffer
	newer := history.Schema
	newer.Version, newer.Text = 3, newer.Text+";\nCREATE TABLE more (id INTEGER PRIMARY KEY)"
	cfg := history.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	second, err := history.OpenSchema(t.Context(), path, cfg, newer)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := second.Stats(t.Context()); err != nil || st.Older != 1 || st.Damaged != 0 || st.Runs != 0 ||
		!strings.Contains(log.String(), "older version") {
		t.Errorf("%+v, %v, log %s", st, err, &log)
	}
	second.Close()
	checkNumbered(t, open(t, path+".older-1", history.Config{}), 0, 0)
	if _, err := history.Open(t.Context(), path, history.Config{Logger: cfg.Logger}); !errors.Is(err,
		history.ErrDegraded) || !strings.Contains(err.Error(), "schema version 3") {
		t.Errorf("a database of a newer version: %v", err)
	}
}

// TestDamage overwrites the database: it is renamed, and the history begins again.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	for i := range 5 {
		if err := os.WriteFile(path, bytes.Repeat([]byte{byte('a' + i)}, 8192), 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, path, history.Config{Logger: slog.New(slog.DiscardHandler)})
		if err := s.Add(t.Context(), numbered(i)); err != nil {
			t.Fatal(err)
		}
		checkNumbered(t, s, i, i)
		s.Close()
	}
	kept, err := filepath.Glob(path + ".damaged-*")
	if n := sqlitefile.Damaged(path); err != nil || n != 5 || len(kept) < 3 || len(kept) > 3*3 {
		t.Errorf("%d databases were renamed, these are kept: %q, %v", n, kept, err)
	}
}

// TestBounds: what is dropped for size or age is said.
func TestBounds(t *testing.T) {
	// A small database is measured often, and then what is too old is dropped too.
	for name, cfg := range map[string]history.Config{"size": {MaxBytes: 1 << 20}, "age": {MaxBytes: 1 << 20, MaxAge: 100 * day}} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "h.db"), cfg)
			n := map[string]int{"size": 5000, "age": 1000}[name]
			var wait sync.WaitGroup
			now := time.Now()
			at := func(i int) time.Time { return now.Add(-time.Duration(n-i) * 4 * time.Hour) }
			for part := range 8 {
				wait.Go(func() {
					for i := part; i < n; i += 8 {
						o := seen(at(i), 3+i)
						for k := range 12 {
							o.Body = fmt.Appendf(o.Body, "Disallow: /%x\n", (i+1)*(k+7919)*104729)
						}
						if err := s.Add(context.Background(), o); err != nil {
							t.Error(err)
						}
					}
				})
			}
			wait.Wait()
			st, err := s.Stats(t.Context())
			if err != nil || st.DroppedObservations == 0 || st.DroppedObservations+st.Runs != int64(n) ||
				st.DroppedUntil.IsZero() || st.Bodies != st.Runs {
				t.Fatalf("%+v, %v", st, err)
			}
			if name == "size" && st.FileBytes > 3<<20 {
				t.Errorf("%d bytes, although 1 MiB and the log are allowed", st.FileBytes)
			}
			first, err := s.At(t.Context(), site, at(1))
			if err != nil || first.Certainty != history.Unknown || !first.Dropped {
				t.Errorf("a time whose observations were dropped: %+v, %v", first, err)
			}
			last, err := s.At(t.Context(), site, at(n-1))
			if err != nil || last.Certainty != history.Proved || last.Dropped {
				t.Errorf("the last observation: %+v, %v", last, err)
			}
			spans, err := s.Window(t.Context(), site, st.DroppedUntil.Add(-day), st.DroppedUntil.Add(2*day))
			if err != nil || len(spans) == 0 || !spans[0].Dropped || spans[len(spans)-1].Dropped {
				t.Errorf("%v, %+v", err, spans[:min(len(spans), 1)])
			}
		})
	}
}

// TestDroppedBetween: nothing is presumed of a time of which observations were dropped, even if
// equal ones around it are added again.
func TestDroppedBetween(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	now := time.Now()
	before, between, after := now.Add(-60*time.Hour), now.Add(-50*time.Hour), now.Add(-45*time.Hour)
	add := func(cfg history.Config, versions map[time.Time]int) *history.Store {
		s := open(t, path, cfg)
		for at, version := range versions {
			if err := s.Add(t.Context(), seen(at, version)); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	add(history.Config{}, map[time.Time]int{before: 0, between: 1, after: 0}).Close()
	add(history.Config{MaxAge: 40 * time.Hour}, map[time.Time]int{now: 0}).Close() // the first Add drops
	s := add(history.Config{}, map[time.Time]int{before: 0, after: 0})
	a, err := s.At(t.Context(), site, between)
	if err != nil || a.Certainty != history.Unknown || !a.Dropped || a.Before == nil || a.After == nil {
		t.Errorf("At: %+v, %v", a, err)
	}
	spans, err := s.Window(t.Context(), site, before, after)
	if err != nil || len(spans) != 3 || spans[1].Certainty != history.Unknown || !spans[1].Dropped {
		t.Errorf("Window: %+v, %v", spans, err)
	}
}

// TestInvalid: what cannot be kept is an error.
func TestInvalid(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "h.db"), history.Config{})
	for name, change := range map[string]func(*history.Observation){
		"origin": func(o *history.Observation) { o.Origin = "https://shop.example/" },
		"host":   func(o *history.Observation) { o.Origin = "shop.example" },
		"source": func(o *history.Observation) { o.Source = "rumour" },
		"time":   func(o *history.Observation) { o.Time = time.Time{} },
		"body":   func(o *history.Observation) { o.Body = make([]byte, 17<<20) },
		"empty":  func(o *history.Observation) { o.Body, o.Status = nil, 0 },
	} {
		o := seen(epoch, 3)
		change(&o)
		if err := s.Add(t.Context(), o); !errors.Is(err, history.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	local := history.Observation{Origin: site, Time: epoch, Fault: "local", Source: "client"}
	if err := s.Add(t.Context(), local); err != nil {
		t.Error(err)
	}
	if _, ok, err := s.Last(t.Context(), site); ok || err != nil {
		t.Errorf("a fault of this machine was kept: %v", err)
	}
}

// BenchmarkAt looks up times in a history of many origins with 30 observations each. With
// ROBOTSTXT_LONG the database is larger than SQLite's cache of pages.
func BenchmarkAt(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "h.db"), history.Config{})
	origins := 2000
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		origins = 100_000
	}
	fill(b, s, origins, 3)
	for i := 0; b.Loop(); i++ {
		name := fmt.Sprintf("https://shop%d.example", i*7919%origins)
		if _, err := s.At(b.Context(), name, epoch.Add(time.Duration(i%700)*time.Hour)); err != nil {
			b.Fatal(err)
		}
	}
}

func fill(tb testing.TB, s *history.Store, origins int, versions float64) {
	var wait sync.WaitGroup
	for part := range 16 {
		wait.Go(func() {
			for i := part; i < origins; i += 16 {
				count := int(versions)
				if float64(i%10)/10 < versions-float64(count) {
					count++
				}
				for day := range 30 {
					o := history.Observation{
						Origin: fmt.Sprintf("https://shop%d.example", i), Time: epoch.Add(time.Duration(day) * 24 * time.Hour), Status: 200, Source: "client",
						Header: map[string][]string{"Content-Type": {"text/plain"}, "Etag": {fmt.Sprintf(`"%x"`, i)}},
					}
					o.Body = fmt.Appendf(nil, "# %d\nUser-agent: *\nDisallow: /cart/\nDisallow: /account/\nDisallow: /search?q=\n\nUser-agent: GPTBot\nDisallow: /%d/%d/\nAllow: /news/\n\nSitemap: https://shop%d.example/sitemap.xml\n", i, i, day*count/30, i)
					if err := s.Add(context.Background(), o); err != nil {
						tb.Error(err)
						return
					}
				}
			}
		})
	}
	wait.Wait()
}

// TestBytes measures what an origin with 30 observations takes. With ROBOTSTXT_LONG it is
// 100,000 origins, or as many as ROBOTSTXT_ORIGINS says, otherwise 150.
func TestBytes(t *testing.T) {
	origins := 150
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		origins = 100_000
	}
	if text := os.Getenv("ROBOTSTXT_ORIGINS"); text != "" {
		var err error
		origins, err = strconv.Atoi(text)
		if err != nil {
			t.Fatalf("ROBOTSTXT_ORIGINS: %v", err)
		}
	}
	for _, versions := range []float64{1.3, 3} {
		s := open(t, filepath.Join(t.TempDir(), "h.db"), history.Config{})
		fill(t, s, origins, versions)
		s.Close() // the log is written back
		s = open(t, s.Path(), history.Config{})
		st, err := s.Stats(t.Context())
		if err != nil || st.Origins != int64(origins) {
			t.Fatalf("%+v, %v", st, err)
		}
		perOrigin := st.FileBytes / int64(origins)
		t.Logf("%g versions: %d origins, %d runs, %d bodies, %d bytes for an origin", versions, st.Origins, st.Runs, st.Bodies, perOrigin)
		if perOrigin > int64(1000+900*versions) {
			t.Errorf("%d bytes for an origin with %g versions", perOrigin, versions)
		}
	}
}
