package audit

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

type content struct {
	name   string
	likely []string
}

// contents are the possible contents of columns in a table of robots.txt files. Each has names
// of columns from which it is guessed.
var contents = []content{
	{"host", []string{"host", "hostname", "domain", "site"}},
	{"url", []string{"url", "robots_url", "uri", "target_uri"}},
	{"status", []string{"status", "status_code", "http_status", "code"}},
	{"fetched_at", []string{"fetched_at", "fetch_time", "crawled_at", "timestamp", "date", "time"}},
	{"location", []string{"location", "redirect"}},
	{"body", []string{"body", "robots_txt", "robotstxt", "robots.txt", "robots", "content", "text"}},
}

// columnsOf returns the index of the column with each content, -1 if there is none. It also
// returns which columns were guessed.
func (c Config) columnsOf(name string, columns []string) (at []int, err error) {
	for key := range c.Columns {
		if !slices.ContainsFunc(contents, func(content content) bool { return content.name == key }) {
			return nil, term.Errorf("--columns %s=%s: columns contain no %q", key, c.Columns[key], key).Hint("they are host, url, status, fetched_at, location and body")
		}
	}
	var guessed []string
	for _, content := range contents {
		index := -1
		given, ok := c.Columns[content.name]
		switch {
		case !ok:
			index = content.guess(columns, at)
			if index >= 0 {
				guessed = append(guessed, content.name+"="+columns[index])
			}
		case given != "": // else the table has none
			index = slices.Index(columns, given)
			if index < 0 {
				return nil, term.Errorf("%q has no column %q for %s", name, given, content.name).Hint("its columns are " + term.First(columns, 20))
			}
		}
		at = append(at, index)
	}
	if at[5] < 0 || at[0] < 0 && at[1] < 0 {
		return nil, term.Errorf("%q needs a column with the robots.txt files, and a column with their hosts or URLs; its columns are %s", name, term.First(columns, 20)).Hint("name the columns, such as --columns host=domain,body=content; audit reads its own tables only as Parquet, and not bodies")
	}
	if c.Note != nil && len(guessed) > 0 {
		c.Note(fmt.Sprintf("%s is read with --columns %s", term.Source(name), strings.Join(guessed, ",")))
	}
	return at, nil
}

// guess returns the index of the column that is likely to have a content, -1 if there is none.
// Columns in taken have another content.
func (c *content) guess(columns []string, taken []int) int {
	for _, likely := range c.likely {
		index := slices.IndexFunc(columns, func(column string) bool { return strings.EqualFold(column, likely) })
		if index >= 0 && !slices.Contains(taken, index) {
			return index
		}
	}
	return -1
}

// rowInput fills a line from the cells of a row. at are the columns of contents.
func rowInput(cell func(content int) (text string, ok bool), hasStatus bool) (l lineInput, err error) {
	l.Host, _ = cell(0)
	l.URL, _ = cell(1)
	if text, _ := cell(2); text != "" {
		l.Status, err = strconv.Atoi(text)
		if err != nil {
			return l, &statusError{text}
		}
	}
	at, _ := cell(3)
	l.FetchedAt = timeOfLine(at)
	l.Location, _ = cell(4)
	body, ok := cell(5)
	if isEmpty := body == ""; ok && !(isEmpty && hasStatus && l.Status == 0) {
		l.Body = &body
	}
	return l, nil
}

// statusError is a text in the status column that is not a number.
type statusError struct{ text string }

func (e *statusError) Error() string { return fmt.Sprintf("%.40q is not an HTTP status", e.text) }

func (r *reader) row(record string, l lineInput, err error, hasStatus bool) error {
	in := Input{Record: record}
	if e, ok := errors.AsType[*statusError](err); ok {
		r.noStatus = cmp.Or(r.noStatus, e.text)
	} else {
		r.statuses = r.statuses || hasStatus && l.Status != 0
	}
	if err == nil && l.Body == nil && hasStatus && l.Status == 0 && (l.Host != "" || l.URL != "") {
		l.Body = new("")
		err = r.fill(&in, &l)
		in.Body, in.Problem, in.Detail = nil, NoAnswer, "the row has no status and no file"
	} else if err == nil {
		err = r.fill(&in, &l)
	}
	if err == errOtherPath {
		return r.ended() // a table of a crawl might have only such rows
	}
	if err != nil {
		in.Body, in.Problem, in.Detail = nil, Damaged, term.Reason(err)
	}
	return r.yield(&in)
}

// csvFile is a CSV or TSV file with a robots.txt in each row.
type csvFile struct {
	name    string
	config  Config
	columns []int // of contents
	meter
}

func openCSV(name string, config Config) (Source, error) {
	c := &csvFile{name: name, config: config}
	file, rows, err := c.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c.columns, err = config.csvColumns(name, rows)
	return c, err
}

