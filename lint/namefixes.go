package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// writeNames is the fix that writes a line for each of some names, without those that the group
// has. A comment stays on the first line.
func writeNames(d *document, l *line, names []string) *Fix {
	missing := slices.DeleteFunc(slices.Clone(names), func(token string) bool { return d.isNamedTogether(token, l) })
	if len(missing) == 0 {
		missing = names[:1] // a line needs one
	}
	return d.mend("write "+listed(missing), d.writeValues(l, missing)...)
}

// namedToo returns what a message says about another line that names one of some tokens, and
// whether its group has the same rules.
func (d *document) namedToo(l *line, tokens []string) (also string, same bool) {
	for _, token := range tokens {
		for other := range d.named(token) {
			at := d.line(other)
			if at == l {
				continue
			}
			if d.together(l, at) || l.group != at.group && d.ruledAlike(l.group, at.group) {
				return "", true
			}
			if also == "" {
				also = fmt.Sprintf(" Line %d has other rules for %s.", other, token)
			}
		}
	}
	return also, false
}

// reportLines reports lines with one finding, at the first that can be reported. The message is about that one.
func (d *document) reportLines(c check, lines []*line, noun string, message func(*line) string) {
	lines = slices.DeleteFunc(lines, func(l *line) bool { return !d.reports(c, l) })
	if len(lines) > 0 {
		f := d.findValue(c, lines[0], "%s%s", message(lines[0]), alsoBelow(len(lines)-1, noun))
		f.Related = relatedValues(lines[1:])
	}
}

func relatedValues(lines []*line) (related []Related) {
	for _, l := range lines[:min(MaxRelated, len(lines))] {
		related = append(related, Related{l.number, quote(l.value()).String()})
	}
	return related
}

// directiveIn returns where another directive begins in a text, -1 if none does: at its start, after
// white space, or directly after other text.
func directiveIn(text []byte) int {
	const longestKey = len("User-agent:") + 4
	for i := range text[:1+bytes.LastIndexByte(text, ':')] {
		switch {
		case !inWord(text[i]):
		case i == 0 || isBlank(text[i-1]):
			second := lineAlone(text[i:min(i+longestKey, len(text))])
			if !second.MissingColon && (counts(second.Kind) || bytes.EqualFold(second.Key, []byte("Crawl-delay"))) {
				return i
			}
		case beginsWithKey(text[i:], text[i-1]):
			return i
		}
	}
	return -1
}

// mend returns a fix that rewrites lines so that crawlers read what they say. It is nil if a line
// that it writes would still have several directives, if there are no edits, or if crawlers would
// read more or less of a long line, unless a NUL hides the line's end.
func (d *document) mend(title string, edits ...Edit) *Fix {
	if len(edits) == 0 {
		return nil
	}
	first, last := d.lineAt(edits[0].Start), d.lineAt(edits[len(edits)-1].Start)
	var written []byte
	at := first.offset()
	for _, e := range edits {
		written = append(append(written, d.body[at:e.Start]...), e.New...)
		at = e.End
	}
	written = append(written, d.body[at:max(at, last.end())]...)
	before := d.lines[first.number-1 : last.number]
	for l := range robotstxt.Lines(written) {
		isOld := func(old line) bool { return bytes.Equal(old.raw(), l.Raw) }
		if hasSeveral(&l) && !slices.ContainsFunc(before, isOld) {
			return nil
		}
	}
	if slices.ContainsFunc(before, func(l line) bool { return !l.roomy() && !l.nulCut }) {
		return nil
	}
	return &Fix{Title: title, Edits: edits, Meaning: true}
}

// hasSeveral reports whether a line has another directive after its first colon, or the \n of lost line breaks.
// It is stricter than directiveIn, because without a fix nothing is lost.
func hasSeveral(l *robotstxt.Line) bool {
	text, _, _ := bytes.Cut(l.Raw, []byte("#"))
	_, rest, _ := bytes.Cut(text, []byte(":"))
	if directiveIn(rest) >= 0 || losesLineBreaks(rest) {
		return true
	}
	keys := bytes.Split(bytes.ToLower(rest), []byte(":"))
	return slices.ContainsFunc(keys[:len(keys)-1], func(key []byte) bool {
		key = append(bytes.TrimRight(key, " \t"), ':')
		return slices.ContainsFunc(gluedKeys[:],
			func(glued string) bool { return bytes.HasSuffix(key, []byte(ascii.ToLower(glued))) })
	})
}

var gluedKeys = [...]string{"User-agent:", "Useragent:", "Allow:", "Disallow:", "Sitemap:", "Crawl-delay:"}

