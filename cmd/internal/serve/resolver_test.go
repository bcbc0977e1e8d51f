package serve_test

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/serve"
)

// brokenResolver fails as the system's resolver does.
type brokenResolver struct{}

func (brokenResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, Server: "10.1.2.3:53", IsNotFound: true}
}

// TestResolver: answers do not name the DNS server of the service.
func TestResolver(t *testing.T) {
	s := start(t, nil, func(c *serve.Config) { c.Resolver = brokenResolver{} })
	for _, call := range []struct{ name, body string }{
		{"fetch", `{"url":"http://shop.example/"}`},
		{"check", `{"agents":["GPTBot"],"urls":["http://shop.example/"]}`},
		{"sitemap", `{"url":"http://shop.example/sitemap.xml"}`},
	} {
		_, answer := s.post(call.name, call.body)
		if !strings.Contains(answer, "no such host") && call.name != "check" || strings.Contains(answer, "10.1.2.3") {
			t.Errorf("%s: %s", call.name, answer)
		}
	}
}
