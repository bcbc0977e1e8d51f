package disk_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

const damagedOrigins = 600

// snapshot returns the files of a store as they are after a kill of its
// process: some entries are in the database, newer ones and others in the log.
func snapshot(t *testing.T) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	start := time.Now()
	put(t, s, 0, damagedOrigins, start)
	if _, err := s.PurgeExpired(t.Context()); err != nil { // writes the log back
		t.Fatal(err)
	}
	put(t, s, damagedOrigins/2, damagedOrigins*5/4, start.Add(time.Hour))
	return readAll(t, dir)
}

// readAll returns the files of a store by the endings of their names. None is empty.
func readAll(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, ending := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(filepath.Join(dir, disk.FileName+ending))
		if err != nil || len(data) == 0 {
			t.Fatalf("%s: %d bytes, %v", ending, len(data), err)
		}
		files[ending] = data
	}
	return files
}

func writeAll(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for ending, data := range files {
		write(t, filepath.Join(dir, disk.FileName+ending), data)
	}
}

// harm damages data in one of several ways, and returns a description.
func harm(r *rand.Rand, data []byte) ([]byte, string) {
	data = bytes.Clone(data)
	const page = 4096
	at := func() int { return r.IntN(max(1, len(data)/page)) * page }
	switch r.IntN(7) {
	case 0:
		n := r.IntN(len(data) + 1)
		return data[:n], fmt.Sprintf("cut to %d", n)
	case 1: // at the end of a page, which is harder to detect
		n := at()
		return data[:n], fmt.Sprintf("cut to %d pages", n/page)
	case 2:
		from, to := at(), at()
		copy(data[to:], data[from:min(from+page, len(data))])
		return data, fmt.Sprintf("page at %d is that at %d", to, from)
	case 3:
		from := at()
		clear(data[from:min(from+page, len(data))])
		return data, fmt.Sprintf("page at %d is zero", from)
	case 4: // the part that SQLite reads first
		n := r.IntN(min(len(data), 200))
		data[n] ^= 1 << r.IntN(8)
		return data, fmt.Sprintf("bit of byte %d", n)
	default:
		n := 1 << r.IntN(10)
		for range n {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		}
		return data, fmt.Sprintf("%d bits", n)
	}
}

// TestDamage opens stores with damaged files. Every store must work afterwards,
// and every entry must be correct or absent.
func TestDamage(t *testing.T) {
	rounds := 10
	if longTests() {
		rounds = 200
	}
	files := snapshot(t)
	aside, lost := 0, 0
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 1))
		ending := []string{"", "", "-wal", "-wal", "-shm"}[r.IntN(5)]
		damaged, how := harm(r, files[ending])
		how = fmt.Sprintf("round %d, %s%s: %s", round, disk.FileName, ending, how)
		dir := t.TempDir()
		writeAll(t, dir, files)
		write(t, filepath.Join(dir, disk.FileName+ending), damaged)
		var l log
		s := open(t, disk.Config{Dir: dir, Logger: l.logger()})
		n := work(t, s, how)
		s.Close()
		if again := present(t, open(t, disk.Config{Dir: dir}), 0, damagedOrigins*5/4); again < n {
			t.Errorf("%s: %d entries after reopening, %d before", how, again, n)
		}
		if quarantined(t, dir) != nil {
			aside++
		}
		if n < damagedOrigins*5/4-damagedOrigins/60 { // work deletes some
			lost++
		}
	}
	t.Logf("%d rounds: no wrong entry; %d times the database was renamed, %d times entries were missing", rounds, aside, lost)
}

