package lint

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxAgentNotAToken = &check{Entry{
	Code: "RX101", Name: "agent-not-a-token", Severity: Warning,
	Title: "Google reads only the beginning of this crawler name.",
	Why:   "The name of a crawler consists of letters, - and _, without a version, spaces or wildcards (RFC 9309 2.2.1). Google's parser stops at the first other character (G26), so the group may apply to another crawler than you meant. Other parsers compare the whole text. It is info if only a version or a star follows. With the same rules as for the short name it is reported with --pedantic. Names that are not documented by their operators are reported with --pedantic.",
	Bad:   "User-agent: Yandex.News\nDisallow: /private/\n",
	Good:  "User-agent: Yandex\nDisallow: /private/\n",
}}

// inspectAgentValue inspects the value of a user-agent line that is not a product token.
// The most specific finding comes first.
func inspectAgentValue(d *document, l *line) {
	value, n := l.value(), tokenLen(l.value())
	switch {
	case n == 0:
		inspectTokenless(d, l)
	case findDirective(d, l) || findHeader(d, l) || findBeyondAlphabet(d, l, n) || findList(d, l) || findJoined(d, l):
	case value[n] == '*':
		findRest(d, l, n, "Wildcards do not work in crawler names; Google reads only %s here.")
	case value[n] == '/':
		findRest(d, l, n, "Write %s without its version; some crawlers compare the whole text.")
	case isBlank(value[n]):
		findRest(d, l, n, "Crawler names contain no spaces; Google reads only %s here.")
	default:
		findRest(d, l, n, "Google reads only %s here; other crawlers compare the whole name.")
	}
}

// findJoined reports a known name that is written with blanks, and whether it is one.
func findJoined(d *document, l *line) bool {
	meant := joinedName(l.value())
	if c, known := findCrawler(bytes.ReplaceAll(l.value(), []byte(" "), []byte("-"))); meant == "" && known && slices.Contains(c.Verified, "operator") && c.Status != crawlers.Retired {
		meant = c.Token // such as "Google Extended"
	}
	if _, known := findCrawler(l.value()); known || meant == "" || d.agents.naming(meant) > 0 {
		return false
	}
	f := d.findValue(rxMisspeltAgent, l, "%s is not a known crawler. Did you mean %s?", quote(l.value()), str(meant))
	f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceValue(meant), Meaning: true}
	return true
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

// namesAll reports whether a user-agent line matches all crawlers: it is a star, alone
// or before white space (G25).
func namesAll(l *line) bool {
	return len(l.value()) > 0 && l.value()[0] == '*' && (len(l.value()) == 1 || strings.IndexByte(ascii.Space, l.value()[1]) >= 0)
}

// tokenAlone is the fix that replaces a value by the token that Google reads. Crawlers that
// compare whole values then follow the group.
func tokenAlone(l *line, token string) *Fix {
	if !l.roomy() {
		return nil
	}
	return &Fix{Title: "write only " + token, Edits: l.replaceValue(token), Meaning: true}
}

// findRest reports text after a token. The fix removes only a version or a star, because
// other text may belong to the name.
func findRest(d *document, l *line, n int, format string) {
	token, next := string(l.value()[:n]), l.value()[n]
	ending := next == '/' || next == '*'
	c, known := findCrawler(token)
	// Other crawlers compare the whole name, if they exist. Those of Google ignore an ending.
	matters := known && c.Status != crawlers.Retired && (c.Obeys == crawlers.ObeysAll || c.Obeys == crawlers.ObeysNamed) && (!ending || c.Operator != "Google")
	// Copied lists have several spellings of a name, with the same rules.
	alone := d.agents.alone(token)
	matters = matters && (alone == 0 || !slices.EqualFunc(d.groups[l.group].rules, d.groups[d.line(alone).group].rules, sameRule))
	if !matters && !d.config.Pedantic {
		return
	}
	f := d.findValue(rxAgentNotAToken, l, format, quoteText(token))
	if !matters || ending {
		d.soften(f, Info)
	}
	if ending {
		f.Fix = tokenAlone(l, token)
	}
}

