package sqlitefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// aside is between the name of a damaged database and its number.
const aside = ".damaged-"

// companions are the suffixes of the files of a database.
var companions = []string{"", "-wal", "-shm"}

// setAside renames a damaged database together with its log. With a new database
// the old log would cause damage. The caller must have the lock of the directory.
// setAside returns the new name.
//
// The number in the name counts the renamed databases of all processes. Only the
// last one is kept, for inspection, so that they do not fill the disk.
func setAside(path string) (string, error) {
	last, older := Damaged(path)
	name := path + aside + strconv.Itoa(last+1)
	for _, companion := range companions {
		// The database is first. If this process crashes after that, a log
		// without a database remains, which SQLite deletes.
		if err := os.Rename(path+companion, name+companion); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	for _, old := range older {
		os.Remove(old)
	}
	return name, nil
}

// Damaged returns the highest number of a renamed database, or 0 if there is none,
// and the files of all renamed databases that exist.
func Damaged(path string) (last int, files []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // an unreadable directory counts as empty
	for _, entry := range entries {
		rest, ok := strings.CutPrefix(entry.Name(), filepath.Base(path)+aside)
		if !ok {
			continue
		}
		number, companion, _ := strings.Cut(rest, "-")
		n, err := strconv.Atoi(number)
		if err != nil || companion != "" && companion != "wal" && companion != "shm" {
			continue
		}
		last = max(last, n)
		files = append(files, filepath.Join(filepath.Dir(path), entry.Name()))
	}
	return last, files
}

// lockDir takes a lock in a directory. A process needs it to open, create
// or rename the database. The operating system releases it when the process ends.
func lockDir(dir, lockName string) (unlock func(), err error) {
	name := filepath.Join(dir, lockName)
	if info, err := os.Lstat(name); err == nil {
		if err := checkOwned(name, info); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(busyMillis * time.Millisecond); ; time.Sleep(2 * time.Millisecond) {
		locked, err := tryLock(f)
		if locked {
			return func() { f.Close() }, nil
		}
		if err == nil && time.Now().After(deadline) {
			err = errors.New("another process has locked " + f.Name() + " for too long")
		}
		if err != nil {
			f.Close()
			return nil, err
		}
	}
}
