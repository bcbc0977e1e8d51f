package fetch_test

import (
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/fetch"
)

type fault struct {
	name   string
	serve  func(t testing.TB) (url string)
	config func(*fetch.Config)
	want   string // see verdict
}

// file is the file that the servers would serve without the fault.
const file = "User-agent: *\nDisallow: /private\n"

// patience is the timeout of fetches from a server that never answers. On a busy machine
// inTime has more.
const patience = 60 * time.Millisecond

func hasty(c *fetch.Config) { c.Limits.Timeout = patience }

// partPatience is the timeout of fetches from a server that sends a part and
// then stops. The part must arrive before it.
const partPatience = 4 * patience

func hastyInPart(c *fetch.Config) { c.Limits.Timeout = partPatience }

func verdict(r *fetch.Result) string {
	s := fmt.Sprintf("%v %v %d", r.Outcome, r.Source, r.Status)
	if r.Outcome == fetch.OutcomeRules {
		s += fmt.Sprintf(" %d bytes", r.Bytes)
		if r.Truncated {
			s += " truncated"
		}
		if !r.Delimited {
			s += " undelimited"
		}
	}
	if n := len(r.Hops); n > 0 {
		s += fmt.Sprintf(" after %d", n)
	}
	if r.Err != nil {
		s += ": " + fetch.FaultKind(r.Err)
	}
	return s
}

func expectVerdict(t testing.TB, client *fetch.Client, url, want string) *fetch.Result {
	t.Helper()
	r := fetch.Expect(t, client, url)
	if got := verdict(r); got != want {
		t.Errorf("%s: got %s, want %s (%v)", url, got, want, r.Err)
	}
	return r
}

// plain runs its steps after each request, over HTTP.
func plain(steps ...step) func(testing.TB) string {
	return func(t testing.TB) string { return listen(t, answer(steps...)).url("http") }
}

func secure(config *tls.Config, steps ...step) func(testing.TB) string {
	return func(t testing.TB) string { return listenTLS(t, config, answer(steps...)).url("https") }
}

func status(line, body string, headers ...string) func(testing.TB) string {
	return plain(say(response(line, body, headers...)))
}

