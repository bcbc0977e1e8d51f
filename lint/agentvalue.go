package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// inspectAgentValue looks at the value of a user-agent line of which a product
// token is at most a part; token is what the dialect reads in it.
func (d *document) inspectAgentValue(l *line, token string) {
	value, n := l.value(), tokenLen(l.value())
	switch {
	// The most telling comes first: what is a header, a list or a name with digits
	// is not told that it holds a blank or a slash as well.
	case n == 0:
		d.inspectTokenless(l, token)
	case d.findDirective(l) || d.findHeader(l) || d.findBeyondAlphabet(l, n) || d.findList(l):
	case value[n] == '*':
		f := d.findValue("RX114", l, "%s is %s to Google, without any wildcard", quote(value), quote(value[:n]))
		f.Fix = d.tokenAlone(l, string(value[:n]), token)
	case value[n] == '/':
		f := d.findValue("RX103", l, "%s is %s to Google: crawlers are named without a version", quote(value), quote(value[:n]))
		f.Fix = d.tokenAlone(l, string(value[:n]), token)
	case isBlank(value[n]):
		d.findRest("RX102", l, n, token)
	default:
		d.findRest("RX101", l, n, token)
	}
}

// tokenLen returns the length of the product token that a value begins with, as
// Google's parser cuts it (G26).
func tokenLen(value []byte) int {
	n := 0
	for n < len(value) && inWord(value[n]) {
		n++
	}
	return n
}

// namesAll reports whether a user-agent line speaks to all crawlers: a star, alone
// or before white space (G25). Dialects may read a star in others, for no one.
func namesAll(l *line) bool {
	return len(l.value()) > 0 && l.value()[0] == '*' && (len(l.value()) == 1 || strings.IndexByte(ascii.Space, l.value()[1]) >= 0)
}

// tokenAlone is the fix that leaves of a value the token that Google reads. It is
// plain if all dialects of plain fixes read that token already; read is what the
// profile's does.
func (d *document) tokenAlone(l *line, token, read string) *Fix {
	if !l.roomy() {
		return nil
	}
	plain := read == token
	for _, tokens := range d.otherTokens() {
		plain = plain && tokens[l.number] == token
	}
	return &Fix{Title: "write the token alone", Edits: l.replaceValue(token), Meaning: !plain}
}

// findRest reports what follows a token. It may be a part of the name, so that
// only what follows a known crawler can be left out.
func (d *document) findRest(code Code, l *line, n int, read string) {
	token := string(l.value()[:n])
	f := d.findValue(code, l, "%s is %s to Google, which ends the token before %s", quote(l.value()), quote(token), quote(firstRune(l.value()[n:])))
	if _, known := crawlers.Find(token); known {
		f.Fix = d.tokenAlone(l, token, read)
	}
}

// inspectTokenless looks at a value that begins with no product token.
func (d *document) inspectTokenless(l *line, token string) {
	value := l.value()
	switch {
	case len(value) == 0:
		d.findLine("RX111", l, "the line matches no crawler; an empty value is not a wildcard")
	case d.findDirective(l):
	case namesAll(l):
		f := d.findValue("RX102", l, "%s is * to Google, all crawlers, because a blank follows the star", quote(value))
		f.Fix = d.tokenAlone(l, "*", token)
	case value[0] == '*':
		d.findAgentStar(l)
	case d.findBeyondAlphabet(l, 0):
	default:
		f := d.findValue("RX104", l, "%s matches no crawler, because no product token begins with %s", quote(value), quote(firstRune(value)))
		f.Fix = knownWithin(l)
	}
}

// firstRune returns the first character of a value, so that a message does not
// show half of one.
func firstRune(value []byte) []byte {
	_, size := utf8.DecodeRune(value)
	return value[:size]
}

// findAgentStar reports a value that begins with a star and goes on.
func (d *document) findAgentStar(l *line) {
	f := d.findValue("RX105", l, "%s matches no crawler: only a star alone matches every crawler", quote(l.value()))
	if f.Fix = knownWithin(l); f.Fix == nil && !bytes.ContainsFunc(l.value(), func(r rune) bool { return r >= 0x80 || inWord(byte(r)) }) {
		f.Fix = &Fix{Title: "write the star alone", Edits: l.replaceValue("*"), Meaning: true}
	}
}

