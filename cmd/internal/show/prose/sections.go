package prose

import (
	"io"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// sections prints several objects. In text and Markdown, each object has a heading, a table and
// lines below it. CSV and TSV are one table of all objects.
type sections struct {
	out    io.Writer
	config table.Config  // of the tables, without columns
	all    *table.Writer // of CSV and TSV, otherwise nil
	begun  bool
}

// newSections returns a printer; columns are for CSV and TSV.
func newSections(out io.Writer, config table.Config, columns ...string) sections {
	s := sections{out: out, config: config}
	if config.Format == table.CSV || config.Format == table.TSV {
		for _, name := range columns {
			config.Columns = append(config.Columns, table.Column{Name: name})
		}
		s.all = table.New(out, config)
	}
	return s
}

// Flush prints the end of the output.
func (s *sections) Flush() error {
	if s.all == nil {
		return nil
	}
	return s.all.Flush()
}

func (s *sections) heading(name string) error {
	text := s.config.Palette.Paint(term.Bold, name)
	if s.config.Format == table.Markdown {
		text = "## " + table.EscapeMarkdown(name)
	}
	if s.begun {
		text = "\n" + text
	}
	s.begun = true
	_, err := io.WriteString(s.out, text+"\n\n")
	return err
}

// text returns an escaped text as a paragraph has it.
func (s *sections) text(escaped string) string {
	if s.config.Format == table.Markdown {
		return table.EscapeMarkdown(escaped)
	}
	return escaped
}

// paragraph prints lines after an empty one. The lines are escaped. indent begins the rest of a
// line that does not fit on the terminal.
func (s *sections) paragraph(lines []string, indent string) error {
	if len(lines) == 0 {
		return nil
	}
	var text strings.Builder
	text.WriteString("\n")
	for _, line := range lines {
		if s.config.Format == table.Markdown {
			text.WriteString("- " + table.EscapeMarkdown(line) + "\n")
			continue
		}
		text.WriteString(strings.Join(term.Wrap(line, s.config.Screen, indent), "\n") + "\n")
	}
	_, err := io.WriteString(s.out, text.String())
	return err
}
