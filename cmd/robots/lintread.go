package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/origin"
)

// mostLinted is how large a file may be that is checked whole, in MiB. No crawler
// reads more than a small part of such a file.
const mostLinted = 64

// readWhole reads a robots.txt to its end: unlike for a crawler, what stands behind
// the limit matters here.
func readWhole(t *term.Terminal, name string) ([]byte, error) {
	if isHost(name) {
		return nil, term.Errorf("did you mean "+term.Escape("https://"+name)+"?", "there is no file %q", name)
	}
	in, err := openInput(t, name, noteOfRobots)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(mostLinted, "it is no robots.txt: no crawler reads more than its first 500 KiB")
}

// isHost reports whether a name is no file, but could be a site's.
func isHost(name string) bool {
	_, err := os.Lstat(name)
	_, wrong := origin.Of("https://" + name)
	return errors.Is(err, fs.ErrNotExist) && wrong == nil && strings.Contains(name, ".") && !strings.ContainsAny(name, `/\*?[`) &&
		filepath.Ext(name) != ".txt"
}
