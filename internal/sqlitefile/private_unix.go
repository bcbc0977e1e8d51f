//go:build unix

package sqlitefile

import (
	"os"
	"syscall"
)

const noFollow = syscall.O_NOFOLLOW

func isOwn(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}