func response(line, body string, headers ...string) string {
	head := "HTTP/1.1 " + line + "\r\n"
	for _, h := range headers {
		head += h + "\r\n"
	}
	if body != "" || line == "200 OK" {
		head += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	return head + "\r\n" + body
}

func encoded(encoding string, body []byte) func(testing.TB) string {
	return plain(say(response("200 OK", string(body), "Content-Encoding: "+encoding)))
}

const (
	wholeFile = "rules network 200 33 bytes"

	timeout     = "disallow-all assumed 0: timeout"
	cut         = "disallow-all assumed 0: cut transfer"
	cutBody     = "disallow-all assumed 200: cut transfer"
	resetBody   = "disallow-all assumed 200: connection reset"
	invalid     = "disallow-all assumed 0: invalid response"
	invalidBody = "disallow-all assumed 200: invalid response"
	noTLS       = "disallow-all assumed 0: TLS"
)

func connectFaults() []fault {
	return []fault{
		{"connection refused", func(t testing.TB) string {
			return "http://" + closedAddress(t).String()
		}, nil, "disallow-all assumed 0: connection refused"},
		{"black hole", plain(hold), hasty, timeout},
		{"closed without a response", plain(), nil, cut},
		{"no first byte", plain(hold),
			func(c *fetch.Config) { c.Limits.FirstByteTimeout = patience }, timeout},
		{"header a byte a time", plain(drip(response("200 OK", file), 20*time.Millisecond)),
			func(c *fetch.Config) { c.Limits.FirstByteTimeout = patience }, timeout},
		{"body a byte a time", plain(say("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"), drip(strings.Repeat("#", 5000), 10*time.Millisecond)),
			hastyInPart, "disallow-all assumed 200: timeout"},
		{"reset before the status", plain(reset), nil, "disallow-all assumed 0: connection reset"},
		{"reset within the status", plain(say("HTTP/1.1 20"), reset), nil, invalid},
		{"reset within the headers", plain(say("HTTP/1.1 200 OK\r\nContent-Le"), reset), nil, invalid},
		{"reset within the body", plain(say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"+file), reset), nil, resetBody},
		{"reset of a close-delimited body", plain(say("HTTP/1.1 200 OK\r\n\r\n"+file), reset), nil, resetBody},
		{"unknown host", func(testing.TB) string { return "http://robots.invalid" }, nil, "disallow-all assumed 0: DNS"},
		{"name of 63 bytes a label", func(testing.TB) string { return "http://" + strings.Repeat(strings.Repeat("x", 60)+".", 4) + "invalid" }, nil, "disallow-all assumed 0: DNS"},
		{"address refused by the guard", plain(say(response("200 OK", file))),
			func(c *fetch.Config) { c.Network.AllowPrivate = false }, "disallow-all assumed 0: refused address"},
	}
}

func framingFaults() []fault {
	return []fault{
		{"as it should be", status("200 OK", file), nil, wholeFile},
		{"Content-Length too large", plain(say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + file)), nil, cutBody},
		{"Content-Length too small", plain(say("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n" + file)), nil, "rules network 200 14 bytes"},
		{"Content-Length negative", plain(say("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + file)), nil, invalid},
		{"Content-Length twice, alike", plain(say("HTTP/1.1 200 OK\r\nContent-Length: 33\r\nContent-Length: 33\r\n\r\n" + file)), nil, wholeFile},
		{"Content-Length twice, different", plain(say("HTTP/1.1 200 OK\r\nContent-Length: 33\r\nContent-Length: 14\r\n\r\n" + file)), nil, invalid},
		{"chunked", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n21\r\n" + file + "\r\n0\r\n\r\n")), nil, wholeFile},
		{"chunk size no number", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n" + file + "\r\n0\r\n\r\n")), nil, invalidBody},
		{"chunk size too large", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n" + file + "\r\n0\r\n\r\n")), nil, invalidBody},
		{"chunk cut", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" + file)), nil, cutBody},
		{"cut between chunks", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n21\r\n" + file + "\r\n")), nil, cutBody},
		{"endless chunk line", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"), again(1000, sayBytes(page))), nil, invalidBody},
		{"chunks of a byte each", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), again(100_000, say("1;ext=\"................................\"\r\n#\r\n"))), nil, invalidBody},
		{"endless trailer", plain(say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"), again(100_000, say("X-Y: zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\r\n"))), nil, invalidBody},
		{"close-delimited", plain(say("HTTP/1.0 200 OK\r\n\r\n" + file)), nil, wholeFile + " undelimited"},
		{"HTTP/0.9 garbage", plain(say(file)), nil, invalid},
		{"binary garbage", plain(sayBytes(bytes.Repeat([]byte{0xFF, 0, 0x1B, '['}, 20_000))), nil, invalid},
		{"status line no number", plain(say("HTTP/1.1 abc OK\r\n\r\n")), nil, invalid},
		{"status line HTTP/9.9", plain(say("HTTP/9.9 200 OK\r\nContent-Length: 33\r\n\r\n" + file)), nil, wholeFile},
		{"status line of 4 digits", plain(say("HTTP/1.1 2000 OK\r\n\r\n")), nil, invalid},
		{"header line without colon", plain(say("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n" + file)), nil, invalid},
		{"header line of 100 MB", plain(say("HTTP/1.1 200 OK\r\nX-Y: "), again(100_000_000/len(page), sayBytes(page))), nil, invalid},
		{"headers of 100 MB", plain(say("HTTP/1.1 200 OK\r\n"), again(100_000_000/len(headers), sayBytes(headers))), nil, invalid},
		{"status line of 100 MB", plain(say("HTTP/1.1 200 "), again(100_000_000/len(page), sayBytes(page))), nil, invalid},
		{"200,000 interim responses", plain(again(200, say(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 1000))), say(response("200 OK", file))), nil, invalid},
		{"interim responses for ever", plain(again(1<<30, func(s *faultServer, c net.Conn) error {
			time.Sleep(time.Millisecond)
			return say("HTTP/1.1 103 Early Hints\r\n\r\n")(s, c)
		})), hasty, timeout},
		{"few interim responses", plain(say(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 3)), say(response("200 OK", file))), nil, wholeFile},
	}
}

var (
	page    = bytes.Repeat([]byte("0123456789abcdef"), 4096)
	headers = manyHeaders()
)

// manyHeaders returns as many header lines as fit into 64 KB.
func manyHeaders() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 64<<10-8; i++ {
		fmt.Fprintf(&b, "%x:\r\n", i)
	}
	return b.Bytes()
}

func statusFaults() []fault {
	return []fault{
		{"HTML", status("200 OK", "<!DOCTYPE html>\n<title>Hello</title>\n", "Content-Type: text/html"), nil, "rules network 200 37 bytes"},
		{"UTF-16", status("200 OK", "\xFF\xFEU\x00s\x00e\x00r\x00\n\x00"), nil, "rules network 200 12 bytes"},
		{"empty", status("200 OK", ""), nil, "rules network 200 0 bytes"},
		{"empty, close-delimited", plain(say("HTTP/1.1 200 OK\r\n\r\n")), nil, "rules network 200 0 bytes undelimited"},
		{"101", plain(say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), hold), nil, "disallow-all assumed 101: status"},
		{"204", status("204 No Content", ""), nil, "rules network 204 0 bytes"},
		{"205 with a body", status("205 Reset Content", file), nil, "rules network 205 0 bytes"},
		{"206 of a part", status("206 Partial Content", file, "Content-Range: bytes 0-32/100"), nil, "disallow-all assumed 206: status"},
		{"206 of the whole", status("206 Partial Content", file, "Content-Range: bytes 0-32/33"), nil, "rules network 206 33 bytes"},
		{"206 of the whole, in capitals", status("206 Partial Content", file, "Content-Range: Bytes 0-32/33"), nil, "rules network 206 33 bytes"},
		{"206 of the whole, chunked", plain(say("HTTP/1.1 206 OK\r\nContent-Range: bytes 0-32/33\r\nTransfer-Encoding: chunked\r\n\r\n21\r\n" + file + "\r\n0\r\n\r\n")), nil, "rules network 206 33 bytes"},
		{"206 of the whole, in gzip", status("206 Partial Content", string(gzipped(file)), "Content-Encoding: gzip", fmt.Sprintf("Content-Range: bytes 0-%d/%d", len(gzipped(file))-1, len(gzipped(file)))), nil, "rules network 206 33 bytes"},
		{"206 of the whole, longer than the limit", status("206 Partial Content", strings.Repeat("#\n", 300_000), "Content-Range: bytes 0-599999/600000"), nil, "rules network 206 512000 bytes truncated"},
		{"206 of the whole, cut", plain(say("HTTP/1.1 206 OK\r\nContent-Range: bytes 0-99/100\r\nContent-Length: 100\r\n\r\n" + file)), nil, "disallow-all assumed 206: cut transfer"},
		{"206 with fewer bytes", plain(say("HTTP/1.1 206 OK\r\nContent-Range: bytes 0-99/100\r\n\r\n" + file)), nil, "disallow-all assumed 206: invalid response"},
		{"206 with more bytes", plain(say("HTTP/1.1 206 OK\r\nContent-Range: bytes 0-31/32\r\n\r\n" + file)), nil, "disallow-all assumed 206: invalid response"},
		{"206 with another Content-Length", status("206 Partial Content", file, "Content-Range: bytes 0-31/32"), nil, "disallow-all assumed 206: status"},
		{"206 of the end", status("206 Partial Content", file, "Content-Range: bytes 1-33/34"), nil, "disallow-all assumed 206: status"},
		{"206 of unknown length", status("206 Partial Content", file, "Content-Range: bytes 0-32/*"), nil, "disallow-all assumed 206: status"},
		{"206 in other units", status("206 Partial Content", file, "Content-Range: lines 0-32/33"), nil, "disallow-all assumed 206: status"},
		{"206 of two ranges", status("206 Partial Content", file, "Content-Range: bytes 0-32/33", "Content-Range: bytes 0-32/33"), nil, "disallow-all assumed 206: status"},
		{"206 without Content-Range", status("206 Partial Content", file), nil, "disallow-all assumed 206: status"},
		{"206 in parts", status("206 Partial Content", "--x\r\n", "Content-Type: multipart/byteranges; boundary=x"), nil, "disallow-all assumed 206: status"},
		{"300", status("300 Choose", file), nil, "allow-all network 300"},
		{"300, RFC 9309", status("300 Choose", file), func(c *fetch.Config) { c.Policy = fetch.RFC9309Policy }, "disallow-all assumed 300: status"},
		{"302 without Location, RFC 9309", status("302 Where", file), func(c *fetch.Config) { c.Policy = fetch.RFC9309Policy }, "allow-all network 302"},
		{"304 without validators", status("304 Not Modified", ""), nil, "disallow-all assumed 304: status"},
		{"404", status("404 Not Found", "<h1>Nope"), nil, "allow-all network 404"},
		{"404 cut", plain(say("HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\nx")), nil, "allow-all network 404"},
		{"429", status("429 Slow Down", ""), nil, "disallow-all assumed 429: status"},
		{"503", status("503 Later", ""), nil, "disallow-all assumed 503: status"},
		{"999", status("999 No", file), nil, "disallow-all assumed 999: status"},
		{"000", plain(say("HTTP/1.1 000 No\r\n\r\n")), nil, "disallow-all assumed 0: status"},
		{"500 whose page drips", plain(say("HTTP/1.1 500 Oops\r\nContent-Length: 5000\r\n\r\n"), drip(strings.Repeat("#", 5000), 10*time.Millisecond)),
			func(c *fetch.Config) { c.Limits.Timeout, c.NotFoundPage = partPatience, fetch.LooksNotFound }, "disallow-all assumed 500: status"},
		{"body of exactly the limit", status("200 OK", strings.Repeat("#\n", 256_000)), nil, "rules network 200 512000 bytes"},
		{"body of a byte more", status("200 OK", strings.Repeat("#\n", 256_000)+"#"), nil, "rules network 200 512000 bytes truncated"},
		{"body without end", plain(say("HTTP/1.1 200 OK\r\n\r\n"), again(1<<30, sayBytes(bytes.Repeat([]byte("#\n"), 8<<10)))), nil, "rules network 200 512000 bytes truncated undelimited"},
		{"body of one endless line", plain(say("HTTP/1.1 200 OK\r\n\r\n"), again(1<<30, sayBytes(page))), nil, "rules network 200 0 bytes truncated undelimited"},
		{"body of 500 KiB of rules", status("200 OK", "User-agent: *\n"+strings.Repeat("Disallow: /a\n", 40_000)), nil, "rules network 200 511993 bytes truncated"},
		{"body of 500 KiB of groups", status("200 OK", strings.Repeat("User-agent: a\nDisallow: /\n", 20_000)), nil, "rules network 200 511992 bytes truncated"},
	}
}

func encodingFaults() []fault {
	return []fault{
		{"gzip", encoded("gzip", gzipped(file)), nil, wholeFile},
		{"x-gzip in capitals", encoded("X-GZIP", gzipped(file)), nil, wholeFile},
		{"gzip of nothing at all", encoded("gzip", nil), nil, "rules network 200 0 bytes"},
		{"gzip that is plain", encoded("gzip", []byte(file)), nil, invalidBody},
		{"gzip truncated", encoded("gzip", gzipped(file)[:30]), nil, cutBody},
		{"gzip truncated in its header", encoded("gzip", gzipped(file)[:5]), nil, cutBody},
		{"gzip, wrong checksum", encoded("gzip", append(gzipped(file)[:len(gzipped(file))-8], 1, 2, 3, 4, 33, 0, 0, 0)), nil, invalidBody},
		{"gzip, garbage after it", encoded("gzip", append(gzipped(file), "garbage"...)), nil, wholeFile},
		{"gzip, a line break after it", encoded("gzip", append(gzipped(file), '\n')), nil, wholeFile},
		{"gzip, garbage like a member after it", encoded("gzip", append(gzipped(file), "\x1f\x8bgarbage without end"...)), nil, invalidBody},
		{"gzip, a member cut in its header after it", encoded("gzip", append(gzipped(file), gzipped(file)[:5]...)), nil, cutBody},
		{"gzip, transfer cut after it", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n" + string(gzipped(file)))), nil, cutBody},
		{"gzip, transfer cut at once", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n")), nil, cutBody},
		{"gzip, transfer reset after it", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+string(gzipped(file))), reset), nil, resetBody},
		{"gzip bomb, 1 GB from 1 MB", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), sayBytes(gzipBomb())), nil, "rules network 200 0 bytes truncated undelimited"},
		{"gzip, empty members without end", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), again(1<<30, sayBytes(bytes.Repeat(gzipped(""), 1000)))), nil, invalidBody},
		{"gzip, empty blocks without end", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), sayBytes(gzipHeader), again(1<<30, sayBytes(bytes.Repeat([]byte{0, 0, 0, 0xFF, 0xFF}, 1000)))), nil, invalidBody},
		{"gzip, extra fields without end", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), again(1<<30, sayBytes(gzipExtra()))), nil, invalidBody},
		{"gzip, zeros after it", encoded("gzip", append(gzipped(file), 0, 0, 0)), nil, wholeFile},
		{"gzip, 100 KB of zeros after it", encoded("gzip", append(gzipped(file), make([]byte, 100<<10)...)), nil, wholeFile},
		{"gzip, zeros without end after it", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), sayBytes(gzipped(file)), again(1<<30, sayBytes(make([]byte, 64<<10)))), nil, invalidBody},
		{"gzip, zeros and more after it", encoded("gzip", append(gzipped(file), "\x00\x00Disallow: /\n"...)), nil, wholeFile},
		{"gzip, zeros between members", encoded("gzip", slices.Concat(gzipped(file), []byte{0}, gzipped(file))), nil, wholeFile},
		{"gzip, three members", encoded("gzip", slices.Concat(gzipped(file[:10]), gzipped(""), gzipped(file[10:]))), nil, wholeFile},
		{"gzip, garbage without end after it", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), sayBytes(gzipped(file)), again(1<<30, sayBytes(bytes.Repeat([]byte("garbage"), 1000)))), nil, invalidBody},
		{"gzip, transfer cut after zeros", plain(say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n" + string(gzipped(file)) + "\x00")), nil, cutBody},
		{"gzip of zeros alone", encoded("gzip", make([]byte, 100)), nil, invalidBody},
		{"identity, gzip", encoded("identity, gzip", gzipped(file)), nil, wholeFile},
		{"gzip, utf-8", encoded("gzip, UTF-8", gzipped(file)), nil, wholeFile},
		{"two headers", plain(say(response("200 OK", string(gzipped(file)), "Content-Encoding: none", "Content-Encoding: gzip"))), nil, wholeFile},
		{"utf-8", encoded("utf-8", []byte(file)), nil, wholeFile},
		{"none", encoded("none", []byte(file)), nil, wholeFile},
		{"iso-8859-1", encoded("ISO-8859-1", []byte(file)), nil, wholeFile},
		{"empty elements", encoded(" , ,", []byte(file)), nil, wholeFile},
		{"deflate, not offered", encoded("deflate", []byte(file)), nil, invalidBody},
		{"identity, br", encoded("identity, br", []byte(file)), nil, invalidBody},
		{"gzip, gzip", encoded("gzip, gzip", gzipped(string(gzipped(file)))), nil, invalidBody},
		{"br, not offered", encoded("br", []byte(file)), nil, invalidBody},
		{"zstd, not offered", encoded("zstd", append([]byte("\x28\xB5\x2F\xFD\x00\x58"), rawBlock(file)...)), nil, invalidBody},
		{"zstd of nothing at all", encoded("zstd", nil), nil, invalidBody},
		{"encoding of 1 KB", encoded(strings.Repeat("x", 1024), []byte(file)), nil, invalidBody},
	}
}

