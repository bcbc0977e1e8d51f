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

	"github.com/klauspost/compress/gzip"

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
	}
	r := newReader(ctx, a.config, yield)
	r.others = newOtherNames()
	if a.stdin == nil {
		r.reopen = opened(a.name)
	}
	return r.archive(data, a.form)
}

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
	if form == formWARC {
		return r.warc(stored) // package warc decompresses it, to continue after damage
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

// unzipped returns the data of an archive that can be compressed with gzip.
func unzipped(stored *bufio.Reader) (*bufio.Reader, error) {
	if begin, _ := stored.Peek(2); !bytes.Equal(begin, []byte{0x1f, 0x8b}) {
		return stored, nil
	}
	unzip, err := gzip.NewReader(stored)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(unzip, 64<<10), nil
}

// formOfData returns the form of an archive, which its first bytes show. The mark of tar
// is in its first block. [POSIX.1, ustar interchange format]
func formOfData(stored *bufio.Reader) (form, error) {
	begin, _ := stored.Peek(8 << 10)
	if warc.IsZstd(begin) {
		return formWARC, nil
	}
	text, err := unzipped(bufio.NewReader(bytes.NewReader(begin)))
	if err != nil {
		return 0, err
	}
	begin, _ = text.Peek(512)
	switch {
	case bytes.HasPrefix(begin, []byte("WARC/")):
		return formWARC, nil
	case len(begin) == 512 && string(begin[257:262]) == "ustar":
		return formTar, nil
	case bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n\ufeff"), []byte("{")), len(begin) == 0:
		return formLines, nil
	}
	return 0, errors.New("this is not a WARC, tar or NDJSON archive")
}

func (r *reader) tar(text io.Reader) error {
	end := &zeroCounter{Reader: text}
	archive := tar.NewReader(end)
	for {
		entry, err := archive.Next()
		switch {
		case err == io.EOF && end.zeros < tarBlock:
			return errNoMark
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF): // even a gzip error
			return err
		case err != nil:
			return fmt.Errorf("the rest of the archive cannot be read: %w", err)
		case entry.Typeflag != tar.TypeReg:
			continue
		}
		in := Input{Record: entry.Name, Host: r.config.hostOf(entry.Name)}
		in.Body, in.Cut, err = r.body(archive)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		if err := r.read(&in, err); err != nil {
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

func (r *reader) warc(data io.Reader) error {
	archive := warc.NewReader(data, r.warcConfig())
	r.number = 0
	err := r.records(archive, r.record, func(damage *warc.DamageError) error {
		in := Input{Record: offset(damage.Offset), Problem: Damaged, Detail: damage.Err.Error(), number: r.number}
		return r.yield(&in)
	})
	if err == nil || errors.As(err, new(*warc.EndError)) {
		err = cmp.Or(r.otherRecords(archive), err)
	}
	return err
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
