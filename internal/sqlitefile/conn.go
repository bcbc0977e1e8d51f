package sqlitefile

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// Conn is a connection to the database, for one goroutine at a time. It keeps its
// statements prepared.
//
// It calls the driver directly, without database/sql. The pool of database/sql opens
// connections at any time by path, and by then another file may be at the path: a
// part of the pool would use a renamed database. The pool would also take a fifth of
// the time of a Get.
type Conn struct {
	driver driver.Conn
	stmts  map[string]stmt
	args   []driver.NamedValue // reused by the next call
}

type stmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// settings returns the pragmas of a connection. SQLite does not store them in the
// database.
func settings(busyMillis, cacheKiB, checkpointPages int, synchronous string) []string {
	return []string{
		fmt.Sprintf("busy_timeout(%d)", busyMillis), // first, because the others may wait
		fmt.Sprintf("cache_size(-%d)", cacheKiB),
		"synchronous(" + synchronous + ")",
		fmt.Sprintf("wal_autocheckpoint(%d)", checkpointPages),
		"journal_size_limit(0)", // the log is truncated when the last process closes it
		"temp_store(memory)",    // no file for a statement's undo log
		"mmap_size(0)",          // reading past the end of the file must be an error, not a signal
		"cell_size_check(on)",   // detect damage early
		"trusted_schema(off)",   // a schema written by another program must not call functions
	}
}

// openConn opens a connection. options are additional parameters of the URI, in pairs.
func openConn(path string, settings []string, options ...string) (*Conn, error) {
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	query := url.Values{"_pragma": settings, "_error_rc": {"1"}}
	for i := 0; i < len(options); i += 2 {
		query.Set(options[i], options[i+1])
	}
	dsn := url.URL{Scheme: "file", Path: name, RawQuery: query.Encode()}
	c, err := (&sqlite.Driver{}).Open(dsn.String())
	if err != nil {
		return nil, err
	}
	// Without this, SQLite deletes the log by path after the last connection. By
	// then the log of another file may be at that path.
	if _, err := c.(sqlite.FileControl).FileControlPersistWAL("main", 1); err != nil {
		c.Close()
		return nil, err
	}
	return &Conn{driver: c, stmts: make(map[string]stmt)}, nil
}

// Close closes the connection.
func (c *Conn) Close() {
	for _, s := range c.stmts {
		s.Close()
	}
	c.driver.Close() // an error does not matter: everything acknowledged is committed
}

// prepare returns the statement for query, and args in the form of the driver. Most
// callers pass a context that never ends, because the driver starts a goroutine for
// each call with another one.
func (c *Conn) prepare(ctx context.Context, query string, args []driver.Value) (stmt, []driver.NamedValue, error) {
	s, ok := c.stmts[query]
	if !ok {
		prepared, err := c.driver.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		if err != nil {
			return nil, nil, err
		}
		s = prepared.(stmt)
		c.stmts[query] = s
	}
	c.args = c.args[:0]
	for i, arg := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: arg})
	}
	return s, c.args, nil
}

// Exec runs a statement and returns how many rows it has changed.
func (c *Conn) Exec(ctx context.Context, query string, args ...driver.Value) (int64, error) {
	s, named, err := c.prepare(ctx, query, args)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(ctx, named)
	clear(named) // so that c.args does not keep data in memory
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Query calls row for each row of the result, until row returns an error. The values
// stay valid after the call of row, the slice does not.
func (c *Conn) Query(ctx context.Context, query string, args []driver.Value, row func([]driver.Value) error) error {
	s, named, err := c.prepare(ctx, query, args)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, named)
	if err != nil {
		return err
	}
	defer rows.Close()
	values := make([]driver.Value, len(rows.Columns()))
	for {
		err := rows.Next(values)
		if err == io.EOF {
			return rows.Close()
		}
		if err != nil {
			return err
		}
		if err := row(values); err != nil {
			return err
		}
	}
}

// Number returns the result of a query for one number.
func (c *Conn) Number(ctx context.Context, query string, args ...driver.Value) (n int64, err error) {
	err = c.Query(ctx, query, args, func(row []driver.Value) error {
		var ok bool
		if n, ok = row[0].(int64); !ok && row[0] != nil {
			return fmt.Errorf("%w: %q returns %T", ErrDamaged, query, row[0])
		}
		return nil
	})
	return n, err
}
