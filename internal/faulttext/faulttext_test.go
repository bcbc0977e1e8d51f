package faulttext_test

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/faulttext"
	_ "github.com/kosterhq/robotstxt/internal/faulttext/network"
)

// goWords are words of Go's libraries.
var goWords = regexp.MustCompile(`\b(dial|read|write) tcp|net/http|\b(tls|x509|http): |gzip: invalid|EOF|context |i/o |malformed|lookup `)

func TestOf(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80}
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Addr: at, Err: err} }
	connect := func(code syscall.Errno) error { return dial(os.NewSyscallError("connect", code)) }
	for _, test := range []struct {
		err        error
		want, less string // less is without addresses, want if empty
	}{
		{connect(syscall.ECONNREFUSED), "the connection to 192.0.2.1:80 was refused", "the connection was refused"},
		{connect(syscall.EHOSTUNREACH), "there is no route to 192.0.2.1:80", "there is no route"},
		{connect(syscall.ETIMEDOUT), "there was no connection to 192.0.2.1:80 in time", "there was no answer in time"},
		{dial(os.ErrDeadlineExceeded), "there was no connection to 192.0.2.1:80 in time", "there was no answer in time"},
		{connect(syscall.EMFILE), "there is no connection to 192.0.2.1:80: too many open files", "too many open files"},
		{dial(errors.New("refused to connect to 192.0.2.1:80")), "refused to connect to 192.0.2.1:80", "refused to connect to 192.0.2.1:80"},
		{&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "shop.example", IsNotFound: true}},
			"there is no such host as shop.example", ""},
		{&net.DNSError{Err: "server misbehaving", Name: "shop.example", Server: "192.0.2.53:53", IsTemporary: true},
			"the name servers of the host shop.example failed", ""},
		{&net.DNSError{Err: "i/o timeout", Name: "shop.example", IsTimeout: true}, "no name server answered in time for the host shop.example", ""},
		{&net.OpError{Op: "read", Net: "tcp", Addr: at, Err: os.NewSyscallError("read", syscall.ECONNRESET)}, "the connection was reset", ""},
		{&net.OpError{Op: "proxyconnect", Net: "tcp", Err: connect(syscall.ECONNREFUSED)},
			"the proxy cannot be used: the connection to 192.0.2.1:80 was refused", "the proxy cannot be used: the connection was refused"},
		{&net.OpError{Op: "socks connect", Net: "tcp", Err: errors.New("unknown error host unreachable")},
			"the proxy cannot connect to the site: host unreachable", ""},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: handshake failure")}, "the server ended the TLS handshake: handshake failure", ""},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "the certificate is not from a known authority", ""},
		{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}},
			"the certificate has expired or is not valid yet", ""},
		{fmt.Errorf("the body is not valid gzip: %w", io.ErrUnexpectedEOF), "the body is not valid gzip: the response ends too early", ""},
		{fmt.Errorf("%w (%w)", errors.New("too slow"), context.DeadlineExceeded), "too slow (there was no answer in time)", ""},
		{errors.New(`net/http: HTTP/1.x transport connection broken: malformed HTTP response "x"`), `the response is not HTTP: "x"`, ""},
		{io.EOF, "the connection was closed without a response", ""},
		{errors.New("anything else"), "anything else", ""},
		{&fs.PathError{Op: "mkdir", Path: "/x: EOF", Err: syscall.ENOTDIR}, `cannot write "/x: EOF": not a directory`, ""},
		{&fs.PathError{Op: "open", Path: "/x: EOF", Err: syscall.ENOTDIR}, `"/x: EOF": not a directory`, ""},
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.EROFS}, `cannot write "/x": read-only file system`, ""},
		// The words of a site or a file stay as they are.
		{fmt.Errorf("the coding %q is unknown", "tls: x509: EOF"), `the coding "tls: x509: EOF" is unknown`, ""},
		{errors.New("HTTP status 404: http: x509: EOF"), "HTTP status 404: http: x509: EOF", ""},
		{fmt.Errorf("%q: %w", "EOF", io.EOF), `"EOF": the connection was closed without a response`, ""},
		{fmt.Errorf("EOF: %w", io.EOF), "EOF: the connection was closed without a response", ""},
		{fmt.Errorf("%q, %w (%w)", `EOF" EOF`, io.EOF, context.Canceled), `"EOF\" EOF", the connection was closed without a response (the request was cancelled)`, ""},
		{errors.New(`malformed MIME header: missing colon: "tls: EOF"`), `the response has a header without a colon: "tls: EOF"`, ""},
	} {
		if got := faulttext.Of(test.err); got != test.want || !strings.Contains(got, "EOF") && goWords.MatchString(got) {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
		less := faulttext.Words{WithoutAddresses: true}.Of(test.err)
		if want := test.less; less != want && (want != "" || less != test.want) {
			t.Errorf("%v without addresses: %q, want %q", test.err, less, want)
		}
	}
}

