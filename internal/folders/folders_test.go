package folders_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/folders"
)

// TestMake: folders are made with those above them, once or twice; what stands there already as a file is an error.
func TestMake(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "a", "b", "c")
	for range 2 {
		if err := folders.Make(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		t.Fatalf("%v, %v", info, err)
	}
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, filepath.Join(file, "below")} {
		if err := folders.Make(name, 0o700); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestLongNames: a name that is too long is refused without questions about each name above it.
func TestLongNames(t *testing.T) {
	name := filepath.Join(t.TempDir(), strings.Repeat("a/", 60_000))
	allocations := testing.AllocsPerRun(1, func() {
		if err := folders.Make(name, 0o700); err == nil {
			t.Error("no error")
		}
	})
	if allocations > 100 { // a question about a name copies it
		t.Errorf("%v allocations", allocations)
	}
}
