package robotstxt_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
)

// lineList describes the lines of a body, one per element.
func lineList(body string) (list []string) {
	for l := range robotstxt.Lines([]byte(body)) {
		s := fmt.Sprintf("%d %v", l.Number, l.Kind)
		if l.Key != nil {
			s += fmt.Sprintf(" %q=%q", l.Key, l.Value)
		}
		if l.Comment != nil {
			s += fmt.Sprintf(" %q", l.Comment)
		}
		for _, flag := range []struct {
			name string
			set  bool
		}{{"typo", l.Typo}, {"nocolon", l.MissingColon}, {"long", l.TooLong}, {"nul", l.NULCut}} {
			if flag.set {
				s += " " + flag.name
			}
		}
		list = append(list, s)
	}
	return list
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ clause, body, want string }{
		{"G8 empty file", "", "1 empty"},
		{"G8 N lines and one", "a:b\n", `1 unknown "a"="b"|2 empty`},
		{"G6 G7 terminators", "a:1\r\nb:2\rc:3\n\rd:4", `1 unknown "a"="1"|2 unknown "b"="2"|3 unknown "c"="3"|4 empty|5 unknown "d"="4"`},
		{"G7 CR at the end", "a:1\r", `1 unknown "a"="1"|2 empty`},
		{"G7 two CRs", "\r\r\n", "1 empty|2 empty|3 empty"},
		{"G6 no terminators", "a:1\v2\f3\x1c4\u2028", `1 unknown "a"="1\v2\f3\x1c4\u2028"`},
		{"G3 whole BOM", "\xEF\xBB\xBFAllow:/", `1 allow "Allow"="/"`},
		{"G3 part of a BOM", "\xEF\xBBAllow:/", `1 allow "Allow"="/"`},
		{"G3 broken BOM", "\xEF\x11\xBFAllow:/", `1 unknown "\x11\xbfAllow"="/"`},
		{"G4 second BOM", "\xEF\xBB\xBF\xEF\xBB\xBFAllow:/", `1 unknown "\ufeffAllow"="/"`},
		{"G10 NUL", "Disallow: /a\x00b#c\n\x00Disallow: /", `1 disallow "Disallow"="/a" nul|2 empty nul`},
		{"G11 comment", "Disallow: /a#b # c\n # d", `1 disallow "Disallow"="/a" "#b # c"|2 comment "# d"`},
		{"G12 trim", "\v\f Allow \t:\t / \v", `1 allow "Allow"="/"`},
		{"G12 not trimmed", "Allow: \u00A0/\u3000", `1 allow "Allow"="\u00a0/\u3000"`},
		{"G14 first colon", "Sitemap: http://h/s", `1 sitemap "Sitemap"="http://h/s"`},
		{"G15 two words", "Disallow /x\nDisallow  \t /x # y z\nfoo bar", `1 disallow "Disallow"="/x" nocolon|2 disallow "Disallow"="/x" "# y z" nocolon|3 unknown "foo"="bar" nocolon`},
		{"G15 one or three words", "Disallow\nDisallow /x y", "1 no directive|2 no directive"},
		{"G16 colon in the value", "Disallow /a:/b", `1 disallow "Disallow /a"="/b"`},
		{"G17 empty key, empty value", ": /x\n::\nAllow:", `1 no directive|2 no directive|3 allow "Allow"=""`},
		{"G18 ASCII case", "uSeR-aGeNt: x\ndi\u017Fallow: /\n\u212Ax:", "1 user-agent \"uSeR-aGeNt\"=\"x\"|2 unknown \"di\u017Fallow\"=\"/\"|3 unknown \"\u212Ax\"=\"\""},
		{"G19 prefixes", "User-agents:x\nAllow-all:/\ndisallow*:/\nSitemaps:y", `1 user-agent "User-agents"="x"|2 allow "Allow-all"="/"|3 disallow "disallow*"="/"|4 sitemap "Sitemaps"="y"`},
		{"G20 G21 typos", "useragent:x\nUser agent:x\nDissallowed:/\nDisalow:/\nDiasllow:/\nDisallaw:/\nDissalow:/\nSite-map:y\ndisallowed:/",
			`1 user-agent "useragent"="x" typo|2 user-agent "User agent"="x" typo|3 disallow "Dissallowed"="/" typo|4 disallow "Disalow"="/" typo|5 disallow "Diasllow"="/" typo|6 disallow "Disallaw"="/" typo|7 disallow "Dissalow"="/" typo|8 sitemap "Site-map"="y" typo|9 disallow "disallowed"="/"`},
		{"G20 nothing else", "disallo:/\nuser_agent:x\n- Disallow:/", `1 unknown "disallo"="/"|2 unknown "user_agent"="x"|3 unknown "- Disallow"="/"`},
		{"G65 unused, in full", "Crawl-Delay:1\nCrawl-delays:1\nnoindex:/", `1 unused "Crawl-Delay"="1"|2 unknown "Crawl-delays"="1"|3 unused "noindex"="/"`},
	} {
		if got := strings.Join(lineList(c.body), "|"); got != c.want {
			t.Errorf("%s: %q\ngot  %s\nwant %s", c.clause, c.body, got, c.want)
		}
	}
}

