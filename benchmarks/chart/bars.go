package chart

import "fmt"

// Bars is a panel of horizontal bars. They begin at zero or, if the axis is
// logarithmic, at a power of ten below all values; its label says so.
type Bars struct {
	Title string
	X     string // label of the axis: the quantity and its unit
	Log   bool
	Tick  func(value float64) string // label on the axis
	Label func(value float64) string // label after a bar
	Bars  []Bar
}

// Bar is one value.
type Bar struct {
	Name  string
	Color int // index in the palette; 0 is this project
	Value float64
}

const (
	barStep   = 30
	nameWidth = 150
)

// DrawBars draws the panels side by side.
func (f Figure) DrawBars(panels ...Bars) []byte {
	rows := 0
	for _, p := range panels {
		rows = max(rows, len(p.Bars))
	}
	c := f.start(len(panels), headHeight+24+rows*barStep+66)
	for i, p := range panels {
		p.draw(c, float64(i*panelWidth+margin), headHeight, rows)
	}
	return f.finish(c)
}

func (p Bars) draw(c *canvas, left, top float64, rows int) {
	bottom := top + 20 + float64(rows*barStep)
	// The label of the longest bar needs 84 units to the right.
	x := p.scale(left+nameWidth, left+panelWidth-84)
	c.text(left, top+8, "start", "panel", p.Title)
	ticks := x.ticks()
	for i, v := range ticks {
		c.line("grid", x.at(v), top+18, x.at(v), bottom)
		if i%((len(ticks)+4)/5) == 0 { // more than five would touch
			c.text(x.at(v), bottom+16, "middle", "small", p.Tick(v))
		}
	}
	c.line("axis", x.from, top+18, x.from, bottom)
	label := p.X
	if p.Log {
		label += " (log scale)"
	}
	c.text((x.from+x.to)/2, bottom+34, "middle", "small", label)
	for i, b := range p.Bars {
		y := top + 24 + float64(i*barStep)
		c.text(x.from-8, y+15, "end", "small", b.Name)
		fmt.Fprintf(c, `<rect class="bar s%d" x="%.1f" y="%.1f" width="%.1f" height="20"/>`+"\n", b.Color, x.from, y, max(1, x.at(b.Value)-x.from))
		c.text(max(x.from+1, x.at(b.Value))+6, y+15, "start", "small", p.Label(b.Value))
	}
}

func (p Bars) scale(from, to float64) scale {
	low, high := p.Bars[0].Value, p.Bars[0].Value
	for _, b := range p.Bars {
		low, high = min(low, b.Value), max(high, b.Value)
	}
	if p.Log {
		low, high = decades(low/3, high) // so that the least value has a bar too
		return scale{low: low, high: high, from: from, to: to, log: true}
	}
	return scale{high: high, from: from, to: to}
}