// TestFormats: errors of texts and files in the wrong form.
func TestFormats(t *testing.T) {
	parse := func(text string) error {
		return json.Unmarshal([]byte(text), new(struct{ Body, Host string }))
	}
	_, number := strconv.Atoi("x1")
	_, size := strconv.Atoi("99999999999999999999")
	_, date := time.Parse(time.RFC3339, "today")
	_, address := netip.ParseAddr("1.2.3")
	_, long := time.ParseDuration("1d")
	_, header := gzip.NewReader(strings.NewReader("plain text that is long enough"))
	for want, err := range map[string]error{
		"the JSON is not valid at byte 2":        parse("{x"),
		"the JSON ends too early":                parse(`{"body":`),
		`the JSON has a list as "Body"`:          parse(`{"Body":[]}`),
		"the JSON has a text in the wrong place": parse(`"x"`),
		`"x1" is not a number`:                   number,
		`"99999999999999999999" is out of range`: size,
		`"today" is not a time`:                  date,
		`"1.2.3" is not an IP address`:           address,
		`unknown unit "d" in duration "1d"`:      long,
		"the gzip data have no valid header":     header,
		"list.json: it ends too early":           fmt.Errorf("list.json: %w", io.ErrUnexpectedEOF),
		"it ends too early":                      io.EOF,
	} {
		if got := (faulttext.Words{OfFile: true}).Of(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

// TestOwn: a caller's words for an error replace those of the package, also where it is wrapped.
func TestOwn(t *testing.T) {
	secret := errors.New("secret")
	own := faulttext.Words{Own: func(err error) (string, bool) { return "hidden", err == secret }}
	if got := own.Of(fmt.Errorf("it is %w: %w", secret, io.EOF)); got != "it is hidden: the connection was closed without a response" {
		t.Error(got)
	}
}

// TestServers: of the errors that real servers cause in net/http, none has the words of a library.
func TestServers(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			<-r.Context().Done()
			return
		case "/cut":
			w.Header().Set("Content-Length", "9")
			_, _ = io.WriteString(w, "x")
			return
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, map[string]string{
			"/words": "hello\r\n\r\n", "/code": "HTTP/1.1 abc\r\n\r\n", "/version": "HTTP/x 200 OK\r\n\r\n", "/header": "HTTP/1.1 200 OK\r\nx\r\n\r\n",
			"/length": "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "/null": "HTTP/1.1 200 OK\r\nX: a\x00b\r\n\r\n", "/name": "HTTP/1.1 200 OK\r\n: c\r\n\r\n",
			"/size": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", "/long": "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2<<20) + "\r\n\r\n",
			"/two":    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
			"/coding": "HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n", "/chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
		}[r.URL.Path])
	}))
	defer plain.Close()
	transport := &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 16}
	client := &http.Client{Timeout: time.Second / 4, Transport: transport}
	seen := map[string]bool{}
	for _, url := range []string{secure.URL, strings.Replace(plain.URL, "http:", "https:", 1), "http://127.0.0.1:1/", "http://127.0.0.1:99999/",
		plain.URL + "/closed", plain.URL + "/silent", plain.URL + "/cut", plain.URL + "/words", plain.URL + "/code", plain.URL + "/version",
		plain.URL + "/header", plain.URL + "/length", plain.URL + "/two", plain.URL + "/coding", plain.URL + "/chunk",
		plain.URL + "/null", plain.URL + "/name", plain.URL + "/size", plain.URL + "/long"} {
		response, err := client.Get(url)
		if err == nil {
			_, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: no error", url)
			continue
		}
		text := faulttext.Of(err)
		if goWords.MatchString(text) {
			t.Errorf("%s: %q, of %q", url, text, err)
		}
		seen[text] = true
	}
	for _, text := range []string{`the response has a header that is not valid: "X: a\x00b"`, `the response has a header that is not valid: ": c"`} {
		if !seen[text] {
			t.Errorf("no server causes %s", text)
		}
	}
	if len(seen) < 15 {
		t.Errorf("only %d texts: %v", len(seen), seen)
	}
}
