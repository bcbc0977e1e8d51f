package term

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// Size returns the size of the terminal that t.Out is, 0 and 0 if it is not a terminal.
// The environment variables COLUMNS and LINES, if they are set, replace the size of the
// terminal. They apply to a pipe too if ColourAlways or CLICOLOR_FORCE shows that its
// output ends on a terminal, for example in a pager.
func (t *Terminal) Size() (columns, lines int) {
	out := t.Out
	if beside, ok := out.(*besideProgress); ok {
		out = beside.w
	}
	if file, ok := out.(*os.File); ok && IsTerminal(file) {
		var err error
		columns, lines, err = term.GetSize(int(file.Fd()))
		if err != nil || columns < minColumns {
			columns, lines = 80, 24
		}
	} else if forced := t.Getenv("CLICOLOR_FORCE"); t.Colour != ColourAlways && (forced == "" || forced == "0") {
		return 0, 0
	}
	if n, err := strconv.Atoi(t.Getenv("COLUMNS")); err == nil && n >= minColumns {
		columns = n
	}
	if n, err := strconv.Atoi(t.Getenv("LINES")); err == nil && n > 1 {
		lines = n
	}
	return columns, lines
}

// minColumns is the least width that is believed: some terminals say 0.
const minColumns = 20
