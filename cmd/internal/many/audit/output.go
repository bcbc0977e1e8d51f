package audit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

var formats = []string{".parquet", ".csv", ".jsonl", ".ndjson"}

// CheckOutput returns an error if the name of an output has no known suffix.
func CheckOutput(name string) error {
	for _, format := range formats {
		if strings.HasSuffix(strings.ToLower(name), format) {
			return nil
		}
	}
	return term.Errorf("the format of %q is not known", name).Hint("end the name with .parquet, .csv or .jsonl")
}

// WriteFiles writes the table of files to a file, in the format of the name's suffix. An
// existing file is replaced once the new one is complete.
func (p *Parts) WriteFiles(name string) error { return writeTable[File](p, fileRows, name) }

// WriteCrawlers is WriteFiles for the table of crawlers.
func (p *Parts) WriteCrawlers(name string) error { return writeTable[Crawler](p, crawlerRows, name) }

// WriteBodies is WriteFiles for the table of bodies.
func (p *Parts) WriteBodies(name string) error { return writeTable[Body](p, bodyRows, name) }

// Files calls yield for each row of the table of files.
func (p *Parts) Files(yield func(*File) error) error { return readParts(p, fileRows, yield) }

// Crawlers calls yield for each row of the table of crawlers.
func (p *Parts) Crawlers(yield func(*Crawler) error) error { return readParts(p, crawlerRows, yield) }

func (p *Parts) names(t tableKind) ([]string, error) {
	return filepath.Glob(filepath.Join(p.folder, "*-*."+string(t)+".parquet"))
}

func readParts[Row any](p *Parts, t tableKind, yield func(*Row) error) error {
	names, err := p.names(t)
	for _, name := range names {
		if err == nil {
			err = ReadTable(name, yield)
		}
	}
	return err
}

// ReadTable calls yield for each row of a Parquet file. Row is File, Crawler or Body.
// The row is valid until yield returns.
func ReadTable[Row any](name string, yield func(*Row) error) error {
	table, err := openTable(name)
	if err != nil {
		return err
	}
	defer table.Close()
	fields, err := fieldsIn[Row](name, table.Schema())
	if err != nil {
		return err
	}
	for _, group := range table.RowGroups() {
		if err := readGroup(name, group, fields, yield); err != nil {
			return err
		}
	}
	return nil
}

// fieldsIn returns the field of each column of a table, or nil for a column that a row does not
// have. A field whose column the table lacks stays empty.
func fieldsIn[Row any](name string, table *parquet.Schema) (fields []*field, err error) {
	defer guard(name, &err)
	fields = make([]*field, len(table.Columns()))
	for _, f := range fieldsOf[Row]() {
		column, ok := table.Lookup(f.Name)
		if !ok {
			continue
		}
		want := f.physical()
		if got := column.Node.Type().Kind(); got != want || column.Node.Repeated() {
			return nil, tableError(name, fmt.Errorf("the column %q is of type %v, not %v", f.Name, got, want))
		}
		fields[column.ColumnIndex] = &f
	}
	return fields, nil
}

