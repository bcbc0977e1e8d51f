// Package faulttext says in plain English why a request failed. The errors of Go's libraries name
// functions and packages, such as "dial tcp" and "x509", which say nothing to the users of a tool.
package faulttext

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// Of returns the text of an error.
func Of(err error) string { return Words{}.Of(err) }

// Words is how errors are worded. The zero Words gives all that is known.
type Words struct {
	// WithoutAddresses omits the addresses to which connections failed.
	WithoutAddresses bool

	// Own words an error before Of does; it can be nil. ok is false for an error that it does not know.
	Own func(err error) (text string, ok bool)
}

// Of returns the text of an error, and of those that it wraps.
func (w Words) Of(err error) string {
	if w.Own != nil {
		if text, ok := w.Own(err); ok {
			return text
		}
	}
	switch e := err.(type) {
	case *net.OpError:
		return w.operation(e)
	case *net.DNSError:
		return lookup(e)
	case *url.Error:
		return w.Of(e.Err)
	case *os.SyscallError:
		return w.Of(e.Err)
	case *tls.CertificateVerificationError:
		return w.Of(e.Err)
	case tls.RecordHeaderError:
		return "the server does not speak TLS"
	case x509.HostnameError:
		return "the certificate is not valid for the host " + e.Host
	case x509.UnknownAuthorityError:
		return "the certificate is not from a known authority"
	case x509.SystemRootsError:
		return "this machine has no certificates of authorities"
	case x509.CertificateInvalidError:
		if e.Reason == x509.Expired {
			return "the certificate has expired or is not valid yet"
		}
	}
	for i := range plain {
		if plain[i].of == err {
			return plain[i].text
		}
	}
	return replaced.Replace(w.wrapping(err))
}

// wrapping returns the text of an error with the words for those that it wraps.
func (w Words) wrapping(err error) string {
	text := err.Error()
	var wrapped []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		wrapped = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		wrapped = e.Unwrap()
	}
	for _, inner := range wrapped {
		if inner != nil && inner.Error() != "" {
			text = strings.ReplaceAll(text, inner.Error(), w.Of(inner))
		}
	}
	return text
}

// plain are the texts of errors that have neither a type nor words in replaced.
var plain = []struct {
	of   error
	text string
}{
	{io.EOF, "the connection was closed without a response"},
	{syscall.ECONNREFUSED, refused},
	{syscall.ECONNRESET, "the connection was reset"},
	{syscall.ECONNABORTED, "the connection was ended"},
	{syscall.EPIPE, "the connection was closed"},
	{syscall.ETIMEDOUT, inTime},
	{syscall.EHOSTUNREACH, noRoute},
	{syscall.ENETUNREACH, noRoute},
}

const (
	inTime  = "there was no answer in time"
	refused = "the connection was refused"
	noRoute = "there is no route"
)

// replaced are words in texts whose errors have no type that tells them apart.
var replaced = strings.NewReplacer(
	"net/http: HTTP/1.x transport connection broken: ", "",
	"net/http: Transport failed to read from server: ", "",
	"http: server gave HTTP response to HTTPS client", "the server does not speak TLS",
	"net/http: TLS handshake timeout", "the TLS handshake took too long",
	"net/http: timeout awaiting response headers", "the response did not begin in time",
	"net/http: ", "", "http2: ", "", "http: ", "",
	"malformed HTTP response ", "the response is not HTTP: ",
	"malformed HTTP status code ", "the response has no valid status code: ",
	"malformed HTTP version ", "the response has no valid version of HTTP: ",
	"malformed MIME header initial line: ", "the response has no valid first header: ",
	"malformed MIME header line: ", "the response has a header without a colon: ",
	"malformed MIME header: ", "the response has a header that is not valid: ",
	"malformed chunked encoding", "the chunks of the body are not valid",
	"bad Content-Length ", "the response has no valid Content-Length: ",
	"tls: failed to verify certificate: ", "",
	"tls: failed to parse certificate from server: ", "the certificate cannot be read: ",
	"tls: ", "TLS failed: ",
	"x509: ", "the certificate is not valid: ",
	"gzip: invalid header", "the header of gzip is not valid",
	"gzip: invalid checksum", "the checksum of gzip is wrong",
	"flate: corrupt input before offset ", "the compressed data are damaged before byte ",
	" (Client.Timeout exceeded while awaiting headers)", "",
	" (Client.Timeout or context cancellation while reading body)", "",
	"request canceled", inTime,
	"use of closed network connection", "the connection was closed",
	"operation was canceled", "it was ended",
	"context deadline exceeded", inTime,
	"context canceled", "it was ended",
	"i/o timeout", inTime,
	"unexpected EOF", "the response ends too early",
	": EOF", ": the connection was closed without a response",
)

// operation returns the text of an error of a connection.
func (w Words) operation(e *net.OpError) string {
	switch {
	case e.Err == nil:
		return "the connection failed"
	case e.Op == "proxyconnect":
		return "the proxy cannot be used: " + w.Of(e.Err)
	case strings.HasPrefix(e.Op, "socks"):
		text, isOfSite := strings.CutPrefix(w.Of(e.Err), "unknown error ") // the number of a reply has no words
		if isOfSite {
			return "the proxy cannot connect to the site: " + text
		}
		return "the proxy cannot be used: " + text
	case e.Op == "remote error":
		return "the server ended the TLS handshake: " + strings.TrimPrefix(e.Err.Error(), "tls: ")
	case e.Op == "local error":
		return "the TLS handshake failed: " + strings.TrimPrefix(e.Err.Error(), "tls: ")
	case e.Op == "dial":
		return w.dialling(e)
	}
	return w.Of(e.Err)
}

// dialling returns the text of an error of a connection that was not made. A name that has no address,
// and an address that is refused, say all themselves.
func (w Words) dialling(e *net.OpError) string {
	text := w.Of(e.Err)
	if e.Addr == nil || w.WithoutAddresses || errors.As(e.Err, new(*net.DNSError)) {
		return text
	}
	at := e.Addr.String()
	switch timeout, ok := e.Err.(interface{ Timeout() bool }); {
	case strings.Contains(text, at):
		return text
	case text == refused:
		return "the connection to " + at + " was refused"
	case text == noRoute:
		return "there is no route to " + at
	case ok && timeout.Timeout():
		return "there was no connection to " + at + " in time"
	}
	return "there is no connection to " + at + ": " + text
}

// lookup returns the text of an error of a name server.
func lookup(e *net.DNSError) string {
	switch {
	case e.IsNotFound:
		return "there is no such host as " + e.Name
	case e.IsTimeout:
		return "no name server answered in time for the host " + e.Name
	case e.Err == "server misbehaving":
		return "the name servers of the host " + e.Name + " failed"
	}
	return "the address of the host " + e.Name + " cannot be found: " + replaced.Replace(e.Err)
}
