package download

import (
	"io"
	"os"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
)

// maxKept bounds the copy of a file in bytes.
const maxKept = 256 << 20

// copied is a copy of a file that was read.
type copied struct {
	file *files.TemporaryFile
	size int64
}

// keep adds bytes to the copy. A file that is too long, or for which there is no space, has none.
func (f *File) keep(p []byte) {
	if f.kept == nil {
		file, err := files.Temporary("robots-download-*")
		if err != nil {
			f.keeps = false
			return
		}
		_ = os.Remove(file.Name()) // where an open file can be removed: a killed process then leaves nothing
		f.kept = &copied{file: file}
	}
	n, err := f.kept.file.Write(p)
	f.kept.size += int64(n)
	if err != nil || f.kept.size > f.client.Keep {
		f.keeps = false
		f.Close()
	}
}

func (c *copied) reader() io.ReadCloser { return io.NopCloser(io.NewSectionReader(c.file, 0, c.size)) }

func (c *copied) remove() {
	c.file.Close()
	_ = os.Remove(c.file.Name())
}