func readGroup[Row any](name string, group parquet.RowGroup, fields []*field, yield func(*Row) error) error {
	rows := group.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, readRows[Row]())
	batch := make([]Row, len(buffer))
	for {
		n, err := readBatch(name, rows, buffer, func(i int) {
			row := reflect.ValueOf(&batch[i]).Elem()
			for _, value := range buffer[i] {
				if f := fields[value.Column()]; f != nil {
					f.set(row, value)
				}
			}
		})
		for i := range n {
			if err := yield(&batch[i]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readBatch reads rows of a Parquet file into a buffer and calls each with their indexes. The error
// at the end is io.EOF; any other error names the file.
func readBatch(name string, rows parquet.Rows, buffer []parquet.Row, each func(i int)) (n int, err error) {
	defer guard(name, &err)
	read, err := rows.ReadRows(buffer)
	for n < read {
		each(n)
		n++
	}
	if err != nil && err != io.EOF {
		err = tableError(name, errNotTable)
	}
	return n, err
}

// guard turns a panic of the library, which some damaged files cause, into an error that names the
// file.
func guard(name string, err *error) {
	if p := recover(); p != nil {
		*err = tableError(name, errNotTable)
	}
}

type openedTable struct {
	*parquet.File
	io.Closer
}

// openTable opens a Parquet file. The error names it.
func openTable(name string, options ...parquet.FileOption) (*openedTable, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	table, err := parsedTable(file, options)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &openedTable{table, file}, nil
}

func parsedTable(file *os.File, options []parquet.FileOption) (table *parquet.File, err error) {
	defer guard(file.Name(), &err)
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	table, err = parquet.OpenFile(file, info.Size(), options...)
	if err != nil {
		err = tableError(file.Name(), errNotTable)
	}
	return table, err
}

// errNotTable replaces the errors of the Parquet library, which are about its own parts.
var errNotTable = errors.New("it is damaged, or in another format")

func tableError(name string, err error) error {
	return term.Errorf("cannot read %q as Parquet: %v", name, err).Hint("is it complete?")
}

func writeTable[Row any](p *Parts, t tableKind, name string) error {
	if names, err := p.names(t); err == nil && len(names) > 0 && IsParquet(name) {
		return files.Write(name, func(to io.Writer) error { return joinTables(names, p.Provenance, to) })
	}
	return writeOutput(name, p.config.Shard, p.Provenance,
		func(out output[Row]) error { return readParts(p, t, oneByOne(out.write)) })
}

type output[Row any] interface {
	// write writes rows that all belong to the same file or site.
	write(rows []Row) error
	// complete writes the end of the table.
	complete() error
}

// writeOutput writes a file with the rows that fill writes, in the format of the name's
// suffix.
func writeOutput[Row any](name string, shard Shard, made *wire.AuditProvenance, fill func(output[Row]) error) error {
	return files.Write(name, func(to io.Writer) error {
		out := newOutput[Row](to, name, shard, made)
		if err := fill(out); err != nil {
			return err
		}
		return out.complete()
	})
}

// WriteTable writes a file with the rows that fill writes, in the format of the name's suffix. An
// existing file is replaced once the new one is complete.
func WriteTable[Row any](name string, fill func(write func(*Row) error) error) error {
	return writeOutput(name, Shard{}, nil, func(out output[Row]) error { return fill(oneByOne(out.write)) })
}

// WriteTables is WriteTable for several files with the same rows. write is nil if there is no file.
func WriteTables[Row any](names []string, fill func(write func(*Row) error) error) error {
	return writeTables(names, nil, nil, func(write func([]Row) error) error { return fill(oneByOne(write)) })
}

// writeTables is WriteTables with a provenance and rows as in output, which are passed to write first. Both can be nil.
func writeTables[Row any](names []string, made *wire.AuditProvenance, write func([]Row) error,
	fill func(write func([]Row) error) error) error {
	if len(names) == 0 {
		return fill(write)
	}
	return writeOutput(names[0], Shard{}, made, func(out output[Row]) error {
		return writeTables(names[1:], made, func(rows []Row) error {
			if write != nil {
				if err := write(rows); err != nil {
					return err
				}
			}
			return out.write(rows)
		}, fill)
	})
}

// oneByOne returns a function that passes a row alone to write, or nil if write is nil.
func oneByOne[Row any](write func([]Row) error) func(*Row) error {
	if write == nil {
		return nil
	}
	var one [1]Row // not a new one for each row
	return func(row *Row) error {
		one[0] = *row
		return write(one[:])
	}
}

// WriteCells writes a row of a table.
func WriteCells[Row any](w *table.Writer, row *Row) error { return writeCells(w, fieldsOf[Row](), row) }

func writeCells[Row any](w *table.Writer, fields []field, row *Row) error {
	v := reflect.ValueOf(row).Elem()
	for _, f := range fields {
		text, _ := f.cell(v)
		w.Cell(text)
	}
	return w.End()
}

// IsParquet reports whether the name of an output has the suffix of Parquet, the format that has a provenance.
func IsParquet(name string) bool { return strings.EqualFold(filepath.Ext(name), ".parquet") }

func newOutput[Row any](to io.Writer, name string, shard Shard, made *wire.AuditProvenance) output[Row] {
	if IsParquet(name) {
		return newTable[Row](to, shard, made)
	}
	fields := fieldsOf[Row]()
	if !strings.EqualFold(filepath.Ext(name), ".csv") {
		return &jsonOutput[Row]{to, fields, nil}
	}
	config := table.Config{Format: table.CSV}
	for _, f := range fields {
		config.Columns = append(config.Columns, table.Column{Name: f.Name})
	}
	return &csvOutput[Row]{fields, table.New(to, config)}
}

type csvOutput[Row any] struct {
	fields []field
	table  *table.Writer
}

func (o *csvOutput[Row]) write(rows []Row) error {
	for i := range rows {
		if err := writeCells(o.table, o.fields, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (o *csvOutput[Row]) complete() error { return o.table.Flush() }

type jsonOutput[Row any] struct {
	to     io.Writer
	fields []field
	line   []byte
}

func (o *jsonOutput[Row]) write(rows []Row) error {
	for i := range rows {
		o.line = append(appendJSON(o.line[:0], o.fields, reflect.ValueOf(&rows[i]).Elem()), '\n')
		if _, err := o.to.Write(o.line); err != nil {
			return err
		}
	}
	return nil
}

func (o *jsonOutput[Row]) complete() error { return nil }

// batchRows is the number of rows that are read at once, unless they are long.
const batchRows = 256

func readRows[Row any]() int {
	if _, ok := any(new(Row)).(*Body); ok {
		return 8 // each can have as many bytes as the limit
	}
	return batchRows
}
