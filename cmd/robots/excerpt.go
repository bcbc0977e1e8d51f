package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

const (
	neighbours    = 2   // lines shown before and behind the deciding one
	widestExcerpt = 120 // columns of a line that are shown
)

// excerpt shows the deciding line among its neighbours, with a caret under the
// value that decides. Where no line decides, it shows the line that chose the
// group; where there is no group either, nothing.
func (p *prose) excerpt(d *robotstxt.Decision) {
	number, remark := d.Line, weight(d)
	if number == 0 && len(d.AgentLines) > 0 {
		number, remark = d.AgentLines[0], "none of its rules matches"
	}
	if number == 0 || d.Reason == robotstxt.ReasonRobotsFile {
		return
	}
	width := len(strconv.Itoa(min(number+neighbours, p.file.Lines)))
	for line := range robotstxt.Lines(p.file.Text) {
		if line.Number > number+neighbours {
			break
		}
		if line.Number < number-neighbours || answer.IsEnd(line) {
			continue
		}
		p.line(line, number, width)
		if line.Number == number {
			p.caret(line, width, remark)
		}
	}
	p.text.WriteByte('\n')
}

func (p *prose) line(line robotstxt.Line, deciding, width int) {
	text := term.Clip(term.Escape(head(bytes.TrimRight(line.Raw, "\r\n"))), widestExcerpt)
	number := fmt.Sprintf("%*d", width, line.Number)
	if line.Number == deciding {
		text = strings.TrimRight(fmt.Sprintf("  > %s | %s", number, text), " ")
		p.text.WriteString(p.palette.Paint(term.Bold, text) + "\n")
		return
	}
	p.text.WriteString(strings.TrimRight(fmt.Sprintf("    %s | %s", number, text), " ") + "\n")
}

// caret underlines a line's value and remarks on it.
func (p *prose) caret(line robotstxt.Line, width int, remark string) {
	before := term.Width(term.Escape(head(line.Raw[:line.ValueOffset-line.Offset])))
	if before >= widestExcerpt {
		return // the value is out of sight
	}
	length := max(1, min(term.Width(term.Escape(head(line.Value))), widestExcerpt-before))
	carets := p.palette.Paint(term.Bold, strings.Repeat("^", length))
	fmt.Fprintf(&p.text, "    %*s | %s%s %s\n", width, "", strings.Repeat(" ", before), carets, remark)
}

// head is as much of a line as may be shown, so that a line of megabytes is not
// escaped for nothing.
func head(text []byte) string { return string(text[:min(len(text), 4*widestExcerpt)]) }

// weight says what made the deciding rule win.
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
