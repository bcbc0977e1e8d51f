package files

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// ConvertError is the error for a file in a form that another program converts.
type ConvertError struct {
	What    string // the form
	Command string // the program that writes the text to standard output, to which the file's name is added
}

// Error names the form.
func (e *ConvertError) Error() string { return "it is " + e.What }

// convertErrorOf returns the error for a file that begins so, nil if it can be read.
func convertErrorOf(begin []byte) error {
	for _, form := range []struct {
		magic string
		err   *ConvertError
	}{
		{"\xfd7zXZ\x00", &ConvertError{"compressed with xz", "xz -dc"}},
		{"\xff\xfe", &ConvertError{"text in UTF-16", "iconv -f UTF-16 -t UTF-8"}},
		{"\xfe\xff", &ConvertError{"text in UTF-16", "iconv -f UTF-16 -t UTF-8"}},
	} {
		if bytes.HasPrefix(begin, []byte(form.magic)) {
			return form.err
		}
	}
	return nil
}

const zipMagic = "PK\x03\x04"

// unzip reads the files in a ZIP archive one after the other, in the order of the archive.
type unzip struct {
	from *bufio.Reader
	now  io.Reader // the text of the present file; nil between files
	flag uint16

	second error // for a second file, if not nil
	n      int   // of files so far
}

// ReadOneFile makes err the error for a second file, if text is a ZIP archive that Decompressed reads: if it has
// several logs, their lines can be the same.
func ReadOneFile(text io.Reader, err error) {
	if z, ok := text.(*unzip); ok {
		z.second = err
	}
}

// Entry is a file in a ZIP archive.
type Entry struct {
	Name string // several can have the same one
	Size int64  // without compression
	Open func() (io.ReadCloser, error)
}

// Entries returns the files in a ZIP archive, nil if the file is not an archive with a directory that can be read.
// Decompressed reads what an archive has that was cut.
func Entries(name string) (entries []Entry) {
	a := &archive{name: name, left: maxDirectory}
	if a.open() != nil {
		return nil
	}
	defer a.Close()
	begin := make([]byte, len(zipMagic)) // other files can end like an archive, but not begin so
	info, err := a.file.Stat()
	if _, failed := a.ReadAt(begin, 0); err != nil || failed != nil || string(begin) != zipMagic {
		return nil
	}
	z, err := zip.NewReader(a, info.Size())
	if err != nil {
		return nil
	}
	a.left = 0
	for _, f := range z.File {
		if !f.FileInfo().IsDir() {
			open := func() (io.ReadCloser, error) { return a.openFile(f) }
			entries = append(entries, Entry{f.Name, int64(f.UncompressedSize64), open})
		}
	}
	return entries
}

// maxDirectory bounds the directory of an archive in bytes. This suffices for some 200,000 files.
const maxDirectory = 16 << 20

// archive is a ZIP archive, which is open while one of its files is. Its directory is read once.
type archive struct {
	name string
	left int64 // bytes that can be read of the directory, 0 after that

	mu    sync.Mutex
	file  *os.File
	users int
}

func (a *archive) ReadAt(p []byte, at int64) (int, error) {
	if a.left > 0 {
		if int64(len(p)) >= a.left {
			return 0, zip.ErrFormat
		}
		a.left -= int64(len(p))
	}
	return a.file.ReadAt(p, at)
}

func (a *archive) open() (err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users == 0 {
		a.file, err = os.Open(a.name)
	}
	if err == nil {
		a.users++
	}
	return err
}

func (a *archive) Close() (err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users--; a.users == 0 {
		err = a.file.Close()
	}
	return err
}

func (a *archive) openFile(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errEncrypted
	}
	if err := a.open(); err != nil {
		return nil, err
	}
	text, err := f.Open()
	if err != nil {
		a.Close()
		if err == zip.ErrAlgorithm {
			err = errMethod(f.Method)
		}
		return nil, err
	}
	return &openedEntry{text, a}, nil
}

var errEncrypted = errors.New("the archive is encrypted")

func errMethod(method uint16) error {
	return fmt.Errorf("the archive has a file in the unknown method %d", method)
}

type openedEntry struct {
	io.ReadCloser
	archive io.Closer
}

func (e *openedEntry) Close() error { return errors.Join(e.ReadCloser.Close(), e.archive.Close()) }

func (z *unzip) Read(p []byte) (int, error) {
	for {
		if z.now == nil {
			if err := z.next(); err != nil {
				return 0, err
			}
		}
		n, err := z.now.Read(p)
		if err == io.EOF {
			err = z.end()
			z.now = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next reads the header of a file. [APPNOTE.TXT 4.3.7]
func (z *unzip) next() error {
	const size = 30
	begin, err := z.from.Peek(4)
	if err != nil || string(begin) != zipMagic {
		if len(begin) < 4 {
			return io.ErrUnexpectedEOF
		}
		return io.EOF // the directory
	}
	var header [size]byte
	if _, err := io.ReadFull(z.from, header[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	z.n++
	if z.n > 1 && z.second != nil {
		return z.second
	}
	z.flag = binary.LittleEndian.Uint16(header[6:])
	method := binary.LittleEndian.Uint16(header[8:])
	packed := binary.LittleEndian.Uint32(header[18:])
	rest := int(binary.LittleEndian.Uint16(header[26:])) + int(binary.LittleEndian.Uint16(header[28:]))
	if _, err := z.from.Discard(rest); err != nil {
		return io.ErrUnexpectedEOF
	}
	switch {
	case z.flag&1 != 0:
		return errEncrypted
	case method == 8:
		z.now = flate.NewReader(z.from) // reads no byte after its end, because from is a ByteReader
	case method == 0 && z.flag&8 == 0 && packed != 1<<32-1:
		z.now = &exactly{z.from, int64(packed)}
	default:
		return errMethod(method)
	}
	return nil
}

// end skips the data descriptor after a file. [APPNOTE.TXT 4.3.9]
func (z *unzip) end() error {
	if z.flag&8 == 0 {
		return nil
	}
	size := 12
	if begin, _ := z.from.Peek(4); string(begin) == "PK\x07\x08" {
		size = 16
	}
	// A large archive has sizes of 8 bytes: then no header follows a short descriptor.
	if begin, _ := z.from.Peek(size + 4); len(begin) == size+4 && begin[size] != 'P' {
		size += 8
	}
	if _, err := z.from.Discard(size); err != nil {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// exactly reads a number of bytes, and reports a file that ends before.
type exactly struct {
	from io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.from.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if err == io.EOF && e.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