// csvColumns reads the first row of a CSV file, which names its columns.
func (c Config) csvColumns(name string, rows *csvRows) (at []int, err error) {
	head, _, err := rows.read()
	switch {
	case err == io.EOF:
		return nil, errEmpty
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	case err != nil:
		return nil, term.Errorf("cannot read %q: %v", name, err).Hint("its first row has the names of columns")
	}
	if kindOf(head) != "" {
		return nil, term.Prefixed(term.Source(name)+": ", errTable)
	}
	return c.columnsOf(name, head)
}

func (c *csvFile) Name() string { return c.name }

func (c *csvFile) open() (*os.File, *csvRows, error) {
	file, err := os.Open(c.name)
	if err != nil {
		return nil, nil, err
	}
	if info, err := file.Stat(); err == nil {
		c.all.Store(info.Size())
	}
	rows, err := c.config.csvRows(c.name, bufio.NewReaderSize(meteredReader{file, &c.meter}, 64<<10))
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, rows, nil
}

// csvRows returns the rows of a CSV file, or of a TSV file if its name says so.
func (c Config) csvRows(name string, stored *bufio.Reader) (*csvRows, error) {
	text, err := unzipped(stored)
	if err != nil {
		return nil, err
	}
	return newCSVRows(withoutMark(text), strings.Contains(strings.ToLower(name), ".tsv"), c.maxLine()), nil
}

func (c *csvFile) Files(ctx context.Context, yield func(*Input) error) error {
	file, rows, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	rows.read() // the names
	return newReader(ctx, c.config, yield).csv(rows, c.columns)
}

// csv yields the files in the rows of a CSV file after the first one.
func (r *reader) csv(rows *csvRows, columns []int) error {
	hasStatus := columns[2] >= 0
	for {
		row, at, err := rows.read()
		if err == io.EOF {
			return r.rowsEnd()
		}
		if parse := (*csv.ParseError)(nil); err != nil && !errors.As(err, &parse) {
			return err
		}
		var l lineInput
		if err == nil {
			l, err = rowInput(func(content int) (string, bool) {
				if columns[content] < 0 {
					return "", false
				}
				return row[columns[content]], true
			}, hasStatus)
		}
		if err := r.row(line(at), l, err, hasStatus); err != nil {
			return err
		}
	}
}

func withoutMark(text *bufio.Reader) *bufio.Reader {
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		text.Discard(3)
	}
	return text
}

// parquetFile is a Parquet file with a robots.txt in each row.
type parquetFile struct {
	name    string
	config  Config
	columns []int // of contents
	meter
}

func openParquet(name string, columns []string, config Config) (Source, error) {
	at, err := config.columnsOf(name, columns)
	return &parquetFile{name: name, config: config, columns: at}, err
}

func (p *parquetFile) Name() string { return p.name }

func (p *parquetFile) Files(ctx context.Context, yield func(*Input) error) error {
	table, err := openTable(p.name)
	if err != nil {
		return err
	}
	defer table.Close()
	p.all.Store(table.NumRows())
	r := newReader(ctx, p.config, yield)
	number := 0
	for _, group := range table.RowGroups() {
		if err := p.group(r, table.Schema(), group, &number); err != nil {
			return err
		}
	}
	return r.rowsEnd()
}

func (p *parquetFile) group(r *reader, schema *parquet.Schema, group parquet.RowGroup, number *int) error {
	rows := group.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, 8) // each can have as many bytes as the limit
	type read struct {
		line lineInput
		err  error
	}
	batch := make([]read, len(buffer))
	for {
		n, err := readBatch(p.name, rows, buffer, func(i int) {
			batch[i].line, batch[i].err = rowInput(func(content int) (string, bool) {
				return p.cell(schema, buffer[i], content)
			}, p.columns[2] >= 0)
		})
		for _, row := range batch[:n] {
			*number++
			p.read.Add(1)
			if err := r.row("row "+strconv.Itoa(*number), row.line, row.err, p.columns[2] >= 0); err != nil {
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

// cell returns the text of a cell, and false if it is null.
func (p *parquetFile) cell(schema *parquet.Schema, row parquet.Row, content int) (string, bool) {
	column := p.columns[content]
	if column < 0 {
		return "", false
	}
	for _, value := range row {
		switch {
		case value.Column() != column:
			continue
		case value.IsNull():
			return "", false
		case value.Kind() == parquet.ByteArray || value.Kind() == parquet.FixedLenByteArray:
			return string(value.ByteArray()), true
		}
		leaf, ok := schema.Lookup(schema.Columns()[column]...)
		if logical := leaf.Node.Type().LogicalType(); ok && logical != nil {
			switch kind := logical.Value.(type) {
			case *format.DateType:
				return time.Unix(int64(value.Int32())*24*60*60, 0).UTC().Format(time.RFC3339), true
			case *format.TimestampType:
				return timestamp(value.Int64(), kind.Unit.Value.Duration()).Format(time.RFC3339Nano), true
			}
		}
		return value.String(), true
	}
	return "", false
}

func timestamp(n int64, unit time.Duration) time.Time {
	second := int64(time.Second / unit)
	return time.Unix(n/second, n%second*int64(unit)).UTC()
}
