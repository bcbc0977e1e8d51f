package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdFrame and dictionaryFrame begin frames of zstd, the second one a skippable frame with
// a dictionary. [RFC 8878 3.1, WARC Zstandard 1.0]
var (
	zstdFrame       = []byte{0x28, 0xb5, 0x2f, 0xfd}
	dictionaryFrame = []byte{0x5d, 0x2a, 0x4d, 0x18}
)

// IsZstd reports whether an archive begins like one that is compressed with zstd.
func IsZstd(begin []byte) bool {
	return bytes.HasPrefix(begin, zstdFrame) || bytes.HasPrefix(begin, dictionaryFrame)
}

// The bounds of a decoder's memory, in bytes.
const (
	maxArchiveWindow = 32 << 20
	maxDictionary    = 16 << 20
)

// zstdReader decompresses an archive of zstd frames. After damage, the rest is unreadable.
type zstdReader struct {
	stored  *bufio.Reader
	decoder *zstd.Decoder // nil before the first Read
}

func (z *zstdReader) Read(p []byte) (int, error) {
	if z.decoder == nil {
		if err := z.open(); err != nil {
			return 0, err
		}
	}
	return z.decoder.Read(p)
}

func (z *zstdReader) open() (err error) {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxArchiveWindow)}
	if begin, _ := z.stored.Peek(8); len(begin) == 8 && bytes.HasPrefix(begin, dictionaryFrame) {
		dictionary, err := z.dictionary(binary.LittleEndian.Uint32(begin[4:]))
		if err != nil {
			return err
		}
		options = append(options, zstd.WithDecoderDicts(dictionary))
	}
	z.decoder, err = zstd.NewReader(z.stored, options...)
	return err
}

// dictionary reads the frame with the dictionary, which can be compressed itself.
func (z *zstdReader) dictionary(size uint32) ([]byte, error) {
	if size > maxDictionary {
		return nil, errors.New("the dictionary of the archive is too large")
	}
	z.stored.Discard(8)
	text := make([]byte, size)
	if _, err := io.ReadFull(z.stored, text); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text, zstdFrame) {
		return text, nil
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDictionary))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(text, nil)
}
