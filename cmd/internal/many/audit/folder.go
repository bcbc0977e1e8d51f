package audit

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/regular"
)

// folder is the files of a folder that are not archives.
type folder struct {
	name   string
	config Config
}

func (f *folder) Name() string { return f.name }

func (f *folder) search() *files.Search {
	return &files.Search{Wanted: func(base string) bool { return formOf(base) == formFile }, What: "files",
		Exclude: f.config.Exclude}
}

func (f *folder) hasFiles() bool {
	for _, err := range f.search().Files(f.name) {
		return err == nil
	}
	return false
}

func (f *folder) fileNames(yield func(string) bool) {
	for name, err := range f.search().Files(f.name) {
		if err == nil && !yield(name) {
			return
		}
	}
}

// notHosts are file names that are unlikely to be hosts.
var notHosts = []string{"README", "README.md", "README.txt", "LICENSE", "LICENSE.md", "LICENSE.txt"}

// noteNoHosts prints a note about files that are read as robots.txt files, but are probably
// none.
func (f *folder) noteNoHosts() {
	search := f.search()
	for _, name := range notHosts {
		full := filepath.Join(f.name, name)
		if f.config.Note == nil || search.Excludes(name) || search.Excludes(full) {
			continue
		}
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
			f.config.Note(fmt.Sprintf("%s is counted as the robots.txt of the host %s; --exclude %s omits it", term.Source(full), f.config.hostOf(name), name))
		}
	}
}

func (f *folder) Files(ctx context.Context, yield func(*Input) error) error {
	r := newReader(ctx, f.config, yield)
	var failed error // an error of a subfolder, after which the others are read
	for name, err := range f.search().Files(f.name) {
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		record, err := filepath.Rel(f.name, name)
		if err != nil {
			record = name
		}
		if err := r.file(filepath.ToSlash(record), opened(name)); err != nil {
			return err
		}
	}
	return failed
}

type list struct {
	name   string
	files  []string
	config Config
	meter
}

func (l *list) Name() string { return l.name }

func (l *list) Files(ctx context.Context, yield func(*Input) error) error {
	r := newReader(ctx, l.config, yield)
	l.all.Store(int64(len(l.files)))
	for _, name := range l.files {
		l.read.Add(1)
		if err := r.file(filepath.ToSlash(name), opened(name)); err != nil {
			return err
		}
	}
	return nil
}

// reader reads bodies into a buffer, which it uses again for the next one.
type reader struct {
	config Config
	ended  func() error // returns an error once the reader's context has ended
	yield  func(*Input) error
	buffer []byte

	// About a web archive.
	number int                           // of the current record
	others *otherNames                   // nil if only records with the name of a robots.txt are read
	reopen func() (io.ReadCloser, error) // opens the archive again, nil if that is not possible

	filled, skipped int    // rows and lines, see errOtherPath
	statuses        bool   // a row has a status
	noStatus        string // the first text in its place
}

// newReader returns a reader that ends with ctx.
func newReader(ctx context.Context, config Config, yield func(*Input) error) *reader {
	return &reader{config: config, ended: ctx.Err, yield: func(in *Input) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return yield(in)
	}}
}

func (r *reader) body(from io.Reader) (body []byte, cut bool, err error) {
	limit := r.config.limit()
	if r.buffer == nil {
		r.buffer = make([]byte, limit+1)
	}
	n := 0
	for n < len(r.buffer) && err == nil { // not io.ReadFull, whose error would hide that an archive ends early
		var more int
		more, err = from.Read(r.buffer[n:])
		n += more
	}
	if err == io.EOF {
		err = nil
	}
	return r.buffer[:min(n, limit)], n > limit, err
}

func opened(name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return regular.Open(name) }
}

// file yields a file, with a problem if it cannot be opened or read. The time of the fetch is
// unknown: it can differ from the time of the file's last change.
func (r *reader) file(record string, open func() (io.ReadCloser, error)) error {
	in := Input{Record: record, Host: r.config.hostOf(record)}
	file, err := open()
	if err == nil {
		in.Body, in.Cut, err = r.body(file)
		file.Close()
	}
	return r.read(&in, err)
}

// read yields a file, with a problem if reading it has failed.
func (r *reader) read(in *Input, err error) error {
	if err != nil {
		in.Body, in.Problem, in.Detail = nil, Damaged, pathless(err)
	}
	return r.yield(in)
}

// pathless returns the text of an error without the path of the file, because the row has it.
func pathless(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return term.Reason(err)
}

// zipFile is a zip archive. Its table of contents is at its end, so it cannot be read
// from stdin.
type zipFile struct {
	name   string
	config Config
	meter
}

func (z *zipFile) Name() string { return z.name }

func (z *zipFile) Files(ctx context.Context, yield func(*Input) error) error {
	archive, err := zip.OpenReader(z.name)
	if err != nil {
		return earlyEnd(z.name, formZip, err)
	}
	defer archive.Close()
	r := newReader(ctx, z.config, yield)
	z.all.Store(int64(len(archive.File)))
	for _, entry := range archive.File {
		z.read.Add(1)
		if !entry.Mode().IsRegular() {
			continue
		}
		if err := r.file(entry.Name, entry.Open); err != nil {
			return err
		}
	}
	return nil
}
