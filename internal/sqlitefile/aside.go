package sqlitefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A renamed database has one of these and a number after its old name.
const (
	damagedSuffix = ".damaged-"
	olderSuffix   = ".older-"
)

var companions = []string{"", "-wal", "-shm"}

// setAside renames a database together with its log. With a new database the old log
// would cause damage. The caller must have the lock of the directory. setAside returns
// the new name.
//
// The number in the name counts the renamed databases of all processes. Only the last few
// damaged ones are kept, for inspection, so that they do not fill the disk.
func setAside(path, suffix string, keep int) (string, error) {
	numbers := renamed(path, suffix)
	next := 1
	if len(numbers) > 0 {
		next += numbers[len(numbers)-1]
	}
	name := path + suffix + strconv.Itoa(next)
	for _, companion := range companions {
		// The database is first. If this process crashes after that, a log
		// without a database remains, which SQLite deletes.
		if err := os.Rename(path+companion, name+companion); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if suffix == damagedSuffix {
		for _, number := range numbers[:max(0, len(numbers)+1-keep)] {
			for _, companion := range companions {
				os.Remove(path + suffix + strconv.Itoa(number) + companion)
			}
		}
	}
	return name, nil
}

func renamed(path, suffix string) (numbers []int) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // an unreadable directory counts as empty
	for _, entry := range entries {
		rest, ok := strings.CutPrefix(entry.Name(), filepath.Base(path)+suffix)
		if !ok {
			continue
		}
		number, companion, _ := strings.Cut(rest, "-")
		n, err := strconv.Atoi(number)
		if err != nil || companion != "" && companion != "wal" && companion != "shm" {
			continue
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// Damaged returns the highest number of a database that was renamed because it was damaged,
// or 0 if none exists.
func Damaged(path string) int { return slices.Max(append([]int{0}, renamed(path, damagedSuffix)...)) }

// Older returns the number of databases that were renamed because of their older schema.
func Older(path string) int { return len(renamed(path, olderSuffix)) }

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
