package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns text that is safe to print: unprintable characters, such as
// controls and direction marks, and bytes that are not UTF-8 become \x1b or
// \u202e; printable text is unchanged. A backslash is not doubled, so that
// patterns look as they are spelt; JSON output separates the two cases.
//
// Leading colons are escaped as well, because GitHub reads a line that starts with two of them
// as a workflow command; so are the commands that withoutOrders escapes.
func Escape(s string) string {
	if s == "" || s[0] > ':' && isPlain(s) {
		return withoutOrders(s)
	}
	rest := strings.TrimLeft(s, " ")
	if colons := len(rest) - len(strings.TrimLeft(rest, ":")); colons > 1 {
		return s[:len(s)-len(rest)] + strings.Repeat(`\x3a`, colons-1) + Escape(rest[colons-1:])
	}
	if isPlain(s) {
		return withoutOrders(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0x20, r == 0x7f:
			writeControl(&b, s[i])
		case unicode.IsPrint(r):
			b.WriteString(s[i : i+size])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return withoutOrders(b.String())
}

// Token returns a product token that is safe to print. The star is quoted, and the
// empty token is described in words.
func Token(token string) string {
	switch token {
	case "":
		return "the empty token"
	case "*":
		return `"*"`
	default:
		return Escape(token)
	}
}

// withoutOrders escapes what CI servers (GitHub, Azure, TeamCity) read as a
// command in the middle of a line.
func withoutOrders(s string) string {
	if !strings.Contains(s, "##") {
		return s
	}
	return orders.Replace(s)
}

var orders = strings.NewReplacer("##[", `#\x23[`, "##vso[", `#\x23vso[`, "##teamcity[", `#\x23teamcity[`)

// Joiner is the zero-width joiner. It is invisible, and breaks up markup that cannot be
// escaped.
const Joiner = "\u200d"

// Unlinked returns a text in which programs that read Markdown, or the links of a message in a
// SARIF log, find neither links nor pictures.
func Unlinked(text string) string { return strings.ReplaceAll(text, "](", "]"+Joiner+"(") }

func writeControl(b *strings.Builder, c byte) {
	switch c {
	case '\t':
		b.WriteString(`\t`)
	case '\n':
		b.WriteString(`\n`)
	case '\r':
		b.WriteString(`\r`)
	default:
		fmt.Fprintf(b, `\x%02x`, c)
	}
}

// isPlain reports whether s is printable ASCII, as nearly all text here is. It reads
// eight bytes at a time: the sum or difference of a byte outside of that range sets its
// highest bit.
func isPlain[Text string | []byte](s Text) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		word := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		if (word|(word+ones)|(word-0x20*ones))&high != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
