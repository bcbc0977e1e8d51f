package disk

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// steps create the schema. A database of version n has the first n of them. Do not
// change a released step, not even its comments; add a new one. Each step must
// change the texts in sqlite_schema, because these distinguish a newer version from
// a damaged version number.
//
// Rows are in the order of their puts. New rows therefore fill one page after the
// other, and deleting the oldest rows frees whole pages. Only the index by hash is
// in random order, and it fits into memory. With the rows in the order of the
// hashes, a million puts took three times as long.
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
		// For sweep, and with the size for Stats.
		{"entries_by_expiry", "CREATE INDEX entries_by_expiry ON entries (expires, size)"},
	},
	{
		{"leases", `CREATE TABLE leases (
	hash INTEGER PRIMARY KEY, -- as in entries
	token INTEGER NOT NULL,   -- of the holder
	since INTEGER NOT NULL,   -- nanoseconds since 1970, as is until
	until INTEGER NOT NULL
)`},
	},
}

// step creates tables and indexes, by name.
type step [][2]string

// schemaVersion is the version that this package writes.
var schemaVersion = len(steps)

// applicationID identifies the format of the file for file(1): "robo".
const applicationID = 0x726f626f

// schemaText returns the schema of a version in the form that readSchema returns.
func schemaText(version int) string {
	var texts []string
	for _, step := range steps[:version] {
		for _, created := range step {
			texts = append(texts, created[1])
		}
	}
	return strings.Join(texts, ";\n")
}

// readSchema returns the version number of the database, and the statements that
// created its tables and indexes, in order.
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

// prepareSchema creates the schema of a new database and migrates an older one. It
// returns an error for a newer version and for a damaged database. The caller must
// have the lock of the directory, so that no other process migrates at the same
// time.
func prepareSchema(ctx context.Context, c *conn) error {
	version, err := knownVersion(ctx, c)
	if err != nil {
		return err
	}
	if err := prepareFile(ctx, c); err != nil {
		return err
	}
	return migrate(ctx, c, version)
}

// checkSchema returns an error unless the schema can be read as it is.
func checkSchema(ctx context.Context, c *conn) error {
	version, err := knownVersion(ctx, c)
	if err == nil && version == 0 {
		err = errors.New("the database has no tables")
	}
	return err
}

// knownVersion returns the version of the database, or an error if it is newer than
// this program or damaged.
func knownVersion(ctx context.Context, c *conn) (int, error) {
	version, text, err := readSchema(ctx, c)
	if err != nil {
		return 0, err
	}
	isValid := version >= 0 && version <= int64(schemaVersion) && text == schemaText(int(version))
	switch {
	case isValid:
		return int(version), nil
	case version > int64(schemaVersion) && !isKnownSchema(text):
		return 0, fmt.Errorf("the database has schema version %d, but this program supports versions up to %d: use a newer program or another directory", version, schemaVersion)
	default:
		return 0, fmt.Errorf("%w: the tables do not match schema version %d", errDamaged, version)
	}
}

// isKnownSchema reports whether text is the schema of any version up to this one. If
// it is, a higher version number in the database is damaged.
func isKnownSchema(text string) bool {
	for version := range schemaVersion + 1 {
		if text == schemaText(version) {
			return true
		}
	}
	return false
}

// prepareFile applies settings of the database file: one that works only before the
// first table, and one that another program may have changed.
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

// migrate applies the missing steps in one transaction.
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

// rollback ends a failed transaction. If it returns an error, the connection is
// unusable.
func rollback(c *conn) error {
	_, err := c.exec(context.Background(), "ROLLBACK")
	if primary, _ := code(err); primary == sqlite3.SQLITE_ERROR {
		return nil // SQLite has already ended the transaction
	}
	return err
}
