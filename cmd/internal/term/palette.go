package term

// Palette paints text on a terminal that shows colour, and returns it unchanged
// for any other output. The zero Palette paints nothing.
type Palette struct{ colour bool }

// A Style is the parameter of the terminal's "select graphic rendition" sequence.
type Style string

// The styles in use.
const (
	Bold   Style = "1"
	Faint  Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
)

// Palette returns the palette for t.Out. NO_COLOR switches colour off;
// CLICOLOR_FORCE, other than 0, switches it on for output that is no terminal,
// such as a pager that shows colour. NO_COLOR wins over CLICOLOR_FORCE.
func (t *Terminal) Palette() Palette {
	if t.Getenv("NO_COLOR") != "" {
		return Palette{}
	}
	if forced := t.Getenv("CLICOLOR_FORCE"); forced != "" && forced != "0" {
		return Palette{colour: true}
	}
	return Palette{t.Getenv("TERM") != "dumb" && IsTerminal(t.Out)}
}

// Paint returns text in a style. The text must be escaped already.
func (p Palette) Paint(s Style, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
