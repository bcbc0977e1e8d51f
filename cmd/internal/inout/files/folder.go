package files

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// WriteFolder creates a folder with the files that write writes, with [Write], into a temporary folder
// next to it. The folder appears only when all of them are on the disk. It must not exist. If write fails, or a
// signal such as Ctrl-C arrives, which ends write's context, no folder remains; if the process is killed, the
// next call removes what it left. Only the user can read the folder. WriteFolder returns an error of write
// unchanged.
func WriteFolder(ctx context.Context, name string, write func(ctx context.Context, temporary string) error) error {
	name = folderName(name)
	if err := CheckNewFolder(name); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, endingSignals()...)
	defer stop()
	parent, _ := filepath.Split(name)
	temporary, remove, err := temporaryFolder(parent)
	if err != nil {
		return failedBeside(name, parent, err)
	}
	defer remove() // after the rename there is nothing to remove
	if err := write(ctx, temporary); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return failed(name, ErrInterrupted)
	}
	if err := makePrivate(temporary); err != nil {
		return failed(name, err)
	}
	if err := CheckNewFolder(name); err != nil { // an empty one would be replaced
		return err
	}
	return failed(name, os.Rename(temporary, name))
}

// folderName returns the name of a folder without a separator or "." at its end, with which it could not be
// renamed. Clean would be wrong: ".." is the folder above the target of a linked folder.
func folderName(name string) string {
	for {
		shorter := strings.TrimRightFunc(name, isSeparator)
		if folder, last := filepath.Split(shorter); last == "." && folder != "" {
			shorter = folder
		}
		if shorter == name || shorter == "" {
			return name
		}
		name = shorter
	}
}

// makePrivate lets only the user read what is in a folder.
func makePrivate(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	})
}

// unlockedFor is how long a new temporary folder can be without a lock.
const unlockedFor = 2 * time.Second

// temporaryFolder creates a folder whose name begins with parent, and removes those of processes that were
// killed: a lock, which ends with the process, shows which are in use.
func temporaryFolder(parent string) (name string, remove func(), err error) {
	host, _ := os.Hostname() // a lock can be unknown on other computers
	begin := fmt.Sprintf("%s.robots-%08x-", parent, crc32.ChecksumIEEE([]byte(host)))
	left, _ := filepath.Glob(escapedPattern(begin) + strings.Repeat("[A-Z2-7]", len(rand.Text())) + ".tmp")
	for _, folder := range left {
		info, err := os.Lstat(folder)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < unlockedFor {
			continue
		}
		if unlock, isFree := lockFolder(folder); isFree {
			_ = os.RemoveAll(folder)
			unlock()
		}
	}
	name = begin + rand.Text() + ".tmp"
	if err := os.Mkdir(name, 0o700); err != nil {
		return "", nil, err
	}
	unlock, _ := lockFolder(name) // if there are no locks here, nobody removes it
	return name, func() {
		_ = os.RemoveAll(name)
		unlock()
	}, nil
}

// escapedPattern returns a pattern of Glob that matches only a text.
func escapedPattern(text string) string {
	if runtime.GOOS == "windows" {
		return text // has no escapes there, and a folder with brackets keeps what is left
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(text)
}

// CheckNewFolder returns an error if there is something with the name of a folder to write.
func CheckNewFolder(name string) error {
	name = folderName(name)
	switch _, err := os.Lstat(name); {
	case err == nil:
		return term.Errorf("%q exists already", name).Hint("name a new folder")
	case !errors.Is(err, fs.ErrNotExist):
		return failed(name, err)
	}
	parent, _ := filepath.Split(name)
	if _, err := os.Stat(cmp.Or(parent, ".")); err != nil {
		return failedBeside(name, parent, err)
	}
	return nil
}
