package past

import (
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/effecttext"
)

const layout = "2006-01-02 15:04:05"

// Text returns a timeline as text: a line for each span, and for each change.
func Text(h *wire.History) string {
	var b strings.Builder
	var said []string
	fmt.Fprintf(&b, "%s\n", term.Escape(h.Site))
	for _, s := range h.Spans {
		if s.Version == nil && s.From.Before(time.Unix(1, 0)) {
			if s.Dropped {
				fmt.Fprintf(&b, "before %s: unknown; observations were dropped\n", s.To.Format(layout))
			}
			continue
		}
		fmt.Fprintf(&b, "%s to %s  %-8s", s.From.Format(layout), s.To.Format(layout), s.Certainty)
		if s.Version != nil {
			fmt.Fprintf(&b, "  %s, %s (%s)", VersionText(s.Version), term.Count(s.Observations, "observation", "observations"), strings.Join(s.Sources, ", "))
		}
		switch isPresumed := s.Version == nil && s.Verdicts == string(history.Presumed); {
		case isPresumed && s.Certainty == string(history.Presumed):
			b.WriteString("  the files before and after mean the same")
		case isPresumed:
			b.WriteString("  the files before and after have the same verdicts")
		}
		if s.Dropped {
			b.WriteString("; observations were dropped")
		}
		b.WriteString("\n")
		if s.Changed && len(s.Changes) == 0 {
			b.WriteString("    means the same as before\n")
		}
		for _, c := range s.Changes {
			fmt.Fprintf(&b, "    %s: %s\n", c.Gravity, c.Text)
			said = append(said, c.Text)
		}
	}
	if explanation := effecttext.Explain(true, said...); explanation != "" {
		fmt.Fprintf(&b, "%s\n", explanation)
	}
	return b.String()
}

// VersionText returns a version in a few words, escaped for the terminal.
func VersionText(v *wire.HistoryVersion) string {
	switch {
	case v.Fault != "" && v.Status != 0:
		return fmt.Sprintf("status %d", v.Status)
	case v.Fault != "":
		return "no response (" + term.Escape(v.Fault) + ")"
	case v.SHA256 == "":
		return fmt.Sprintf("no file (status %d)", v.Status)
	}
	return fmt.Sprintf("file %s, %s", v.SHA256[:12], term.Count(int(v.Size), "byte", "bytes"))
}

// AnswerText returns the known facts about a time as text.
func AnswerText(a *wire.HistoryAnswer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at %s: %s\n", term.Escape(a.Site), a.At.Format(layout), a.Certainty)
	if a.Verdicts != a.Certainty {
		fmt.Fprintf(&b, "the verdicts are %s, because they are the same before and after\n", a.Verdicts)
	}
	if a.Dropped {
		b.WriteString("observations were dropped\n")
	}
	if a.Before == nil && a.After != nil && !a.Dropped {
		b.WriteString("this is before the first observation\n")
	}
	if a.After == nil && a.Before != nil && !a.Dropped {
		b.WriteString("this is after the last observation\n")
	}
	if a.Before != nil {
		fmt.Fprintf(&b, "seen %s: %s\n", a.Before.Time.Format(layout), VersionText(&a.Before.Version))
	}
	if a.After != nil && (a.Before == nil || !a.After.Time.Equal(a.Before.Time)) {
		fmt.Fprintf(&b, "seen %s: %s\n", a.After.Time.Format(layout), VersionText(&a.After.Version))
	}
	return b.String()
}
