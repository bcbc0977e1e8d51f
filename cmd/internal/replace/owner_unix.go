//go:build unix

package replace

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another as far as we may: an administrator
// who mends a file shall not take it from its owner.
func keepOwner(file *os.File, like fs.FileInfo) {
	if owner, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}
