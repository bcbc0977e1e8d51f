package warc

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/cacheheader"
	"github.com/kosterhq/robotstxt/internal/contentcoding"
)

// Response is an HTTP response in the block of a record.
type Response struct {
	Status int         // 100 to 999, of the final response
	Header http.Header // the fields that fetch.Response needs, and those about caches; not nil, and not to be changed

	// Body is the body without transfer coding and content coding, at most limit
	// bytes. It can be a part of the block.
	Body []byte
	// Cut reports that the body has more bytes than limit.
	Cut bool
	// Sent is the number of bytes of the body in the block before its content coding was removed. It is
	// negative if the block has the decoded body.
	Sent int64
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
	r.Sent = int64(len(body))
	if err == nil {
		var isDecoded bool
		r.Body, r.Cut, isDecoded, err = decompressed(body, head.codings, limit)
		if isDecoded {
			r.Sent = -1
		}
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

// noHeader is the header of the many responses that have none of the fields.
var noHeader = http.Header{}

// parse reads the head of the final response. Interim ones can precede it. [RFC 9110 15.2]
func (h *responseHead) parse(block []byte) (body []byte, err error) {
	body, err = h.one(block)
	for err == nil && h.Status/100 == 1 && bytes.HasPrefix(body, []byte("HTTP/")) {
		*h = responseHead{}
		body, err = h.one(body)
	}
	return body, err
}

func (h *responseHead) one(block []byte) (body []byte, err error) {
	h.Header = noHeader
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
	case isField(name, "location"):
		h.addHeader("Location", value)
	case isField(name, "content-range"):
		h.addHeader("Content-Range", value)
	case isField(name, "cache-control"):
		h.addHeader("Cache-Control", value)
	case isField(name, "expires"):
		h.addHeader("Expires", value)
	case isField(name, "content-encoding"):
		h.codings = append(h.codings, string(value))
	case isField(name, "transfer-encoding"):
		h.chunked = bytes.EqualFold(value, []byte("chunked"))
	default:
		for _, targeted := range cacheheader.Targeted {
			if ascii.EqualFold(name, targeted) {
				h.addHeader(targeted, value)
			}
		}
	}
}

func (h *responseHead) addHeader(name string, value []byte) {
	if len(h.Header) == 0 {
		h.Header = http.Header{}
	}
	h.Header[name] = append(h.Header[name], string(value))
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
// limit bytes. isDecoded means that there was nothing to remove although the head names codings. [RFC 9110 8.4]
func decompressed(body []byte, codings []string, limit int) (decoded []byte, cut, isDecoded bool, err error) {
	compressions := contentcoding.Compressions(codings)
	n := len(compressions)
	if n > maxCompressions {
		return nil, false, false, fmt.Errorf("it was compressed %d times", n)
	}
	if n > 0 && compressions[n-1] == "deflate" && isFlate(body, limit) {
		compressions[n-1] = rawDeflate
	} else if n == 0 || !beginsLike(body, compressions[n-1]) {
		return body[:min(limit, len(body))], len(body) > limit, n > 0, nil
	}
	decoder := io.Reader(bytes.NewReader(body))
	for _, compression := range slices.Backward(compressions) {
		layer, err := newDecoder(compression, decoder)
		if err != nil {
			return nil, false, false, err
		}
		defer layer.Close()
		decoder = layer
	}
	decoded, err = io.ReadAll(io.LimitReader(decoder, int64(limit)+1))
	if len(decoded) > limit {
		return decoded[:limit], true, false, nil
	}
	if err != nil && err != io.ErrUnexpectedEOF { // body is in memory, so it is an error of the decoder
		err = errors.New("the compressed data are damaged")
	}
	return decoded, false, false, err
}

// rawDeflate is deflate without the head of zlib, which many servers send and browsers read.
const rawDeflate = "raw deflate"

// isFlate reports whether all of a body is deflate without the head of zlib, or its first limit decoded bytes are.
func isFlate(body []byte, limit int) bool {
	if len(body) == 0 || isZlib(body) {
		return false
	}
	stored := bytes.NewReader(body) // a ByteReader, of which no byte after the end is read
	n, err := io.Copy(io.Discard, io.LimitReader(flate.NewReader(stored), int64(limit)+1))
	return err == nil && (stored.Len() == 0 || n > int64(limit))
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
	case compression == rawDeflate:
		return flate.NewReader(from), nil
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
