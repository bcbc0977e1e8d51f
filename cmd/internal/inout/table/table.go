// Package table writes rows in columns, in the formats of all commands: text that fits
// the terminal, CSV, TSV and Markdown. Rows are written while they are made; only text
// looks at the first rows before it writes them. Cells are escaped as package term
// requires, in every format.
package table

import (
	"io"
	"strconv"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Column describes a column.
type Column struct {
	Name  string
	Right bool // numbers, which are aligned on the right
	Code  bool // a formal notation such as a URL or a rule, which Markdown shows as code

	// Width is the number of columns of the widest cell, 0 if it is unknown. If it is
	// known for all columns but the last, text is written without looking ahead. Only
	// text uses it.
	Width int

	// Least is the least width to which the column can be narrowed so that a row fits the
	// screen. Longer cells are then cut: in the middle if the column is Code, because the
	// end of a notation matters as much as its beginning, else at the end. 0 means that
	// the column is never narrowed. Only text uses it.
	Least int

	// Wrap breaks a cell that is too long into lines instead of cutting it. Only text
	// uses it.
	Wrap bool
}

// Config describes a table. Format and Columns are required.
type Config struct {
	Format  Format // any but JSON
	Columns []Column

	// Excel makes CSV and TSV begin with a byte order mark, without which Excel does not
	// read UTF-8, and end lines with CRLF (RFC 4180).
	Excel bool

	// Only text uses these.
	NoHeader bool         // omit the names of the columns
	Palette  term.Palette // for Styled
	Screen   int          // the number of columns that a row can use; 0 means any number
	Indent   int          // the number of spaces before each row
	Repeat   int          // repeat the header after so many rows; 0 means never
}

// Writer writes a table. A row is made by one call of Cell, Styled or Number for each
// column, and then End. In formats other than text each row is one call of Write, so the
// output should be buffered.
type Writer struct {
	out     io.Writer
	config  Config
	started bool   // the header is in line, or written
	column  int    // of the next cell
	line    []byte // the row in progress
	text    layout
}

// New returns a writer of a table.
func New(out io.Writer, config Config) *Writer {
	w := &Writer{out: out, config: config}
	w.text.init(&w.config)
	return w
}

// Cell adds a cell.
func (w *Writer) Cell(text string) { w.Styled("", text) }

// Styled adds a cell that text paints in a style.
func (w *Writer) Styled(style term.Style, text string) {
	escaped := term.Escape(text)
	if w.config.Format == Text {
		w.text.add(style, escaped)
		return
	}
	code := w.beginCell()
	w.appendCell(escaped, code)
}

// Number adds a cell with a number.
func (w *Writer) Number(n int) {
	if w.config.Format == Text {
		w.text.add("", strconv.Itoa(n))
		return
	}
	w.beginCell()
	w.line = strconv.AppendInt(w.line, int64(n), 10)
	w.endCell()
}

// Row adds a row of texts and ints.
func (w *Writer) Row(cells ...any) error {
	for _, cell := range cells {
		if n, isNumber := cell.(int); isNumber {
			w.Number(n)
		} else {
			w.Cell(cell.(string))
		}
	}
	return w.End()
}

// Remark adds a text after the last cell of a row, in faint colour. Only text has
// remarks.
func (w *Writer) Remark(remark string) {
	if w.config.Format == Text && remark != "" {
		w.text.remark(term.Escape(remark))
	}
}

// End ends a row. If the output fails, it returns the error of the output.
func (w *Writer) End() error {
	if w.config.Format == Text {
		return w.text.end(w.out)
	}
	w.column = 0
	w.endLine()
	return w.write()
}

// EndWith ends a row of CSV or TSV with the rest of a row that another Writer has written
// for the same Config, from a separator to the line end.
func (w *Writer) EndWith(rest string) error {
	w.column = 0
	w.line = append(w.line, rest...)
	return w.write()
}

// Flush writes the rows that were held back, and the header if there was no row. Text
// without rows has no header.
func (w *Writer) Flush() error {
	if w.config.Format == Text {
		return w.text.flush(w.out)
	}
	w.begin()
	return w.write()
}

func (w *Writer) write() error {
	_, err := w.out.Write(w.line)
	w.line = w.line[:0]
	return err
}

func (w *Writer) begin() {
	if w.started {
		return
	}
	w.started = true
	if w.config.Excel && w.config.Format != Markdown {
		w.line = append(w.line, "\ufeff"...)
	}
	for _, c := range w.config.Columns {
		w.beginCell()
		w.appendCell(term.Escape(c.Name), false)
	}
	w.column = 0
	w.endLine()
	if w.config.Format != Markdown {
		return
	}
	for _, c := range w.config.Columns {
		w.line = append(w.line, map[bool]string{false: "| --- ", true: "| ---: "}[c.Right]...)
	}
	w.endLine()
}

// beginCell begins a cell, and reports whether its column is Code.
func (w *Writer) beginCell() (code bool) {
	w.begin()
	switch {
	case w.config.Format == Markdown:
		w.line = append(w.line, "| "...)
	case w.column == 0:
	case w.config.Format == TSV:
		w.line = append(w.line, '\t')
	default:
		w.line = append(w.line, ',')
	}
	w.column++
	return w.config.Columns[w.column-1].Code
}

// appendCell appends an escaped text to the cell, and ends it.
func (w *Writer) appendCell(text string, code bool) {
	if w.config.Format == Markdown {
		w.line = appendMarkdown(w.line, text, code)
	} else {
		w.line = appendSeparated(w.line, text, w.config.Format == CSV || w.config.Excel)
	}
	w.endCell()
}

func (w *Writer) endCell() {
	if w.config.Format == Markdown {
		w.line = append(w.line, ' ')
	}
}

func (w *Writer) endLine() {
	switch {
	case w.config.Format == Markdown:
		w.line = append(w.line, "|\n"...)
	case w.config.Excel:
		w.line = append(w.line, "\r\n"...)
	default:
		w.line = append(w.line, '\n')
	}
}
