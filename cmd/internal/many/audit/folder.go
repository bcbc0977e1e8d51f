package audit

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

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
	return &files.Search{Wanted: func(string) bool { return true }, What: "files", Exclude: f.config.Exclude}
}

// record returns the name of a file in the folder.
func (f *folder) record(name string) string {
	record, err := filepath.Rel(f.name, name)
	if err != nil {
		record = name
	}
	return filepath.ToSlash(record)
}

// isSite reports whether a file in the folder is a robots.txt by its name.
func (f *folder) isSite(name string) bool { return f.config.isSite(f.record(name)) }

func (f *folder) fileNames(yield func(string) bool) {
	for name, err := range f.search().Files(f.name) {
		if err == nil && f.isSite(name) && !yield(name) {
			return
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
		if !f.isSite(name) {
			continue
		}
		if err := r.file(f.record(name), opened(name)); err != nil {
			return err
		}
	}
	return cmp.Or(failed, r.failed)
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
	return r.failed
}

// reader reads bodies into a buffer, which it uses again for the next one.
type reader struct {
	config Config
	ended  func() error // returns an error once the reader's context has ended
	yield  func(*Input) error
	buffer []byte

	// About an archive of files.
	isAny   bool   // it has a site or an archive
	inside  string // the name of the entry that is read as an archive, before the names of its records
	stopped error  // of yield, or of the context
	failed  error  // the first error of an archive in an entry

	// About a web archive.
	number int                           // of the current record, or of the file that was yielded last
	others *otherNames                   // nil if only records with the name of a robots.txt are read
	reopen func() (io.ReadCloser, error) // opens the archive again, nil if that is not possible
	base   int64                         // the offset at which reading began
	place  skipped                       // of the current record

	filled, skipped int    // rows and lines, see errOtherPath
	statuses        bool   // a row has a status
	noStatus        string // the first text in its place
}

// newReader returns a reader that ends with ctx.
func newReader(ctx context.Context, config Config, yield func(*Input) error) *reader {
	r := &reader{config: config, ended: ctx.Err}
	r.yield = func(in *Input) error {
		in.Record = r.inside + in.Record
		if in.number == 0 {
			r.number++
			in.number = r.number
		}
		r.stopped = ctx.Err()
		if r.stopped == nil {
			r.stopped = yield(in)
		}
		return r.stopped
	}
	return r
}

// held reads the beginning of a file, a byte more than the limit.
func (r *reader) held(from io.Reader) (held []byte, err error) {
	if r.buffer == nil {
		r.buffer = make([]byte, r.config.limit()+1)
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
	return r.buffer[:n], err
}

func opened(name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return regular.Open(name) }
}

// file yields a file that is a robots.txt by its name, with a problem if it cannot be opened or read.
func (r *reader) file(record string, open func() (io.ReadCloser, error)) error {
	file, err := open()
	if err != nil {
		return r.read(&Input{Record: record, Host: r.config.hostOf(record)}, err)
	}
	defer file.Close()
	return r.site(record, file, false)
}

// site yields a file that is a robots.txt by its name. The time of the fetch is unknown: it can differ from the time of
// the file's last change. An early end of a tar archive is one of all its entries.
func (r *reader) site(record string, from io.Reader, inTar bool) error {
	r.isAny = true
	held, err := r.held(from)
	if inTar && errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	limit := r.config.limit()
	in := Input{Record: record, Host: r.config.hostOf(record), Cut: len(held) > limit}
	in.Body = held[:min(len(held), limit)]
	return r.read(&in, err)
}

// entry yields the files in an entry of an archive whose name is not a site, but which is an archive itself; others are
// skipped, and so are entries of archives in archives. open opens the entry again; nil means that it can be read only
// once.
func (r *reader) entry(record string, from io.Reader, open func() (io.ReadCloser, error)) error {
	if r.inside == "" && !isPartial(record) {
		data, form := sniff(bufio.NewReaderSize(from, 64<<10))
		if form == formFile && formOf(record) == formLines {
			form = formLines
		}
		switch form {
		case formWARC, formTar, formLines, formARC:
			return r.archiveIn(record, data, open, form)
		}
	}
	r.config.skipped.add(record)
	return r.ended()
}

// archiveIn yields the files of an archive in an entry. Its error, which is kept, does not end the reading of other
// entries.
func (r *reader) archiveIn(record string, data io.Reader, open func() (io.ReadCloser, error), form form) error {
	r.isAny = true
	r.inside = record + " "
	r.others, r.reopen = newOtherNames(), open
	err := r.archive(data, form)
	r.inside, r.others, r.reopen = "", nil, nil
	if err != nil && r.stopped == nil {
		r.failed = cmp.Or(r.failed, term.Prefixed(term.Escape(record)+": ", err))
		return nil
	}
	return err
}

// errNoSites is the error for a folder or an archive in which nothing can be counted.
var errNoSites = term.Errorf("it has neither an archive that robots reads nor a file named after a host").Hint("name files after their hosts, such as shop.example.txt, or give their hosts with --host-names")

// entriesEnd returns the error of a zip or tar archive that has been read to its end.
func (r *reader) entriesEnd() error {
	if r.failed == nil && !r.isAny {
		return errNoSites
	}
	return r.failed
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
	isWACZ := slices.ContainsFunc(archive.File, isOfWACZ) &&
		slices.ContainsFunc(archive.File, func(entry *zip.File) bool { return entry.Name == "datapackage.json" })
	for _, entry := range archive.File {
		z.read.Add(1)
		if !entry.Mode().IsRegular() || r.config.isHidden(entry.Name) || isWACZ && !isOfWACZ(entry) {
			continue
		}
		if err := r.zipEntry(entry); err != nil {
			return err
		}
	}
	return r.entriesEnd()
}

// isOfWACZ reports whether an entry is a web archive in a WACZ, whose other entries, such as datapackage.json, describe
// those. [WACZ 1.1.1, 5.2]
func isOfWACZ(entry *zip.File) bool {
	return path.Dir(entry.Name) == "archive" && formOf(entry.Name) == formWARC
}

func (r *reader) zipEntry(entry *zip.File) error {
	if r.config.isSite(entry.Name) {
		return r.file(entry.Name, entry.Open)
	}
	file, err := entry.Open()
	if err != nil {
		r.failed = cmp.Or(r.failed, term.Prefixed(term.Escape(entry.Name)+": ", err))
		return nil
	}
	defer file.Close()
	return r.entry(entry.Name, file, entry.Open)
}
