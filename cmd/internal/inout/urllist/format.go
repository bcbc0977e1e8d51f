package urllist

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/bounds"
)

// Format is the format of a list.
type Format string

// The formats.
const (
	Auto    Format = ""        // the content decides
	Plain   Format = "plain"   // a URL on each line; lines that begin with # are comments
	CSV     Format = "csv"     // fields separated by commas or semicolons, RFC 4180
	TSV     Format = "tsv"     // fields separated by tabs
	Sitemap Format = "sitemap" // an XML sitemap or sitemap index
	Log     Format = "log"     // an access log in a form of package accesslog
)

// Formats returns all formats but Auto.
func Formats() []Format { return []Format{Plain, CSV, TSV, Sitemap, Log} }

// read reads the list in its format. In a long file it decides by the first line that is
// neither empty nor a comment, so that the first URL can be answered before the second is
// known.
func (w *walk) read(text *bufio.Reader) error {
	number, first, err := skipBlank(text)
	if err != nil {
		return ignoreEnd(err)
	}
	if w.Format == Sitemap || w.Format == Auto && first == '<' {
		return w.sitemap(text, number)
	}
	if first == '[' && (w.Format == Auto || w.Format == Log) {
		text = bufio.NewReader(accesslog.Lines(text))
	}
	l := &lines{r: text, number: number}
	format := w.Format
	for format == Auto {
		line, err := l.next()
		switch {
		case err != nil && err != errTooLong:
			return ignoreEnd(err)
		case !blank(line) && (!isComment(line) || accesslog.Begins(line)):
			format = w.formatOf(line)
			l.again()
		}
	}
	switch format {
	case CSV, TSV:
		return w.records(l, format)
	case Log:
		return w.log(l)
	default:
		return w.each(l, func(line []byte) error { return w.emit(l.number, string(line)) })
	}
}

// skipBlank discards empty lines, and returns their number and the first byte after them.
func skipBlank(r *bufio.Reader) (number int, first byte, err error) {
	for range bounds.MaxSkipped {
		next, err := r.Peek(1)
		if err != nil {
			return 0, 0, err
		}
		if next[0] != ' ' && next[0] != '\t' && next[0] != '\r' && next[0] != '\n' {
			return number, next[0], nil
		}
		if next[0] == '\n' {
			number++
		}
		if _, err := r.Discard(1); err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, bounds.EndlessSpace(what)
}

// ignoreEnd returns an error, nil for the end of the list.
func ignoreEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func (l *List) formatOf(first []byte) Format {
	line := string(bytes.TrimSpace(first))
	switch {
	case l.LogFormat != nil, accesslog.Begins([]byte(line)):
		return Log
	case l.suffix() == ".tsv", strings.Contains(line, "\t"):
		return TSV
	case l.Column != "", l.suffix() == ".csv", strings.HasPrefix(line, `"`), isSeparatorLine(line):
		return CSV
	}
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ';' })
	if strings.HasPrefix(line, "/") || accesslog.HasScheme(line) {
		// URLs can contain commas, but not fields such as these.
		isOfCSV := func(field string) bool { return isStatus(field) || isURL(field) }
		if slices.ContainsFunc(fields[min(1, len(fields)):], isOfCSV) {
			return CSV
		}
		return Plain
	}
	if len(fields) > 1 || isURLColumn(line) {
		return CSV
	}
	return Plain
}

func isStatus(field string) bool {
	field = strings.TrimSpace(field)
	return len(field) == 3 && '1' <= field[0] && field[0] <= '5' && strings.Trim(field, "0123456789") == ""
}

// each calls do for each line that is neither empty nor a comment.
func (w *walk) each(l *lines, do func(line []byte) error) error {
	for {
		line, err := l.next()
		switch {
		case err == io.EOF:
			return nil
		case err == errTooLong:
			err = w.bad(l.number, "", "the line is %v", errTooLong)
		case err == nil && !blank(line) && !isComment(line):
			err = do(line)
		}
		if err != nil {
			return err
		}
	}
}

// found reports how the list is read, in a note.
func (w *walk) found(format string, args ...any) {
	w.Note(w.Name + " is read as " + fmt.Sprintf(format, args...))
}
