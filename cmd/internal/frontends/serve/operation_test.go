package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls/editing"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// description is what the tests read of /openapi.json.
type description struct {
	OpenAPI string
	Paths   map[string]map[string]struct {
		OperationID string
		Parameters  []struct {
			Name    string
			Example any
		}
		RequestBody struct {
			Content map[string]struct{ Example json.RawMessage }
		}
	}
}

// TestExamples sends the example of each operation of the description. The results must
// have the form that the description says.
func TestExamples(t *testing.T) {
	s := start(t, newSite(t, serveShop), nil)
	_, text, _ := s.request("GET", "/openapi.json", "")
	var d description
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	whole, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("openapi.json", whole); err != nil {
		t.Fatal(err)
	}
	schema := func(pointer ...string) *jsonschema.Schema {
		for i := range pointer {
			pointer[i] = strings.NewReplacer("~", "~0", "/", "~1").Replace(pointer[i])
		}
		compiled, err := compiler.Compile("openapi.json#/" + strings.Join(pointer, "/"))
		if err != nil {
			t.Fatal(err)
		}
		return compiled
	}
	check := func(what string, schema *jsonschema.Schema, text string) {
		t.Helper()
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v in %s", what, err, text)
		}
	}
	sent := 0
	for path, methods := range d.Paths {
		for method, o := range methods {
			query, example := url.Values{}, string(o.RequestBody.Content["application/json"].Example)
			for _, p := range o.Parameters {
				if list, ok := p.Example.([]any); ok {
					for _, value := range list {
						query.Add(p.Name, value.(string))
					}
				}
			}
			if method == "post" {
				check(path, schema("paths", path, method, "requestBody", "content", "application/json", "schema"), example)
			}
			status, answer, header := s.request(strings.ToUpper(method), path+"?"+query.Encode(), example, "Content-Type", "application/json")
			if status != http.StatusOK || header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s: status %d: %s", method, path, status, answer)
			}
			check(path, schema("paths", path, method, "responses", "200", "content", "application/json", "schema"), answer)
			sent++

			status, answer, header = s.request(strings.ToUpper(method), path+"?unknown=1", `{"unknown":1}`, "Content-Type", "application/json")
			if status != http.StatusBadRequest || header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s %s with an unknown field: status %d: %s", method, path, status, answer)
			}
			check(path, schema("paths", path, method, "responses", "default", "content", "application/problem+json", "schema"), answer)
		}
	}
	if sent < 18 {
		t.Errorf("%d operations are described", sent)
	}
	for _, calls := range []map[string]calls.Call{calls.Calls(), editing.Calls()} {
		for name := range calls {
			if d.Paths["/v1/"+name] == nil {
				t.Errorf("the call %s is no operation", name)
			}
		}
	}
}

