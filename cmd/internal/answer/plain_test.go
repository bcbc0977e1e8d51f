package answer_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
)

// TestComparedOctets: each octet is treated alike in a URL that needs no other change and
// in one that does, before and after the question mark.
func TestComparedOctets(t *testing.T) {
	for c := range 256 {
		octet := string([]byte{byte(c)})
		for _, before := range []string{"/a", "/a?b=", "https://shop.example/", "https://shop.example?"} {
			alone, among := answer.Compared(before+octet), answer.Compared(before+octet+"#%e4")
			if alone+"#%E4" != among {
				t.Errorf("%q is compared as %q, but with a fragment as %q", before+octet, alone, among)
			}
		}
	}
}
