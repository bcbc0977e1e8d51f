package audit

import (
	"io"
	"testing"
)

// SetGroupRows sets how many rows a row group has at most during a test.
func SetGroupRows(t *testing.T, n int) {
	before := groupRows
	t.Cleanup(func() { groupRows = before })
	groupRows = n
}

// WriteRows writes a Parquet file with rows.
func WriteRows[Row any](to io.Writer, rows []Row) error {
	w := newTable[Row](to, Shard{})
	for i := range rows {
		if err := w.write(&rows[i]); err != nil {
			return err
		}
	}
	return w.complete()
}
