package disk

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// row is the stored form of an entry. Times are nanoseconds since 1970.
type row struct {
	key                []byte
	fetchedAt, expires int64
	size               int64  // of the uncompressed data
	sum                int64  // checksum of the other fields
	data               []byte // compressed
}

// rowColumns lists the columns of a row in the order of row.scan.
const rowColumns = "key, fetched_at, expires, size, sum, data"

// maxEntry is the size of the largest data that a store keeps, whatever its
// MaxBytes.
const maxEntry = sqlitefile.MaxData

// hash returns the hash of a key in the index. Of two keys with the same hash only
// the last one is kept. Among a billion keys a collision is improbable, and because
// SHA-256 is used an attacker cannot make one with a given key.
func hash(key string) int64 {
	sum := sha256.Sum256([]byte(key))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// newRow compresses an entry. The row shares no memory with it.
func newRow(key string, e cache.Entry) row {
	r := row{
		key:       []byte(key),
		fetchedAt: e.FetchedAt.UnixNano(),
		expires:   e.Expires.UnixNano(),
		size:      int64(len(e.Data)),
		data:      sqlitefile.Compress(e.Data),
	}
	r.sum = r.checksum()
	return r
}

// checksum returns the checksum of all other fields. It detects flipped bits and
// exchanged pages.
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

// scan reads a row of rowColumns. It returns an error that wraps sqlitefile.ErrDamaged if the
// types or the checksum are wrong.
func (r *row) scan(values []driver.Value) error {
	var ok [6]bool
	r.key, ok[0] = values[0].([]byte)
	r.fetchedAt, ok[1] = values[1].(int64)
	r.expires, ok[2] = values[2].(int64)
	r.size, ok[3] = values[3].(int64)
	r.sum, ok[4] = values[4].(int64)
	r.data, ok[5] = values[5].([]byte)
	if ok != [...]bool{true, true, true, true, true, true} || r.sum != r.checksum() {
		return fmt.Errorf("%w row", sqlitefile.ErrDamaged)
	}
	return nil
}

// entry decompresses a row.
func (r *row) entry() (cache.Entry, error) {
	data, err := sqlitefile.Decompress(r.data, r.size)
	if err != nil {
		return cache.Entry{}, err
	}
	return cache.Entry{
		FetchedAt: instant(r.fetchedAt),
		Expires:   instant(r.expires),
		Data:      data,
	}, nil
}

// stored returns the approximate size of a row in the database. SQLite's overhead
// and the indexes take 60 bytes.
func (r *row) stored() int {
	return len(r.key) + len(r.data) + 60
}

func instant(nanoseconds int64) time.Time {
	return time.Unix(0, nanoseconds).UTC()
}
