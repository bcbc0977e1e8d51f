package fetch

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// TestParsing: the number of files that are parsed at the same time is bounded.
func TestParsing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Config{UserAgent: "test (+https://shop.example)", Agents: []string{"test"}, Network: Network{Transport: oneFile{}}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for range cap(c.parsing) {
			c.parsing <- struct{}{}
		}
		answered := false
		go func() {
			if _, err := c.Robots(context.Background(), "http://shop.example/"); err != nil {
				t.Error(err)
			}
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

// oneFile is a site.
type oneFile struct{}

func (oneFile) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("User-agent: *\nDisallow: /a\n")), Header: http.Header{}, Request: r}, nil
}
