package warc

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/internal/contentcoding"
)

// Response is an HTTP response in the block of a record.
type Response struct {
	Status   int    // 100 to 999
	Location string // the value of the header; empty if there is none

	// Body is the body without transfer coding and content coding, at most limit
	// bytes. It can be a part of the block.
	Body []byte
	// Cut reports that the body has more bytes than limit.
	Cut bool
}

// ErrBody reports a body that could not be decoded. The status is known then.
var ErrBody = errors.New("the body cannot be decoded")

// ParseResponse reads the HTTP response in a block, and at most limit bytes of its
// body. If the error is an ErrBody, the response is valid except for its body.
//
// Some programs store decoded bodies with the server's original heads. A body that does
// not begin like its coding counts as decoded. [WARC 1.1 6.3.2, RFC 9112 7]
func ParseResponse(block []byte, limit int) (Response, error) {
	var head responseHead
	body, err := head.parse(block)
	if err != nil {
		return Response{}, err
	}
	r := head.Response
	if head.chunked {
		body, err = dechunked(body)
	}
	if err == nil {
		r.Body, r.Cut, err = decompressed(body, head.codings, limit)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrBody, err)
	}
	return r, err
}

type responseHead struct {
	Response          // without its body
	codings  []string // values of Content-Encoding
	chunked  bool
}

func (h *responseHead) parse(block []byte) (body []byte, err error) {
	line, rest, ok := bytes.Cut(block, []byte("\n"))
	h.Status, err = readStatus(line)
	if err != nil {
		return nil, err
	}
	for ok {
		line, rest, ok = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			return rest, nil
		}
		h.addField(line)
	}
	return nil, errors.New("the HTTP head has no end")
}

func readStatus(line []byte) (int, error) {
	version, rest, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
	code, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	status, err := strconv.Atoi(string(code))
	if !bytes.HasPrefix(version, []byte("HTTP/")) || err != nil || len(code) != 3 || status < 100 {
		return 0, fmt.Errorf("the block begins with %.40q instead of an HTTP status line", line)
	}
	return status, nil
}

func (h *responseHead) addField(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case isField(name, "location") && h.Location == "":
		h.Location = string(value)
	case isField(name, "content-encoding"):
		h.codings = append(h.codings, string(value))
	case isField(name, "transfer-encoding"):
		h.chunked = bytes.EqualFold(value, []byte("chunked"))
	}
}

var errChunk = errors.New("a chunk of the transfer coding has no size")

// dechunked removes the chunked transfer coding in place. A body that does not begin
// with the size of a chunk is returned unchanged. A last chunk can be missing, because
// blocks are cut. [RFC 9112 7.1]
func dechunked(body []byte) ([]byte, error) {
	decoded := body[:0:len(body)]
	for first := true; ; first = false {
		line, rest, ok := bytes.Cut(body, []byte("\n"))
		size, err := chunkSize(line)
		switch {
		case first && (err != nil || !ok):
			return body, nil
		case !ok:
			return decoded, nil
		case err != nil:
			return nil, errChunk
		case size == 0:
			return decoded, nil
		}
		size = min(size, len(rest))
		decoded = append(decoded, rest[:size]...)
		body = bytes.TrimPrefix(bytes.TrimPrefix(rest[size:], []byte("\r")), []byte("\n"))
	}
}

func chunkSize(line []byte) (int, error) {
	digits, _, _ := bytes.Cut(line, []byte(";"))
	size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 31)
	return int(size), err
}

// maxCompressions is the limit of compressions of a body, applied one after the other.
const maxCompressions = 2

// decompressed removes the content codings, the last one first, and returns at most
// limit bytes. [RFC 9110 8.4]
func decompressed(body []byte, codings []string, limit int) (decoded []byte, cut bool, err error) {
	compressions := contentcoding.Compressions(codings)
	if len(compressions) > maxCompressions {
		return nil, false, fmt.Errorf("it was compressed %d times", len(compressions))
	}
	if n := len(compressions); n == 0 || !beginsLike(body, compressions[n-1]) {
		return body[:min(limit, len(body))], len(body) > limit, nil
	}
	decoder := io.Reader(bytes.NewReader(body))
	for _, compression := range slices.Backward(compressions) {
		layer, err := newDecoder(compression, decoder)
		if err != nil {
			return nil, false, err
		}
		defer layer.Close()
		decoder = layer
	}
	decoded, err = io.ReadAll(io.LimitReader(decoder, int64(limit)+1))
	if len(decoded) > limit {
		return decoded[:limit], true, nil
	}
	if err != nil && err != io.ErrUnexpectedEOF { // body is in memory, so it is an error of the decoder
		err = errors.New("the compressed data are damaged")
	}
	return decoded, false, err
}

// beginsLike reports whether a body might have a compression. Brotli has no mark at its
// beginning.
func beginsLike(body []byte, compression string) bool {
	switch {
	case contentcoding.IsGzip(compression):
		return bytes.HasPrefix(body, []byte{0x1f, 0x8b})
	case compression == "zstd":
		return bytes.HasPrefix(body, []byte{0x28, 0xb5, 0x2f, 0xfd})
	case compression == "deflate":
		return isZlib(body)
	}
	return len(body) > 0
}

// isZlib reports whether a body begins with the two bytes of a zlib stream.
// [RFC 1950 2.2]
func isZlib(body []byte) bool {
	return len(body) >= 2 && body[0]&0x0f == 8 && (int(body[0])<<8|int(body[1]))%31 == 0
}

// maxWindow bounds the memory of a zstd decoder, in bytes. [RFC 8878 3.1.1.1.2]
const maxWindow = 8 << 20

func newDecoder(compression string, from io.Reader) (io.ReadCloser, error) {
	switch {
	case contentcoding.IsGzip(compression):
		decoder, err := contentcoding.NewGzip(from)
		return io.NopCloser(decoder), err
	case compression == "deflate":
		return zlib.NewReader(from)
	case compression == "br":
		return io.NopCloser(brotli.NewReader(from)), nil
	case compression == "zstd":
		decoder, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return decoder.IOReadCloser(), nil
	}
	return nil, fmt.Errorf("its Content-Encoding is %.40q", compression)
}
