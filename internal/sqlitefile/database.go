package sqlitefile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/internal/folders"
)

// Config says which database a [DB] opens, and how.
type Config struct {
	Path     string // of the database
	PathErr  error  // why the path is unknown; all calls return it
	LockName string // of a file in the database's folder, which is locked to open or rename the database
	Schema   Schema
	MaxBytes int64        // of the database; it decides how large the log becomes
	ReadOnly bool         // whether nothing is created, renamed or written
	Durable  bool         // whether a commit survives a power failure; if not, the last ones might be lost
	Logger   *slog.Logger // must limit how often it repeats a message, because a full disk is logged at each attempt

	Subject  string // names the database in the log: "the robots.txt cache on disk"
	Prefix   string // of errors: "cache/disk"
	Degraded error  // wrapped by errors that last until the disk is in order again

	DamagedRow string // the warning about a damaged row
	Otherwise  string // ends the warning about an unusable database: "; continuing without it"
	Keep       int    // how many damaged databases are kept, at least 1; older ones are never removed

	// RetryAfter is the time between attempts after a failure. The default of 10 s is
	// short compared with the freshness of a robots.txt, and long compared with the
	// duration of an attempt.
	RetryAfter time.Duration
}

// DB opens its database when it is needed, and again after damage. It is safe for
// concurrent use.
type DB struct {
	Config

	file    atomic.Pointer[File] // nil while no database is open
	opening chan struct{}        // a lock: it contains an element while file can change
	closing chan struct{}        // closed when Close begins

	noFile, noWrite trouble
}

// New returns the database of a configuration. It opens nothing.
func New(config Config) *DB {
	config.RetryAfter = cmp.Or(config.RetryAfter, 10*time.Second)
	failed := func() trouble { return trouble{degraded: config.Degraded, retryAfter: config.RetryAfter} }
	return &DB{
		Config: config, opening: make(chan struct{}, 1), closing: make(chan struct{}),
		noFile: failed(), noWrite: failed(),
	}
}

// Open opens the database if it is not open.
func (d *DB) Open(ctx context.Context) error {
	_, err := d.current(ctx)
	return err
}

// Stop makes later calls that would open the database fail. Calls that have started end.
func (d *DB) Stop() { close(d.closing) }

// Close waits for calls that use the database, and closes it. Stop must have been called.
func (d *DB) Close() {
	d.opening <- struct{}{} // never released
	if f := d.file.Swap(nil); f != nil {
		f.Close()
	}
}

// Unusable returns why the database cannot be opened, or nil.
func (d *DB) Unusable() error { return d.noFile.current() }

// Degraded returns why the database cannot be opened or written, or nil.
func (d *DB) Degraded() error {
	if err := d.noFile.current(); err != nil {
		return err
	}
	return d.noWrite.current()
}

func (d *DB) closed() error { return fmt.Errorf("%s: %w", d.Prefix, os.ErrClosed) }

// current returns the open file. If there is none it tries to open one, unless an
// attempt failed a short time ago.
func (d *DB) current(ctx context.Context) (*File, error) {
	if f := d.file.Load(); f != nil {
		return f, nil
	}
	return d.replace(ctx, nil, nil)
}

// replace closes bad and opens the file that is at the path now. If why is an error
// about damage, and bad is still at the path, it renames bad first. The caller must
// have returned its connection of bad. One of several concurrent callers does the
// work. It finishes even if the context of that caller ends, since the next one
// needs it.
func (d *DB) replace(ctx context.Context, bad *File, why error) (*File, error) {
	select {
	case d.opening <- struct{}{}:
	case <-d.closing:
		return nil, d.closed()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var f *File
	var err error
	done := make(chan struct{})
	go func() {
		f, err = d.replaceLocked(bad, why)
		<-d.opening
		close(done)
	}()
	select {
	case <-done:
		return f, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// replaceLocked is replace for the caller that has the lock d.opening.
func (d *DB) replaceLocked(bad *File, why error) (*File, error) {
	f := d.file.Load()
	switch {
	case f != nil && f != bad:
		return f, nil // another caller has done it
	case f != nil:
		d.file.Store(nil)
		f.Close()
	}
	if err := d.noFile.refusal(); err != nil {
		return nil, err
	}
	f, err := d.open(bad, why)
	if err != nil {
		err = d.noFile.begin(err)
		d.warnUnusable(err)
		return nil, err
	}
	if d.noFile.end() {
		d.Logger.Info(d.Subject+" works again", "path", d.Path)
	}
	d.file.Store(f)
	return f, nil
}

// open opens the database under the lock of its directory. It renames a damaged one
// first.
func (d *DB) open(bad *File, why error) (*File, error) {
	if d.PathErr != nil {
		return nil, d.PathErr
	}
	if d.ReadOnly {
		return openReadOnly(&d.Config)
	}
	dir := filepath.Dir(d.Path)
	if err := folders.Make(dir, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lockDir(dir, d.LockName)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if bad != nil && IsDamage(why) && bad.IsInPlace() {
		if err := d.setAside(why); err != nil {
			return nil, err
		}
	}
	f, err := d.openPrivate()
	if !IsDamage(err) && !errors.Is(err, errOlder) {
		return f, err
	}
	if err := d.setAside(err); err != nil {
		return nil, err
	}
	return d.openPrivate()
}

func (d *DB) openPrivate() (*File, error) {
	if err := createPrivate(d.Path); err != nil {
		return nil, err
	}
	return openFile(&d.Config)
}

func (d *DB) setAside(why error) error {
	suffix, what := damagedSuffix, " was damaged"
	if errors.Is(why, errOlder) {
		suffix, what = olderSuffix, " was made by an older version"
	}
	name, err := setAside(d.Path, suffix, d.Keep)
	if err != nil {
		return fmt.Errorf("the database%s (%w) and cannot be renamed: %w", what, why, err)
	}
	d.Logger.Warn(d.Subject+what+"; it was renamed and a new one created", "path", d.Path, "renamed", name, "reason", why)
	return nil
}

func (d *DB) warnUnusable(err error) {
	d.Logger.Warn(d.Subject+" is unusable"+d.Otherwise, "path", d.Path, "error", err)
}

// NoteDamagedRow logs a damaged row of the database.
func (d *DB) NoteDamagedRow(why error) {
	d.Logger.Warn(d.DamagedRow, "path", d.Path, "error", why)
}

// Read calls do with a connection. It calls do again if the file was replaced, if
// another connection has a lock, and once with a new file after damage.
func (d *DB) Read(ctx context.Context, do func(*Conn) error) error {
	const patience = busyMillis * time.Millisecond
	var waited time.Duration
	for replaced := false; ; {
		f, err := d.current(ctx)
		if err != nil {
			return err
		}
		if f.takeCheck(time.Now().UnixNano()) && !f.IsInPlace() {
			f, err = d.replace(ctx, f, nil)
			if err != nil {
				return err
			}
		}
		err = f.with(ctx, f.readers, do)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, ErrRetired):
		case IsBusy(err) && waited < patience:
			const nap = 5 * time.Millisecond
			waited += nap
			if err := sleep(ctx, nap); err != nil {
				return err
			}
		case IsDamage(err) && !replaced:
			replaced = true
			if _, err := d.replace(ctx, f, err); err != nil {
				return err
			}
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			return fmt.Errorf("%s: %w", d.Prefix, err)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
