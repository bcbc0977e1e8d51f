package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	fileName = "robots-cache.db"
	lockName = "robots-cache.lock"
	aside    = ".damaged-"
)

// companions are the endings of the files that make up a database.
var companions = []string{"", "-wal", "-shm"}

// setAside renames a damaged database, and with it the log, which belongs to
// it: with a new database it would make another damaged one. The caller holds
// the lock of the directory. It returns the new name.
//
// The number in the name counts, for all processes and over time, how often it
// was done. Only the last one is kept, for somebody to look into: a disk that
// goes on damaging files must not be filled with them.
func setAside(path string) (string, error) {
	last, older := damaged(path)
	name := path + aside + strconv.Itoa(last+1)
	for _, companion := range companions {
		// The database is first. If this process dies then, what stays is a log
		// without a database, which SQLite removes.
		if err := os.Rename(path+companion, name+companion); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	for _, old := range older {
		os.Remove(old)
	}
	return name, nil
}

// damaged returns the highest number of a database that was set aside, 0 for
// none, and the files of all that are there.
func damaged(path string) (last int, files []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // what cannot be read holds none
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

// lockDir takes the lock of a directory, which belongs to whoever opens, creates,
// migrates or sets aside its database. The operating system returns it when
// the process dies.
func lockDir(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(busyMillis * time.Millisecond); ; time.Sleep(2 * time.Millisecond) {
		locked, err := tryLock(f)
		if locked {
			return func() { f.Close() }, nil
		}
		if err == nil && time.Now().After(deadline) {
			err = errors.New("another process has kept " + f.Name() + " locked")
		}
		if err != nil {
			f.Close()
			return nil, err
		}
	}
}
