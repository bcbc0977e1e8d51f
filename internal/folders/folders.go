// Package folders makes folders.
package folders

import (
	"errors"
	"io/fs"
	"os"
)

// Make is [os.MkdirAll] in linear time. MkdirAll asks the system about the name and then about each name above it,
// whatever the answer: for a name of 100 KB, each question reads up to 100 KB.
func Make(name string, mode fs.FileMode) error {
	if _, err := os.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // such as one that is too long
	}
	return os.MkdirAll(name, mode)
}
