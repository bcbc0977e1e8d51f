package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

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
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	if _, err := files.Temporary("robots-*"); err == nil || !strings.Contains(err.Error(), missing) ||
		!strings.Contains(term.HintOf(err), "TMPDIR") {
		t.Errorf("the error is %v, with the hint %q", err, term.HintOf(err))
	}
}
