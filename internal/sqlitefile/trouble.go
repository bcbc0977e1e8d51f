package sqlitefile

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// ErrDamaged is wrapped by errors about content that this project cannot have
	// written.
	ErrDamaged = errors.New("damaged")

	// ErrRetired means that the file was replaced while a caller waited for it.
	ErrRetired = errors.New("the file was replaced")

	errOlder = errors.New("a database that this program does not read")
)

func code(err error) (primary, extended int) {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff, e.Code()
	}
	return sqlite3.SQLITE_OK, sqlite3.SQLITE_OK
}

// IsDamage reports whether err can only come from a damaged file.
func IsDamage(err error) bool {
	if errors.Is(err, ErrDamaged) {
		return true
	}
	primary, extended := code(err)
	switch primary {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG:
		// The statements of this project never cause these errors while schema,
		// types and sizes are as it has written them.
		return true
	}
	switch extended {
	case sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_IN_PAGE:
		return true // the database, or the index of the log, was truncated while in use
	}
	return false
}

// IsBusy reports whether err means that another connection has a lock.
func IsBusy(err error) bool {
	switch primary, _ := code(err); primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// trouble records a failure, so that the next callers do not repeat it one after the
// other.
type trouble struct {
	degraded   error // wrapped by the recorded error
	retryAfter time.Duration

	mu    sync.Mutex
	err   error
	until time.Time
}

func (t *trouble) refusal() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil && time.Now().Before(t.until) {
		return t.err
	}
	return nil
}

func (t *trouble) begin(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err, t.until = fmt.Errorf("%w: %w", t.degraded, err), time.Now().Add(t.retryAfter)
	return t.err
}

// end records a success, and reports whether there was a failure before.
func (t *trouble) end() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	hadFailed := t.err != nil
	t.err = nil
	return hadFailed
}

func (t *trouble) current() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
