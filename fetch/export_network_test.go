package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
)

// FaultOf names the kind of a Result's error.
func FaultOf(err error) string { return faultOf(err) }

// TrustRoots makes c trust the certificates in pool alone. It comes before the
// first question.
func TrustRoots(c *Client, pool *x509.CertPool) {
	c.transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool}
}
