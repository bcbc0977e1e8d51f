// Package regular reads files that a program finds, in a folder or because another file names them. Nobody has chosen
// them for what they are: a pipe would wait for ever for a writer, a device might never end, and standard input might
// belong to a different program. It also tells whether the last line of a regular file was cut off.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrIrregular is the error for a pipe, a device, a socket or a folder.
var ErrIrregular = errors.New("it is not a regular file")

// Open opens a file, or the file to which a link leads. It does not wait for a writer of a pipe.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name) // opening a device can have an effect
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	file, err := os.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	info, err = file.Stat()
	if err == nil && !info.Mode().IsRegular() { // replaced in the meantime
		err = &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Read returns the text of a file of at most limit bytes. A longer one is an error.
func Read(name string, limit int64) ([]byte, error) {
	file, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		text, err = nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it has over %d bytes", limit)}
	}
	return text, err
}
