package editor

import (
	"bytes"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/lint"
)

// Completion is a text that completes what is written before an offset.
type Completion struct {
	Kind          Kind   // KindKey, KindCrawler, KindOrder or KindCode
	Label         string // the text in the list
	Detail        string // a few words next to it
	Documentation string // Markdown; can be empty
	Edit          Edit   // inserts the text in place of what is written before the offset
}

// Kind is the kind of a completion, a symbol, a fold or a token.
type Kind string

// The kinds.
const (
	KindKey     Kind = "key"     // of a line
	KindCrawler Kind = "crawler" // a product token
	KindOrder   Kind = "order"   // ignore or ignore-file, in a comment for the linter
	KindCode    Kind = "code"    // of a finding, in such a comment
	KindGroup   Kind = "group"   // user-agent lines and their rules
	KindRule    Kind = "rule"    // an Allow or Disallow line
	KindSitemap Kind = "sitemap" // a Sitemap line
	KindComment Kind = "comment" // a comment, or a block of them

	KindUnknownKey Kind = "unknown-key" // a key that crawlers do not read
	KindAgent      Kind = "agent"       // the value of a user-agent line
	KindPattern    Kind = "pattern"     // the path pattern of a rule, without wildcards
	KindWildcard   Kind = "wildcard"    // in a path pattern
	KindURL        Kind = "url"         // of a sitemap
	KindValue      Kind = "value"       // of another line
	KindIgnored    Kind = "ignored"     // text that crawlers do not read
)

// Complete returns the completions of the text before an offset: keys at the start of a
// line, crawlers in a user-agent line, codes in a comment for the linter. It omits
// completions that do not begin with the text that is written, ignoring case. It returns
// nil where nothing can be completed.
func (d *Document) Complete(offset int) []Completion {
	offset = d.boundary(offset)
	start := d.places.Start(d.places.Line(offset))
	if start == 0 && d.places.InMark(0) {
		start = min(offset, markLength)
	}
	before := d.body[start:offset]
	if comment := bytes.IndexByte(before, '#'); comment >= 0 {
		return d.completeComment(start+comment, offset)
	}
	colon := bytes.IndexByte(before, ':')
	if colon < 0 {
		return d.completeKey(offset-len(bytes.TrimLeft(before, ascii.Space)), offset)
	}
	if d.line(offset).Kind != robotstxt.KindUserAgent {
		return nil
	}
	return d.completeAgent(offset-len(bytes.TrimLeft(before[colon+1:], ascii.Space)), offset)
}

func (d *Document) completeKey(start, end int) (all []Completion) {
	after := ": "
	if rest := bytes.TrimLeft(d.body[end:], " \t"); len(rest) > 0 && rest[0] == ':' {
		after = ""
	}
	for _, k := range keys {
		if hasPrefix(k.name, d.body[start:end]) {
			all = append(all, Completion{KindKey, k.name, "", k.doc, Edit{d.Range(start, end), k.name + after}})
		}
	}
	return all
}

func (d *Document) completeAgent(start, end int) (all []Completion) {
	written := d.body[start:end]
	at := d.Range(start, end)
	if hasPrefix("*", written) {
		all = append(all, Completion{KindCrawler, "*", "crawlers that no other group is for", "", Edit{at, "*"}})
	}
	for c := range crawlers.All() {
		if hasPrefix(c.Token, written) {
			detail := purposesOf(c)
			if c.Operator != crawlers.Unknown {
				detail = c.Operator + ", " + detail
			}
			all = append(all, Completion{KindCrawler, c.Token, detail, crawlerText(c), Edit{at, c.Token}})
		}
	}
	return all
}

const suppression = "robots-lint:"

var orders = []struct{ name, detail string }{
	{"ignore", "hide findings on this line, or on the next line"},
	{"ignore-file", "hide findings in the whole file"},
}

func (d *Document) completeComment(start, end int) (all []Completion) {
	at := bytes.Index(d.body[start:end], []byte(suppression))
	if at < 0 {
		return nil
	}
	words := bytes.FieldsFunc(d.body[start+at+len(suppression):end], isSeparator)
	written := []byte(nil)
	if len(words) > 0 && !isSeparator(rune(d.body[end-1])) {
		written, words = words[len(words)-1], words[:len(words)-1]
	}
	edited := d.Range(end-len(written), end)
	if len(words) == 0 {
		for _, order := range orders {
			if hasPrefix(order.name, written) {
				all = append(all, Completion{KindOrder, order.name, order.detail, "", Edit{edited, order.name}})
			}
		}
		return all
	}
	for _, e := range lint.Catalogue() {
		if hasPrefix(string(e.Code), written) || hasPrefix(e.Name, written) {
			all = append(all, Completion{KindCode, string(e.Code), e.Name,
				escape(e.Title), Edit{edited, string(e.Code)}})
		}
	}
	return all
}

func isSeparator(c rune) bool { return strings.ContainsRune(ascii.Space+",", c) }

// hasPrefix reports whether a name begins with what is written, ignoring case.
func hasPrefix(name string, written []byte) bool { return ascii.HasPrefixFold(name, string(written)) }
