package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/kosterhq/robotstxt/internal/regular"
)

// TestRead: a regular file is read up to the limit, itself or by a link. A folder and a device are errors.
func TestRead(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "file")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	names := []string{name}
	link := filepath.Join(folder, "link")
	if os.Symlink(name, link) == nil {
		names = append(names, link)
	}
	for _, name := range names {
		if text, err := regular.Read(name, 4); string(text) != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if text, err := regular.Read(name, 3); text != nil || err == nil {
			t.Errorf("%s with a limit of 3 bytes: %q, %v", name, text, err)
		}
	}
	for _, name := range []string{folder, os.DevNull} {
		if text, err := regular.Read(name, 4); !errors.Is(err, regular.ErrIrregular) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := regular.Read(filepath.Join(folder, "none"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestIsCut: a file that is not empty and does not end in a line end is cut, also where a shell opened it only for
// writing (on Linux). A pipe is not.
func TestIsCut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for text, want := range map[string]bool{"": false, "a": true, "a\n": false, "a\nb": true, "\n": false} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []int{os.O_RDONLY, os.O_RDWR | os.O_APPEND, os.O_WRONLY | os.O_APPEND} {
			file, err := os.OpenFile(name, mode, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := regular.IsCut(file); got != (want && (runtime.GOOS == "linux" || mode&os.O_WRONLY == 0)) {
				t.Errorf("%q opened with %x: %v", text, mode, got)
			}
			file.Close()
		}
	}
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	defer in.Close()
	if _, err := in.WriteString("a"); err != nil || regular.IsCut(in) {
		t.Errorf("a pipe is cut, or %v", err)
	}
}
