package chart

import (
	"fmt"
	"strings"
)

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

// Draw draws the panels side by side, with the legend of the first.
func (f Figure) Draw(panels ...Lines) []byte {
	const plotHeight, legendLine = 300, 20
	legendRows := (len(panels[0].Series) + 1) / 2
	c := f.start(len(panels), headHeight+plotHeight+76+legendRows*legendLine+30)
	for i, p := range panels {
		p.draw(c, float64(i*panelWidth+margin), headHeight, plotHeight)
	}
	for i, s := range panels[0].Series {
		x := float64(margin + i%2*(c.width-margin)/2)
		y := float64(headHeight + plotHeight + 84 + i/2*legendLine)
		c.line(fmt.Sprintf("line s%d", s.Color), x, y-4, x+24, y-4)
		c.text(x+32, y, "start", "small", s.Name)
	}
	return f.finish(c)
}

func (p Lines) draw(c *canvas, left, top, height float64) {
	lowX, highX, lowY, highY := p.bounds()
	x := scale{low: lowX, high: highX, from: left + 62, to: left + panelWidth - 34}
	y := scale{low: lowY, high: highY, from: top + height, to: top + 24}
	c.text(x.from, top+8, "start", "panel", p.Title)
	for _, v := range x.ticks() {
		c.line("grid", x.at(v), y.from, x.at(v), y.to)
		c.text(x.at(v), y.from+18, "middle", "small", thousands(v))
	}
	for _, v := range y.ticks() {
		c.line("grid", x.from, y.at(v), x.to, y.at(v))
		c.text(x.from-8, y.at(v)+4, "end", "small", p.Tick(v))
	}
	c.line("axis", x.from, y.from, x.to, y.from)
	c.line("axis", x.from, y.from, x.from, y.to)
	c.text((x.from+x.to)/2, y.from+40, "middle", "small", p.X+" (log scale)")
	fmt.Fprintf(c, `<text transform="translate(%.1f %.1f) rotate(-90)" text-anchor="middle" class="small">%s</text>`+"\n",
		left+6, (y.from+y.to)/2, escape(p.Y+" (log scale)"))
	for i := len(p.Series) - 1; i >= 0; i-- { // the first is drawn last, on top
		p.Series[i].draw(c, x, y)
	}
}

func (s Series) draw(c *canvas, x, y scale) {
	var path strings.Builder
	for i := range s.X {
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], x.at(s.X[i]), y.at(s.Y[i]))
	}
	fmt.Fprintf(c, `<path class="line s%d" d="%s"/>`+"\n", s.Color, path.String())
	for i := range s.X {
		fmt.Fprintf(c, `<circle class="dot s%d" cx="%.1f" cy="%.1f" r="3.5"/>`+"\n", s.Color, x.at(s.X[i]), y.at(s.Y[i]))
	}
}

func (p Lines) bounds() (lowX, highX, lowY, highY float64) {
	lowX, lowY = p.Series[0].X[0], p.Series[0].Y[0]
	highX, highY = lowX, lowY
	for _, s := range p.Series {
		for i := range s.X {
			lowX, highX = min(lowX, s.X[i]), max(highX, s.X[i])
			lowY, highY = min(lowY, s.Y[i]), max(highY, s.Y[i])
		}
	}
	lowX, highX = decades(lowX, highX)
	lowY, highY = decades(lowY, highY)
	return lowX, highX, lowY, highY
}

func thousands(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