func httpFaults() map[string][]fault {
	return map[string][]fault{
		"connection": connectFaults(), "framing": framingFaults(), "status and body": statusFaults(), "encoding": encodingFaults(),
		"TLS": tlsFaults(), "HTTP2": http2Faults(), "redirect": redirectFaults(),
	}
}

var goodTLS = sync.OnceValue(func() *tls.Config { return serverConfig(false, nil) })

func tlsFaults() []fault {
	return []fault{
		{"as it should be", secure(goodTLS(), say(response("200 OK", file))), nil, wholeFile},
		{"certificate for another name", secure(serverConfig(false, func(c *x509.Certificate) {
			c.IPAddresses, c.DNSNames = nil, []string{"other.example"}
		})), nil, noTLS},
		{"certificate expired", secure(serverConfig(false, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })), nil, noTLS},
		{"certificate not valid yet", secure(serverConfig(false, func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) })), nil, noTLS},
		{"certificate signed by itself", secure(serverConfig(true, nil)), nil, noTLS},
		{"certificate of 60 KB", secure(serverConfig(false, func(c *x509.Certificate) { c.DNSNames = []string{strings.Repeat("x", 60_000)} }), say(response("200 OK", file))), nil, wholeFile},
		{"no handshake", func(t testing.TB) string { return listen(t, hold2).url("https") }, hasty, timeout},
		{"no handshake, TLS timeout", func(t testing.TB) string { return listen(t, hold2).url("https") },
			func(c *fetch.Config) { c.Limits.TLSTimeout = patience }, timeout},
		{"HTTP instead", func(t testing.TB) string {
			return listen(t,
				func(s *faultServer, conn net.Conn) { _ = say(response("400 Bad", ""))(s, conn); _ = hold(s, conn) }).url("https")
		}, nil, noTLS},
		{"garbage instead", func(t testing.TB) string {
			return listen(t,
				func(s *faultServer, conn net.Conn) { _ = sayBytes(page)(s, conn); _ = hold(s, conn) }).url("https")
		}, nil, noTLS},
		{"TLS 1.1", secure(&tls.Config{Certificates: goodTLS().Certificates, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}), nil, noTLS},
		{"cut with Content-Length", secure(goodTLS(), say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"+file), cutTLS), nil, cutBody},
		{"cut without Content-Length", secure(goodTLS(), say("HTTP/1.1 200 OK\r\n\r\n"+file), cutTLS), nil, wholeFile + " undelimited"},
		{"reset within the body", secure(goodTLS(), say("HTTP/1.1 200 OK\r\n\r\n"+file), reset), nil, resetBody},
	}
}