// TestDamageInUse damages the database while it is open.
func TestDamageInUse(t *testing.T) {
	rounds := 5
	if longTests() {
		rounds = 200
	}
	files := snapshot(t)
	aside := 0
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 2))
		dir := t.TempDir()
		writeAll(t, dir, files)
		var l log
		s := open(t, disk.Config{Dir: dir, Logger: l.logger()})
		ending := []string{"", "-wal"}[r.IntN(2)]
		damaged, how := harm(r, files[ending])
		overwrite(t, filepath.Join(dir, disk.FileName+ending), damaged)
		work(t, s, fmt.Sprintf("round %d, %s%s in use: %s", round, disk.FileName, ending, how))
		s.Close()
		if quarantined(t, dir) != nil {
			aside++
		}
	}
	t.Logf("%d rounds: no wrong entry; %d times the database was renamed", rounds, aside)
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// overwrite changes a file while it is in use, and then its size.
func overwrite(t *testing.T, name string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		defer f.Close()
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Truncate(int64(len(data)))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// work uses all methods of a store. None may fail, except that one call may
// report the damage. It returns the number of entries at the end.
func work(t *testing.T, s *disk.Store, how string) int {
	t.Helper()
	ctx := context.Background()
	twice := func(what string, do func() error) {
		t.Helper()
		if err := do(); err != nil {
			if err := do(); err != nil {
				t.Fatalf("%s: %s: %v", how, what, err)
			}
		}
	}
	for i := range damagedOrigins * 5 / 4 {
		twice("Get", func() error {
			e, err := s.Get(ctx, origin(i))
			if errors.Is(err, cache.ErrNotFound) {
				return nil
			}
			if err == nil {
				if err := wrong(origin(i), e); err != nil {
					t.Fatalf("%s: %v", how, err)
				}
			}
			return err
		})
	}
	twice("Entries", func() error {
		for info, err := range s.Entries(ctx) {
			if err != nil {
				return err
			}
			if e := newEntry(info.Key, info.FetchedAt); info.Size != int64(len(e.Data)) ||
				!info.Expires.Equal(e.Expires) {
				t.Fatalf("%s: wrong %+v", how, info)
			}
		}
		return nil
	})
	twice("Stats", func() error { _, err := s.Stats(ctx); return err })
	twice("PurgeExpired", func() error { _, err := s.PurgeExpired(ctx); return err })
	later := time.Now().Add(2 * time.Hour)
	for i := 0; i < damagedOrigins; i += 60 {
		twice("PutIfNewer", func() error {
			_, err := s.PutIfNewer(ctx, origin(i), newEntry(origin(i), later))
			return err
		})
		twice("Delete", func() error { return s.Delete(ctx, origin(i+1)) })
	}
	return present(t, s, 0, damagedOrigins*5/4)
}

// edit runs a statement on the database of a store.
func edit(t *testing.T, dir, statement string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, disk.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedRow damages rows in a way that SQLite does not detect.
func TestDamagedRow(t *testing.T) {
	for _, change := range []string{
		"data = CAST(substr(data, 1, 20) || x'01' || substr(data, 22) AS BLOB)",
		"data = x''", "data = 'text'", "data = 1.5",
		"key = x'61'", "key = 'text'",
		"fetched_at = fetched_at + 1", "fetched_at = 'text'",
		"expires = expires + 1", "size = size + 1", "size = -1", "sum = sum + 1", "sum = ''",
		// One row replaces another.
		"(key, fetched_at, expires, size, sum, data) = (SELECT key, fetched_at, expires, size, sum, data FROM entries WHERE id = 2)",
	} {
		dir := t.TempDir()
		var l log
		s := open(t, disk.Config{Dir: dir, Logger: l.logger()})
		put(t, s, 0, 1, time.Now())
		put(t, s, 1, 2, time.Now())
		edit(t, dir, "UPDATE entries SET "+change+" WHERE id = 1")
		for range 2 {
			if _, err := s.Get(t.Context(), origin(0)); !errors.Is(err, cache.ErrNotFound) {
				t.Errorf("%s: error %v, want cache.ErrNotFound", change, err)
			}
		}
		if n := present(t, s, 1, 2); n != 1 {
			t.Errorf("%s: the other row is gone", change)
		}
		put(t, s, 0, 1, time.Now().Add(-time.Hour)) // a damaged row has been deleted before
		if n := present(t, s, 0, 2); n != 2 {
			t.Errorf("%s: %d entries after a new put, want 2", change, n)
		}
		if stats, err := s.Stats(t.Context()); stats.Entries != 2 || stats.Quarantined != 0 || err != nil {
			t.Errorf("%s: %+v, %v, want 2 entries", change, stats, err)
		}
	}
}

// TestDamageOnce lets several processes open the same damaged database
// concurrently, and then damages a database that they use.
func TestDamageOnce(t *testing.T) {
	junk := bytes.Repeat([]byte("junk"), 1<<12)
	dir := t.TempDir()
	write(t, filepath.Join(dir, disk.FileName), junk)
	write(t, filepath.Join(dir, disk.FileName+"-wal"), junk)
	f := startFamily(t, dir, 100)
	f.wait()
	f.verify(dir)
	if names := quarantined(t, dir); len(names) == 0 || !strings.HasSuffix(names[0], ".damaged-1") {
		t.Errorf("%q, want .damaged-1", names)
	} else if names, _ := filepath.Glob(filepath.Join(dir, "*.damaged-2*")); names != nil {
		t.Errorf("%q, want only .damaged-1", names)
	}

	f = startFamily(t, dir, 0, childVariable+"_DAMAGE=1")
	for range processes {
		<-f.first
	}
	overwrite(t, filepath.Join(dir, disk.FileName), append(junk, make([]byte, 1<<20)...))
	time.Sleep(200 * time.Millisecond)
	f.kill()
	f.acked = nil // some are in the renamed database
	f.verify(dir)
	s := open(t, disk.Config{Dir: dir})
	stats, err := s.Stats(t.Context())
	if stats.Quarantined > 3 || err != nil {
		t.Errorf("%d databases were renamed, %v", stats.Quarantined, err)
	}
	t.Logf("after damage in use: %d renamed, including the one before; %d entries", stats.Quarantined, stats.Entries)
}

// TestHalfSetAside opens a directory with a log but no database, as after a
// crash during the renaming.
func TestHalfSetAside(t *testing.T) {
	dir, files := t.TempDir(), snapshot(t)
	write(t, filepath.Join(dir, disk.FileName+"-wal"), files["-wal"])
	write(t, filepath.Join(dir, disk.FileName+"-shm"), files["-shm"])
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 10, time.Now())
	if n := present(t, s, 0, damagedOrigins*5/4); n != 10 {
		t.Errorf("%d entries, want the 10 that were put afterwards", n)
	}
	if names := quarantined(t, dir); names != nil {
		t.Errorf("%q", names)
	}
}
