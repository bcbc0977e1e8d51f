package urllist

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// urlColumns are the names of columns of URLs, in lower case: of Screaming Frog
// ("Address"), of Search Console ("URL", "Top pages"), and of other programs. If there are
// several, the first one here is read.
var urlColumns = []string{"address", "url", "top pages", "page", "page url", "full url", "urls", "pages", "loc", "uri", "link", "landing page", "request url", "href"}

func isURLColumn(field string) bool {
	return slices.Contains(urlColumns, strings.ToLower(strings.TrimSpace(field)))
}

// headings is how many records without a URL can precede the first one with a URL: the
// header, and titles of the export.
const headings = 5

// isSeparatorLine reports whether a line tells Excel the separator: "sep=;".
func isSeparatorLine(line string) bool {
	line = strings.Trim(line, `"`)
	return len(line) == len("sep=;") && strings.HasPrefix(strings.ToLower(line), "sep=")
}

// records reads a URL from each record of a CSV or TSV file. encoding/csv is not used,
// because it would read an unclosed quotation into memory.
func (w *walk) records(l *lines, format Format) error {
	r := &recordReader{lines: l}
	if format == TSV {
		r.separator = '\t'
	}
	c := columnFinder{walk: w, format: format, column: -1}
	for {
		fields, err := r.next()
		if err == io.EOF {
			return c.end()
		}
		if err == errTooLong {
			hint := ""
			if r.quoted {
				hint = "a quoted field might not be closed"
			}
			if err := w.bad(r.first, hint, "the record up to line %d is %v", l.number, errTooLong); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if r.isEmpty() || isComment(fields[0]) && !r.quoted {
			continue
		}
		if err := c.record(r.first, fields); err != nil {
			return err
		}
	}
}

// columnFinder finds the column that has the URLs, and yields them.
type columnFinder struct {
	*walk
	format Format
	column int // from 0, -1 while it is not known
	seen   int // records without a URL before it was known
}

func (c *columnFinder) record(line int, fields [][]byte) error {
	if c.column < 0 {
		isData, err := c.find(fields)
		if err != nil {
			return err
		}
		if !isData {
			if c.seen++; c.column < 0 && c.seen > headings {
				return c.bad(line, "", "no column has a URL")
			}
			return nil
		}
	}
	if c.column >= len(fields) || blank(fields[c.column]) {
		return c.bad(line, "", "column %d has no URL", c.column+1)
	}
	return c.emit(line, string(fields[c.column]))
}

// find looks for the column in a record. isData reports whether the record is not a
// heading.
func (c *columnFinder) find(fields [][]byte) (isData bool, err error) {
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = strings.ToLower(string(bytes.TrimSpace(field)))
	}
	if c.Column != "" {
		return c.given(names)
	}
	for _, known := range urlColumns {
		if i := slices.Index(names, known); i >= 0 {
			c.choose(i, names[i])
			return false, nil
		}
	}
	i := slices.IndexFunc(fields, func(field []byte) bool { return isURL(string(field)) })
	if i < 0 && (c.Paths || c.Site != "") {
		i = slices.IndexFunc(fields, func(field []byte) bool { return bytes.HasPrefix(field, []byte("/")) })
	}
	if i >= 0 {
		c.choose(i, "")
	}
	return i >= 0, nil
}

func (c *columnFinder) given(names []string) (isData bool, err error) {
	if i := slices.Index(names, strings.ToLower(strings.TrimSpace(c.Column))); i >= 0 {
		c.choose(i, names[i])
		return false, nil
	}
	n, err := strconv.Atoi(c.Column)
	switch {
	case err == nil && n > 0 && n <= len(names):
		c.choose(n-1, "")
		_, problem := c.urlOf(names[n-1])
		return problem == "", nil // else it is the header
	case err == nil && n > 0 && len(names) == 1: // a title
		return false, nil
	default:
		return false, term.Errorf("%s has no column %q", c.Name, c.Column).Hint("the columns are " + term.First(escaped(names), 12))
	}
}

func escaped(names []string) (safe []string) {
	for _, name := range names {
		safe = append(safe, term.Clip(term.Escape(name), 40))
	}
	return safe
}

func (c *columnFinder) choose(column int, name string) {
	c.column = column
	if name != "" {
		name = " (" + quote(name) + ")"
	}
	c.found("%s, URLs from column %d%s", strings.ToUpper(string(c.format)), column+1, name)
}

// end returns an error if no column has URLs.
func (c *columnFinder) end() error {
	if c.column < 0 && c.seen > 0 {
		return term.Errorf("%s has no column of URLs", c.Name).Hint("--column names the column")
	}
	return nil
}

type recordReader struct {
	*lines
	separator byte // 0 while it is not known
	first     int  // the line in which the latest record begins
	quoted    bool // a field of the latest record is in quotes

	text []byte // of all fields
	ends []int
	list [][]byte
}

// next returns the fields of the next record, valid until the next call. A record over
// maxLine is errTooLong; the next one begins at the next line.
func (r *recordReader) next() ([][]byte, error) {
	line, err := r.lines.next()
	r.first, r.quoted = r.number, false
	if err != nil {
		return nil, err
	}
	if r.separator == 0 {
		if text := string(bytes.TrimSpace(line)); isSeparatorLine(text) {
			r.separator = strings.Trim(text, `"`)[len("sep=")]
			return r.next()
		}
		r.separator = separatorOf(line)
	}
	r.text, r.ends = r.text[:0], r.ends[:0]
	for inQuotes := r.split(line, false); inQuotes; {
		line, err = r.lines.next()
		if err == io.EOF {
			r.ends = append(r.ends, len(r.text)) // a quotation without an end
			break
		} else if err != nil {
			return nil, err
		}
		if len(r.text)+len(line) > maxLine {
			return nil, errTooLong
		}
		r.text = append(r.text, '\n')
		inQuotes = r.split(line, true)
	}
	r.list = r.list[:0]
	begin := 0
	for _, end := range r.ends {
		r.list, begin = append(r.list, r.text[begin:end]), end
	}
	return r.list, nil
}

// split adds the fields of a line. It reports whether the line ends in a quotation.
func (r *recordReader) split(line []byte, inQuotes bool) bool {
	begins := !inQuotes
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case inQuotes && c == '"' && i+1 < len(line) && line[i+1] == '"':
			r.text = append(r.text, c)
			i++
		case inQuotes && c == '"':
			inQuotes = false
		case inQuotes:
			r.text = append(r.text, c)
		case c == '"' && begins:
			inQuotes, r.quoted = true, true
		case c == r.separatorOrComma():
			r.ends = append(r.ends, len(r.text))
			begins = true
			continue
		default:
			r.text = append(r.text, c)
		}
		begins = begins && !inQuotes && (c == ' ')
	}
	if !inQuotes {
		r.ends = append(r.ends, len(r.text))
	}
	return inQuotes
}

func (r *recordReader) separatorOrComma() byte {
	if r.separator == 0 {
		return ','
	}
	return r.separator
}

func (r *recordReader) isEmpty() bool { return blank(r.text) }

// separatorOf returns the most frequent separator outside of quotes, 0 if there is none.
func separatorOf(line []byte) byte {
	var commas, semicolons int
	inQuotes := false
	for _, c := range line {
		switch {
		case c == '"':
			inQuotes = !inQuotes
		case inQuotes:
		case c == '\t':
			return '\t'
		case c == ',':
			commas++
		case c == ';':
			semicolons++
		}
	}
	switch {
	case semicolons > commas:
		return ';'
	case commas > 0:
		return ','
	default:
		return 0
	}
}
