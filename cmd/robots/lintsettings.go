package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
)

// settings say for whom a file is checked, and how. What is nil is not said.
type settings struct {
	profile    *lint.Profile
	failOn     *lint.Severity
	url        *string
	severities map[lint.Code]lint.Severity
}

// over returns the settings with what others say where these say nothing.
func (s settings) over(others settings) settings {
	merged := settings{
		profile: cmp.Or(s.profile, others.profile),
		failOn:  cmp.Or(s.failOn, others.failOn),
		url:     cmp.Or(s.url, others.url),
	}
	merged.set(others.severities)
	merged.set(s.severities)
	return merged
}

func (s *settings) set(severities map[lint.Code]lint.Severity) {
	for code, severity := range severities {
		if s.severities == nil {
			s.severities = make(map[lint.Code]lint.Severity)
		}
		s.severities[code] = severity
	}
}

// config returns the settings as the linter takes them.
func (s settings) config() lint.Config {
	config := lint.Config{Severities: s.severities}
	if s.profile != nil {
		config.Profile = *s.profile
	}
	if s.url != nil {
		config.URL = *s.url
	}
	return config
}

// defaultFailOn is the severity from which on findings fail a run. A warning is a
// file that some crawlers read otherwise than it looks, which a pipeline should
// stop; what it cannot mend, it can lower or ignore by code.
const defaultFailOn = lint.Warning

// fails reports whether a finding of that severity fails the run.
func (s settings) fails(severity lint.Severity) bool {
	least := defaultFailOn
	if s.failOn != nil {
		least = *s.failOn
	}
	return least != lint.Off && severity >= least
}

// settingFinder finds the settings of each file: those of the flags, of the
// settings file given, or of the nearest one.
type settingFinder struct {
	flags   settings
	only    *settingsInFile // of --config
	none    bool
	folders map[string]*folderSettings // known ones, by absolute name
}

// folderSettings is what holds for the files of a folder.
type folderSettings struct {
	file *settingsInFile // nil if there is none
	err  error
	told bool
}

// forArgument returns the settings of what is given to be checked. An error that
// was told for another file of the folder is errShown.
func (f *settingFinder) forArgument(arg string) (settings, error) {
	file := f.only
	name := arg
	if arg == "-" || isSiteURL(arg) {
		name = "."
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return settings{}, term.Errorf("", "cannot tell where %q is: %v", arg, err)
	}
	if file == nil && !f.none {
		folder := absolute
		if name == arg {
			folder = filepath.Dir(absolute)
		}
		found := f.inFolder(folder)
		if found.err != nil {
			if found.told {
				return settings{}, errShown
			}
			found.told = true
			return settings{}, found.err
		}
		file = found.file
	}
	return f.flags.over(file.settingsOf(absolute)), nil
}

// inFolder looks for the settings of a folder, there and above, up to the root of
// the repository or of the file system.
func (f *settingFinder) inFolder(folder string) *folderSettings {
	if known := f.folders[folder]; known != nil {
		return known
	}
	found := &folderSettings{}
	name := filepath.Join(folder, settingsFile)
	if text, err := os.ReadFile(name); err == nil {
		found.file, found.err = parseSettings(shortName(name), text)
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		found.err = term.Errorf("--no-config leaves it out", "cannot read %q: %v", shortName(name), term.Cause(err))
	} else if above := filepath.Dir(folder); above != folder && !isRepository(folder) {
		found = f.inFolder(above)
	}
	f.folders[folder] = found
	return found
}

// isRepository reports whether a folder is the root of one. In a worktree, .git
// is a file.
func isRepository(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

// shortName is a name as seen from the current folder, if that is shorter.
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

// settingsOf returns what a settings file says about a file; nil says nothing.
func (s *settingsInFile) settingsOf(name string) settings {
	if s == nil {
		return settings{}
	}
	all := s.settings
	if inside, err := filepath.Rel(s.folder, name); err == nil {
		for _, o := range s.overrides {
			if slices.ContainsFunc(o.files, func(pattern string) bool { return matchesFile(pattern, filepath.ToSlash(inside)) }) {
				all = o.settings.over(all)
			}
		}
	}
	return all
}
