package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/origin"
)

// mostLinted is how large a file may be that is checked whole. No crawler reads
// more than a small part of such a file, and an endless stream must end.
const mostLinted = 64 << 20

// readWhole reads a file, or standard input for "-", to its end: unlike for a
// crawler, what stands behind the limit matters here.
func readWhole(t *terminal, name string) ([]byte, error) {
	r, shown := t.in, "standard input"
	if name != "-" {
		if isHost(name) {
			return nil, fail("did you mean "+escape("https://"+name)+"?", "there is no file %q", name)
		}
		file, err := openFile(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		r, shown = file, fmt.Sprintf("%q", name)
	} else if isTerminal(t.in) {
		t.note("reading the robots.txt from the terminal; Ctrl-D ends it")
	}
	text, err := io.ReadAll(io.LimitReader(r, mostLinted+1))
	switch {
	case err != nil:
		return nil, fail("", "cannot read %s: %v", shown, cause(err))
	case len(text) > mostLinted:
		return nil, fail("no crawler reads more than its first 500 KiB", "%s is larger than %d MiB, so it is no robots.txt", shown, mostLinted>>20)
	}
	return text, nil
}

// isHost reports whether a name is no file, but could be a site's.
func isHost(name string) bool {
	_, err := os.Lstat(name)
	_, wrong := origin.Of("https://" + name)
	return errors.Is(err, fs.ErrNotExist) && wrong == nil && strings.Contains(name, ".") && !strings.ContainsAny(name, `/\`) &&
		filepath.Ext(name) != ".txt"
}
