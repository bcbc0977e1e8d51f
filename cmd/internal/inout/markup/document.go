package markup

import (
	_ "embed"
	"io"
	"iter"
	"strings"
)

//go:embed document.html
var documentHead string

// Document writes the Markdown of the tool as a web page, for browsers, printers and word processors. It knows
// four blocks, each of whose lines is complete: a heading, a table, a list and a paragraph. All other text is
// shown as it is.
type Document struct {
	out      io.Writer
	language string
	begun    bool
}

// NewDocument returns a document in a language, which is given by its tag.
func NewDocument(out io.Writer, language string) *Document {
	return &Document{out: out, language: language}
}

// Add writes a part of the document: whole blocks. The first line is the title of the page.
func (d *Document) Add(markdown string) error {
	var w Writer
	lines := strings.Split(strings.TrimSpace(markdown), "\n")
	if !d.begun {
		d.begun = true
		head, rest, _ := strings.Cut(documentHead, "{title}")
		w.Add(HTML(strings.Replace(head, "{language}", string(Text(d.language)), 1)))
		w.Print("%s", titleOf(strings.TrimLeft(lines[0], "# ")))
		w.Add(HTML(rest))
	}
	for len(lines) > 0 {
		lines = lines[w.block(lines):]
	}
	_, err := io.WriteString(d.out, w.String())
	return err
}

// End writes the end of the document, unless nothing was added.
func (d *Document) End() error {
	if !d.begun {
		return nil
	}
	_, err := io.WriteString(d.out, "</main>\n</body>\n</html>\n")
	return err
}

// block writes the block at the beginning of lines, and returns the number of its lines.
func (w *Writer) block(lines []string) (n int) {
	text, level := lines[0], 0
	for level < 3 && strings.HasPrefix(text[level:], "#") {
		level++
	}
	is := func(line, prefix string) bool { return strings.HasPrefix(line, prefix) }
	switch {
	case text == "":
		return 1
	case level > 0 && is(text[level:], " "):
		tag := HTML("h" + string(rune('0'+level)) + ">")
		w.Add("<" + tag)
		w.inline(text[level+1:])
		w.Add("</" + tag + "\n")
		return 1
	case is(text, "| "):
		for n < len(lines) && is(lines[n], "| ") {
			n++
		}
		w.table(lines[:n])
		return n
	case is(text, "- "):
		w.Add("<ul>\n")
		for ; n < len(lines) && is(lines[n], "- "); n++ {
			w.Add("<li>")
			w.inline(lines[n][2:])
			w.Add("</li>\n")
		}
		w.Add("</ul>\n")
		return n
	}
	w.Add("<p>")
	w.inline(text)
	w.Add("</p>\n")
	return 1
}

// table writes a table. Its second line has the alignments of the columns.
func (w *Writer) table(lines []string) {
	right := map[int]bool{}
	if len(lines) > 1 {
		for i, cell := range cells(lines[1]) {
			right[i] = strings.HasSuffix(cell, "-:")
		}
	}
	w.Add("<table>\n<thead>")
	for at, line := range lines {
		if at == 1 {
			w.Add("</thead>\n<tbody>\n")
			continue
		}
		w.Add("<tr>")
		for i, cell := range cells(line) {
			tag := HTML("td")
			if at == 0 {
				tag = "th"
			}
			w.Add("<" + tag)
			if right[i] {
				w.Add(" class=\"n\"")
			}
			w.Add(">")
			w.inline(cell)
			w.Add("</" + tag + ">")
		}
		w.Add("</tr>\n")
	}
	w.Add("</tbody>\n</table>\n")
}

// cells returns the cells of a row. A bar after a backslash ends none.
func cells(line string) (cells []string) {
	from := 1
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.Trim(line[from:i], " "))
			from = i + 1
		}
	}
	return cells
}

// inline writes a text, which can have code and characters after backslashes. Words in other scripts do not
// change the order of the words around the text.
func (w *Writer) inline(text string) {
	w.Add("<bdi>")
	for part := range parts(text) {
		if part.isCode {
			w.Print("<code>%s</code>", part.text)
		} else {
			w.Print("%s", part.text)
		}
	}
	w.Add("</bdi>")
}

// part is a part of a text as a reader sees it.
type part struct {
	text   string
	isCode bool
}

// parts yields the parts of a text.
func parts(text string) iter.Seq[part] {
	return func(yield func(part) bool) {
		var plain []byte
		for i := 0; i < len(text); {
			ticks := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
			switch end := strings.Index(text[i+ticks:], strings.Repeat("`", ticks)); {
			case ticks > 0 && end > 0:
				code := text[i+ticks : i+ticks+end]
				if ticks > 1 {
					code = strings.TrimSuffix(strings.TrimPrefix(code, " "), " ")
				}
				if !yield(part{text: string(plain)}) || !yield(part{strings.ReplaceAll(code, `\|`, "|"), true}) {
					return
				}
				plain, i = nil, i+2*ticks+end
			case ticks > 0:
				plain, i = append(plain, text[i:i+ticks]...), i+ticks
			case text[i] == '\\' && i+1 < len(text) && strings.IndexByte("\\|`*_<>[]~&!$#@-+", text[i+1]) >= 0:
				plain, i = append(plain, text[i+1]), i+2
			default:
				plain, i = append(plain, text[i]), i+1
			}
		}
		yield(part{text: string(plain)})
	}
}

// titleOf returns a text without its markup.
func titleOf(text string) (title string) {
	for part := range parts(text) {
		title += part.text
	}
	return title
}
