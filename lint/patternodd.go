package lint

import (
	"bytes"
	"path"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxRegularExpression = &check{Entry{
	Code: "RX219", Name: "regular-expression", Severity: Warning,
	Title: "A path is written as a regular expression.",
	Why:   "Only two characters are special in a path: * matches any text, and a final $ means the end (RFC 9309 2.2.3, G43, G44). Crawlers compare all others as they are, so the rule matches hardly any URL.",
	Bad:   "User-agent: *\nDisallow: /(cart|checkout)/.*\n",
	Good:  "User-agent: *\nDisallow: /cart/\nDisallow: /checkout/\n",
}}

var rxEscapedPattern = &check{Entry{
	Code: "RX220", Name: "character-not-in-urls", Severity: Warning,
	Title: "A path has characters that URLs do not have.",
	Why:   "Crawlers request & as it is, not as &amp;, and they write \" < > { } in a path as %22 %3C %3E %7B %7D. A path with the other form matches no URL. Often the line comes from a web page, or it is a template whose variables were not filled in.",
	Bad:   "User-agent: *\nDisallow: /*?id=1&amp;sort=\n",
	Good:  "User-agent: *\nDisallow: /*?id=1&sort=\n",
}}

var rxDoubleStar = &check{Entry{
	Code: "RX221", Name: "double-star", Severity: Info, Pedantic: true,
	Title: "Two stars in a row mean the same as one.",
	Why:   "In a path * already matches any text, slashes included (RFC 9309 2.2.3, G43). There is no ** for folders at any depth.",
	Bad:   "User-agent: *\nDisallow: /**/print/\n",
	Good:  "User-agent: *\nDisallow: /*/print/\n",
}}

var rxDotSegment = &check{Entry{
	Code: "RX222", Name: "dot-segment", Severity: Warning,
	Title: "A path contains /./ or /../, so it matches nothing.",
	Why:   "Browsers and crawlers remove these segments before they request a URL (RFC 3986 5.2.4).",
	Bad:   "User-agent: *\nDisallow: /shop/../private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findOddPattern reports a path with characters that mean something elsewhere, and
// whether it says all about the path.
func findOddPattern(d *document, l *line, odd uint16) bool {
	value := l.value()
	if odd&oddElsewhere == 0 && (odd&oddDot == 0 || odd&oddStar == 0 || !bytes.Contains(value, []byte(".*"))) {
		if odd&(oddDot|oddStar) != 0 {
			findDots(d, l)
		}
		return false
	}
	switch {
	case isRegularExpression(string(value)):
		d.findValue(rxRegularExpression, l, "%s is a regular expression; crawlers know only * and a final $.", quote(value))
	case findEntity(d, l):
	default:
		return findRaw(d, l)
	}
	return true
}

// isRegularExpression reports whether a path has what only regular expressions have.
// Dots, stars and question marks are common in paths.
func isRegularExpression(value string) bool {
	if value[0] == '^' || strings.HasPrefix(value, "/^") || strings.HasPrefix(value, ".*") || strings.Contains(value, "(?") {
		return true
	}
	if open := strings.IndexByte(value, '('); open >= 0 {
		if alternatives, rest, closed := strings.Cut(value[open+1:], ")"); closed && (strings.Contains(alternatives, "|") || strings.HasPrefix(rest, "?") || strings.HasPrefix(alternatives, ".*")) {
			return true
		}
	}
	for _, part := range [...]string{"/.*/", "/.*.", "/.*\\", ").*", "].*", ".+", "]+", "]*", "]{", "[0-9", "[a-z", "[A-Z", "[^", `\.`, `\d`, `\w`, `\/`, `\?`, `\-`, `\s`} {
		if strings.Contains(value, part) {
			return true
		}
	}
	return false
}

// entities are the characters that HTML writes in another way.
var entities = [...]struct{ entity, char string }{{"&amp;", "&"}, {"&quot;", "%22"}, {"&lt;", "%3C"}, {"&gt;", "%3E"}, {"&#38;", "&"}, {"&#038;", "&"}}

// findEntity reports a character as HTML writes it, and whether there is one.
func findEntity(d *document, l *line) bool {
	if bytes.IndexByte(l.value(), '&') < 0 {
		return false
	}
	for _, e := range entities {
		at := bytes.Index(l.value(), []byte(e.entity))
		if at < 0 {
			continue
		}
		f := d.find(rxEscapedPattern, l, l.valueAt()+at, l.valueAt()+at+len(e.entity), "URLs contain %s and not %s, so this rule matches nothing.", str(e.char), quoteText(e.entity))
		value := string(l.value())
		for _, e := range entities {
			value = strings.ReplaceAll(value, e.entity, e.char)
		}
		f.Fix = &Fix{Title: "write " + e.char, Edits: l.replaceValue(value), Meaning: true}
		return true
	}
	return false
}

// findRaw reports a character that URLs have percent-encoded only, and whether there is
// one. In a query, braces stay as they are.
func findRaw(d *document, l *line) bool {
	value := l.value()
	query := bytes.IndexByte(value, '?')
	at := bytes.IndexAny(value, `"<>{}`)
	if at < 0 || query >= 0 && at > query && (value[at] == '{' || value[at] == '}') {
		return false
	}
	encoded := percentEncode(value, func(c byte) bool { return strings.IndexByte(`"<>{}`, c) >= 0 })
	if beside(d, l, encoded) {
		return true
	}
	what := "so this rule matches nothing"
	if bytes.Contains(value, []byte("{{")) || value[at] == '{' && bytes.IndexByte(value[at:], '}') > 0 {
		what = "and a variable of a template may be missing here"
	}
	f := d.find(rxEscapedPattern, l, l.valueAt()+at, l.valueAt()+at+1, "Crawlers write %s in URLs as %s, %s.",
		quote(value[at:at+1]), str(string(ascii.AppendPercent(nil, value[at]))), str(what))
	if bytes.IndexByte(value, '{') >= 0 {
		return true
	}
	f.Fix = &Fix{Title: "percent-encode it", Edits: l.replaceValue(encoded), Meaning: true}
	return true
}

// beside reports whether the line before or after has the value: authors who do not know
// which form crawlers compare write both.
func beside(d *document, l *line, value string) bool {
	for _, number := range [...]int{l.number - 1, l.number + 1} {
		if number >= 1 && number <= len(d.lines) && bytes.EqualFold(d.line(number).value(), []byte(value)) {
			return true
		}
	}
	return false
}

// findDots reports segments that no requested URL has, and two stars in a row.
func findDots(d *document, l *line) {
	if !bytes.Contains(l.value(), []byte("**")) && !bytes.Contains(l.value(), []byte("/.")) {
		return
	}
	value, _, _ := strings.Cut(string(l.value()), "?")
	if at := strings.Index(value, "**"); at >= 0 {
		end := at
		for end < len(value) && value[end] == '*' {
			end++
		}
		if end < len(value) { // at the end of a path one star is one too many
			f := d.find(rxDoubleStar, l, l.valueAt()+at, l.valueAt()+end, "** means the same as *.")
			f.Fix = &Fix{Title: "write one star", Edits: []Edit{{l.valueAt() + at, l.valueAt() + end, "*"}}, Meaning: true}
		}
	}
	if !strings.Contains(value, "/./") && !strings.Contains(value, "/../") {
		return
	}
	f := d.findValue(rxDotSegment, l, "Crawlers remove . and .. from URLs, so %s matches nothing.", quote(l.value()))
	if strings.ContainsAny(value, "*$") {
		return
	}
	clean := path.Clean(value)
	if strings.HasSuffix(value, "/") && clean != "/" {
		clean += "/"
	}
	if clean != "/" { // that would close the site
		f.Fix = &Fix{Title: "write " + clean, Edits: l.replaceValue(clean + string(l.value()[len(value):])), Meaning: true}
	}
}