// TestSameAsCalls compares the service with the calls of package calls, which the
// WebAssembly module has.
func TestSameAsCalls(t *testing.T) {
	s := start(t, nil, nil)
	for _, body := range []string{"", shop, "\xef\xbb\xbfUser-agent: a\nDisallow: /\xff\n", strings.Repeat("User-agent: x\nDisallow: /a*b$\n", 300)} {
		for _, dialect := range []string{"", "google", "rfc9309", "koster1996"} {
			r := calls.CheckRequest{BodyBase64: []byte(body), URLs: []string{"/", "/cart", "/ä", "https://shop.example/cart/help?x=1"}, Dialect: dialect}
			if body == "" {
				r.Body, r.BodyBase64 = new(string), nil
			}
			r.Agents = []string{"GPTBot", "Googlebot-Image", "x:a"}
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			want, err := calls.Calls()["check"](t.Context(), text, calls.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			status, got := s.post("check", string(text))
			if status != http.StatusOK || !bytes.Equal([]byte(got), want) {
				t.Errorf("status %d: got\n%s\nwant\n%s", status, got, want)
			}
		}
	}
}

// TestSites checks URLs of sites: fetched once, several sites in one request, a site that
// gives no answer, and one without a file.
func TestSites(t *testing.T) {
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.Host, "gone."):
			w.WriteHeader(http.StatusNotFound)
		case strings.HasPrefix(r.Host, "broken."):
			panic(http.ErrAbortHandler)
		default:
			serveShop(w, r)
		}
	})
	s := start(t, to, nil)
	type result struct {
		Answers []struct {
			URL, Verdict, Agent, Source string
			Line, Status                int
		}
		Site *struct{ Source string }
	}
	var got result
	ask := func(urls ...string) {
		t.Helper()
		got = result{}
		text, _ := json.Marshal(map[string]any{"agents": []string{"Googlebot"}, "urls": urls})
		status, answer := s.post("check", string(text))
		if err := json.Unmarshal([]byte(answer), &got); err != nil || status != http.StatusOK {
			t.Fatalf("status %d, %v: %s", status, err, answer)
		}
	}
	for i, want := range []string{"network", "memory", "memory"} {
		ask("http://shop.example/cart", "http://shop.example/")
		if got.Answers[0].Verdict != "disallowed" || got.Answers[0].Line != 2 || got.Answers[1].Verdict != "allowed" || got.Site == nil ||
			got.Site.Source != want {
			t.Errorf("%d: %+v", i, got)
		}
	}
	if n := to.requests.Load(); n != 1 {
		t.Errorf("the site had %d requests", n)
	}
	ask("http://shop.example/cart", "http://gone.example/cart", "http://broken.example/", "http://shop.example/cart/help")
	verdicts := []string{}
	for _, a := range got.Answers {
		verdicts = append(verdicts, a.Verdict)
	}
	if !slices.Equal(verdicts, []string{"disallowed", "allowed", "unknown", "allowed"}) || got.Site != nil {
		t.Errorf("%+v", got)
	}
	s.want(http.StatusUnprocessableEntity, "check", `{"urls":["http://shop.example/","/path"]}`, `"field":"urls/1"`)
	s.want(http.StatusOK, "explain", `{"agents":["GPTBot"],"urls":["http://shop.example/"]}`, `"verdict":"disallowed"`, `"fetch":{"schema":1`)
}

// TestConcurrent: requests about one file at the same time have the same answers.
func TestConcurrent(t *testing.T) {
	s := start(t, newSite(t, serveShop), nil)
	requests := []string{}
	for _, dialect := range []string{"google", "rfc9309", "koster1996"} {
		for _, agents := range []string{`"GPTBot"`, `"Googlebot","x"`} {
			requests = append(requests, `{"dialect":"`+dialect+`","agents":[`+agents+`],"urls":["http://shop.example/cart","http://shop.example/cart/help"]}`)
		}
	}
	s.post("check", requests[0]) // now the site is known
	var group sync.WaitGroup
	answers := make([][]string, 8)
	for i := range answers {
		group.Go(func() {
			for j := range 30 {
				_, text := s.post("check", requests[(i+j)%len(requests)])
				answers[i] = append(answers[i], text)
			}
		})
	}
	group.Wait()
	for i := range answers {
		for j, text := range answers[i] {
			age := regexp.MustCompile(`,"age":\d+`)
			if want := answers[0][(i+j)%len(requests)]; age.ReplaceAllString(text, "") != age.ReplaceAllString(want, "") {
				t.Fatalf("%s: got\n%s\nand earlier\n%s", requests[(i+j)%len(requests)], text, want)
			}
		}
	}
}

// TestSlowSites: requests that wait for sites do not keep others waiting.
func TestSlowSites(t *testing.T) {
	answer := make(chan struct{})
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "slow") {
			<-answer
		}
		serveShop(w, r)
	})
	s := start(t, to, func(c *serve.Config) { c.MaxRequests, c.MaxWork, c.MaxFetchesPerAddress = 2, 1, -1 })
	var waiting sync.WaitGroup
	defer waiting.Wait()
	defer close(answer)
	for i := range 10 {
		waiting.Go(func() {
			name := []string{"check", "explain", "fetch"}[i%3]
			body := fmt.Sprintf(`{"urls":["http://slow%d.example/"]}`, i)
			if name == "fetch" {
				body = fmt.Sprintf(`{"url":"http://slow%d.example/"}`, i)
			}
			s.want(http.StatusOK, name, body)
		})
	}
	for to.requests.Load() < 10 {
		time.Sleep(time.Millisecond)
	}
	for name, body := range map[string]string{"check": `{"urls":["http://shop.example/"]}`, "fetch": `{"url":"http://shop.example"}`, "lint": `{"body":"x"}`, "explain": `{"body":"x","urls":["/"]}`} {
		s.want(http.StatusOK, name, body)
	}
}
