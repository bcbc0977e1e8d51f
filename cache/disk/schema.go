package disk

import "github.com/kosterhq/robotstxt/internal/sqlitefile"

// schema describes the tables.
//
// Rows are in the order of their puts. New rows therefore fill one page after the
// other, and deleting the oldest rows frees whole pages. Only the index by hash is
// in random order, and it fits into memory. With the rows in the order of the
// hashes, a million puts took three times as long.
//
// The index by expiry is for sweep, and has the size for Stats.
var schema = sqlitefile.Schema{Version: schemaVersion, ApplicationID: applicationID, Probe: "SELECT count(*) FROM (SELECT 1 FROM entries LIMIT 1)", Text: `CREATE TABLE entries (
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
)`}

const schemaVersion = 1

// applicationID identifies the format of the file for file(1): "robo".
const applicationID = 0x726f626f
