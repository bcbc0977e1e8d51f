package audit

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// readingIn returns how a crawler reads files, in words: the dialect, or the two it can
// have if no source says which one. It is empty if no line can name the crawler.
func readingIn(dialect, other *string) string {
	if dialect == nil || other == nil {
		return valueOf(dialect)
	}
	return *dialect + " or " + *other
}

// ReadTable adds the rows of a table of files or of crawlers, a Parquet file of an earlier
// audit. Rows belong to the crawl with the table's label, or, if the table has none, to the
// crawl that they name.
func (c *Census) ReadTable(ctx context.Context, table Table) error {
	head, err := headIn(table.Name)
	if err != nil {
		return err
	}
	kind := kindOf(head.columns)
	if kind == crawlerRows {
		for _, name := range neededColumns {
			if !slices.Contains(head.columns, name) {
				return term.Errorf("%s has no column %q, without which its sites cannot be counted", term.Escape(table.Name), name).Hint("copy all columns, or audit the files again")
			}
		}
	}
	table.Place, err = c.readShard(table, kind, head.shard)
	if err != nil {
		return err
	}
	policy := head.policy()
	crawl := func(row *string) (*Crawl, error) {
		label := table.Label
		if label == "" {
			label = valueOf(row)
		}
		of := c.Crawl(label)
		c.mu.Lock()
		defer c.mu.Unlock()
		of.sources.decidedBy(policy)
		return of, ctx.Err()
	}
	if kind == fileRows {
		return readFileRows(table.Name, table.Place, crawl)
	}
	notes := &tableNotes{crawls: map[*Crawl]bool{}, hasRest: slices.Contains(head.columns, "rest"),
		isMarked: head.meaning != ""}
	err = readCrawlerRows(table.Name, table.Place, crawl, notes.note)
	c.mu.Lock()
	defer c.mu.Unlock()
	notes.end()
	return err
}

// neededColumns are the columns of a table of crawlers without which a file would seem to be a fault, or the reverse.
var neededColumns = []string{"matched_by", "outcome", "body"}

func (c *Census) wants(crawler string) bool {
	if c.Only == nil || c.Only(crawler) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.others == nil {
		c.others = map[string]bool{}
	}
	c.others[crawler] = true
	return false
}

// NoneOf returns an error if the tables have crawlers, but none that Only selects.
func (c *Census) NoneOf() error {
	for _, crawl := range c.crawls {
		if len(crawl.crawlers) > 0 {
			return nil
		}
	}
	if len(c.others) == 0 {
		return nil
	}
	return term.Errorf("the tables have none of these crawlers").Hint("they have " + term.First(slices.Sorted(maps.Keys(c.others)), 20))
}

func (c *Crawl) readPart(files, crawlers string, input int) error {
	crawl := func(*string) (*Crawl, error) { return c, nil }
	return errors.Join(readFileRows(files, input, crawl), readCrawlerRows(crawlers, input, crawl, nil))
}

func readFileRows(name string, table int, crawl func(label *string) (*Crawl, error)) error {
	number := 0
	return ReadTable(name, func(f *File) error {
		of, err := crawl(f.Crawl)
		of.add([]capture{captureOf(f, int32(table), int64(number))})
		number++
		return err
	})
}

// readCrawlerRows adds the rows of crawlers. The rows of a file come one after the other. note, if it is not nil, is
// called for each.
func readCrawlerRows(name string, table int, crawl func(label *string) (*Crawl, error),
	note func(of *Crawl, row *Crawler, v *verdict)) error {
	number := 0
	var current capture
	var of *Crawl
	var verdicts []verdict
	flush := func() {
		if of == nil {
			return
		}
		current.verdicts = []byte{}
		for i := range verdicts {
			current.verdicts = appendVerdict(current.verdicts, &verdicts[i], of.census.lines)
		}
		of.add([]capture{current})
		clear(verdicts)
		verdicts = verdicts[:0]
		number++
	}
	err := ReadTable(name, func(row *Crawler) (err error) {
		if next := captureIn(row, int32(table), int64(number)); of == nil || next.place != current.place {
			flush()
			current = next
			of, err = crawl(row.Crawl)
			if err != nil {
				return err
			}
		}
		if !of.census.wants(row.Crawler) {
			return nil
		}
		of.census.mu.Lock()
		column := of.column(row.Crawler)
		of.read(column, readingIn(row.Dialect, row.Other))
		v := verdictIn(row)
		if note != nil {
			note(of, row, &v)
		}
		of.census.mu.Unlock()
		for len(verdicts) <= column {
			verdicts = append(verdicts, verdict{})
		}
		verdicts[column] = v
		return nil
	})
	flush()
	return err
}

// kindOf returns the kind of the audit's table with these columns, or "" if there is none.
func kindOf(columns []string) tableKind {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(columns, name) })
	}
	switch {
	case has("record", "crawler", "access"):
		return crawlerRows
	case has("record", "outcome", "groups"):
		return fileRows
	}
	return ""
}

// tableHead is what a Parquet file says of itself.
type tableHead struct {
	columns           []string
	shard, provenance string // "" without one
	meaning           string // see meaningKey; "" without one
}

func headIn(name string) (head tableHead, err error) {
	defer guard(name, &err)
	table, err := openTable(name, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return head, err
	}
	defer table.Close()
	for _, path := range table.Schema().Columns() {
		head.columns = append(head.columns, strings.Join(path, "."))
	}
	head.shard, _ = table.Lookup(shardKey)
	head.provenance, _ = table.Lookup(provenanceKey)
	head.meaning, _ = table.Lookup(meaningKey)
	return head, nil
}

// labelsIn calls yield for the label of each row of a table, "" without one.
func labelsIn(name string, yield func(string)) error { return textsIn(name, "crawl", yield) }

// textsIn calls yield for the text in a column of each row of a table, and once with "" if there is no such column.
func textsIn(name, column string, yield func(string)) (err error) {
	defer guard(name, &err)
	table, err := openTable(name)
	if err != nil {
		return err
	}
	defer table.Close()
	leaf, ok := table.Schema().Lookup(column)
	if !ok {
		yield("")
		return nil
	}
	for _, group := range table.RowGroups() {
		if err := valuesIn(group.ColumnChunks()[leaf.ColumnIndex], yield); err != nil {
			return tableError(name, errNotTable)
		}
	}
	return nil
}

// valuesIn calls yield for each value of a column of texts, "" for null, but once for equal
// values that follow each other.
func valuesIn(column parquet.ColumnChunk, yield func(string)) error {
	pages := column.Pages()
	defer pages.Close()
	buffer := make([]parquet.Value, batchRows)
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		last := (*parquet.Value)(nil)
		for values := page.Values(); err == nil; {
			var n int
			n, err = values.ReadValues(buffer)
			for _, value := range buffer[:n] {
				if last == nil || !parquet.Equal(value, *last) {
					last = new(value.Clone())
					yield(string(value.ByteArray()))
				}
			}
		}
		parquet.Release(page)
		if err != io.EOF {
			return err
		}
	}
}
