package prose

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
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
	rest = append(rest, p.saidBy(v)...)
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
	reason := term.Escape(l.Reason(v.FetchReason))
	if v.RobotsFinalURL != "" && !strings.Contains(v.FetchReason, "redirect") {
		reason = l.Say("%s, after a redirect to %s", reason, term.Escape(v.RobotsFinalURL))
	}
	switch {
	case v.RobotsSHA256 != "":
		text += fileOf(l, v, fetched)
	case isUnreachable(v, permission.Disallowed):
		text += l.Say("The rules are not known: %s. Until robots.txt can be read, crawlers may fetch nothing from the site; what it says about uses is not known. ", l.Clause(reason))
	case isUnreachable(v, permission.Allowed):
		text += l.Say("The rules are not known: %s. Until robots.txt can be read, crawlers may fetch everything; what it says about uses is not known. ", l.Clause(reason))
	case isUnreachable(v, permission.Unknown) && reason != "":
		text += l.Say("The rules are not known: %s. ", l.Clause(reason))
	case v.Outcome == wire.OutcomeAllowAll:
		text += l.Say("At %s, the site gave no robots.txt (%s), so no line restricts crawlers. ", fetched, reason)
	case v.Outcome == wire.OutcomeDisallowAll:
		text += l.Say("At %s, the site gave no robots.txt (%s), so crawlers may fetch nothing. ", fetched, reason)
	default:
		text += l.Say("robots.txt could not be read, so its rules are not known. ")
	}
	return text + l.Say("Crawlers known on %s.", l.Date(v.CrawlersVersion))
}

// fileOf returns where a robots.txt is from, and what was read of it.
func fileOf(l language.Language, v *wire.Permit, fetched string) string {
	text := l.Say("robots.txt fetched at %s", fetched)
	if v.RobotsFetchedAt.IsZero() {
		text = l.Say("robots.txt read from %s", term.Escape(cmp.Or(v.RobotsFile, l.Say("a text"))))
	}
	if v.RobotsFinalURL != "" {
		text = l.Say("%s, after a redirect to %s", text, term.Escape(v.RobotsFinalURL))
	}
	size := l.Count(v.RobotsBytes, "byte", "bytes")
	if v.RobotsTruncated {
		text += l.Say(". It is longer than the first %s, which were read (SHA-256 of these: %s); lines after them could change the answers. ", size, v.RobotsSHA256)
	} else {
		text += l.Say(" (%s, SHA-256 %s). ", size, v.RobotsSHA256)
	}
	if reason := l.Reason(v.FetchReason); reason != "" && !strings.Contains(v.FetchReason, " status 2") {
		text += l.Clause(term.Escape(reason)) + ". " // a copy
	}
	switch v.Body {
	case robotstxt.BodyHTML:
		text += l.Say("It is a web page and has no rules. ")
	case robotstxt.BodyBinary:
		text += l.Say("It is not text and has no rules. ")
	case robotstxt.BodyEmpty:
		text += l.Say("It is empty. ")
	}
	return text
}

// isUnreachable reports whether robots.txt could not be fetched, so that the policy gives a verdict about fetching.
func isUnreachable(v *wire.Permit, fetch permission.Verdict) bool {
	return slices.ContainsFunc(v.Answers, func(a wire.PermitAnswer) bool {
		return a.Fetch == fetch && slices.Contains(a.Missing, "robots.txt: unreachable")
	})
}

// siteOf is how much of a site is open if no file decides.
var siteOf = map[permission.Verdict]language.Text{permission.Allowed: "open", permission.Disallowed: "closed"}

// isDecided reports whether a crawler may or may not fetch the page, although nothing is known about the use.
func isDecided(a *wire.PermitAnswer) bool {
	return a.Kind == permission.KindUnread && fetchWords[a.Fetch] != ""
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
		if c, known := crawlers.Find(a.Crawler); known && !c.Control && isDecided(a) {
			// The file is unreachable: whatever it says about the use, the policy decides about fetching.
			row.answer, row.group, row.site = l.Say(fetchWords[a.Fetch]), l.Say(", no group"), l.Say(siteOf[a.Fetch])
			row.because = l.Reason(v.FetchReason)
		}
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
	return l.Reason(a.Reasons[0].Text)
}

// The statements about what crawlers obey. Those without a colon are followed by a quote.
const (
	obeys   language.Text = "%s"
	needNot language.Text = "%s (need not obey)"
	listed  language.Text = "%s: need not obey, or not reliably, according to a public list."
	silent  language.Text = "%s: no text of the operator was found about what a Disallow refuses."
	untold  language.Text = "%s: no source says whether a Disallow is obeyed."
)

// statement is what an operator, or no source, says about crawlers.
type statement struct {
	of   language.Text
	text string // a quote, with its source unless that is the first one
}

// statements are different, in their order, each with its crawlers.
type statements struct {
	l      language.Language
	all    []statement
	about  map[statement][]string
	source string // of the first quote
}

func (s *statements) add(token string, of language.Text, text string) {
	key := statement{of, text}
	if s.about[key] == nil {
		s.all = append(s.all, key)
	}
	s.about[key] = append(s.about[key], token)
}

// quote adds the operator's claim about a field of a crawler. It reports whether there is one.
func (s *statements) quote(token, field string, of language.Text) bool {
	claim := claimOf(token, field)
	if claim == nil {
		return false
	}
	from := claim.URL + ", " + s.l.Date(claim.Date)
	text := ": \"" + claim.Quote + "\""
	s.source = cmp.Or(s.source, from)
	if from != s.source {
		text += " (" + from + ")"
	}
	s.add(token, of, text)
	return true
}

// saidBy returns the operator's statements, each once with the crawlers about which it is made, and with the address
// and the date of its text, and then what nobody has stated. Quotes stay in their language.
func (p *Permits) saidBy(v *wire.Permit) (paragraphs []string) {
	l := p.language
	s := &statements{l: l, about: map[statement][]string{}}
	var seen []string
	for i := range v.Answers {
		token := v.Answers[i].Crawler
		c, known := crawlers.Find(token)
		if !known || slices.Contains(seen, token) {
			continue
		}
		seen = append(seen, token)
		switch {
		case c.Obeys == crawlers.ObeysNone:
			if !s.quote(token, "obeys", needNot) {
				s.add(token, listed, "")
			}
		case slices.Contains(c.Verified, "refuses"):
			s.quote(token, "refuses", obeys)
		case c.Obeys == crawlers.Unknown:
			s.add(token, untold, "")
		case !s.quote(token, "obeys", obeys):
			s.add(token, silent, "")
		}
	}
	said := p.text(l.Say("What %s says", term.Escape(v.Operator))+" ("+s.source+")") + ":"
	if p.config.Format == table.Markdown {
		said += "\n" // otherwise the list would be a part of the paragraph
	}
	for _, key := range s.all {
		switch text := l.Say(key.of, l.List(s.about[key])); key.text {
		case "":
			paragraphs = append(paragraphs, p.wrapped(text))
		default:
			said += "\n" + p.item(text+key.text)
		}
	}
	if s.source == "" {
		return paragraphs
	}
	return append([]string{said}, paragraphs...)
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
