package files

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Reasons why a file is not written, in addition to errors of the system.
var (
	ErrIrregular   = errors.New("it is not a regular file") // of Replace alone
	ErrReadOnly    = errors.New("it is read-only")
	ErrChanged     = errors.New("it has changed in the meantime") // of Replace alone
	ErrInterrupted = errors.New("interrupted")                    // by Ctrl-C or another signal
)

// Write creates a file, or replaces it, with the bytes that write writes. The file appears,
// or changes, only when all of them are on the disk:
//
//   - A new file gets the mode of [os.Create].
//   - A replaced file keeps its mode and, if the process may set it, its owner.
//   - A symbolic link stays, and its target is written.
//   - A file that the process may not write is unchanged, and the error is ErrReadOnly.
//   - A pipe, a device or an open descriptor such as /dev/stdout is written directly.
//   - If write fails, or a signal such as Ctrl-C arrives, the file is unchanged, and no other
//     file remains in the folder. The error after a signal is ErrInterrupted, and the next
//     signal ends the process.
//
// Write returns an error of write unchanged. Other errors name the file and have hints.
func Write(name string, write func(io.Writer) error) error {
	return writeChecked(name, write, func() error { return nil })
}

// Replace is [Write] for a regular file that exists. If its content no longer equals before,
// the error is ErrChanged.
func Replace(name string, before, content []byte) error {
	switch info, err := os.Stat(name); {
	case err != nil:
		return failed(name, err)
	case !info.Mode().IsRegular():
		return failed(name, ErrIrregular)
	}
	write := func(to io.Writer) error {
		_, err := to.Write(content)
		return err
	}
	return writeChecked(name, write, func() error {
		now, err := os.ReadFile(name)
		if err == nil && !bytes.Equal(now, before) {
			err = ErrChanged
		}
		return err
	})
}

// writeChecked is Write with a check. It is called last, because an editor might save the
// file while the temporary file is written.
func writeChecked(name string, write func(io.Writer) error, check func() error) error {
	target, err := followed(name)
	if err != nil {
		return failed(name, err)
	}
	direct, err := descriptor(target)
	if err != nil {
		return failed(name, err)
	}
	if direct != nil {
		return writeDirectly(name, direct, write)
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return writeBeside(name, target, nil, write, check)
	case err != nil:
		return failed(name, err)
	case info.IsDir():
		return failed(name, syscall.EISDIR)
	case !info.Mode().IsRegular():
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return failed(name, err)
		}
		return writeDirectly(name, file, write)
	case isReadOnly(target, info):
		return failed(name, ErrReadOnly)
	}
	return writeBeside(name, target, info, write, check)
}

// followed returns the name of the file to which a symbolic link leads. Unlike
// [filepath.EvalSymlinks] it needs no file there, and stops at the link that is an open
// descriptor.
func followed(name string) (string, error) {
	for range 40 {
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 || isDescriptor(name) {
			return name, nil // its own errors are found when it is used
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) {
			folder, _ := filepath.Split(name)
			link = folder + link // not Join: ".." is the folder above the target of a linked folder
		}
		name = link
	}
	return "", syscall.ELOOP
}

// isReadOnly reports whether a file may not be written. Rename could replace it, but its
// owner has forbidden that.
func isReadOnly(target string, info fs.FileInfo) bool {
	if info.Mode().Perm()&0o222 == 0 {
		return true // which does not stop an administrator
	}
	file, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err == nil {
		file.Close() // nothing was written
	}
	return errors.Is(err, fs.ErrPermission)
}

func writeDirectly(name string, file *os.File, write func(io.Writer) error) error {
	out := &output{ctx: context.Background(), file: file}
	err := out.fill(write)
	if closed := file.Close(); err == nil && closed != nil {
		out.failed, err = closed, closed
	}
	return out.cause(name, err)
}

// writeBeside writes a temporary file in the folder of the target, which has the attributes
// of info if that is not nil, and renames it.
func writeBeside(name, target string, info fs.FileInfo, write func(io.Writer) error, check func() error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), endingSignals()...)
	defer stop()
	mode := fs.FileMode(0o666) // as os.Create
	if info != nil {
		mode = 0o600 // before it has its owner
	}
	folder, _ := filepath.Split(target)
	temporary := folder + ".robots-" + rand.Text() + ".tmp"
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return failedBeside(name, folder, err)
	}
	written := false
	defer func() { // even after a panic of write
		if !written {
			_ = file.Close()
			_ = os.Remove(temporary) // the first error is returned
		}
	}()
	keep := context.AfterFunc(ctx, func() {
		stop() // so that the next signal ends the process
		_ = os.Remove(temporary)
	})
	defer keep() // before stop, which ends ctx too

	out := &output{ctx: ctx, file: file}
	if err := out.fill(write); err != nil {
		return out.cause(name, err)
	}
	err = finish(file, info)
	if err == nil {
		err = check()
	}
	if err == nil && ctx.Err() == nil {
		err = os.Rename(temporary, target)
		written = err == nil
	}
	if ctx.Err() != nil {
		err = ErrInterrupted
	}
	return failed(name, err)
}

// finish gives a complete file the attributes of info, if that is not nil, and closes it.
func finish(file *os.File, info fs.FileInfo) (err error) {
	if info != nil {
		keepOwner(file, info)
		err = file.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

type output struct {
	ctx    context.Context // ends with a signal
	file   *os.File
	failed error // of the file or the signal
}

func (o *output) Write(data []byte) (n int, err error) {
	if o.ctx.Err() != nil {
		o.failed = ErrInterrupted
		return 0, o.failed
	}
	n, err = o.file.Write(data)
	if err != nil {
		o.failed = err
	}
	return n, err
}

func (o *output) fill(write func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(o, 256<<10)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

// cause returns the error to report after fill failed: the file's own failure if there was
// one, otherwise err, which is from write.
func (o *output) cause(name string, err error) error {
	if o.failed != nil {
		return failed(name, o.failed)
	}
	return err
}

// failure is an error with a hint that also wraps its cause.
type failure struct{ shown, cause error }

func (f *failure) Error() string   { return f.shown.Error() }
func (f *failure) Unwrap() []error { return []error{f.shown, f.cause} }

// failed returns the error for a file that cannot be written, nil for nil.
func failed(name string, err error) error {
	hint := ""
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrIrregular):
		hint = `"-" reads standard input and writes standard output`
	case errors.Is(err, ErrReadOnly):
		hint = "make it writable, or give another name"
	case errors.Is(err, ErrChanged):
		hint = "run robots again"
	case errors.Is(err, syscall.EISDIR):
		hint = "give the name of a file in it"
	}
	return &failure{term.Errorf("cannot write %q: %v", name, term.Cause(err)).Hint(hint), err}
}

func failedBeside(name, folder string, err error) error {
	hint := ""
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "its folder must be writable too, for the temporary file"
	case errors.Is(err, fs.ErrNotExist) && folder != "":
		hint = "create its folder first"
	}
	return &failure{term.Errorf("cannot write %q: %v", name, term.Cause(err)).Hint(hint), err}
}
