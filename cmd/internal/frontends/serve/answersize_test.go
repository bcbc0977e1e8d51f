package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestUnreadAnswers: clients that do not read their answers delay no other client.
func TestUnreadAnswers(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) { c.MaxWork, c.MaxRequests = 1, 1 })
	long := `"agents":["` + strings.Repeat("a", 4000) + `"],"urls":["/` + strings.Repeat(`","/`, 9_000) + `"]}`
	for name, request := range map[string]string{"check": `{"body":"",` + long, "diff": `{"before":"","after":"User-agent: *\nDisallow: /",` + long} {
		conn := s.dial(t)
		conn.SetReadBuffer(4096)
		fmt.Fprintf(conn, "POST /v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", name, len(request), request)
		conn.SetReadDeadline(time.Now().Add(serve.Patience))
		if _, err := io.ReadFull(conn, make([]byte, 15)); err != nil { // the answer has begun
			t.Fatal(name, err)
		}
		small := `{"body":"User-agent: *\nDisallow: /\n","urls":["/"]}`
		if name != "check" {
			small = `{"before":"","after":""}`
		}
		s.want(http.StatusOK, name, small)
	}
}

// TestLongAnswers: each answer repeats its URL, so a small request could have answers of
// gigabytes.
func TestLongAnswers(t *testing.T) {
	s := start(t, nil, nil)
	request := map[string]any{"body": "User-agent: *\nDisallow: /", "agents": strings.Split(strings.Repeat("a ", 999)+"a", " ")}
	var urls []string
	for range 10 {
		urls = append(urls, "/"+strings.Repeat("é", 8000))
	}
	request["urls"] = urls
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	s.want(http.StatusRequestEntityTooLarge, "check", string(text), `"code":"limit-exceeded"`)
	fields := url.Values{"body": {"User-agent: *\nDisallow: /"}, "agents": {strings.Repeat("a\n", 1000)}, "urls": {strings.Join(urls, "\n")}}
	if status, text := s.postForm(t, fields); status != http.StatusRequestEntityTooLarge || len(text) > 1<<20 {
		t.Errorf("the form: status %d: %.200s", status, text)
	}
	// A stream answers any number of them.
	delete(request, "urls")
	text, err = json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	if lines := s.streamed(string(text) + "\n\"" + urls[0] + "\"\n"); len(lines) != 1000 {
		t.Errorf("a stream has %d answers", len(lines))
	}
}

// TestManyShortAnswers: bytes bound the answers to a request, not their number.
func TestManyShortAnswers(t *testing.T) {
	const agents, urls = 300, 400
	body := "User-agent: *\\nDisallow: /"
	list := strings.TrimSuffix(strings.Repeat(`"/",`, urls), ",")
	crawlers := strings.TrimSuffix(strings.Repeat(`"a",`, agents), ",")
	s := start(t, nil, nil)
	status, text := s.post("check", `{"body":"`+body+`","agents":[`+crawlers+`],"urls":[`+list+`]}`)
	if got := strings.Count(text, `"verdict":"disallowed"`); status != http.StatusOK || got != agents*urls {
		t.Errorf("status %d with %d answers: %.200s", status, got, text)
	}
}
