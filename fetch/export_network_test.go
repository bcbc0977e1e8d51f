package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
)

// FaultKind returns the kind of a Result's error.
func FaultKind(err error) string { return faultKind(err) }

// TrustRoots makes c trust only the certificates in pool. Call it before the
// first fetch.
func TrustRoots(c *Client, pool *x509.CertPool) {
	c.transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool}
}
