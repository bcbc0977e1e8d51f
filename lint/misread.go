package lint

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// misreadGroups returns for each group whether its rules might not be what its author means: crawlers
// do not read one of its lines as meant, or a lost line below its agents, or a line of a group with the
// same crawler. After that line is fixed, rules that look redundant might be needed. If only the name in a User-agent
// line is not read as meant, the rules move to the crawlers that are meant. If some crawlers do not read its key, the
// rules move to the group above. Another such line, or one before the first group, might move rules into any group. If
// all rules of a group are misread and are removed, its crawlers join the next group, so that is misread too.
func (d *document) misreadGroups() []bool {
	if d.misread == nil {
		d.misread = make([]bool, len(d.groups))
		if d.markMisread(d.misread) {
			for i := range d.misread {
				d.misread[i] = true
			}
		}
	}
	return d.misread
}

// markMisread marks groups, and reports whether rules might move into any group.
func (d *document) markMisread(misread []bool) (all bool) {
	if len(d.breaks()) > 0 {
		return true
	}
	for lines := range d.byToken() {
		for i := range lines {
			if own, other := d.opposed(d.line(lines[i].line), lines[:i]); own != nil {
				misread[d.line(own.Line).group], misread[d.line(other.Line).group] = true, true
			}
		}
	}
	for i := range d.groups {
		misread[i] = misread[i] || d.misplaced(&d.groups[i]) > 0
	}
	names := map[string]bool{} // of the crawlers that are meant
	current := int32(-1)
	stays := false // a rule of the current group is read as meant
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind == robotstxt.KindUserAgent && l.group > current {
			misread[l.group] = misread[l.group] || current >= 0 && misread[current] && !stays
			current = l.group
			stays = false
		}
		switch {
		case current < 0 && isMeantAsRule(*l):
			return true
		case !d.isMisread(l):
			stays = stays || isRule(l)
		case d.movesTo(l, names):
			misread[current] = true
			if l.missingColon || l.isMisspelt() {
				misread[max(0, current-1)] = true
			}
		case current < 0 || l.kind == robotstxt.KindUserAgent || losesAgent(l):
			return true
		default:
			misread[current] = true
		}
	}
	d.spreadMisread(misread, names)
	return false
}

// movesTo reports whether it is known where the rules below a User-agent line belong that is not read as meant, and
// adds the names of their crawlers.
func (d *document) movesTo(l *line, names map[string]bool) bool {
	if l.kind != robotstxt.KindUserAgent || l.reason != read || l.nulCut || len(l.value()) == 0 ||
		losesLineBreaks(l.value()) || directiveIn(l.value()) >= 0 {
		return false
	}
	in := intended(l.value())
	isName := in.why == whyExact || in.why == whyStar || in.why == whyUnknown && tokenLen(l.value()) > 0
	for _, token := range in.tokens {
		names[readName(token)] = true
	}
	return isName || len(in.tokens) > 0
}

// readName returns what Google reads in a name, because other crawlers tell more names apart, or the whole name.
func readName[T ~string | ~[]byte](name T) string {
	read := string(name)
	if n := tokenLen(name); n > 0 {
		read = read[:n]
	}
	return ascii.ToLower(read)
}

// spreadMisread marks the groups with some names, or with a crawler of a marked one.
func (d *document) spreadMisread(misread []bool, names map[string]bool) {
	for g := range misread {
		if misread[g] {
			for name := range d.crawlersOf(g) {
				names[name] = true
			}
		}
	}
	if len(names) == 0 {
		return
	}
	for g := range misread {
		for name := range d.crawlersOf(g) {
			misread[g] = misread[g] || names[name]
		}
	}
}

// crawlersOf yields whom the lines of a group name, see readName.
func (d *document) crawlersOf(group int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, a := range d.groups[group].agents {
			l := d.line(a.Line)
			if !yield(choose(namesAll(l), "*", readName(l.value()))) {
				return
			}
		}
	}
}

