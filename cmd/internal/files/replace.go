package files

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
)

// Reasons why a file is not replaced, in addition to errors of the system.
var (
	ErrIrregular = errors.New("it is not a regular file")
	ErrReadOnly  = errors.New("it is read-only")
	ErrChanged   = errors.New("it has changed meanwhile")
)

// Replace replaces the content of a file. If the content is not before any more, the
// error is ErrChanged. Of a symbolic link the target is replaced; mode and owner stay.
// On an error the file is unchanged, and no other file is left in the folder. An
// interrupt is delayed until Replace returns.
func Replace(name string, before, content []byte) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrIrregular
	case info.Mode().Perm()&0o222 == 0:
		// Rename could replace it, but its owner does not want that.
		return ErrReadOnly
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	defer delayInterrupts()()
	temporary, err := writeBeside(target, info, content)
	if err != nil {
		return err
	}
	if err = unchanged(target, before); err == nil {
		err = os.Rename(temporary, target)
	}
	if err != nil {
		_ = os.Remove(temporary) // the first error is returned
	}
	return err
}

// unchanged returns an error if a file has other content than before. It is called
// last, because an editor may save the file while the temporary file is written.
func unchanged(target string, before []byte) error {
	now, err := os.ReadFile(target)
	if err == nil && !bytes.Equal(now, before) {
		return ErrChanged
	}
	return err
}

// writeBeside writes and syncs a temporary file in the folder of the target, and
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

// delayInterrupts delays the effect of Ctrl-C until release is called.
func delayInterrupts() (release func()) {
	received := make(chan os.Signal, 1)
	signal.Notify(received, os.Interrupt)
	return func() {
		signal.Stop(received)
		select {
		case interrupt := <-received:
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Signal(interrupt)
			}
		default:
		}
	}
}
