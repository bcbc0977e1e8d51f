// Package network adds words for the errors of connections, requests, programs and compressed data to package
// faulttext. Import it for its effect. It is apart because programs without a network, such as WebAssembly, would
// grow by the packages that it needs.
package network

import (
	"compress/flate"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"

	"github.com/kosterhq/robotstxt/internal/faulttext"
)

func init() { faulttext.Add(textOf) }

// textOf returns the text of an error of a connection, a request, a program or compressed data, "" for other errors.
func textOf(w faulttext.Words, err error) string {
	switch e := err.(type) {
	case *net.OpError:
		return operation(w, e)
	case *net.DNSError:
		return lookup(w, e)
	case *url.Error:
		return w.Of(e.Err)
	case url.InvalidHostError:
		return fmt.Sprintf("the host has the character %q", string(e))
	case flate.CorruptInputError, flate.InternalError:
		return "the compressed data are damaged"
	case *exec.Error:
		return fmt.Sprintf("the program %q cannot be started: %s", e.Name, w.Of(e.Err))
	}
	switch err {
	case net.ErrClosed:
		return "the connection was closed"
	case http.ErrSchemeMismatch:
		return "the server does not speak TLS"
	case gzip.ErrHeader:
		return "the gzip data have no valid header"
	case gzip.ErrChecksum:
		return "the gzip data do not match their checksum"
	}
	return ofTLS(w, err)
}

// ofTLS returns the text of an error of a certificate or of TLS, "" for other errors.
func ofTLS(w faulttext.Words, err error) string {
	switch e := err.(type) {
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
	return ""
}

// operation returns the text of an error of a connection.
func operation(w faulttext.Words, e *net.OpError) string {
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
		return dialling(w, e)
	}
	return w.Of(e.Err)
}

// dialling returns the text of an error of a connection that was not made. A name that has no address,
// and an address that is refused, say all themselves.
func dialling(w faulttext.Words, e *net.OpError) string {
	text := w.Of(e.Err)
	if e.Addr == nil || w.WithoutAddresses || errors.As(e.Err, new(*net.DNSError)) {
		return text
	}
	at := e.Addr.String()
	switch timeout, ok := e.Err.(interface{ Timeout() bool }); {
	case strings.Contains(text, at):
		return text
	case text == faulttext.Refused:
		return "the connection to " + at + " was refused"
	case text == faulttext.NoRoute:
		return "there is no route to " + at
	case ok && timeout.Timeout():
		return "there was no connection to " + at + " in time"
	}
	return "there is no connection to " + at + ": " + text
}

// lookup returns the text of an error of a name server.
func lookup(w faulttext.Words, e *net.DNSError) string {
	switch {
	case e.IsNotFound:
		return "there is no such host as " + e.Name
	case e.IsTimeout:
		return "no name server answered in time for the host " + e.Name
	case e.Err == "server misbehaving":
		return "the name servers of the host " + e.Name + " failed"
	}
	reason := e.Err[strings.LastIndex(": "+e.Err, ": "):] // after the names of functions, such as "read udp"
	if reason == "connection refused" {
		return "no name server was reachable for the host " + e.Name
	}
	return "the address of the host " + e.Name + " cannot be found: " + w.Of(errors.New(reason))
}
