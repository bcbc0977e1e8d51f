package serve_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

func quoted(text string) string {
	q, _ := json.Marshal(text) // a string has a JSON form
	return string(q)
}

// TestPublic: a service that other machines reach limits its clients, with and without a name.
func TestPublic(t *testing.T) {
	for listen, want := range map[string]float64{
		"": 0, "127.0.0.1:8070": 0, "localhost:8070": 0, "[::1]:8070": 0,
		"0.0.0.0:8070": 20, ":8070": 20, "[::]:8070": 20, "192.0.2.1:8070": 20, "robots.example:8070": 20,
	} {
		c, err := serve.Config{Listen: listen, UserAgent: "TestBot"}.Filled()
		if err != nil || c.ClientRate != want || (c.Guard.Ports != nil) != (want > 0) {
			t.Errorf("%q: %v a second, ports %v, %v", listen, c.ClientRate, c.Guard.Ports, err)
		}
	}
}

// TestShortSecrets: a secret that can be found by trying is an error.
func TestShortSecrets(t *testing.T) {
	for _, c := range []serve.Config{{Token: "x"}, {Token: strings.Repeat("x", 15)}, {FormKey: "x"}} {
		if _, err := c.Filled(); !isConfigError(err) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := (serve.Config{Token: strings.Repeat("x", 16), FormKey: strings.Repeat("y", 16)}).Filled(); err != nil {
		t.Error(err)
	}
}

// TestUserAgent: a User-Agent that names no crawler is an error.
func TestUserAgent(t *testing.T) {
	for _, header := range []string{"(+https://shop.example)", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"} {
		if _, err := (serve.Config{UserAgent: header}).Filled(); !isConfigError(err) ||
			!strings.Contains(err.Error(), "UserAgent names no crawler") {
			t.Errorf("%s: %v", header, err)
		}
	}
}

func isConfigError(err error) bool {
	_, ok := errors.AsType[*serve.ConfigError](err)
	return ok
}

// TestLongQuotes: no problem quotes more than a little of what the client has sent.
func TestLongQuotes(t *testing.T) {
	s := start(t, newSite(t, serveShop), nil)
	long := strings.Repeat("ü", 400<<10)
	text := long[:15<<10] // below the limit of a text
	for _, test := range []struct{ name, body, part string }{
		{"check", `{"urls":["` + text + `"]}`, "has no scheme"},
		{"check", `{"` + long + `":1}`, "unknown field"},
		{"check", `{"urls":["http://u:p@shop.example/` + text + `"]}`, "which a service must not see"},
		{"lint", `{"body":"","fix":"` + long + `"}`, ""},
		{"sitemap", `{"url":"/` + long + `"}`, ""},
		{"permit", `{"url":"http://shop.example/","purposes":["` + long + `"]}`, "there is no purpose"},
	} {
		if status, answer := s.post(test.name, test.body); status < 400 || len(answer) > 5000 ||
			!strings.Contains(answer, test.part) || !json.Valid([]byte(answer)) {
			t.Errorf("%s %.20s: status %d, %d bytes: %.2000s", test.name, test.body, status, len(answer), answer)
		}
	}
	status, answer, _ := s.request(http.MethodPost, "/v1/check", "{}\n\""+text+"\"\n", "Content-Type", "application/x-ndjson")
	if status != http.StatusOK || len(answer) > 5000 || !strings.Contains(answer, `"status":422`) {
		t.Errorf("stream: %d, %d bytes: %.200s", status, len(answer), answer)
	}
}

// TestChunkedEndsConnection: after a body with Transfer-Encoding, which may have had a
// Content-Length too, the connection ends. [RFC 9112 6.1]
func TestChunkedEndsConnection(t *testing.T) {
	s := start(t, nil, nil)
	for lengths, ends := range map[string]bool{"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n": true, "Transfer-Encoding: chunked\r\n": true, fmt.Sprintf("Content-Length: %d\r\n", len(serve.SmallCheck)): false} {
		conn := s.dial(t)
		body := serve.SmallCheck
		if ends {
			body = fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
		}
		fmt.Fprintf(conn, "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n%s", lengths, body)
		in := bufio.NewReader(conn)
		response, answer := readAnswer(t, in)
		if response.StatusCode != http.StatusOK || response.Close != ends {
			t.Errorf("%q: %s, closes: %v: %s", lengths, response.Status, response.Close, answer)
		}
		if ends {
			if _, err := in.ReadByte(); err == nil {
				t.Error("the connection goes on")
			}
		}
		conn.Close()
	}
}

// TestNotFound: 404 is a problem document at every path.
func TestNotFound(t *testing.T) {
	s := start(t, nil, nil)
	for _, url := range []string{s.url + "/v1/x", s.url + "/x", s.url + "/x/y", s.url + "/index.html", s.admin + "/x"} {
		status, answer, header := send(t, http.MethodGet, url, "")
		if status != http.StatusNotFound || header.Get("Content-Type") != "application/problem+json" || !strings.Contains(answer, `"code":"not-found"`) {
			t.Errorf("%s: %d %s %s", url, status, header.Get("Content-Type"), answer)
		}
	}
	if status, _, header := send(t, http.MethodGet, s.url+"/page.js", ""); status != http.StatusOK || header.Get("Content-Type") == "application/problem+json" {
		t.Errorf("a file of the page: %d", status)
	}
}
