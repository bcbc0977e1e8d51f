package audit

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

// This file is for programs that read inputs from storage other than files, and that distribute
// the work in their own way instead of calling Run.

// object is a file in a storage, such as an archive in a bucket.
type object struct {
	name, record string
	open         func() (io.ReadCloser, error)
	config       Config
}

// Object returns the source of the files in an object of a storage: an archive, a table of
// robots.txt files or, if the end of the name shows neither, a robots.txt. Its record is then its
// place in the input. zip archives, CSV and Parquet files are copied to a temporary file first.
func Object(name, record string, open func() (io.ReadCloser, error), config Config) Source {
	return &object{name, record, open, config}
}

// IsArchive reports whether the name of a file belongs to an archive or a table.
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
		return term.Errorf("this is a table of an audit, and has no robots.txt files").Hint("count tables with robots audit")
	}
	return in.Sources[0].Files(ctx, yield)
}

// NewAnalyst returns an analyst, whose rows have the answers to questions.
func NewAnalyst(q Questions) *Analyst { return newAnalyst(q, true, false) }

// Rows returns the rows of a file in an input with a label. If ctx ends, Rows returns ctx's error.
func (a *Analyst) Rows(ctx context.Context, input, label string, in *Input) (*Rows, error) {
	rows := new(Rows)
	a.input, a.crawl = input, label
	return rows, a.analyse(ctx, in, rows)
}

// DefaultCrawlers returns the crawlers that are audited by default, by their purposes: "*", the AI
// crawlers that are not retired, whether their operators document them or not, and the search
// engines that are known to be in use. It omits crawlers that no line can name.
func DefaultCrawlers() []answer.Crawler {
	audited := []answer.Crawler{answer.NewCrawler()}
	for known := range crawlers.All() {
		isSearch := slices.Contains(PurposesOf(known), "search")
		isAI := slices.ContainsFunc(PurposesOf(known), func(p crawlers.Purpose) bool { return p == "ai-training" || p == "ai-search" || p == "ai-fetch" })
		if known.Status != crawlers.Retired && isAI || isSearch && known.Status == crawlers.Active {
			if crawler := answer.NewCrawler(known.Token); !crawler.Unread {
				audited = append(audited, crawler)
			}
		}
	}
	return audited
}

// PurposesOf returns the purposes for which audits count a crawler. A search engine has only the
// purpose search, even if its operator uses the pages for AI too: a site that closes to it leaves
// the search results, which does not show a decision about AI.
func PurposesOf(c crawlers.Crawler) []crawlers.Purpose {
	if len(c.Purposes) > 0 && c.Purposes[0] == "search" {
		return c.Purposes[:1]
	}
	return c.Purposes
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

// Add adds the row of a file and the verdicts about it.
func (c *Crawl) Add(f *File, verdicts []byte, place int) {
	in := captureOf(f, int32(place), 0)
	in.verdicts = verdicts
	c.add([]capture{in})
}

// LinkedDomain returns the registrable domain of the URL that a file redirects to, "" if it does
// not redirect or stays in its own domain.
func LinkedDomain(f *File) string {
	to, err := origin.Of(valueOf(f.Redirect))
	if err != nil {
		return ""
	}
	if domain := ByDomain.key(to.String()); domain != DomainOf(f) {
		return domain
	}
	return ""
}

// DomainOf returns the registrable domain of a file's host, or the host if it has none. All
// captures of a site have the same domain, however counts define a site.
func DomainOf(f *File) string {
	return ByDomain.key(originOf(strings.ToLower(f.Host), valueOf(f.URL)))
}
