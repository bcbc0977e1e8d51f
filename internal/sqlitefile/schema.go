package sqlitefile

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// Schema describes the tables of a database.
type Schema struct {
	// Text are the statements that create the tables and indexes, separated by ";\n". A
	// released version must not change, not even in its comments. A new version has a new
	// number, and can have an upgrade of earlier versions.
	Text string

	// Version is the number of the schema, above 0.
	Version int64

	// ApplicationID identifies the format of the file for file(1).
	ApplicationID int64

	// Probe is a cheap query for a number. It makes a connection open the log.
	Probe string

	// Upgrades are for databases of earlier versions, by their number. A database of a version
	// without one is renamed.
	Upgrades map[int64]Upgrade
}

// Upgrade makes a database of an earlier version one of the next version.
type Upgrade struct {
	// Text is the text of the earlier version.
	Text string

	// Do changes the tables, so that SQLite has the text of the next version, and their rows. It
	// runs in a transaction, with all other upgrades that the database needs.
	Do func(*Conn) error
}

func readSchema(c *Conn) (version int64, text string, err error) {
	version, err = c.Number("PRAGMA user_version")
	if err != nil {
		return 0, "", err
	}
	var texts []string
	err = c.Query(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rowid`, nil,
		func(row []driver.Value) error {
			text, ok := row[0].(string)
			if !ok {
				return fmt.Errorf("%w schema", ErrDamaged)
			}
			texts = append(texts, text)
			return nil
		})
	return version, strings.Join(texts, ";\n"), err
}

// prepare creates the schema of a new database, and upgrades an earlier one. It returns an error for a
// newer version and for a damaged database. The caller must have the lock of the directory, so that no other
// process creates it at the same time.
func (s *Schema) prepare(c *Conn) error {
	version, err := s.knownVersion(c)
	if err != nil {
		return err
	}
	if err := prepareFile(c); err != nil || version == s.Version {
		return err
	}
	if version > 0 {
		return s.upgrade(c)
	}
	return s.create(c)
}

// upgrade makes an earlier database one of this version. After an error or a crash the database is as it
// was.
func (s *Schema) upgrade(c *Conn) error {
	err := c.Transact(func() error {
		version, err := s.knownVersion(c)
		for ; err == nil && version > 0 && version < s.Version; version++ {
			if err = s.Upgrades[version].Do(c); err != nil {
				return fmt.Errorf("the database of schema version %d cannot be upgraded: %w", version, err)
			}
			_, err = c.Exec(fmt.Sprintf("PRAGMA user_version = %d", version+1))
		}
		if err == nil {
			_, err = s.knownVersion(c)
		}
		return err
	})
	if err != nil {
		Rollback(c)
	}
	return err
}

func (s *Schema) check(c *Conn) error {
	version, err := s.knownVersion(c)
	switch {
	case err != nil:
		return err
	case version == 0:
		return errors.New("the database has no tables")
	case version < s.Version:
		return fmt.Errorf("%w: schema version %d, which is upgraded when the database is opened to be written", errOlder,
			version)
	}
	return nil
}

// knownVersion returns the version of the database, 0 if it is empty, or an error if it is
// newer than this program, or older and without an upgrade, or damaged.
func (s *Schema) knownVersion(c *Conn) (int64, error) {
	version, text, err := readSchema(c)
	switch {
	case err != nil:
		return 0, err
	case version == 0 && text == "", version == s.Version && text == s.Text:
		return version, nil
	case version > 0 && version < s.Version && s.canUpgrade(version) && text == s.Upgrades[version].Text:
		return version, nil
	case version > s.Version && text != "" && text != s.Text: // else the number is damaged
		return 0, fmt.Errorf("the database has schema version %d, but this program supports versions up to %d: use a newer program or another directory", version, s.Version)
	case version > 0 && version < s.Version && text != "" && text != s.Text:
		return 0, fmt.Errorf("%w: schema version %d", errOlder, version)
	}
	return 0, fmt.Errorf("%w: the tables do not match schema version %d", ErrDamaged, version)
}

// canUpgrade reports whether there are upgrades from a version to this one.
func (s *Schema) canUpgrade(from int64) bool {
	for version := from; version < s.Version; version++ {
		if s.Upgrades[version].Do == nil {
			return false
		}
	}
	return true
}

// prepareFile applies settings of the database file: one that works only before the
// first table, and one that another program might have changed.
func prepareFile(c *Conn) error {
	if _, err := c.Exec("PRAGMA auto_vacuum = incremental"); err != nil {
		return err
	}
	var mode string
	_, err := c.Row("PRAGMA journal_mode = wal", nil, &mode)
	if err == nil && mode != "wal" {
		err = fmt.Errorf("journal mode is %s: the file system cannot share memory between processes", mode)
	}
	return err
}

func (s *Schema) create(c *Conn) error {
	statements := append(strings.Split(s.Text, ";\n"),
		fmt.Sprintf("PRAGMA application_id = %d", s.ApplicationID),
		fmt.Sprintf("PRAGMA user_version = %d", s.Version))
	err := c.Transact(func() error {
		for _, statement := range statements {
			if _, err := c.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		Rollback(c)
	}
	return err
}

// Rollback ends a failed transaction. If it returns an error, the connection is
// unusable.
func Rollback(c *Conn) error {
	_, err := c.Exec("ROLLBACK")
	if primary, _ := code(err); primary == sqlite3.SQLITE_ERROR {
		return nil // SQLite has already ended the transaction
	}
	return err
}
