package lint

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxAgentNotAToken = check{Entry: &Entry{
	Code: "RX101", Name: "agent-not-a-token", Severity: Warning,
	Title: "Google reads only the beginning of this crawler name.",
	Why:   "A crawler's name consists of letters, - and _ (RFC 9309 2.2.1). Google's parser stops at the first other character (G26), so the group can apply to a different crawler; others read more of it. It is info if only a version or a star follows. --pedantic reports names that no operator documents or that change nothing.",
	Bad:   "User-agent: Yandex.News\nDisallow: /private/\n",
	Good:  "User-agent: Yandex\nDisallow: /private/\n",
}}

// findAgent reports a value by whom it means, what to write instead, and which other line has rules for
// the same name. It is silent if these are the same rules: lists that are copied have both.
func (k *knownCrawlers) findAgent(c check, l *line, in intent, most Severity, problem string) {
	d, tokens := k.d, in.tokens
	if !d.wants(c) {
		return
	}
	named := tokens
	if len(named) == 0 {
		named = []string{string(l.value()[:tokenLen(l.value())])}
	}
	obeys := func(token string) bool { c, _ := findCrawler(token); return c.Obeys != crawlers.ObeysNone }
	if in.why == crawlers.Company && slices.ContainsFunc(named, obeys) {
		named = slices.DeleteFunc(slices.Clone(named), func(token string) bool { return !obeys(token) })
	}
	also, same := d.namedToo(l, named)
	if same && in.why != whyList || also == "" && c.Entry == rxAgentNotAToken.Entry && d.isCoveredByStar(l, named) {
		most = Info
		c = c.rareIf(true)
	}
	inUse := func(token string) bool { c, _ := findCrawler(token); return c.Status != crawlers.Retired }
	isMisspelt := c.Entry == rxMisspeltAgent.Entry
	// Its crawlers get these rules anyway, or do not exist.
	c = c.rareIf(isMisspelt && (also == "" && d.isLikeStar(l.group) ||
		len(tokens) > 0 && !slices.ContainsFunc(tokens, inUse)))
	// If the file names the company's crawler for other rules, another program is meant.
	c = c.rareIf(in.why == crawlers.Company && also != "" && d.groups[l.group].closed)
	adds := isMisspelt && k.adds
	also += choose(adds, " Then the crawler ignores the rules for *: repeat here what should apply to it.", "")
	f := d.findValue(c.at(most), l, "%s %s%s", problem, in.advice(), also)
	unnameable := func(token string) bool { return token != "*" && !isNameable(token) }
	if len(tokens) > 0 && !in.guess && !adds && (in.why == whyList || !slices.ContainsFunc(tokens, unnameable)) {
		f.Fix = writeNames(d, l, tokens)
	}
}

// isCoveredByStar reports whether a line changes no verdict, whichever name crawlers read in it: its group is
// the only one for *, and no other group has a name of it.
func (d *document) isCoveredByStar(l *line, named []string) bool {
	ignoresStar := func(token string) bool {
		c, _ := findCrawler(token)
		return c.Obeys == crawlers.ObeysNamed
	}
	return d.groups[l.group].forAll && !namesAll(l) && !d.shared()[l.group] && d.isNamedTogether("*", l) &&
		!slices.ContainsFunc(named, ignoresStar)
}

// isLikeStar reports whether crawlers get the same from a group as without it.
func (d *document) isLikeStar(number int32) bool {
	g := &d.groups[number]
	star := slices.IndexFunc(d.groups, func(g group) bool { return g.forAll })
	if g.restriction == 0 && len(g.rules) > 0 && restrictionOfAll(d) == 0 && !g.forAll {
		return !g.delays
	}
	return star >= 0 && int32(star) != number && !d.shared()[star] && d.ruledAlike(number, int32(star))
}

func (d *document) isNamedTogether(token string, l *line) bool {
	for other := range d.named(token) {
		if other != l.number && d.together(d.line(other), l) {
			return true
		}
	}
	return false
}

