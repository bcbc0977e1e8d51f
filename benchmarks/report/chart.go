package main

import (
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The chart is drawn as SVG: lines over two logarithmic axes. It is legible on light and dark
// pages, and has a description in words.

type figure struct {
	title string
	text  string // description in words, for screen readers
	note  string // shown under the panels
}

// panel has a line for each parser: the time of a query, by the number of rules.
type panel struct {
	title string
	rules []float64
	lines []line // this project first
}

type line struct {
	name  string
	times []float64 // in nanoseconds, by rules
}

const (
	panelWidth = 460
	margin     = 24
	headHeight = 52
)

type canvas struct{ strings.Builder }

// The colours of series on light and on dark pages. Colour-blind people can distinguish
// them too. The first is for this project.
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

// newScale returns the scale of values, from a power of ten to another.
func newScale(values []float64, from, to float64) scale {
	low, high := math.Log10(slices.Min(values)), math.Log10(slices.Max(values))
	return scale{math.Pow(10, math.Floor(low)), math.Pow(10, math.Ceil(high)), from, to}
}

func (s scale) ticks() (ticks []float64) {
	for v := s.low; v <= s.high*1.001; v *= 10 {
		ticks = append(ticks, v)
	}
	return ticks
}

// Lines is a panel of lines over two logarithmic axes.
type Lines struct {
	Title  string
	X, Y   string // labels of the axes: the quantity and its unit
	Tick   func(value float64) string
	Series []Series
}

// Series is one line.
type Series struct {
	Name  string
	Color int // index in the palette; 0 is this project
	X, Y  []float64
}

// draw draws the panels side by side, with the legend of the first.
func (f figure) draw(panels ...panel) string {
	const plotHeight, legendLine = 300, 20
	legendRows := (len(panels[0].lines) + 1) / 2
	width, height := len(panels)*panelWidth+margin, headHeight+plotHeight+76+legendRows*legendLine+30
	var c canvas
	fmt.Fprintf(&c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title text">`+"\n", width, height)
	fmt.Fprintf(&c, "<title id=\"title\">%s</title>\n<desc id=\"text\">%s</desc>\n", escape(f.title), escape(f.text))
	fmt.Fprintf(&c, "<style>%s%s  @media (prefers-color-scheme: dark) {%s%s  }\n</style>\n",
		style, colours(lightColours), darkStyle, colours(darkColours))
	fmt.Fprintf(&c, `<rect class="page" width="%d" height="%d" rx="6"/>`+"\n", width, height)
	c.text(margin, 30, "start", "title", f.title)
	for i, p := range panels {
		p.draw(&c, float64(i*panelWidth+margin), headHeight, plotHeight)
	}
	for i, l := range panels[0].lines {
		x := float64(margin + i%2*(width-margin)/2)
		y := float64(headHeight + plotHeight + 84 + i/2*legendLine)
		c.line(fmt.Sprintf("line s%d", i), x, y-4, x+24, y-4)
		c.text(x+32, y, "start", "small", l.name)
	}
	c.text(margin, float64(height-14), "start", "small", f.note)
	return c.String() + "</svg>\n"
}

func (p panel) draw(c *canvas, left, top, height float64) {
	var times []float64
	for _, l := range p.lines {
		times = append(times, l.times...)
	}
	x := newScale(p.rules, left+62, left+panelWidth-34)
	y := newScale(times, top+height, top+24)
	c.text(x.from, top+8, "start", "panel", p.title)
	for _, v := range x.ticks() {
		c.line("grid", x.at(v), y.from, x.at(v), y.to)
		c.text(x.at(v), y.from+18, "middle", "small", thousands(v))
	}
	for _, v := range y.ticks() {
		c.line("grid", x.from, y.at(v), x.to, y.at(v))
		c.text(x.from-8, y.at(v)+4, "end", "small", round(v))
	}
	c.line("axis", x.from, y.from, x.to, y.from)
	c.line("axis", x.from, y.from, x.from, y.to)
	c.text((x.from+x.to)/2, y.from+40, "middle", "small", "rules in the file (log scale)")
	fmt.Fprintf(c, `<text transform="translate(%.1f %.1f) rotate(-90)" text-anchor="middle" class="small">%s</text>`+"\n",
		left+6, (y.from+y.to)/2, "time of a query (log scale)")
	for i, l := range slices.Backward(p.lines) { // this project last, on top
		c.graph(i, p.rules, l.times, x, y)
	}
}

// graph draws a line with the colour of a number.
func (c *canvas) graph(colour int, xs, ys []float64, x, y scale) {
	var path strings.Builder
	for i := range xs {
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], x.at(xs[i]), y.at(ys[i]))
	}
	fmt.Fprintf(c, `<path class="line s%d" d="%s"/>`+"\n", colour, path.String())
	for i := range xs {
		fmt.Fprintf(c, `<circle class="dot s%d" cx="%.1f" cy="%.1f" r="3.5"/>`+"\n", colour, x.at(xs[i]), y.at(ys[i]))
	}
}
