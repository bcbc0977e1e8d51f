package audit

import (
	"context"
	"io"
	"net/http"

	"github.com/kosterhq/robotstxt/fetch"
)

// Resolved returns the redirect of a record.
func Resolved(from, location string) string {
	var in Input
	in.URL = from
	in.Status = 301
	in.setHeader(http.Header{"Location": {location}})
	return in.Redirect
}

// ProblemOf returns the problem of the row of an input, "" if there is none.
func ProblemOf(ctx context.Context, in *Input, p fetch.Policy) (problem string, err error) {
	var rows Rows
	err = newAnalyst(Questions{Policy: p}, true, false).analyse(ctx, in, &rows)
	if rows.File.Problem != nil {
		problem = *rows.File.Problem
	}
	return problem, err
}

// SetMaxSkippedRecords changes the bound of skipped records that are noted.
func SetMaxSkippedRecords(n int) (restore func()) {
	was := maxSkippedRecords
	maxSkippedRecords = n
	return func() { maxSkippedRecords = was }
}

// WriteRows writes a Parquet file with rows.
func WriteRows[Row any](to io.Writer, rows []Row) error {
	w := newTable[Row](to, Shard{}, nil)
	for i := range rows {
		if err := w.write(rows[i : i+1]); err != nil {
			return err
		}
	}
	return w.complete()
}

// CrawlerRows returns the rows of crawlers of all files of a source, made one file after the other.
func CrawlerRows(ctx context.Context, source Source, q Questions) (all []Crawler, err error) {
	a := newAnalyst(q, true, false)
	a.input = source.Name()
	err = source.Files(ctx, func(in *Input) error {
		var rows Rows
		err := a.analyse(ctx, in, &rows)
		all = append(all, rows.Crawlers...)
		return err
	})
	return all, err
}

// ReadHostNamesWithin is ReadHostNames with a number of bytes for the rows.
func ReadHostNamesWithin(bytes int64, table io.Reader) (map[string]string, error) {
	return readHostNames(table, keptRows{left: bytes})
}

// ReadStrataWithin is ReadStrata with a number of bytes for the rows.
func ReadStrataWithin(bytes int64, file io.Reader, column string) (*Strata, error) {
	return readStrata(file, column, keptRows{left: bytes})
}
