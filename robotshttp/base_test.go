package robotshttp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

func TestUserAgent(t *testing.T) {
	s := newSite(t, "")
	transport := &robotshttp.Transport{Client: newRobots(t, fetch.Config{}), UserAgent: userAgent}
	for _, test := range []struct {
		header http.Header
		want   string
	}{
		{nil, userAgent},
		{http.Header{"Accept": {"*/*"}}, userAgent},
		{http.Header{"User-Agent": {"Own/1.0"}}, "Own/1.0"},
		{http.Header{"User-Agent": {""}}, ""},
	} {
		request, _ := http.NewRequest(http.MethodGet, s.URL, nil)
		request.Header = test.header
		before := len(test.header)
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if got := strings.TrimPrefix(string(text), "page for "); got != test.want || len(test.header) != before {
			t.Errorf("%v: sent %q, want %q", test.header, got, test.want)
		}
	}
}

type idler struct {
	http.RoundTripper
	closed int
}

func (i *idler) CloseIdleConnections() { i.closed++ }

func TestCloseIdleConnections(t *testing.T) {
	base := &idler{}
	(&http.Client{Transport: &robotshttp.Transport{Base: base}}).CloseIdleConnections()
	if base.closed != 1 {
		t.Errorf("forwarded %d times", base.closed)
	}
	(&robotshttp.Transport{Base: roundTripper(nil)}).CloseIdleConnections()
	(&robotshttp.Transport{}).CloseIdleConnections()
}
