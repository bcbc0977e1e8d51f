package faulttext_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/faulttext"
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
	} {
		if got := faulttext.Of(test.err); got != test.want || goWords.MatchString(got) {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
		less := faulttext.Words{WithoutAddresses: true}.Of(test.err)
		if want := test.less; less != want && (want != "" || less != test.want) {
			t.Errorf("%v without addresses: %q, want %q", test.err, less, want)
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
			"/length": "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "/two": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
			"/coding": "HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n", "/chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
		}[r.URL.Path])
	}))
	defer plain.Close()
	client := &http.Client{Timeout: time.Second / 4, Transport: &http.Transport{DisableKeepAlives: true}}
	seen := map[string]bool{}
	for _, url := range []string{secure.URL, strings.Replace(plain.URL, "http:", "https:", 1), "http://127.0.0.1:1/", "http://127.0.0.1:99999/",
		plain.URL + "/closed", plain.URL + "/silent", plain.URL + "/cut", plain.URL + "/words", plain.URL + "/code", plain.URL + "/version",
		plain.URL + "/header", plain.URL + "/length", plain.URL + "/two", plain.URL + "/coding", plain.URL + "/chunk"} {
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
	if len(seen) < 12 {
		t.Errorf("only %d texts: %v", len(seen), seen)
	}
}
