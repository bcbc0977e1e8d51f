// Package replace puts new content into files: whoever reads one sees the old
// content or the new one, never a part, and no edit of another is lost.
package replace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
)

// The reasons not to replace a file, beside those of the system.
var (
	ErrIrregular = errors.New("it is no regular file")
	ErrReadOnly  = errors.New("it is read-only")
	ErrChanged   = errors.New("it has changed meanwhile")
)

// File replaces the content of a file, which must still be what it was. A symbolic
// link stays one, and its target is replaced; mode and owner stay as they are.
// On an error the file is as before, and nothing is left beside it. An interrupt
// waits until it is done.
func File(name string, was, content []byte) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrIrregular
	case info.Mode().Perm()&0o222 == 0:
		// To rename over it would be possible, but not what its owner wants.
		return ErrReadOnly
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	defer holdInterrupts()()
	temporary, err := writeBeside(target, info, content)
	if err != nil {
		return err
	}
	if err = unchanged(target, was); err == nil {
		err = os.Rename(temporary, target)
	}
	if err != nil {
		_ = os.Remove(temporary) // the first error is the one to tell
	}
	return err
}

// unchanged is asked last, as to write takes time in which an editor may save.
func unchanged(target string, was []byte) error {
	is, err := os.ReadFile(target)
	if err == nil && !bytes.Equal(is, was) {
		return ErrChanged
	}
	return err
}

// writeBeside writes a temporary file beside the target, complete on the disk, and
// returns its name.
func writeBeside(target string, like fs.FileInfo, content []byte) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(target), ".robots-*.tmp")
	if err != nil {
		return "", err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	if _, err = file.Write(content); err != nil {
		return "", err
	}
	keepOwner(file, like)
	if err = file.Chmod(like.Mode().Perm()); err != nil {
		return "", err
	}
	return file.Name(), file.Sync()
}

// holdInterrupts keeps Ctrl-C from ending the process until release is called,
// which lets one that came meanwhile do so.
func holdInterrupts() (release func()) {
	held := make(chan os.Signal, 1)
	signal.Notify(held, os.Interrupt)
	return func() {
		signal.Stop(held)
		select {
		case interrupt := <-held:
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Signal(interrupt)
			}
		default:
		}
	}
}