// addsToAll reports whether a group only allows some paths, or has only a Crawl-delay. If the rules for *
// disallow any, its author seems to believe that its crawlers follow those too.
func (d *document) addsToAll(g *group) bool {
	last := g.agents[len(g.agents)-1].Line
	if len(g.rules) == 0 && (last == len(d.lines) || !ascii.EqualFold(d.lines[last].key(), "crawl-delay")) {
		return false
	}
	opensLess := func(r robotstxt.Rule) bool { return !r.Allow || !d.matchesAll(r.Pattern) }
	return g.restriction == 0 && !g.forAll && (len(g.rules) == 0 || slices.ContainsFunc(g.rules, opensLess)) &&
		!slices.ContainsFunc(g.rules, func(r robotstxt.Rule) bool { return !r.Allow })
}

// isDocumented reports whether a text of its operator names a crawler.
func isDocumented(token string) bool {
	c, _ := findCrawler(token)
	return len(c.Verified) > 0
}

func (in intent) advice() string {
	heeds := func(token string) bool { c, _ := findCrawler(token); return c.Obeys != crawlers.ObeysNone }
	tokens := in.tokens
	if in.why == crawlers.Company {
		tokens = slices.DeleteFunc(slices.Clone(tokens), func(token string) bool { return !heeds(token) })
	}
	switch {
	case len(in.tokens) > 0 && len(tokens) == 0:
		return "Its crawlers ignore robots.txt, according to public lists: block them at the server."
	case len(tokens) == 0:
		return "Write the name that the operator documents."
	case in.why == crawlers.Company && !slices.ContainsFunc(tokens, isDocumented):
		return "No source of the operator names a crawler; public lists have " + listed(tokens) + "."
	case in.why == crawlers.Joined, in.why == crawlers.Misspelt,
		in.why == crawlers.Company && in.guess && len(tokens) == 1:
		return "Did you mean " + tokens[0] + "?"
	case len(tokens) == 1:
		return "Write " + tokens[0] + "."
	case in.why == whyList:
		return "Write a User-agent line for each crawler: " + listed(tokens) + "."
	default:
		return "Write a line for each crawler that you mean: " + listed(tokens) + "."
	}
}

func (k *knownCrawlers) inspectText(l *line, in intent) {
	value := l.value()
	n := tokenLen(value)
	read := string(value[:n])
	if len(in.tokens) == 0 && isOnlyVersion(string(value), n) {
		in = intentOf(whyVersion, read)
	}
	numbered := in.why == whyVersion && n == 0 // the name begins with a digit
	switch {
	case namesAll(l):
		k.findAgent(rxAgentNotAToken, l, in, Warning, "Google reads "+quote(value).String()+" as *, all crawlers; some other crawlers compare the whole text.")
		return
	case n == 0 && !numbered:
		k.inspectNoName(l, in)
		return
	}
	c, known := findCrawler(read)
	if len(in.tokens) > 0 {
		c, known = findCrawler(in.tokens[0])
	}
	// Other crawlers compare the whole name, if they exist. Those of Google ignore an ending.
	ending := numbered || value[n] == '/' || value[n] == '*'
	obeys := known && (c.Obeys == crawlers.ObeysAll || c.Obeys == crawlers.ObeysNamed ||
		in.why == whyMarks && !ending && c.Obeys != crawlers.ObeysNone)
	rare := !obeys || c.Status == crawlers.Retired || ending && c.Operator == "Google"
	most := choose(rare || ending, Info, Warning)
	what := "Google reads only " + quote(read).String() + " here; other crawlers read more of the name."
	switch {
	case numbered:
		what = "Google reads no name here; other crawlers do."
	case value[n] == '/':
		what = "Google and RFC 9309 read only " + quote(read).String() + " here; some other crawlers compare the whole text."
	case value[n] == '*':
		what = "Wildcards do not work in crawler names; Google reads only " + quote(read).String() + " here."
	case isBlank(value[n]):
		what = "Crawler names contain no spaces; Google reads only " + quote(read).String() + " here."
	}
	k.findAgent(rxAgentNotAToken.rareIf(rare), l, in, most, what)
}

