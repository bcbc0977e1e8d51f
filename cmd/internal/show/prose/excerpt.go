package prose

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

const neighbours = 2

// excerpt shows the deciding line with its neighbours, and carets under its value. If
// no line decides, it shows the first user-agent line of the group; without a group,
// nothing.
func (b *block) excerpt(d *robotstxt.Decision) {
	number := d.Line
	remark := weight(d)
	if number == 0 && len(d.AgentLines) > 0 {
		number, remark = d.AgentLines[0], "none of its rules matches"
	}
	if number == 0 || d.Reason == robotstxt.ReasonRobotsFile {
		return
	}
	width := len(strconv.Itoa(min(number+neighbours, b.file.Lines)))
	for line := range robotstxt.Lines(b.file.Text) {
		if line.Number > number+neighbours {
			break
		}
		if line.Number < number-neighbours || answer.IsEnd(line) {
			continue
		}
		b.line(line, number, width)
		if line.Number == number {
			b.caret(line, width, remark)
		}
	}
	b.text.WriteByte('\n')
}

func (b *block) line(line robotstxt.Line, deciding, width int) {
	text := term.Excerpt(string(bytes.TrimRight(line.Raw, "\r\n")))
	number := fmt.Sprintf("%*d", width, line.Number)
	if line.Number == deciding {
		text = strings.TrimRight(fmt.Sprintf("  > %s | %s", number, text), " ")
		b.text.WriteString(b.palette.Paint(term.Bold, text) + "\n")
		return
	}
	b.text.WriteString(strings.TrimRight(fmt.Sprintf("    %s | %s", number, text), " ") + "\n")
}

// caret underlines the value of a line and adds a remark.
func (b *block) caret(line robotstxt.Line, width int, remark string) {
	before := term.Width(term.Escape(head(line.Raw[:line.ValueOffset-line.Offset])))
	if before >= term.ExcerptWidth {
		return // the value is not in the visible part
	}
	length := max(1, min(term.Width(term.Escape(head(line.Value))), term.ExcerptWidth-before))
	carets := b.palette.Paint(term.Bold, strings.Repeat("^", length))
	fmt.Fprintf(&b.text, "    %*s | %s%s %s\n", width, "", strings.Repeat(" ", before), carets, remark)
}

// head returns the part of a line that can be shown, because a line can have megabytes.
func head(text []byte) string { return string(text[:min(len(text), 4*term.ExcerptWidth)]) }

func weight(d *robotstxt.Decision) string {
	switch {
	case d.Rule == nil:
		return ""
	case d.Dialect == robotstxt.Koster1996:
		return "the first that matches"
	case d.Reason == robotstxt.ReasonEmptyRule:
		return "no path"
	}
	text := fmt.Sprintf("length %d", d.Rule.Length)
	if d.Rule.Folder {
		text += fmt.Sprintf(", as %s, the folder of the index page", term.Escape(d.Rule.Pattern))
	}
	switch {
	case d.Tie != nil:
		return text + fmt.Sprintf(", ties with line %d, and Allow wins a tie", d.Tie.Line)
	case len(d.Others) > 0:
		return text + ", the longest that matches"
	default:
		return text + ", the only one that matches"
	}
}
