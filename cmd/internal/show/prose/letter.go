package prose

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

const letterWidth = 80

// letter prints what an operator's crawlers may do with a URL, for a reader who is not a
// programmer: the answers, the deciding rules and signals, the whole site, and the operator's
// statements.
func (p *Permits) letter(v *wire.Permit) error {
	l := p.language
	head := []string{p.title(l.Say("%s and %s", term.Escape(v.Operator), term.Escape(v.URL))), p.wrapped(madeOf(l, v))}
	if len(v.Answers) == 0 {
		head = append(head, p.wrapped(l.Say("It is not known what %s does: no known crawler in use has this operator and a known purpose. For the rules for all crawlers, ask without an operator.", term.Escape(v.Operator))))
	}
	if p.begun {
		head[0] = "\n" + head[0]
	}
	p.begun = true
	if _, err := io.WriteString(p.out, strings.Join(head, "\n\n")+"\n"); err != nil {
		return err
	}
	if len(v.Answers) > 0 {
		if _, err := io.WriteString(p.out, "\n"); err != nil {
			return err
		}
		if err := p.letterTable(v); err != nil {
			return err
		}
	}
	var rest []string
	if said := p.saidBy(v); said != "" {
		rest = append(rest, said)
	}
	for _, note := range ruleNotes(l, v.Answers) {
		rest = append(rest, p.wrapped(language.Sentence(note)+"."))
	}
	missing, unseen := notRead(l, v)
	switch len(missing) {
	case 0:
	case 1:
		rest = append(rest, p.wrapped(l.Say("Not read: %s. It could refuse more.", missing[0])))
	default:
		rest = append(rest, p.wrapped(l.Say("Not read: %s. Each could refuse more.", strings.Join(missing, ", "))))
	}
	if len(unseen) > 0 {
		rest = append(rest, p.wrapped(l.Say("Not seen by a crawler that robots.txt keeps from the URL: %s.", strings.Join(unseen, ", "))))
	}
	rest = append(rest, p.wrapped(l.Say("Nothing said: neither refused nor permitted. Not known: no line can name the crawler, or robots.txt could not be read. This is what the site says; it is not legal advice.")))
	_, err := io.WriteString(p.out, "\n"+strings.Join(rest, "\n\n")+"\n")
	return err
}

// title returns the heading of a letter.
func (p *Permits) title(escaped string) string {
	if p.config.Format == table.Markdown {
		return "# " + p.text(escaped)
	}
	return escaped
}

// wrapped returns a paragraph. In Markdown it is one line: a shorter one could begin another block, and mail
// programs keep its end.
func (p *Permits) wrapped(escaped string) string {
	if p.config.Format == table.Markdown {
		return p.text(escaped)
	}
	return strings.Join(term.Wrap(escaped, letterWidth, ""), "\n")
}

// item returns an entry of a list as wrapped returns a paragraph.
func (p *Permits) item(escaped string) string {
	if p.config.Format == table.Markdown {
		return "- " + p.text(escaped)
	}
	return strings.Join(term.Wrap("- "+escaped, letterWidth, "  "), "\n")
}

// madeOf returns when a letter was requested, and the robots.txt that it is about.
func madeOf(l language.Language, v *wire.Permit) string {
	text := l.Say("Asked on %s. ", l.Time(v.AskedAt))
	fetched := l.Time(v.RobotsFetchedAt)
	if l.Day(v.RobotsFetchedAt) == l.Day(v.AskedAt) {
		fetched = l.Clock(v.RobotsFetchedAt)
	}
	reason := term.Escape(l.Phrase(v.FetchReason))
	switch {
	case v.RobotsSHA256 == "" && v.Outcome == wire.OutcomeAllowAll:
		text += l.Say("The site had no robots.txt at %s (%s). ", fetched, reason)
	case v.RobotsSHA256 == "" && reason != "":
		text += l.Say("robots.txt could not be read, so its rules are not known: %s. ", reason)
	case v.RobotsSHA256 == "":
		text += l.Say("robots.txt could not be read, so its rules are not known. ")
	case v.RobotsFetchedAt.IsZero():
		text += l.Say("robots.txt read from %s, %s, SHA-256 %s. ", term.Escape(cmp.Or(v.RobotsFile, l.Say("a text"))), l.Count(v.RobotsBytes, "byte", "bytes"), v.RobotsSHA256)
	default:
		text += l.Say("robots.txt fetched at %s, %s, SHA-256 %s. ", fetched, l.Count(v.RobotsBytes, "byte", "bytes"), v.RobotsSHA256)
	}
	return text + l.Say("Crawlers known on %s.", l.Date(v.CrawlersVersion))
}

// letterRow is a row of a letter, for all crawlers for which it is equal.
type letterRow struct{ use, answer, group, site, because string }

func (p *Permits) letterTable(v *wire.Permit) error {
	l := p.language
	var rows []letterRow
	var tokens [][]string // of each row
	answers := slices.Clone(v.Answers)
	order := crawlers.Purposes()
	slices.SortStableFunc(answers, func(a, b wire.PermitAnswer) int {
		return cmp.Or(slices.Index(order, a.Purpose)-slices.Index(order, b.Purpose), unreadLast(&a)-unreadLast(&b))
	})
	for i := range answers {
		a := &answers[i]
		row := letterRow{use: UseIn(l, a.Purpose), answer: permitIn(l, a), group: groupWords(l, a),
			site: siteWords(l, a), because: becauseOf(l, a)}
		same := slices.Index(rows, row)
		if same < 0 {
			same = len(rows)
			rows, tokens = append(rows, row), append(tokens, nil)
		}
		tokens[same] = append(tokens[same], a.Crawler)
	}
	config := p.config
	config.Columns = []table.Column{
		{Name: l.Say("use"), Least: 12, Wrap: true}, {Name: l.Say("answer for this page"), Least: 12, Wrap: true}, {Name: l.Say("decided by"), Least: 14, Wrap: true}, {Name: l.Say("whole site"), Least: 12, Wrap: true}, {Name: l.Say("because"), Least: 16, Wrap: true},
	}
	t := table.New(p.out, config)
	for i, r := range rows {
		t.Cell(r.use)
		t.Cell(r.answer)
		t.Cell(l.First(tokens[i], maxCrawlers) + r.group)
		t.Cell(r.site)
		t.Cell(r.because)
		if err := t.End(); err != nil {
			return err
		}
	}
	return t.Flush()
}

