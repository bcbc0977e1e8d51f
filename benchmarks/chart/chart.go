// Package chart draws the figures of the results as SVG: lines over two
// logarithmic axes. They are legible on light and dark pages, and have a
// description in words.
package chart

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// Figure is a picture of one or two panels side by side.
type Figure struct {
	Title string
	Text  string // description in words, for screen readers
	Note  string // shown under the panels
}

const (
	panelWidth = 460
	margin     = 24
	headHeight = 52
)

// canvas collects the elements of a figure.
type canvas struct {
	strings.Builder
	width, height int
}

// The colours of series on light and on dark pages. Colour-blind people can
// distinguish them too. The first is that of this project.
var (
	lightColours = []string{"#b8400b", "#0969da", "#1a7f64", "#8250df", "#7d6a00", "#59636e", "#bf3989"}
	darkColours  = []string{"#ff9a5c", "#58a6ff", "#3fcfa4", "#c297ff", "#d9c04a", "#9198a1", "#ff8fc4"}
)

const (
	style = `
  .page { fill: #ffffff } text { fill: #1f2328; font: 13px system-ui, sans-serif }
  .title { font-size: 17px; font-weight: 600 } .panel { font-weight: 600 } .small { font-size: 12px }
  .axis { stroke: #59636e; fill: none } .grid { stroke: #d1d9e0; fill: none }
  .line { fill: none; stroke-width: 2 } .s0.line { stroke-width: 3.5 }
`
	darkStyle = `
  .page { fill: #0d1117 } text { fill: #f0f6fc } .axis { stroke: #9198a1 } .grid { stroke: #3d444d }
`
)

func colours(palette []string) string {
	var b strings.Builder
	for i, c := range palette {
		fmt.Fprintf(&b, "  .s%d.line { stroke: %s } .s%[1]d.dot { fill: %[2]s }\n", i, c)
	}
	return b.String()
}

func (f Figure) start(panels, height int) *canvas {
	c := &canvas{width: panels*panelWidth + margin, height: height}
	fmt.Fprintf(c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title text">`+"\n", c.width, height)
	fmt.Fprintf(c, "<title id=\"title\">%s</title>\n<desc id=\"text\">%s</desc>\n", escape(f.Title), escape(f.Text))
	fmt.Fprintf(c, "<style>%s%s  @media (prefers-color-scheme: dark) {%s%s  }\n</style>\n",
		style, colours(lightColours), darkStyle, colours(darkColours))
	fmt.Fprintf(c, `<rect class="page" width="%d" height="%d" rx="6"/>`+"\n", c.width, height)
	c.text(margin, 30, "start", "title", f.Title)
	return c
}

func (f Figure) finish(c *canvas) []byte {
	c.text(margin, float64(c.height-14), "start", "small", f.Note)
	c.WriteString("</svg>\n")
	return []byte(c.String())
}

func (c *canvas) text(x, y float64, anchor, class, text string) {
	fmt.Fprintf(c, `<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`+"\n", x, y, anchor, class, escape(text))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(c, `<path class="%s" d="M%.1f %.1fL%.1f %.1f"/>`+"\n", class, x1, y1, x2, y2)
}

func escape(text string) string {
	var out strings.Builder
	xml.EscapeText(&out, []byte(text)) // a strings.Builder does not fail
	return out.String()
}

// scale maps values to coordinates between from and to, logarithmically.
type scale struct{ low, high, from, to float64 }

func (s scale) at(value float64) float64 {
	low, high, at := math.Log10(s.low), math.Log10(s.high), math.Log10(value)
	return s.from + (at-low)/(high-low)*(s.to-s.from)
}

// decades widens a range to powers of ten.
func decades(low, high float64) (float64, float64) {
	return math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
}

// ticks returns the powers of ten on the scale.
func (s scale) ticks() (ticks []float64) {
	for v := s.low; v <= s.high*1.001; v *= 10 {
		ticks = append(ticks, v)
	}
	return ticks
}
