package audit

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"reflect"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// column collects the values of a column in a row group. [Parquet, Encodings]
type column struct {
	field
	value    reflect.Value // in the row of the writer
	physical format.Type
	codec    format.CompressionCodec

	levels  []byte           // 1 for each row with a value, 0 for null; empty for a column without nulls
	data    []byte           // the values in the encoding PLAIN; with a dictionary each once
	count   int              // of the values in data
	least   []byte           // of the values, in PLAIN without their lengths, see statistics
	most    []byte           // likewise
	numbers map[string]int32 // of the values in the dictionary
	indexes []int32          // in the dictionary, one for each value
	encoded []byte           // one value, or levels or indexes

	// The value that was added last. Rows share pointers to values, so an equal pointer
	// tells an equal value; the pointer is kept so that no other value can get its address.
	at   uintptr
	kept reflect.Value
	text string
}

func newColumn(f field, value reflect.Value) *column {
	c := &column{field: f, value: value, physical: f.physical(), codec: format.Snappy}
	if f.zstd {
		c.codec = format.Zstd
	}
	if f.indexed {
		c.numbers = map[string]int32{}
	}
	return c
}

// reset begins a row group.
func (c *column) reset() {
	clear(c.numbers)
	c.levels, c.data, c.indexes, c.count, c.least, c.most = c.levels[:0], c.data[:0], c.indexes[:0], 0, nil, nil
	c.at, c.kept, c.text = 0, reflect.Value{}, ""
}

// add adds the value in the row of the writer, and returns how many bytes of memory it needs.
func (c *column) add() int {
	v := c.value
	switch {
	case c.Null:
		at := v.Pointer()
		if at == 0 {
			c.levels = append(c.levels, 0)
			return 0
		}
		c.levels = append(c.levels, 1)
		if c.indexed && at == c.at {
			return c.repeat()
		}
		v = v.Elem()
		c.at, c.kept = at, v
	case c.indexed && v.Kind() == reflect.String:
		text := v.String()
		if len(c.indexes) > 0 && text == c.text {
			return c.repeat()
		}
		c.text = text
	}
	if !c.indexed {
		return c.addPlain(v)
	}
	c.encoded = appendPlain(c.encoded[:0], v)
	index, ok := c.numbers[string(c.encoded)]
	size := 4
	if !ok {
		index = int32(c.count)
		c.numbers[string(c.encoded)] = index
		size += c.addPlain(v)
	}
	c.indexes = append(c.indexes, index)
	return size
}

// repeat adds the value that was added last.
func (c *column) repeat() int {
	c.indexes = append(c.indexes, c.indexes[len(c.indexes)-1])
	return 4
}

// addAgain adds the value or null in the row of the writer n times. It was added last.
func (c *column) addAgain(n int) (size int) {
	isNull := c.Null && c.levels[len(c.levels)-1] == 0
	for range n {
		switch {
		case isNull:
			c.levels = append(c.levels, 0)
		case c.indexed && c.Null:
			c.levels = append(c.levels, 1)
			size += c.repeat()
		case c.indexed:
			size += c.repeat()
		default:
			size += c.add()
		}
	}
	return size
}

// addPlain adds a value to the data.
func (c *column) addPlain(v reflect.Value) int {
	before := len(c.data)
	switch c.physical {
	case format.Boolean: // a bit
		if c.count%8 == 0 {
			c.data = append(c.data, 0)
		}
		if v.Bool() {
			c.data[len(c.data)-1] |= 1 << (c.count % 8)
		}
	case format.ByteArray:
		c.data = binary.LittleEndian.AppendUint32(c.data, uint32(v.Len()))
		c.data = appendPlain(c.data, v)
		c.bound(c.data[before+4:])
	default:
		c.data = appendPlain(c.data, v)
		c.bound(c.data[before:])
	}
	c.count++
	return len(c.data) - before
}

