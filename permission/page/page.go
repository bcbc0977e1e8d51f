// Package page finds the signals of package permission in HTML.
//
//	page := page.Read(html, response.Header.Get("Content-Type"))
//	sources.Page = page
//
// It reads the elements meta with a name, link to an RSL document, and script with one. It knows
// comments, scripts, templates, drawings in SVG, formulas in MathML and the head of a page as
// browsers do, but makes no tree: it takes time linear in the page, and little memory. It is a
// package of its own, so that programs without HTML do not link golang.org/x/net/html. ReadLicense reads
// RSL documents in any encoding.
package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
)

// Limit is the number of bytes of a page that Read reads. Crawlers of search engines read more,
// but the elements are in the head.
const Limit = 1 << 20

// The most elements of a page that are kept.
const (
	maxMetas = 1000
	maxLinks = 16
)

// Read returns the signals in the first Limit bytes of a page. contentType is the Content-Type field
// of the response, from which Read takes the encoding; it can be empty. Cut is true if the page is
// longer, or has more than 1,000 meta elements or 16 RSL documents. Read also reads pages in UTF-16.
// It does not read a page in an encoding that does not extend ASCII, such as ISO-2022-JP: the result
// has a Problem.
func Read(text []byte, contentType string) *permission.Page {
	r := reader{page: &permission.Page{Cut: len(text) > Limit}, line: 1}
	r.text = text[:min(len(text), Limit)]
	r.encoding = encodingOf(r.text, contentType)
	if r.encoding.isUTF16() {
		r.source = &wide{}
		r.text = r.encoding.decode(r.text)
	}
	r.refuse(string(r.encoding))
	r.tokenizer = html.NewTokenizer(bytes.NewReader(r.text))
	for r.page.Problem == "" && r.next() {
	}
	return r.page
}

func (r *reader) refuse(label string) {
	if isUnreadable(label) {
		r.page.Cut = true
		r.page.Problem = "in the encoding " + ascii.ToLower(label) + ", which is not supported"
		r.page.Metas, r.page.Links = nil, nil
	}
}

type reader struct {
	tokenizer *html.Tokenizer
	page      *permission.Page
	text      []byte
	source    *wide    // of offsets, if text is decoded from UTF-16
	encoding  encoding // of the response or a mark; empty if elements can give it
	at        int      // where the next token begins

	line, counted int // the line of the offset counted

	body      bool // the body has begun
	based     bool // a base element with an address has been read
	templates int  // that are open
	noscripts int  // that are open
	foreign   foreign
	rsl, raw  bool // the next text is inside a script with an RSL document; inside a title, a script or a style
	scriptAt  place
}

type place struct{ offset, line int }

func (r *reader) next() bool {
	r.tokenizer.AllowCDATA(r.foreign.inside())
	kind := r.tokenizer.Next()
	start := r.at
	r.at += len(r.tokenizer.Raw())
	switch kind {
	case html.ErrorToken:
		return false
	case html.StartTagToken, html.SelfClosingTagToken:
		r.startTag(start, kind == html.SelfClosingTagToken)
	case html.EndTagToken:
		r.endTag()
	case html.TextToken:
		r.readText()
	}
	return true
}

// placeOf returns the place of a token. Offsets of calls grow.
func (r *reader) placeOf(offset int) place {
	r.line += bytes.Count(r.text[r.counted:offset], []byte("\n"))
	r.counted = offset
	if r.source != nil {
		return place{r.source.offsetOf(r.text[:offset]), r.line}
	}
	return place{offset, r.line}
}

// inHead are the elements that can be in the head. Any other tag begins the body.
var inHead = []string{"html", "head", "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title"}

func (r *reader) startTag(start int, closed bool) {
	name, more := r.tokenizer.TagName()
	tag := string(name)
	r.rsl, r.raw = false, false
	if r.foreign.start(tag, closed) {
		r.tokenizer.NextIsNotRawText() // style and script are ordinary elements there
		r.body = r.body || r.templates == 0
		return
	}
	r.raw = tag == "title" || tag == "script" || tag == "style" || tag == "noframes"
	if r.templates == 0 && !slices.Contains(inHead, tag) {
		r.body = true
	}
	switch tag {
	case "template":
		r.templates++
	case "noscript":
		r.noscripts++
		r.tokenizer.NextIsNotRawText() // as readers without scripts have it
	case "meta", "link", "script", "base":
		if more {
			r.element(tag, start)
		}
	}
}

