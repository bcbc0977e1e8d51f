package prose

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// Permits prints what may be done with URLs. Text and Markdown have a heading and a table for
// each URL, and sentences below it; CSV and TSV are one table of all of them.
type Permits struct {
	out    io.Writer
	config table.Config
	all    *table.Writer // of CSV and TSV
	begun  bool
}

// NewPermits returns a printer. config is that of the tables, without columns.
func NewPermits(out io.Writer, config table.Config) *Permits {
	p := &Permits{out: out, config: config}
	if config.Format == table.CSV || config.Format == table.TSV {
		config.Columns = []table.Column{
			{Name: "url"}, {Name: "crawler"}, {Name: "purpose"}, {Name: "verdict"}, {Name: "provisional"}, {Name: "source"}, {Name: "place"}, {Name: "text"},
			{Name: "reading"}, {Name: "conflicts"}, {Name: "missing"},
		}
		p.all = table.New(out, config)
	}
	return p
}

// Print prints the answers about a URL.
func (p *Permits) Print(v *wire.Permit) error {
	if p.all != nil {
		return p.rows(v)
	}
	if err := p.heading(v); err != nil {
		return err
	}
	config := p.config
	config.Columns = []table.Column{{Name: "purpose"}, {Name: "verdict"}, {Name: "because", Least: 24, Wrap: true}}
	several := slices.ContainsFunc(v.Answers, func(a permission.Answer) bool { return a.Crawler != v.Answers[0].Crawler }) || len(v.Differing) > 0
	if several {
		config.Columns = slices.Insert(config.Columns, 1, table.Column{Name: "crawler", Least: 12, Wrap: true})
	}
	t := table.New(p.out, config)
	row := func(a *permission.Answer, names string) error {
		t.Cell(string(a.Purpose))
		if several {
			t.Cell(names)
		}
		t.Styled(permitColours[a.Verdict], permitWord(a))
		t.Cell(permitReason(a))
		return t.End()
	}
	for i := range v.Answers {
		a := &v.Answers[i]
		if err := row(a, a.Crawler); err != nil {
			return err
		}
		for _, group := range alike(v.Differing, a.Purpose) {
			if err := row(group[0], names(group)); err != nil {
				return err
			}
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return p.details(v)
}

// Flush prints what is printed at the end.
func (p *Permits) Flush() error {
	if p.all == nil {
		return nil
	}
	return p.all.Flush()
}

// alike returns the answers for a purpose, those with the same verdict for the same reason together.
func alike(answers []permission.Answer, purpose crawlers.Purpose) (groups [][]*permission.Answer) {
	for i := range answers {
		a := &answers[i]
		if a.Purpose != purpose {
			continue
		}
		same := slices.IndexFunc(groups, func(g []*permission.Answer) bool {
			return g[0].Verdict == a.Verdict && g[0].Provisional == a.Provisional && permitReason(g[0]) == permitReason(a)
		})
		if same < 0 {
			groups = append(groups, []*permission.Answer{a})
		} else {
			groups[same] = append(groups[same], a)
		}
	}
	return groups
}

func names(group []*permission.Answer) string {
	var tokens []string
	for _, a := range group {
		tokens = append(tokens, a.Crawler)
	}
	return term.First(tokens, 4)
}

var permitColours = map[permission.Verdict]term.Style{
	permission.Allowed: term.Green, permission.Disallowed: term.Red, permission.Reserved: term.Yellow, permission.Unknown: term.Faint,
}

// permitMarks differ in shape, not only in colour.
var permitMarks = map[permission.Verdict]string{
	permission.Allowed: "✓", permission.Disallowed: "✗", permission.Reserved: "!", permission.Unknown: "?",
}

// permitWord returns the verdict with its mark.
func permitWord(a *permission.Answer) string {
	word := permitMarks[a.Verdict] + " " + string(a.Verdict)
	if a.Provisional {
		word += " so far"
	}
	return word
}

// permitReason returns the deciding reason in one line.
func permitReason(a *permission.Answer) string {
	if len(a.Reasons) == 0 {
		if len(a.Missing) > 0 {
			return "no signal in what was read"
		}
		return "no signal"
	}
	r := &a.Reasons[0]
	text := signal(r)
	switch {
	case r.Says == permission.SaysLimit:
		return "no signal but a limit: " + text
	case r.Strength == permission.Informal:
		return text + ", which is informal"
	case r.Reading:
		return text + " (our reading)"
	}
	return text
}

// signal returns a reason with its place: "ai-train=no" on line 3 (Content-Signal).
func signal(r *permission.Reason) string {
	text := strconv.Quote(r.Text) + " " + Place(r.Place)
	if r.Source == "robots.txt" && r.Place.Line == 0 {
		return r.Text // a sentence
	}
	if r.Agent != "" && r.Agent != "*" {
		text += " for " + r.Agent
	}
	if name := sourceNames[r.Source]; name != "" {
		text += " (" + name + ")"
	}
	return text
}

// sourceNames are the names of sources that the text of a signal does not show.
var sourceNames = map[string]string{
	"content-usage": "Content-Usage", "content-signal": "Content-Signal", "rsl": "RSL license", "tdmrep": "TDMRep", "meta-robots": "meta element",
}

// Place returns where a signal is: "on line 3", "in X-Robots-Tag of the response".
func Place(p permission.Place) string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("on line %d", p.Line)
	case p.Header != "" && p.Index > 0:
		return fmt.Sprintf("in %s number %d of the response", p.Header, p.Index+1)
	case p.Header != "":
		return "in " + p.Header + " of the response"
	case p.Pointer != "":
		return "in " + cmp.Or(p.URL, "the file") + "#" + p.Pointer
	case p.Offset > 0 || p.URL != "" && !strings.HasSuffix(p.URL, "/robots.txt"):
		return fmt.Sprintf("at byte %d of the page", p.Offset)
	}
	return "in robots.txt"
}

