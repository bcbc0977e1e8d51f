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

// hash returns the hash of a key in the index. If two keys have the same hash, only
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

func (r *row) checksum() int64 {
	return sqlitefile.Checksum([]int64{r.fetchedAt, r.expires, r.size, int64(len(r.key))}, r.key, r.data)
}

// scan reads a row of rowColumns. It returns an error that wraps sqlitefile.ErrDamaged if the
// types or the checksum are wrong.
func (r *row) scan(values []driver.Value) error {
	if !sqlitefile.Scan(values, &r.key, &r.fetchedAt, &r.expires, &r.size, &r.sum, &r.data) || r.sum != r.checksum() {
		return fmt.Errorf("%w row", sqlitefile.ErrDamaged)
	}
	return nil
}

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
