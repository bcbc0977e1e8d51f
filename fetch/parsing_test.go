package fetch

import (
	"testing"
	"testing/synctest"
)

// TestParsing: the number of files that are parsed at the same time is bounded.
func TestParsing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTestClient(t, Config{Network: Network{Transport: answering(200, theFile)}})
		for range cap(c.parsing) {
			c.parsing <- struct{}{}
		}
		answered := false
		go func() {
			Expect(t, c, "http://shop.example/")
			answered = true
		}()
		if synctest.Wait(); answered {
			t.Error("a file is parsed although as many as there are processors are being parsed")
		}
		<-c.parsing
		if synctest.Wait(); !answered {
			t.Error("a file is not parsed")
		}
	})
}
