package audit

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/download"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
)

// InputError is the error for an input that was not read to its end: it ends early, as after
// half a download; its compressed data are damaged, so that the rest cannot be found; or it
// cannot be read. It is worse than a damaged record, because the size of the missing part is
// unknown.
type InputError struct {
	Input string
	Files int // that were read before the error
	Err   error
}

func (e *InputError) Error() string {
	read := term.Count(e.Files, "file was read", "files were read")
	switch {
	case e.EndsEarly():
		return fmt.Sprintf("%s is not complete: %s; %v", term.Source(e.Input), read, e.Err)
	case e.Files > 0:
		return fmt.Sprintf("%s: %v; %s before", term.Source(e.Input), e.Err, read)
	}
	return fmt.Sprintf("%s: %v", term.Source(e.Input), e.Err)
}

// EndsEarly reports whether the input itself ends too early, so that the user should fetch it
// again.
func (e *InputError) EndsEarly() bool {
	return errors.As(e.Err, new(*endError)) || errors.As(e.Err, new(*warc.EndError)) || e.IsOfURL()
}

// IsOfURL reports whether the input is at a URL, and was not downloaded to its end.
func (e *InputError) IsOfURL() bool { return errors.As(e.Err, new(*download.Error)) }

func (e *InputError) Unwrap() error { return e.Err }

// endError is the error of an input that ends early. The InputError contains the position.
type endError struct{ text string }

func (e *endError) Error() string { return e.text }

var (
	errEmpty  = &endError{"it is empty"}
	errEarly  = &endError{"it ends early, as after half a download"}
	errNoMark = &endError{"it ends early: the blocks of zeros that end a tar archive are missing"}
)

// InJSON returns errors of inputs in their JSON form.
func InJSON(incomplete []*InputError) []wire.AuditInput {
	list := make([]wire.AuditInput, 0, len(incomplete))
	for _, e := range incomplete {
		list = append(list, wire.AuditInput{Input: e.Input, Files: e.Files, Error: e.Err.Error()})
	}
	return list
}

// Incomplete returns the InputError of an input of which some files were read before an error.
func Incomplete(input string, files int, err error) *InputError {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errEarly
	}
	return &InputError{input, files, err}
}

// unread is an input that cannot be opened, because it is not complete.
type unread struct {
	name string
	err  error
}

func (u *unread) Name() string { return u.name }

func (u *unread) Files(context.Context, func(*Input) error) error { return u.err }

// earlyEnd returns the error for a table, or an archive with its table of contents at the end,
// that cannot be opened: errEmpty or errEarly if that is the cause, else err.
func earlyEnd(name string, form form, err error) error {
	file, openErr := os.Open(name)
	if openErr != nil {
		return err
	}
	defer file.Close()
	info, statErr := file.Stat()
	var head, tail [4]byte
	n, _ := io.ReadFull(file, head[:])
	switch {
	case statErr != nil || !info.Mode().IsRegular():
		return err
	case n == 0:
		return errEmpty
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errEarly
	case form == formParquet && string(head[:]) == "PAR1":
		if _, err := file.ReadAt(tail[:], info.Size()-int64(len(tail))); err == nil &&
			(info.Size() < 12 || string(tail[:]) != "PAR1") {
			return errEarly
		}
	case form == formZip && string(head[:]) == "PK\x03\x04" && errors.Is(err, zip.ErrFormat):
		return errEarly
	}
	return err
}
