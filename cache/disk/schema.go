package disk

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// steps make the schema: a database of version n has gone through the first n
// of them. What is released stays as it is; a change is a step more, and each
// step changes the texts in sqlite_schema, because they tell a newer version
// from a damaged version number.
//
// Rows are in the order in which they were put, so that new ones fill page after
// page, and the oldest, which go first, free page after page. What is in random
// order is the index by hash alone: it is small enough for memory. With the rows
// themselves in the order of the hashes a million puts took three times as long.
var steps = []step{
	{
		{"entries", `CREATE TABLE entries (
	id INTEGER PRIMARY KEY,      -- grows with each put, also of a key that is there
	hash INTEGER NOT NULL,       -- first 8 bytes of the SHA-256 of key
	key BLOB NOT NULL,
	fetched_at INTEGER NOT NULL, -- nanoseconds since 1970, as is expires
	expires INTEGER NOT NULL,
	size INTEGER NOT NULL,       -- of what data decompresses to
	sum INTEGER NOT NULL,        -- checksum of the columns beside it
	data BLOB NOT NULL           -- zstd
)`},
		{"entries_by_hash", "CREATE UNIQUE INDEX entries_by_hash ON entries (hash)"},
	},
	{
		// For the sweeper; with the size also for statistics.
		{"entries_by_expiry", "CREATE INDEX entries_by_expiry ON entries (expires, size)"},
	},
}

// step creates tables and indexes, by name.
type step [][2]string

// schemaVersion is the version that this package writes.
var schemaVersion = len(steps)

// applicationID marks the file as ours for file(1): "robo".
const applicationID = 0x726f626f

// schemaText returns what the schema of a version looks like to readSchema.
func schemaText(version int) string {
	var texts []string
	for _, step := range steps[:version] {
		for _, created := range step {
			texts = append(texts, created[1])
		}
	}
	return strings.Join(texts, ";\n")
}

// readSchema returns the version number of the database, and the texts of all
// that was created in it, in that order.
func readSchema(ctx context.Context, c *conn) (version int64, text string, err error) {
	if version, err = c.number(ctx, "PRAGMA user_version"); err != nil {
		return 0, "", err
	}
	var texts []string
	err = c.query(ctx, `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rowid`, nil,
		func(row []driver.Value) error {
			text, ok := row[0].(string)
			if !ok {
				return fmt.Errorf("%w schema", errDamaged)
			}
			texts = append(texts, text)
			return nil
		})
	return version, strings.Join(texts, ";\n"), err
}

// prepareSchema makes a new or older database one of this version, and leaves
// one of a newer version alone. The caller holds the lock of the directory, so
// that no other process does the same.
func prepareSchema(ctx context.Context, c *conn) error {
	version, text, err := readSchema(ctx, c)
	if err != nil {
		return err
	}
	isOurs := version >= 0 && version <= int64(schemaVersion) && text == schemaText(int(version))
	switch {
	case isOurs:
	case version > int64(schemaVersion) && !wasOurs(text):
		return fmt.Errorf("the database has schema version %d, and this program knows versions up to %d: use a newer program, or another directory", version, schemaVersion)
	default:
		return fmt.Errorf("%w: schema version %d does not have the tables of that version", errDamaged, version)
	}
	if err := prepareFile(ctx, c); err != nil {
		return err
	}
	return migrate(ctx, c, int(version))
}

// wasOurs reports whether text is the schema of any version up to ours. A
// version number that says otherwise was damaged.
func wasOurs(text string) bool {
	for version := range schemaVersion + 1 {
		if text == schemaText(version) {
			return true
		}
	}
	return false
}

// prepareFile sets what a database can only be given before its first table,
// and what somebody may have changed since.
func prepareFile(ctx context.Context, c *conn) error {
	if _, err := c.exec(ctx, "PRAGMA auto_vacuum = incremental"); err != nil {
		return err
	}
	var mode driver.Value
	err := c.query(ctx, "PRAGMA journal_mode = wal", nil, func(row []driver.Value) error {
		mode = row[0]
		return nil
	})
	if err == nil && mode != "wal" {
		err = fmt.Errorf("journal mode is %v: the file system cannot share memory between processes", mode)
	}
	return err
}

// migrate takes the steps that are missing, in one transaction.
func migrate(ctx context.Context, c *conn, from int) error {
	if from == schemaVersion {
		return nil
	}
	statements := []string{"BEGIN IMMEDIATE"}
	for _, step := range steps[from:] {
		for _, created := range step {
			statements = append(statements, created[1])
		}
	}
	statements = append(statements,
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", schemaVersion),
		"COMMIT")
	for _, statement := range statements {
		if _, err := c.exec(ctx, statement); err != nil {
			rollback(c)
			return err
		}
	}
	return nil
}

// rollback ends a transaction that has failed. It returns an error if that did
// not work, and the connection is of no use any more.
func rollback(c *conn) error {
	_, err := c.exec(context.Background(), "ROLLBACK")
	if primary, _ := code(err); primary == sqlite3.SQLITE_ERROR {
		return nil // there is none: SQLite has ended it
	}
	return err
}
