package prose

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// The width of paragraphs, and the forms of times, in a letter.
const (
	letterWidth = 80
	letterDay   = "2 January 2006"
	letterTime  = "2 January 2006, 15:04 UTC"
)

// letter prints what an operator's crawlers may do with a URL, for a reader who is not a
// programmer: the answers, the deciding rules and signals, the whole site, and the operator's
// statements.
func (p *Permits) letter(v *wire.Permit) error {
	mark := ""
	if p.config.Format == table.Markdown {
		mark = "# "
	}
	if p.begun {
		mark = "\n" + mark
	}
	p.begun = true
	paragraphs := []string{wrappedLetter(madeOf(v))}
	if len(v.Answers) == 0 {
		paragraphs = append(paragraphs, wrappedLetter(fmt.Sprintf("It is not known what %s does: no known crawler in use has this operator and a known purpose. For the rules for all crawlers, ask without an operator.", term.Escape(v.Operator))))
	}
	if _, err := fmt.Fprintf(p.out, "%s%s and %s\n\n%s\n", mark, term.Escape(v.Operator), term.Escape(v.URL),
		strings.Join(paragraphs, "\n\n")); err != nil {
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
	if said := saidBy(v); said != "" {
		rest = append(rest, said)
	}
	for _, note := range ruleNotes(v.Answers) {
		rest = append(rest, wrappedLetter(strings.ToUpper(note[:1])+note[1:]+"."))
	}
	missing, unseen := notRead(v)
	if len(missing) > 0 {
		each := "Each"
		if len(missing) == 1 {
			each = "It"
		}
		rest = append(rest, wrappedLetter("Not read: "+strings.Join(missing, ", ")+". "+each+" could refuse more."))
	}
	if len(unseen) > 0 {
		rest = append(rest, wrappedLetter("Not seen by a crawler that robots.txt keeps from the URL: "+strings.Join(unseen, ", ")+"."))
	}
	rest = append(rest, wrappedLetter("Nothing said: neither refused nor permitted. Not known: no line can name the crawler, or robots.txt could not be read. This is what the site says; it is not legal advice."))
	_, err := io.WriteString(p.out, "\n"+strings.Join(rest, "\n\n")+"\n")
	return err
}

func wrappedLetter(text string) string { return strings.Join(term.Wrap(text, letterWidth, ""), "\n") }

// madeOf returns when a letter was requested, and the robots.txt that it is about.
func madeOf(v *wire.Permit) string {
	text := "Asked on " + v.AskedAt.UTC().Format(letterTime) + ". "
	at := v.RobotsFetchedAt.UTC()
	fetched := at.Format(letterTime)
	if at.Format(time.DateOnly) == v.AskedAt.UTC().Format(time.DateOnly) {
		fetched = at.Format("15:04 UTC")
	}
	switch {
	case v.RobotsSHA256 == "" && v.Outcome == wire.OutcomeAllowAll:
		text += fmt.Sprintf("The site had no robots.txt at %s (%s). ", fetched, term.Escape(v.FetchReason))
	case v.RobotsSHA256 == "":
		text += "robots.txt could not be read, so its rules are not known"
		if v.FetchReason != "" {
			text += ": " + term.Escape(v.FetchReason)
		}
		text += ". "
	case v.RobotsFetchedAt.IsZero():
		text += fmt.Sprintf("robots.txt read from %s, %s bytes, SHA-256 %s. ", term.Escape(cmp.Or(v.RobotsFile, "a text")), term.Thousands(v.RobotsBytes), v.RobotsSHA256)
	default:
		text += fmt.Sprintf("robots.txt fetched at %s, %s bytes, SHA-256 %s. ", fetched, term.Thousands(v.RobotsBytes), v.RobotsSHA256)
	}
	return text + "Crawlers known on " + day(v.CrawlersVersion) + "."
}

func day(text string) string {
	for form, shown := range map[string]string{time.DateOnly: letterDay, "2006-01": "January 2006", "2006": "2006"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.Format(shown)
		}
	}
	return "date " + text
}

// letterRow is a row of a letter, with all tokens for which the rest of the row is equal.
type letterRow struct{ use, answer, group, site, because, tokens string }