// readCharset reads the encoding of the page that a meta element states. charset is nil if it
// lacks that attribute.
func (r *reader) readCharset(charset *string, equivalent, content string) {
	switch {
	case charset != nil:
		r.refuse(*charset)
	case ascii.EqualFold(strings.TrimSpace(equivalent), "content-type"):
		r.refuse(string(charsetOf(content)))
	}
}

func (r *reader) addMeta(name, content string, start int) {
	if len(r.page.Metas) == maxMetas {
		r.page.Cut = true
		return
	}
	at := r.placeOf(start)
	r.page.Metas = append(r.page.Metas, permission.Meta{
		Name: name, Content: content, Offset: at.offset, Line: at.line, OutsideHead: r.body || r.noscripts > 0,
	})
}

// element reads the attributes of an element that can be a signal. If a name is repeated,
// the first attribute wins.
func (r *reader) element(tag string, start int) {
	var name, content, kind, rel, href, charset, equivalent *string
	wanted := map[string]**string{"name": &name, "content": &content, "type": &kind, "rel": &rel, "href": &href, "charset": &charset, "http-equiv": &equivalent}
	for more := true; more; {
		var key, value []byte
		key, value, more = r.tokenizer.TagAttr()
		if to := wanted[string(key)]; to != nil && *to == nil {
			text := string(value)
			*to = &text
		}
	}
	isRSL := ascii.EqualFold(strings.TrimSpace(valueOf(kind)), "application/rsl+xml")
	if tag == "meta" && r.encoding == "" {
		r.readCharset(charset, valueOf(equivalent), valueOf(content))
	}
	switch {
	case r.templates > 0 || r.page.Problem != "":
	case tag == "meta" && valueOf(name) != "":
		r.addMeta(strings.TrimSpace(valueOf(name)), valueOf(content), start)
	case tag == "link" && isRSL && slices.Contains(strings.Fields(ascii.ToLower(valueOf(rel))), "license"):
		at := r.placeOf(start)
		r.addLink(permission.Link{Href: valueOf(href), Offset: at.offset, Line: at.line})
	case tag == "base" && href != nil && !r.based:
		r.based = true // the first one applies, even if it is empty
		r.page.Base = *href
	case tag == "script" && isRSL:
		r.rsl = true
		r.scriptAt = r.placeOf(start)
	}
}

func valueOf(attribute *string) string {
	if attribute == nil {
		return ""
	}
	return *attribute
}

func (r *reader) addLink(l permission.Link) {
	r.page.Cut = r.page.Cut || len(r.page.Links) == maxLinks
	if len(r.page.Links) < maxLinks {
		r.page.Links = append(r.page.Links, l)
	}
}

func (r *reader) endTag() {
	name, _ := r.tokenizer.TagName()
	r.rsl, r.raw = false, false
	tag := string(name)
	if r.foreign.end(tag) {
		return
	}
	switch tag {
	case "template":
		r.templates = max(0, r.templates-1)
	case "noscript":
		r.noscripts = max(0, r.noscripts-1)
	case "body", "html", "br":
		r.body = true
	}
}

// license reads an RSL document in the page, which is in the page's encoding: by default windows-1252.
func (r *reader) license(text []byte) *permission.License {
	mediaType := ""
	if !utf8.Valid(text) {
		mediaType = "text/xml; charset=" + cmp.Or(string(r.encoding), "windows-1252")
	}
	return ReadLicense(text, mediaType)
}

func (r *reader) readText() {
	switch {
	case r.rsl:
		r.rsl = false
		r.addLink(permission.Link{
			Inline: r.license(r.tokenizer.Raw()), Offset: r.scriptAt.offset, Line: r.scriptAt.line,
		})
	case r.raw || r.templates > 0 || r.noscripts > 0:
	case len(bytes.Trim(r.tokenizer.Raw(), " \t\r\n\f\ufeff")) > 0:
		r.body = true
	}
}