func hold2(s *faultServer, conn net.Conn) { _ = hold(s, conn) }

func http2Faults() []fault {
	return []fault{
		{"HTTP/2 and HTTP/1.1 offered", func(t testing.TB) string {
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, file)
			}))
			s.TLS, s.EnableHTTP2 = serverConfig(false, nil), true
			s.StartTLS()
			t.Cleanup(s.Close)
			return s.URL
		}, nil, wholeFile},
		{"only HTTP/2 offered", secure(serverConfig(false, nil, "h2")), nil, cut},
		{"HTTP/2 frames without negotiation", secure(goodTLS(), sayBytes([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '\r', '\n'})), nil, invalid},
	}
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.Bytes()
}

var gzipHeader = []byte{0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF}

// gzipBomb returns 1 MB that decodes to 1 GB: one member with a thousand
// deflate blocks of zeros, each independent of the others.
var gzipBomb = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(make([]byte, 1<<20))
	_ = w.Flush()
	return append(gzipHeader[:10:10], bytes.Repeat(b.Bytes(), 1<<10)...)
})

// gzipExtra returns an empty member with the largest possible header.
func gzipExtra() []byte {
	b := append(gzipHeader[:10:10], 0xFF, 0xFF)
	b[3] = 4
	return append(append(b, make([]byte, 0xFFFF)...), gzipped("")[10:]...)
}

