package editing_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls/editing"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/conformance"
)

const sample = "\ufeffuser-agent: GPTBot # für alle\r\nDissallow: /ü*/x$\r\ndisalow /y\r\n\r\nnothing\r\nSitemap: https://shop.example/s.xml\r\nCrawl-delay: 3\r\nFoo: 1"

func requestOf(t *testing.T, name string, fields map[string]any) string {
	t.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	result, err := editing.Calls()[name](t.Context(), text, calls.Limits{})
	if err != nil {
		t.Fatalf("%s %s: %v", name, text, err)
	}
	return string(result)
}

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile("../../../inout/wire/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, text string) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Errorf("%.300s: %v", text, err)
	}
}

// TestSchema: the result of every call is valid.
func TestSchema(t *testing.T) {
	schema := compiled(t)
	requests := map[string][]map[string]any{
		"lint":        {{"body": sample}, {"body": sample, "fix": "plain"}, {"body": sample, "fix": "all", "file": "a/robots.txt", "profile": "yandex", "pedantic": true}, {"body_base64": []byte("\xff: \xfe"), "fix": "plain"}},
		"format":      {{"body": sample}, {"body": sample, "line_ends": "lf"}, {"body": strings.Repeat("#\n", 300_000)}},
		"ai":          {{"body": sample}, {"body": "", "purposes": []string{"ai-training"}, "each": true}},
		"permit":      {{"body": sample, "url": "https://shop.example/"}, {"body": "", "url": "https://shop.example/a", "operator": "OpenAI", "markdown": true, "page": map[string]any{}}},
		"generate":    {{"body": sample, "no": []string{"ai-training"}, "signals": []string{"content-usage"}}, {"body": "", "yes": []string{"search=/"}}},
		"crawlers":    {{}, {"names": []string{"GPTBot"}}, {"purposes": []string{"ai-training"}}, {"purposes": []string{"feed"}, "operators": []string{"OpenAI"}}},
		"diagnostics": {{"body": sample}, {"body": ""}},
		"hover":       {{"body": sample, "line": 0, "character": 15}, {"body": sample, "line": 3, "character": 0}, {"body": "", "line": 9, "character": -1}},
		"complete":    {{"body": "Dis", "line": 0, "character": 3}, {"body": sample, "line": 1, "character": 12}},
		"tokens":      {{"body": sample}, {"body": "", "last": 3}},
		"symbols":     {{"body": sample}, {"body": ""}},
		"resources":   {{"html": "<img src=a.png>", "url": "https://shop.example/"}},
		"urls":        {{"text": "/a\nhttps://shop.example/\nx y\n"}, {"text_base64": []byte("\xff\xfe/\x00")}, {"text": ""}},
		"remarks":     {{"agents": []string{"Gogglebot"}, "urls": []string{"nonsense", "https://b.example/"}, "site": "https://a.example"}, {}},
	}
	for _, name := range slices.Sorted(maps.Keys(editing.Calls())) {
		if len(requests[name]) == 0 {
			t.Errorf("there is no request for %s", name)
		}
		for _, fields := range requests[name] {
			validate(t, schema, requestOf(t, name, fields))
		}
	}
}

