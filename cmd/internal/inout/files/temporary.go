package files

import (
	"os"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Temporary creates a file in the system's folder for temporary files, with a name from pattern as
// in [os.CreateTemp]. The caller removes it. The error names the folder and has a hint.
func Temporary(pattern string) (*os.File, error) {
	file, err := os.CreateTemp("", pattern)
	if err != nil {
		return nil, term.Errorf("cannot create a temporary file in %q: %v", os.TempDir(), term.Cause(err)).
			Hint("set the environment variable TMPDIR to a folder that robots can write")
	}
	return file, nil
}
