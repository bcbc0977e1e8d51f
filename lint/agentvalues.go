package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxAgentNotAToken = &check{Entry{
	Code: "RX101", Name: "agent-not-a-token", Severity: Warning,
	Title: "The value of a user-agent line continues after the product token.",
	Why:   "A product token consists of letters, - and _ (RFC 9309 2.2.1). Google's parser takes the longest prefix of the value that is a token, and ignores the rest (G26); other parsers compare more of it.",
	Bad:   "User-agent: sitecheck.example.com\nDisallow: /private/\n",
	Good:  "User-agent: sitecheck\nDisallow: /private/\n",
}}

var rxAgentWithBlank = &check{Entry{
	Code: "RX102", Name: "agent-with-blank", Severity: Warning,
	Title: "The value of a user-agent line holds a blank.",
	Why:   "Google's parser reads only the word before the blank (G26), and RFC 9309 2.2.1 allows no blank in a token. So the line may match another crawler than was meant.",
	Bad:   "User-agent: Foo Bar\nDisallow: /private/\n",
	Good:  "User-agent: Foo\nDisallow: /private/\n",
}}

var rxAgentWithVersion = &check{Entry{
	Code: "RX103", Name: "agent-with-version", Severity: Warning,
	Title: "A version or slash follows the product token.",
	Why:   "Crawlers are named without their version (RFC 9309 2.2.1). Google's parser ignores it (G26), so the group applies to all versions. For a parser that compares the whole value, the line matches no crawler.",
	Bad:   "User-agent: FooBot/1.0\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n",
}}

var rxAgentWithStar = &check{Entry{
	Code: "RX114", Name: "agent-with-star", Severity: Warning,
	Title: "A star follows a product token.",
	Why:   "There are no wildcards in user-agent lines. Google ignores the star (G26), so Googlebot* matches Googlebot, but not Googlebot-News. Older parsers read it as a part of the name.",
	Bad:   "User-agent: FooBot*\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n",
}}

