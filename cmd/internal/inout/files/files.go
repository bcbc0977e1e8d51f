// Package files finds the files that the arguments of a command name: files, folders
// and patterns. Patterns are expanded here because not every shell does it. It also
// replaces files atomically.
package files

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/origin"
)

// maxFiles is the limit of files in a search, and of entries in a folder, so that a search has
// bounded memory: about 100 MB.
const maxFiles = 1_000_000

// Search says which files are searched for.
type Search struct {
	// Wanted reports whether a file in a folder is one of those that the command
	// reads, by its name without the folder.
	Wanted func(base string) bool

	// What is the name of those files in errors, in the plural, such as "robots.txt files".
	What string

	// Exclude are patterns of files and folders to skip, in the form of [Match]. They are
	// matched with names relative to the folder that is searched, and with the names that
	// Files yields. Files that an argument names without wildcards are never excluded.
	Exclude []string
}

// Excludes reports whether a pattern of Exclude matches a name.
func (s *Search) Excludes(name string) bool {
	return slices.ContainsFunc(s.Exclude, func(pattern string) bool { return Match(pattern, name, filepath.Separator) })
}

// Robots returns the search for robots.txt files.
func Robots(exclude ...string) Search {
	return Search{Wanted: IsRobots, What: "robots.txt files", Exclude: exclude}
}

// IsRobots reports whether a file in a folder is probably a robots.txt, by its name:
// robots.txt itself, or names such as robots.staging.txt, robots_old.txt,
// shop.robots.txt and shop-robots.txt. Case does not matter.
func IsRobots(base string) bool {
	base = strings.ToLower(base)
	if base == "robots.txt" {
		return true
	}
	name, isText := strings.CutSuffix(base, ".txt")
	const separators = "._-"
	after, before := strings.TrimPrefix(name, "robots"), strings.TrimSuffix(name, "robots")
	return isText &&
		(after != name && strings.ContainsAny(after[:1], separators) ||
			before != name && strings.ContainsAny(before[len(before)-1:], separators))
}

// Files yields the names of the files that arguments name, each file once, in the order
// of the arguments. An argument is one of:
//
//   - the name of a file, which is yielded even if there is no such file: [Open]
//     returns the error;
//   - a folder: the wanted files in it, at any depth, in lexical order;
//   - a pattern, if there is no file of that name: the files that it matches, in
//     lexical order. "**" matches any folders. On Windows a backslash separates
//     folders, elsewhere it makes the next character an ordinary one;
//   - "-" or a URL, which are yielded unchanged.
//
// Folders and files whose names begin with a dot are skipped, unless the argument has
// such a name itself. Symbolic links are followed to files, but not to folders; devices
// and pipes are skipped.
//
// An error is a [*term.Error] about one argument or folder, whose name is yielded with
// it; the others are still searched. An argument for which no file is found is an error.
func (s *Search) Files(args ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		w := &walk{Search: s, yield: yield}
		if len(args) > 1 {
			w.seen = make(map[[16]byte]bool)
		}
		for _, arg := range args {
			if !w.argument(arg) {
				return
			}
		}
	}
}

// walk is one call of Files. Its methods return false if the caller stops.
type walk struct {
	*Search
	yield func(string, error) bool
	count int               // of files
	seen  map[[16]byte]bool // hashes of absolute names, nil if no file can occur twice

	// About the current argument:
	root   string
	glob   *glob // nil for a folder
	hidden bool  // names that begin with a dot are not skipped
	found  int
}

func (w *walk) argument(arg string) bool {
	if arg == "-" || strings.Contains(arg, "://") {
		return w.yield(arg, nil)
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return w.search(arg, arg, nil)
	case err == nil || !strings.ContainsAny(arg, "*?[{"):
		return w.file(arg)
	}
	pattern := arg
	if runtime.GOOS == "windows" {
		pattern = filepath.ToSlash(pattern)
	}
	if !doublestar.ValidatePattern(pattern) {
		return w.yield(arg, Malformed(arg))
	}
	base, rest := doublestar.SplitPattern(pattern)
	return w.search(arg, filepath.FromSlash(base), newGlob(rest))
}

// Malformed returns the error for a pattern whose brackets or braces are not closed.
func Malformed(pattern string) error {
	return term.Errorf("the pattern %q is malformed", pattern).Hint("close each [ and {")
}

func (w *walk) search(arg, root string, g *glob) bool {
	w.root = root
	w.glob = g
	w.hidden = g != nil && g.namesHidden
	w.found = 0
	if !w.folder(root) {
		return false
	}
	switch {
	case w.found > 0:
		return true
	case g != nil:
		return w.yield(arg, term.Errorf("no file matches %q", arg).Hint(`"**" matches any folders: "**/robots.txt"`))
	default:
		return w.yield(arg, term.Errorf("there are no %s in %q", w.What, arg).Hint("files with other names must be given one by one, or by a pattern"))
	}
}

func (w *walk) file(name string) bool {
	if w.seen != nil {
		key := hashOf(name)
		if w.seen[key] {
			w.found++ // two arguments can have the same file; that is not an error
			return true
		}
		w.seen[key] = true
	}
	if w.found++; w.count == maxFiles {
		w.yield(name, term.Errorf("there are over %s files", term.Thousands(maxFiles)).Hint("name fewer folders"))
		return false
	}
	w.count++
	return w.yield(name, nil)
}

func hashOf(name string) (key [16]byte) {
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	h := fnv.New128a()
	h.Write([]byte(name))
	h.Sum(key[:0])
	return key
}

// Open opens a file for reading. Errors are a [*term.Error] with a hint.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case strings.Contains(name, "://"):
		return nil, term.Errorf("%q is a URL, not a file", origin.Text(name).Given()).Hint("without --file, the robots.txt of each URL's own site is fetched")
	case errors.Is(err, fs.ErrNotExist):
		return nil, term.Errorf("there is no file %q", origin.Text(name).Given()).Hint(`check the name; "-" is standard input`)
	case err == nil && info.IsDir():
		hint := "give a file in it"
		inside := filepath.Join(name, "robots.txt")
		if info, err := os.Stat(inside); err == nil && info.Mode().IsRegular() {
			hint = "did you mean " + term.Escape(inside) + "?"
		}
		return nil, term.Errorf("%q is a directory", name).Hint(hint)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, term.Errorf("cannot read %q: %v", name, term.Cause(err))
	}
	return file, nil
}
