package disk_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

// mount mounts a file system of a few megabytes in memory. It skips the test if
// that is not permitted.
func mount(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: mount -t tmpfs: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return dir
}

// remount changes the options of a file system, or skips the test.
func remount(t *testing.T, dir, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: mount -o remount,%s: %v: %s", options, err, out)
	}
}

// degraded opens a store that cannot work, and checks that every method,
// Degraded and one line of the log report it.
func degraded(t *testing.T, cfg disk.Config, wantText string) {
	t.Helper()
	var l log
	cfg.Logger = l.logger()
	s, err := disk.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, key := t.Context(), origin(0)
	_, get := s.Get(ctx, key)
	stored, put := s.PutIfNewer(ctx, key, newEntry(key, time.Now()))
	_, purge := s.PurgeExpired(ctx)
	_, all := s.PurgeAll(ctx)
	_, stats := s.Stats(ctx)
	for i, err := range []error{s.Degraded(), get, put, s.Delete(ctx, key), purge, all, stats} {
		if !errors.Is(err, disk.ErrDegraded) || !strings.Contains(err.Error(), wantText) ||
			errors.Is(err, cache.ErrNotFound) {
			t.Errorf("call %d: %v, want ErrDegraded with %q", i, err, wantText)
		}
	}
	for _, err := range s.Entries(ctx) {
		if !errors.Is(err, disk.ErrDegraded) {
			t.Errorf("Entries: %v, want ErrDegraded", err)
		}
	}
	if stored {
		t.Error("stored, it says")
	}
	if n := l.warnings(); n != 1 {
		t.Errorf("%d warnings, want 1:\n%s", n, l.String())
	}
}

func TestNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	degraded(t, disk.Config{Dir: file}, "not a directory")
	degraded(t, disk.Config{Dir: filepath.Join(file, "below")}, "not a directory")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	degraded(t, disk.Config{}, "HOME")
}

func TestDefaultDirectory(t *testing.T) {
	caches := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", caches)
	s := open(t, disk.Config{})
	stats, err := s.Stats(t.Context())
	if want := filepath.Join(caches, "robotstxt", disk.FileName); stats.Path != want || err != nil {
		t.Skipf("the cache directory is not where XDG_CACHE_HOME says: %s, %v", stats.Path, err)
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	dir := mount(t, "size=8m")
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 10, time.Now())
	s.Close()
	remount(t, dir, "ro")
	degraded(t, disk.Config{Dir: dir}, "read-only")
	degraded(t, disk.Config{Dir: filepath.Join(dir, "new")}, "read-only")
	readable(t, dir, 10)
}

// readable opens a store for reading only, and checks that it has n entries and
// refuses all changes.
func readable(t *testing.T, dir string, n int) {
	t.Helper()
	s := open(t, disk.Config{Dir: dir, ReadOnly: true})
	defer s.Close()
	ctx := t.Context()
	if got := present(t, s, 0, n+1); got != n {
		t.Errorf("%d entries, want %d", got, n)
	}
	listed := 0
	for _, err := range s.Entries(ctx) {
		if listed++; err != nil {
			t.Error(err)
		}
	}
	if stats, err := s.Stats(ctx); err != nil || stats.Entries != int64(n) || listed != n {
		t.Errorf("%+v, %v, %d listed, want %d", stats, err, listed, n)
	}
	key := origin(0)
	_, put := s.PutIfNewer(ctx, key, newEntry(key, time.Now()))
	_, over := s.PutIfUnchanged(ctx, key, time.Time{}, newEntry(key, time.Now()))
	_, lease := s.Acquire(ctx, key, time.Minute)
	_, expired := s.PurgeExpired(ctx)
	_, all := s.PurgeAll(ctx)
	for i, err := range []error{put, over, s.Delete(ctx, key), lease, expired, all} {
		if !errors.Is(err, disk.ErrDegraded) {
			t.Errorf("call %d: %v, want ErrDegraded", i, err)
		}
	}
}

// TestReadOnly reads databases without changing anything: one in use, one that a
// killed process has left with its log, and one without log.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 10, time.Now())
	readable(t, dir, 10)
	killed := mount(t, "size=8m")
	writeAll(t, killed, readAll(t, dir))
	s.Close()
	for _, without := range [][]string{nil, {"-shm"}, {"-wal"}} {
		if without != nil {
			killed = mount(t, "size=8m")
			b, err := os.ReadFile(filepath.Join(dir, disk.FileName))
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(killed, disk.FileName), b)
		}
		remount(t, killed, "ro")
		readable(t, killed, 10)
	}
	edit(t, dir, "CREATE TABLE other (x); PRAGMA user_version = 9")
	degraded(t, disk.Config{Dir: dir, ReadOnly: true}, "schema version 9")
	missing := filepath.Join(t.TempDir(), "missing")
	degraded(t, disk.Config{Dir: missing, ReadOnly: true}, "unable to open")
	if _, err := os.Stat(missing); err == nil {
		t.Error("the directory was created")
	}
}

