package files

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/internal/contentcoding"
)

// maxWindow bounds the memory of a decoder, in bytes. It is the largest window that zstd
// --ultra writes without --long.
const maxWindow = 128 << 20

// Decompressed returns the content of a file that is compressed with gzip, zstd or bzip2, the files in a
// ZIP archive, or a file that is not compressed. For xz and UTF-16 the error is a *ConvertError. A file
// that was cut ends with an error, such as io.ErrUnexpectedEOF. Reading to the end releases the decoder's
// memory.
func Decompressed(r io.Reader) (io.Reader, error) {
	text := bufio.NewReader(r)
	if begin, _ := text.Peek(2); string(begin) == "\x1f\x8b" {
		return contentcoding.NewGzip(text)
	}
	if begin, _ := text.Peek(1); len(begin) == 1 && bytes.IndexByte([]byte("BP\xfd\xfe\xff"), begin[0]) >= 0 {
		begin, _ := text.Peek(6)
		switch {
		case bytes.HasPrefix(begin, []byte("BZh")):
			return bzip2.NewReader(text), nil
		case bytes.HasPrefix(begin, []byte(zipMagic)):
			return &unzip{from: text}, nil
		}
		if err := convertErrorOf(begin); err != nil {
			return nil, err
		}
	}
	return Unzstd(text)
}

// Unzstd is Decompressed for zstd only: other files are returned as they are.
func Unzstd(r io.Reader) (io.Reader, error) {
	const magic = "\x28\xb5\x2f\xfd" // RFC 8878 3.1.1
	from := &source{r: r}
	text := bufio.NewReader(from)
	for n := 1; n <= len(magic); n++ { // a person might type the rest later
		if begin, _ := text.Peek(n); string(begin) != magic[:n] {
			return text, nil
		}
	}
	decoder, err := zstd.NewReader(text, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return &zstdReader{decoder: decoder, from: from}, nil
}

// source keeps the error of a file, as opposed to one of its decoder.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

type zstdReader struct {
	decoder *zstd.Decoder
	from    *source
	err     error // of all further reads: the decoder has then been closed
}

var errDamagedZstd = errors.New("the zstd data are damaged")

func (z *zstdReader) Read(p []byte) (n int, err error) {
	if z.err != nil {
		return 0, z.err
	}
	n, err = z.decoder.Read(p)
	if err == nil {
		return n, nil
	}
	z.decoder.Close()
	z.err = err
	if err != io.EOF && err != io.ErrUnexpectedEOF && z.from.err == nil {
		z.err = errDamagedZstd
	}
	return n, z.err
}
