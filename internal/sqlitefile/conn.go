package sqlitefile

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
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
// connections at any time by path, and by then another file might be at the path: a
// part of the pool would use a renamed database. The pool would also take a fifth of
// the time of a Get.
type Conn struct {
	driver driver.Conn
	stmts  map[string]stmt
	args   []driver.NamedValue // reused by the next call
	ctx    context.Context     // of the next calls, see During; nil if it never ends
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
		fmt.Sprintf("busy_timeout(%d)", busyMillis), // first, because the others might wait
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
	// then the log of another file might be at that path.
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

// During calls f. Calls of c within f end when ctx ends. Other calls have no context, because
// the driver starts a goroutine for each call whose context can end.
func (c *Conn) During(ctx context.Context, f func() error) error {
	c.ctx = ctx
	defer func() { c.ctx = nil }()
	return f()
}

func (c *Conn) context() context.Context { return cmp.Or(c.ctx, context.Background()) }

func (c *Conn) prepare(query string, args []driver.Value) (stmt, []driver.NamedValue, error) {
	s, ok := c.stmts[query]
	if !ok {
		prepared, err := c.driver.(driver.ConnPrepareContext).PrepareContext(c.context(), query)
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

// Exec runs a statement and returns the number of rows it changed.
func (c *Conn) Exec(query string, args ...driver.Value) (int64, error) {
	s, named, err := c.prepare(query, args)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(c.context(), named)
	clear(named) // so that c.args does not keep data in memory
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Query calls row for each row of the result, until row returns an error. The values stay
// valid after the call of row, but the slice does not.
func (c *Conn) Query(query string, args []driver.Value, row func([]driver.Value) error) error {
	s, named, err := c.prepare(query, args)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(c.context(), named)
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

// Row reads the last row of a result into dest, see Scan. found is false if there is none.
func (c *Conn) Row(query string, args []driver.Value, dest ...any) (found bool, err error) {
	err = c.Query(query, args, func(row []driver.Value) error {
		Scan(row, dest...)
		found = true
		return nil
	})
	return found, err
}

// Scan stores the first columns of a row where dest points to: at an int64, a float64, a
// string or a []byte. It stores the zero value for a column of another type, and then
// returns false.
func Scan(row []driver.Value, dest ...any) bool {
	ok := true
	for i, to := range dest {
		var is bool
		switch to := to.(type) {
		case *int64:
			*to, is = row[i].(int64)
		case *float64:
			*to, is = row[i].(float64)
		case *string:
			*to, is = row[i].(string)
		case *[]byte:
			*to, is = row[i].([]byte)
		}
		ok = ok && is
	}
	return ok
}

// Transact calls do in a transaction. After an error the caller must roll back.
func (c *Conn) Transact(do func() error) error {
	if _, err := c.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	_, err := c.Exec("COMMIT")
	return err
}

// Checksum returns a checksum of numbers and texts, which detects flipped bits and exchanged
// pages. The lengths of texts are not in it.
func Checksum(numbers []int64, texts ...[]byte) int64 {
	h := sha256.New()
	var fixed [8]byte
	for _, n := range numbers {
		binary.BigEndian.PutUint64(fixed[:], uint64(n))
		h.Write(fixed[:])
	}
	for _, text := range texts {
		h.Write(text)
	}
	var sum [sha256.Size]byte
	return int64(binary.BigEndian.Uint64(h.Sum(sum[:0])))
}

// Number returns the result of a query for one number.
func (c *Conn) Number(query string, args ...driver.Value) (n int64, err error) {
	err = c.Query(query, args, func(row []driver.Value) error {
		var ok bool
		n, ok = row[0].(int64)
		if !ok && row[0] != nil {
			return fmt.Errorf("%w: %q returns %T", ErrDamaged, query, row[0])
		}
		return nil
	})
	return n, err
}
