package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// plainKeys are the keys as everyone reads them.
var plainKeys = [...]string{
	robotstxt.KindUserAgent: "User-agent",
	robotstxt.KindAllow:     "Allow",
	robotstxt.KindDisallow:  "Disallow",
	robotstxt.KindSitemap:   "Sitemap",
}

var keyFamily = family{inspect: inspectKeys, checks: []*check{rxStrayByteOrderMark, rxMissingColon, rxMisspeltKey, rxKeyByPrefix, rxText, rxColonOfTheValue, rxDirectiveWithoutColon}, marks: true}

// inspectKeys looks for lines that are directives only because Google's parser is
// lenient, and for those that are none though they look it.
func inspectKeys(d *document) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		switch {
		case l.told || l.kind == robotstxt.KindEmpty || l.kind == robotstxt.KindComment:
		case l.kind == robotstxt.KindNoDirective || l.kind == robotstxt.KindUnknown:
			i = inspectLostLine(d, i)
		default:
			if l.missingColon && findMissingColon(d, l) {
				continue
			}
			if int(l.kind) < len(plainKeys) && (l.typo || len(l.key()) != len(plainKeys[l.kind])) {
				inspectSpelling(d, l)
			}
		}
	}
}

var rxMissingColon = &check{Entry{
	Code: "RX410", Name: "missing-colon", Severity: Warning,
	Title: "There is no colon between key and value.",
	Why:   "Google's parser accepts a blank instead where the line is exactly two words (G15). No text promises that, and most parsers pass over the line.",
	Bad:   "User-agent: *\nDisallow /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findMissingColon reports a directive of two words without a colon (G15), and
// whether that is all that is wrong with its key: in "Disallow; /" the semicolon
// is a part of the key, but only for want of a colon. One colon and one blank take
// the place of what stands between the words.
func findMissingColon(d *document, l *line) (all bool) {
	key := withoutSeparator(l.key())
	f := d.findKey(rxMissingColon, l, "no colon behind %s; Google reads the line all the same, most parsers do not", quote(key))
	if l.roomy() {
		f.Fix = &Fix{Title: "write the colon", Edits: []Edit{{l.keyAt() + len(key), l.valueAt(), ": "}}}
	}
	return len(key) < len(l.key()) && int(l.kind) < len(plainKeys) && ascii.EqualFold(key, plainKeys[l.kind])
}

// withoutSeparator drops what people write for a colon from the end of a key.
func withoutSeparator(key []byte) []byte {
	for i := range key {
		if i > 0 && separatorLen(key[i:]) == len(key)-i {
			return bytes.TrimRight(key[:i], " \t")
		}
	}
	return key
}

var rxMisspeltKey = &check{Entry{
	Code: "RX411", Name: "misspelt-key", Severity: Warning,
	Title: "The key is a misspelling that Google accepts.",
	Why:   "Google's parser knows some common misspellings (G21). Other parsers know other ones or none, and then pass over the line.",
	Bad:   "User-agent: *\nDissallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

var rxKeyByPrefix = &check{Entry{
	Code: "RX412", Name: "key-by-prefix", Severity: Warning,
	Title: "The key counts only because it begins with that of a directive.",
	Why:   "Google's parser looks at the beginning of a key only, so that Disallowed and Allow-all are directives (G19). Most other parsers do not know them.",
	Bad:   "User-agent: *\nDisallowed: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

var rxColonOfTheValue = &check{Entry{
	Code: "RX416", Name: "colon-of-the-value", Severity: Error,
	Title: "The first colon of the line is one of the value, so that the beginning of the value is lost.",
	Why:   "The first colon separates key and value, wherever it stands (G14). Without one behind the key, the value begins behind the first of its own colons (G16).",
	Bad:   "User-agent: *\nDisallow /tag:/old/\n",
	Good:  "User-agent: *\nDisallow: /tag:/old/\n",
}}

// inspectSpelling looks at a key that counts, but is not spelt as everyone reads
// it.
func inspectSpelling(d *document, l *line) {
	plain := plainKeys[l.kind]
	name, rest := l.key(), []byte(nil)
	if i := bytes.IndexAny(l.key(), " \t"); i >= 0 && !ascii.HasPrefixFold(l.key(), "user agent") {
		name, rest = l.key()[:i], bytes.TrimLeft(l.key()[i:], " \t")
	}
	at := l.keyAt() + len(name)
	separator := Edit{at, at, ":"}
	if len(rest) > 0 {
		if wrong := separatorLen(rest); wrong > 0 {
			separator.End = l.keyAt() + len(l.key()) - len(rest) + wrong
			rest = bytes.TrimLeft(rest[wrong:], " \t")
		}
	}
	var f *Finding
	switch {
	case len(rest) > 0 && startsValue(l.kind, rest):
		f = d.findKey(rxColonOfTheValue, l, "the first colon of the line separates key and value, so that the value is %s: write a colon behind %s",
			quote(l.value()), quote(name))
		// Then the value begins where it was meant to, which is another one.
		f.Fix = &Fix{Title: "write the colon", Edits: []Edit{separator}, Meaning: true}
		return
	case l.typo:
		f = d.findKey(rxMisspeltKey, l, "%s is read as %s by Google, but not by all parsers", quote(l.key()), str(plain))
	default:
		f = d.findKey(rxKeyByPrefix, l, "%s is read as %s by Google for its beginning, and most parsers do not know it", quote(l.key()), str(plain))
	}
	// A line that only happens to begin with Sitemap names no address.
	if l.roomy() && (l.kind != robotstxt.KindSitemap || ascii.HasPrefixFold(l.value(), "http")) {
		f.Fix = &Fix{Title: "write " + plain, Edits: l.replaceKey(plain)}
	}
}

// startsValue reports whether words behind a key look as a value of it does.
func startsValue(kind robotstxt.Kind, words []byte) bool {
	return kind == robotstxt.KindUserAgent || words[0] == '/' || words[0] == '*' || ascii.HasPrefixFold(words, "http")
}

// inspectLostLine looks at a line that no one reads, and returns the last line
// that it said something about.
func inspectLostLine(d *document, i int) int {
	l := &d.lines[i]
	if findStrayMark(d, l) {
		return i
	}
	if l.kind == robotstxt.KindNoDirective {
		if n := nearlyDirective(l); n > 0 {
			findNearlyDirective(d, l, n)
			return i
		}
	}
	if !isText(l) {
		return i
	}
	return findText(d, i)
}

// isText reports whether a line is words that no colon parts. Two words of which
// the second is a path are rather a misspelt directive.
func isText(l *line) bool {
	return !l.told && (l.kind == robotstxt.KindNoDirective ||
		l.kind == robotstxt.KindUnknown && l.missingColon && l.value()[0] != '/' && l.value()[0] != '*')
}

var rxText = &check{Entry{
	Code: "RX413", Name: "text", Severity: Info,
	Title: "Lines are neither directives nor comments.",
	Why:   "Parsers pass over them (G15), but a text that holds a colon, or begins with the word Disallow, might be read as a directive. A # in front makes a line a comment.",
	Bad:   "Rules for all crawlers\nUser-agent: *\nDisallow: /private/\n",
	Good:  "# Rules for all crawlers\nUser-agent: *\nDisallow: /private/\n",
}}

// findText reports a run of lines of text, and returns the last of them.
func findText(d *document, i int) int {
	first, last, n := &d.lines[i], i, 0
	var edits []Edit
	for ; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.kind == robotstxt.KindEmpty {
			continue
		}
		if !isText(l) || l.kind == robotstxt.KindNoDirective && nearlyDirective(l) > 0 {
			break
		}
		l.told = true
		at := l.offset() + textStart(d, l)
		edits = append(edits, Edit{at, at, "# "})
		last = i
		n++
	}
	text := bytes.TrimSpace(first.content())
	if n == 1 {
		f := d.findLine(rxText, first, "%s is no directive: there is no colon in the line", quote(text))
		f.Fix = &Fix{Title: "make it a comment", Edits: edits}
		return last
	}
	f := d.findLine(rxText, first, "%d lines are no directives, beginning with %s: there is no colon in them", num(n), quote(text))
	f.Fix = &Fix{Title: "make them comments", Edits: edits}
	return last
}

// textStart returns where in its line a text begins, behind a byte order mark and
// white space.
func textStart(d *document, l *line) int {
	start := 0
	if l.number == 1 {
		start = d.markLen()
	}
	return len(l.raw()) - len(bytes.TrimLeft(l.raw()[start:], ascii.Space))
}

// nearlyDirective returns how many bytes of a line that is no directive, white
// space before them included, are the key of one. It is 0 if the line does not go
// on as such a directive would: "Disallow / now" does, "Sitemap by Foo" does not.
func nearlyDirective(l *line) int {
	text := l.content()
	start := len(text) - len(bytes.TrimLeft(text, ascii.Space+bom))
	end := start
	for end < len(text) && inWord(text[end]) && end-start < 16 {
		end++
	}
	if end == start {
		return 0
	}
	kind := lineAlone(append(bytes.Clone(text[start:end]), ':')).Kind
	if kind < robotstxt.KindUserAgent || kind > robotstxt.KindSitemap {
		return 0
	}
	rest := bytes.TrimLeft(text[end:], " \t")
	switch {
	case len(bytes.TrimRight(rest, ascii.Space)) == 0:
		return end
	case separatorLen(rest) > 0, len(rest) < len(text)-end && startsValue(kind, rest):
		return end
	}
	return 0
}

// separatorLen returns the bytes of what people write for a colon: '=', ';' or
// U+FF1A, the wide one. It is 0 if text begins with something else.
func separatorLen(text []byte) int {
	const wideColon = "\uFF1A"
	switch {
	case text[0] == '=' || text[0] == ';':
		return 1
	case bytes.HasPrefix(text, []byte(wideColon)):
		return len(wideColon)
	}
	return 0
}

var rxDirectiveWithoutColon = &check{Entry{
	Code: "RX417", Name: "directive-without-colon", Severity: Error,
	Title: "A line looks like a directive but has no colon.",
	Why:   "A line without a colon is a directive only if it is exactly two words (G15); neither = nor ; separates key and value (G17). Google's parser passes over the line, and so do most others.",
	Bad:   "User-agent: *\nDisallow: /a\nDisallow=/private/\n",
	Good:  "User-agent: *\nDisallow: /a\nDisallow: /private/\n",
}}

// findNearlyDirective reports a line that begins with the key of a directive, n
// bytes long, but is none for want of a colon.
func findNearlyDirective(d *document, l *line, n int) {
	l.told = true
	text := l.content()
	rest := bytes.TrimLeft(text[n:], " \t")
	separator := Edit{l.offset() + n, l.offset() + n, ":"}
	if len(rest) > 0 {
		if wrong := separatorLen(rest); wrong > 0 {
			separator.Start = l.offset() + len(text) - len(rest)
			separator.End = separator.Start + wrong
		}
	}
	f := d.findLine(rxDirectiveWithoutColon, l, "%s is no directive to Google and most others, because there is no colon in it", quote(bytes.TrimSpace(text)))
	f.Fix = &Fix{Title: "write the colon", Edits: []Edit{separator}, Meaning: true}
}