// beginsWithKey reports whether a text that follows another byte begins with a key and its colon. In lower
// case, or after a letter, a part of a path can look so.
func beginsWithKey(text []byte, before byte) bool {
	for _, key := range gluedKeys {
		if !ascii.HasPrefixFold(text, key) {
			continue
		}
		rest := text[len(key):]
		begins := len(rest) == 0 || isBlank(rest[0]) || rest[0] == '/' || rest[0] == '*' || ascii.HasPrefixFold(rest, "http")
		if ascii.IsLetter(before) {
			return begins && text[0] >= 'A' && text[0] <= 'Z' && (before < 'A' || before > 'Z')
		}
		return begins || text[0] >= 'A' && text[0] <= 'Z'
	}
	return false
}

// nameBelow returns the names that are on the line after an empty User-agent line, and where their
// text ends in it, 0 if there are none.
func nameBelow(d *document, l *line) (tokens []string, end int) {
	if l.kind != robotstxt.KindUserAgent || len(l.value()) > 0 || l.number == len(d.lines) {
		return nil, 0
	}
	next := d.line(l.number + 1)
	if kind, _ := nearlyDirective(next); kind > 0 || !isUnread(*next) {
		return nil, 0
	}
	text := next.content()
	if i := directiveIn(text); i > 0 {
		text = text[:i]
	}
	value := bytes.Trim(text, ascii.Space)
	if len(value) == 0 || bytes.IndexByte(value, ':') >= 0 {
		return nil, 0
	}
	in := intended(value)
	unknown := func(token string) bool { _, known := findCrawler(token); return !known }
	switch {
	case in.why == whyStar, in.why == whyAll:
	case in.why == whyUnknown && robotstxt.ValidAgent(string(value)):
		return []string{string(value)}, len(text)
	case in.guess, in.why == whyHeader, len(in.tokens) == 0, slices.ContainsFunc(in.tokens, unknown):
		return nil, 0
	}
	return in.tokens, len(text)
}

func findNameless(d *document, l *line) {
	tokens, end := nameBelow(d, l)
	if end == 0 {
		g := &d.groups[l.group]
		switch {
		case slices.ContainsFunc(g.agents, func(a robotstxt.Agent) bool { return a.Token != "" }):
			d.findLine(rxAgentMatchesNone.at(Info), l, "User-agent is empty, so this line names no crawler; other lines of the group do. Remove it.")
		case g.closed:
			d.findLine(rxAgentMatchesNone, l, "User-agent is empty, so these rules apply to no crawler. Write the name of the crawler to which the site should be closed.")
		default:
			d.findLine(rxAgentMatchesNone, l, "User-agent is empty, so these rules apply to no crawler. Write the name of a crawler, or * for all.")
		}
		return
	}
	next := d.line(l.number + 1)
	advice := choose(len(tokens) > 1, intentOf(whyList, tokens...).advice(), "Write User-agent: "+tokens[0]+".")
	f := d.findLine(rxAgentMatchesNone, l, "User-agent is empty; the name seems to be on line %d. %s", next.number, advice)
	colon := l.offset() + bytes.IndexByte(l.raw(), ':') + 1
	value := " " + tokens[0] + choose(l.commented(), " ", "")
	edits := []Edit{{colon, max(colon, l.offset()+len(l.content())), value}}
	if len(tokens) > 1 {
		edits = append(edits, d.insertAfter(l, "User-agent: "+strings.Join(tokens[1:], d.newlineOf(l)+"User-agent: ")))
	}
	rest := Edit{next.offset(), next.offset() + end, ""}
	if end == len(next.content()) && !next.commented() {
		rest = next.remove()
	}
	f.Fix = d.mend("move the name up from the next line", append(edits, rest)...)
}

// ruledAlike reports whether two groups have the same rules, in any order unless the first match decides. It keeps the
// last answer, because the lines of a group are inspected one after the other.
func (d *document) ruledAlike(a, b int32) bool {
	if pair := [2]int32{a, b}; d.pair != pair {
		d.pair = pair
		d.alike = slices.EqualFunc(d.sortedRules(a), d.sortedRules(b), sameRule)
	}
	return d.alike
}

// sortedRules returns the rules of a group by their paths, if their order does not matter. Each group is sorted once.
func (d *document) sortedRules(number int32) []robotstxt.Rule {
	g := &d.groups[number]
	if d.audience.dialect.Traits().FirstMatch {
		return g.rules
	}
	if g.sorted == nil {
		g.sorted = slices.SortedFunc(slices.Values(g.rules), func(a, b robotstxt.Rule) int {
			return cmp.Or(strings.Compare(a.Pattern, b.Pattern), strings.Compare(directive(&a), directive(&b)))
		})
	}
	return g.sorted
}
