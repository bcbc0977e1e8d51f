// Package lintconfig finds and reads the settings of the linter: from a .robotslint.yaml
// in the folder of a file or above, and from a source that takes precedence, such as a
// command line.
package lintconfig

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/regular"
	"github.com/kosterhq/robotstxt/lint"
)

// Settings are the settings for a file. Nil means not set.
type Settings struct {
	Profile    *lint.Profile
	FailOn     *lint.Severity // the lowest severity that fails a run, Off for none; default: Warning
	URL        *string        // the URL at which the file is served
	Pedantic   *bool          // report pedantic findings too
	Severities map[lint.Code]lint.Severity
}

// over returns the settings, completed by others where they are not set.
func (s Settings) over(others Settings) Settings {
	merged := Settings{
		Profile:  cmp.Or(s.Profile, others.Profile),
		FailOn:   cmp.Or(s.FailOn, others.FailOn),
		URL:      cmp.Or(s.URL, others.URL),
		Pedantic: cmp.Or(s.Pedantic, others.Pedantic),
	}
	merged.set(others.Severities)
	merged.set(s.Severities)
	return merged
}

func (s *Settings) set(severities map[lint.Code]lint.Severity) {
	if s.Severities == nil {
		s.Severities = make(map[lint.Code]lint.Severity)
	}
	maps.Copy(s.Severities, severities)
}

func valueOf[T any](setting *T, otherwise T) T {
	if setting == nil {
		return otherwise
	}
	return *setting
}

// Config returns the settings as the linter takes them.
func (s Settings) Config() lint.Config {
	return lint.Config{
		Severities: s.Severities, Profile: valueOf(s.Profile, lint.Google), URL: valueOf(s.URL, ""),
		Pedantic: valueOf(s.Pedantic, false),
	}
}

// defaultFailOn is Warning, because some crawlers do not read a file with a warning as
// its author intended.
const defaultFailOn = lint.Warning

// Fails reports whether a finding of a severity fails a run.
func (s Settings) Fails(severity lint.Severity) bool {
	least := valueOf(s.FailOn, defaultFailOn)
	return least != lint.Off && severity >= least
}

// Finder finds the settings of each file.
type Finder struct {
	// Above are settings that take precedence over settings files. Default: none.
	Above Settings
	// Only is the settings file to use for all files. Default: the nearest one.
	Only *File
	// None uses no settings file, except Only.
	None bool
	// Found is called before a settings file that was found is read, unless it is nil. For returns its error.
	Found func(name string) error

	folders map[string]*folderSettings // known ones, by absolute name
}

type folderSettings struct {
	file     *File // nil if there is none
	err      error
	returned bool // err
}

// ErrRepeated is returned by Finder.For instead of an error that it has already returned
// for another file with the same settings.
var ErrRepeated = errors.New("the settings file has an error that was returned before")

// For returns the settings of a file. An empty name means text without a file, which
// has the settings of the current folder.
func (f *Finder) For(name string) (Settings, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return Settings{}, term.Errorf("cannot determine the folder of %q: %v", name, err)
	}
	found := f.fileOf(absolute, name == "")
	if found.err != nil {
		if found.returned {
			return Settings{}, ErrRepeated
		}
		found.returned = true
		return Settings{}, found.err
	}
	return f.Above.over(found.file.For(absolute)), nil
}

// Names returns the names of the settings files that were looked for, whether or not
// they exist, in lexical order.
func (f *Finder) Names() []string {
	names := make([]string, 0, len(f.folders))
	for folder := range f.folders {
		names = append(names, filepath.Join(folder, Name))
	}
	slices.Sort(names)
	return names
}

// Excludes reports whether the settings of a file exclude it. It is false if the
// settings have an error, which For returns.
func (f *Finder) Excludes(name string) bool {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return false
	}
	found := f.fileOf(absolute, false)
	return found.err == nil && found.file.Excludes(absolute)
}

// fileOf returns the settings file of a file or folder, given by its absolute name.
func (f *Finder) fileOf(absolute string, isFolder bool) *folderSettings {
	switch {
	case f.Only != nil:
		return &folderSettings{file: f.Only}
	case f.None:
		return &folderSettings{}
	case isFolder:
		return f.inFolder(absolute)
	}
	return f.inFolder(filepath.Dir(absolute))
}

// inFolder searches for the settings file of a folder, there and above, up to the root
// of the repository or of the file system.
func (f *Finder) inFolder(folder string) *folderSettings {
	if known := f.folders[folder]; known != nil {
		return known
	}
	found := &folderSettings{}
	name := filepath.Join(folder, Name)
	if text, err := f.read(name); err == nil {
		found.file, found.err = Parse(shortName(name), text)
	} else if e := (*term.Error)(nil); errors.As(err, &e) {
		found.err = e
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		found.err = term.Errorf("cannot read %q: %v", shortName(name), term.Cause(err)).Hint("--no-config skips it")
	} else if above := filepath.Dir(folder); above != folder && !isRepository(folder) {
		found = f.inFolder(above)
	}
	if f.folders == nil {
		f.folders = make(map[string]*folderSettings)
	}
	f.folders[folder] = found
	return found
}

// read reads a settings file, but only as many bytes as show that it is too large. A repository can contain a link to
// standard input or to a pipe, which would take another program's input, or never end.
func (f *Finder) read(name string) ([]byte, error) {
	file, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if f.Found != nil {
		if err := f.Found(name); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(io.LimitReader(file, MaxBytes+1))
}

// isRepository reports whether a folder is the root of a repository. In a worktree,
// .git is a file.
func isRepository(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

func shortName(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	if relative, err := filepath.Rel(here, name); err == nil && len(relative) < len(name) {
		return relative
	}
	return name
}
