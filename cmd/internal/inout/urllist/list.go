// Package urllist reads the URLs of lists in many formats: a URL on each line, CSV and
// TSV files such as the exports of Screaming Frog and Search Console, XML sitemaps and
// their indexes, and access logs. Lists can be compressed with gzip, and in UTF-16.
//
// Lists come from anywhere, so all work is bounded: however long a list or a line is, reading
// needs constant memory.
package urllist

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/contentcoding"
	"github.com/kosterhq/robotstxt/origin"
)

// Config says how a list is read. The zero value detects the format, and accepts only URLs with
// a host.
type Config struct {
	Name   string // of the list, in errors; its suffix .csv or .tsv decides if the content does not
	Format Format

	// Column selects the column of a CSV or TSV file, by its name or its number from
	// 1. The default is the first one with a name such as Address or URL, or else the
	// first one that contains a URL.
	Column string

	// Map says where the fields of access logs in JSON are, apart from Caddy's.
	Map accesslog.Map
	// LogFormat is the format of access logs; nil means that the first line decides.
	LogFormat *accesslog.Format

	// Site is the origin, such as https://shop.example, with which paths are joined.
	// It replaces the hosts of access logs.
	Site string

	// Paths accepts paths without a host, if Site is "".
	Paths bool

	// Limit is the largest number of bytes that are read of the decompressed list. Before
	// decompression it is twice as many. Default: all.
	Limit int64
	// MaxURLs is the largest number of URLs that are read from the list, and from each sitemap
	// of an index. Default: all.
	MaxURLs int

	// Fetch opens the sitemaps that a sitemap index lists. nil means that an index is
	// an error.
	Fetch func(url string) (io.ReadCloser, error)

	Idle func()            // called before each read, which can wait; can be nil
	Stop func() error      // called for each 64 KiB of text; its error ends the list; can be nil
	Note func(text string) // receives facts about the list; can be nil
}

// LineError is the error for a line without a URL. The lines after it are still read.
type LineError struct {
	Name    string // of the list, "" if the problem names it
	Line    int    // from 1, 0 if the error is about the list
	Problem string
	Hint    string // what to do; can be empty
}

// Error returns the place and the problem in one line. The text can contain any bytes.
func (e *LineError) Error() string {
	switch {
	case e.Name == "":
		return e.Problem
	case e.Line == 0:
		return e.Name + ": " + e.Problem
	}
	return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Problem)
}

// List is a list of URLs.
type List struct {
	Config
	raw   io.Reader
	count int64   // bytes that were read from it
	depth int     // of sitemap indexes above it
	index *budget // of all sitemaps of an index
}

// New returns the list in r.
func New(r io.Reader, c Config) *List {
	if c.Idle == nil {
		c.Idle = func() {}
	}
	if c.Note == nil {
		c.Note = func(string) {}
	}
	if c.Limit > 0 {
		// Empty gzip members, and bytes after the last member, add nothing to the text.
		r = &limitedReader{r, 2 * c.Limit, 2 * c.Limit}
	}
	c.Name = shownName(c.Name)
	l := &List{Config: c, index: newBudget()}
	l.raw = readerFunc(func(p []byte) (int, error) {
		c.Idle()
		n, err := r.Read(p)
		l.count += int64(n)
		return n, err
	})
	return l
}

// shownName returns the name of a list without the password that it contains if it is a
// URL. The name of a file can contain an @.
func shownName(name string) string {
	if strings.Contains(name, "://") {
		return origin.Text(name).Given()
	}
	return name
}

// Read returns the number of bytes that were read.
func (l *List) Read() int64 { return l.count }

// All yields the URLs. After a *LineError it continues; any other error is the last. It
// must be called only once.
func (l *List) All(yield func(string, error) bool) {
	if err := l.yieldAll(yield); err != nil && !errors.Is(err, errEnough) {
		if line := (*LineError)(nil); !errors.As(err, &line) && !errors.As(err, new(*term.Error)) {
			err = term.Errorf("cannot read %s: %v", l.Name, term.Cause(err))
		}
		yield("", err)
	}
}

