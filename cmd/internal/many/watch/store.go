package watch

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/internal/seldom"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// FileName is the name of the store's file in its folder.
const FileName = "watch.db"

// schema has a row for each site with its states, the events that are in no message yet, the
// messages, and the position of each output among them. Times are in milliseconds since 1970.
// A column sum has the checksum of the columns that reports are made of.
//
// The column parts of the table sites is not in its version 1; SQLite adds a column at the end of the text.
var schema = sqlitefile.Schema{
	Version: 2, ApplicationID: applicationID, Probe: sqlProbe,
	Text:     sqlSites + ", " + sqlParts + ")" + sqlRest,
	Upgrades: map[int64]sqlitefile.Upgrade{1: {Text: schemaOne.Text, Do: upgrade}},
}

// schemaOne is version 1 of the schema.
var schemaOne = sqlitefile.Schema{Version: 1, ApplicationID: applicationID, Probe: sqlProbe,
	Text: sqlSites + ")" + sqlRest}

const (
	applicationID = 0x726f6277 // "robw"
	sqlProbe      = "SELECT count(*) FROM (SELECT 1 FROM sites LIMIT 1)"
)

const sqlSites = `CREATE TABLE sites (
	id INTEGER PRIMARY KEY,
	origin TEXT NOT NULL UNIQUE,
	due INTEGER NOT NULL,
	claimed INTEGER NOT NULL,    -- until when one process fetches it, or 0
	version INTEGER NOT NULL,    -- grows with each state
	state BLOB NOT NULL,         -- JSON, empty before the first fetch
	body BLOB NOT NULL,          -- of the reported answer, zstd
	size INTEGER NOT NULL,       -- of what body decompresses to
	expected TEXT NOT NULL,      -- what of --expect was reported last
	sum INTEGER NOT NULL         -- of origin, state, body and expected
`

// sqlParts is the column with the states of all parts but the rules, as JSON: of those that body does not show.
const sqlParts = "parts BLOB NOT NULL DEFAULT x''"

const sqlRest = `;
CREATE TABLE events (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	site INTEGER NOT NULL,
	at INTEGER NOT NULL,
	gravity INTEGER NOT NULL,    -- 0 is the gravest
	message INTEGER NOT NULL,    -- that has it, 0 for none yet
	event BLOB NOT NULL,         -- JSON
	sum INTEGER NOT NULL         -- of event
);
CREATE INDEX events_by_message ON events (message, at);
CREATE INDEX events_by_site ON events (site, at);
CREATE TABLE messages (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at INTEGER NOT NULL,
	message BLOB NOT NULL,       -- JSON
	sum INTEGER NOT NULL         -- of message
);
CREATE TABLE outputs (
	name TEXT PRIMARY KEY,
	position INTEGER NOT NULL,   -- the last message that it has delivered
	claimed INTEGER NOT NULL     -- until when one process delivers, or 0
)`

const keepMessages = 90 * 24 * time.Hour

// keepLatest is the number of latest messages that are kept, however old they are.
const keepLatest = 1000

// maxBytes only decides how large the log becomes: no site is dropped.
const maxBytes = 1 << 40

// ErrDegraded means that the store cannot be opened or written, for example because the disk
// is full. The error that wraps it has the reason.
var ErrDegraded = errors.New("the store of robots watch is unusable")

// Store keeps the states of sites and the messages, in a SQLite file. Several processes
// can use it at the same time: each site is fetched, and each output served, by one of
// them. A damaged file is renamed, and a new one is begun. One of an older version is upgraded.
type Store struct {
	db *sqlitefile.DB
}

// OpenStore opens the store in a folder, and creates both if they do not exist. The folder
// can contain other files. Only this user may read the store. The logger gets a warning
// if the file was renamed. The error wraps ErrDegraded if the file cannot be opened.
func OpenStore(ctx context.Context, folder string, log *slog.Logger) (*Store, error) {
	return open(ctx, folder, log, false, schema)
}

// ReadStore opens the store in a folder to read it. The error is fs.ErrNotExist if there is none.
func ReadStore(ctx context.Context, folder string) (*Store, error) {
	if _, err := os.Stat(filepath.Join(folder, FileName)); err != nil {
		return nil, err
	}
	return open(ctx, folder, slog.New(slog.DiscardHandler), true, schema)
}

func open(ctx context.Context, folder string, log *slog.Logger, readOnly bool,
	schema sqlitefile.Schema) (*Store, error) {
	path, err := filepath.Abs(filepath.Join(folder, FileName))
	if err != nil {
		return nil, err
	}
	s := &Store{db: sqlitefile.New(sqlitefile.Config{
		Path: path, LockName: FileName + ".lock", Schema: schema, MaxBytes: maxBytes, ReadOnly: readOnly, Durable: true,
		Logger: seldom.Logger(log), Keep: 3, Subject: "the store of robots watch", Prefix: "watch", Degraded: ErrDegraded,
	})}
	if err := s.db.Open(ctx); err != nil {
		go s.Close() // the database might still be opening
		return nil, err
	}
	return s, nil
}

// Close waits for calls that have started, and closes the store. It must be called once.
func (s *Store) Close() error {
	s.db.Stop()
	s.db.Close()
	return nil
}

// transact runs do in a transaction, again if the file was replaced meanwhile. do returns
// only errors of the database.
func (s *Store) transact(ctx context.Context, do func(*sqlitefile.Conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.db.ReadOnly {
		return s.db.ErrReadOnly()
	}
	return s.db.Write(func(c *sqlitefile.Conn) error {
		return c.Transact(func() error { // the transaction is rolled back even after a panic
			return panics.Contain("the store of robots watch", nil, func() error { return do(c) })
		})
	})
}

func execute(c *sqlitefile.Conn, query string, args ...driver.Value) error {
	_, err := c.Exec(query, args...)
	return err
}

// checksum returns the checksum of some columns. It detects flipped bits.
func checksum(columns ...[]byte) int64 {
	h := sha256.New()
	var length [8]byte
	for _, column := range columns {
		binary.BigEndian.PutUint64(length[:], uint64(len(column)))
		h.Write(length[:])
		h.Write(column)
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// whole returns the text of a row with its checksum, or false if the text differs from what
// was written.
func (s *Store) whole(text, sum driver.Value) ([]byte, bool) {
	b, _ := text.([]byte)
	if n, ok := sum.(int64); ok && n == checksum(b) {
		return b, true
	}
	s.noteDamage("a message or an event, which is omitted")
	return nil, false
}

func (s *Store) noteDamage(what string) {
	s.db.Logger.Warn("a row of the store of robots watch is damaged", "path", s.db.Path, "row", what)
}
