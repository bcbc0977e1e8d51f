//go:build !unix

package fetch_test

import "testing"

func fullServer(t testing.TB) (address string) {
	t.Skip("this test can fill a listener's queue only on Unix")
	return ""
}
