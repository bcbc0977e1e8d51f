package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
