package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// inspectKeys looks for lines that only Google's lenient parser reads as directives, and for
// lines that look like directives but are not.
func inspectKeys(d *document) {
	findTemplates(d)
	findFrontMatter(d)
	findConflicts(d)
	findFalseColons(d)
	findGluedComments(d)
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		switch l.reason {
		case belowDisallow:
			findPathBelow(d, &d.lines[i-1])
		case hiddenByMark:
			findStrayMark(d, l)
		case markAlone:
			f := d.findLine(rxText, l, "This line contains only a byte order mark, which crawlers ignore here. Remove the line.")
			f.Fix = d.removalFix(l.number)
		case withoutColon:
			kind, value := nearlyDirective(l)
			f := d.findLine(rxDirectiveWithoutColon, l, "Crawlers ignore this line, because it has no colon.")
			f.Fix = d.mend("write the colon", d.colonEdits(l, kind, value)...)
		case plainText:
			i = findText(d, i)
		case read, valueInKey, colonInValue:
			inspectKey(d, l)
		}
	}
}

func inspectKey(d *document, l *line) {
	if !isGap(*l) && !isUnread(*l) && !(l.missingColon && findMissingColon(d, l)) && l.isMisspelt() {
		inspectSpelling(d, l)
	}
}

func (l *line) isMisspelt() bool {
	return int(l.kind) < len(plainKeys) && (l.typo || len(l.key()) != len(plainKeys[l.kind]))
}

