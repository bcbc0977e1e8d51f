package valkey

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cache"
)

// A value on the server is
//
//	"1"        version
//	19 digits  FetchedAt in nanoseconds since 1970
//	19 digits  Expires in the same form
//	4 bytes    CRC-32C of the key, the digits and everything after the checksum
//	"r" or "z" raw data or zstd
//	…          data
//
// The times are digits because a script compares them, and so that people can read
// them: GETRANGE robotstxt:{https://example.com:443}:e 0 38.
//
// A later version begins with a greater digit and has the same times and checksum, so
// that this version leaves such a value alone until it expires.
const (
	version   = '1'
	timeWidth = 19
	headWidth = 1 + 2*timeWidth
	sumWidth  = 4
	minValue  = headWidth + sumWidth + 1

	raw        = 'r'
	compressed = 'z'

	// maxData is the size of the largest data that the store keeps: four times
	// the 500 KiB that a crawler reads of a file.
	maxData = 2 << 20
)

var (
	errNewer    = fmt.Errorf("valkey: %w", cache.ErrNewer)
	errNotEntry = errors.New("valkey: this package did not write the value")
	errDamaged  = errors.New("valkey: damaged value")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The encoder and the decoder are safe for concurrent use, with one worker for each
// processor. They start no goroutines.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true),
			zstd.WithWindowSize(512<<10))
		if err != nil {
			panic(err) // the options are constant
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

// digits formats t as in a value. All times that cache.Entry.Check accepts have the
// same width.
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

// checksum returns the checksum of a value. It includes the key, so that a value
// under a wrong key is invalid.
func checksum(key string, value []byte) uint32 {
	sum := crc32.Checksum([]byte(key), castagnoli)
	sum = crc32.Update(sum, castagnoli, value[:headWidth])
	return crc32.Update(sum, castagnoli, value[headWidth+sumWidth:])
}

// decode reverses encode. Its errors are errNotEntry, errDamaged, and errNewer with an
// entry that has times only.
func decode(key, value string) (cache.Entry, error) {
	if value == "" || value[0] < version || value[0] > '9' {
		return cache.Entry{}, errNotEntry
	}
	b := []byte(value)
	if len(b) < minValue || checksum(key, b) != binary.BigEndian.Uint32(b[headWidth:]) {
		return cache.Entry{}, errDamaged
	}
	fetchedAt, err1 := parseDigits(value[1 : 1+timeWidth])
	expires, err2 := parseDigits(value[1+timeWidth : headWidth])
	if errors.Join(err1, err2) != nil {
		return cache.Entry{}, errDamaged
	}
	if b[0] > version {
		return cache.Entry{FetchedAt: fetchedAt, Expires: expires}, errNewer
	}
	data, err := unpack(b[minValue-1], b[minValue:])
	if err != nil {
		return cache.Entry{}, errDamaged
	}
	return cache.Entry{FetchedAt: fetchedAt, Expires: expires, Data: data}, nil
}

func parseDigits(s string) (time.Time, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	return time.Unix(0, n).UTC(), err
}

// unpack returns the decoded data, with a capacity that makes append copy.
func unpack(coding byte, data []byte) ([]byte, error) {
	switch coding {
	case raw:
	case compressed:
		var err error
		data, err = decoder().DecodeAll(data, nil)
		if err != nil {
			return nil, err
		}
	default:
		return nil, errDamaged
	}
	return data[:len(data):len(data)], nil
}
