package disk

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// schema are the statements that create the tables and indexes. A released version must not
// change, not even in its comments: a new one has another schemaVersion, and statements that
// change the tables of those before.
//
// Rows are in the order of their puts. New rows therefore fill one page after the
// other, and deleting the oldest rows frees whole pages. Only the index by hash is
// in random order, and it fits into memory. With the rows in the order of the
// hashes, a million puts took three times as long.
//
// The index by expiry is for sweep, and has the size for Stats.
const schema = `CREATE TABLE entries (
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
CREATE INDEX entries_by_expiry ON entries (expires, size);
CREATE TABLE leases (
	hash INTEGER PRIMARY KEY, -- as in entries
	token INTEGER NOT NULL,   -- of the holder
	since INTEGER NOT NULL,   -- nanoseconds since 1970, as is until
	until INTEGER NOT NULL
)`

// schemaVersion is the version that this package writes.
const schemaVersion = 1

// applicationID identifies the format of the file for file(1): "robo".
const applicationID = 0x726f626f

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

// prepareSchema creates the schema of a new database. It returns an error for a newer version
// and for a damaged database. The caller must have the lock of the directory, so that no other
// process creates it at the same time.
func prepareSchema(ctx context.Context, c *conn) error {
	version, err := knownVersion(ctx, c)
	if err != nil {
		return err
	}
	if err := prepareFile(ctx, c); err != nil || version == schemaVersion {
		return err
	}
	return createSchema(ctx, c)
}

// checkSchema returns an error unless the schema can be read as it is.
func checkSchema(ctx context.Context, c *conn) error {
	version, err := knownVersion(ctx, c)
	if err == nil && version == 0 {
		err = errors.New("the database has no tables")
	}
	return err
}

// knownVersion returns the version of the database, 0 if it is empty, or an error if it is
// newer than this program or damaged.
func knownVersion(ctx context.Context, c *conn) (int64, error) {
	version, text, err := readSchema(ctx, c)
	switch {
	case err != nil:
		return 0, err
	case version == 0 && text == "", version == schemaVersion && text == schema:
		return version, nil
	case version > schemaVersion && text != "" && text != schema: // else the number is damaged
		return 0, fmt.Errorf("the database has schema version %d, but this program supports versions up to %d: use a newer program or another directory", version, schemaVersion)
	}
	return 0, fmt.Errorf("%w: the tables do not match schema version %d", errDamaged, version)
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

// createSchema creates the tables and indexes in one transaction.
func createSchema(ctx context.Context, c *conn) error {
	statements := append([]string{"BEGIN IMMEDIATE"}, strings.Split(schema, ";\n")...)
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
