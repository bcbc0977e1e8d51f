package valkey

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strconv"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cache"
)

// A value on the server is
//
//	"1"        the version
//	19 digits  FetchedAt in nanoseconds since 1970
//	19 digits  Expires, likewise
//	4 bytes    CRC-32C of the key, of the digits and of all that follows
//	"r" or "z" whether the data is raw or zstd
//	…          the data
//
// The times are digits because a script compares them, and because a person may
// want to read them: GETRANGE robotstxt:{https://example.com:443}:e 0 38.
const (
	version   = '1'
	timeWidth = 19
	headWidth = 1 + 2*timeWidth
	sumWidth  = 4
	minValue  = headWidth + sumWidth + 1

	raw        = 'r'
	compressed = 'z'

	// maxData bounds the data of an entry. It is four times the most that a
	// crawler reads of a file.
	maxData = 2 << 20
)

var (
	errOtherVersion = errors.New("valkey: a value of another version")
	errDamaged      = errors.New("valkey: a damaged value")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encoder and decoder are for use by all goroutines at once, up to one for each
// processor. Neither starts a goroutine here.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(512<<10))
		if err != nil {
			panic(err) // none of the options depends on anything
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxData))
		if err != nil {
			panic(err)
		}
		return d
	})
)

// digits returns t as a value has it. All times that cache.Entry.Check accepts
// have the same width.
func digits(t time.Time) string {
	const zeros = "0000000000000000000"
	number := strconv.FormatInt(t.UnixNano(), 10)
	return zeros[:timeWidth-len(number)] + number
}

func encode(key string, e cache.Entry) string {
	b := make([]byte, 0, minValue+len(e.Data))
	b = append(b, version)
	b = append(b, digits(e.FetchedAt)...)
	b = append(b, digits(e.Expires)...)
	b = append(b, 0, 0, 0, 0, compressed)
	b = encoder().EncodeAll(e.Data, b)
	if len(b) >= minValue+len(e.Data) {
		b = append(b[:minValue], e.Data...)
		b[minValue-1] = raw
	}
	binary.BigEndian.PutUint32(b[headWidth:], checksum(key, b))
	return string(b)
}

// checksum covers the key, so that a value that got under another one is none.
func checksum(key string, value []byte) uint32 {
	sum := crc32.Checksum([]byte(key), castagnoli)
	sum = crc32.Update(sum, castagnoli, value[:headWidth])
	return crc32.Update(sum, castagnoli, value[headWidth+sumWidth:])
}

// decode reads what encode wrote. Its errors are errOtherVersion and
// errDamaged.
func decode(key, value string) (cache.Entry, error) {
	if value == "" || value[0] != version {
		return cache.Entry{}, errOtherVersion
	}
	b := []byte(value)
	if len(b) < minValue || checksum(key, b) != binary.BigEndian.Uint32(b[headWidth:]) {
		return cache.Entry{}, errDamaged
	}
	fetchedAt, err1 := parseDigits(value[1 : 1+timeWidth])
	expires, err2 := parseDigits(value[1+timeWidth : headWidth])
	data, err3 := unpack(b[minValue-1], b[minValue:])
	if errors.Join(err1, err2, err3) != nil {
		return cache.Entry{}, errDamaged
	}
	return cache.Entry{FetchedAt: fetchedAt, Expires: expires, Data: data}, nil
}

func parseDigits(s string) (time.Time, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	return time.Unix(0, n).UTC(), err
}

// unpack returns data without room for an append to write into.
func unpack(coding byte, data []byte) ([]byte, error) {
	switch coding {
	case raw:
	case compressed:
		var err error
		if data, err = decoder().DecodeAll(data, nil); err != nil {
			return nil, err
		}
	default:
		return nil, errDamaged
	}
	return data[:len(data):len(data)], nil
}
