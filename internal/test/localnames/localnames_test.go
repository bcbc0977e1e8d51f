package localnames_test

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/localnames"
)

// TestResolver: localhost is loopback, and there is no other name, however long.
func TestResolver(t *testing.T) {
	r := localnames.Resolver()
	if found, err := r.LookupNetIP(t.Context(), "ip", "localhost"); err != nil || len(found) == 0 || !found[0].IsLoopback() {
		t.Errorf("localhost: %v, %v", found, err)
	}
	for _, name := range []string{"shop.example", "shop.example.", "www.shop.localhost", strings.Repeat(strings.Repeat("x", 60)+".", 4) + "invalid"} {
		found, err := r.LookupNetIP(t.Context(), "ip", name)
		if unknown := (*net.DNSError)(nil); !errors.As(err, &unknown) || !unknown.IsNotFound {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}
