package warc_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
)

const file = "User-agent: *\nDisallow: /private/\n"

func packed(open func(io.Writer) io.WriteCloser) string {
	var out bytes.Buffer
	w := open(&out)
	io.WriteString(w, file)
	w.Close()
	return out.String()
}

func TestParseResponse(t *testing.T) {
	gzipped := string(compressed(file))
	chunked := "10\r\n" + file[:16] + "\r\n12;name=value\r\n" + file[16:] + "\r\n0\r\nTrailer: x\r\n\r\n"
	for name, c := range map[string]struct{ head, body, want string }{
		"plain":               {"", file, file},
		"chunked":             {"Transfer-Encoding: chunked\r\n", chunked, file},
		"chunked, decoded":    {"Transfer-Encoding: chunked\r\n", file, file},
		"chunked, cut":        {"Transfer-Encoding: chunked\r\n", chunked[:50], file[:16] + file[16:][:50-37]},
		"gzip":                {"Content-Encoding: gzip\r\n", gzipped, file},
		"gzip with zeros":     {"Content-Encoding: gzip\r\n", gzipped + "\x00\x00", file},
		"gzip, decoded":       {"Content-Encoding: gzip\r\n", file, file},
		"gzip of an old name": {"content-encoding: X-GZIP\r\n", gzipped, file},
		"no compression":      {"Content-Encoding: utf-8\r\n", file, file},
		"chunked and gzip":    {"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", "1000\r\n" + gzipped, file},
		"twice":               {"Content-Encoding: gzip, gzip\r\n", string(compressed(gzipped)), file},
		"deflate":             {"Content-Encoding: deflate\r\n", packed(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), file},
		"deflate without zlib": {"Content-Encoding: deflate\r\n", packed(func(w io.Writer) io.WriteCloser {
			z, _ := flate.NewWriter(w, 9)
			return z
		}), file},
		"deflate that ends early is text": {"Content-Encoding: deflate\r\n", "\x03\x00" + file, "\x03\x00" + file},
		"br":                              {"Content-Encoding: br\r\n", packed(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }), file},
		"zstd": {"Content-Encoding: zstd\r\n", packed(func(w io.Writer) io.WriteCloser {
			z, _ := zstd.NewWriter(w)
			return z
		}), file},
		// Deflate was applied last, and the body does not begin like it.
		"deflate, decoded":            {"Content-Encoding: gzip, deflate\r\n", gzipped, gzipped},
		"decoded as its archive says": {"X-Crawl-Content-Encoding: gzip\r\n", file, file},
	} {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + c.head + "\r\n" + c.body
		got, err := warc.ParseResponse([]byte(block), 1000)
		if err != nil || string(got.Body) != c.want || got.Status != 200 || got.Cut {
			t.Errorf("%s: %q, %+v, %v", name, got.Body, got, err)
		}
	}
}

func TestParseResponseLimit(t *testing.T) {
	for name, block := range map[string]string{
		"plain": "HTTP/1.1 200 OK\r\n\r\n" + file,
		"gzip":  "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + string(compressed(file)),
		"bomb":  "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\n" + string(compressed(string(compressed(file+strings.Repeat("a", 50<<20))))),
	} {
		if got, err := warc.ParseResponse([]byte(block), 10); err != nil || string(got.Body) != file[:10] || !got.Cut {
			t.Errorf("%s: %q, cut %v, %v", name, got.Body, got.Cut, err)
		}
		if got, err := warc.ParseResponse([]byte(block), len(file)); err != nil || string(got.Body) != file ||
			got.Cut != (name == "bomb") {
			t.Errorf("%s: %q, cut %v, %v", name, got.Body, got.Cut, err)
		}
	}
}

func TestParseResponseStatus(t *testing.T) {
	for head, want := range map[string]int{
		"HTTP/1.0 404 Not Found\r\n\r\n": 404, "HTTP/2 503\r\n\r\n": 503, "HTTP/1.1  200\n\n": 200, "HTTP/1.1 999 Request denied\r\nX: y\r\n\r\n": 999,
		"": 0, "HTTP/1.1\r\n\r\n": 0, "HTTP/1.1 20 OK\r\n\r\n": 0, "HTTP/1.1 2000\r\n\r\n": 0, "HTTP/1.1 -20 OK\r\n\r\n": 0,
		"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n": 200, "HTTP/1.1 100 Continue\n\nHTTP/1.1 103 x\n\nHTTP/2 404\n\n": 404,
		"HTTP/1.1 103 Early Hints\r\n\r\n": 103, "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nno end": 0, "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 404 x\r\n\r\n": 200,
		"User-agent: *\n\n": 0, "HTTP/1.1 200 OK\r\nno end": 0,
	} {
		got, err := warc.ParseResponse([]byte(head), 10)
		if (err == nil) != (want != 0) || err == nil && got.Status != want {
			t.Errorf("%q: %d, %v", head, got.Status, err)
		}
	}
}

// The status of a response is known even if its body is not.
func TestUndecodableBody(t *testing.T) {
	gzipped := string(compressed(file))
	for name, c := range map[string]struct{ head, body string }{
		"cut gzip":       {"Content-Encoding: gzip", gzipped[:20]},
		"damaged gzip":   {"Content-Encoding: gzip", gzipped[:15] + "x" + gzipped[16:]},
		"unknown coding": {"Content-Encoding: sdch", file},
		"three times":    {"Content-Encoding: gzip, gzip, gzip", file},
		"no brotli":      {"Content-Encoding: br", file},
		"damaged chunks": {"Transfer-Encoding: chunked", "5\r\nhello\r\nzzz\r\nhello\r\n"},
		"window of zstd": {"Content-Encoding: zstd", "\x28\xb5\x2f\xfd\x00\xb8\x01\x00\x00"},
	} {
		got, err := warc.ParseResponse([]byte("HTTP/1.1 200 OK\r\n"+c.head+"\r\n\r\n"+c.body), 1000)
		if !errors.Is(err, warc.ErrBody) || got.Status != 200 {
			t.Errorf("%s: status %d, %v", name, got.Status, err)
		}
	}
}

// The fields that decide a response are those of the final one, with all their values.
func TestParseResponseHeader(t *testing.T) {
	got, err := warc.ParseResponse([]byte("HTTP/1.1 103 x\r\nLocation: /no\r\n\r\nHTTP/1.1 206 x\r\nlocation: /a\r\nLOCATION: /b\r\n"+
		"Content-Range: bytes 0-3/4\r\nCDN-cache-control: max-age=9\r\n\r\nabcd"), 10)
	if fmt.Sprint(got.Header) != "map[Cdn-Cache-Control:[max-age=9] Content-Range:[bytes 0-3/4] Location:[/a /b]]" || err != nil || got.Sent != 4 {
		t.Errorf("%+v, %v", got, err)
	}
	for head, want := range map[string]int64{"": int64(len(file)), "Content-Encoding: gzip\r\n": -1, "Content-Encoding: utf-8\r\n": int64(len(file))} {
		got, err := warc.ParseResponse([]byte("HTTP/1.1 200 OK\r\n"+head+"\r\n"+file), 1000)
		if got.Sent != want || got.Header == nil || err != nil {
			t.Errorf("%q: %d bytes were sent, %v", head, got.Sent, err)
		}
	}
}