// inspectNoName inspects a value that begins neither with a name nor with a version.
func (k *knownCrawlers) inspectNoName(l *line, in intent) {
	message := noWildcards
	switch value := l.value(); {
	case value[0] != '*':
		_, size := utf8.DecodeRune(value) // so that the message does not show half a character
		rest := bare(string(value[size:]))
		isName := rest != "" && tokenLen(rest) == len(rest) && !slices.Contains(common, ascii.ToLower(rest))
		if len(in.tokens) == 0 && isName {
			in = intent{tokens: []string{rest}, why: crawlers.Misspelt, guess: true}
		}
		message = "No crawler name begins with " + quote(value[:size]).String() + "; this line applies to no crawler."
	case !ascii.IsLetter(value[1]) || bytes.ContainsAny(value, ";:"):
		if len(in.tokens) == 0 {
			in = intent{tokens: []string{"*"}, why: whyStar, guess: true}
		}
		after := "other text"
		if value[1] >= utf8.RuneSelf { // perhaps it is invisible
			after = firstOdd(value)
		}
		message = "Only a * alone is for all crawlers; with " + after + " after it, this line applies to no crawler."
	}
	k.findAgent(rxAgentMatchesNone, l, in, Error, message)
}

func isOnlyVersion(value string, n int) bool {
	token, versioned := withoutVersion(value)
	return n > 0 && (versioned && len(token) == n || value[n:] == "*")
}

func (k *knownCrawlers) findLiteral() {
	k.d.reportLines(rxAgentNotAToken, k.literal, "User-agent line", func(l *line) string {
		return "Names are compared as they are: regular expressions do not work, as in " + quote(l.value()).String() + ". Write the name that the operator documents."
	})
}

// noName returns what a value is that cannot be the name of a crawler, "" if it can.
func noName(value string, in intent) string {
	words := strings.Fields(value)
	isRobot := func(word string) bool {
		return containsAny(ascii.ToLower(word), "bot", "crawl", "spider")
	}
	switch {
	case in.why == whyHeader && isBrowser(value) && tokenLen(value) < len(value):
		for _, token := range in.tokens {
			if _, known := findCrawler(token); known {
				return ""
			}
		}
		return "the header of a program, of which Google reads only " + quote(value[:tokenLen(value)]).String()
	case in.why != whyUnknown:
		return ""
	case strings.Trim(value, "0123456789.:/") == "":
		return "a number"
	case len(words) == 1 && (strings.Contains(value, "://") || ascii.HasPrefixFold(value, "www.")):
		return "an address"
	case strings.Contains(value, `\ `):
		return "a name with a backslash, as .htaccess has it"
	case strings.Contains(strings.Trim(value, "*"), "*") && ascii.IsLetter(value[0]):
		return "a name with a wildcard, which does not work in names"
	case len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { return !isRobot(word) }):
		return "several names"
	}
	return ""
}

// findNobody reports the groups that are for no crawler, because their names cannot be names. Old lists have many, so
// one finding covers a file.
func (k *knownCrawlers) findNobody() {
	k.d.reportLines(rxAgentNotAToken, k.nobody, "User-agent line", func(l *line) string {
		return "This is " + noName(string(l.value()), intended(l.value())) + ". No crawler has this name, so the line closes nothing to anyone."
	})
}

const noWildcards = "Wildcards do not work in crawler names; this line applies to no crawler."

