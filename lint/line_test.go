package lint_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
)

// TestParts: a line that a document keeps has the parts of the line that was read,
// also where crawlers read no byte after them.
func TestParts(t *testing.T) {
	const cap = 16_663 // G9
	bodies := []string{
		"", "\r\n\r\r\n\n", "Disallow:", "Disallow: /a # b\r", "\uFEFF Sitemap :\thttps://x.example/#\n", ": x\n#c", "a b",
		"User-agent: *\n\uFEFF" + strings.Repeat(" ", cap-12) + "Disallow: /#a",
	}
	for _, long := range []int{cap - 2, cap - 1, cap, cap + 1, 70_000} {
		bodies = append(bodies,
			"\uFEFF"+strings.Repeat(" ", long-len("Disallow: /#b"))+"Disallow: /#b\nAllow: /",
			"#\r"+strings.Repeat("k", long)+": v\n\nAllow: "+strings.Repeat("/", long)+"#c\n#"+strings.Repeat("c", long))
	}
	for _, body := range bodies {
		lines := 0
		for l := range robotstxt.Lines([]byte(body)) {
			lines++
			key, value, comment := lint.Parts([]byte(body), l)
			for _, part := range []struct {
				kept lint.Part
				text []byte
				at   int
			}{{key, l.Key, l.KeyOffset}, {value, l.Value, l.ValueOffset}, {comment, l.Comment, l.CommentOffset}} {
				if part.kept.Text != string(part.text) || part.text != nil && part.kept.At != part.at {
					t.Errorf("line %d of %.40q: kept %.40q at %d, want %.40q at %d", l.Number, body, part.kept.Text, part.kept.At, part.text, part.at)
				}
			}
		}
		if room := lint.CountLines([]byte(body)); room != lines {
			t.Errorf("%.40q: room for %d lines, there are %d", body, room, lines)
		}
	}
}
