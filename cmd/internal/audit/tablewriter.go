package audit

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"reflect"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// mark begins and ends a Parquet file. [Parquet, File Format]
const mark = "PAR1"

// The bounds of a row group, which is kept in memory and then written.
const (
	groupRows  = 50_000
	groupBytes = 8 << 20 // of values, equal ones in a dictionary once
)

// tableWriter writes the rows of a table to a Parquet file, as row groups with one page for
// each column. The library that reads tables writes them too, but a value at a time and several
// times as slowly: here a value costs little if it is that of the row before, as are most of
// the rows about one file.
type tableWriter[Row any] struct {
	file     io.WriteCloser
	row      *Row // the one that the columns read
	columns  []*column
	crawler  *column // see add; nil without one
	repeats  int     // of the row before, which the other columns do not have yet
	end      int64   // of the file
	rows     int     // in the row group
	bytes    int     // of values in the row group
	metadata format.FileMetaData
	page     []byte
	packed   []byte
	zstd     *zstd.Encoder // nil before the first page that uses it
}

func createTable[Row any](name string, shard Shard) (*tableWriter[Row], error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return newTable[Row](file, shard), nil
}

func newTable[Row any](to io.WriteCloser, shard Shard) *tableWriter[Row] {
	w := &tableWriter[Row]{file: to, row: new(Row)}
	row := reflect.ValueOf(w.row).Elem()
	fields := fieldsOf[Row]()
	w.metadata = format.FileMetaData{
		Version: 2, CreatedBy: "robotstxt",
		Schema: []format.SchemaElement{{Name: row.Type().Name(), NumChildren: thrift.New(int32(len(fields)))}},
	}
	for _, f := range fields {
		c := newColumn(f, row.Field(f.index))
		if f.Name == "crawler" {
			w.crawler = c
		}
		w.columns = append(w.columns, c)
		w.metadata.Schema = append(w.metadata.Schema, f.element())
		w.metadata.ColumnOrders = append(w.metadata.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	if shard.Count > 1 {
		w.metadata.KeyValueMetadata = []format.KeyValue{{Key: shardKey, Value: shard.String()}}
	}
	return w
}

func (w *tableWriter[Row]) write(row *Row) error { return w.add(row, false) }

// add writes a row. repeats says that it is the row before but for the crawler.
func (w *tableWriter[Row]) add(row *Row, repeats bool) error {
	if repeats && w.rows > 0 {
		*w.row = *row
		w.bytes += w.crawler.add()
		w.repeats++
	} else {
		w.repeat()
		*w.row = *row
		for _, c := range w.columns {
			w.bytes += c.add()
		}
	}
	w.rows++
	if w.rows == groupRows || w.bytes >= groupBytes {
		return w.flush()
	}
	return nil
}

// repeat repeats the values of the last row in the columns but that of crawlers.
func (w *tableWriter[Row]) repeat() {
	if w.repeats == 0 {
		return
	}
	for _, c := range w.columns {
		if c != w.crawler {
			w.bytes += c.addAgain(w.repeats)
		}
	}
	w.repeats = 0
}

// flush writes the row group.
func (w *tableWriter[Row]) flush() error {
	if w.end == 0 {
		if err := w.append([]byte(mark)); err != nil {
			return err
		}
	}
	if w.rows == 0 {
		return nil
	}
	w.repeat()
	group := format.RowGroup{NumRows: int64(w.rows), FileOffset: w.end, Ordinal: int16(len(w.metadata.RowGroups))}
	for _, c := range w.columns {
		chunk, err := w.chunk(c)
		if err != nil {
			return err
		}
		group.Columns = append(group.Columns, chunk)
		group.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		group.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
		c.reset()
	}
	w.metadata.RowGroups = append(w.metadata.RowGroups, group)
	w.metadata.NumRows += group.NumRows
	w.rows, w.bytes = 0, 0
	return nil
}

// chunk writes the values of a column in the row group.
func (w *tableWriter[Row]) chunk(c *column) (chunk format.ColumnChunk, err error) {
	chunk.MetaData = format.ColumnMetaData{
		Type: c.physical, Codec: c.codec, PathInSchema: []string{c.Name}, NumValues: int64(w.rows), Statistics: c.statistics(),
		Encoding: []format.Encoding{format.Plain, format.RLE},
	}
	encoding := format.Plain
	if c.indexed && c.count > 0 {
		encoding = format.RLEDictionary
		chunk.MetaData.Encoding = append(chunk.MetaData.Encoding, encoding)
		chunk.MetaData.DictionaryPageOffset = w.end
		header := format.PageHeader{Type: format.DictionaryPage}
		header.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: int32(c.count), Encoding: format.Plain})
		if err := w.writePage(&chunk.MetaData, &header, c.data); err != nil {
			return chunk, err
		}
	}
	if w.page, err = c.appendPage(w.page[:0]); err != nil {
		return chunk, err
	}
	chunk.MetaData.DataPageOffset = w.end
	header := format.PageHeader{Type: format.DataPage}
	header.DataPageHeader = thrift.New(format.DataPageHeader{
		NumValues: int32(w.rows), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
	})
	return chunk, w.writePage(&chunk.MetaData, &header, w.page)
}

// writePage writes a page and adds its size to that of its column.
func (w *tableWriter[Row]) writePage(of *format.ColumnMetaData, header *format.PageHeader, page []byte) (err error) {
	if len(page) > math.MaxInt32 {
		return term.Errorf("choose a smaller --limit", "a Parquet file cannot have the %d bytes of one column in a page", len(page))
	}
	if of.Codec == format.Zstd {
		if w.zstd == nil {
			if w.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
				return err
			}
		}
		w.packed = w.zstd.EncodeAll(page, w.packed[:0])
	} else {
		w.packed = snappy.Encode(w.packed[:cap(w.packed)], page)
	}
	header.UncompressedPageSize, header.CompressedPageSize = int32(len(page)), int32(len(w.packed))
	header.CRC = int32(crc32.ChecksumIEEE(w.packed))
	head, err := thrift.Marshal(new(thrift.CompactProtocol), header)
	if err != nil {
		return err
	}
	of.TotalUncompressedSize += int64(len(head) + len(page))
	of.TotalCompressedSize += int64(len(head) + len(w.packed))
	return errors.Join(w.append(head), w.append(w.packed))
}

func (w *tableWriter[Row]) append(data []byte) error {
	n, err := w.file.Write(data)
	w.end += int64(n)
	return err
}

// Close completes the file, and closes it.
func (w *tableWriter[Row]) Close() error {
	err := w.flush()
	if err == nil {
		err = writeFooter(w.file, &w.metadata)
	}
	return errors.Join(err, w.file.Close())
}

// writeFooter writes the metadata and the end of a Parquet file.
func writeFooter(to io.Writer, metadata *format.FileMetaData) error {
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), metadata)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	_, err = to.Write(append(footer, mark...))
	return err
}