var rxAgentMatchesNone = check{Entry: &Entry{
	Code: "RX104", Name: "agent-matches-none", Severity: Error,
	Title: "A User-agent line applies to no crawler.",
	Why:   "The line is empty, begins with a character that no name has, or uses * as a wildcard in a name. Google's parser finds no name in it, and no crawler follows the rules (G25, G29). Only a * alone means all crawlers. Not reported for * with text that only Google reads as *, which is RX101.",
	Bad:   "User-agent: *bot\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

func findNegated(d *document, l *line) {
	who := choose(namesAll(l), "Google reads this one as * for all", "this line applies to no crawler")
	d.findValue(rxAgentMatchesNone, l, "A User-agent line cannot exclude crawlers; %s. Write a group for each crawler that is an exception, and one for *.", who)
}

var rxAgentBeyondAlphabet = check{Entry: &Entry{
	Code: "RX106", Name: "agent-beyond-alphabet", Severity: Info, Pedantic: true,
	Title:   "The name of a crawler has characters outside the standard.",
	Why:     "The standard allows letters, - and _ in names (RFC 9309 2.2.1). Google's parser stops before a digit (G28), so it reads MJ12bot as MJ. But the crawler itself compares the whole name, so the line is right if the operator documents it. Not reported for a User-Agent header or a list of names, which are RX107 and RX115.",
	Bad:     "User-agent: MJ12bot\nDisallow: /private/\n",
	Good:    "User-agent: *\nDisallow: /private/\n",
	Example: Config{Pedantic: true},
}}

func findBeyondAlphabet(d *document, l *line, name []byte) {
	if !d.wants(rxAgentBeyondAlphabet) {
		return
	}
	n := tokenLen(name)
	read := choose(n > 0, "; Google reads "+quote(name[:n]).String(), "; Google reads no name here")
	f := d.findValue(rxAgentBeyondAlphabet, l, "%s has characters outside the standard. Keep it if the operator documents it%s.", quote(name), read)
	f.For = []string{"Google"}
}

var rxAgentList = check{Entry: &Entry{
	Code: "RX115", Name: "agent-list", Severity: Error,
	Title: "A User-agent line lists several crawlers.",
	Why:   "A line names one crawler. Google's parser reads the first name (G24, G26), other parsers none. Write a line for each crawler, one below the other; they share the rules that follow. Not reported if one of several words is not a known crawler, because names can have spaces.",
	Bad:   "User-agent: FooBot, BarBot\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /private/\n",
}}

func (k *knownCrawlers) inspectList(l *line, in intent) {
	n := tokenLen(l.value())
	read := choose(n > 0, "only "+quote(l.value()[:n]).String(), "no name")
	k.findAgent(rxAgentList, l, in, Error, "Google reads "+read+" here.")
}

var rxDirectiveInAgent = check{Entry: &Entry{
	Code: "RX113", Name: "directive-in-agent", Severity: Error,
	Title: "Two directives are on one line.",
	Why:   "A line has one directive (G14). Crawlers read everything after User-agent as a crawler's name, even a second \"User-agent:\", so the second directive is lost (G16). Not reported for a word without a colon, and for a rule that the group has on a line of its own.",
	Bad:   "User-agent: FooBot Disallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n",
}}

// findDirective reports a value that continues with another directive, and whether
// it does. After a line of the same group with only a name, a rule on a line of its own would be that
// crawler's too.
func (k *knownCrawlers) findDirective(l *line) bool {
	d := k.d
	i := directiveIn(l.value())
	if i <= 0 {
		k.plain = l
	}
	switch {
	case i < 0:
		return false
	case i == 0:
		findNameAfter(d, l)
	case k.plain != nil && d.together(k.plain, l):
		if d.repeats(l.group, lineAlone(l.value()[i:])) {
			return true // nothing is lost
		}
		f := d.findValue(rxDirectiveInAgent, l, "%s is lost, because it is on the same line as User-agent. On a line here it would apply to %s too: write a group of its own for this crawler.", quote(l.value()[i:]), quote(k.plain.value()))
		f.Related = []Related{{k.plain.number, "an agent of the same group"}}
	default:
		alone := lineAlone(l.value()[i:])
		harmless := alone.Kind == robotstxt.KindAllow && k.restriction == 0 || d.repeats(l.group, alone)
		f := d.findValue(rxDirectiveInAgent.infoIf(harmless), l, "%s is lost, because it is on the same line as User-agent. Write a line for each.", quote(l.value()[i:]))
		f.Fix = d.writeDirectives(l)
	}
	return true
}

func (d *document) repeats(group int32, alone robotstxt.Line) bool {
	lost := robotstxt.Rule{Allow: alone.Kind == robotstxt.KindAllow, Pattern: string(alone.Value)}
	return (lost.Allow || alone.Kind == robotstxt.KindDisallow) && hasSameRule(d.groups[group].rules, lost)
}

// writeDirectives is the fix that writes a line for each directive in the value of a User-agent line, nil if
// it does not name one crawler or is not made of directives.
func (d *document) writeDirectives(l *line) *Fix {
	edits := plainKey(l)
	at := directiveIn(l.value())
	if name := bytes.TrimRight(l.value()[:at], ascii.Space); string(name) != "*" && !isNameable(string(name)) {
		return nil
	}
	for at < len(l.value()) {
		start := len(bytes.TrimRight(l.value()[:at], ascii.Space))
		edits = append(edits, Edit{l.valueAt() + start, l.valueAt() + at, d.newlineOf(l)})
		text := l.value()[at:]
		colon := 1 + bytes.IndexByte(text, ':')
		next := directiveIn(text[colon:])
		if next == 0 {
			return nil
		}
		if next < 0 {
			break
		}
		at += colon + next
	}
	return d.mend("write a line for each directive", edits...)
}

// plainKey is the edit that writes a key as all crawlers read it, none if it is so.
func plainKey(l *line) []Edit {
	if ascii.EqualFold(l.key(), plainKeys[l.kind]) {
		return nil
	}
	return []Edit{l.replaceKey(plainKeys[l.kind])}
}

func findNameAfter(d *document, l *line) {
	name := l.value()
	for directiveIn(name) == 0 && lineAlone(name).Kind == robotstxt.KindUserAgent {
		_, name, _ = bytes.Cut(name, []byte(":"))
		name = bytes.TrimLeft(name, ascii.Space)
	}
	if len(name) == 0 || directiveIn(name) == 0 {
		d.findValue(rxDirectiveInAgent, l, "%s is on the same line as User-agent, so this line applies to no crawler. Write the name of a crawler.", quote(l.value()))
		return
	}
	f := d.findValue(rxDirectiveInAgent, l, "User-agent is here twice, so this line applies to no crawler. Write User-agent: %s.", quote(name))
	if directiveIn(name) > 0 {
		return
	}
	f.Fix = d.mend("write User-agent once", append(plainKey(l), Edit{l.valueAt(), l.valueAt() + len(l.value()) - len(name), ""})...)
}

var rxAgentIsHeader = check{Entry: &Entry{
	Code: "RX107", Name: "agent-is-header", Severity: Error,
	Title: "A User-agent line contains the full header of a crawler instead of its name.",
	Why:   "Crawlers look only for their name, without version and comments (RFC 9309 2.2.1). In a text that begins with Mozilla, Google's parser reads the name Mozilla, which no crawler has (G26). Headers of browsers and unknown programs are reported with --pedantic.",
	Bad:   "User-agent: Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)\nDisallow: /private/\n",
	Good:  "User-agent: bingbot\nDisallow: /private/\n",
}}

// inspectHeader inspects a whole User-Agent header. If Google reads the name that is meant, only
// crawlers that compare the whole text lose the rules.
func (k *knownCrawlers) inspectHeader(l *line, in intent) {
	most := Info
	known := false
	if tokens := in.tokens; len(tokens) > 0 {
		_, known = findCrawler(tokens[0])
		if known {
			most = Error
		}
		if known && ascii.EqualFold(l.value()[:tokenLen(l.value())], tokens[0]) {
			most = Warning
		}
		value := string(l.value())
		if _, after, _ := strings.Cut(value, tokens[0]); isBrowser(value) && len(after) > 1 &&
			isBlank(after[0]) && after[1] >= 'A' && after[1] <= 'Z' {
			in.tokens = nil // another crawler, such as "Yahoo! Slurp China"
		}
	}
	in.guess = !known
	if !known && tokenLen(l.value()) == 0 {
		k.inspectText(l, in)
	} else {
		k.findAgent(rxAgentIsHeader.rareIf(!known), l, in, most, "This is a full User-Agent header; crawlers look for their name only.")
	}
}