// rawBlock returns the last block of a zstd frame, uncompressed.
func rawBlock(text string) []byte {
	return append([]byte{byte(len(text)<<3 | 1), byte(len(text) >> 5), byte(len(text) >> 13)}, text...)
}

// maxAllocated is the most that a fetch may allocate, whatever the server does. Go 1.26
// needs less than 2 MiB; io.ReadAll of Go 1.25 copies a growing body more often.
const maxAllocated = 2816 << 10

// TestFaults runs each fault with its own client, and measures time and memory.
// With -v it prints them.
func TestFaults(t *testing.T) {
	groups := httpFaults()
	groups["FTP"] = ftpFaults()
	before := runtime.NumGoroutine()
	count, worstTime, worstBytes := 0, time.Duration(0), uint64(0)
	for group, faults := range groups {
		for _, f := range faults {
			t.Run(group+"/"+f.name, func(t *testing.T) {
				took, allocated := f.play(t, maxAllocated)
				count, worstTime, worstBytes = count+1, max(worstTime, took), max(worstBytes, allocated)
			})
		}
	}
	t.Logf("%d faults, at most %v over the deadline, at most %d KiB allocated", count, worstTime.Round(time.Millisecond), worstBytes>>10)
	noGoroutines(t, before)
}

func (f fault) clientConfig(timeout time.Duration) fetch.Config {
	config := fetch.Config{Network: fetch.Network{AllowPrivate: true, TLS: testRoots()}, KeepBodies: true,
		Limits: fetch.Limits{Timeout: timeout}}
	if f.config != nil {
		f.config(&config)
	}
	return config
}

