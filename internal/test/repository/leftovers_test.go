package repository

import (
	"path"
	"regexp"
	"testing"
)

// TestLeftovers: no test or run has left a store behind, and no flag's value has become a folder.
func TestLeftovers(t *testing.T) {
	t.Chdir(root)
	left := regexp.MustCompile(`\.db$|\.db-(wal|shm)$|\.db\.lock$|[^\w./+-]`)
	files := 0
	eachFile(t, ".", func(name string) error {
		files++
		if left.MatchString(name) {
			t.Errorf("%q is a leftover: remove it, and let what wrote it use a temporary folder", path.Clean(name))
		}
		return nil
	})
	if files < 1000 {
		t.Errorf("only %d files", files)
	}
}
