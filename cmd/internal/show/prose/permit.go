package prose

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// Permits prints what crawlers may do with URLs.
type Permits struct {
	sections
	language language.Language
	words    []language.Text // the words of the tables that permitMeanings explains
}

// NewPermits returns a printer. config is for the tables and has no columns. CSV and TSV are in no language.
func NewPermits(out io.Writer, config table.Config, l language.Language) *Permits {
	return &Permits{language: l, sections: newSections(out, config, "url", "crawler", "purpose", "verdict", "provisional", "source", "place", "text",
		"reading", "conflicts", "missing", "kind", "token", "extent", "need_not_obey", "governed_by", "joined_line", "fetched_anyway")}
}

// PermitMarkdown returns the output about a URL in Markdown.
func PermitMarkdown(v *wire.Permit, l language.Language) (string, error) {
	var text strings.Builder
	p := NewPermits(&text, table.Config{Format: table.Markdown}, l)
	err := cmp.Or(p.Print(v), p.Flush())
	return text.String(), err
}

// Print prints the answers about a URL.
func (p *Permits) Print(v *wire.Permit) error {
	if p.all != nil {
		return p.rows(v)
	}
	if v.Operator != "" {
		return p.letter(v)
	}
	if err := p.heading(term.Escape(v.URL)); err != nil {
		return err
	}
	say := p.language.Say
	if v.GovernedBy != "" {
		if _, err := io.WriteString(p.out, p.text(say("governed by %s", term.Escape(v.GovernedBy)))+"\n\n"); err != nil {
			return err
		}
	}
	config := p.config
	config.Columns = []table.Column{{Name: say("use"), Least: 12, Wrap: true}, {Name: say("answer"), Least: 14, Wrap: true},
		{Name: say("because"), Least: 24, Wrap: true}}
	several := slices.ContainsFunc(v.Answers,
		func(a wire.PermitAnswer) bool { return a.Crawler != v.Answers[0].Crawler }) || len(v.Differing) > 0
	if several {
		config.Columns = slices.Insert(config.Columns, 1, table.Column{Name: say("crawler"), Least: 12, Wrap: true})
	}
	t := table.New(p.out, config)
	row := func(group []*wire.PermitAnswer) error {
		a := group[0]
		p.learn(a)
		if several {
			p.words = append(p.words, language.Text(a.Crawler))
		}
		t.Cell(UseIn(p.language, a.Purpose))
		if several {
			t.Cell(names(p.language, group))
		}
		t.Styled(permitLooks[a.Verdict].style, permitLooks[a.Verdict].mark+" "+permitIn(p.language, a))
		t.Cell(permitReason(p.language, group))
		return t.End()
	}
	for i := range v.Answers {
		a := &v.Answers[i]
		if err := row([]*wire.PermitAnswer{a}); err != nil {
			return err
		}
		for _, group := range alike(v.Differing, a.Purpose) {
			if err := row(group); err != nil {
				return err
			}
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return p.details(v)
}

// Flush prints the end of the output: the last rows, or the meaning of the words in the tables.
func (p *Permits) Flush() error {
	if p.all != nil {
		return p.sections.Flush()
	}
	var lines []string
	for _, m := range permitMeanings {
		if slices.Contains(p.words, m.word) {
			lines = append(lines, p.language.Say(m.word)+": "+p.language.Say(m.meaning))
		}
	}
	return p.paragraph(lines, "  ")
}

// permitMeanings are the words of the tables that need an explanation.
var permitMeanings = []struct{ word, meaning language.Text }{
	{"*", compare.AnyText + "; known crawlers with another answer have their own rows"},
	{answerWords[permission.Reserved], "not without the owner's consent: ask, or get a license"},
	{answerWords[permission.Unknown], "neither refused nor permitted"},
	{notKnown, "no line can name the crawler, or robots.txt could not be read"},
	{"our reading", "no specification says what the signal means here"},
	{useWords["ai-search"], "answers that an AI writes from pages it finds"},
	{useWords["ai-fetch"], "an AI fetches the page because a user asks about it; only the rules of robots.txt apply to it"},
}

func (p *Permits) learn(a *wire.PermitAnswer) {
	p.words = append(p.words, permitText(a), useWords[a.Purpose])
	if len(a.Reasons) > 0 && a.Reasons[0].Reading && a.Reasons[0].Strength != permission.Informal {
		p.words = append(p.words, "our reading")
	}
	slices.Sort(p.words)
	p.words = slices.Compact(p.words)
}

// alike groups the answers for a purpose that have the same verdict because of the same signal.
func alike(answers []wire.PermitAnswer, purpose crawlers.Purpose) (groups [][]*wire.PermitAnswer) {
	for i := range answers {
		a := &answers[i]
		if a.Purpose != purpose {
			continue
		}
		same := slices.IndexFunc(groups, func(g []*wire.PermitAnswer) bool {
			return g[0].Verdict == a.Verdict && g[0].Provisional == a.Provisional && kind(g[0]) == kind(a)
		})
		if same < 0 {
			groups = append(groups, []*wire.PermitAnswer{a})
		} else {
			groups[same] = append(groups[same], a)
		}
	}
	return groups
}

// kind returns the deciding signal, without its line if it is in robots.txt, because many groups
// can contain the same rule.
func kind(a *wire.PermitAnswer) string {
	if len(a.Reasons) > 0 && robotsLine(a.Reasons[0].Place) > 0 {
		return a.Reasons[0].Source + " " + a.Reasons[0].Text + " " + strconv.FormatBool(a.Reasons[0].Reading)
	}
	return permitReason(language.English, []*wire.PermitAnswer{a})
}

func names(l language.Language, group []*wire.PermitAnswer) string {
	var tokens []string
	for _, a := range group {
		tokens = append(tokens, a.Crawler)
	}
	return l.First(tokens, 4)
}

// permitLooks differ in shape, not only in colour.
var permitLooks = map[permission.Verdict]struct {
	style term.Style
	mark  string
}{
	permission.Allowed:    {term.Green, "✓"},
	permission.Disallowed: {term.Red, "✗"},
	permission.Reserved:   {term.Yellow, "!"},
	permission.Unknown:    {term.Faint, "?"},
}

func permitReason(l language.Language, group []*wire.PermitAnswer) string {
	a := group[0]
	if len(a.Reasons) == 0 {
		return l.Say(noReason(a))
	}
	first := a.Reasons[0]
	r := &first
	var lines []int
	own := true // each row's crawler has its own group, so the row already has the name
	for _, a := range group {
		own = own && a.Reasons[0].Agent == a.Crawler
		if line := robotsLine(a.Reasons[0].Place); line > 0 && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if own {
		r.Agent = ""
	}
	text := signal(l, r)
	if len(lines) > 1 {
		text = strconv.Quote(r.Text) + " " + onLines(l, lines) + named(l, r)
	}
	switch {
	case r.Says == permission.SaysLimit:
		return l.Say("%s, but a limit: %s", l.Say(noReason(a)), text)
	case r.Strength == permission.Informal:
		return l.Say("%s, which no standard defines", text)
	case r.Reading:
		return l.Say("%s (our reading)", text)
	}
	return text
}

func onLines(l language.Language, lines []int) string {
	slices.Sort(lines)
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = strconv.Itoa(line)
	}
	return l.Say("on lines %s of robots.txt", l.First(texts, 3))
}

// signal returns a reason with its place: "ai-train=no" on line 3 of robots.txt (Content-Signal).
func signal(l language.Language, r *permission.Reason) string {
	if r.Source == "robots.txt" && r.Place.Line == 0 {
		return l.Reason(r.Text) // a sentence
	}
	text := strconv.Quote(r.Text) + " " + Place(l, r.Place)
	if r.Agent != "" && r.Agent != "*" {
		text = l.Say("%s for %s", text, r.Agent)
	}
	text += named(l, r)
	if r.Terms != "" && r.Terms != r.Place.URL {
		text = l.Say("%s, terms: %s", text, r.Terms)
	}
	return text
}

// named returns the name of a reason's source, if the text of the signal does not show it.
func named(l language.Language, r *permission.Reason) string {
	if name := sourceNames[r.Source]; name != "" {
		return " (" + l.Say(name) + ")"
	}
	return ""
}

// sourceNames are the names of sources that the text of a signal does not show.
var sourceNames = map[string]language.Text{
	"content-usage": "Content-Usage", "content-signal": "Content-Signal", "rsl": "RSL license", "tdmrep": "TDMRep", "meta-robots": "meta element",
}

// robotsLine returns the line of a place in robots.txt, 0 for other places.
func robotsLine(p permission.Place) int {
	if p.URL == "" || strings.HasSuffix(p.URL, "/robots.txt") {
		return p.Line
	}
	return 0
}

// Place returns where a signal is: "on line 3 of robots.txt", "in the response field X-Robots-Tag".
func Place(l language.Language, p permission.Place) string {
	entry, isEntry := strings.CutPrefix(p.Pointer, "/")
	index, err := strconv.Atoi(entry)
	switch {
	case robotsLine(p) > 0:
		return l.Say("on line %d of robots.txt", p.Line)
	case p.Line > 0:
		return l.Say("on line %d of the page", p.Line)
	case p.Header != "" && p.Index > 0:
		return l.Say("in the response field %s number %d", p.Header, p.Index+1)
	case p.Header != "":
		return l.Say("in the response field %s", p.Header)
	case isEntry && err == nil:
		return l.Say("in entry %d of %s", index+1, cmp.Or(p.URL, l.Say("the file")))
	case p.Offset > 0:
		return l.Say("at byte %d of the page", p.Offset)
	case p.URL != "" && !strings.HasSuffix(p.URL, "/robots.txt"):
		return l.Say("in %s", p.URL)
	}
	return l.Say("in robots.txt")
}

// remarks are sentences, each once, with the crawlers to which they apply.
type remarks struct {
	texts    []string
	crawlers map[string][]string
}

// add adds a sentence about an answer.
func (r *remarks) add(a *wire.PermitAnswer, text string) {
	if !slices.Contains(r.texts, text) {
		r.texts = append(r.texts, text)
	}
	if !slices.Contains(r.crawlers[text], a.Crawler) {
		r.crawlers[text] = append(r.crawlers[text], a.Crawler)
	}
}

// lines returns the sentences. A sentence names its crawlers unless it applies to all crawlers of
// the question.
func (r *remarks) lines(l language.Language, v *wire.Permit) (lines []string) {
	var all []string
	for i := range v.Answers {
		if name := v.Answers[i].Crawler; !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	for _, text := range r.texts {
		about := r.crawlers[text]
		if slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(about, name) }) {
			text = l.Say("%s (only for %s)", text, l.First(about, 4))
		}
		lines = append(lines, term.Escape(text))
	}
	return lines
}

func (p *Permits) details(v *wire.Permit) error {
	l := p.language
	r := remarks{crawlers: map[string][]string{}}
	all := slices.Concat(v.Answers, v.Differing)
	for i := range all {
		for _, sentence := range contradictions(l, &all[i]) {
			r.add(&all[i], sentence)
		}
	}
	for i := range all {
		for j := range all[i].Reasons {
			if reason := &all[i].Reasons[j]; reason.Says == permission.SaysLimit && !reason.Overridden {
				r.add(&all[i], l.Say("limit for %s: %s", strconv.Quote(UseIn(l, all[i].Purpose)), signal(l, reason)))
			}
		}
	}
	for i := range all {
		for _, f := range all[i].Findings {
			message := strings.TrimPrefix(f.Message, "the whole value has no effect, because ")
			r.add(&all[i], l.Say("no effect: %s %s: %s", strconv.Quote(strings.TrimSpace(f.Text)), Place(l, f.Place), message))
		}
	}
	for i := range all {
		for _, m := range all[i].Missing {
			name, why, _ := strings.Cut(m, ": ")
			r.add(&all[i], l.Say("missing: %s: %s", l.Phrase(name), l.Phrase(why)))
		}
	}
	return p.paragraph(append(r.lines(l, v), ruleNotes(l, all)...), "  ")
}

// ruleNotes returns the notes about the deciding rules: which seem to be for another crawler, and that crawlers
// fetch robots.txt itself.
func ruleNotes(l language.Language, answers []wire.PermitAnswer) (notes []string) {
	joined := map[int][]string{}
	isFetched := false
	for i := range answers {
		a := &answers[i]
		if name := cmp.Or(a.Token, a.Crawler); a.JoinedLine > 0 && !slices.Contains(joined[a.JoinedLine], name) {
			joined[a.JoinedLine] = append(joined[a.JoinedLine], name)
		}
		isFetched = isFetched || a.FetchedAnyway
	}
	for _, line := range slices.Sorted(maps.Keys(joined)) {
		notes = append(notes, term.Escape(l.Phrase(wire.JoinedGroup(line, joined[line]...))))
	}
	if isFetched {
		notes = append(notes, l.Phrase(wire.FetchedAnyway))
	}
	return notes
}

// conflictRules say how the rules of conflicts decide.
var conflictRules = map[string]language.Text{
	"none":      "no specification says which wins, so the strictest does",
	"vocab 5.1": "if Content-Usage statements differ, the refusal wins (draft-ietf-aipref-vocab section 5.1)",
	"RSL 4.9":   "the more specific license wins, then the stricter one (RSL section 4.9)",
	"TDMRep: the header overrides the file, and the page overrides the header": "the page wins over the response, and the response over tdmrep.json (TDMRep)",
}

// contradictions returns the conflicts of an answer as sentences, one for each rule that decides.
func contradictions(l language.Language, a *wire.PermitAnswer) (sentences []string) {
	var rules []string
	for _, c := range a.Conflicts {
		if slices.Contains(rules, c.Rule) {
			continue
		}
		rules = append(rules, c.Rule)
		said := map[permission.Says][]string{}
		for _, other := range a.Conflicts {
			if other.Rule != c.Rule {
				continue
			}
			for _, i := range other.Reasons {
				r := &a.Reasons[i]
				if text := signal(l, r); !slices.Contains(said[r.Says], text) {
					said[r.Says] = append(said[r.Says], text)
				}
			}
		}
		var sides []string
		for _, side := range []struct {
			says permission.Says
			word language.Text
		}{{permission.SaysYes, answerWords[permission.Allowed]},
			{permission.SaysNo, answerWords[permission.Disallowed]}, {permission.SaysReserved, "reserved"}} {
			if texts := said[side.says]; texts != nil {
				sides = append(sides, l.Say("%s by %s", l.Say(side.word), strings.Join(texts, l.Say(" and "))))
			}
		}
		sentences = append(sentences, l.Say("contradiction about %s: %s; %s", strconv.Quote(UseIn(l, a.Purpose)),
			strings.Join(sides, l.Say(", but ")), cmp.Or(l.Say(conflictRules[c.Rule]), c.Rule)))
	}
	return sentences
}

func (p *Permits) rows(v *wire.Permit) error {
	for _, a := range slices.Concat(v.Answers, v.Differing) {
		joined, fetched := "", ""
		if a.JoinedLine > 0 {
			joined = strconv.Itoa(a.JoinedLine)
		}
		if a.FetchedAnyway {
			fetched = "true"
		}
		first := permission.Reason{}
		place := ""
		if len(a.Reasons) > 0 {
			first = a.Reasons[0]
			place = Place(language.English, first.Place)
		}
		if err := p.all.Row(v.URL, a.Crawler, string(a.Purpose), string(a.Verdict), strconv.FormatBool(a.Provisional),
			first.Source, place, first.Text, strconv.FormatBool(first.Reading),
			strings.Join(contradictions(language.English, &a), " | "), strings.Join(a.Missing, " | "),
			string(a.Kind), a.Token, string(a.Extent), strconv.FormatBool(a.NeedNotObey), v.GovernedBy,
			joined, fetched); err != nil {
			return err
		}
	}
	return nil
}