func (p *Permits) letterTable(v *wire.Permit) error {
	var rows []letterRow
	answers := slices.Clone(v.Answers)
	order := crawlers.Purposes()
	slices.SortStableFunc(answers, func(a, b wire.PermitAnswer) int {
		return cmp.Or(slices.Index(order, a.Purpose)-slices.Index(order, b.Purpose), unreadLast(&a)-unreadLast(&b))
	})
	for i := range answers {
		a := &answers[i]
		row := letterRow{use: UseWords(a.Purpose), answer: AnswerWords(a), group: groupWords(a), site: siteWords(a),
			because: becauseOf(a), tokens: a.Crawler}
		if a.Provisional {
			row.answer += " " + byWhatWasRead
		}
		same := slices.IndexFunc(rows, func(r letterRow) bool { r.tokens = row.tokens; return r == row })
		if same < 0 {
			rows = append(rows, row)
		} else {
			rows[same].tokens += ", " + a.Crawler
		}
	}
	config := p.config
	config.Columns = []table.Column{
		{Name: "use", Least: 12, Wrap: true}, {Name: "answer for this page", Least: 12, Wrap: true}, {Name: "decided by", Least: 14, Wrap: true}, {Name: "whole site", Least: 12, Wrap: true}, {Name: "because", Least: 16, Wrap: true},
	}
	t := table.New(p.out, config)
	for _, r := range rows {
		t.Cell(r.use)
		t.Cell(r.answer)
		t.Cell(r.tokens + r.group)
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
func groupWords(a *wire.PermitAnswer) string {
	switch {
	case a.Kind == permission.KindUnread, a.Kind == permission.KindOther:
		return ""
	case a.Group == "none":
		return ", no group"
	case a.Group == "all (*)":
		return ", " + a.Group
	}
	return ", " + a.Group + " group"
}

// siteWords returns how much of the site is open to a token.
func siteWords(a *wire.PermitAnswer) string {
	if a.Extent == semdiff.ExtentUnknown || a.Extent == semdiff.ExtentUndecided {
		return notKnown
	}
	return accessText(&wire.AIAccess{Access: a.Extent, Except: a.Except, Otherwise: a.Otherwise}, 4)
}

func becauseOf(a *wire.PermitAnswer) string {
	switch {
	case a.Verdict == permission.Unknown || len(a.Reasons) == 0:
		return noReason(a)
	case a.Kind == permission.KindSignal:
		return signal(&a.Reasons[0])
	case a.Reasons[0].Place.Line > 0:
		return fmt.Sprintf("line %d: %s", a.Reasons[0].Place.Line, a.Reasons[0].Text)
	case a.Verdict == permission.Allowed:
		return "no line refuses it"
	}
	return a.Reasons[0].Text
}

// saidBy returns the operator's statements about each crawler, with the address and the date
// of the text.
func saidBy(v *wire.Permit) string {
	var lines, unknown, silent, seen []string
	source := ""
	quote := func(token, field, between string) bool {
		for _, claim := range crawlers.Claims(token) {
			if claim.Source != crawlers.FromOperator || claim.Quote == crawlers.Unknown ||
				!slices.Contains(claim.Fields, field) {
				continue
			}
			from := claim.URL + ", " + day(claim.Date)
			line := "- " + token + between + ": \"" + claim.Quote + "\""
			source = cmp.Or(source, from)
			if from != source {
				line += " (" + from + ")"
			}
			lines = append(lines, line)
			return true
		}
		return false
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
			if !quote(token, "obeys", " need not obey") {
				lines = append(lines, "- "+token+" need not obey, or does not reliably, according to a public list.")
			}
		case slices.Contains(c.Verified, "refuses"):
			quote(token, "refuses", "")
		case c.Obeys == crawlers.Unknown:
			unknown = append(unknown, token)
		case !quote(token, "obeys", ""):
			silent = append(silent, token)
		}
	}
	if silent != nil {
		lines = append(lines, "- "+strings.Join(silent, ", ")+": no text of the operator was found about what a Disallow refuses.")
	}
	if unknown != nil {
		lines = append(lines, "- "+strings.Join(unknown, ", ")+": no source says whether they obey.")
	}
	if lines == nil {
		return ""
	}
	if source != "" {
		source = " (" + source + ")"
	}
	for i := range lines {
		lines[i] = strings.Join(term.Wrap(lines[i], letterWidth, "  "), "\n")
	}
	return "What " + term.Escape(v.Operator) + " says" + source + ":\n" + strings.Join(lines, "\n")
}

// notRead lists the sources that were not read, and the sources that were read but that a
// crawler never sees.
func notRead(v *wire.Permit) (missing, unseen []string) {
	for i := range v.Answers {
		for _, m := range v.Answers[i].Missing {
			name, why, _ := strings.Cut(m, ": ")
			switch name {
			case "robots.txt":
				continue
			case "response header":
				name = "the response"
			case "page":
				name = "the page"
			case "Search Console":
				name = "a setting in Search Console, which only the owner sees"
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
