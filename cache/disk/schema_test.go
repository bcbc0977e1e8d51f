package disk_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

// version1 changes a database of the current version into one of version 1.
const version1 = `DROP INDEX entries_by_expiry; DROP TABLE leases; PRAGMA user_version = 1`

// schema1 is the schema of version 1. It is repeated here because files of that
// version exist, so a change of the package must not change it.
const schema1 = `CREATE TABLE entries (
	id INTEGER PRIMARY KEY,      -- grows with each put, also of a key that is there
	hash INTEGER NOT NULL,       -- first 8 bytes of the SHA-256 of key
	key BLOB NOT NULL,
	fetched_at INTEGER NOT NULL, -- nanoseconds since 1970, as is expires
	expires INTEGER NOT NULL,
	size INTEGER NOT NULL,       -- of what data decompresses to
	sum INTEGER NOT NULL,        -- checksum of the columns beside it
	data BLOB NOT NULL           -- zstd
);
CREATE UNIQUE INDEX entries_by_hash ON entries (hash);
PRAGMA user_version = 1`

// lockDatabase locks the database for writing until unlock is called.
func lockDatabase(t *testing.T, dir string) (db *sql.DB, unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, disk.FileName))
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.Conn(t.Context())
	if err == nil {
		_, err = c.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return db, func() {
		if _, err := c.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		c.Close()
	}
}

func TestMigrate(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 50, time.Now())
	s.Close()
	edit(t, dir, version1)

	f := startFamily(t, dir, 100) // each of them opens the old version
	f.wait()
	f.verify(dir)
	s = open(t, disk.Config{Dir: dir})
	if n := present(t, s, 0, 50); n != 50 {
		t.Errorf("%d entries after the migration, want 50", n)
	}
	if stats, err := s.Stats(t.Context()); stats.SchemaVersion != disk.SchemaVersion || stats.Quarantined != 0 || err != nil {
		t.Errorf("%+v, %v", stats, err)
	}
}

func TestMigrateReleased(t *testing.T) {
	dir := t.TempDir()
	edit(t, dir, schema1)
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 10, time.Now())
	if stats, err := s.Stats(t.Context()); stats.SchemaVersion != disk.SchemaVersion || stats.Quarantined != 0 || err != nil {
		t.Errorf("%+v, %v", stats, err)
	}
}

func TestNewerSchema(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 10, time.Now())
	s.Close()
	edit(t, dir, `ALTER TABLE entries ADD COLUMN something; PRAGMA user_version = 4; PRAGMA journal_mode = delete`)
	before, err := os.ReadFile(filepath.Join(dir, disk.FileName))
	if err != nil {
		t.Fatal(err)
	}
	degraded(t, disk.Config{Dir: dir}, "schema version 4")
	after, err := os.ReadFile(filepath.Join(dir, disk.FileName))
	if string(before) != string(after) || err != nil {
		t.Errorf("the database has changed, %v", err)
	}
	if names := quarantined(t, dir); names != nil {
		t.Errorf("%q", names)
	}
}

// TestDamagedVersion changes only the version number, like a flipped bit. The
// store must recover.
func TestDamagedVersion(t *testing.T) {
	for _, version := range []string{"0", "1", "2", "4", "1026", "-2147483646"} {
		dir := t.TempDir()
		s := open(t, disk.Config{Dir: dir})
		put(t, s, 0, 10, time.Now())
		s.Close()
		edit(t, dir, "PRAGMA user_version = "+version)
		s = open(t, disk.Config{Dir: dir})
		if stats, err := s.Stats(t.Context()); stats.Quarantined != 1 || err != nil {
			t.Errorf("version %s: %+v, %v, want one renamed database", version, stats, err)
		}
		if _, err := s.Get(t.Context(), origin(0)); !errors.Is(err, cache.ErrNotFound) {
			t.Errorf("version %s: %v", version, err)
		}
	}
}