var rxAgentMatchesNone = &check{Entry{
	Code: "RX104", Name: "agent-matches-none", Severity: Error,
	Title: "A User-agent line applies to no crawler.",
	Why:   "The line is empty, begins with a character that no name has, or uses * as a wildcard in a name. Google's parser reads no name in it, and no crawler follows the rules (G25, G29). Only a * alone addresses all crawlers.",
	Bad:   "User-agent: *bot\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectTokenless inspects a value that begins with no product token.
func inspectTokenless(d *document, l *line) {
	value := l.value()
	switch {
	case len(value) == 0:
		d.findLine(rxAgentMatchesNone, l, "User-agent is empty, so these rules apply to no crawler. Write * for all crawlers.")
	case findDirective(d, l):
	case namesAll(l):
		f := d.findValue(rxAgentNotAToken, l, "Google reads %s as *, all crawlers; others compare the whole text.", quote(value))
		f.Fix = tokenAlone(l, "*")
	case value[0] == '*':
		findAgentStar(d, l)
	case findBeyondAlphabet(d, l, 0):
	default:
		f := d.findValue(rxAgentMatchesNone, l, "No crawler name begins with %s; this line applies to no crawler.", quote(firstRune(value)))
		f.Fix = knownWithin(l)
	}
}

// firstRune returns the first character of a value, so that a message does not
// show half of one.
func firstRune(value []byte) []byte {
	_, size := utf8.DecodeRune(value)
	return value[:size]
}

// findAgentStar reports a value that begins with a star and continues.
func findAgentStar(d *document, l *line) {
	says := "Wildcards do not work in crawler names; this line applies to no crawler."
	if !ascii.IsLetter(l.value()[1]) {
		says = "Only a * alone is for all crawlers; with other text after it, this line applies to no crawler."
	}
	f := d.findValue(rxAgentMatchesNone, l, says)
	if f.Fix = knownWithin(l); f.Fix == nil && !bytes.ContainsFunc(l.value(), func(r rune) bool { return r >= 0x80 || inWord(byte(r)) }) {
		f.Fix = &Fix{Title: "write only *", Edits: l.replaceValue("*"), Meaning: true}
	}
}

// knownWithin is the fix that replaces a value by the known crawler in it, nil if there
// is none.
func knownWithin(l *line) *Fix {
	// What people put around names: quotes, wildcards, expressions.
	const decoration = `*"'+^<>[]().,;` + " \t"
	name := bytes.Trim(l.value(), decoration)
	if _, known := findCrawler(name[:tokenLen(name)]); !known {
		return nil
	}
	token := string(name[:tokenLen(name)])
	return &Fix{Title: "write only " + token, Edits: l.replaceValue(token), Meaning: true}
}

var rxAgentBeyondAlphabet = &check{Entry{
	Code: "RX106", Name: "agent-beyond-alphabet", Severity: Info, Pedantic: true,
	Title: "The name of a crawler has characters outside the standard.",
	Why:   "The standard allows letters, - and _ in names (RFC 9309 2.2.1). Google's parser stops before a digit (G28), so it reads MJ12bot as MJ. But the crawler itself compares the whole name, so the line is right if the operator documents it.",
	Bad:   "User-agent: MJ12bot\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findBeyondAlphabet reports a name with digits, or a known one with other bytes
// that are not in tokens, and whether it is one; n is the length of the token that
// Google reads.
func findBeyondAlphabet(d *document, l *line, n int) bool {
	name := l.value()
	_, known := findCrawler(name)
	if i := bytes.IndexAny(name, " \t/"); i >= 0 && !known {
		name = name[:i]
		_, known = findCrawler(name)
	}
	if n == len(name) || !known && (name[n] < '0' || name[n] > '9') {
		return false
	}
	if !d.wants(rxAgentBeyondAlphabet) {
		return true
	}
	read := "; Google reads no name here"
	if n > 0 {
		read = "; Google reads " + quote(name[:n]).String()
	}
	f := d.findValue(rxAgentBeyondAlphabet, l, "%s has characters outside the standard. Keep it if the operator documents it%s.", quote(name), str(read))
	f.For = []string{"Google"}
	return true
}

var rxAgentList = &check{Entry{
	Code: "RX115", Name: "agent-list", Severity: Error,
	Title: "A User-agent line lists several crawlers.",
	Why:   "A line names one crawler. Google's parser reads the first name (G24, G26), other parsers none. Write a line for each crawler, one below the other; they share the rules that follow.",
	Bad:   "User-agent: FooBot, BarBot\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /private/\n",
}}

// findList reports several tokens in a line, and whether there are.
func findList(d *document, l *line) bool {
	const most = 100 // of a longer list the line is what is wrong
	if !bytes.ContainsAny(l.value(), ",;") {
		return false
	}
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
	f := d.findValue(rxAgentList, l, "Google reads only %s here. Write a User-agent line for each crawler.", quote(bytes.Trim(parts[0], ascii.Space)))
	f.Fix = &Fix{Title: "write a line for each", Edits: l.replaceValue(text), Meaning: true}
	return true
}

var rxDirectiveInAgent = &check{Entry{
	Code: "RX113", Name: "directive-in-agent", Severity: Error,
	Title: "Two directives are on one line.",
	Why:   "A line is one directive (G14). Everything after User-agent is read as the name of a crawler, so the second directive is lost (G16).",
	Bad:   "User-agent: FooBot Disallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n",
}}

// findDirective reports a value that continues with another directive, and whether
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
		f := d.findValue(rxDirectiveInAgent, l, "%s is lost, because it is on the same line as User-agent.", quote(l.value()[i:]))
		start := l.valueAt() + len(bytes.TrimRight(l.value()[:i], ascii.Space))
		f.Fix = &Fix{Title: "write a line for each directive", Edits: []Edit{{start, l.valueAt() + i, d.newline()}}, Meaning: true}
		return true
	}
	return false
}

var rxAgentIsHeader = &check{Entry{
	Code: "RX107", Name: "agent-is-header", Severity: Error,
	Title: "A User-agent line contains the full header of a crawler instead of its name.",
	Why:   "Crawlers look for their name only, without version and comments (RFC 9309 2.2.1). In a text that begins with Mozilla, Google's parser reads the name Mozilla, which is no crawler's (G26). Headers of browsers and unknown programs are reported with --pedantic.",
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
	c, known := crawlers.FromUserAgent(string(l.value()[:min(usual, len(l.value()))]))
	switch {
	case known:
		f := d.findValue(rxAgentIsHeader, l, "Write only the crawler's name, %s, not its full User-Agent header.", str(c.Token))
		f.Fix = &Fix{Title: "write only " + c.Token, Edits: l.replaceValue(c.Token), Meaning: true}
	case d.config.Pedantic:
		f := d.findValue(rxAgentIsHeader, l, "Write only the crawler's name, not its full User-Agent header.")
		d.soften(f, Info)
	}
	return true
}
