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
				return io.NopCloser(io.NewSectionReader(file, 0, info.Size())), nil
			}
		}
	}
	return r.archive(data, a.form)
}

// ReadWARC calls yield for each file in a web archive.
func ReadWARC(data io.Reader, config Config, yield func(*Input) error) error {
	stored, _ := sniff(bufio.NewReaderSize(data, 64<<10))
	return newReader(context.Background(), config, yield).warc(stored)
}

// archive yields the files in a WARC, tar or NDJSON archive. Its content decides which one it is, else named, the form
// that its name shows.
func (r *reader) archive(data io.Reader, named form) error {
	stored := bufio.NewReaderSize(data, 64<<10)
	if _, err := stored.Peek(1); err == io.EOF {
		return errEmpty
	}
	stored, form := sniff(stored)
	switch cmp.Or(form, named) {
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
	case cmp.Or(form, named) == formTar:
		return r.tar(text)
	case form == formFile && (named != formFile || isObject(text)):
		return r.lines(text)
	}
	return errors.New("this is not a WARC, tar or NDJSON archive")
}

// isObject reports whether a text begins with a JSON object.
func isObject(text *bufio.Reader) bool {
	begin, _ := text.Peek(sniffed)
	return bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n\ufeff"), []byte("{"))
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
			return r.entriesEnd()
		case errors.Is(err, io.ErrUnexpectedEOF): // even a gzip error
			return err
		case err != nil:
			return fmt.Errorf("the rest of the archive cannot be read: %w", err)
		case entry.Typeflag != tar.TypeReg || r.config.isHidden(entry.Name):
			continue
		}
		if r.config.isSite(entry.Name) {
			err = r.site(entry.Name, archive, true)
		} else {
			err = r.entry(entry.Name, archive, nil)
		}
		if err != nil {
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

// warc yields the files in a web archive, which package warc decompresses to continue after damage.
func (r *reader) warc(stored *bufio.Reader) error {
	r.base = 0
	err := r.records(r.newArchive(stored), func(damage *warc.DamageError) error {
		in := Input{Record: offset(damage.Offset), Problem: Damaged, Detail: damage.Err.Error(), number: r.number}
		return r.yield(&in)
	})
	last := r.number
	if r.stopped == nil {
		err = cmp.Or(r.otherRecords(), err)
	}
	r.number = last
	return err
}

func (r *reader) newArchive(stored io.Reader) *warc.Reader {
	return warc.NewReader(stored, warc.Config{Block: r.config.limit() + responseHead})
}

// records yields the files in the records of a web archive, and calls damaged for each damaged place.
func (r *reader) records(archive *warc.Reader, damaged func(*warc.DamageError) error) error {
	r.place.from = -1
	for {
		r.stopped = r.ended() // no record might be of a robots.txt
		if r.stopped != nil {
			return r.stopped
		}
		r.number++
		record, err := archive.Next()
		from, to := archive.Stored()
		if from != r.place.from {
			r.place.first = r.number - 1
		}
		r.place.from, r.place.to = from, to
		var damage *warc.DamageError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &damage):
			err = damaged(damage)
		case err == nil:
			record.Offset += r.base
			err = r.record(&record)
		}
		if err != nil {
			return err
		}
	}
}

// responseHead is the number of bytes of a block that are read in addition to the body.
const responseHead = 64 << 10