// TestFullDisk fills the disk. Then puts must fail and gets must succeed. When
// there is space again, puts must succeed.
func TestFullDisk(t *testing.T) {
	defer disk.SetRetryAfter(50 * time.Millisecond)()
	dir := mount(t, "size=6m")
	filler := filepath.Join(dir, "filler")
	write(t, filler, make([]byte, 2<<20))
	var l log
	s := open(t, disk.Config{Dir: dir, Logger: l.logger()})
	ctx, n, start := context.Background(), 0, time.Now()
	for ; ; n++ {
		if _, err := s.PutIfNewer(ctx, origin(n), newEntry(origin(n), start)); err != nil {
			if !errors.Is(err, disk.ErrDegraded) || !errors.Is(s.Degraded(), disk.ErrDegraded) {
				t.Fatalf("put: %v, Degraded: %v, want ErrDegraded", err, s.Degraded())
			}
			t.Logf("after %d puts: %v", n, err)
			break
		}
	}
	if got := present(t, s, 0, n+1); got != n {
		t.Errorf("%d entries while the disk is full, want %d", got, n)
	}
	if warned := l.warnings(); warned != 1 {
		t.Errorf("%d warnings, want 1:\n%s", warned, l.String())
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	time.Sleep(60 * time.Millisecond)
	put(t, s, n, n+1, start)
	if got, err := present(t, s, 0, n+1), s.Degraded(); got != n+1 || err != nil {
		t.Errorf("%d entries when there is space again, want %d; %v", got, n+1, err)
	}
	s.Close()
	if got := present(t, open(t, disk.Config{Dir: dir}), 0, n+1); got != n+1 {
		t.Errorf("%d entries after reopening, want %d", got, n+1)
	}
}

// TestFullDiskFromTheBeginning creates a store on full disks of several sizes,
// so that different steps fail.
func TestFullDiskFromTheBeginning(t *testing.T) {
	defer disk.SetRetryAfter(time.Millisecond)()
	for kib := 4; kib <= 256; kib *= 2 {
		dir := mount(t, fmt.Sprintf("size=%dk", kib))
		var l log
		s, err := disk.Open(t.Context(), disk.Config{Dir: dir, Logger: l.logger()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i := range 200 {
			_, err := s.PutIfNewer(t.Context(), origin(i), newEntry(origin(i), time.Now()))
			if err != nil && !errors.Is(err, disk.ErrDegraded) {
				t.Errorf("%d KiB: %v", kib, err)
			}
		}
		if n := l.warnings(); n != 1 {
			t.Errorf("%d KiB: %d warnings, want 1:\n%s", kib, n, l.String())
		}
		if names := quarantined(t, dir); names != nil {
			t.Errorf("%d KiB: %q", kib, names)
		}
		remount(t, dir, "size=8m")
		time.Sleep(2 * time.Millisecond)
		put(t, s, 1000, 1001, time.Now())
	}
}

// TestContextEnds ends contexts while another process has locked the database.
func TestContextEnds(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 1, time.Now())
	other, unlock := lockDatabase(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := s.PutIfNewer(ctx, origin(1), newEntry(origin(1), time.Now()))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("put: %v, want the error of the context", err)
	}
	if n := present(t, s, 0, 2); n != 1 {
		t.Errorf("%d entries can be read while another process writes, want 1", n)
	}
	unlock()
	other.Close()
	put(t, s, 2, 3, time.Now())
	if n := present(t, s, 1, 2); n != 0 {
		t.Error("a cancelled put that had not started took effect")
	}
}

// TestPanic: a change that panics is an error of its caller. The process goes on, and so do the
// changes of the same transaction.
func TestPanic(t *testing.T) {
	var l log
	s, err := disk.Open(t.Context(), disk.Config{Dir: t.TempDir(), Logger: l.logger()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put := func(i int) error {
		_, err := s.PutIfNewer(t.Context(), origin(i), newEntry(origin(i), time.Now()))
		return err
	}
	var others sync.WaitGroup
	if err := s.Panic(t.Context(), sync.OnceFunc(func() {
		for i := range 20 { // they are queued meanwhile, or written after it
			others.Go(func() {
				if err := cmp.Or(put(i), s.Panic(t.Context(), func() {})); err == nil ||
					!strings.Contains(err.Error(), "internal error") {
					t.Errorf("change %d: %v", i, err)
				}
			})
		}
	})); err == nil || !strings.Contains(err.Error(), "internal error: runtime error: index out of range") || errors.Is(err, disk.ErrDegraded) {
		t.Errorf("the change that panics: %v", err)
	}
	others.Wait()
	for i := range 20 {
		if _, err := s.Get(t.Context(), origin(i)); err != nil {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if err := put(99); err != nil || s.Degraded() != nil {
		t.Errorf("afterwards: %v, %v", err, s.Degraded())
	}
	if text := l.String(); !strings.Contains(text, "(*Store).Panic") {
		t.Errorf("the log has no stack: %.300s", text)
	}
}
