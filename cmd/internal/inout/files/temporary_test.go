package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func TestTemporary(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its variable has another name")
	}
	t.Setenv("TMPDIR", t.TempDir())
	file, err := files.Temporary("robots-*")
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(file.Name()) != os.Getenv("TMPDIR") {
		t.Errorf("the file is %s", file.Name())
	}
	file.Close()
	if _, err := file.Write([]byte("x")); err == nil || !strings.Contains(err.Error(), "cannot write a temporary file in") ||
		!strings.Contains(term.HintOf(err), "TMPDIR") {
		t.Errorf("the error is %v, with the hint %q", err, term.HintOf(err))
	}
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	if _, err := files.Temporary("robots-*"); err == nil || !strings.Contains(err.Error(), missing) ||
		!strings.Contains(term.HintOf(err), "TMPDIR") {
		t.Errorf("the error is %v, with the hint %q", err, term.HintOf(err))
	}
}

// TestLeftFolders: the folder of a process that was killed is removed, and no folder of the user, of another computer
// or of a process that runs.
func TestLeftFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its variable has another name")
	}
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	used, remove, err := files.TemporaryFolder()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	base := filepath.Base(used)
	digits := len(".robots-")
	left := filepath.Join(parent, base[:len(base)-5]+"A.tmp")
	if left == used {
		left = filepath.Join(parent, base[:len(base)-5]+"B.tmp")
	}
	other := strings.Map(func(r rune) rune { return 'f' - r%2 }, base[digits:digits+8])
	kept := []string{used, filepath.Join(parent, ".robots-old.tmp"), filepath.Join(parent, base[:len(base)-5]+"1.tmp"),
		filepath.Join(parent, base[:digits]+other+base[digits+8:])}
	for _, name := range append(kept[1:], left) {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range append(kept, left) {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	_, removeAgain, err := files.TemporaryFolder()
	if err != nil {
		t.Fatal(err)
	}
	removeAgain()
	for _, name := range kept {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(left); err == nil {
		t.Errorf("%s is still there", left)
	}
}
