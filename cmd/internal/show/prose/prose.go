// Package prose formats the structs of package wire as text: answers, explanations,
// sites, known crawlers. All text is safe to print on a terminal.
package prose

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Printer prints texts of several lines with an empty line between them.
type Printer struct {
	Out     io.Writer
	Palette term.Palette
	Named   bool // explanations name the given file

	// Began is the beginning of the run that fetched the files, or found them in a
	// cache. If Began is zero, the age of a copy is not shown.
	Began time.Time

	begun bool // something has been printed
}

// Explanation prints why a URL is allowed or disallowed. file is the robots.txt that
// decides.
func (p *Printer) Explanation(file *answer.File, e *wire.Explanation) error {
	return p.print(func(b *block) {
		b.file = file
		name := ""
		if p.Named && e.RobotsFile != "" {
			name = e.RobotsFile
		}
		b.explanation(e, name)
	})
}

// Site prints the facts about a site, and a summary of its file unless file is nil.
func (p *Printer) Site(s *wire.Site, file *wire.Outline) error {
	return p.print(func(b *block) {
		b.heading(term.Escape(s.Origin))
		b.site(s, false)
		if file != nil {
			b.text.WriteByte('\n')
			b.outline(file, s.Body)
		}
	})
}

// Crawler prints everything that is known about a crawler.
func (p *Printer) Crawler(c crawlers.Crawler) error {
	return p.print(func(b *block) { b.crawler(c) })
}

func (p *Printer) print(write func(*block)) error {
	b := &block{palette: p.Palette, runBegan: p.Began}
	if p.begun {
		b.text.WriteByte('\n')
	}
	p.begun = true
	write(b)
	_, err := io.WriteString(p.Out, b.text.String())
	return err
}

type block struct {
	palette  term.Palette
	file     *answer.File // the file that the text is about
	text     strings.Builder
	runBegan time.Time
	// the width of a summary, to which fields are cut, with lists of a few entries; 0 for complete fields and lists
	columns int
	name    string // of the latest field
}

func (b *block) heading(text string) {
	fmt.Fprintf(&b.text, "%s\n\n", b.palette.Paint(term.Bold, text))
}

// field writes a line that begins with a name. Further lines of the same field have
// no name.
func (b *block) field(name, text string) {
	if name == b.name {
		name = ""
	} else {
		b.name = name
	}
	if b.columns > 0 {
		text = term.Clip(text, max(20, b.columns-12))
	}
	fmt.Fprintf(&b.text, "  %s%s%s\n", b.palette.Paint(term.Faint, name), term.Pad(name, 10), text)
}

func (b *block) fields(name string, texts []string) {
	for _, text := range texts {
		b.field(name, text)
	}
}

// several writes a field with a line for each text; it shortens long lists.
func (b *block) several(name string, texts []string) {
	most := b.most(8)
	for i, text := range texts {
		if i == most {
			b.field("", fmt.Sprintf("and %d more%s", len(texts)-most, map[bool]string{true: "; --json lists them all"}[b.columns == 0]))
			break
		}
		b.field(name, term.Excerpt(text))
	}
}

// most returns the number of entries to show of a list: the usual number, or fewer
// in a summary.
func (b *block) most(usually int) int {
	if b.columns > 0 {
		return min(usually, 3)
	}
	return usually
}

// Verdict returns a verdict in its colour, padded to a width in columns.
func Verdict(p term.Palette, v wire.Verdict, width int) string {
	return p.Paint(verdictColours[v], string(v)) + term.Pad(string(v), width)
}

// VerdictStyle returns the colour of a verdict.
func VerdictStyle(v wire.Verdict) term.Style { return verdictColours[v] }

var verdictColours = map[wire.Verdict]term.Style{
	wire.VerdictAllowed:    term.Green,
	wire.VerdictDisallowed: term.Red,
	wire.VerdictUnknown:    term.Yellow,
}

// Age returns a duration in words, with one unit: "40 s", "12 min", "3 h", "2 days".
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
}

// Time returns a time in UTC.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
