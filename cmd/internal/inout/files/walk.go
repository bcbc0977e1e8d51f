package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// entriesAtOnce is the number of entries that are read from a folder at once; most are
// dropped.
const entriesAtOnce = 1024

func (w *walk) folder(name string) bool {
	entries, err := w.entries(name)
	if err != nil && !w.yield(name, err) {
		return false
	}
	for _, e := range entries {
		inside := filepath.Join(name, e.Name())
		more := true
		if e.IsDir() {
			more = w.folder(inside)
		} else if isFile(inside, e) {
			more = w.file(inside)
		}
		if !more {
			return false
		}
	}
	return true
}

// entries returns the folders and the wanted files in a folder, in lexical order. With
// an error it returns those that were read before.
func (w *walk) entries(folder string) (wanted []fs.DirEntry, err error) {
	f, err := os.Open(folder)
	if err != nil {
		if w.glob != nil && folder == w.root && errors.Is(err, fs.ErrNotExist) {
			return nil, nil // nothing matches the pattern
		}
		return nil, unreadable(folder, err)
	}
	defer f.Close()
	for {
		some, err := f.ReadDir(entriesAtOnce)
		for _, e := range some {
			if w.wants(folder, e) {
				wanted = append(wanted, e)
			}
		}
		if len(wanted) > maxFiles {
			return nil, term.Errorf("the folder %q has over %s files", folder, term.Thousands(maxFiles)).Hint("exclude it, or give files in it by a pattern")
		}
		if err != nil {
			slices.SortFunc(wanted, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			if err == io.EOF {
				return wanted, nil
			}
			return wanted, unreadable(folder, err)
		}
	}
}

func unreadable(folder string, err error) error {
	return term.Errorf("cannot read the folder %q: %v", folder, term.Cause(err)).Hint("the files in it are missing below")
}

func (w *walk) wants(folder string, e fs.DirEntry) bool {
	if strings.HasPrefix(e.Name(), ".") && !w.hidden {
		return false
	}
	name := filepath.Join(folder, e.Name())
	inside, err := filepath.Rel(w.root, name)
	if err != nil {
		inside = name
	}
	if w.Excludes(inside) || w.Excludes(name) {
		return false
	}
	switch slashed := filepath.ToSlash(inside); {
	case w.glob == nil:
		return e.IsDir() || w.Wanted(e.Name())
	case e.IsDir():
		return w.glob.mayMatchIn(slashed)
	default:
		return doublestar.MatchUnvalidated(w.glob.pattern, slashed)
	}
}

// isFile reports whether an entry is a file, or a link to one. A broken link counts as a
// file, so that it is reported and not missed.
func isFile(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(name)
	return err != nil || info.Mode().IsRegular()
}

// glob is a pattern relative to the folder in which the search begins.
type glob struct {
	pattern     string
	parts       []string // the pattern between its slashes, nil if braces contain slashes
	namesHidden bool     // it has a name that begins with a dot
}

func newGlob(pattern string) *glob {
	pattern = path.Clean(pattern)
	g := &glob{pattern: pattern, namesHidden: strings.HasPrefix(pattern, ".") || strings.Contains(pattern, "/.")}
	parts := strings.Split(pattern, "/")
	for _, part := range parts {
		if !doublestar.ValidatePattern(part) {
			return g
		}
	}
	g.parts = parts
	return g
}

func (g *glob) mayMatchIn(folder string) bool {
	if g.parts == nil {
		return true
	}
	names := strings.Split(folder, "/")
	for i, name := range names {
		switch {
		case i >= len(g.parts)-1:
			return g.parts[len(g.parts)-1] == "**"
		case g.parts[i] == "**":
			return true
		case !doublestar.MatchUnvalidated(g.parts[i], name):
			return false
		}
	}
	return true
}

// Match reports whether a pattern matches the relative name of a file, whose folders are
// separated by the separator; in the pattern it is a slash. A pattern without a slash
// matches files of that name in any folder, as in a .gitignore. The pattern must be
// valid, see [doublestar.ValidatePattern].
func Match(pattern, name string, separator rune) bool {
	name = strings.ReplaceAll(name, string(separator), "/")
	if !strings.Contains(pattern, "/") {
		name = path.Base(name)
	}
	return doublestar.MatchUnvalidated(strings.TrimPrefix(pattern, "./"), name)
}
