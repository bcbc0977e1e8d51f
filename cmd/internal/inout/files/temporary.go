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

// TemporaryFolder is [Temporary] for a folder that only the user can read. Its name is absolute, so that a program
// that runs in a different folder finds it. remove removes it. If the process is killed, the next call does.
func TemporaryFolder() (name string, remove func(), err error) {
	parent, err := filepath.Abs(os.TempDir())
	if err == nil {
		name, remove, err = temporaryFolder(parent + string(filepath.Separator))
	}
	if err != nil {
		return "", nil, noTemporary("folder", err)
	}
	return name, remove, nil
}

func noTemporary(what string, err error) error {
	return term.Errorf("cannot create a temporary %s in %q: %v", what, os.TempDir(), term.Cause(err)).
		Hint("set the environment variable TMPDIR to a folder that robots can write")
}
