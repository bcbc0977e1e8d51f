//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"os"
	"syscall"
)

// lockFolder locks a folder until unlock or the end of the process. isFree is false if another process has
// the lock, or if it is not known.
func lockFolder(name string) (unlock func(), isFree bool) {
	folder, err := os.Open(name)
	if err != nil {
		return func() {}, false
	}
	isFree = syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	return func() { folder.Close() }, isFree
}
