package lint

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

var rxMarkup = check{Entry: &Entry{
	Code: "RX401", Name: "markup", Severity: Error,
	Title: "The file is a web page, JSON or a stylesheet, not a robots.txt.",
	Why:   "Often it is an error page that the server sends with status 200. Crawlers find no directive in it, and may fetch everything (RFC 9309 2.3.1.5, G1). Serve the real file, or status 404 if there is none. If rules follow the markup, crawlers read them: that is a warning, and info for a comment of HTML.",
	Bad:   "<!DOCTYPE html>\n<html>\n<head><title>Not found</title></head>\n</html>\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectMarkup looks for a body that begins as HTML and XML do, and reports whether it
// does. Byte order marks can come before, in any form. Crawlers read the rules that follow
// a comment or the warning of a server's program, so such a file has other findings too.
func inspectMarkup(d *document) bool {
	if !bodyhead.IsMarkup(d.body) {
		return false
	}
	start := len(d.body) - len(bodyhead.TrimMarks(d.body))
	l := d.lineAt(start)
	end := max(start, l.end()-len(l.terminator()))
	if d.portion == anyBody {
		text := d.body[start:]
		isPage := bytes.Contains(bytes.ToLower(text[:min(len(text), bodyhead.Size)]), []byte("<html"))
		isXML := ascii.HasPrefixFold(text, "<?xml") && !isPage || bytes.HasPrefix(text, []byte("<Error>"))
		what := choose(isXML, "XML", "a web page")
		d.find(rxMarkup, l, start, end, "This file is %s, not a robots.txt. Crawlers find no rules in it, so they may fetch everything.", what)
		return true
	}
	last := d.lastInFront()
	what := choose(last.number > l.number, fmt.Sprintf("Lines %d to %d are", l.number, last.number), "This line is")
	kind, advice, most := "markup", "Remove the markup", Warning
	if isCommentOfHTML(d.body[start:last.end()]) {
		kind, advice, most = "a comment of HTML", "Begin comments with #", Info
	}
	d.find(rxMarkup.at(most), l, start, end, "%s %s, which crawlers ignore: they read the rules after it. %s.", what, kind, advice)
	return true
}

func isCommentOfHTML(text []byte) bool {
	for len(text) > 0 {
		inside, comment := bytes.CutPrefix(text, []byte("<!--"))
		_, after, closed := bytes.Cut(inside, []byte("-->"))
		if !comment || !closed {
			return false
		}
		text = bytes.TrimSpace(after)
	}
	return true
}

func (d *document) lastInFront() *line {
	last := &d.lines[0]
	for i := 0; i < len(d.lines) && !readable(d.lines[i].kind); i++ {
		if isUnread(d.lines[i]) {
			last = &d.lines[i]
		}
	}
	return last
}

func (d *document) lineAt(offset int) *line {
	i := sort.Search(len(d.lines), func(i int) bool { return offset < d.lines[i].end() })
	return &d.lines[min(i, len(d.lines)-1)]
}

var rxNoDirective = check{Entry: &Entry{
	Code: "RX418", Name: "no-directive", Severity: Error,
	Title: "The file has text, but no directive.",
	Why:   "It is probably an error message or another file. Crawlers find no rule in it and may fetch everything (G1, G20). Nothing else is reported about such a file. Not reported if a line might be meant as a directive.",
	Bad:   "404 page not found\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectForeignText looks for a body in which no line is a directive, or was meant to be
// one, but some are not empty: an error message, JSON, an image.
func inspectForeignText(d *document) {
	if d.format != "" {
		l := d.lineAt(len(d.body) - len(bytes.TrimLeft(d.body, ascii.Space)))
		d.findLine(rxMarkup, l, "This file is %s, not a robots.txt. Crawlers find no rules in it, so they may fetch everything.", d.format)
	} else if first := slices.IndexFunc(d.lines, isUnread); d.portion == anyBody && first >= 0 {
		l := &d.lines[first]
		d.findLine(rxNoDirective, l, "This file has no directive, so crawlers may fetch everything. It begins with %s.", quote(bytes.TrimSpace(l.raw())))
	}
}

func (d *document) hasOnlyText() bool {
	meant := func(l line) bool { return readable(l.kind) || isUnread(l) && meansDirective(&l) }
	return slices.ContainsFunc(d.lines, isUnread) && !slices.ContainsFunc(d.lines, meant)
}

// otherFormat returns what a body is that has lines of the form "key: value" but is no
// robots.txt, "" if it might be one. A stylesheet has braces and semicolons at the ends of
// most lines.
func (d *document) otherFormat() string {
	text := bytes.TrimSpace(bodyhead.TrimMarks(d.body))
	if d.hasDirective() || len(d.groups) > 0 {
		return ""
	}
	encloses := func(open, end string) bool {
		return bytes.HasPrefix(text, []byte(open)) && bytes.HasSuffix(text, []byte(end))
	}
	if encloses("{", "}") && bytes.Contains(text, []byte(`":`)) || encloses("[", "]") && bytes.IndexByte(text, '"') >= 0 {
		return "JSON"
	}
	lines, ended := 0, 0
	for i := range d.lines {
		if content := bytes.TrimSpace(d.lines[i].content()); len(content) > 0 {
			lines++
			if strings.IndexByte("{};", content[len(content)-1]) >= 0 {
				ended++
			}
		}
	}
	isCode := lines >= 3 && (codeShare+1)*ended >= codeShare*lines && bytes.IndexByte(text, '{') >= 0
	return choose(isCode, "a stylesheet or a script", "")
}

func (d *document) hasDirective() bool {
	return slices.ContainsFunc(d.lines, func(l line) bool { return counts(l.kind) })
}

// frontMatter returns how many lines are the settings of a site generator, between two lines of dashes at the
// beginning. The generator should have removed them.
func (d *document) frontMatter() int {
	const most = 50 // lines
	isFence := func(l *line) bool { return string(bytes.TrimSpace(bodyhead.TrimMarks(l.raw()))) == "---" }
	if !isFence(&d.lines[0]) {
		return 0
	}
	end := 1 + slices.IndexFunc(d.lines[1:], func(l line) bool { return counts(l.kind) || isFence(&l) })
	if end == 0 || end >= most || counts(d.lines[end].kind) {
		return 0
	}
	return end + 1
}

func findFrontMatter(d *document) {
	if last := d.frontMatter(); last > 0 {
		f := d.findLine(rxText, &d.lines[0], "Crawlers ignore this front matter of a site generator, up to line %d. The generator should have removed it.", last)
		f.Related = []Related{{last, "its end"}}
	}
}

func meansDirective(l *line) bool {
	_, end := strayMark(l)
	kind, _ := nearlyDirective(l)
	return end > 0 || kind > 0 || l.kind == robotstxt.KindUnknown && !l.missingColon && plausibleKey(l.key())
}

// plausibleKey reports whether a key might be invented or misspelt: a word or two. More words
// are a sentence with a colon, and some words begin the message of a server.
func plausibleKey(key []byte) bool {
	const shortest, longest = 3, 40
	words := bytes.Fields(key)
	if len(words) > 2 || len(words) > 0 && (ascii.EqualFold(words[0], "status") || ascii.EqualFold(words[0], "error")) {
		return false
	}
	return len(key) >= shortest && len(key) <= longest &&
		consistsOf(key, func(c byte) bool { return inWord(c) || c == ' ' })
}
