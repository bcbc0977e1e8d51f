//go:build unix

package files

import (
	"io/fs"
	"os"
	"os/signal"
	"path"
	"strconv"
	"syscall"
)

// keepOwner gives a file the owner of another one, if the process may: a file that an
// administrator fixes keeps its owner.
func keepOwner(file *os.File, like fs.FileInfo) {
	if owner, ok := like.Sys().(*syscall.Stat_t); ok {
		if file.Chown(int(owner.Uid), int(owner.Gid)) != nil {
			_ = file.Chown(-1, int(owner.Gid)) // a user may give a file to one of their own groups
		}
	}
}

func endingSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

func isDescriptor(name string) bool {
	folder := path.Dir(name)
	return folder == "/dev/fd" || folder == "/proc/self/fd"
}

// descriptor returns a duplicate of the descriptor that a name such as /dev/fd/1 stands for,
// nil for other names. If a shell redirects the output to a regular file, that file must not
// be opened again: the two descriptors would overwrite each other's bytes.
func descriptor(name string) (*os.File, error) {
	number, err := strconv.Atoi(path.Base(name))
	if !isDescriptor(name) || err != nil {
		return nil, nil
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	duplicate, err := syscall.Dup(number)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(duplicate)
	return os.NewFile(uintptr(duplicate), name), nil
}
