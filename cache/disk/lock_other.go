//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package disk

import (
	"errors"
	"os"
)

// tryLock fails: without a lock that dies with its process there is no store.
func tryLock(f *os.File) (locked bool, err error) {
	return false, &os.PathError{Op: "lock", Path: f.Name(), Err: errors.ErrUnsupported}
}
