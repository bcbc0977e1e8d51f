//go:build unix

package regular_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kosterhq/robotstxt/internal/regular"
)

// TestPipe: a pipe without a writer is an error at once.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skipf("NOT TESTED: no pipes: %v", err)
	}
	if file, err := regular.Open(name); !errors.Is(err, regular.ErrIrregular) {
		t.Errorf("%v, %v", file, err)
	}
}