// play makes one call, and further ones with longer timeouts if the machine was too busy. It
// returns how late the answer was and how much was allocated, including by the server.
func (f fault) play(t *testing.T, most uint64) (late time.Duration, allocated uint64) {
	if raceDetector {
		most *= 2
	}
	inTime(t, func(factor time.Duration) (got, want string, _, _ time.Duration) {
		config := f.clientConfig(5 * time.Second)
		limits := &config.Limits
		for _, timeout := range []*time.Duration{&limits.Timeout, &limits.FirstByteTimeout, &limits.TLSTimeout} {
			*timeout *= factor
		}
		client := newGuarded(t, config)
		url := f.serve(t)
		var m0, m1 runtime.MemStats
		runtime.ReadMemStats(&m0)
		began := time.Now()
		r := fetch.Expect(t, client, url)
		took := time.Since(began)
		runtime.ReadMemStats(&m1)
		parsing := parseCost(r.Body())
		allocated = m1.TotalAlloc - m0.TotalAlloc - min(parsing, m1.TotalAlloc-m0.TotalAlloc)
		t.Logf("%-60s %8.1f ms %6d KiB, %d to parse", verdict(r), float64(took.Microseconds())/1000, allocated>>10, parsing>>10)
		if allocated > most {
			t.Errorf("allocated %d bytes, want at most %d", allocated, most)
		}
		if len(r.Detail) > 1000 || strings.ContainsFunc(r.Detail, func(c rune) bool { return c < ' ' || c == 0x7F }) {
			t.Errorf("reason of %d bytes: %.200q", len(r.Detail), r.Detail)
		}
		if strings.Contains(r.Detail, "the client failed") {
			t.Errorf("a library panicked: %s", r.Detail)
		}
		deadline := min(limits.Timeout, cmp.Or(limits.FirstByteTimeout, limits.Timeout),
			cmp.Or(limits.TLSTimeout, limits.Timeout))
		late = took - deadline
		return verdict(r), f.want, took, deadline
	})
	return late, allocated
}

// parseCost returns what the engine allocates for a large body. It is counted
// separately, because the engine has its own limits. Two collections empty its
// pools: the memory that it parses with is allocated too if none is there.
func parseCost(body []byte) uint64 {
	if len(body) < 64<<10 {
		return 0
	}
	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m0)
	robotstxt.Google.Parse(body)
	runtime.ReadMemStats(&m1)
	return m1.TotalAlloc - m0.TotalAlloc
}

func noGoroutines(t *testing.T, before int) {
	t.Helper()
	var after int
	for range 12_000 { // two minutes
		after = runtime.NumGoroutine()
		if after <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%.8000s", after, before, stacks[:runtime.Stack(stacks, true)])
}
