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

// Colour says when output is coloured.
type Colour string

// The values of Colour. The zero value means ColourAuto.
const (
	ColourAuto   Colour = "auto" // on a terminal; the environment can say otherwise
	ColourAlways Colour = "always"
	ColourNever  Colour = "never"
)

// Palette returns the palette for t.Out. With ColourAuto, NO_COLOR disables colour, and
// CLICOLOR_FORCE, other than 0, enables it for output that is not a terminal, such as a
// pager that shows colour. NO_COLOR takes precedence over CLICOLOR_FORCE, and t.Colour
// over both.
func (t *Terminal) Palette() Palette {
	switch t.Colour {
	case ColourAlways:
		return Palette{colour: true}
	case ColourNever:
		return Palette{}
	}
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