// isMisread reports whether crawlers do not read a line as its author meant it.
func (d *document) isMisread(l *line) bool {
	switch l.reason {
	case inTemplate: // the built file has other rules
		return l.kind != robotstxt.KindComment && l.kind != robotstxt.KindSitemap
	case cutByNUL, hiddenByMark, withoutColon, afterFalseColon, colonInValue, valueInKey:
		return true
	case atConflict:
		return l.raw()[0] == '<'
	case plainText:
		return bareValue(l) != "" || isRestOfPath(l.content())
	case inMarkup, inFrontMatter, markAlone, belowAgent, belowDisallow:
		return false
	}
	if l.nulCut {
		return true
	}
	switch l.kind {
	case robotstxt.KindEmpty, robotstxt.KindComment:
		return false
	case robotstxt.KindUserAgent:
		return l.missingColon || l.isMisspelt() || d.misreadsAgent(l)
	case robotstxt.KindAllow, robotstxt.KindDisallow:
		return l.missingColon || l.isMisspelt() || d.misreadsRule(l)
	case robotstxt.KindSitemap:
		return l.missingColon || l.isMisspelt() || !isAbsolute(l.value()) && hasMore(l.value())
	}
	kind, value := lostDirective(l)
	return kind > 0 && (kind != robotstxt.KindSitemap || isAddressOfFile(value)) ||
		ascii.EqualFold(l.key(), "crawl-delay") && hasMore(l.value())
}

// hasMore reports whether a value continues with another directive.
func hasMore(value []byte) bool { return directiveIn(value) > 0 || losesLineBreaks(value) }

func (d *document) misreadsAgent(l *line) bool {
	value := l.value()
	if len(value) == 0 || losesLineBreaks(value) || directiveIn(value) >= 0 {
		return true
	}
	in := intended(value)
	switch in.why {
	case whyStar, whyExact:
		return false
	case whyHeader:
		isKnown := func(token string) bool { _, known := findCrawler(token); return known }
		return slices.ContainsFunc(in.tokens, isKnown)
	case whyMarks, whyVersion, whyUnknown:
		return tokenLen(value) == 0 && !namesAll(l) && noName(string(value), in) == "" && !ascii.IsDigit(value[0])
	case crawlers.Company:
		c, _ := findCrawler(in.tokens[0])
		return !in.guess || len(in.tokens) > 1 || c.Status != crawlers.Unknown || c.LastSeen != crawlers.Unknown
	}
	return true
}

func (d *document) misreadsRule(l *line) bool {
	value := l.value()
	if len(value) == 0 {
		return pathBelow(d, l) != nil
	}
	wildcards := d.audience.dialect.Traits().Wildcards
	if l.isCut() {
		char, _ := l.cutEntity()
		if char != "" || d.matchesAll(string(value)) {
			return true
		}
	}
	if l.kind == robotstxt.KindDisallow && l.group >= 0 && d.matchesMore(l) || value[0] == '*' && !wildcards {
		return true
	}
	plain := value[0] == '/' && oddBytes(value)&^(oddStar|oddDot) == 0
	if plain && !bytes.Contains(value, []byte("/.")) && !beginsWithSlashes(value) {
		return folderOnDisk(ascii.View(value)) != "" || bytes.IndexByte(value, '.') > 0 && d.namesOwnHost(value)
	}
	if !wildcards {
		return value[0] != '/' || bytes.ContainsAny(value, " \t") || isList(string(value)) || directiveIn(value) >= 0
	}
	_, named := dollarIn(value)
	clean, spaced := spaced(value)
	return !named || clean != string(value) || spaced != clean || directiveIn(value) >= 0 || losesLineBreaks(value) ||
		!d.isReadAsMeant(strings.ReplaceAll(string(value), "$", "")) || badPercent(value, false) >= 0 && !hasMacro(value) ||
		folderOnDisk(string(value)) != "" || d.namesOwnHost(value)
}

// matchesMore reports whether a path matches more than its author might think, see inspectWidth.
func (d *document) matchesMore(l *line) bool {
	value := ascii.View(l.value())
	_, longer := d.parameterIn(l)
	more := longer != "" || letterBetweenStars(value)+textInQuery(value) != "" || d.closesFolders(l)
	return more && d.audience.dialect.Traits().Wildcards || d.isWide(l)
}
