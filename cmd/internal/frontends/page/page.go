// Package page is the page of robots serve: an editor with answers next to it. Its
// sources are in src; the script build makes the files in dist, which are embedded here.
//
// The page calls the HTTP service under v1/ until a worker has loaded the engine as
// WebAssembly. [Export] writes it as a folder for any web host, or as one file, where only
// the worker answers.
package page

import (
	"crypto/rand"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
)

//go:embed all:dist
var dist embed.FS

// Policy returns the Content-Security-Policy of the page. CodeMirror adds a style sheet,
// which has the nonce; nothing else is inline. Responses to workers need it too, so all
// files are served with it.
func Policy(nonce string) string {
	return strings.Join(append(policy(nonce), "frame-ancestors 'none'"), "; ")
}

// policy returns the directives that a meta element can contain.
func policy(nonce string) []string {
	styles := "style-src 'self'"
	if nonce != "" {
		styles += " 'nonce-" + nonce + "'"
	}
	return []string{
		"default-src 'none'",
		"script-src 'self' 'wasm-unsafe-eval'",
		styles,
		"img-src 'self' data:", // the marks of findings in the editor
		"connect-src 'self'",
		"worker-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"require-trusted-types-for 'script'", // text cannot become markup, see src/trusted.ts
		"trusted-types robots",
	}
}

// filePolicy returns the directives of a page that is one file. It can connect to nothing.
func filePolicy(digest, nonce string) []string {
	return []string{
		"default-src 'none'",
		"script-src 'sha256-" + digest + "' 'wasm-unsafe-eval'",
		"style-src 'nonce-" + nonce + "'",
		"img-src data:",
		"worker-src blob:",
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types robots",
	}
}

// Page serves the page and its files. Its methods can be called concurrently.
type Page struct {
	config   Config
	build    string
	index    string // of every visitor
	answered string // of visitors without scripts, with their answers
	form     string // in both
	files    map[string]*file
}

// Config configures a Page.
type Config struct {
	// Version is the program's version. The page shows it.
	Version string

	// Token returns the token of the form for visitors without scripts, which its
	// handler requires. Default: an empty token.
	Token func(*http.Request) string
}

// New returns a page. The error reports files that the build should have made.
func New(config Config) (*Page, error) {
	p := &Page{config: config, files: make(map[string]*file)}
	names, err := fs.Glob(dist, "dist/*")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		body, err := dist.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p.files[strings.TrimSuffix(strings.TrimPrefix(name, "dist/"), ".br")] = newFile(name, body)
	}
	p.build, err = p.text("build.txt")
	if err != nil {
		return nil, err
	}
	p.build = strings.TrimSpace(p.build)
	for name, text := range map[string]*string{"index.html": &p.index, "answered.html": &p.answered, "form.html": &p.form} {
		*text, err = p.text(name)
		if err != nil {
			return nil, err
		}
	}
	for _, internal := range []string{"build.txt", "index.html", "form.html", "answered.html", "robots.wasm.txt"} {
		delete(p.files, internal)
	}
	return p, nil
}

func (p *Page) text(name string) (string, error) {
	f := p.files[name]
	if f == nil {
		return "", fmt.Errorf("page: the build has no %s", name)
	}
	return string(f.body), nil
}

// fill replaces each {{name}} in the text of a page with its value.
func fill(text string, values map[string]markup.HTML) []byte {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "{{"+name+"}}", string(value))
	}
	return []byte(strings.NewReplacer(pairs...).Replace(text))
}

// Build returns the name of the build: a digest of the page's files.
func (p *Page) Build() string { return p.build }

// document is what differs between index.html for visitors, in a folder, and as one file.
type document struct {
	service string      // "live", or "none" for an exported page
	policy  markup.HTML // of an exported page
	parts   markup.HTML // icon, styles and script
	form    markup.HTML // for visitors without scripts
	data    markup.HTML // what the script of one file reads instead of files
}

func (p *Page) indexText(d document) []byte {
	return fill(p.index, map[string]markup.HTML{
		"Build": markup.Text(p.build), "Version": markup.Text(p.config.Version), "Service": markup.Text(d.service),
		"Policy": d.policy, "Parts": d.parts, "Form": d.form, "Data": d.data,
	})
}

// linkedParts returns the parts of a page that has them in files.
func (p *Page) linkedParts(nonce string) markup.HTML {
	var w markup.Writer
	w.Print(`<link rel="icon" href="icon.svg?v=%[1]s" type="image/svg+xml">
<link rel="stylesheet" href="page.css?v=%[1]s">
<script type="module" src="page.js?v=%[1]s" nonce="%[2]s" id="script"></script>`, p.build, nonce)
	return w.HTML()
}

// ServeHTTP answers GET and HEAD requests for "/" and the page's files. All other
// requests get 404 or 405.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		p.serveIndex(w, r)
		return
	}
	f := p.files[name]
	if f == nil {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	securityHeaders(header, "")
	header.Set("Cache-Control", "no-cache")
	if r.URL.RawQuery == "v="+p.build {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	f.serve(w, r)
}

// Has reports whether the page or one of its files is at a path.
func (p *Page) Has(path string) bool {
	return path == "/" || p.files[strings.TrimPrefix(path, "/")] != nil
}

func (p *Page) serveIndex(w http.ResponseWriter, r *http.Request) {
	form := &Form{}
	if p.config.Token != nil {
		form.Token = p.config.Token(r)
	}
	nonce := rand.Text()
	securityHeaders(w.Header(), nonce)
	const hint = "    <p>The editor needs scripts. This form works without them.</p>\n"
	writeHTML(w, r, http.StatusOK, p.indexText(document{
		service: "live", parts: p.linkedParts(nonce), form: hint + p.formText(form),
	}))
}

// writeHTML sends a text that differs for each response, so that no cache keeps it.
func writeHTML(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // an error means that the client is gone
	}
}

func securityHeaders(header http.Header, nonce string) {
	header.Set("Content-Security-Policy", Policy(nonce))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}
