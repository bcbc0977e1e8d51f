package audit

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
)

type archive struct {
	name   string
	form   form
	config Config
	stdin  io.Reader // nil for a file
	meter  meter
}

func (a *archive) share() float64 {
	if a.stdin != nil {
		return -1
	}
	return a.meter.share()
}

func (a *archive) Name() string { return a.name }

func (a *archive) Files(ctx context.Context, yield func(*Input) error) error {
	r := newReader(ctx, a.config, yield)
	r.others = newOtherNames()
	data := a.stdin
	if data == nil {
		file, err := os.Open(a.name)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		a.meter.all.Store(info.Size())
		data = meteredReader{file, &a.meter}
		if info.Mode().IsRegular() {
			r.reopen = func() (io.ReadCloser, error) {
				return section{io.NewSectionReader(file, 0, info.Size())}, nil
			}
		}
	}
	return r.archive(data, a.form)
}

// section is a file that is read again while it is open.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// ReadWARC calls yield for each file in a web archive.
func ReadWARC(data io.Reader, config Config, yield func(*Input) error) error {
	return newReader(context.Background(), config, yield).archive(data, formWARC)
}

// archive yields the files in a WARC, tar or NDJSON archive, which can be compressed with
// gzip. Its first bytes show which one it is if the form is formFile.
func (r *reader) archive(data io.Reader, form form) error {
	stored := bufio.NewReaderSize(data, 64<<10)
	if _, err := stored.Peek(1); err == io.EOF {
		return errEmpty
	}
	if form == formFile {
		var err error
		form, err = formOfData(stored)
		if err != nil {
			return err
		}
	}
	switch form {
	case formWARC:
		return r.warc(stored)
	case formARC:
		return errARC
	}
	text, err := unzipped(stored)
	if err == nil {
		_, err = text.Peek(1)
	}
	switch {
	case err == io.EOF: // gzip of nothing, or a part of its head
		return errEmpty
	case err != nil:
		return err
	case form == formTar:
		return r.tar(text)
	}
	return r.lines(text)
}

// formOfData returns the form of an archive, which its first bytes show.
func formOfData(stored *bufio.Reader) (form, error) {
	begin, _ := stored.Peek(sniffStored)
	switch form := formIn(begin); form {
	case formARC:
		return 0, errARC
	case formWARC, formTar:
		return form, nil
	}
	text, err := unzipped(bufio.NewReader(bytes.NewReader(begin)))
	if err != nil {
		return 0, err
	}
	begin, _ = text.Peek(sniffed)
	if text := bytes.TrimLeft(begin, " \t\r\n\ufeff"); len(begin) == 0 || bytes.HasPrefix(text, []byte("{")) {
		return formLines, nil
	}
	return 0, errors.New("this is not a WARC, tar or NDJSON archive")
}

func (r *reader) tar(text io.Reader) error {
	before := r.files
	end := &zeroCounter{Reader: text}
	archive := tar.NewReader(end)
	for {
		entry, err := archive.Next()
		switch {
		case err == io.EOF && end.zeros < tarBlock:
			return errNoMark
		case err == io.EOF:
			return r.entriesEnd(before)
		case errors.Is(err, io.ErrUnexpectedEOF): // even a gzip error
			return err
		case err != nil:
			return fmt.Errorf("the rest of the archive cannot be read: %w", err)
		case entry.Typeflag != tar.TypeReg:
			continue
		}
		if err := r.entry(entry.Name, archive, nil, r.config.isSite(entry.Name)); err != nil {
			return err
		}
	}
}

// tarBlock is the size of a block of tar, in bytes. Two blocks of zeros end an archive; some
// programs write one. [POSIX.1, ustar interchange format]
const tarBlock = 512

// zeroCounter counts the zeros that were read last.
type zeroCounter struct {
	io.Reader
	zeros int
}

func (c *zeroCounter) Read(to []byte) (int, error) {
	n, err := c.Reader.Read(to)
	if rest := bytes.TrimRight(to[:n], "\x00"); len(rest) > 0 {
		c.zeros = n - len(rest)
	} else {
		c.zeros += n
	}
	return n, err
}

// warc yields the files in a web archive. Package warc decompresses it, to continue after damage, but not bzip2.
func (r *reader) warc(stored *bufio.Reader) error {
	begin, _ := stored.Peek(10)
	if isBzip2(begin) {
		var err error
		stored, err = unzipped(stored)
		if err != nil {
			return err
		}
		r.reopen = unzippedAgain(r.reopen)
	}
	archive := warc.NewReader(stored, r.warcConfig())
	r.first = r.number
	err := r.records(archive, r.record, func(damage *warc.DamageError) error {
		in := Input{Record: offset(damage.Offset), Problem: Damaged, Detail: damage.Err.Error(), number: r.number}
		return r.yield(&in)
	})
	last := r.number
	if err == nil || errors.As(err, new(*warc.EndError)) {
		err = cmp.Or(r.otherRecords(archive), err)
	}
	r.number = last
	return err
}

// unzippedAgain returns a function that opens data without their compression.
func unzippedAgain(open func() (io.ReadCloser, error)) func() (io.ReadCloser, error) {
	if open == nil {
		return nil
	}
	return func() (io.ReadCloser, error) {
		stored, err := open()
		if err != nil {
			return nil, err
		}
		text, err := unzipped(bufio.NewReaderSize(stored, 64<<10))
		return struct {
			io.Reader
			io.Closer
		}{text, stored}, err
	}
}

func (r *reader) warcConfig() warc.Config { return warc.Config{Block: r.config.limit() + responseHead} }

// records calls yield for each record of a web archive, and damaged for each damaged place.
func (r *reader) records(archive *warc.Reader, yield func(*warc.Record) error,
	damaged func(*warc.DamageError) error) error {
	for {
		r.number++
		record, err := archive.Next()
		var damage *warc.DamageError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &damage):
			err = damaged(damage)
		case err == nil:
			err = yield(&record)
		}
		if err != nil {
			return err
		}
	}
}

// responseHead is the number of bytes of a block that are read in addition to the body.
const responseHead = 64 << 10