// knownWithin is the fix that leaves of a value the crawler that it speaks of, if
// one is known.
func knownWithin(l *line) *Fix {
	// What people put around names: quotes, wildcards, parts of expressions.
	const decoration = `*"'+^<>[]().,;` + " \t"
	name := bytes.Trim(l.value(), decoration)
	if _, known := crawlers.Find(string(name[:tokenLen(name)])); !known {
		return nil
	}
	token := string(name[:tokenLen(name)])
	return &Fix{Title: "write " + token, Edits: l.replaceValue(token), Meaning: true}
}

// findBeyondAlphabet reports a name with digits, or a known one with other bytes
// beyond the alphabet, and whether it is one; n is the length of the token that
// Google reads.
func (d *document) findBeyondAlphabet(l *line, n int) bool {
	name := l.value()
	c, known := crawlers.Find(string(name))
	if i := bytes.IndexAny(name, " \t/"); i >= 0 && !known {
		name = name[:i]
		c, known = crawlers.Find(string(name))
	}
	if n == len(name) || !known && (name[n] < '0' || name[n] > '9') {
		return false
	}
	read := quote(name[:n])
	if n == 0 {
		read = "an empty token"
	}
	who := "crawlers that compare all of it obey"
	if known && (c.Obeys == crawlers.ObeysAll || c.Obeys == crawlers.ObeysNamed) {
		who = c.Token + " itself obeys by the word of its operator"
	}
	f := d.findValue("RX106", l, "%s is %s to Google's parser, which ends a token before %s; %s", quote(name), read, quote(firstRune(name[n:])), who)
	f.For = []string{"Google"}
	return true
}

// findList reports several tokens in a line, and whether there are.
func (d *document) findList(l *line) bool {
	const most = 100 // of a longer list the line is what is wrong
	parts := bytes.FieldsFunc(l.value(), func(r rune) bool { return r == ',' || r == ';' })
	if len(parts) < 2 || len(parts) > most {
		return false
	}
	text := ""
	for i, part := range parts {
		part = bytes.Trim(part, ascii.Space)
		if !robotstxt.ValidAgent(string(part)) && string(part) != "*" {
			return false
		}
		if i > 0 {
			text += d.newline() + "User-agent: "
		}
		text += string(part)
	}
	f := d.findValue("RX115", l, "%s is %s to Google: a line names one crawler", quote(l.value()), quote(bytes.Trim(parts[0], ascii.Space)))
	f.Fix = &Fix{Title: "give each token a line", Edits: l.replaceValue(text), Meaning: true}
	return true
}

// findDirective reports a value that goes on with another directive, and whether
// it does.
func (d *document) findDirective(l *line) bool {
	const longestKey = len("User-agent:") + 4
	for i := 1; i < len(l.value()); i++ {
		if !isBlank(l.value()[i-1]) || !inWord(l.value()[i]) {
			continue
		}
		second := lineAlone(l.value()[i:min(i+longestKey, len(l.value()))])
		if second.missingColon || second.kind < robotstxt.KindUserAgent || second.kind > robotstxt.KindSitemap {
			continue
		}
		f := d.findValue("RX113", l, "the line goes on with %s, which is lost", quote(l.value()[i:]))
		start := l.valueAt() + len(bytes.TrimRight(l.value()[:i], ascii.Space))
		f.Fix = &Fix{Title: "give each directive a line", Edits: []Edit{{start, l.valueAt() + i, d.newline()}}, Meaning: true}
		return true
	}
	return false
}

// findHeader reports a whole User-Agent header, and whether the value is one.
func (d *document) findHeader(l *line) bool {
	const mozilla = "Mozilla"
	if !ascii.HasPrefixFold(l.value(), mozilla) || inWord(l.value()[len(mozilla)]) {
		return false
	}
	const usual = 500 // bytes of a header; each known token is searched in them
	f := d.findValue("RX107", l, "%s is %s to Google, which names no crawler", quote(l.value()), mozilla)
	if c, ok := crawlers.FromUserAgent(string(l.value()[:min(usual, len(l.value()))])); ok {
		f.Fix = &Fix{Title: "write " + c.Token, Edits: l.replaceValue(c.Token), Meaning: true}
	}
	return true
}
