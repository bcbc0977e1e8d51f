package files_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
)

// TestWriteFolder: a folder appears complete or not at all, and replaces nothing.
func TestWriteFolder(t *testing.T) {
	parent := t.TempDir()
	name := filepath.Join(parent, "evidence") + string(filepath.Separator)
	fill := func(_ context.Context, folder string) error {
		if _, err := os.Lstat(name); err == nil {
			t.Error("the folder is there before it is complete")
		}
		return files.Write(filepath.Join(folder, "a.txt"), func(to io.Writer) error {
			_, err := io.WriteString(to, "a")
			return err
		})
	}
	failure := errors.New("failure")
	err := files.WriteFolder(t.Context(), name, func(ctx context.Context, folder string) error {
		return errors.Join(fill(ctx, folder), failure)
	})
	if !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := files.WriteFolder(ended, name, fill); !errors.Is(err, files.ErrInterrupted) {
		t.Errorf("interrupted, the error is %v", err)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("after failures the folder has %v, %v", left, err)
	}
	if err := files.WriteFolder(t.Context(), name, fill); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(name, "a.txt")); err != nil || string(text) != "a" {
		t.Errorf("%q, %v", text, err)
	}
	err = files.WriteFolder(t.Context(), filepath.Clean(name), fill)
	if err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("for a folder that exists, the error is %v", err)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) != 1 {
		t.Errorf("at the end the folder has %v, %v", left, err)
	}
}
