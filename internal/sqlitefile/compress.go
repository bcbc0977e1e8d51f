package sqlitefile

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// MaxData is the most that Decompress returns. It is many times the largest robots.txt,
// and small enough for memory.
const MaxData = 16 << 20

// codec returns the encoder and the decoder of this process. Their memory grows with
// the number of processors, not with the number of goroutines; excess callers wait.
var codec = sync.OnceValue(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}) {
	var err error
	c.Encoder, err = zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest), // the next level saves 1% on real files, but takes 50% longer
		zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithWindowSize(256<<10),
		zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderCRC(false)) // rows have checksums
	if err == nil {
		c.Decoder, err = zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
			zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(MaxData))
	}
	if err != nil {
		panic(err) // the options are constant
	}
	return c
})

// Compress returns the compressed form of data.
func Compress(data []byte) []byte {
	return codec().EncodeAll(data, make([]byte, 0, len(data)/2+64))
}

// Decompress returns the data of a compressed form, whose size the caller knows. Its
// error wraps ErrDamaged.
func Decompress(compressed []byte, size int64) ([]byte, error) {
	if size < 0 || size > MaxData {
		return nil, fmt.Errorf("%w: %d bytes", ErrDamaged, size)
	}
	data, err := codec().DecodeAll(compressed, make([]byte, 0, size))
	if err == nil && int64(len(data)) != size {
		err = fmt.Errorf("%d bytes instead of %d", len(data), size)
	}
	if err != nil {
		return nil, fmt.Errorf("%w data: %w", ErrDamaged, err)
	}
	return data[:len(data):len(data)], nil // so that append copies
}