func read[T any](t *testing.T, text string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func TestLint(t *testing.T) {
	body := "User-agent: *\nDisallow: /cart\nDisallow: /cart/1\nDisallow: /cart/2\n"
	plain := read[wire.Findings](t, requestOf(t, "lint", map[string]any{"body": body}))
	if len(plain.Findings) == 0 || plain.Body != nil || plain.Profile != "google" {
		t.Fatalf("got %+v", plain)
	}
	ignored := read[wire.Findings](t, requestOf(t, "lint", map[string]any{"body": body, "ignore": []string{plain.Findings[0].Code}}))
	if len(ignored.Findings) >= len(plain.Findings) {
		t.Errorf("%s is reported", plain.Findings[0].Code)
	}
	fixed := read[wire.Findings](t, requestOf(t, "lint", map[string]any{"body": body, "fix": "plain"}))
	if fixed.Body == nil || fixed.Fixed == 0 || *fixed.Body == body || len(fixed.Findings) >= len(plain.Findings) {
		t.Errorf("got %+v", fixed)
	}
}

func TestFormat(t *testing.T) {
	f := read[wire.Formatted](t, requestOf(t, "format", map[string]any{"body": "user-agent:*\ndisallow:/a", "line_ends": "crlf"}))
	if want := "User-agent: *\r\nDisallow: /a\r\n"; f.Body != want || !f.Changed || f.Refused != "" {
		t.Errorf("got %+v, want %q", f, want)
	}
	f = read[wire.Formatted](t, requestOf(t, "format", map[string]any{"body": f.Body}))
	if f.Changed {
		t.Errorf("formatting again changes it: %+v", f)
	}
	f = read[wire.Formatted](t, requestOf(t, "format", map[string]any{"body": strings.Repeat("#\n", 300_000)}))
	if f.Refused == "" || f.Changed {
		t.Errorf("a large file is formatted: %v", f.Changed)
	}
}

// TestTokens: the tokens are these texts, in UTF-16 units.
func TestTokens(t *testing.T) {
	got := read[wire.Tokens](t, requestOf(t, "tokens", map[string]any{"body": sample}))
	var lines [][]uint16
	for line := range strings.SplitSeq(sample, "\r\n") {
		lines = append(lines, utf16.Encode([]rune(line)))
	}
	var parts []string
	for _, token := range got.Tokens {
		parts = append(parts, string(token.Kind)+" "+string(utf16.Decode(lines[token.Line][token.Start:token.End])))
	}
	want := []string{
		"key user-agent", "agent GPTBot", "comment # für alle", "key Dissallow", "pattern /ü", "wildcard *", "pattern /x", "wildcard $",
		"key disalow", "pattern /y", "ignored nothing", "key Sitemap", "url https://shop.example/s.xml", "key Crawl-delay", "value 3", "unknown-key Foo", "value 1",
	}
	if !slices.Equal(parts, want) {
		t.Errorf("got  %q\nwant %q", parts, want)
	}
	some := read[wire.Tokens](t, requestOf(t, "tokens", map[string]any{"body": sample, "first": 1, "last": 2}))
	if len(some.Tokens) != 7 || some.Tokens[0].Line != 1 {
		t.Errorf("lines 1 and 2: got %+v", some.Tokens)
	}
}

func TestPlaces(t *testing.T) {
	h := read[wire.Hover](t, requestOf(t, "hover", map[string]any{"body": "User-agent: GPTBot", "line": 0, "character": 14}))
	if !h.Found || !strings.Contains(h.Markdown, "OpenAI") || h.Range.Start.Character != 12 {
		t.Errorf("got %+v", h)
	}
	c := read[wire.Completions](t, requestOf(t, "complete", map[string]any{"body": "User-agent: GPTB", "line": 0, "character": 16}))
	if len(c.Completions) == 0 || c.Completions[0].Label != "GPTBot" || c.Completions[0].Edit.Range.Start.Character != 12 {
		t.Errorf("got %+v", c)
	}
	d := read[wire.Diagnostics](t, requestOf(t, "diagnostics", map[string]any{"body": "ä\nDisalow: /a"}))
	if len(d.Diagnostics) == 0 || d.Diagnostics[0].Range.End.Line != 0 {
		t.Errorf("got %+v", d)
	}
}

func TestResources(t *testing.T) {
	page := `<!doctype html><base href="/a/"><base href=/b/><link rel="Stylesheet" href=x.css><link rel=canonical href=/none>
<script src="//cdn.example/y.js?a=1&amp;b=2#f"></script><script>"<img src=no.png>"</script><!-- <img src=no.png> -->
<img src=z.png srcset="z1.png 1x, z2.png 2x,z3.png"><img src=z.png><img src=data:image/png,x><img src="javascript:x">
<link rel=preload as=font href=f.woff2><video poster=p.jpg src=v.mp4></video><iframe src="http://[">`
	got := read[wire.Resources](t, requestOf(t, "resources", map[string]any{"html": page, "url": "https://shop.example/page"}))
	var lines []string
	for _, r := range got.Resources {
		lines = append(lines, string(r.Kind)+" "+strings.TrimPrefix(r.URL, "https://shop.example"))
	}
	want := []string{"style /a/x.css", "script https://cdn.example/y.js?a=1&b=2", "image /a/z.png", "image /a/z1.png", "image /a/z2.png", "image /a/z3.png",
		"font /a/f.woff2", "media /a/v.mp4", "image /a/p.jpg"}
	if !slices.Equal(lines, want) || got.URL != "https://shop.example/a/" {
		t.Errorf("got %q of %s, want %q", lines, got.URL, want)
	}
}

// TestResourceURLs: the address of a file leads where it leads in browsers, on a page without a base and on one
// with it; the first base with an address counts, even if it cannot.
func TestResourceURLs(t *testing.T) {
	l, err := conformance.ReadLocations()
	if err != nil {
		t.Fatal(err)
	}
	urlOf := func(page, at string) string {
		got := read[wire.Resources](t, requestOf(t, "resources", map[string]any{"html": page, "url": at}))
		if len(got.Resources) != 1 {
			return ""
		}
		return got.Resources[0].URL
	}
	script := func(address string) string { return `<script src="` + html.EscapeString(address) + `"></script>` }
	for _, c := range l.Cases {
		if c.Target == nil || strings.TrimSpace(c.Location) == "" {
			continue
		}
		base := `<base href="` + html.EscapeString(l.From) + `">`
		without, with := urlOf(script(c.Location), l.From), urlOf(base+script(c.Location), "https://page.example/")
		if without != *c.Target || with != *c.Target {
			t.Errorf("%q: %s, and with a base %s, want %s", c.Location, without, with, *c.Target)
		}
	}
	for page, want := range map[string]string{
		script(`\b.js`):                                        "http://shop.example/b.js",
		script("/x%zz.js"):                                     "http://shop.example/x%zz.js",
		script("https:///t.example/a.js"):                      "https://t.example/a.js",
		script("http://me:secret@h.example/a.js"):              "http://h.example/a.js",
		script("mailto:a@b"):                                   "",
		`<base href="data:,"><base href=/b/>` + script("a.js"): "http://shop.example/dir/a.js",
		`<base><base href=/b/>` + script("a.js"):               "http://shop.example/b/a.js",
	} {
		if got := urlOf(page, "http://me:secret@shop.example/dir/page"); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, request string
		limits        calls.Limits
		want          calls.Error
	}{
		{"lint", `{}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "body"}},
		{"lint", `{"body":"","fix":"some"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "fix"}},
		{"lint", `{"body":"","profile":"x"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "profile"}},
		{"lint", `{"body":"","url":"x"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "url"}},
		{"lint", `{"body":"","ignore":["RX101","x"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "ignore/1"}},
		{"lint", `{"body":"","severities":{"RX101":"x"}}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "severities/RX101"}},
		{"lint", `{"body":"Disalow: /a","fix":"all"}`, calls.Limits{Fixes: 1, BodyBytes: 10}, calls.Error{Code: calls.CodeLimit, Field: "body", Limit: "BodyBytes"}},
		{"lint", `{"body":"User-agent: *\nDisalow: /a\nDisalow: /b","fix":"all"}`, calls.Limits{Fixes: 1}, calls.Error{Code: calls.CodeLimit, Field: "fix", Limit: "Fixes"}},
		{"lint", `{"body":"","budget":7}`, calls.Limits{LintSteps: 6}, calls.Error{Code: calls.CodeLimit, Field: "budget", Limit: "LintSteps"}},
		{"format", `{"body":"","line_ends":"x"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "line_ends"}},
		{"ai", `{"body":"","purposes":["x"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "purposes/0"}},
		{"generate", `{"body":"","no":["ai-trainin"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "no"}},
		{"generate", `{"body":"","yes":["search=x"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "yes"}},
		{"generate", `{"body":"","signals":["x"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "signals"}},
		{"generate", `{"body":"<html>","no":["search"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "body"}},
		{"generate", `{"body":""}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "body"}},
		{"crawlers", `{"names":["Googlebott"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "names"}},
		{"resources", `{"url":"https://shop.example"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "html"}},
		{"resources", `{"html":"","url":"/a"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "url"}},
		{"resources", `{"html":"12","url":"https://shop.example"}`, calls.Limits{HTMLBytes: 1}, calls.Error{Code: calls.CodeLimit, Field: "html", Limit: "HTMLBytes"}},
	} {
		_, err := editing.Calls()[test.name](t.Context(), []byte(test.request), test.limits)
		got, ok := errors.AsType[*calls.Error](err)
		if !ok || got.Code != test.want.Code || got.Field != test.want.Field || got.Limit != test.want.Limit {
			t.Errorf("%s %s: got %#v, want %+v", test.name, test.request, err, test.want)
		}
	}
}

// FuzzCalls: no body panics, whatever the call, and the results are valid JSON. Tokens
// are in order and within their lines.
func FuzzCalls(f *testing.F) {
	f.Add([]byte(sample), 0, 13)
	f.Add([]byte("\xffuser-agent:\x00*\r#\xed\xa0\x80"), 1, 1)
	f.Add([]byte("<link rel=stylesheet href=//a srcset=', ,a 1x'>"), -1, 1<<40)
	names := slices.Sorted(maps.Keys(editing.Calls()))
	f.Fuzz(func(t *testing.T, body []byte, line, character int) {
		for _, name := range names {
			fields := map[string]any{"body_base64": body}
			switch name {
			case "hover", "complete":
				fields["line"], fields["character"] = line, character
			case "resources":
				fields = map[string]any{"html": string(body), "url": "https://shop.example"}
			case "generate":
				fields["no"], fields["signals"] = []string{"ai-training", "ai-fetch=/a"}, []string{"content-usage"}
			case "crawlers":
				fields = map[string]any{"names": []string{string(body)}}
			}
			text, _ := json.Marshal(fields)
			result, err := editing.Calls()[name](t.Context(), text, calls.Limits{LintSteps: 1_000})
			if err != nil {
				if _, ok := errors.AsType[*calls.Error](err); !ok {
					t.Errorf("%s %q: %v", name, body, err)
				}
				continue
			}
			if !json.Valid(result) || bytes.ContainsRune(result, '\n') {
				t.Errorf("%s %q: %s", name, body, result)
			}
			if name == "tokens" {
				last := wire.Token{Line: -1}
				for _, token := range read[wire.Tokens](t, string(result)).Tokens {
					if token.Line < last.Line || token.Line == last.Line && token.Start < last.End ||
						token.End <= token.Start {
						t.Errorf("%q: %+v after %+v", body, token, last)
					}
					last = token
				}
			}
		}
	})
}

// TestLongBase: a base that each URL would repeat does not multiply a page.
func TestLongBase(t *testing.T) {
	for _, length := range []int{15_000, 1_000_000} {
		var page strings.Builder
		page.WriteString("<base href=/" + strings.Repeat("b", length) + "/>")
		for i := range 10_000 {
			fmt.Fprintf(&page, "<img src=%d>", i)
		}
		got := read[wire.Resources](t, requestOf(t, "resources", map[string]any{"html": page.String(), "url": "https://shop.example/"}))
		if n := len(got.Resources); !got.Truncated || n*length > 32<<20 || length < 16<<10 && n == 0 {
			t.Errorf("a base of %d bytes: %d resources, truncated %v", length, n, got.Truncated)
		}
	}
	// Nor does a site: it is a host, which is shorter, and nothing else is repeated.
	for site, want := range map[string]string{"https://" + strings.Repeat("b", 20_000): "", " ": "", `""`: "", "https://me:p/w@h": "",
		"https://me:pw@Shop.example/b/?c#d": "https://shop.example/a"} {
		got, err := editing.URLs(t.Context(), &editing.URLsRequest{Text: new("/a"), Site: site}, calls.Limits{})
		e, refused := errors.AsType[*calls.Error](err)
		if want == "" && (!refused || e.Field != "site") || want != "" && (err != nil || got.URLs[0] != want) {
			t.Errorf("the site %.50q: %v, %v", site, got, err)
		}
	}
}

func TestURLs(t *testing.T) {
	csv := "Crawled by a spider\n\"Address\";\"Status\"\n\"https://shop.example/a;b\";200\n;404\nhttps://shop.example/c;200\n"
	u := read[wire.URLs](t, requestOf(t, "urls", map[string]any{"text": csv, "name": "export.csv"}))
	if want := []string{"https://shop.example/a;b", "https://shop.example/c"}; !slices.Equal(u.URLs, want) || u.Truncated {
		t.Errorf("got %+v", u)
	}
	if want := `CSV, URLs from column 1 ("address")`; u.ReadAs != want || len(u.Problems) != 1 || u.Problems[0].Line != 4 {
		t.Errorf("got %+v", u)
	}
	u = read[wire.URLs](t, requestOf(t, "urls", map[string]any{"text": csv, "format": "csv", "column": "2"}))
	if len(u.URLs) != 0 || len(u.Problems) != 3 || strings.Contains(u.Problems[0].Hint, "--") {
		t.Errorf("got %+v", u)
	}
	sitemap := "<urlset><url><loc>https://shop.example/?a=1&amp;b=2</loc></url></urlset>"
	u = read[wire.URLs](t, requestOf(t, "urls", map[string]any{"text": sitemap, "name": "sitemap.xml"}))
	if want := []string{"https://shop.example/?a=1&b=2"}; !slices.Equal(u.URLs, want) || u.ReadAs != "a sitemap" {
		t.Errorf("got %+v", u)
	}
	u = read[wire.URLs](t, requestOf(t, "urls", map[string]any{"text": "/a\n/b?c\n", "site": "https://shop.example/"}))
	if want := []string{"https://shop.example/a", "https://shop.example/b?c"}; !slices.Equal(u.URLs, want) {
		t.Errorf("got %+v", u)
	}
}

// TestURLsLimits: a list may be large, may expand, and may have no URL at all.
func TestURLsLimits(t *testing.T) {
	u := read[wire.URLs](t, requestOf(t, "urls", map[string]any{"text": strings.Repeat("/a\n", 20_000)}))
	if len(u.URLs) != 10_000 || !u.Truncated {
		t.Errorf("got %d URLs, truncated %v", len(u.URLs), u.Truncated)
	}
	u = read[wire.URLs](t, requestOf(t, "urls", map[string]any{"text": strings.Repeat("x y\n", 300)}))
	if len(u.Problems) != 100 || u.Omitted != 200 {
		t.Errorf("got %d problems, %d omitted", len(u.Problems), u.Omitted)
	}
	var bomb bytes.Buffer
	packer := gzip.NewWriter(&bomb)
	for range 64 {
		packer.Write(bytes.Repeat([]byte("\n"), 1<<10))
	}
	packer.Close()
	index := "<sitemapindex><sitemap><loc>https://shop.example/a.xml</loc></sitemap></sitemapindex>"
	for name, fields := range map[string]map[string]any{
		"text":       {"text_base64": bomb.Bytes()},
		"long":       {"text": strings.Repeat("/", 2_000)},
		"missing":    {},
		"both":       {"text": "", "text_base64": []byte("/")},
		"format":     {"text": "/", "format": "xls"},
		"no column":  {"text": "a,b\n1,2\n"},
		"an archive": {"text": "PK\x03\x04"},
		"an index":   {"text": index},
	} {
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		result, err := editing.Calls()["urls"](t.Context(), text, calls.Limits{ListBytes: 1_000})
		if wrong, ok := errors.AsType[*calls.Error](err); !ok || strings.Contains(wrong.Hint, "--") {
			t.Errorf("%s: got %s, %v", name, result, err)
		}
	}
}

func TestRemarks(t *testing.T) {
	request := map[string]any{
		"agents": []string{"Gogglebot", "GPTBot", "*", "Googlebot-Newz:gogglebot", "Gogglebot/2.1", "Entirely-Own"},
		"urls": []string{"/a", "nonsense", "http://", "mailto:x@y", "https://a.example/x", "HTTPS://A.example:443/y", "http://a.example/x",
			"https://a.example:8443/", "https://b.example/x"},
		"site": "https://a.example/robots.txt",
	}
	got := read[wire.Remarks](t, requestOf(t, "remarks", request))
	wantAgents := []wire.AgentRemark{{Agent: "Gogglebot", Nearest: "Googlebot"}, {Agent: "Googlebot-Newz:gogglebot", Nearest: "Googlebot-News:Googlebot"},
		{Agent: "Gogglebot/2.1", Nearest: "Googlebot"}}
	if !slices.Equal(got.Agents, wantAgents) {
		t.Errorf("got %+v, want %+v", got.Agents, wantAgents)
	}
	const hint = "a URL begins with https:// or http://, a path with /"
	wantURLs := []wire.URLRemark{{Index: 1, URL: "nonsense", Problem: "not a URL", Hint: hint}, {Index: 2, URL: "http://", Problem: "not a valid URL"},
		{Index: 3, URL: "mailto:***@y", Problem: "not a URL", Hint: hint}, {Index: 6, URL: "http://a.example/x", RobotsURL: "http://a.example/robots.txt"},
		{Index: 7, URL: "https://a.example:8443/", RobotsURL: "https://a.example:8443/robots.txt"}, {Index: 8, URL: "https://b.example/x", RobotsURL: "https://b.example/robots.txt"}}
	if !slices.Equal(got.URLs, wantURLs) {
		t.Errorf("got %+v, want %+v", got.URLs, wantURLs)
	}
	delete(request, "site")
	request["urls"] = append(request["urls"].([]string), "//b.example/y")
	wantURLs = append(wantURLs, wire.URLRemark{Index: 9, URL: "//b.example/y", RobotsURL: "https://b.example/robots.txt"})
	// The first URL is of the same site.
	if got := read[wire.Remarks](t, requestOf(t, "remarks", request)); !slices.Equal(got.URLs, wantURLs) {
		t.Errorf("got %+v for a file of no site", got.URLs)
	}
	for _, wrong := range []string{`{"site":"a.example"}`, `{"agents":["\""]}`, `{"urls":["/a","/b"]}`} {
		if got, err := editing.Calls()["remarks"](t.Context(), []byte(wrong), calls.Limits{URLs: 1}); err == nil {
			t.Errorf("%s: got %s", wrong, got)
		}
	}
}

// TestMaskedPasswords: no result shows a password.
func TestMaskedPasswords(t *testing.T) {
	for url, want := range map[string]string{
		"https://u:SECRET@e.com/": `"https://***@e.com/"`, // another origin
		"http://u:SECRET@/":       `"http://***@/"`,       // no host
	} {
		got := requestOf(t, "remarks", map[string]any{"site": "http://e.com", "urls": []string{url}})
		if !strings.Contains(got, want) || strings.Contains(got, "SECRET") {
			t.Errorf("%s: %s", url, got)
		}
	}
	const list = "http://u:SECRET@e.com/a"
	for call, test := range map[string]struct {
		request map[string]any
		want    string // resources have the URLs that a browser requests
	}{
		"urls":      {map[string]any{"text": list}, "http://***@"},
		"resources": {map[string]any{"url": list, "html": `<script src="http://a:SECRET@x.example/y"></script><base href="http://u:SECRET@e.com/b"><img src="z">`}, `"http://x.example/y"`},
	} {
		if got := requestOf(t, call, test.request); !strings.Contains(got, test.want) || strings.Contains(got, "SECRET") {
			t.Errorf("%s: %s", call, got)
		}
	}
}
