package disk

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cache"
)

// row is an entry as it is stored. Times are nanoseconds since 1970.
type row struct {
	key                []byte
	fetchedAt, expires int64
	size               int64 // of what was put
	sum                int64
	data               []byte // compressed
}

// rowColumns are what a row is read from, in the order of row.scan.
const rowColumns = "key, fetched_at, expires, size, sum, data"

// maxEntry is the size of the biggest data that any store keeps, whatever its
// MaxBytes: forty times what a robots.txt may have, and still nothing to fill
// the memory with.
const maxEntry = 16 << 20

// hash returns the number under which a key is found. Another key with the same
// number drives it out, which happens to one of 30 billion pairs among a billion
// keys, and which nobody can bring about for the key of another.
func hash(key string) int64 {
	sum := sha256.Sum256([]byte(key))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// codec returns the encoder and the decoder of this process. Each of them has
// as much memory as there are processors, however many goroutines call it: the
// others wait.
var codec = sync.OnceValue(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}) {
	var err error
	c.Encoder, err = zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest), // the next level saves 1 % of real files, and takes half as long again
		zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithWindowSize(256<<10),
		zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderCRC(false)) // a row has a checksum over more
	if err == nil {
		c.Decoder, err = zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
			zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(maxEntry))
	}
	if err != nil {
		panic(err) // the options are constant
	}
	return c
})

// newRow compresses an entry. The row has no bytes in common with it.
func newRow(key string, e cache.Entry) row {
	r := row{
		key:       []byte(key),
		fetchedAt: e.FetchedAt.UnixNano(),
		expires:   e.Expires.UnixNano(),
		size:      int64(len(e.Data)),
		data:      codec().EncodeAll(e.Data, make([]byte, 0, len(e.Data)/2+64)),
	}
	r.sum = r.checksum()
	return r
}

// checksum is over all that a row says, so that neither a flipped bit nor a
// page in the place of another passes for an entry.
func (r *row) checksum() int64 {
	var fixed [4 * 8]byte
	for i, n := range [...]int64{r.fetchedAt, r.expires, r.size, int64(len(r.key))} {
		binary.BigEndian.PutUint64(fixed[8*i:], uint64(n))
	}
	h := sha256.New()
	h.Write(fixed[:])
	h.Write(r.key)
	h.Write(r.data)
	var sum [sha256.Size]byte
	return int64(binary.BigEndian.Uint64(h.Sum(sum[:0])))
}

// scan reads a row of rowColumns. It returns an error that wraps errDamaged
// unless the row is one that was written, whole.
func (r *row) scan(values []driver.Value) error {
	var ok [6]bool
	r.key, ok[0] = values[0].([]byte)
	r.fetchedAt, ok[1] = values[1].(int64)
	r.expires, ok[2] = values[2].(int64)
	r.size, ok[3] = values[3].(int64)
	r.sum, ok[4] = values[4].(int64)
	r.data, ok[5] = values[5].([]byte)
	if ok != [...]bool{true, true, true, true, true, true} || r.sum != r.checksum() {
		return fmt.Errorf("%w row", errDamaged)
	}
	return nil
}

// entry decompresses a row.
func (r *row) entry() (cache.Entry, error) {
	if r.size < 0 || r.size > maxEntry {
		return cache.Entry{}, fmt.Errorf("%w: %d bytes", errDamaged, r.size)
	}
	data, err := codec().DecodeAll(r.data, make([]byte, 0, r.size))
	if err == nil && int64(len(data)) != r.size {
		err = fmt.Errorf("%d bytes, want %d", len(data), r.size)
	}
	if err != nil {
		return cache.Entry{}, fmt.Errorf("%w data: %w", errDamaged, err)
	}
	return cache.Entry{
		FetchedAt: instant(r.fetchedAt),
		Expires:   instant(r.expires),
		Data:      data[:len(data):len(data)], // no room for append to write into
	}, nil
}

// stored is how much of the database a row takes up, about: what SQLite adds
// to it, and its places in the indexes, come to 60 bytes.
func (r *row) stored() int {
	return len(r.key) + len(r.data) + 60
}

func instant(nanoseconds int64) time.Time {
	return time.Unix(0, nanoseconds).UTC()
}
