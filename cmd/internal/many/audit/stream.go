package audit

import (
	"context"
	"errors"
	"io"
	"os"
	"path"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// object is an archive, a table or a robots.txt that is not a file here.
type object struct {
	name, record string
	open         func() (io.ReadCloser, error)
	config       Config
}

// Object returns the source of the files in data that open returns: an archive, a table of
// robots.txt files or, if the end of the name shows neither, one robots.txt, whose record is given.
// Web archives, tar and NDJSON are read as they come, and a web archive is opened again if a
// record precedes a redirect to it. zip archives, CSV and Parquet files are
// copied to a temporary file first, because their readers start at the end or read twice. A
// table of an audit is an error.
func Object(name, record string, open func() (io.ReadCloser, error), config Config) Source {
	return &object{name, record, open, config}
}

func (o *object) Name() string { return o.name }

func (o *object) Files(ctx context.Context, yield func(*Input) error) error {
	form := formOf(o.name)
	r := newReader(ctx, o.config, yield)
	r.others = newOtherNames()
	if form == formFile {
		return r.file(o.record, o.open)
	}
	data, err := o.open()
	if err != nil {
		return err
	}
	defer data.Close()
	switch form {
	case formZip, formCSV, formParquet:
		return o.copied(ctx, data, yield)
	}
	r.reopen = o.open
	return r.archive(data, form)
}

// copied yields the files of an object whose form needs a file.
func (o *object) copied(ctx context.Context, data io.Reader, yield func(*Input) error) (err error) {
	file, err := files.Temporary("robots-*-" + path.Base(o.name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	_, err = io.Copy(file, data)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	var in Inputs
	opener := opener{&in, "", o.config}
	if err := opener.archive(file.Name(), formOf(o.name)); err != nil {
		return err
	}
	if len(in.Tables) > 0 {
		return term.Errorf("this is a table of an audit, and has no robots.txt files").Hint("count tables with robots audit")
	}
	return in.Sources[0].Files(ctx, yield)
}
