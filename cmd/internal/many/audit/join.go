package audit

import (
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// mark begins and ends a Parquet file. [Parquet, File Format]
const mark = "PAR1"

// joinTables writes the Parquet files of one audit as one, with its provenance, which can be nil. It copies their row
// groups without decoding them, and moves the offsets in their metadata.
func joinTables(names []string, made *wire.AuditProvenance, out io.Writer) error {
	if _, err := io.WriteString(out, mark); err != nil {
		return err
	}
	j := &joiner{out: out, end: int64(len(mark))}
	for _, name := range names {
		if err := j.add(name); err != nil {
			return err
		}
	}
	if made != nil {
		version, commit := toolOf(made)
		j.metadata.CreatedBy = "robotstxt version " + version + "(build " + commit + ")"
		j.metadata.KeyValueMetadata = append(j.metadata.KeyValueMetadata,
			format.KeyValue{Key: provenanceKey, Value: provenanceText(made)})
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &j.metadata)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	_, err = out.Write(append(footer, mark...))
	return err
}

type joiner struct {
	out      io.Writer
	end      int64 // of the file
	metadata format.FileMetaData
}

func (j *joiner) add(name string) error {
	table, err := openTable(name, parquet.SkipPageIndex(true))
	if err != nil {
		return err
	}
	defer table.Close()
	var tail [4]byte // the length of the metadata, before the mark
	if _, err := table.ReadAt(tail[:], table.Size()-8); err != nil {
		return err
	}
	size := table.Size() - 8 - int64(binary.LittleEndian.Uint32(tail[:])) - int64(len(mark))
	if _, err := io.Copy(j.out, io.NewSectionReader(table, int64(len(mark)), size)); err != nil {
		return err
	}
	j.addMetadata(table.Metadata(), j.end-int64(len(mark)))
	j.end += size
	return nil
}

// addMetadata adds the metadata of a file whose bytes were moved. It omits the page index,
// which has its own offsets.
func (j *joiner) addMetadata(from *format.FileMetaData, moved int64) {
	groups, rows := j.metadata.RowGroups, j.metadata.NumRows
	if len(groups) == 0 {
		j.metadata = *from
		j.metadata.RowGroups = nil
	}
	for _, group := range from.RowGroups {
		group.Ordinal = int16(len(groups))
		group.FileOffset += moved
		for i := range group.Columns {
			column := &group.Columns[i]
			column.FileOffset += moved
			column.OffsetIndexOffset = 0
			column.OffsetIndexLength = 0
			column.ColumnIndexOffset = 0
			column.ColumnIndexLength = 0
			for _, offset := range []*int64{&column.MetaData.DataPageOffset, &column.MetaData.DictionaryPageOffset} {
				if *offset > 0 {
					*offset += moved
				}
			}
		}
		groups = append(groups, group)
	}
	j.metadata.RowGroups, j.metadata.NumRows = groups, rows+from.NumRows
}