func (l *List) yieldAll(yield func(string, error) bool) error {
	text, err := l.text()
	if err != nil {
		return err
	}
	return (&walk{List: l, yield: yield}).read(text)
}

// walk is one call of yieldAll.
type walk struct {
	*List
	yield func(string, error) bool
	urls  int // that were yielded
}

// errEnough ends a walk whose caller has stopped.
var errEnough = errors.New("enough")

func (w *walk) url(url string) error {
	if w.urls++; w.MaxURLs > 0 && w.urls > w.MaxURLs {
		return fmt.Errorf("it has over %d URLs", w.MaxURLs)
	}
	if !w.yield(url, nil) {
		return errEnough
	}
	return nil
}

func (w *walk) bad(line int, hint, format string, args ...any) error {
	if !w.yield("", &LineError{w.Name, line, fmt.Sprintf(format, args...), hint}) {
		return errEnough
	}
	return nil
}

// emit yields a text as a URL, or an error for its line.
func (w *walk) emit(line int, text string) error {
	url, problem := w.urlOf(text)
	if problem != "" {
		return w.bad(line, hints[problem], "%s: %s", quote(text), problem)
	}
	return w.url(url)
}

// text returns the text of the list up to the limit.
func (l *List) text() (*bufio.Reader, error) {
	text, err := l.decoded()
	if err == nil && l.Stop != nil {
		from := text
		text = bufio.NewReaderSize(readerFunc(func(p []byte) (int, error) {
			if err := l.Stop(); err != nil {
				return 0, err
			}
			return from.Read(p)
		}), bufferSize)
	}
	if err == nil && l.Limit > 0 {
		text = bufio.NewReaderSize(&limitedReader{text, l.Limit, l.Limit}, bufferSize)
	}
	return text, err
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// decoded returns the text of the list in UTF-8: it decompresses gzip and decodes UTF-16.
func (l *List) decoded() (*bufio.Reader, error) {
	r := bufio.NewReaderSize(l.raw, bufferSize)
	if startsWith(r, "\x1f\x8b") {
		zipped, err := contentcoding.NewGzip(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReaderSize(zipped, bufferSize)
	}
	switch {
	case startsWith(r, "PK\x03\x04"):
		return nil, term.Errorf("%s is a spreadsheet or a ZIP archive", l.Name).Hint("save a spreadsheet as CSV; unpack an archive")
	case startsWith(r, "\xef\xbb\xbf"):
		_, err := r.Discard(3)
		return r, err
	case startsWith(r, "\xff\xfe"), startsWith(r, "\xfe\xff"):
		return utf16Reader(r, unicode.LittleEndian, unicode.ExpectBOM), nil
	}
	// Some programs write UTF-16 without a byte order mark.
	switch two, _ := r.Peek(2); {
	case len(two) < 2:
	case two[0] != 0 && two[1] == 0:
		return utf16Reader(r, unicode.LittleEndian, unicode.IgnoreBOM), nil
	case two[0] == 0 && two[1] != 0:
		return utf16Reader(r, unicode.BigEndian, unicode.IgnoreBOM), nil
	}
	return r, nil
}

func utf16Reader(r io.Reader, order unicode.Endianness, mark unicode.BOMPolicy) *bufio.Reader {
	return bufio.NewReaderSize(unicode.UTF16(order, mark).NewDecoder().Reader(r), bufferSize)
}

// startsWith reports whether the text begins with a prefix. It does not wait for more bytes
// than it needs, because they might come from a person.
func startsWith(r *bufio.Reader, prefix string) bool {
	for n := 1; n <= len(prefix); n++ {
		if head, _ := r.Peek(n); string(head) != prefix[:n] {
			return false
		}
	}
	return true
}

const bufferSize = 1 << 16

// suffix returns the suffix of the list's name in lower case, ignoring a gzip suffix.
func (l *List) suffix() string {
	return path.Ext(strings.TrimSuffix(strings.ToLower(strings.Trim(l.Name, `"`)), ".gz"))
}