// unreadLast sorts the answers that are not known after the others.
func unreadLast(a *wire.PermitAnswer) int {
	if a.Kind == permission.KindUnread {
		return 1
	}
	return 0
}

// groupWords returns the deciding group in words, which follow the names of crawlers.
func groupWords(l language.Language, a *wire.PermitAnswer) string {
	switch {
	case a.Kind == permission.KindUnread, a.Kind == permission.KindOther:
		return ""
	case a.Group == "none":
		return l.Say(", no group")
	case a.Group == "all (*)":
		return l.Say(", all (*)")
	case a.Group == "its own":
		return l.Say(", its own group")
	}
	return l.Say(", %s's group", strings.TrimSuffix(a.Group, "'s"))
}

// siteWords returns how much of the site is open to a token.
func siteWords(l language.Language, a *wire.PermitAnswer) string {
	if a.Extent == semdiff.ExtentUnknown || a.Extent == semdiff.ExtentUndecided {
		return l.Say(notKnown)
	}
	return AccessText(l, &wire.AIAccess{Access: a.Extent, Except: a.Except, Otherwise: a.Otherwise}, 4)
}

func becauseOf(l language.Language, a *wire.PermitAnswer) string {
	switch {
	case a.Verdict == permission.Unknown || len(a.Reasons) == 0:
		return l.Say(noReason(a))
	case a.Kind == permission.KindSignal:
		return signal(l, &a.Reasons[0])
	case a.Reasons[0].Place.Line > 0:
		return l.Say("line %d: %s", a.Reasons[0].Place.Line, a.Reasons[0].Text)
	case a.Verdict == permission.Allowed:
		return l.Say("no line refuses it")
	}
	return l.Phrase(a.Reasons[0].Text)
}

// saidBy returns the operator's statements about each crawler, with the address and the date
// of the text. Quotes stay in their language.
func (p *Permits) saidBy(v *wire.Permit) string {
	l := p.language
	var lines, unknown, silent, seen []string
	source := ""
	quote := func(token, field string, of language.Text) bool {
		claim := claimOf(token, field)
		if claim == nil {
			return false
		}
		from := claim.URL + ", " + l.Date(claim.Date)
		line := l.Say(of, token) + ": \"" + claim.Quote + "\""
		source = cmp.Or(source, from)
		if from != source {
			line += " (" + from + ")"
		}
		lines = append(lines, line)
		return true
	}
	for i := range v.Answers {
		token := v.Answers[i].Crawler
		c, known := crawlers.Find(token)
		if !known || slices.Contains(seen, token) {
			continue
		}
		seen = append(seen, token)
		switch {
		case c.Obeys == crawlers.ObeysNone:
			if !quote(token, "obeys", "%s need not obey") {
				lines = append(lines, l.Say("%s need not obey, or does not reliably, according to a public list.", token))
			}
		case slices.Contains(c.Verified, "refuses"):
			quote(token, "refuses", "%s")
		case c.Obeys == crawlers.Unknown:
			unknown = append(unknown, token)
		case !quote(token, "obeys", "%s"):
			silent = append(silent, token)
		}
	}
	if silent != nil {
		lines = append(lines, l.Say("%s: no text of the operator was found about what a Disallow refuses.", strings.Join(silent, ", ")))
	}
	if unknown != nil {
		lines = append(lines, l.Say("%s: no source says whether a Disallow is obeyed.", strings.Join(unknown, ", ")))
	}
	if lines == nil {
		return ""
	}
	if source != "" {
		source = " (" + source + ")"
	}
	said := p.text(l.Say("What %s says", term.Escape(v.Operator)) + source + ":")
	if p.config.Format == table.Markdown {
		said += "\n" // otherwise the list would be a part of the paragraph
	}
	for _, line := range lines {
		said += "\n" + p.item(line)
	}
	return said
}

// claimOf returns the first claim of the operator about a field of a crawler that has a quote, nil if there is none.
func claimOf(token, field string) *crawlers.Claim {
	claims := crawlers.Claims(token)
	i := slices.IndexFunc(claims, func(c crawlers.Claim) bool {
		return c.Source == crawlers.FromOperator && c.Quote != crawlers.Unknown && slices.Contains(c.Fields, field)
	})
	if i < 0 {
		return nil
	}
	return &claims[i]
}

// notRead lists the sources that were not read, and the sources that were read but that a
// crawler never sees.
func notRead(l language.Language, v *wire.Permit) (missing, unseen []string) {
	for i := range v.Answers {
		for _, m := range v.Answers[i].Missing {
			name, why, _ := strings.Cut(m, ": ")
			switch name {
			case "robots.txt":
				continue
			case "response header":
				name = l.Say("the response")
			case "page":
				name = l.Say("the page")
			case "Search Console":
				name = l.Say("a setting in Search Console, which only the owner sees")
			default:
				name = l.Phrase(name)
			}
			names := &missing
			if strings.HasPrefix(why, "not seen") {
				names = &unseen
			}
			name = term.Escape(name)
			if !slices.Contains(*names, name) {
				*names = append(*names, name)
			}
		}
	}
	return missing, unseen
}
