package serve_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls/editing"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/test/golden"
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
		{`{"url":"http://shop.example/closed","purposes":["fetch","search"]}`, " fetch=disallowed search=disallowed", "http://shop.example/.well-known/tdmrep.json"},
		{`{"url":"http://shop.example/tea","body":"","purposes":["fetch","mining"],"tdmrep":"[{\"location\":\"/\",\"tdm-reservation\":1}]"}`, " fetch=allowed mining=reserved", ""},
		{`{"url":" shop.example/tea","body":"User-agent: *\nDisallow: /tea\n","purposes":["fetch"]}`, " fetch=disallowed", ""},
		{`{"url":"http://shop.example/tea","body":"User-agent: *\nDisallow: /\n","site":"http://shop.example","purposes":["fetch"]}`, " fetch=disallowed", ""},
		{`{"url":"http://shop.example/tea","body":"User-agent: *\nDisallow: /\n","site":"http://away.example","purposes":["fetch"]}`, " fetch=unknown", ""},
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
		if status, answer := s.post("permit", request); status != http.StatusUnprocessableEntity &&
			status != http.StatusRequestEntityTooLarge || !strings.Contains(answer, `"field":"`+field+`"`) {
			t.Errorf("%.80s: status %d: %s", request, status, answer)
		}
	}
}

// TestPermitCases: the service answers the cases of package permission, in the form of the tool.
func TestPermitCases(t *testing.T) {
	type useCase struct {
		ID, File, URL, HTML, Crawler, Purpose string
		Headers                               []string

		Verdict, Kind, Token string
		Line                 int
	}
	s := start(t, newSite(t, nil), func(c *serve.Config) { c.ClientRate = -1 })
	for _, c := range golden.Lines[useCase](t, "../../../../permission/testdata/use/permit.jsonl") {
		header := []editing.HeaderLine{}
		for _, line := range c.Headers {
			name, value, _ := strings.Cut(line, ": ")
			header = append(header, editing.HeaderLine{Name: name, Value: value})
		}
		tdm := "[]"
		request, err := json.Marshal(serve.PermitRequest{HTML: &c.HTML, PermitRequest: editing.PermitRequest{
			Body: editing.Body{Body: &c.File}, URL: c.URL, Crawlers: []string{c.Crawler},
			Purposes: []string{c.Purpose}, Header: header, TDMRep: &tdm,
		}})
		if err != nil {
			t.Fatal(err)
		}
		status, answer := s.post("permit", string(request))
		var p struct {
			AskedAt string `json:"asked_at"`
			SHA256  string `json:"robots_sha256"`
			Bytes   int    `json:"robots_bytes"`
			Version string `json:"crawlers_version"`
			Answers []struct {
				Verdict, Kind, Token, Extent, Otherwise, Group string
				NeedNotObey                                    *bool `json:"need_not_obey"`
				Reasons                                        []struct{ Place struct{ Line int } }
			}
		}
		if err := json.Unmarshal([]byte(answer), &p); err != nil || status != http.StatusOK || len(p.Answers) != 1 {
			t.Fatalf("%s: status %d, %v: %s", c.ID, status, err, answer)
		}
		a, line := p.Answers[0], 0
		if len(a.Reasons) > 0 && a.Verdict != "unknown" {
			line = a.Reasons[0].Place.Line
		}
		if a.Verdict != c.Verdict || a.Kind != c.Kind || a.Token != c.Token || line != c.Line {
			t.Errorf("%s: %s, %s, token %q, line %d; want %s, %s, %q, %d", c.ID, a.Verdict, a.Kind, a.Token, line, c.Verdict, c.Kind, c.Token, c.Line)
		}
		digest := fmt.Sprintf("%x", sha256.Sum256([]byte(c.File)))
		if p.AskedAt == "" || p.Version == "" || p.SHA256 != digest || p.Bytes != len(c.File) || a.NeedNotObey == nil ||
			a.Extent == "" || a.Otherwise == "" || a.Group == "" {
			t.Errorf("%s: a field is missing: %s", c.ID, answer)
		}
	}
	const letter = `{"url":"https://paper.example/news/1","operator":"OpenAI","markdown":true,"body":"User-agent: GPTBot\nDisallow: /\nAllow: /press/\n"}`
	var p wire.Permit
	_, answer := s.post("permit", letter)
	if err := json.Unmarshal([]byte(answer), &p); err != nil || !strings.HasPrefix(p.Markdown, "# OpenAI and https://paper.example/news/1\n") || !strings.Contains(p.Markdown, "| closed except /press/ | line 2: Disallow: / |") {
		t.Errorf("%v, %s", err, p.Markdown)
	}
	_, answer = s.post("permit", strings.Replace(letter, `"markdown"`, `"lang":"de","purposes":["ai-training"],"markdown"`, 1))
	if err := json.Unmarshal([]byte(answer), &p); err != nil || !strings.Contains(p.Markdown, "| KI-Modelle trainieren | verweigert | GPTBot, eigene Gruppe | gesperrt außer /press/ | Zeile 2: Disallow: / |") ||
		strings.Contains(p.Markdown, "OAI-SearchBot") {
		t.Errorf("%v, %s", err, p.Markdown)
	}
	for field, more := range map[string]string{"lang": `"lang":"fr",`, "purposes": `"purposes":["seo"],`} {
		status, answer := s.post("permit", strings.Replace(letter, `"operator"`, more+`"operator"`, 1))
		if status != http.StatusUnprocessableEntity || !strings.Contains(answer, `"field":"`+field+`"`) {
			t.Errorf("%s: status %d: %s", more, status, answer)
		}
	}
}
