package auditreport

import (
	"fmt"
	"html"
	"strings"
)

// markup is HTML in which every value is escaped. It replaces html/template, because
// that makes the linker keep every exported method of the program.
type markup struct{ strings.Builder }

// print appends HTML. The format is a constant; attributes in it are quoted. Every value
// is text, which is escaped.
func (m *markup) print(format string, values ...string) {
	escaped := make([]any, len(values))
	for i, value := range values {
		escaped[i] = html.EscapeString(value)
	}
	fmt.Fprintf(m, format, escaped...)
}

// begin appends what all pages begin with.
func (m *markup) begin(title string) {
	m.WriteString(strings.Replace(head, "{title}", html.EscapeString(title), 1))
}

func (m *markup) tiles(tiles []tile) {
	if len(tiles) == 0 {
		return
	}
	m.print("<div class=\"tiles\">")
	for _, t := range tiles {
		m.print("\n<div class=\"tile\"><b>%s</b><span>%s</span><span class=\"weak\">%s</span></div>", t.Share, t.Words, t.Counts)
	}
	m.print("\n</div>\n")
}

func (m *markup) figure(f *figure) {
	m.print("\n<section id=\"%s\">\n<h2>%s</h2>\n", f.ID, f.Title)
	if f.Text != "" {
		m.print("<p>%s</p>\n", f.Text)
	}
	if f.Of != "" {
		m.print("<p class=\"of\">%s</p>\n", f.Of)
	}
	if len(f.Keys) > 0 {
		m.print("<ul class=\"keys\">")
		for _, k := range f.Keys {
			m.print("<li><svg width=\"26\" height=\"14\" aria-hidden=\"true\"><rect class=\"seg %s\" x=\"0.5\" y=\"0.5\" width=\"25\" height=\"13\"/></svg>%s</li>", k.Class, k.Words)
		}
		m.print("</ul>\n")
	}
	m.print("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">%s</th>", f.Label)
	if len(f.Keys) > 0 || !f.Words {
		m.print("<th scope=\"col\"></th>")
	}
	for i, name := range f.Heads {
		m.print("<th scope=\"col\" class=\"%s\">%s</th>", f.columnClass(i), name)
	}
	m.print("</tr></thead>\n<tbody>")
	for _, row := range f.Rows {
		m.row(f, &row)
	}
	m.print("\n</tbody></table></div>\n</section>\n")
}

// columnClass returns the class of the column i after the bar: words, or a number.
func (f *figure) columnClass(i int) string {
	if f.Words && (i > 0 || len(f.Keys) > 0) {
		return "w"
	}
	return "n"
}

func (m *markup) row(f *figure, r *row) {
	m.print("\n<tr><th scope=\"row\"><bdi>%s</bdi>", r.Label)
	if r.Under != "" {
		m.print("<small>%s</small>", r.Under)
	}
	m.print("</th>")
	if len(f.Keys) > 0 || !f.Words {
		m.print("<td class=\"bar\">")
		for _, b := range r.Bars {
			m.bar(b)
		}
		m.print("</td>")
	}
	for i, cell := range r.Cells {
		m.print("<td class=\"%s\"><bdi>%s</bdi></td>", f.columnClass(i), cell)
	}
	m.print("</tr>")
}

func (m *markup) bar(b labelledBar) {
	if b.Label != "" {
		m.print("<div class=\"pair\"><small><bdi>%s</bdi></small>", b.Label)
	}
	m.print("<svg viewBox=\"0 0 400 18\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")
	for _, p := range b.Parts {
		m.print("<rect class=\"seg %s\" x=\"%s\" y=\"1\" width=\"%s\" height=\"16\"><title>%s</title></rect>",
			p.Class, fmt.Sprintf("%.2f", p.X), fmt.Sprintf("%.2f", p.W), p.Words)
	}
	m.print("</svg>")
	if b.Label != "" {
		m.print("</div>")
	}
}