var rxMissingColon = check{Entry: &Entry{
	Code: "RX410", Name: "missing-colon", Severity: Warning,
	Title: "The colon is missing.",
	Why:   "Google's parser accepts a line of exactly two words without a colon (G15). No standard allows that, and most crawlers ignore the line. Not reported for three words or more, which no crawler reads: that is RX413 or RX417, or for a directive that no crawler obeys any more, which is RX501.",
	Bad:   "User-agent: *\nDisallow /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findMissingColon reports a directive of two words without a colon (G15), and whether
// nothing else is wrong with its key: in "Disallow; /" the semicolon is a part of the key,
// but only because the colon is missing. The fix writes a colon and a space between the
// words. It changes verdicts for the crawlers that ignore the line now.
func findMissingColon(d *document, l *line) (all bool) {
	key := withoutSeparator(l.key())
	plain := string(key)
	if _, dead := retiredKeys[ascii.ToLower(plain)]; dead {
		return true // the colon changes nothing, and another finding is about the key
	}
	if int(l.kind) < len(plainKeys) {
		plain = plainKeys[l.kind]
	}
	f := d.findKey(rxMissingColon, l, "Google reads %s without its colon; most crawlers ignore this line. Write the colon.", quote(key))
	if l.kind == robotstxt.KindDisallow && isEverything(string(l.value())) {
		f.Message = "Google reads this line as Disallow: /, which closes the site; most crawlers ignore it. Remove it, or write the colon if all should stay away."
		return false
	}
	if !hasValue(key) {
		f.Fix = d.mend("write the colon", Edit{l.keyAt(), l.valueAt(), plain + ": "})
	}
	return len(key) < len(l.key()) && int(l.kind) < len(plainKeys) && ascii.EqualFold(key, plain)
}

func hasValue(key []byte) bool { return bytes.ContainsAny(key, "/*?$") }

// withoutSeparator removes what people write instead of a colon from the end of a key.
func withoutSeparator(key []byte) []byte {
	for i := range key {
		if i > 0 && separatorLen(key[i:]) == len(key)-i {
			return bytes.TrimRight(key[:i], " \t")
		}
	}
	return key
}

var rxMisspeltKey = check{Entry: &Entry{
	Code: "RX411", Name: "misspelt-key", Severity: Warning,
	Title: "A directive is misspelt.",
	Why:   "Google's parser accepts some common misspellings (G21). Other crawlers accept different ones or none, and ignore the line. Not reported for a misspelling that no crawler reads, which is RX517.",
	Bad:   "User-agent: *\nDissallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

var rxKeyByPrefix = check{Entry: &Entry{
	Code: "RX412", Name: "key-by-prefix", Severity: Warning,
	Title: "A directive has extra characters in its name.",
	Why:   "Google's parser reads only the beginning of the name, so it reads Disallowed as Disallow (G19). Most other crawlers ignore the line. Not reported if the name is followed by a value, which is RX416.",
	Bad:   "User-agent: *\nDisallowed: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

var rxColonOfTheValue = check{Entry: &Entry{
	Code: "RX416", Name: "colon-of-the-value", Severity: Error,
	Title: "The colon after the name of a directive is missing, and a later colon is read instead.",
	Why:   "The first colon of a line separates name and value (G14). If it is missing, the first colon in the value separates them, and the beginning of the value is lost (G16). Not reported if the text after the name is neither a path nor a URL.",
	Bad:   "User-agent: *\nDisallow /tag:/old/\n",
	Good:  "User-agent: *\nDisallow: /tag:/old/\n",
}}

func inspectSpelling(d *document, l *line) {
	plain := plainKeys[l.kind]
	name, rest := splitKey(l.key())
	var f *Finding
	switch {
	case l.hasColonInValue():
		f = d.findKey(rxColonOfTheValue, l, "Write a colon after %s. Crawlers read only %s as the value.", quote(name), quote(l.value()))
		start, end := l.keyAt()+len(l.key())-len(rest), l.valueAt()+len(l.value())
		if value := d.body[start:end]; l.kind == robotstxt.KindUserAgent || !bytes.ContainsAny(value, " \t") {
			f.Fix = d.mend("write the colon", d.replaceBy(l, l.keyAt(), end, d.mendedLines(l, l.kind, value))...)
		}
		return
	case l.typo:
		f = d.findKey(rxMisspeltKey, l, "Google reads %s as %s; not all crawlers accept this misspelling. Write %s if that is meant.", quote(l.key()), plain, plain)
	default:
		f = d.findKey(rxKeyByPrefix, l, "Google reads %s as %s; most crawlers ignore this line. Write %s if that is meant.", quote(l.key()), plain, plain)
	}
	// A line that only happens to begin with Sitemap has no URL.
	if !hasValue(l.key()) && (l.kind != robotstxt.KindSitemap || ascii.HasPrefixFold(l.value(), "http")) {
		f.Fix = d.mend("write "+plain, l.replaceKey(plain))
	}
}

// splitKey splits a key that goes on after the name of a directive, because its colon is missing.
func splitKey(key []byte) (name, rest []byte) {
	i := bytes.IndexAny(key, " \t=;")
	if i < 0 || ascii.HasPrefixFold(key, "user agent") {
		return key, nil
	}
	rest = bytes.TrimLeft(key[i:], " \t")
	return key[:i], bytes.TrimLeft(rest[separatorLen(rest):], " \t")
}

func (l *line) hasColonInValue() bool {
	_, rest := splitKey(l.key())
	return len(rest) > 0 && startsValue(l.kind, rest)
}

func startsValue(kind robotstxt.Kind, words []byte) bool {
	return kind == robotstxt.KindUserAgent || words[0] == '/' || words[0] == '*' || ascii.HasPrefixFold(words, "http")
}

var rxDirectiveWithoutColon = check{Entry: &Entry{
	Code: "RX417", Name: "directive-without-colon", Severity: Error,
	Title: "A line looks like a directive but has no colon.",
	Why:   "Only a colon separates the name of a directive from its value (G17). Google reads a line without one only if it is exactly two words (G15), and most crawlers never do. The colon of another script, such as \uFF1A, separates nothing. Not reported for a sentence that begins with the name of a directive.",
	Bad:   "User-agent: *\nDisallow: /a\nDisallow=/private/\n",
	Good:  "User-agent: *\nDisallow: /a\nDisallow: /private/\n",
}}

// isText reports whether a line is words without a colon, or with one after more words than a key has. Two
// words of which the second is a path are probably a misspelt directive.
func isText(l *line) bool {
	switch {
	case l.commented() && len(bodyhead.TrimMarks(l.content())) == 0:
		return false // a comment after a byte order mark
	case l.kind == robotstxt.KindNoDirective || isForeignComment(l.key()):
		return true
	case l.missingColon:
		return l.value()[0] != '/' && l.value()[0] != '*'
	}
	return isSentence(l.key(), l.value())
}

func isForeignComment(key []byte) bool {
	return slices.ContainsFunc([]string{"//", "/*", "<!--", ";", "--"}, func(mark string) bool { return bytes.HasPrefix(key, []byte(mark)) })
}

// isSentence reports whether text only has a colon: after more than two words, or after two if several words
// follow. A misspelt key, or one after the number of a list, is none.
func isSentence(key, value []byte) bool {
	words := len(bytes.Fields(key))
	if words < 2 || words == 2 && len(bytes.Fields(value)) < 2 {
		return false
	}
	name := strings.ToLower(string(key))
	return nearestCore(name) == 0 && nearestExtension(name) == ""
}

// nearlyDirective returns as which kind of directive a line without a colon is meant, and its value. The kind is
// 0 if the rest of the line does not look like a value: "/ now" in "Disallow / now" does, "by Foo" in "Sitemap by
// Foo" does not.
func nearlyDirective(l *line) (kind robotstxt.Kind, value []byte) {
	if l.kind != robotstxt.KindNoDirective && (l.kind != robotstxt.KindUnknown || !l.missingColon) {
		return 0, nil
	}
	text := bytes.TrimRight(withoutBullet(l.content()), ascii.Space)
	if name := agentOfTwoWords(text); len(name) > 0 {
		return robotstxt.KindUserAgent, name
	}
	end := min(tokenLen(text), 16)
	kind, exact := keyKind(string(text[:end]))
	if kind == 0 {
		return 0, nil
	}
	rest := bytes.TrimLeft(text[end:], " \t")
	separator := separatorLen(rest)
	if separator == 0 {
		separator = len(rest) - len(bytes.TrimLeft(rest, ".,"))
	}
	value = bytes.TrimLeft(rest[separator:], " \t")
	dash := separator > 0 && len(bytes.Trim(rest[:separator], "-.,")) == 0 // text too might have one
	blank := len(rest) < len(text)-end
	switch {
	case len(value) == 0:
		if !exact || dash {
			return 0, nil
		}
	case separator > 0 && !dash:
	case kind == robotstxt.KindUserAgent:
		if !dash && !blank || (dash || !exact) && !namesCrawlers(value) {
			return 0, nil
		}
	case !isPathAfterKey(rest) && !((dash || blank) && startsValue(kind, value)):
		return 0, nil
	}
	return kind, value
}

// keyKind returns the kind of directive of which a word is the key, 0 if it is not a key. exact is true if Google
// reads it as that.
func keyKind(word string) (kind robotstxt.Kind, exact bool) {
	kind = lineAlone([]byte(word + ":")).Kind
	if counts(kind) {
		return kind, true
	}
	return nearestCore(strings.ToLower(word)), false
}

func namesCrawlers(value []byte) bool {
	return len(value) > 0 && (robotstxt.ValidAgent(string(value)) || intended(value).why != whyUnknown)
}

// withoutBullet returns a text without white space and byte order marks in front, and without what begins an item of
// a list.
func withoutBullet(text []byte) []byte {
	const bullets = "-*+>\u2022\u00b7\u2013\u2014\u00a0\u200b"
	text = bytes.TrimLeft(text, ascii.Space+bom)
	if isForeignComment(text) {
		return text
	}
	item := bytes.TrimLeft(text, bullets+ascii.Space)
	if n := len(item) - len(bytes.TrimLeft(item, "0123456789")); n > 0 && n < len(item) && (item[n] == '.' || item[n] == ')') {
		item = bytes.TrimLeft(item[n+1:], ascii.Space)
	}
	return item
}

// isPathAfterKey reports whether text directly after a key is a path: "/private/" in "Disallow/private/" is,
// "/Disallow" in "Allow/Disallow" is not.
func isPathAfterKey(text []byte) bool {
	return text[0] == '/' && !bytes.ContainsAny(bytes.TrimRight(text, ascii.Space), " \t") &&
		directiveIn(append(bytes.Clone(text[1:]), ':')) < 0
}

// agentOfTwoWords returns the name in "User agent FooBot", which no crawler reads because it has three
// words. It is empty for sentences that begin so.
func agentOfTwoWords(text []byte) (name []byte) {
	const key = "user agent"
	if !ascii.HasPrefixFold(text, key) {
		return nil
	}
	rest := text[len(key):]
	name = bytes.TrimLeft(rest, " \t")
	separator := separatorLen(name)
	name = bytes.TrimLeft(name[separator:], " \t")
	named := string(name) == "*" || robotstxt.ValidAgent(string(name)) || separator > 0 && namesCrawlers(name)
	if len(name) == len(rest) || !named {
		return nil
	}
	return name
}

var rxDirectiveInComment = check{Entry: &Entry{
	Code: "RX420", Name: "directive-in-comment", Severity: Warning,
	Title: "A directive directly follows the text of a comment.",
	Why:   "A comment goes on to the end of its line (RFC 9309 2.2, G11). If a line break is lost after it, crawlers ignore the directive that should be on the next line. Not reported if a space is before the directive, because then it can be a part of the comment.",
	Bad:   "User-agent: *\n# the shopDisallow: /cart/\nDisallow: /search\n",
	Good:  "User-agent: *\n# the shop\nDisallow: /cart/\nDisallow: /search\n",
}}

func findGluedComments(d *document) {
	for i := range d.lines {
		l := &d.lines[i]
		comment := l.comment()
		if bytes.IndexByte(comment, ':') < 0 {
			continue
		}
		for k := 1; k < len(comment); k++ {
			if isWord(comment[k-1]) && beginsWithKey(comment[k:], 'a') &&
				!bytes.EqualFold(comment[max(0, k-3):k], []byte("dis")) {
				d.find(rxDirectiveInComment, l, l.commentAt()+k, l.commentAt()+len(comment), "A line break is missing before %s: crawlers ignore it as a part of the comment.", quote(comment[k:]))
				break
			}
		}
	}
}

var falseColons = [...]struct{ sign, name string }{
	{"\uFF1A", "the full-width colon U+FF1A"}, {"\uFE55", "the small colon U+FE55"}, {"\u2236", "the ratio sign U+2236"}, {"\uA789", "the modifier letter colon U+A789"},
}

// falseColon returns which of these signs a text begins with, -1 if none.
func falseColon(text []byte) int {
	for i := range falseColons {
		if bytes.HasPrefix(text, []byte(falseColons[i].sign)) {
			return i
		}
	}
	return -1
}

// keyBeforeFalseColon returns which of these signs is after a key that Google knows, -1 if none is, and
// the value after it.
func keyBeforeFalseColon(l *line) (at int, kind robotstxt.Kind, value []byte) {
	text := bytes.TrimLeft(l.content(), ascii.Space+bom)
	n := tokenLen(text)
	rest := bytes.TrimLeft(text[n:], " \t")
	at = falseColon(rest)
	if at < 0 {
		return -1, 0, nil
	}
	kind, exact := keyKind(string(text[:n]))
	if !exact {
		return -1, 0, nil
	}
	return at, kind, bytes.Trim(rest[len(falseColons[at].sign):], ascii.Space)
}

// findFalseColons reports, with one finding, the lines with a sign after the key that only looks like a colon.
// Google reads some of them, but not as they are meant.
func findFalseColons(d *document) {
	var first *line
	var edits []Edit
	sign := 0
	more := 0
	for i := range d.lines {
		l := &d.lines[i]
		if l.reason != afterFalseColon {
			continue
		}
		at, kind, value := keyBeforeFalseColon(l)
		if first == nil {
			first = l
			sign = at
		} else {
			more++
		}
		edits = append(edits, d.colonEdits(l, kind, value)...)
	}
	if first == nil {
		return
	}
	f := d.findLine(rxDirectiveWithoutColon, first, "\"%s\" is %s and not a colon, so crawlers do not read this line as it is meant. Write \":\".", falseColons[sign].sign, falseColons[sign].name)
	f.Message += alsoBelow(more, "line")
	if len(edits) > 0 {
		f.Fix = &Fix{Title: "write the colon", Edits: edits, Meaning: true}
	}
}

// separatorLen returns the length of what people write instead of a colon: '=', ';', '-', arrows, or
// a character that looks like one. It is 0 if text begins with something else.
func separatorLen(text []byte) int {
	if i := falseColon(text); i >= 0 {
		return len(falseColons[i].sign)
	}
	n := len(text) - len(bytes.TrimLeft(text, "=;-"))
	if n > 0 && n < len(text) && text[n] == '>' {
		n++
	}
	return n
}

var rxPathOnNextLine = check{Entry: &Entry{
	Code: "RX215", Name: "path-on-next-line", Severity: Warning,
	Title: "The path is on the line after its Disallow.",
	Why:   "A rule is one line (RFC 9309 2.2). The Disallow blocks nothing, and crawlers ignore the line with the path (G15). Not reported for an Allow, or if the next line begins with two slashes.",
	Bad:   "User-agent: *\nDisallow:\n/private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// pathBelow returns the path on the line after an empty Disallow, nil if there is none. Two slashes are
// not a path: they begin a comment in other languages.
func pathBelow(d *document, l *line) []byte {
	if l.kind != robotstxt.KindDisallow || len(l.value()) > 0 || l.number == len(d.lines) {
		return nil
	}
	path, _, _ := bytes.Cut(bytes.TrimSpace(d.line(l.number+1).raw()), []byte("#"))
	path = bytes.TrimSpace(path)
	if len(path) == 0 || path[0] != '/' || bytes.HasPrefix(path, []byte("//")) {
		return nil
	}
	return path
}

func findPathBelow(d *document, l *line) {
	next, path := d.line(l.number+1), pathBelow(d, l)
	f := d.findLine(rxPathOnNextLine, l, "This Disallow blocks nothing: its path, %s, is on the next line.", quote(path))
	f.Related = []Related{{next.number, "crawlers ignore this line"}}
	if edit, ok := d.removal(next); ok && !bytes.ContainsAny(path, " \t\x00") && !isEverything(string(path)) {
		f.Fix = d.mend("put the path after the Disallow", Edit{l.valueAt(), l.valueAt(), " " + string(path)}, edit)
	}
}
