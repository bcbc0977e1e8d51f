package page_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/page"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// newPage makes the page of the tests, whose files are compressed once for all tests.
var newPage = sync.OnceValues(func() (*page.Page, error) {
	return page.New(page.Config{Version: "v1.2.3", Token: func(*http.Request) string { return "TOKEN" }})
})

func shared(t *testing.T) *page.Page {
	t.Helper()
	p, err := newPage()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func get(p *page.Page, target string, header ...string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, from io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestIndex(t *testing.T) {
	p := shared(t)
	response := get(p, "/")
	text := body(t, response.Body)
	nonce := regexp.MustCompile(` nonce="([^"]+)"`).FindStringSubmatch(text)
	if nonce == nil {
		t.Fatalf("no nonce in %s", text)
	}
	policy := response.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval';", "style-src 'self' 'nonce-" + nonce[1] + "'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %q lacks %q", policy, want)
		}
	}
	for _, want := range []string{`data-service="live"`, `data-version="v1.2.3"`, `data-build="` + p.Build() + `"`, `name="token" value="TOKEN"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(text, "http-equiv") {
		t.Error("the policy is in the page too, although it is in a header")
	}
	if again := body(t, get(p, "/").Body); strings.Contains(again, nonce[1]) {
		t.Error("two responses have the same nonce")
	}
	checkNothingInline(t, text)
}

// checkNothingInline fails if a page has a script, a style or an event handler of its own.
func checkNothingInline(t *testing.T, text string) {
	t.Helper()
	for _, inline := range []string{`<style`, `\sstyle=`, `<script(?:[^>]*)>[^<]`, `\son[a-z]+=`} {
		if found := regexp.MustCompile(inline).FindString(text); found != "" {
			t.Errorf("the page has %q", found)
		}
	}
}

var link = regexp.MustCompile(`(?:href|src)="([^"#]+)"`)

func TestFiles(t *testing.T) {
	p := shared(t)
	types := map[string]string{".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
	links := link.FindAllStringSubmatch(body(t, get(p, "/").Body), -1)
	if len(links) < 3 {
		t.Fatalf("the page has the links %v only", links)
	}
	for _, found := range links {
		target := "/" + found[1]
		plain := get(p, target)
		want := body(t, plain.Body)
		name, _, _ := strings.Cut(target, "?")
		if kind := plain.Header.Get("Content-Type"); plain.StatusCode != http.StatusOK ||
			!strings.HasPrefix(kind, types[filepath.Ext(name)]) {
			t.Errorf("%s: status %d, type %q", target, plain.StatusCode, kind)
		}
		if cache := plain.Header.Get("Cache-Control"); !strings.Contains(cache, "immutable") {
			t.Errorf("%s: Cache-Control %q although its URL has the build", target, cache)
		}
		// Only the query names the build.
		if cache := get(p, name).Header.Get("Cache-Control"); cache != "no-cache" {
			t.Errorf("%s: Cache-Control %q", name, cache)
		}
		small := get(p, target, "Accept-Encoding", "gzip, br;q=0.9")
		if small.Header.Get("Content-Encoding") != "br" || body(t, brotli.NewReader(small.Body)) != want {
			t.Errorf("%s: brotli differs", target)
		}
		zipped := get(p, target, "Accept-Encoding", "gzip, br;q=0")
		unzip, err := gzip.NewReader(zipped.Body)
		if err != nil || zipped.Header.Get("Content-Encoding") != "gzip" || body(t, unzip) != want {
			t.Errorf("%s: gzip differs (%v)", target, err)
		}
		tag := small.Header.Get("ETag")
		if again := get(p, target, "Accept-Encoding", "br", "If-None-Match", `"x", W/`+tag); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s: status %d for its own ETag", target, again.StatusCode)
		}
		if tag == plain.Header.Get("ETag") || tag == zipped.Header.Get("ETag") {
			t.Errorf("%s: codings share the ETag %s", target, tag)
		}
	}
	for _, target := range []string{"/index.html", "/form.html", "/build.txt", "/page.go", "/../page.go", "/dist/page.js"} {
		if response := get(p, target); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", target, response.StatusCode)
		}
	}
}

func TestFormEscapes(t *testing.T) {
	p := shared(t)
	const hostile = `</textarea><script>alert(1)</script>"'{{Token}}`
	w := httptest.NewRecorder()
	p.WriteForm(w, httptest.NewRequest(http.MethodPost, "/form", nil), http.StatusOK, &page.Form{
		Token: hostile, Body: hostile, Site: hostile, Agents: hostile, URLs: hostile, Error: hostile, Hint: hostile,
		Answers: []wire.Answer{{Query: wire.Query{Agent: hostile, URL: hostile}, Verdict: wire.VerdictAllowed,
			Rule: hostile}},
	})
	text := w.Body.String()
	if strings.Contains(text, "<script") || strings.Count(text, "</textarea>") != 3 {
		t.Errorf("text became markup:\n%s", text)
	}
	if n := strings.Count(text, "{{Token}}"); n != 10 {
		t.Errorf("a visitor's {{Token}} is there %d times, want 10: it must not be filled in", n)
	}
	if policy := w.Header().Get("Content-Security-Policy"); strings.Contains(policy, "nonce") {
		t.Errorf("the policy %q allows inline styles, and the page has none", policy)
	}
	checkNothingInline(t, strings.ReplaceAll(text, "&#34;", ""))
}

// TestFormNotes: an answer without scripts has the notes that it has elsewhere.
func TestFormNotes(t *testing.T) {
	w := httptest.NewRecorder()
	shared(t).WriteForm(w, httptest.NewRequest(http.MethodPost, "/form", nil), http.StatusOK, &page.Form{
		Answers: []wire.Answer{{Query: wire.Query{Agent: "A", URL: "/robots.txt", JoinedLine: 3, FetchedAnyway: true},
			Verdict: wire.VerdictDisallowed, Rule: "Disallow: /"}},
	})
	for _, note := range []string{wire.JoinedGroup(3, "A"), wire.FetchedAnyway} {
		if !strings.Contains(html.UnescapeString(w.Body.String()), "<br>"+note) {
			t.Errorf("the note %q is missing", note)
		}
	}
}

func TestExport(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "static")
	var text string
	for range 2 { // the second overwrites the first
		before := text
		if err := page.Export(folder, "v1.2.3"); err != nil {
			t.Fatal(err)
		}
		text = read(t, filepath.Join(folder, "index.html"))
		if before != "" && text != before {
			t.Error("two exports differ")
		}
	}
	for _, want := range []string{`<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;self&#39;`, `data-service="none"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(text, "<form") {
		t.Error("the page has a form although nothing can answer it")
	}
	p := shared(t)
	for _, found := range link.FindAllStringSubmatch(text, -1) {
		name, _, _ := strings.Cut(found[1], "?")
		if read(t, filepath.Join(folder, name)) != body(t, get(p, "/"+name).Body) {
			t.Errorf("%s differs from what the service sends", name)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExportFile: one file has what the service sends, refers to nothing, and its policy allows its
// own script only, and no connection.
func TestExportFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.html")
	if err := page.Export(name, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	text := read(t, name)
	if len(text) > 5_500_000 {
		t.Errorf("the file has %d bytes: too many for an e-mail", len(text))
	}
	p := shared(t)
	script := body(t, get(p, "/page.js").Body)
	zipped := base64.StdEncoding.EncodeToString([]byte(body(t, get(p, "/robots.wasm", "Accept-Encoding", "gzip").Body)))
	for what, want := range map[string]string{
		"script": ` id="script">` + script + "</script>", "styles": ">" + body(t, get(p, "/page.css").Body) + "</style>",
		"worker":   `id="worker-text">` + body(t, get(p, "/worker.js").Body) + "</script>",
		"module":   `id="module-text">` + zipped + "</script>",
		"licences": `id="licences-text">` + body(t, get(p, "/LICENSES.txt").Body) + "</script>",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("the file has the %s %d times", what, strings.Count(text, want))
		}
	}
	policy := html.UnescapeString(regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1])
	digest := sha256.Sum256([]byte(script))
	for _, want := range []string{"default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "' 'wasm-unsafe-eval'; ", "style-src 'nonce-" + p.Build() + "'; "} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %q", policy, want)
		}
	}
	for _, other := range []string{"connect-src", "'self'", "http", "*", "unsafe-inline"} {
		if strings.Contains(policy, other) {
			t.Errorf("the policy %q has %s", policy, other)
		}
	}
	markup := regexp.MustCompile(`(?s)(<(?:script|style)[^>]*>).*?(</(?:script|style)>)`).ReplaceAllString(text, "$1$2")
	for _, found := range link.FindAllStringSubmatch(markup, -1) {
		if !strings.HasPrefix(found[1], "data:") {
			t.Errorf("the file refers to %s", found[1])
		}
	}
	if regexp.MustCompile(`\{\{\w+\}\}`).MatchString(markup) {
		t.Error("a place of the page is not filled")
	}
}

// TestNoForeignHost checks that no file refers to another host, except for names of
// XML namespaces, texts about licences, and the sources of quotes, which are links that
// nothing follows by itself.
func TestNoForeignHost(t *testing.T) {
	files, err := filepath.Glob("dist/*")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	quoted, err := os.ReadFile("src/aicontrols.ts")
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`(?:https?:)?//[a-zA-Z0-9-]+\.[a-zA-Z.]+[^\s"'` + "`" + `)]*`)
	for _, name := range files {
		if base := filepath.Base(name); base == "robots.wasm.br" || base == "LICENSES.txt" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".br") {
			text = []byte(body(t, brotli.NewReader(bytes.NewReader(text))))
		}
		for _, found := range address.FindAll(text, -1) {
			isSource := bytes.Contains(quoted, append([]byte(`url: "`), found...))
			if !isSource && !bytes.Contains(found, []byte("www.w3.org/")) && !bytes.Contains(found, []byte("example")) {
				t.Errorf("%s refers to %s", name, found)
			}
		}
	}
}

