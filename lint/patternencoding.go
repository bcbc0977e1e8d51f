package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxBadPercentCode = check{Entry: &Entry{
	Code: "RX212", Name: "bad-percent-code", Severity: Info,
	Title: "A % is not followed by two hexadecimal digits.",
	Why:   "In a URL, % begins a code such as %20. Google compares any other % unchanged (G23), RFC 9309 as %25, so crawlers disagree about what the rule matches. A % that a star or the end can cut from its code, and a name that a program did not fill in, such as %(name), are reported with --pedantic.",
	Bad:   "User-agent: *\nDisallow: /100%/\n",
	Good:  "User-agent: *\nDisallow: /100%25/\n",
}}

func findPercentCodes(d *document, l *line) {
	first, sure := badPercent(l.value(), true), badPercent(l.value(), false)
	if first >= 0 {
		at := l.valueAt() + choose(sure < 0, first, sure)
		d.find(rxBadPercentCode.rareIf(sure < 0 || hasMacro(l.value())), l, at, at+1, "Crawlers disagree about a %% without two hexadecimal digits after it: Google compares it as it is, others as %%25.")
	}
}

// badPercent returns the place of the first % without two hexadecimal digits after it, -1 if there is none. At the end
// or before a star it can be the beginning of a code.
func badPercent(value []byte, atEnd bool) int {
	for i := 0; i < len(value); i++ {
		if value[i] != '%' {
			continue
		}
		rest := value[i+1:]
		if _, ok := ascii.Unhex(rest); ok {
			i += 2
			continue
		}
		if len(rest) > 0 {
			if _, digit := ascii.HexDigit(rest[0]); digit {
				rest = rest[1:] // perhaps a star or the end cuts a code
			}
		}
		if len(rest) > 0 && rest[0] != '*' && rest[0] != '$' || atEnd {
			return i
		}
	}
	return -1
}

// hasMacro reports whether a program did not fill in a path, as in %%name%%, %(name)s and %{name}.
func hasMacro(value []byte) bool {
	_, name, found := bytes.Cut(value, []byte("%%"))
	return found && len(name) > 0 && ascii.IsLetter(name[0]) || containsAny(ascii.View(value), "%(", "%{")
}

var rxPatternNotASCII = check{Entry: &Entry{
	Code: "RX206", Name: "pattern-not-ascii", Severity: Info, Once: Info,
	Title: "A path has characters that URLs contain only percent-encoded.",
	Why:   "Google and RFC 9309 2.2.2 encode such a path before they compare it (G22). Other crawlers might not, and then it never matches. So Google has recommended percent-encoded paths since 23 October 2026. Not reported if another rule of the group has the path percent-encoded.",
	Bad:   "User-agent: *\nDisallow: /caf\u00e9/\n",
	Good:  "User-agent: *\nDisallow: /caf%C3%A9/\n",
}}

const lostCharacter = "\uFFFD"

// findNotASCII reports bytes that are compared percent-encoded. The fix changes no
// verdict unless it makes the line so long that its end is not read.
func findNotASCII(d *document, l *line) {
	var edits []Edit
	for i := 0; i < len(l.value()); i++ {
		start := i
		for i < len(l.value()) && l.value()[i] >= utf8.RuneSelf {
			i++
		}
		if i > start {
			edits = append(edits, Edit{l.valueAt() + start, l.valueAt() + i, percentEncode(l.value()[start:i], isHigh)})
		}
	}
	if encoded := percentEncode(l.value(), isHigh); d.writes(l, encoded) ||
		d.writes(l, strings.ReplaceAll(encoded, "%20", "_")) {
		return
	}
	first := edits[0]
	raw := d.body[first.Start:first.End]
	if at := bytes.Index(l.value(), []byte(lostCharacter)); at >= 0 {
		d.find(rxPatternNotASCII, l, l.valueAt()+at, l.valueAt()+at+len(lostCharacter), "A character was lost here when the file was saved, so this path matches no URL. Write the character, percent-encoded.")
		return
	}
	if text, ok := fromLatin1(l.value()); ok {
		f := d.findValue(rxPatternNotASCII, l, "This path was saved twice as UTF-8. Write %s.", quote(text))
		f.Fix = d.mend("write "+text, l.replaceValue(text))
		return
	}
	note := choose(utf8.Valid(l.value()), "", " It is not UTF-8, the encoding of URLs.")
	f := d.find(rxPatternNotASCII, l, first.Start, first.End, "Write %s as %s, as Google recommends; some crawlers do not encode paths.%s", quote(raw), quote(first.New), note)
	if grown := len(l.raw()) + 2*len(l.value()); grown <= readBytes {
		f.Fix = &Fix{Title: "percent-encode the path", Edits: edits}
	}
}

// fromLatin1 returns a text, percent-encoded, that was read as Latin-1 and then saved as
// UTF-8, such as "Ã±". It is not ok for other text.
func fromLatin1(text []byte) (encoded string, ok bool) {
	var raw []byte
	for _, c := range string(text) {
		if c > 0xFF {
			return "", false
		}
		raw = append(raw, byte(c))
	}
	return percentEncode(raw, isHigh), utf8.Valid(raw)
}

func isHigh(c byte) bool { return c >= utf8.RuneSelf }

func percentEncode(raw []byte, coded func(byte) bool) string {
	text := make([]byte, 0, 3*len(raw))
	for _, c := range raw {
		if coded(c) {
			text = ascii.AppendPercent(text, c)
		} else {
			text = append(text, c)
		}
	}
	return string(text)
}
