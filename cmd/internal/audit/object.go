package audit

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
)

// For programs that read inputs from other storage than files, and that distribute the work
// in another way than Run.

// object is a file in a storage, such as an archive in a bucket.
type object struct {
	name, record string
	open         func() (io.ReadCloser, error)
	config       Config
}

// Object returns the source of the files in an object of a storage: an archive, a table of
// robots.txt files or, if the end of the name shows neither, a robots.txt. The record is its
// place in the input then. zip archives, CSV and Parquet files are copied to a temporary
// file first.
func Object(name, record string, open func() (io.ReadCloser, error), config Config) Source {
	return &object{name, record, open, config}
}

// IsArchive reports whether the name of a file is that of an archive or a table.
func IsArchive(name string) bool { return formOf(name) != formFile }

func (o *object) Name() string { return o.name }

func (o *object) Files(ctx context.Context, yield func(*Input) error) error {
	form, r := formOf(o.name), newReader(ctx, o.config, yield)
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
	return r.archive(data, form)
}

// copied yields the files of an object whose form needs a file.
func (o *object) copied(ctx context.Context, data io.Reader, yield func(*Input) error) (err error) {
	file, err := os.CreateTemp("", "robots-*-"+path.Base(o.name))
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
	if err := opener.archive(file.Name()); err != nil {
		return err
	}
	if len(in.Tables) > 0 {
		return term.Errorf("count tables with robots audit", "this is a table of an audit, and has no robots.txt files")
	}
	return in.Sources[0].Files(ctx, yield)
}

// NewAnalyst returns an analyst, whose rows have the answers to questions.
func NewAnalyst(q Questions) *Analyst { return newAnalyst(q, true, false) }

// Rows returns the rows of a file in an input with a label. The error is that of ctx.
func (a *Analyst) Rows(ctx context.Context, input, label string, in *Input) (*Rows, error) {
	rows := new(Rows)
	a.input, a.crawl = input, label
	return rows, a.analyse(ctx, in, rows)
}

// DefaultCrawlers returns the crawlers that are audited by default: "*", and those of search
// engines and AI whose operators document them.
func DefaultCrawlers() []answer.Crawler {
	audited := []answer.Crawler{answer.NewCrawler()}
	for _, known := range crawlers.Select(crawlers.Selection{Purposes: []crawlers.Purpose{"search", "ai-training", "ai-search", "ai-fetch"}}) {
		if slices.Contains(known.Verified, "operator") {
			audited = append(audited, answer.NewCrawler(known.Token))
		}
	}
	return audited
}

// Verdicts returns the verdicts of the rows in the form that [Crawl.Add] takes.
func (r *Rows) Verdicts() []byte { return r.verdicts }

// Begin returns the crawl with a label, with the crawlers of questions in their order.
func (c *Census) Begin(label string, q Questions) *Crawl {
	crawl := c.Crawl(label)
	c.mu.Lock()
	defer c.mu.Unlock()
	a := newAnalyst(q, false, false)
	for i, crawler := range a.readers {
		crawl.read(crawl.column(crawler.Name), readingIn(a.names[i].dialect, a.names[i].other))
	}
	return crawl
}

// Add adds the row of a file and the verdicts about it. Of captures without a time, those of
// the last place count, and of one place that with the highest number.
func (c *Crawl) Add(f *File, verdicts []byte, place, number int) {
	in := captureOf(f, numberOf(number, place))
	in.verdicts = verdicts
	c.add([]capture{in})
}

// DomainOf returns the registrable domain of a file's host, or the host if it has none. The
// captures of a site, whatever counts call one, have the same domain.
func DomainOf(f *File) string {
	host := strings.ToLower(f.Host)
	return ByDomain.key(originOf(host, valueOf(f.URL)), host)
}