// appendPlain appends a value in the encoding PLAIN, a text without its length.
func appendPlain(to []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(to, v.String()...)
	case reflect.Int32:
		return binary.LittleEndian.AppendUint32(to, uint32(v.Int()))
	case reflect.Int64:
		return binary.LittleEndian.AppendUint64(to, uint64(v.Int()))
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(to, math.Float64bits(v.Float()))
	}
	return append(to, v.Bytes()...)
}

// maxStatistic bounds the texts in statistics, in bytes.
const maxStatistic = 256

// bound widens the bounds of the values. Bodies have none.
func (c *column) bound(value []byte) {
	if c.Type == "bytes" {
		return
	}
	if c.least == nil || c.compare(value, c.least) < 0 {
		c.least = append([]byte{}, value...)
	}
	if c.most == nil || c.compare(value, c.most) > 0 {
		c.most = append([]byte{}, value...)
	}
}

func (c *column) compare(a, b []byte) int {
	order := binary.LittleEndian
	switch c.physical {
	case format.Int32:
		return cmp.Compare(int32(order.Uint32(a)), int32(order.Uint32(b)))
	case format.Int64:
		return cmp.Compare(int64(order.Uint64(a)), int64(order.Uint64(b)))
	case format.Double:
		return cmp.Compare(math.Float64frombits(order.Uint64(a)), math.Float64frombits(order.Uint64(b)))
	}
	return bytes.Compare(a, b)
}

// statistics returns what lets a reader skip the row group.
func (c *column) statistics() (s format.Statistics) {
	s.NullCount = int64(bytes.Count(c.levels, []byte{0}))
	if len(c.least) <= maxStatistic && len(c.most) <= maxStatistic {
		s.MinValue, s.MaxValue = c.least, c.most
	}
	return s
}

// appendPage appends the data page: levels, then values or their indexes.
func (c *column) appendPage(to []byte) (page []byte, err error) {
	if c.Null {
		if c.encoded, err = (&rle.Encoding{BitWidth: 1}).EncodeLevels(c.encoded, c.levels); err != nil {
			return nil, err
		}
		to = append(binary.LittleEndian.AppendUint32(to, uint32(len(c.encoded))), c.encoded...)
	}
	if !c.indexed {
		return append(to, c.data...), nil
	}
	if c.count == 0 {
		return to, nil
	}
	c.encoded, err = new(rle.DictionaryEncoding).EncodeInt32(c.encoded, c.indexes)
	return append(to, c.encoded...), err
}

// physical returns the type in which a Parquet file stores a column.
func (f *field) physical() format.Type {
	switch f.kind {
	case reflect.Bool:
		return format.Boolean
	case reflect.Int32:
		return format.Int32
	case reflect.Int64:
		return format.Int64
	case reflect.Float64:
		return format.Double
	}
	return format.ByteArray
}

// element describes a column in the schema of a Parquet file.
func (f *field) element() format.SchemaElement {
	e := format.SchemaElement{Name: f.Name, Type: thrift.New(f.physical()), RepetitionType: thrift.New(format.Required)}
	if f.Null {
		e.RepetitionType = thrift.New(format.Optional)
	}
	switch {
	case f.Type == "string":
		e.ConvertedType, e.LogicalType.Value = thrift.New(deprecated.UTF8), new(format.StringType)
	case f.Type == "time":
		e.ConvertedType = thrift.New(deprecated.TimestampMillis)
		e.LogicalType.Value = &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.MilliSeconds)}}
	case f.kind == reflect.Int32:
		e.ConvertedType, e.LogicalType.Value = thrift.New(deprecated.Int32), &format.IntType{BitWidth: 32, IsSigned: true}
	case f.kind == reflect.Int64:
		e.ConvertedType, e.LogicalType.Value = thrift.New(deprecated.Int64), &format.IntType{BitWidth: 64, IsSigned: true}
	}
	return e
}
