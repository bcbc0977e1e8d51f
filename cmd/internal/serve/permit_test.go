package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/serve"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// TestPermit: the service requests what it needs, each file once, and obeys robots.txt; a request
// with a body fetches nothing.
func TestPermit(t *testing.T) {
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Host + r.URL.Path {
		case "shop.example/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed\nContent-Usage: search=y\nLicense: http://away.example/license.xml\n")
		case "away.example/license.xml":
			fmt.Fprint(w, `<rsl xmlns="https://rslstandard.org/rsl"><content url="http://shop.example/"><license><prohibits type="usage">search</prohibits></license></content></rsl>`)
		case "shop.example/tea":
			fmt.Fprint(w, `<!doctype html><meta name="robots" content="noai">`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	s := start(t, to, func(c *serve.Config) { c.OriginInterval = -1 })
	ask := func(request string) (p wire.Permit, verdicts string) {
		t.Helper()
		status, answer := s.post("permit", request)
		if err := json.Unmarshal([]byte(answer), &p); err != nil || status != http.StatusOK {
			t.Fatalf("status %d, %v: %s", status, err, answer)
		}
		for _, a := range p.Answers {
			verdicts += fmt.Sprintf(" %s=%s", a.Purpose, a.Verdict)
			if a.Provisional {
				verdicts += "?"
			}
		}
		return p, verdicts
	}
	for _, c := range []struct{ request, verdicts, requested string }{
		{`{"url":"http://shop.example/tea"}`, " fetch=allowed search=allowed? ai-search=unknown ai-training=disallowed ai-fetch=allowed mining=unknown",
			"http://shop.example/tea http://shop.example/.well-known/tdmrep.json"},
		{`{"url":"http://shop.example/tea","follow":true,"purposes":["search"]}`, " search=disallowed",
			"http://shop.example/tea http://shop.example/.well-known/tdmrep.json http://away.example/license.xml"},
		{`{"url":"http://shop.example/closed","purposes":["fetch","search"]}`, " fetch=disallowed search=unknown", "http://shop.example/.well-known/tdmrep.json"},
		{`{"url":"http://shop.example/tea","body":"","purposes":["fetch","mining"],"tdmrep":"[{\"location\":\"/\",\"tdm-reservation\":1}]"}`, " fetch=allowed mining=reserved", ""},
	} {
		p, verdicts := ask(c.request)
		if got := strings.Join(p.Requested, " "); verdicts != c.verdicts || got != c.requested {
			t.Errorf("%s:\n%s, requested %s\nwant %s, %s", c.request, verdicts, got, c.verdicts, c.requested)
		}
	}
	for request, field := range map[string]string{
		`{"url":"/tea"}`: "url", `{"url":"http://u:p@shop.example/"}`: "url", `{"url":"http://shop.example/","purposes":["ai"]}`: "purposes",
		`{"url":"http://shop.example/","header":[` + strings.Repeat(`{"name":"a","value":"b"},`, 200) + `{"name":"a","value":"b"}]}`: "header",
	} {
		if status, answer := s.post("permit", request); status != http.StatusUnprocessableEntity && status != http.StatusRequestEntityTooLarge || !strings.Contains(answer, `"field":"`+field+`"`) {
			t.Errorf("%.80s: status %d: %s", request, status, answer)
		}
	}
}
