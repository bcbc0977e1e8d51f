package disk

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

// conn is a connection to the database, for one goroutine at a time. It keeps
// its statements prepared.
//
// It speaks to the driver directly. The pool of database/sql opens connections
// when it likes, by name, and by then the name may belong to another file: half
// of the pool would work on a database that was set aside. Besides, a fifth of
// the time of a Get would go into it.
type conn struct {
	driver driver.Conn
	stmts  map[string]stmt
	args   []driver.NamedValue // to be used again by the next call
}

type stmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// settings are what a connection wants from SQLite; nothing of it is stored.
func settings(busyMillis, cacheKiB, checkpointPages int) []string {
	return []string{
		fmt.Sprintf("busy_timeout(%d)", busyMillis), // first: the others may have to wait
		fmt.Sprintf("cache_size(-%d)", cacheKiB),
		"synchronous(normal)",
		fmt.Sprintf("wal_autocheckpoint(%d)", checkpointPages),
		"journal_size_limit(0)", // the log is empty when the last process has closed it
		"temp_store(memory)",    // a statement's undo log needs no file
		"mmap_size(0)",          // reading behind the end of a file must be an error, not a signal
		"cell_size_check(on)",   // damage is to be found before it does damage
		"trusted_schema(off)",   // whoever wrote the file cannot make us call functions
	}
}

func openConn(path string, settings []string) (*conn, error) {
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	dsn := url.URL{Scheme: "file", Path: name, RawQuery: url.Values{"_pragma": settings, "_error_rc": {"1"}}.Encode()}
	c, err := (&sqlite.Driver{}).Open(dsn.String())
	if err != nil {
		return nil, err
	}
	// SQLite would remove the log after the last connection to it, by its name,
	// which may have become the name of the log of another file.
	if _, err := c.(sqlite.FileControl).FileControlPersistWAL("main", 1); err != nil {
		c.Close()
		return nil, err
	}
	return &conn{driver: c, stmts: make(map[string]stmt)}, nil
}

func (c *conn) close() {
	for _, s := range c.stmts {
		s.Close()
	}
	c.driver.Close() // nothing is lost: all that was answered is committed
}

// prepare returns the statement for query, and args as the driver wants them.
// A context that ends would cost a goroutine for each call, so most callers have
// one that does not.
func (c *conn) prepare(ctx context.Context, query string, args []driver.Value) (stmt, []driver.NamedValue, error) {
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

// exec runs a statement and returns how many rows it has changed.
func (c *conn) exec(ctx context.Context, query string, args ...driver.Value) (int64, error) {
	s, named, err := c.prepare(ctx, query, args)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(ctx, named)
	clear(named) // does not keep data alive
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// query calls row for each row of the answer, until it returns an error. The
// values are valid after the call, the slice is not.
func (c *conn) query(ctx context.Context, query string, args []driver.Value, row func([]driver.Value) error) error {
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

// number returns the one number that a query answers.
func (c *conn) number(ctx context.Context, query string, args ...driver.Value) (n int64, err error) {
	err = c.query(ctx, query, args, func(row []driver.Value) error {
		var ok bool
		if n, ok = row[0].(int64); !ok && row[0] != nil {
			return fmt.Errorf("%w: %q answers %T", errDamaged, query, row[0])
		}
		return nil
	})
	return n, err
}
