package files

import (
	"os"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Temporary creates a file in the system's folder for temporary files, with a name from pattern as
// in [os.CreateTemp]. The caller removes it. The error names the folder and has a hint.
func Temporary(pattern string) (*os.File, error) {
	file, err := os.CreateTemp("", pattern)
	if err != nil {
		return nil, noTemporary("file", err)
	}
	return file, nil
}

// TemporaryFolder is [Temporary] for a folder. Its name is absolute, so that a program that runs in a different folder
// finds it.
func TemporaryFolder(pattern string) (string, error) {
	folder, err := os.MkdirTemp("", pattern)
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return "", noTemporary("folder", err)
	}
	return folder, nil
}

func noTemporary(what string, err error) error {
	return term.Errorf("cannot create a temporary %s in %q: %v", what, os.TempDir(), term.Cause(err)).
		Hint("set the environment variable TMPDIR to a folder that robots can write")
}
