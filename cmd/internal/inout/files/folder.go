package files

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// WriteFolder creates a folder with the files that write writes, with [Write], into a temporary folder
// next to it. The folder appears only when all of them are on the disk. It must not exist. If write fails, or a
// signal such as Ctrl-C arrives, which ends write's context, no folder remains. WriteFolder returns an
// error of write unchanged.
func WriteFolder(ctx context.Context, name string, write func(ctx context.Context, temporary string) error) error {
	if err := CheckNewFolder(name); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, endingSignals()...)
	defer stop()
	parent, _ := filepath.Split(filepath.Clean(name))
	temporary := parent + ".robots-" + rand.Text() + ".tmp"
	if err := os.Mkdir(temporary, 0o777); err != nil {
		return failedBeside(name, parent, err)
	}
	defer os.RemoveAll(temporary) // after the rename there is nothing to remove
	if err := write(ctx, temporary); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return failed(name, ErrInterrupted)
	}
	if err := CheckNewFolder(name); err != nil { // an empty one would be replaced
		return err
	}
	return failed(name, os.Rename(temporary, name))
}

// CheckNewFolder returns an error if there is something with the name of a folder to write.
func CheckNewFolder(name string) error {
	switch _, err := os.Lstat(name); {
	case err == nil:
		return term.Errorf("%q exists already", name).Hint("name a new folder")
	case !errors.Is(err, fs.ErrNotExist):
		return failed(name, err)
	}
	return nil
}
