//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package sqlitefile

import (
	"errors"
	"os"
)

// tryLock always fails: the store needs a lock that the system releases when the
// process ends.
func tryLock(f *os.File) (locked bool, err error) {
	return false, &os.PathError{Op: "lock", Path: f.Name(), Err: errors.ErrUnsupported}
}
