package serve_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestAsSent: the service compares URLs as they are if a request or the head of a stream says so,
// in files and for sites.
func TestAsSent(t *testing.T) {
	const file = "User-agent: *\nDisallow: /c/*%2B*\n"
	s := start(t, newSite(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, file) }), nil)
	for _, test := range []struct{ option, want string }{
		{"", `"verdict":"disallowed"`}, {`"as_sent":true,`, `"verdict":"allowed"`},
	} {
		for _, body := range []string{"", `"body":"User-agent: *\nDisallow: /c/*%2B*\n",`} {
			const url = `"http://shop.example/c/a%2bb"`
			if status, text := s.post("check", "{"+test.option+body+`"urls":[`+url+"]}"); status != 200 || !strings.Contains(text, test.want) {
				t.Errorf("%q, %q: %d, %s", test.option, body, status, text)
			}
			head := "{" + strings.TrimSuffix(test.option+body, ",") + "}"
			status, text, _ := s.request(http.MethodPost, "/v1/check", head+"\n"+url+"\n", "Content-Type", "application/x-ndjson")
			if status != 200 || !strings.Contains(text, test.want) {
				t.Errorf("stream, %s: %d, %s", head, status, text)
			}
		}
	}
}
