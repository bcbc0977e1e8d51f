// Package page finds the signals of package permission in HTML.
//
//	page := page.Read(html)
//	sources.Page = page
//
// It reads the elements meta with a name, link to an RSL document, and script with one. It knows
// comments, scripts, templates and the head of a page as browsers do, but makes no tree: it takes
// time linear in the page, and little memory. It is a package of its own, so that programs
// without HTML do not link golang.org/x/net/html.
package page

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
)

// Limit is the number of bytes of a page that Read reads. Crawlers of search engines read more,
// but the elements are in the head.
const Limit = 1 << 20

// The most elements of a page that are kept.
const (
	mostMetas = 1000
	mostLinks = 16
)

// Read returns the signals in a page: of its first Limit bytes. Cut is true if the page is
// longer, or has more than 1,000 meta elements or 16 RSL documents, or is in UTF-16, which is not
// read.
func Read(text []byte) *permission.Page {
	r := reader{tokenizer: html.NewTokenizer(bytes.NewReader(text[:min(len(text), Limit)])), page: &permission.Page{Cut: len(text) > Limit}}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		r.page.Cut = true
		return r.page
	}
	for r.next() {
	}
	return r.page
}

// reader reads the tags of a page in order.
type reader struct {
	tokenizer *html.Tokenizer
	page      *permission.Page
	at        int // where the next token begins

	body       bool // the body has begun
	templates  int  // that are open
	noscripts  int  // that are open
	rsl, title bool // the next text is that of a script with an RSL document; of a title or script
	scriptAt   int
}

// next reads a token, and reports whether there was one.
func (r *reader) next() bool {
	kind := r.tokenizer.Next()
	start := r.at
	r.at += len(r.tokenizer.Raw())
	switch kind {
	case html.ErrorToken:
		return false
	case html.StartTagToken, html.SelfClosingTagToken:
		r.startTag(start)
	case html.EndTagToken:
		r.endTag()
	case html.TextToken:
		r.text()
	}
	return true
}

// inHead are the elements that may be in the head. Any other tag begins the body.
var inHead = []string{"html", "head", "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title"}

func (r *reader) startTag(start int) {
	name, more := r.tokenizer.TagName()
	tag := string(name)
	r.rsl, r.title = false, tag == "title" || tag == "script" || tag == "style" || tag == "noframes"
	if r.templates == 0 && !slices.Contains(inHead, tag) {
		r.body = true
	}
	switch tag {
	case "template":
		r.templates++
	case "noscript":
		r.noscripts++
		r.tokenizer.NextIsNotRawText() // as readers without scripts have it
	case "meta", "link", "script":
		if r.templates == 0 && more {
			r.element(tag, start)
		}
	}
}

// element reads the attributes of an element that may be a signal.
func (r *reader) element(tag string, start int) {
	values := map[string]string{}
	for more := true; more; {
		var key, value []byte
		if key, value, more = r.tokenizer.TagAttr(); len(values) < 100 {
			if _, repeated := values[string(key)]; !repeated {
				values[string(key)] = string(value)
			}
		}
	}
	isRSL := ascii.EqualFold(strings.TrimSpace(values["type"]), "application/rsl+xml")
	relations := strings.Fields(ascii.ToLower(values["rel"]))
	switch {
	case tag == "meta" && values["name"] != "":
		r.page.Cut = r.page.Cut || len(r.page.Metas) == mostMetas
		if len(r.page.Metas) < mostMetas {
			r.page.Metas = append(r.page.Metas, permission.Meta{
				Name: strings.TrimSpace(values["name"]), Content: values["content"], Offset: start, OutsideHead: r.body || r.noscripts > 0,
			})
		}
	case tag == "link" && isRSL && slices.Contains(relations, "license"):
		r.addLink(permission.Link{Href: values["href"], Offset: start})
	case tag == "script" && isRSL:
		r.rsl, r.scriptAt = true, start
	}
}

func (r *reader) addLink(l permission.Link) {
	r.page.Cut = r.page.Cut || len(r.page.Links) == mostLinks
	if len(r.page.Links) < mostLinks {
		r.page.Links = append(r.page.Links, l)
	}
}

func (r *reader) endTag() {
	name, _ := r.tokenizer.TagName()
	r.rsl, r.title = false, false
	switch string(name) {
	case "template":
		r.templates = max(0, r.templates-1)
	case "noscript":
		r.noscripts = max(0, r.noscripts-1)
	case "body", "html", "br":
		r.body = true
	}
}

func (r *reader) text() {
	switch {
	case r.rsl:
		r.rsl = false
		r.addLink(permission.Link{Inline: permission.ReadLicense(r.tokenizer.Raw()), Offset: r.scriptAt})
	case r.title || r.templates > 0 || r.noscripts > 0:
	case len(bytes.Trim(r.tokenizer.Raw(), " \t\r\n\f\ufeff")) > 0:
		r.body = true
	}
}
