package history

import "github.com/kosterhq/robotstxt/internal/sqlitefile"

// A run is a series of equal observations of an origin without a different one between them.
// Runs of an origin do not overlap. A reader of the history decides whether the time between
// two observations of a run is presumed, so MaxGap can change.
//
// The times of a run are its first, and in times the milliseconds from each to the next as
// uvarints. A long series is several runs, so that an observation rewrites little.
//
// The index by last is for dropping the oldest.
var schema = sqlitefile.Schema{
	Version: 2, ApplicationID: 0x726f6268, Probe: "SELECT count(*) FROM (SELECT 1 FROM origins LIMIT 1)", // "robh"
	Text: `CREATE TABLE origins (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	dropped INTEGER NOT NULL     -- time of the last dropped observation, or 0
);
CREATE TABLE bodies (
	id INTEGER PRIMARY KEY,
	sha BLOB NOT NULL UNIQUE,    -- SHA-256 of the uncompressed data
	refs INTEGER NOT NULL,       -- number of runs
	size INTEGER NOT NULL,       -- of what data decompresses to
	data BLOB NOT NULL           -- zstd
);
CREATE TABLE runs (
	origin INTEGER NOT NULL,
	first INTEGER NOT NULL,      -- milliseconds since 1970, as is last
	last INTEGER NOT NULL,
	body INTEGER,                -- NULL without a file
	facts TEXT NOT NULL,         -- JSON: status, fault, final URL, redirects, truncated
	header TEXT NOT NULL,        -- JSON, of the last observation; empty without headers
	lifetime INTEGER NOT NULL,   -- seconds for which caches may use an answer, the largest of all
	sources INTEGER NOT NULL,    -- bits
	times BLOB NOT NULL,
	sum INTEGER NOT NULL,        -- checksum of the columns beside it
	PRIMARY KEY (origin, first)
) WITHOUT ROWID;
CREATE INDEX runs_by_last ON runs (last);
CREATE TABLE dropped (
	id INTEGER PRIMARY KEY,      -- always 1
	observations INTEGER NOT NULL,
	runs INTEGER NOT NULL,
	until INTEGER NOT NULL       -- time of the last dropped observation
)`,
}
