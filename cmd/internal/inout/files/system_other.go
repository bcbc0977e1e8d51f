//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: on these systems a file inherits its rights from its folder.
func keepOwner(*os.File, fs.FileInfo) {}

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt} }

// These systems have no names for open descriptors.

func isDescriptor(string) bool { return false }

func descriptor(string) (*os.File, error) { return nil, nil }
