//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sqlitefile

import (
	"os"
	"syscall"
)

// tryLock locks f until it is closed. It returns false if another process has the
// lock.
func tryLock(f *os.File) (locked bool, err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch err {
		case nil:
			return true, nil
		case syscall.EWOULDBLOCK:
			return false, nil
		case syscall.EINTR:
			continue
		}
		return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
}
