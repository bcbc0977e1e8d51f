package audit

import "io"

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
