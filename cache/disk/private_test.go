//go:build unix

package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/disk"
)

// TestPermissions checks that only this user may read the files, whatever the umask,
// and also those that an earlier version made.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := t.TempDir()
	for _, made := range []fs.FileMode{0, 0o644, 0o666} {
		if made != 0 {
			if err := os.Chmod(filepath.Join(dir, disk.FileName), made); err != nil {
				t.Fatal(err)
			}
		}
		s := open(t, disk.Config{Dir: dir})
		put(t, s, 0, 10, time.Now().Add(time.Duration(made)*time.Second))
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 4 {
			t.Fatalf("%v, %v; want four files", files, err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("after %v, %s: %v, %v", made, f.Name(), info.Mode(), err)
			}
		}
		s.Close()
	}
}

// TestLinks puts links in the place of the files: dangling ones, and ones to a file
// of this user. Nothing may be created or changed at their targets.
func TestLinks(t *testing.T) {
	for _, name := range []string{disk.FileName, disk.FileName + "-wal", disk.FileName + "-shm", "robots-cache.lock"} {
		for _, content := range []string{"", "precious"} {
			dir, target := t.TempDir(), filepath.Join(t.TempDir(), "target")
			if content != "" {
				write(t, target, []byte(content))
			}
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			degraded(t, disk.Config{Dir: dir}, "symbolic link")
			got, err := os.ReadFile(target)
			if string(got) != content || content == "" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: the target has %q, %v", name, got, err)
			}
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, disk.FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	degraded(t, disk.Config{Dir: dir}, "not a regular file")
}

// TestOtherOwner gives each file to another user.
func TestOtherOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: only root can give a file to another user")
	}
	for _, name := range []string{disk.FileName, disk.FileName + "-wal", "robots-cache.lock"} {
		dir := t.TempDir()
		s := open(t, disk.Config{Dir: dir})
		put(t, s, 0, 1, time.Now())
		s.Close()
		if err := os.Chown(filepath.Join(dir, name), 12345, 12345); err != nil {
			t.Fatal(err)
		}
		degraded(t, disk.Config{Dir: dir}, "belongs to another user")
		if name == disk.FileName {
			degraded(t, disk.Config{Dir: dir, ReadOnly: true}, "belongs to another user")
		}
	}
}
