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

func TestNewerSchema(t *testing.T) {
	dir := t.TempDir()
	s := open(t, disk.Config{Dir: dir})
	put(t, s, 0, 10, time.Now())
	s.Close()
	edit(t, dir, `ALTER TABLE entries ADD COLUMN something; PRAGMA user_version = 2; PRAGMA journal_mode = delete`)
	before, err := os.ReadFile(filepath.Join(dir, disk.FileName))
	if err != nil {
		t.Fatal(err)
	}
	degraded(t, disk.Config{Dir: dir}, "schema version 2")
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
	for _, version := range []string{"0", "2", "3", "1026", "-2147483646"} {
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