func (p *Permits) heading(v *wire.Permit) error {
	text := p.config.Palette.Paint(term.Bold, term.Escape(v.URL))
	if p.config.Format == table.Markdown {
		text = "## " + term.Escape(v.URL)
	}
	if p.begun {
		text = "\n" + text
	}
	p.begun = true
	_, err := io.WriteString(p.out, text+"\n\n")
	return err
}

// details prints the contradictions, the signals without effect and what is missing, each once.
func (p *Permits) details(v *wire.Permit) error {
	var lines []string
	add := func(line string) {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	all := slices.Concat(v.Answers, v.Differing)
	for i := range v.Answers {
		for _, sentence := range contradictions(&v.Answers[i]) {
			add(sentence)
		}
	}
	for i := range all {
		for _, r := range all[i].Reasons {
			if r.Says == permission.SaysLimit && !r.Overridden {
				add("limit: " + signal(&r))
			}
		}
	}
	for i := range v.Answers {
		for _, f := range v.Answers[i].Findings {
			add(fmt.Sprintf("no effect: %q %s, because %s", strings.TrimSpace(f.Text), Place(f.Place), strings.TrimPrefix(f.Message, "the whole value has no effect, because ")))
		}
	}
	var missing []string
	for i := range v.Answers {
		for _, m := range v.Answers[i].Missing {
			if !slices.Contains(missing, m) {
				missing = append(missing, m)
			}
		}
	}
	for _, m := range missing {
		add("missing: " + m)
	}
	for i := range lines {
		lines[i] = term.Escape(lines[i])
	}
	return p.paragraph(lines)
}

// paragraph prints lines after an empty one.
func (p *Permits) paragraph(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	var text strings.Builder
	text.WriteString("\n")
	for _, line := range lines {
		if p.config.Format == table.Markdown {
			text.WriteString("- ")
		}
		width := p.config.Screen
		if width == 0 || p.config.Format == table.Markdown {
			text.WriteString(line + "\n")
			continue
		}
		text.WriteString(strings.Join(term.Wrap(line, width, "  "), "\n") + "\n")
	}
	_, err := io.WriteString(p.out, text.String())
	return err
}

// conflictRules say how the rules of conflicts decide.
var conflictRules = map[string]string{
	"none":      "no text decides, so the stricter counts",
	"vocab 5.1": "any n refuses (vocab 5.1)",
	"RSL 4.9":   "the more specific license counts, then the stricter (RSL 4.9)",
}

// contradictions returns the conflicts of an answer as sentences, one for each rule that decides.
func contradictions(a *permission.Answer) (sentences []string) {
	var rules []string
	for _, c := range a.Conflicts {
		if slices.Contains(rules, c.Rule) {
			continue
		}
		rules = append(rules, c.Rule)
		var permit, refuse []string
		for _, other := range a.Conflicts {
			if other.Rule != c.Rule {
				continue
			}
			if text := signal(&a.Reasons[other.Reasons[0]]); !slices.Contains(permit, text) {
				permit = append(permit, text)
			}
			if text := signal(&a.Reasons[other.Reasons[1]]); !slices.Contains(refuse, text) {
				refuse = append(refuse, text)
			}
		}
		permits, refuses := "permits", "does"
		if len(permit) > 1 {
			permits = "permit"
		}
		if len(refuse) > 1 {
			refuses = "do"
		}
		sentences = append(sentences, fmt.Sprintf("contradiction about %s: %s %s it; %s %s not; %s",
			a.Purpose, strings.Join(permit, " and "), permits, strings.Join(refuse, " and "), refuses, cmp.Or(conflictRules[c.Rule], c.Rule)))
	}
	return sentences
}

func (p *Permits) rows(v *wire.Permit) error {
	for _, a := range slices.Concat(v.Answers, v.Differing) {
		p.all.Cell(v.URL)
		p.all.Cell(a.Crawler)
		p.all.Cell(string(a.Purpose))
		p.all.Cell(string(a.Verdict))
		p.all.Cell(fmt.Sprint(a.Provisional))
		first := permission.Reason{}
		if len(a.Reasons) > 0 {
			first = a.Reasons[0]
			p.all.Cell(first.Source)
			p.all.Cell(Place(first.Place))
		} else {
			p.all.Cell("")
			p.all.Cell("")
		}
		p.all.Cell(first.Text)
		p.all.Cell(fmt.Sprint(first.Reading))
		p.all.Cell(strings.Join(contradictions(&a), " | "))
		p.all.Cell(strings.Join(a.Missing, " | "))
		if err := p.all.End(); err != nil {
			return err
		}
	}
	return nil
}
