package auditreport

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
)

type page struct{ markup.Writer }

func (m *page) begin(title string) {
	m.Add(markup.HTML(strings.Replace(head, "{title}", string(markup.Text(title)), 1)))
}

func (m *page) end() { m.Add(markup.HTML(foot)) }

func (m *page) paragraphs(texts []string) {
	for _, text := range texts {
		m.Print("<p>%s</p>\n", text)
	}
}

func (m *page) tiles(tiles []tile) {
	if len(tiles) == 0 {
		return
	}
	m.Print("<div class=\"tiles\">")
	for _, t := range tiles {
		m.Print("\n<div class=\"tile\"><b>%s</b><span>%s</span><span class=\"weak\">%s</span></div>", t.Share, t.Words, t.Counts)
	}
	m.Print("\n</div>\n")
}

func (m *page) figure(f *figure) {
	m.Print("\n<section id=\"%s\">\n<h2>%s</h2>\n", f.ID, f.Title)
	if f.Text != "" {
		m.Print("<p>%s</p>\n", f.Text)
	}
	if f.Of != "" {
		m.Print("<p class=\"of\">%s</p>\n", f.Of)
	}
	if len(f.Keys) > 0 {
		m.Print("<ul class=\"keys\">")
		for _, k := range f.Keys {
			m.Print("<li><svg width=\"26\" height=\"14\" aria-hidden=\"true\"><rect class=\"seg %s\" x=\"0.5\" y=\"0.5\" width=\"25\" height=\"13\"/></svg>%s</li>", k.Class, k.Words)
		}
		m.Print("</ul>\n")
	}
	m.Print("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">%s</th>", f.Label)
	if f.hasBars() {
		m.Print("<td></td>")
	}
	for i, name := range f.Heads {
		m.Print("<th scope=\"col\" class=\"%s\">%s</th>", f.columnClass(i), name)
	}
	m.Print("</tr></thead>\n<tbody>")
	for _, row := range f.Rows {
		m.row(f, &row)
	}
	m.Print("\n</tbody></table></div>\n</section>\n")
}

// columnClass returns the class of column i after the bar: words or a number.
func (f *figure) columnClass(i int) string {
	if f.Classes == "" {
		return "n"
	}
	return f.Classes[i : i+1]
}

func (f *figure) hasBars() bool {
	return slices.ContainsFunc(f.Rows, func(r row) bool { return len(r.Bars) > 0 })
}

func (m *page) row(f *figure, r *row) {
	m.Print("\n<tr><th scope=\"row\"><bdi>%s</bdi>", r.Label)
	if r.Under != "" {
		m.Print("<small>%s</small>", r.Under)
	}
	m.Print("</th>")
	if f.hasBars() {
		m.Print("<td class=\"bar\">")
		for _, b := range r.Bars {
			m.bar(b)
		}
		m.Print("</td>")
	}
	for i, cell := range r.Cells {
		m.Print("<td class=\"%s\" data-head=\"%s\">", f.columnClass(i), f.Heads[i])
		first, last, is := strings.Cut(cell, " → ")
		m.Print("<bdi>%s</bdi>", first)
		if is {
			m.Print(" <bdi>→ %s</bdi>", last) // a narrow column breaks here
		}
		m.Print("</td>")
	}
	m.Print("</tr>")
}

func (m *page) bar(b labelledBar) {
	if b.Label != "" {
		m.Print("<div class=\"pair\"><small><bdi>%s</bdi></small>", b.Label)
	}
	if b.IsTall {
		m.Add("<svg class=\"tall\"")
	} else {
		m.Add("<svg")
	}
	m.Add(" viewBox=\"0 0 400 18\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")
	for _, p := range b.Parts {
		if p.H == 0 {
			p.Y, p.H = 1, 16
		}
		m.Print("<rect class=\"seg %s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>",
			p.Class, fmt.Sprintf("%.2f", p.X), short(p.Y), fmt.Sprintf("%.2f", p.W), short(p.H), p.Words)
	}
	m.Print("</svg>")
	if b.Label != "" {
		m.Print("</div>")
	}
}

func short(n float64) string { return strconv.FormatFloat(math.Round(100*n)/100, 'f', -1, 64) }
