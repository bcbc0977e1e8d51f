package term

import (
	"bytes"
	"testing"
)

func TestPaletteOfEnvironment(t *testing.T) {
	for _, test := range []struct {
		noColor, force, name string
		flag                 Colour
		colour               bool
	}{
		{"", "", "no terminal", "", false},
		{"", "1", "forced", "", true},
		{"", "0", "not forced", "", false},
		{"1", "1", "NO_COLOR takes precedence over CLICOLOR_FORCE", ColourAuto, false},
		{"1", "", "the flag takes precedence over NO_COLOR", ColourAlways, true},
		{"", "1", "the flag takes precedence over CLICOLOR_FORCE", ColourNever, false},
	} {
		environment := map[string]string{"NO_COLOR": test.noColor, "CLICOLOR_FORCE": test.force}
		terminal := &Terminal{Out: new(bytes.Buffer), Colour: test.flag, Getenv: func(name string) string {
			return environment[name]
		}}
		if got := terminal.Palette().Paint(Red, "x") != "x"; got != test.colour {
			t.Errorf("%s: colour is %v, want %v", test.name, got, test.colour)
		}
	}
}
