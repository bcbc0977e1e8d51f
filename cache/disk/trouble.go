package disk

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDegraded says that the store could not answer because it cannot be
// written, or not even opened: the disk is full or read-only, or the database
// belongs to a newer version of this package. The text of an error that wraps it
// says which. [Store.Degraded] returns it as long as it lasts.
var ErrDegraded = errors.New("no disk cache")

var (
	errClosed  = fmt.Errorf("cache/disk: %w", os.ErrClosed)
	errRetired = errors.New("cache/disk: the file was replaced")
	errDamaged = errors.New("damaged")
)

// code returns the result code of SQLite that err wraps, without what extends
// it, and with it.
func code(err error) (primary, extended int) {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff, e.Code()
	}
	return sqlite3.SQLITE_OK, sqlite3.SQLITE_OK
}

// isDamage reports whether err can only come from a file that is not as SQLite
// and we have written it.
func isDamage(err error) bool {
	if errors.Is(err, errDamaged) {
		return true
	}
	primary, extended := code(err)
	switch primary {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG:
		// None of our statements has an answer like these while the schema is
		// ours and values have the types and sizes that we give them.
		return true
	}
	switch extended {
	case sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_IN_PAGE:
		return true // the database was cut, or the index of the log while it was in use
	}
	return false
}

// isBusy reports whether err says that another connection holds a lock.
func isBusy(err error) bool {
	switch primary, _ := code(err); primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// trouble remembers that something did not work, so that the next callers do
// not try it again at once, one after the other.
type trouble struct {
	mu    sync.Mutex
	err   error
	until time.Time
}

// retryAfter is how long nothing is tried again: short against the freshness of
// a robots.txt, long against what a try costs.
var retryAfter = 10 * time.Second

// refusal returns an error as long as no new try is due.
func (t *trouble) refusal() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil && time.Now().Before(t.until) {
		return t.err
	}
	return nil
}

// begin notes what went wrong. It returns the error for the callers.
func (t *trouble) begin(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err, t.until = fmt.Errorf("%w: %w", ErrDegraded, err), time.Now().Add(retryAfter)
	return t.err
}

// end reports whether there was trouble.
func (t *trouble) end() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.err != nil
	t.err = nil
	return was
}

func (t *trouble) current() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
