package files

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Named is a file of a command line.
type Named struct {
	Role string   // in errors: a flag such as "--out", or "an argument"
	Name string   // as given: of an input also a folder or a pattern
	Open *os.File // instead of a name: a standard stream

	// Keeps reports which files are read in an input that is a folder, by their names without it. If it
	// is nil, robots.txt files are.
	Keeps func(base string) bool
}

// Separate returns an error if an output would overwrite an input, or two outputs are one file.
// Files are compared by device and inode, and those that do not exist yet by name, after links.
// Only regular files are compared, so two outputs can be /dev/null, and the two standard streams can be one
// file. A folder among the inputs contains the robots.txt files in it, or those that it keeps, even if it or they
// do not exist yet, and a pattern contains the files that it matches. "-", a URL and an empty name are not files.
// Separate opens no file, and asks for no input if there is no output.
func Separate(outputs []Named, inputs iter.Seq[Named]) error {
	var seen []place
	for _, output := range outputs {
		p, ok := placeOf(output)
		if !ok {
			continue
		}
		for i := range seen {
			if seen[i].is(p) && (p.Open == nil || seen[i].Open == nil) {
				return term.Errorf("%s and %s write to one file, %q", seen[i].Role, p.Role, cmp.Or(p.Name, seen[i].Name)).Hint("give each a separate file")
			}
		}
		seen = append(seen, p)
	}
	if len(seen) == 0 {
		return nil
	}
	exists := slices.ContainsFunc(seen, func(p place) bool { return p.info != nil })
	for input := range inputs {
		if !exists && input.Keeps == nil || isOther(input, seen) {
			continue
		}
		in, ok := placeOf(input)
		for i := range seen {
			switch p := &seen[i]; {
			case !ok || !in.contains(*p):
			case p.Open != nil:
				return term.Errorf("%s would overwrite an input, which is from %s", p.Role, in.Role).Hint("redirect it to a different file")
			default:
				return term.Errorf("%s would overwrite an input: %q is from %s", p.Role, p.Name, in.Role).Hint("give a different name to " + p.Role)
			}
		}
	}
	return nil
}

// isOther reports whether an input is a regular file that is none of the outputs, at the price of
// one call of the system: a folder can contain a million inputs.
func isOther(input Named, outputs []place) bool {
	if input.Open != nil {
		return false
	}
	info, err := os.Stat(input.Name)
	return err == nil && info.Mode().IsRegular() &&
		!slices.ContainsFunc(outputs, func(p place) bool { return p.info != nil && os.SameFile(p.info, info) })
}

// caseFolds is true if two names that differ in case are usually one file.
const caseFolds = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// isSeparator reports whether a character ends the name of a folder.
func isSeparator(c rune) bool { return c < utf8.RuneSelf && os.IsPathSeparator(byte(c)) }

// place is a file that might not exist.
type place struct {
	Named
	path string      // absolute, after links; "" for a stream
	info os.FileInfo // nil if there is none
}

// placeOf returns the place of a file. ok is false if nothing can overwrite it: it is not a regular
// file, but for example a device.
func placeOf(named Named) (p place, ok bool) {
	p.Named = named
	if named.Open != nil {
		info, err := named.Open.Stat()
		p.info = info
		return p, err == nil && info.Mode().IsRegular()
	}
	if named.Name == "" || named.Name == "-" || strings.Contains(named.Name, "://") {
		return p, false
	}
	name, err := followed(named.Name)
	if err != nil {
		return p, false
	}
	p.path, err = absolute(name)
	if err != nil {
		return p, false
	}
	info, err := os.Stat(name)
	if err == nil {
		p.info = info
	}
	return p, err != nil || info.Mode().IsRegular() || info.IsDir()
}

// absolute returns the absolute name of a file, without links in the names of folders that exist. "x/.." is removed
// only after the links, because it is the folder above the target of x.
func absolute(name string) (path string, err error) {
	switch {
	case isDescriptor(name):
		return name, nil
	case runtime.GOOS == "windows":
		name, err = filepath.Abs(name) // the system removes "x\.." so too
	case !filepath.IsAbs(name):
		var here string
		here, err = filepath.Abs(".")
		name = here + "/" + name
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return filepath.Clean(name), nil // such as one that is too long: nothing above it is looked at
	}
	missing := ""
	for folder := name; ; info, err = os.Stat(folder) {
		if err == nil && info.IsDir() {
			real, err := filepath.EvalSymlinks(folder)
			return filepath.Join(real, missing), err
		}
		parent, base := filepath.Split(strings.TrimRightFunc(folder, isSeparator))
		if base == "" {
			return filepath.Clean(name), nil
		}
		folder = parent
		missing = filepath.Join(base, missing)
	}
}

// is reports whether two places are one file. An open descriptor, such as /dev/stdout, may be named
// although the shell has redirected that stream.
func (p *place) is(other place) bool {
	switch {
	case p.Open != nil && isDescriptor(other.path), other.Open != nil && isDescriptor(p.path):
		return false
	case p.info != nil && other.info != nil:
		return os.SameFile(p.info, other.info)
	case p.info != nil || other.info != nil || p.path == "":
		return false
	case caseFolds:
		return strings.EqualFold(p.path, other.path)
	}
	return p.path == other.path
}

func (p *place) contains(output place) bool {
	switch {
	case p.Keeps != nil && (p.info == nil || p.info.IsDir()):
		return p.keeps(output)
	case output.info == nil:
		return false // there is nothing to read
	case p.info != nil && p.info.IsDir():
		inside, err := filepath.Rel(p.path, output.path)
		return err == nil && filepath.IsLocal(inside) && IsRobots(filepath.Base(inside))
	case p.info == nil && strings.ContainsAny(p.Name, "*?[{"):
		pattern := filepath.ToSlash(p.path)
		return doublestar.ValidatePattern(pattern) &&
			doublestar.MatchUnvalidated(pattern, filepath.ToSlash(output.path))
	}
	return p.is(output)
}

// keeps reports whether an output is, or would be, one of the files that a folder keeps: by its name, or
// a link or a stream that is such a file.
func (p *place) keeps(output place) bool {
	if inside, err := filepath.Rel(p.path, output.path); err == nil && output.path != "" && filepath.IsLocal(inside) {
		base := filepath.Base(inside)
		return p.Keeps(base) || caseFolds && p.Keeps(strings.ToLower(base))
	}
	if output.info == nil {
		return false
	}
	entries, _ := os.ReadDir(p.path)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		info, err := e.Info()
		return err == nil && p.Keeps(e.Name()) && os.SameFile(info, output.info)
	})
}

// IsInside reports whether a file would be in a folder that does not exist yet.
func IsInside(name, folder string) bool {
	folder, err := absolute(folderName(folder))
	if err != nil {
		return false
	}
	name, err = absolute(name)
	if err != nil {
		return false
	}
	if caseFolds {
		name, folder = strings.ToLower(name), strings.ToLower(folder)
	}
	below, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(below)
}

// IsDescriptor reports whether a name, after links, is an open descriptor, such as /dev/stdin.
func IsDescriptor(name string) bool {
	target, err := followed(name)
	return err == nil && isDescriptor(target)
}
