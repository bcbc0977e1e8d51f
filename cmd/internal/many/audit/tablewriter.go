package audit

import (
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// The bounds of a row group, which is kept in memory and then written.
const (
	groupRows  = 50_000
	groupBytes = 8 << 20 // of texts and bodies
)

// maxRowBytes bounds the texts and bodies of a row, which are in one page for each column.
const maxRowBytes = math.MaxInt32 - 1<<20

// unbound are the columns without a least and greatest value for each row group. Bounds would not
// let a query skip a group. They would repeat whole bodies, or take time for each row.
var unbound = []string{"body", "record", "digest", "crawler", "rule", "redirect", "chain", "names"}

type tableWriter[Row any] struct {
	to    *parquet.GenericWriter[Row]
	texts []field // the columns with texts or bodies
	// Columns in which the rows of one write can differ: a dictionary has the values of the
	// others once.
	own   []field
	rows  int // in the row group
	bytes int // of texts and bodies in the row group
}

func newTable[Row any](to io.Writer, shard Shard, made *wire.AuditProvenance) *tableWriter[Row] {
	options := append(madeBy(made), parquet.Compression(&parquet.Snappy),
		parquet.KeyValueMetadata(meaningKey, strconv.Itoa(meaning)))
	for _, f := range fieldsOf[Row]() {
		options = append(options, parquet.SkipPageStatistics(f.Name)) // the index of pages has these bounds too
		if slices.Contains(unbound, f.Name) {
			options = append(options, parquet.SkipPageBounds(f.Name))
		}
	}
	if shard.Count > 1 {
		options = append(options, parquet.KeyValueMetadata(shardKey, shard.String()))
	}
	w := &tableWriter[Row]{to: parquet.NewGenericWriter[Row](to, options...)}
	for _, f := range fieldsOf[Row]() {
		if f.physical() == parquet.ByteArray {
			w.texts = append(w.texts, f)
			if f.Name == "rule" {
				w.own = append(w.own, f)
			}
		}
	}
	return w
}

func (w *tableWriter[Row]) write(rows []Row) error {
	columns := w.texts
	for i := range rows {
		size := size(&rows[i], columns)
		columns = w.own
		if size > maxRowBytes {
			return term.Errorf("a Parquet file cannot have the %d bytes of one row in a page", size).Hint("choose a smaller --limit")
		}
		w.bytes += size
	}
	if _, err := w.to.Write(rows); err != nil {
		return err
	}
	w.rows += len(rows)
	if w.rows < groupRows && w.bytes < groupBytes {
		return nil
	}
	w.rows, w.bytes = 0, 0
	return w.to.Flush()
}

// size returns the number of bytes of the texts and bodies of a row in some columns.
func size[Row any](of *Row, columns []field) (size int) {
	row := reflect.ValueOf(of).Elem()
	for i := range columns {
		v := row.Field(columns[i].index)
		if columns[i].Null {
			if v.IsNil() {
				continue
			}
			v = v.Elem()
		}
		size += v.Len()
	}
	return size
}

func (w *tableWriter[Row]) complete() error { return w.to.Close() }

// reset makes a complete table an empty one in another file.
func (w *tableWriter[Row]) reset(to io.Writer) {
	w.to.Reset(to)
	w.rows, w.bytes = 0, 0
}
