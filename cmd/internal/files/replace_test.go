package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/files"
)

func write(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// holds wants a file of that content, and no other beside it.
func holds(t *testing.T, name, content string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != content {
		t.Errorf("%q (%v), want %q", got, err, content)
	}
	if beside, err := os.ReadDir(filepath.Dir(name)); err != nil || len(beside) != 1 {
		t.Errorf("%d files (%v), want one", len(beside), err)
	}
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	write(t, name, "old", 0o640)
	if err := files.Replace(name, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "new")
	if err := files.Replace(name, []byte("old"), []byte("newer")); !errors.Is(err, files.ErrChanged) {
		t.Errorf("error %v, want %v", err, files.ErrChanged)
	}
	holds(t, name, "new")
}

func TestFileModes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	write(t, name, "old", 0o444)
	if err := files.Replace(name, []byte("old"), []byte("new")); !errors.Is(err, files.ErrReadOnly) {
		t.Errorf("error %v, want %v", err, files.ErrReadOnly)
	}
	holds(t, name, "old")
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Replace(name, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(name); err != nil || after.Mode() != before.Mode() {
		t.Errorf("mode %v (%v), want %v", after.Mode(), err, before.Mode())
	}
}

func TestFileLink(t *testing.T) {
	dir := t.TempDir()
	link, name := filepath.Join(dir, "link"), filepath.Join(dir, "folder", "robots.txt")
	if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, name, "old", 0o644)
	if err := os.Symlink(filepath.Join("folder", "robots.txt"), link); err != nil {
		t.Skip(err)
	}
	if err := files.Replace(link, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v (%v)", info.Mode(), err)
	}
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	if err := files.Replace(filepath.Join(dir, "missing"), nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v of a missing file", err)
	}
	if err := files.Replace(dir, nil, nil); !errors.Is(err, files.ErrIrregular) {
		t.Errorf("error %v of a folder", err)
	}
}