// inspectAgentValue looks at the value of a user-agent line of which a product
// token is at most a part; token is what the dialect reads in it.
func inspectAgentValue(d *document, l *line, token string) {
	value, n := l.value(), tokenLen(l.value())
	switch {
	// The most telling comes first: what is a header, a list or a name with digits
	// is not told that it holds a blank or a slash as well.
	case n == 0:
		inspectTokenless(d, l, token)
	case findDirective(d, l) || findHeader(d, l) || findBeyondAlphabet(d, l, n) || findList(d, l):
	case value[n] == '*':
		f := d.findValue(rxAgentWithStar, l, "%s is %s to Google, without any wildcard", quote(value), quote(value[:n]))
		f.Fix = tokenAlone(d, l, string(value[:n]), token)
	case value[n] == '/':
		f := d.findValue(rxAgentWithVersion, l, "%s is %s to Google: crawlers are named without a version", quote(value), quote(value[:n]))
		f.Fix = tokenAlone(d, l, string(value[:n]), token)
	case isBlank(value[n]):
		findRest(d, rxAgentWithBlank, l, n, token)
	default:
		findRest(d, rxAgentNotAToken, l, n, token)
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
func tokenAlone(d *document, l *line, token, read string) *Fix {
	if !l.roomy() {
		return nil
	}
	plain := read == token
	for _, tokens := range d.elsewhere.tokens() {
		plain = plain && tokens[l.number] == token
	}
	return &Fix{Title: "write the token alone", Edits: l.replaceValue(token), Meaning: !plain}
}

// findRest reports what follows a token. It may be a part of the name, so that
// only what follows a known crawler can be left out.
func findRest(d *document, c *check, l *line, n int, read string) {
	token := string(l.value()[:n])
	f := d.findValue(c, l, "%s is %s to Google, which ends the token before %s", quote(l.value()), quoteText(token), quote(firstRune(l.value()[n:])))
	if _, known := crawlers.Find(token); known {
		f.Fix = tokenAlone(d, l, token, read)
	}
}

var rxAgentBeginsOddly = &check{Entry{
	Code: "RX104", Name: "agent-begins-oddly", Severity: Error,
	Title: "The value of a user-agent line begins with what no product token has.",
	Why:   "Google's parser finds an empty token in it, which matches no crawler (G29).",
	Bad:   "User-agent: \"FooBot\"\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n",
}}

var rxEmptyAgent = &check{Entry{
	Code: "RX111", Name: "empty-agent", Severity: Error,
	Title: "The value of a user-agent line is empty.",
	Why:   "An empty value is no wildcard: it matches no crawler, and still opens a group or joins one (G29).",
	Bad:   "User-agent:\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectTokenless looks at a value that begins with no product token.
func inspectTokenless(d *document, l *line, token string) {
	value := l.value()
	switch {
	case len(value) == 0:
		d.findLine(rxEmptyAgent, l, "the line matches no crawler; an empty value is not a wildcard")
	case findDirective(d, l):
	case namesAll(l):
		f := d.findValue(rxAgentWithBlank, l, "%s is * to Google, all crawlers, because a blank follows the star", quote(value))
		f.Fix = tokenAlone(d, l, "*", token)
	case value[0] == '*':
		findAgentStar(d, l)
	case findBeyondAlphabet(d, l, 0):
	default:
		f := d.findValue(rxAgentBeginsOddly, l, "%s matches no crawler, because no product token begins with %s", quote(value), quote(firstRune(value)))
		f.Fix = knownWithin(l)
	}
}

// firstRune returns the first character of a value, so that a message does not
// show half of one.
func firstRune(value []byte) []byte {
	_, size := utf8.DecodeRune(value)
	return value[:size]
}

var rxAgentBeginsWithStar = &check{Entry{
	Code: "RX105", Name: "agent-begins-with-star", Severity: Error,
	Title: "A star begins the value of a user-agent line, but it is not all of it.",
	Why:   "A star alone matches every crawler. There are no wildcards in user-agent lines: if anything but white space follows the star, the line matches no crawler (G25, G29).",
	Bad:   "User-agent: *bot\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findAgentStar reports a value that begins with a star and goes on.
func findAgentStar(d *document, l *line) {
	f := d.findValue(rxAgentBeginsWithStar, l, "%s matches no crawler: only a star alone matches every crawler", quote(l.value()))
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

var rxAgentBeyondAlphabet = &check{Entry{
	Code: "RX106", Name: "agent-beyond-alphabet", Severity: Info,
	Title: "The name of a crawler holds digits, or other bytes that no product token may have.",
	Why:   "RFC 9309 2.2.1 allows letters, - and _ only. Google's parser ends the token before a digit (G28), so it reads MJ12bot as MJ and 360Spider as an empty token. A crawler with such a name compares the whole name, so nothing needs a fix.",
	Bad:   "User-agent: MJ12bot\nDisallow: /private/\n",
	Good:  "User-agent: AhrefsBot\nDisallow: /private/\n",
}}

// findBeyondAlphabet reports a name with digits, or a known one with other bytes
// beyond the alphabet, and whether it is one; n is the length of the token that
// Google reads.
func findBeyondAlphabet(d *document, l *line, n int) bool {
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
		read = str("an empty token")
	}
	who := "crawlers that compare all of it obey"
	if known && (c.Obeys == crawlers.ObeysAll || c.Obeys == crawlers.ObeysNamed) {
		who = c.Token + " itself obeys by the word of its operator"
	}
	f := d.findValue(rxAgentBeyondAlphabet, l, "%s is %s to Google's parser, which ends a token before %s; %s", quote(name), read, quote(firstRune(name[n:])), str(who))
	f.For = []string{"Google"}
	return true
}

var rxAgentList = &check{Entry{
	Code: "RX115", Name: "agent-list", Severity: Error,
	Title: "A user-agent line lists several product tokens.",
	Why:   "A line names one crawler. Google's parser reads the first token (G24, G26), others none. Each needs a line of its own.",
	Bad:   "User-agent: FooBot, BarBot\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /private/\n",
}}

// findList reports several tokens in a line, and whether there are.
func findList(d *document, l *line) bool {
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
	f := d.findValue(rxAgentList, l, "%s is %s to Google: a line names one crawler", quote(l.value()), quote(bytes.Trim(parts[0], ascii.Space)))
	f.Fix = &Fix{Title: "give each token a line", Edits: l.replaceValue(text), Meaning: true}
	return true
}

var rxDirectiveInAgent = &check{Entry{
	Code: "RX113", Name: "directive-in-agent", Severity: Error,
	Title: "A user-agent line goes on with another directive.",
	Why:   "A line is one directive (G14). The second one is a part of the value, and lost (G16).",
	Bad:   "User-agent: FooBot Disallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n",
}}

// findDirective reports a value that goes on with another directive, and whether
// it does.
func findDirective(d *document, l *line) bool {
	const longestKey = len("User-agent:") + 4
	for i := 1; i < len(l.value()); i++ {
		if !isBlank(l.value()[i-1]) || !inWord(l.value()[i]) {
			continue
		}
		second := lineAlone(l.value()[i:min(i+longestKey, len(l.value()))])
		if second.MissingColon || second.Kind < robotstxt.KindUserAgent || second.Kind > robotstxt.KindSitemap {
			continue
		}
		f := d.findValue(rxDirectiveInAgent, l, "the line goes on with %s, which is lost", quote(l.value()[i:]))
		start := l.valueAt() + len(bytes.TrimRight(l.value()[:i], ascii.Space))
		f.Fix = &Fix{Title: "give each directive a line", Edits: []Edit{{start, l.valueAt() + i, d.newline()}}, Meaning: true}
		return true
	}
	return false
}

var rxAgentIsHeader = &check{Entry{
	Code: "RX107", Name: "agent-is-header", Severity: Error,
	Title: "The value of a user-agent line is a User-Agent header as browsers send it.",
	Why:   "Google's parser reads the token Mozilla, which matches no crawler (G26). The product token is the crawler's name in the header, without its version (RFC 9309 2.2.1).",
	Bad:   "User-agent: Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)\nDisallow: /private/\n",
	Good:  "User-agent: bingbot\nDisallow: /private/\n",
}}

// findHeader reports a whole User-Agent header, and whether the value is one.
func findHeader(d *document, l *line) bool {
	const mozilla = "Mozilla"
	if !ascii.HasPrefixFold(l.value(), mozilla) || inWord(l.value()[len(mozilla)]) {
		return false
	}
	const usual = 500 // bytes of a header; each known token is searched in them
	f := d.findValue(rxAgentIsHeader, l, "%s is %s to Google, which names no crawler", quote(l.value()), str(mozilla))
	if c, ok := crawlers.FromUserAgent(string(l.value()[:min(usual, len(l.value()))])); ok {
		f.Fix = &Fix{Title: "write " + c.Token, Edits: l.replaceValue(c.Token), Meaning: true}
	}
	return true
}
