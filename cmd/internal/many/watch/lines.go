package watch

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/effecttext"
	"github.com/kosterhq/robotstxt/internal/regular"
)

// Lines prints messages, each with one write. If Out is a file whose last line was cut off when a
// process was killed or the disk was full, a message begins on a new line.
type Lines struct {
	Out     io.Writer
	JSON    bool // a line of JSON for each message
	Palette term.Palette
}

// Name returns the name of the standard output. Text and JSON have one position.
func (*Lines) Name() string { return "stdout" }

// Deliver prints a message.
func (l *Lines) Deliver(_ context.Context, m *wire.WatchMessage) error {
	var b strings.Builder
	if file, ok := l.Out.(*os.File); ok && regular.IsCut(file) {
		b.WriteByte('\n')
	}
	if l.JSON {
		if err := term.PrintJSON(&b, m); err != nil {
			return err
		}
		_, err := io.WriteString(l.Out, b.String())
		return err
	}
	var texts []string
	if m.Sites > 1 {
		fmt.Fprintf(&b, "%s\n", l.Palette.Paint(term.Bold, fmt.Sprintf("%s of %s watched have changed", term.Count(m.Sites, "site", "sites"), term.Thousands(m.Watched))))
		for i := range m.Groups {
			texts = append(texts, m.Groups[i].Text)
			fmt.Fprintf(&b, "  %s\n", l.Palette.Paint(l.style(m.Groups[i].Gravity), groupLine(&m.Groups[i])))
		}
		b.WriteString("  \"robots history\" lists the changes of each site\n")
	} else {
		e := &m.Events[0]
		for i := range e.Changes {
			texts = append(texts, e.Changes[i].Text)
		}
		l.event(&b, e)
	}
	if explanation := effecttext.Explain(true, texts...); explanation != "" {
		fmt.Fprintf(&b, "  %s\n", explanation)
	}
	_, err := io.WriteString(l.Out, b.String())
	return err
}

func (l *Lines) event(b *strings.Builder, e *wire.WatchEvent) {
	fmt.Fprintf(b, "%s  %s  %s\n", e.At.UTC().Format("2006-01-02 15:04"), l.Palette.Paint(l.style(e.Gravity), fmt.Sprintf("%-8s", e.Gravity)),
		l.Palette.Paint(term.Bold, e.Site))
	for _, c := range e.Changes {
		prefix := ""
		if c.Injected {
			prefix = "added on the way: "
		}
		fmt.Fprintf(b, "  %s%s\n", prefix, l.Palette.Paint(l.style(c.Gravity), c.Text))
		for _, p := range c.Paths {
			fmt.Fprintf(b, "    %s  %s\n", term.Excerpt(p.Witness), linesText(p))
		}
		switch more := c.Pairs - len(c.Paths); {
		case more > 0 && c.Incomplete:
			fmt.Fprintf(b, "    and at least %s more\n", term.Thousands(more))
		case more > 0:
			fmt.Fprintf(b, "    and %s more\n", term.Thousands(more))
		}
	}
	if e.Omitted > 0 {
		fmt.Fprintf(b, "  %s\n", moreChanges(e))
	}
	if e.Reverted > 0 {
		fmt.Fprintf(b, "  %s ended before it was confirmed, and was not reported\n", term.Count(e.Reverted, "earlier change", "earlier changes"))
	}
}

func linesText(p wire.PathChange) string {
	var texts [2]string
	for i, line := range []int{p.OldLine, p.NewLine} {
		texts[i] = "no line"
		if line > 0 {
			texts[i] = fmt.Sprintf("line %d", line)
		}
	}
	return texts[0] + " decided, now " + texts[1]
}

func (l *Lines) style(g wire.WatchGravity) term.Style {
	switch g {
	case wire.GravityCritical, wire.GravityHigh:
		return term.Red
	case wire.GravityMedium:
		return term.Yellow
	}
	return term.Green
}
