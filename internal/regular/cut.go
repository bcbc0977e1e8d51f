package regular

import (
	"fmt"
	"os"
)

// IsCut reports whether the last line of a regular file has no end, because a process was killed or the disk was
// full while it was written. A program that appends to the file should end that line first, so that its own line stands
// alone. A file that was opened only for writing, as a shell does for an output, is opened again if the system has a
// name for it (on Linux). IsCut is false for what cannot be read.
func IsCut(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], info.Size()-1)
	if err != nil {
		again, failed := os.Open(fmt.Sprintf("/dev/fd/%d", file.Fd()))
		if failed != nil {
			return false
		}
		defer again.Close()
		_, err = again.ReadAt(last[:], info.Size()-1)
	}
	return err == nil && last[0] != '\n'
}
