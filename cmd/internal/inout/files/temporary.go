package files

import (
	"os"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// TemporaryFile is a file that Temporary created. An error of Write names the folder and has a hint.
type TemporaryFile struct{ file *os.File }

// Temporary creates a file in the system's folder for temporary files, with a name from pattern as
// in [os.CreateTemp]. The caller removes it. The error names the folder and has a hint.
func Temporary(pattern string) (*TemporaryFile, error) {
	file, err := os.CreateTemp("", pattern)
	if err != nil {
		return nil, noTemporary("create a temporary file", err)
	}
	return &TemporaryFile{file}, nil
}

// Name returns the name of the file.
func (f *TemporaryFile) Name() string { return f.file.Name() }

func (f *TemporaryFile) Write(text []byte) (int, error) {
	n, err := f.file.Write(text)
	if err != nil {
		err = noTemporary("write a temporary file", err)
	}
	return n, err
}

func (f *TemporaryFile) Read(into []byte) (int, error)             { return f.file.Read(into) }
func (f *TemporaryFile) ReadAt(into []byte, at int64) (int, error) { return f.file.ReadAt(into, at) }
func (f *TemporaryFile) Seek(offset int64, whence int) (int64, error) {
	return f.file.Seek(offset, whence)
}

// Close closes the file. It stays in the folder.
func (f *TemporaryFile) Close() error { return f.file.Close() }

// TemporaryFolder is [Temporary] for a folder that only the user can read. Its name is absolute, so that a program
// that runs in a different folder finds it. remove removes it. If the process is killed, the next call does.
func TemporaryFolder() (name string, remove func(), err error) {
	parent, err := filepath.Abs(os.TempDir())
	if err == nil {
		name, remove, err = temporaryFolder(parent + string(filepath.Separator))
	}
	if err != nil {
		return "", nil, noTemporary("create a temporary folder", err)
	}
	return name, remove, nil
}

func noTemporary(what string, err error) error {
	return term.Errorf("cannot %s in %q: %v", what, os.TempDir(), term.Cause(err)).
		Hint("set the environment variable TMPDIR to a folder that robots can write, and that has space")
}
