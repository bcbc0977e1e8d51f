package git

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

const (
	// maxEntries limits the files and folders of a git directory. The folder of Chromium has some thousands, if its
	// objects are packed.
	maxEntries = 2_000_000

	maxName = 64 << 10 // bytes of a file that is one name: a ref, or the place of another folder
	maxText = 16 << 20 // bytes of another file that git reads as a whole
	maxNest = 8        // folders of objects and files of settings that name the next one; git stops at 5 and 10
)

// find returns the folder at or above the given one that has a repository, and its git directory, as git
// finds them.
func find(folder string) (top, dir string, err error) {
	at, err := filepath.Abs(folder)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return "", "", term.Errorf("git cannot run in %q: %v", folder, term.Cause(err))
	}
	for top = at; ; top = filepath.Dir(top) {
		inside := filepath.Join(top, ".git")
		if info, err := os.Stat(inside); err == nil && info.Mode().IsRegular() { // of a submodule or a worktree
			text, err := readSmall(inside, maxName)
			if err != nil {
				return "", "", err
			}
			inside = relativeTo(top, strings.TrimRight(strings.TrimPrefix(text, "gitdir: "), "\r\n"))
		}
		for _, dir := range []string{inside, top} {
			if isGitDir(dir) {
				return top, dir, nil
			}
		}
		if filepath.Dir(top) == top {
			return "", "", term.Errorf("%q is not a git repository, and is in none", folder)
		}
	}
}

// isGitDir reports whether git could see a git directory in a folder.
func isGitDir(dir string) bool {
	has := func(name string) bool { _, err := os.Lstat(filepath.Join(dir, name)); return err == nil }
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

// relativeTo returns the path that a file in a folder names.
func relativeTo(folder, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(folder, name)
	}
	return name
}

// checker looks at the files that git reads.
type checker struct {
	ctx     context.Context
	entries int
	seen    map[string]bool // folders, without links
}

// gitDir checks a git directory, and the one with which it shares most files.
func (c *checker) gitDir(dir string) error {
	if err := c.folder(dir, "."); err != nil {
		return err
	}
	common, err := readSmall(filepath.Join(dir, "commondir"), maxName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		common = dir
	case err != nil:
		return err
	default:
		common = relativeTo(dir, strings.TrimRight(common, "\r\n"))
		if err := c.folder(common, "."); err != nil {
			return err
		}
	}
	for _, settings := range []string{filepath.Join(common, "config"), filepath.Join(dir, "config.worktree")} {
		if err := c.settings(settings, maxNest); err != nil {
			return err
		}
	}
	return c.alternates(filepath.Join(common, "objects"), maxNest)
}

// folder checks all files in a folder. inside is its path from the git directory, with slashes.
func (c *checker) folder(name, inside string) error {
	if real, err := filepath.EvalSymlinks(name); err != nil || c.seen[real] {
		return nil // git cannot read it either
	} else if err := c.ctx.Err(); err != nil {
		return err
	} else {
		c.seen[real] = true
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	for {
		some, err := f.ReadDir(1024)
		for _, e := range some {
			if err := c.entry(filepath.Join(name, e.Name()), path.Join(inside, e.Name()), e); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

func (c *checker) entry(name, inside string, e fs.DirEntry) error {
	if c.entries++; c.entries > maxEntries {
		return term.Errorf("the repository has over %s files of git's own", term.Thousands(maxEntries)).Hint(`pack them with "git gc", if you trust the repository`)
	}
	mode, limit := e.Type(), limitOf(inside)
	if mode&fs.ModeSymlink != 0 || mode.IsRegular() && limit > 0 {
		info, err := os.Stat(name)
		if err != nil {
			return nil // nothing to read
		}
		if err := refusal(name, info, limit); err != nil {
			return err
		}
		mode = info.Mode()
	}
	switch {
	case !mode.IsDir():
		return refusalOf(name, mode)
	case inside == "modules" || inside == "worktrees": // of other repositories
		return nil
	}
	return c.folder(name, inside)
}

// limitOf returns how many bytes a file may have, 0 for any number: git maps it, or reads a part.
func limitOf(inside string) int64 {
	switch inside {
	case "HEAD", "commondir", "gitdir", "objects/info/alternates":
		return maxName
	case "config", "config.worktree", "shallow", "objects/info/commit-graphs/commit-graph-chain":
		return maxText
	}
	switch first, _, _ := strings.Cut(inside, "/"); first {
	case "refs":
		return maxName
	case "info":
		return maxText
	}
	return 0
}

// refusal returns the error for a file that git could not read to its end, nil for others.
func refusal(name string, info fs.FileInfo, limit int64) error {
	if err := refusalOf(name, info.Mode()); err != nil {
		return err
	}
	if limit > 0 && info.Mode().IsRegular() && info.Size() > limit {
		return term.Errorf("the repository's file %q has over %s bytes", name, term.Thousands(int(limit))).Hint("git itself writes none so large: look what is in it")
	}
	return nil
}

func refusalOf(name string, mode fs.FileMode) error {
	what := "a device"
	switch {
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeDevice == 0:
		return nil // also a socket, as of git's monitor: it cannot be opened
	}
	return term.Errorf("the repository's file %q is %s", name, what).Hint("git would never finish reading it, and itself makes no such file: do not trust the repository")
}

// readSmall returns the text of a regular file.
func readSmall(name string, limit int64) (string, error) {
	info, err := os.Stat(name)
	if err == nil {
		err = refusal(name, info, limit)
	}
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit))
	return string(text), err
}

// alternates checks the folders from which a folder borrows objects.
func (c *checker) alternates(objects string, nest int) error {
	text, err := readSmall(filepath.Join(objects, "info", "alternates"), maxName)
	if errors.Is(err, fs.ErrNotExist) || nest == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if quoted, err := strconv.Unquote(line); err == nil {
			line = quoted
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line = relativeTo(objects, line)
		if err := c.folder(line, "objects"); err != nil {
			return err
		}
		if err := c.alternates(line, nest-1); err != nil {
			return err
		}
	}
	return nil
}

// settings checks the files that a file of settings includes.
func (c *checker) settings(name string, nest int) error {
	text, err := readSmall(name, maxText)
	if _, refused := errors.AsType[*term.Error](err); refused {
		return err
	}
	if err != nil || nest == 0 {
		return nil // git says why
	}
	includes := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if section, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(section, "[") {
			includes = strings.HasPrefix(strings.ToLower(section), "[include")
			line = strings.TrimSpace(rest)
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !includes || !strings.EqualFold(strings.TrimSpace(key), "path") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if err := c.settings(relativeTo(filepath.Dir(name), value), nest-1); err != nil {
			return err
		}
	}
	return nil
}