// TestLineCap checks that 16,663 bytes of a line are read [G9].
func TestLineCap(t *testing.T) {
	const limit = 16663
	key := "Disallow: /"
	for _, c := range []struct {
		body    string
		value   int // length
		tooLong bool
	}{
		{key + strings.Repeat("a", limit-len(key)), limit - 10, false},
		{key + strings.Repeat("a", limit-len(key)+1), limit - 10, true},
		{"\xEF\xBB\xBF" + key + strings.Repeat("a", limit-len(key)), limit - 10, false},
		{strings.Repeat(" ", 100) + key + strings.Repeat("a", limit), limit - 110, true},
	} {
		for l := range robotstxt.Lines([]byte(c.body + "\r\n")) {
			if l.Number == 1 && (len(l.Value) != c.value || l.TooLong != c.tooLong) {
				t.Errorf("value of %d bytes, too long %v; want %d, %v", len(l.Value), l.TooLong, c.value, c.tooLong)
			}
		}
	}
	for l := range robotstxt.Lines([]byte(strings.Repeat("#", limit+1))) {
		if l.Kind != robotstxt.KindComment || !l.TooLong || len(l.Comment) != limit {
			t.Errorf("a long comment: %v, too long %v, %d bytes", l.Kind, l.TooLong, len(l.Comment))
		}
	}
}

// TestLinesStop checks that a caller can stop early, and that lines point into the
// body.
func TestLinesStop(t *testing.T) {
	body := []byte("Allow: /a\nAllow: /b\nAllow: /c\n")
	n := 0
	for l := range robotstxt.Lines(body) {
		n++
		if l.Number == 2 {
			body[l.ValueOffset+1] = 'x'
			break
		}
	}
	if n != 2 || !bytes.Contains(body, []byte("/x")) {
		t.Errorf("%d lines seen, body %q", n, body)
	}
}

// TestLinesClip checks that appending to a field of a line does not write into the
// body.
func TestLinesClip(t *testing.T) {
	body := []byte("Allow: /a # c\nAllow: /b\n")
	before := string(body)
	for l := range robotstxt.Lines(body) {
		for _, part := range [][]byte{l.Raw, l.Key, l.Value, l.Comment} {
			_ = append(part, "XYZ"...)
		}
	}
	if string(body) != before {
		t.Errorf("the body is %q now", body)
	}
}

func TestKindString(t *testing.T) {
	if got := robotstxt.KindUnused.String() + "," + robotstxt.Kind(200).String(); got != "unused,no directive" {
		t.Error(got)
	}
}

// TestCopyValue compares copyValue with its definition, on texts in which any byte may be at
// any place of a step of 32 bytes.
func TestCopyValue(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 8))
	const special = "\n\r#\x00*$%\x80\xFF+ \t\v\f\"!&'()*,-~\x7F"
	for range enginetest.Size(200_000, 4_000_000) {
		text := make([]byte, r.IntN(110))
		rare := 1 + r.IntN(60)
		for i := range text {
			text[i] = byte('+' + r.IntN(0x80-'+'))
			if r.IntN(rare) == 0 {
				text[i] = special[r.IntN(len(special))]
			}
		}
		checkCopyValue(t, string(text), r.IntN(len(text)+1))
	}
}

func checkCopyValue(t *testing.T, text string, from int) {
	t.Helper()
	want := strings.TrimLeft(text[from:], " \t\v\f")
	start := len(text) - len(want)
	end := strings.IndexAny(want, "\n\r#\x00")
	ended := end >= 0 && (want[end] == '\n' || want[end] == '\r')
	if end < 0 {
		end = len(want)
	}
	after := want[end:]
	want = want[:end]
	value, at, gotEnd, wild, coded := robotstxt.CopyValue(text, from)
	if value != want || at != start || gotEnd != ended || wild != strings.ContainsAny(want, "*$") {
		t.Fatalf("%q from %d: %q at %d, ended %v, wild %v, want %q at %d", text, from, value, at, gotEnd, wild, want, start)
	}
	// A byte after the value may have the mark too.
	must := strings.Contains(want, "%") || highByte(want)
	if must && !coded || coded && !must && !highByte(after[:min(len(after), 32)]) {
		t.Fatalf("%q from %d: coded %v", text, from, coded)
	}
}

func highByte(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c >= 0x80 }) >= 0
}
