package editor

import (
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// Config configures a Document. The zero value checks a file for Google's crawlers and
// counts UTF-16 units.
type Config struct {
	Lint     lint.Config
	Encoding Encoding // default: UTF16
}

// Document is one version of a robots.txt in an editor. Each edit makes a new version.
// A Document must not be used concurrently. New makes it; a zero Document panics.
type Document struct {
	body     []byte
	lint     lint.Config
	encoding Encoding
	places   *places.Places
	robots   *robotstxt.Robots
	groups   []group      // in the order of the body
	report   *lint.Report // nil until it is needed
}

// New returns a document with a body. The caller must not change the body while the
// document is in use.
func New(body []byte, config Config) *Document {
	d := &Document{
		body: body, lint: config.Lint, encoding: config.Encoding,
		places: places.Of(body), robots: config.Lint.Profile.Dialect().Parse(body),
	}
	d.groups = groupsOf(body, d.robots)
	return d
}

func (d *Document) check() *lint.Report {
	if d.report == nil {
		report := lint.Inspect(d.body, d.lint)
		d.report = &report
	}
	return d.report
}

// boundary returns the nearest offset, not after the given one, that has a position of
// its own: not within a character and not between CR and LF.
func (d *Document) boundary(offset int) int {
	offset = min(max(offset, 0), len(d.body))
	if offset == 0 || offset == len(d.body) {
		return offset
	}
	if d.body[offset] == '\n' && d.body[offset-1] == '\r' {
		return offset - 1
	}
	for back := 1; back < utf8.UTFMax && back <= offset; back++ {
		if _, size := utf8.DecodeRune(d.body[offset-back:]); size > back {
			return offset - back
		}
	}
	return offset
}

// boundaryAfter returns the nearest offset, not before the given one, that has a
// position of its own.
func (d *Document) boundaryAfter(offset int) int {
	for offset < len(d.body) && d.boundary(offset) != offset {
		offset++
	}
	return offset
}

func (d *Document) line(offset int) robotstxt.Line {
	number := d.places.Line(offset)
	for line := range robotstxt.Lines(d.body) {
		if line.Number == number {
			return line
		}
	}
	return robotstxt.Line{}
}

// content returns the range of a line without its terminator, for a number from 1.
func (d *Document) content(number int) Range {
	start := d.places.Start(number)
	return d.Range(start, start+len(d.places.Text(number)))
}

// plain returns text from the body as valid UTF-8.
func plain[T []byte | string](text T) string { return strings.ToValidUTF8(string(text), "\ufffd") }

// longestName is the length of a name in symbols and hover texts, in bytes. A robots.txt
// can have lines of any length.
const longestName = 200

// name returns text from the body as valid UTF-8, cut to a length that people can read.
func name[T []byte | string](text T) string {
	if len(text) > longestName {
		return plain(string(text[:longestName])) + "…"
	}
	return plain(text)
}
