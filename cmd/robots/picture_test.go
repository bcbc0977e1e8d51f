package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/test/golden"
)

var updatePictures = flag.Bool("update-pictures", false, "write the pictures of README.md again, from what the tool prints")

// TestPictures: the pictures of README.md show what the tool prints today.
func TestPictures(t *testing.T) {
	t.Chdir("../..")
	for name, command := range map[string]string{
		"docs/explain.svg": "explain --file cmd/robots/testdata/shop.robots.txt --agent Googlebot https://shop.example/preview/",
		"docs/grid.svg":    "check --grid --file cmd/robots/testdata/shop.robots.txt --agent Googlebot,Googlebot-Image,Bingbot,GPTBot,CCBot,TeaFinder --urls cmd/robots/testdata/shop.urls.txt",
	} {
		var stdout, stderr bytes.Buffer
		run(t.Context(), strings.Fields(command), colourful, strings.NewReader(""), &stdout, &stderr)
		if stdout.Len() == 0 {
			t.Fatalf("robots %s prints nothing: %s", command, stderr.String())
		}
		shown := strings.NewReplacer("cmd/robots/testdata/shop.robots.txt", "robots.txt", "cmd/robots/testdata/shop.urls.txt", "urls.txt").Replace(command)
		picture := drawTerminal("robots "+shown, stdout.String())
		golden.Check(t, *updatePictures, name, picture, "go test ./cmd/robots -run TestPictures -update-pictures")
	}
}

// colourful is the environment of a terminal that shows colour.
func colourful(name string) string {
	return map[string]string{"CLICOLOR_FORCE": "1", "COLUMNS": "116"}[name]
}

// The picture of a terminal. Sizes are in pixels; glyphs are placed by
// textLength, so that columns line up in whatever monospaced font a viewer has.
const (
	glyph, leading = 7.8, 19
	margin, top    = 18, 52
)

// The classes of the colours of the tool's palette.
var classes = map[string]string{"1": "bold", "2": "faint", "31": "red", "32": "green", "33": "yellow"}

var selectGraphics = regexp.MustCompile("\x1b\\[([0-9]*)m")

// drawTerminal returns the picture of a terminal with a command and its output.
func drawTerminal(command, output string) []byte {
	lines := append([]string{"$ " + command, ""}, strings.Split(strings.TrimRight(output, "\n"), "\n")...)
	columns := 0
	for _, line := range lines {
		columns = max(columns, term.Width(selectGraphics.ReplaceAllString(line, "")))
	}
	width, height := int(float64(columns)*glyph)+2*margin, len(lines)*leading+top+margin-leading/2
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-label="%s">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; white-space: pre }
rect { fill: #f6f8fa; stroke: #d0d7de } circle { fill: #d0d7de }
.bold { font-weight: bold } .faint { fill: #656d76 } .red { fill: #cf222e } .green { fill: #1a7f37 } .yellow { fill: #9a6700 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #161b22; stroke: #30363d } circle { fill: #30363d }
.faint { fill: #8d96a0 } .red { fill: #ff7b72 } .green { fill: #3fb950 } .yellow { fill: #d29922 }
}
</style>
<rect x="0.5" y="0.5" width="%d" height="%d" rx="8"/>
<circle cx="20" cy="18" r="5"/><circle cx="38" cy="18" r="5"/><circle cx="56" cy="18" r="5"/>
`, width, height, html.EscapeString("A terminal: "+command), width-1, height-1)
	for i, line := range lines {
		drawLine(&b, line, top+i*leading)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// drawLine draws the runs of one line that have one colour each.
func drawLine(b *bytes.Buffer, line string, y int) {
	column := 0
	class := ""
	for line != "" {
		text := line
		code := ""
		rest := ""
		if at := selectGraphics.FindStringSubmatchIndex(line); at != nil {
			text, code, rest = line[:at[0]], line[at[2]:at[3]], line[at[1]:]
		}
		// Viewers do not agree on how wide leading and trailing blanks are.
		if word := strings.Trim(text, " "); word != "" {
			indent := len(text) - len(strings.TrimLeft(text, " "))
			word = strings.ReplaceAll(word, " ", "\u00a0") // which no viewer folds
			fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" class="%s">%s</text>`+"\n",
				margin+float64(column+indent)*glyph, y, float64(term.Width(word))*glyph, class, html.EscapeString(word))
		}
		column += term.Width(text)
		line, class = rest, classes[code]
	}
}
