package table

import (
	"bytes"
	"io"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// The rows that text looks at before it writes them. Later cells can be wider.
const (
	sampleRows  = 500
	sampleBytes = 1 << 18
)

const gap = 2

// layout is a table of text. While the widths of its columns are unknown, it holds rows
// back.
type layout struct {
	config *Config
	widths []int // of columns
	fitted bool  // widths are final
	rows   int   // held back
	bytes  int   // of their cells
	lines  int   // written since the header
	cells  []cell
	line   []byte
}

// cell is a cell that is not written yet.
type cell struct {
	text   string // escaped
	width  int
	style  term.Style
	remark string // after the last cell
}

func (l *layout) init(config *Config) {
	l.config = config
	l.widths = make([]int, len(config.Columns))
	known := true
	for i, c := range config.Columns {
		l.widths[i] = c.Width
		known = known && (c.Width > 0 || i == len(config.Columns)-1)
		if !config.NoHeader {
			l.widths[i] = max(c.Width, term.Width(term.Escape(c.Name)))
		}
	}
	if known {
		if last := len(l.widths) - 1; last >= 0 && config.Columns[last].Width == 0 {
			// At least half of the screen, before it is narrowed.
			l.widths[last] = max(l.widths[last], config.Screen/2, l.rest())
		}
		l.fit()
	}
}

func (l *layout) add(style term.Style, text string) {
	l.bytes += len(text)
	l.cells = append(l.cells, cell{text: text, width: term.Width(text), style: style})
}

// remark adds an escaped text after the row.
func (l *layout) remark(text string) { l.cells[len(l.cells)-1].remark = text }

// end ends a row, which is written if the widths are known.
func (l *layout) end(out io.Writer) error {
	l.rows++
	if !l.fitted && l.rows < sampleRows && l.bytes < sampleBytes {
		return nil
	}
	return l.flush(out)
}

// flush writes the rows that were held back.
func (l *layout) flush(out io.Writer) error {
	if l.rows == 0 {
		return nil
	}
	if !l.fitted {
		for i, c := range l.cells {
			column := i % len(l.widths)
			l.widths[column] = max(l.widths[column], c.width)
		}
		l.fit()
	}
	l.line = l.line[:0]
	for row := range l.rows {
		if l.lines == 0 {
			l.appendHeader()
		}
		if l.lines++; l.lines == l.config.Repeat {
			l.lines = 0
		}
		l.appendRow(l.cells[row*len(l.widths) : (row+1)*len(l.widths)])
	}
	l.rows, l.bytes, l.cells = 0, 0, l.cells[:0]
	_, err := out.Write(l.line)
	return err
}

// fit narrows columns until a row fits the screen. It always narrows the widest column
// that can still be narrowed. If that is not enough, rows stay too long, and the terminal
// breaks them.
func (l *layout) fit() {
	l.fitted = true
	total := l.config.Indent + gap*(len(l.widths)-1)
	for _, width := range l.widths {
		total += width
	}
	for l.config.Screen > 0 && total > l.config.Screen {
		widest := -1
		for i, width := range l.widths {
			if least := l.config.Columns[i].Least; least > 0 && width > least &&
				(widest < 0 || width > l.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		l.widths[widest]--
		total--
	}
}

// rest returns the width that remains on the screen for the last column.
func (l *layout) rest() int {
	rest := l.config.Screen - l.config.Indent
	for _, width := range l.widths[:len(l.widths)-1] {
		rest -= width + gap
	}
	return rest
}

func (l *layout) appendHeader() {
	if l.config.NoHeader {
		return
	}
	l.appendBlanks(l.config.Indent)
	for i, c := range l.config.Columns {
		name := term.Escape(c.Name)
		l.appendCell(i, term.Bold, name, term.Width(name))
	}
	l.line = append(l.line, '\n')
}

func (l *layout) appendRow(cells []cell) {
	l.appendBlanks(l.config.Indent)
	wrapped := false
	for i, c := range cells {
		if l.config.Columns[i].Wrap && c.width > l.widths[i] && l.config.Screen > 0 {
			wrapped = true
			break
		}
		l.appendCell(i, c.style, c.text, c.width)
		if c.remark != "" {
			l.line = append(l.line, l.config.Palette.Paint(term.Faint, "  "+c.remark)...)
		}
	}
	if wrapped {
		l.line = l.line[:len(l.line)-l.lengthOfLine()]
		l.appendWrapped(cells)
		return
	}
	if last := cells[len(cells)-1]; last.width == 0 && last.remark == "" {
		l.line = bytes.TrimRight(l.line, " ")
	}
	l.line = append(l.line, '\n')
}

func (l *layout) lengthOfLine() int { return len(l.line) - 1 - bytes.LastIndexByte(l.line, '\n') }

func (l *layout) appendWrapped(cells []cell) {
	parts, height := make([][]string, len(cells)), 1
	for i, c := range cells {
		parts[i] = []string{c.text}
		if l.config.Columns[i].Wrap {
			parts[i] = term.Wrap(c.text, l.widths[i], "")
		}
		height = max(height, len(parts[i]))
	}
	for n := range height {
		l.appendBlanks(l.config.Indent)
		for i, c := range cells {
			text := ""
			if n < len(parts[i]) {
				text = parts[i][n]
			}
			l.appendCell(i, c.style, text, term.Width(text))
		}
		l.line = append(bytes.TrimRight(l.line, " "), '\n')
	}
}

// appendCell appends a cell with the spaces around it. The last cell has none at its end.
func (l *layout) appendCell(column int, style term.Style, text string, width int) {
	c, room := &l.config.Columns[column], l.widths[column]
	if l.config.Screen > 0 && c.Least > 0 && width > room {
		text = clip(text, room, c.Code)
		width = term.Width(text)
	}
	if column > 0 {
		l.appendBlanks(gap)
	}
	if c.Right {
		l.appendBlanks(room - width)
	}
	if style != "" {
		text = l.config.Palette.Paint(style, text)
	}
	l.line = append(l.line, text...)
	if !c.Right && column < len(l.widths)-1 {
		l.appendBlanks(room - width)
	}
}

func (l *layout) appendBlanks(n int) {
	for range n {
		l.line = append(l.line, ' ')
	}
}

func clip(text string, width int, middle bool) string {
	if middle {
		return term.ClipMiddle(text, width)
	}
	return term.Clip(text, width)
}
