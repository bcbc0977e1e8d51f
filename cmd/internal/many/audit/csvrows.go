package audit

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/bounds"
)

// csvRows reads the rows of a CSV file, each of a bounded length. It notices a file that ends
// within a row: before the last field, or in quotes. With the settings used here, encoding/csv
// would accept unclosed quotes.
type csvRows struct {
	rows    *csv.Reader
	bounded *bounds.Reader
	maxRow  int
	next    *csvRow // that was read ahead, nil if none was
}

type csvRow struct {
	cells []string // valid until the next row
	line  int
	err   error
}

// csvEnd is appended to the file. It is read as a separate row, or as part of a field whose
// quotes are not closed.
const csvEnd = "\x00the end of the file\x00"

func newCSVRows(text io.Reader, tabs bool, maxRow int) *csvRows {
	bounded := &bounds.Reader{From: text, Over: longRow(maxRow)}
	rows := csv.NewReader(io.MultiReader(bounded, strings.NewReader("\n"+csvEnd+"\n")))
	r := &csvRows{rows: rows, bounded: bounded, maxRow: maxRow}
	if tabs {
		r.rows.Comma = '\t'
	}
	r.rows.ReuseRecord = true
	r.rows.LazyQuotes = true
	return r
}

// read returns the next row and its line. The error is io.ErrUnexpectedEOF if the file ends
// within the row.
func (r *csvRows) read() (cells []string, line int, err error) {
	row := r.next
	r.next = nil
	if row == nil {
		row = r.one()
	}
	if errors.Is(row.err, csv.ErrFieldCount) {
		r.next = r.one()
		if r.next.err == io.EOF && r.bounded.Last != '\n' && r.bounded.Last != '\r' {
			row.err = io.ErrUnexpectedEOF
		}
	}
	return row.cells, row.line, rowErrorOf(row.err)
}

// rowError is an error of encoding/csv in plain words.
type rowError struct{ cause *csv.ParseError }

func (e rowError) Unwrap() error { return e.cause }

func (e rowError) Error() string {
	if e.cause.Err == csv.ErrFieldCount {
		return fmt.Sprintf("line %d does not have as many fields as it must", e.cause.Line)
	}
	return fmt.Sprintf("line %d has a quotation mark in the wrong place", e.cause.Line)
}

func rowErrorOf(err error) error {
	if parse, ok := err.(*csv.ParseError); ok {
		return rowError{parse}
	}
	return err
}

func (r *csvRows) one() *csvRow {
	r.bounded.Left = r.maxRow
	cells, err := r.rows.Read()
	row := &csvRow{cells: cells, err: err}
	if len(cells) == 0 {
		return row
	}
	row.line, _ = r.rows.FieldPos(0)
	switch last := cells[len(cells)-1]; {
	case last == csvEnd && len(cells) == 1:
		row.err = io.EOF
	case strings.HasSuffix(strings.TrimSuffix(last, "\n"), csvEnd):
		row.err = io.ErrUnexpectedEOF
	}
	return row
}

// boundedRows reads the rows of a CSV file that is a list of hosts, each of a bounded length.
type boundedRows struct {
	*csv.Reader
	bounded *bounds.Reader
}

func newBoundedRows(text io.Reader) boundedRows {
	bounded := &bounds.Reader{From: text, Left: maxListRow, Over: longRow(maxListRow)}
	return boundedRows{csv.NewReader(withoutMark(bufio.NewReader(bounded))), bounded}
}

// maxListRow is the limit in bytes of a row in a list of hosts.
const maxListRow = 1 << 20

func (r boundedRows) Read() ([]string, error) {
	r.bounded.Left = maxListRow
	cells, err := r.Reader.Read()
	return cells, rowErrorOf(err)
}

// ReadHostNames returns the hosts in a table with the name of a file and its host in each row.
func ReadHostNames(table io.Reader) (map[string]string, error) {
	return readHostNames(table, keptRows{left: maxKeptRows})
}

func readHostNames(table io.Reader, kept keptRows) (map[string]string, error) {
	rows := newBoundedRows(table)
	rows.FieldsPerRecord = 2
	hosts := map[string]string{}
	for number := 1; ; number++ {
		row, err := rows.Read()
		switch {
		case err == io.EOF:
			return hosts, nil
		case err != nil:
			return nil, err
		case number > maxListed:
			return nil, errManyRows
		}
		if _, known := hosts[row[0]]; !known && !kept.add(row[0], row[1]) {
			return nil, errManyBytes
		}
		hosts[row[0]] = row[1]
	}
}

// maxListed is the limit of rows in a table that is kept in memory.
const maxListed = 50_000_000

// maxKeptRows is the limit in bytes of the different rows of such a table, enough for 20 million hosts.
const maxKeptRows = 2 << 30

// keptRows counts the memory of rows in a map.
type keptRows struct{ left int64 }

// add counts a row. It returns false if there is no memory left for it.
func (k *keptRows) add(key, value string) bool {
	const entry = 64 // bytes of a row without its texts, measured
	k.left -= int64(len(key) + len(value) + entry)
	return k.left >= 0
}

var errManyBytes = fmt.Errorf("its rows need more than %d MiB of memory", maxKeptRows>>20)

var errManyRows = fmt.Errorf("there are more than %d rows", maxListed)

func longRow(most int) error { return fmt.Errorf("a row is longer than %d bytes", most) }