// TestShared: the responses of a file share its bytes, in each coding.
func TestShared(t *testing.T) {
	p := shared(t)
	for _, coding := range []string{"", "gzip", "br"} {
		get(p, "/robots.wasm", "Accept-Encoding", coding)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 20 {
			r := httptest.NewRequest(http.MethodGet, "/robots.wasm", nil)
			r.Header.Set("Accept-Encoding", coding)
			p.ServeHTTP(unread{http.Header{}}, r)
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / 20; each > 64<<10 {
			t.Errorf("coding %q: a response allocates %d bytes", coding, each)
		}
	}
}

// unread is a response that nobody reads.
type unread struct{ header http.Header }

func (w unread) Header() http.Header         { return w.header }
func (w unread) Write(p []byte) (int, error) { return len(p), nil }
func (w unread) WriteHeader(int)             {}

// TestRanges: a part of a file in a coding is a part of its coded bytes, as long as the ETag is
// that of the coding.
func TestRanges(t *testing.T) {
	p := shared(t)
	for _, coding := range []string{"", "gzip", "br"} {
		whole := get(p, "/robots.wasm", "Accept-Encoding", coding)
		text, tag := body(t, whole.Body), whole.Header.Get("ETag")
		if length := whole.Header.Get("Content-Length"); length != fmt.Sprint(len(text)) {
			t.Errorf("coding %q: length %q of %d bytes", coding, length, len(text))
		}
		part := get(p, "/robots.wasm", "Accept-Encoding", coding, "Range", "bytes=1000-1999", "If-Range", tag)
		if got := body(t, part.Body); part.StatusCode != http.StatusPartialContent || got != text[1000:2000] ||
			part.Header.Get("Content-Length") != "1000" || part.Header.Get("Content-Encoding") != coding {
			t.Errorf("coding %q: status %d, %d bytes, %v", coding, part.StatusCode, len(got), part.Header)
		}
		if other := get(p, "/robots.wasm", "Accept-Encoding", coding, "Range", "bytes=0-9", "If-Range", `"other"`); other.StatusCode != http.StatusOK {
			t.Errorf("coding %q: status %d for a part of another file", coding, other.StatusCode)
		}
		if none := get(p, "/robots.wasm", "Accept-Encoding", coding, "Range", "bytes=99999999-"); none.StatusCode != http.StatusRequestedRangeNotSatisfiable {
			t.Errorf("coding %q: status %d for a part behind the end", coding, none.StatusCode)
		}
		if matched := get(p, "/robots.wasm", "Accept-Encoding", coding, "If-Match", tag); matched.StatusCode != http.StatusOK || body(t, matched.Body) != text {
			t.Errorf("coding %q: status %d for the same file", coding, matched.StatusCode)
		}
		other := get(p, "/robots.wasm", "Accept-Encoding", coding, "If-Match", `"other"`)
		if other.StatusCode != http.StatusPreconditionFailed ||
			other.Header.Get("Content-Length") != "" || body(t, other.Body) != "" {
			t.Errorf("coding %q: status %d for another file: %v", coding, other.StatusCode, other.Header)
		}
	}
}

// TestModule checks the WebAssembly module: it is compressed in the build, and the same
// for clients that accept no coding.
func TestModule(t *testing.T) {
	p := shared(t)
	small := get(p, "/robots.wasm", "Accept-Encoding", "br")
	if small.Header.Get("Content-Encoding") != "br" || small.Header.Get("Content-Type") != "application/wasm" {
		t.Fatalf("status %d, coding %q, type %q", small.StatusCode, small.Header.Get("Content-Encoding"), small.Header.Get("Content-Type"))
	}
	module := body(t, brotli.NewReader(small.Body))
	if plain := get(p, "/robots.wasm"); plain.Header.Get("Content-Encoding") != "" || body(t, plain.Body) != module {
		t.Error("without a coding, the module differs")
	}
	zipped := get(p, "/robots.wasm", "Accept-Encoding", "gzip")
	if unzip, err := gzip.NewReader(zipped.Body); err != nil || zipped.Header.Get("Content-Encoding") != "gzip" || body(t, unzip) != module {
		t.Errorf("as gzip, the module differs: %v", err)
	}
	record, err := os.ReadFile("dist/robots.wasm.txt")
	if err != nil {
		t.Fatal(err)
	}
	if fields := strings.Fields(string(record)); len(fields) != 2 ||
		fields[1] != fmt.Sprintf("%x", sha256.Sum256([]byte(module))) {
		t.Errorf("the module is not the one of robots.wasm.txt: %q", record)
	}
	if !strings.HasPrefix(module, "\x00asm") {
		t.Errorf("the module begins with %q", module[:min(len(module), 4)])
	}
}
