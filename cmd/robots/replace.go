package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile puts new content into a file. Whoever reads it sees the old
// content or the new one, never a part. A symbolic link stays one, and its
// target is replaced; mode and owner stay as they are.
func replaceFile(name string, content []byte) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return fail("", "cannot write %q: %v", name, cause(err))
	case !info.Mode().IsRegular():
		return fail(`"-" writes what standard input has to standard output`, "cannot write %q: it is no regular file", name)
	case info.Mode().Perm()&0o222 == 0:
		// To rename over it would be possible, but not what its owner wants.
		return fail("nothing is written; make it writable, or see what would change with --diff", "cannot write %q: it is read-only", name)
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return fail("", "cannot write %q: %v", name, cause(err))
	}
	if err := replaceBy(target, info, content); err != nil {
		return fail("nothing is written", "cannot write %q: %v", name, cause(err))
	}
	return nil
}

// replaceBy writes a file beside the target and gives it the target's name.
func replaceBy(target string, like fs.FileInfo, content []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(target), ".robots-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			// The first error is the one to tell.
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	if _, err = file.Write(content); err != nil {
		return err
	}
	keepOwner(file, like)
	if err = file.Chmod(like.Mode().Perm()); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), target)
}
