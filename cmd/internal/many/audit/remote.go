package audit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/download"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// IsURL reports whether the name of an input is a URL, of any scheme.
func IsURL(name string) bool { return strings.Contains(name, "://") }

// URLs returns the URLs that arguments of [Open] name.
func URLs(arguments ...string) (urls []string) {
	for _, argument := range arguments {
		if _, name := labelled(argument); IsURL(name) {
			urls = append(urls, name)
		}
	}
	return urls
}

// remote is an archive, a table or a robots.txt at a URL. WARC, tar, CSV and JSON lines are read as they
// come. zip and Parquet are copied to a temporary file first, because their readers start at the end.
type remote struct {
	name   string // the URL without user name and password
	base   string // the end of its path
	file   *download.File
	config Config

	earlier *wire.AuditDigest // of a run that this one continues
}

// url adds the input at a URL.
func (o *opener) url(text string) error {
	typed := origin.Text(text)
	shown := typed.Given()
	parsed, err := url.Parse(typed.String())
	switch {
	case err != nil || parsed.Scheme != "http" && parsed.Scheme != "https":
		return term.Errorf("%q has no scheme that audits read", shown).Hint("give an http or https URL; objects of gs:// and s3:// have public or signed ones")
	case o.config.Download == nil:
		return term.Errorf("%q is a URL, but only files are read here", shown).Hint("download it first")
	}
	base := path.Base(parsed.Path)
	switch {
	case base == "robots.txt":
		return term.Errorf("%q is the robots.txt of one site", shown).Hint("list such sites in a file, and give it to --hosts")
	case isPaths(base):
		return term.Errorf("%q is a list of archives, not an archive", shown).Hint("give it to --inputs, and the URL before its names to --inputs-base")
	}
	o.add(&remote{name: shown, base: base, file: o.config.Download.File(text, true), config: o.config})
	return nil
}

func (u *remote) Name() string { return u.name }

func (u *remote) share() float64 { return u.file.Share() }

// Files reads the file to its end, which shows that it is complete.
func (u *remote) Files(ctx context.Context, yield func(*Input) error) (err error) {
	defer u.file.Close()
	body := u.file.Open(ctx)
	defer func() { body.Close() }()
	r := newReader(ctx, u.config, yield)
	r.others = newOtherNames()
	r.reopen = func() (io.ReadCloser, error) {
		body.Close() // which frees its connection
		body = u.file.Open(ctx)
		return io.NopCloser(body), nil
	}
	err = u.read(ctx, r, body, yield)
	if failed := new(download.Error); r.stopped == nil && errors.As(body.Err(), &failed) {
		return failed // which another error follows from
	}
	if err == nil {
		_, err = io.CopyN(io.Discard, body, max(maxTail, u.file.Read())) // a second reader has read a part
		if err == io.EOF {
			err = nil
		}
	}
	return err
}

func (u *remote) read(ctx context.Context, r *reader, body io.Reader, yield func(*Input) error) error {
	if u.config.isSite(u.base) {
		text, err := io.ReadAll(io.LimitReader(body, int64(u.config.limit())+1))
		if err != nil {
			return err
		}
		return r.site(u.base, bytes.NewReader(text), false)
	}
	stored := bufio.NewReaderSize(body, 64<<10)
	if _, err := stored.Peek(1); err != nil && err != io.EOF {
		return err
	}
	stored, form := sniff(stored)
	switch form = cmp.Or(form, formOf(u.base)); form {
	case formZip, formParquet:
		return u.copied(ctx, stored, form, yield)
	case formCSV:
		rows, err := u.config.csvRows(u.base, stored)
		if err != nil {
			return err
		}
		columns, err := u.config.csvColumns(u.name, rows)
		if err != nil {
			return err
		}
		return r.csv(rows, columns)
	case formFile:
		return term.Errorf("it is neither an archive nor named after a host").Hint("the end of the URL's path can show what it is")
	}
	return r.archive(stored, form)
}

// maxCopied bounds the copy of a file whose reader cannot read it as it comes.
const maxCopied = 64 << 30

// copied yields the files of an input whose form needs a file.
func (u *remote) copied(ctx context.Context, data io.Reader, form form, yield func(*Input) error) (err error) {
	folder, remove, err := files.TemporaryFolder()
	if err != nil {
		return err
	}
	defer remove()
	file := filepath.Join(folder, "copy")
	err = files.Write(file, func(to io.Writer) error {
		n, err := io.Copy(to, io.LimitReader(data, maxCopied))
		if err == nil && n == maxCopied {
			err = errors.New("it is too long to be copied")
		}
		return err
	})
	if err != nil {
		return err
	}
	named := func(text string) string { return strings.ReplaceAll(text, file, u.name) }
	var in Inputs
	opener := opener{&in, "", u.config}
	if note := u.config.Note; note != nil {
		opener.config.Note = func(text string) { note(named(text)) }
	}
	if err = opener.archive(file, form); err == nil && len(in.Tables) > 0 {
		err = term.Errorf("this is a table of an audit").Hint("download it, and count the copy")
	}
	if err == nil {
		err = in.Sources[0].Files(ctx, yield)
	}
	if err != nil && strings.Contains(err.Error(), file) {
		return term.Errorf("%s", named(err.Error())).Hint(term.HintOf(err))
	}
	return err
}

// digest returns the digest of a file that was read to its end, by this run or by the one that it continues.
func (u *remote) digest() wire.AuditDigest {
	if bytes, sum, etag, ok := u.file.Digest(); ok {
		return wire.AuditDigest{Name: u.name, Bytes: bytes, SHA256: sum, ETag: etag}
	}
	if u.earlier != nil {
		return *u.earlier
	}
	return wire.AuditDigest{Name: u.name}
}
