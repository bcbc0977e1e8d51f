package sqlitefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Robots.txt files are public, but which sites are in a cache is not. In a directory
// that other users can write to, such as /tmp, one of them could also prepare files:
// a link to a file of this user, or a database with false answers.

// checkPrivate returns an error if one of the files of the database is a link, or
// anything else but a regular file, or belongs to another user. It returns the files
// that other users may read or write.
func checkPrivate(path string) (open []string, err error) {
	for _, companion := range companions {
		name := path + companion
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := checkOwned(name, info); err != nil {
			return nil, err
		}
		if info.Mode().Perm()&0o077 != 0 {
			open = append(open, name)
		}
	}
	return open, nil
}

// checkOwned returns an error unless a file is a regular file of this user. info is
// from Lstat.
func checkOwned(name string, info os.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link: remove it or use another directory", name)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: remove it or use another directory", name)
	case !isOwn(info):
		return fmt.Errorf("%s belongs to another user: use another directory", name)
	}
	return nil
}

// createPrivate creates an empty database that only this user may read and write,
// unless there is one, and restricts the permissions of one that exists. SQLite gives
// the same permissions to the log. The caller must have the lock of the directory.
func createPrivate(path string) error {
	open, err := checkPrivate(path)
	if err != nil {
		return err
	}
	for _, name := range open {
		if err := os.Chmod(name, 0o600); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // O_EXCL follows no link
	if errors.Is(err, fs.ErrExist) {
		return nil // without opening it: closing it would release SQLite's locks
	}
	if err != nil {
		return err
	}
	return f.Close()
}
