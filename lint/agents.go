package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

func inspectAgents(d *document) {
	known := knownCrawlers{
		d: d, open: map[string]bool{}, retired: map[string]retirement{}, restriction: restrictionOfAll(d),
	}
	for i := range d.groups {
		g := &d.groups[i]
		known.adds = known.restriction > 0 && d.addsToAll(g)
		for _, a := range g.agents {
			switch l := d.line(a.Line); {
			case len(l.value()) == 0:
				findNameless(d, l)
			case losesLineBreaks(l.value()):
				d.findValue(rxAgentMatchesNone, l, lostLineBreaks)
			case !known.findDirective(l):
				known.inspectIntent(l, intended(l.value()), g)
			}
		}
	}
	known.findUnknown()
	known.findLiteral()
	known.findNobody()
	known.findDeaf()
	known.findRetired()
}

func (k *knownCrawlers) inspectIntent(l *line, in intent, g *group) {
	value := l.value()
	shown := quote(value).String()
	if noName(string(value), in) != "" && g.restriction > 0 {
		k.nobody = append(k.nobody, l)
		if in.why != whyHeader || !k.d.config.Pedantic {
			return
		}
	}
	switch in.why {
	case whyStar:
	case whyAll:
		k.findAgent(rxAgentAll, l, in, Error, shown+" is read as a crawler's name, not as all crawlers.")
	case whyExact:
		if tokenLen(value) == len(value) {
			k.inspect(l, in.tokens[0], g)
		} else {
			findBeyondAlphabet(k.d, l, value)
		}
	case whyNegated:
		findNegated(k.d, l)
	case whyHeader:
		k.inspectHeader(l, in)
	case whyList:
		k.inspectList(l, in)
	case whyWildcard:
		k.findAgent(rxAgentMatchesNone, l, in, Error, noWildcards)
	case whyMarks, whyVersion:
		if token := in.tokens[0]; isNameable(token) || token == "*" {
			k.inspectText(l, in)
		} else {
			k.inspectUnknown(l)
		}
	case whyUnknown:
		k.inspectUnknown(l)
	case crawlers.LookAlike:
		k.findAgent(rxMisspeltAgent, l, in, Warning, shown+" contains "+firstOdd(value)+", which is not in the crawler's name.")
	case crawlers.Company:
		most := Warning
		if in.guess {
			most = Info
			c, _ := findCrawler(in.tokens[0])
			if len(in.tokens) == 1 && c.Status == crawlers.Unknown && c.LastSeen == crawlers.Unknown {
				k.inspectUnknown(l) // another product has the name too
				return
			}
		}
		k.findAgent(rxMisspeltAgent, l, in, most, shown+" is not the name of a crawler.")
	default:
		most := Warning
		if in.guess {
			most = Info
		}
		k.findAgent(rxMisspeltAgent, l, in, most, shown+" is not a known crawler.")
	}
}

var rxAgentAll = check{Entry: &Entry{
	Code: "RX116", Name: "agent-all", Severity: Error,
	Title: "A User-agent line says \"all\" instead of *.",
	Why:   "Only * means all crawlers (RFC 9309 2.2.1, G25). Crawlers read the word \"all\" as a crawler's name, and no crawler has it. Not reported if another group for * has the same rules.",
	Bad:   "User-agent: all\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

type knownCrawlers struct {
	d       *document
	unknown []*line // with names that are not in the list
	literal []*line // with names that are meant as regular expressions
	nobody  []*line // see findNobody
	deaf    named   // see findDeaf
	gone    [Warning + 1]struct {
		named
		effects []string
	} // by severity, see findRetired
	open        map[string]bool // whether crawlers may fetch the home page
	retired     map[string]retirement
	adds        bool  // the group of the inspected lines seems to add to the rules for *, see addsToAll
	plain       *line // the last one that findDirective saw without a directive after a name
	restriction int   // see restrictionOfAll
}

// isOpen reports whether a crawler may fetch the home page. Each crawler is looked up once.
func (k *knownCrawlers) isOpen(token string) bool {
	open, known := k.open[token]
	if !known {
		open, _ = k.d.robots.Rules(token).Verdict("/")
		k.open[token] = open
	}
	return open
}

var rxAgentNeedNotObey = check{Entry: &Entry{
	Code: "RX112", Name: "agent-need-not-obey", Severity: Info, Once: Info,
	Title: "A crawler might ignore these rules.",
	Why:   "Its operator, or a public list of crawlers, states that this crawler does not follow robots.txt, or not always: for example, not if a user requests a page. Only the server can keep it out, by its name or its addresses. Reported if the group closes the whole site, and with --pedantic even if it blocks only a part.",
	Bad:   "User-agent: Google-Read-Aloud\nDisallow: /\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

func (k *knownCrawlers) inspect(l *line, token string, g *group) {
	c, _ := findCrawler(token)
	switch {
	case c.Status == crawlers.Retired:
		k.addRetired(l, c, g)
	case c.Obeys == crawlers.ObeysNone && (g.closed || k.d.config.Pedantic && g.restriction > 0):
		k.deaf.add(l, c.Token)
	}
}

// named are User-agent lines of one finding, and the crawlers in them.
type named struct {
	lines []*line
	names []string
}

// add adds a line, unless there is one with its name.
func (n *named) add(l *line, name string) {
	if slices.Contains(n.names, name) {
		return
	}
	n.lines = append(n.lines, l)
	n.names = append(n.names, name)
}

// findDeaf reports the crawlers that need not obey the file, with one finding.
func (k *knownCrawlers) findDeaf() {
	names := k.deaf.names
	if len(names) == 0 {
		return
	}
	c, _ := findCrawler(names[0])
	message := choose(slices.Contains(c.Verified, "obeys"), "%s may ignore robots.txt. To keep it out, block it at the server.", "%s ignores robots.txt, according to a public list. To keep it out, block it at the server.")
	if len(names) > 1 {
		message = "%s may ignore robots.txt, according to their operators or a public list. To keep them out, block them at the server."
	}
	f := k.d.findValue(rxAgentNeedNotObey, k.deaf.lines[0], message, listed(names))
	for _, other := range largeTraining() {
		c, _ := findCrawler(other.Name)
		alike := func(name string) bool { known, _ := findCrawler(name); return known.Operator == c.Operator }
		forgotten := c.Obeys != crawlers.ObeysNone && k.d.naming(c.Token) == 0 && k.isOpen(c.Token)
		if forgotten && slices.ContainsFunc(names, alike) {
			f.Message += " " + c.Token + ", which obeys and collects training data, may fetch the site."
		}
	}
	f.For = names
	f.Related = relatedValues(k.deaf.lines[1:])
}

var rxMisspeltAgent = check{Entry: &Entry{
	Code: "RX109", Name: "misspelt-agent", Severity: Warning,
	Title: "The name of a crawler looks misspelt, or is a company's name.",
	Why:   "A group applies to a crawler only if the name is exactly right; case does not matter (RFC 9309 2.2.1, G26). Companies and products have different names from their crawlers: OpenAI's are GPTBot, OAI-SearchBot and ChatGPT-User. A copied name can contain a character that only looks right. A name that changes nothing is reported with --pedantic.",
	Bad:   "User-agent: Gogglebot\nDisallow: /private/\n",
	Good:  "User-agent: Googlebot\nDisallow: /private/\n",
}}

func firstOdd(value []byte) string {
	i := bytes.IndexFunc(value, func(r rune) bool { return r >= utf8.RuneSelf })
	r, size := utf8.DecodeRune(value[i:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("the byte 0x%X", value[i])
	}
	return fmt.Sprintf("%U", r)
}

// inspectUnknown inspects a value of which it is not known who is meant. The most specific finding
// comes first.
func (k *knownCrawlers) inspectUnknown(l *line) {
	d, value := k.d, l.value()
	n := tokenLen(value)
	name := value
	if i := bytes.IndexAny(value, " \t/"); i >= 0 {
		name = value[:i]
	}
	switch {
	case n == len(value):
		k.unknown = append(k.unknown, l)
	case n > 0 && (bytes.IndexByte(value, '^') >= 0 || hasEscape(string(value))):
		k.literal = append(k.literal, l)
	case n < len(name) && ascii.IsDigit(name[n]):
		findBeyondAlphabet(d, l, name)
	default:
		k.inspectText(l, intent{why: whyUnknown})
	}
}

var rxUnknownAgent = check{Entry: &Entry{
	Code: "RX108", Name: "unknown-agent", Severity: Info, Pedantic: true,
	Title:   "Names of crawlers are not in our list.",
	Why:     "The names can be right. But sites copy lists of crawlers from each other, and many of these crawlers no longer exist. One finding covers all such names. Not reported for names in our list.",
	Bad:     "User-agent: Quuxfrobnicator\nDisallow: /private/\n",
	Good:    "User-agent: AhrefsBot\nDisallow: /private/\n",
	Example: Config{Pedantic: true},
}}

func (k *knownCrawlers) findUnknown() {
	k.d.reportLines(rxUnknownAgent, k.unknown, "User-agent line", func(l *line) string {
		return quote(l.value()).String() + " is not in our list of crawlers, and possibly outdated. Compare it with what its operator documents."
	})
}

var rxRetiredAgent = check{Entry: &Entry{
	Code: "RX110", Name: "retired-agent", Severity: Warning, Once: Info,
	Title: "A crawler no longer exists under this name.",
	Why:   "The operator stopped the crawler, or renamed it, so no crawler is known to obey the group. It is a warning if the home page is open to the old name and closed to a successor; otherwise info, because a file can treat them differently on purpose. If no successor is treated differently, it is reported with --pedantic.",
	Bad:   "User-agent: AspiegelBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
	Good:  "User-agent: PetalBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
}}

// addRetired notes a name that is not in use any more. It does no harm if its group is that for all
// crawlers, or makes no difference to the successors.
func (k *knownCrawlers) addRetired(l *line, c *crawlers.Crawler, g *group) {
	if g.forAll && !k.d.config.Pedantic {
		return
	}
	successors := strings.Join(c.Replacements, " and ")
	successors = choose(successors == "", "", "; "+cmp.Or(c.Operator, "its operator")+" uses "+successors)
	most := k.retirementOf(c)
	gone := &k.gone[most.severity]
	if most.effect == "" && !k.d.config.Pedantic || slices.Contains(gone.names, c.Token) {
		return
	}
	at := choose(most.welcome, 0, len(gone.names)) // who reads one message should read that
	gone.lines = slices.Insert(gone.lines, at, l)
	gone.names = slices.Insert(gone.names, at, c.Token)
	gone.effects = slices.Insert(gone.effects, at, successors+most.clause())
}

// findRetired reports the names that are not in use any more, with one finding for each severity.
func (k *knownCrawlers) findRetired() {
	for severity, gone := range k.gone {
		if len(gone.names) == 0 {
			continue
		}
		f := k.d.findValue(rxRetiredAgent.at(Severity(severity)), gone.lines[0], "%s no longer exists%s.", gone.names[0], gone.effects[0])
		if more := gone.names[1:]; len(more) > 0 {
			f.Message += " " + listed(more) + choose(len(more) == 1, " no longer exists either.", " no longer exist either.")
		}
		for i, l := range gone.lines[1:min(len(gone.lines), 1+MaxRelated)] {
			f.Related = append(f.Related, Related{l.number, gone.names[i+1] + " no longer exists" + gone.effects[i+1]})
		}
	}
}

// retirement is what it means that a crawler is retired, see effectOn.
type retirement struct {
	effect   string   // what is true of the successors, whose names follow; "" if the file treats them alike
	on       []string // the successors
	doubt    string
	severity Severity
	welcome  bool // the file closes the site to it, and opens it to a successor by name
}

// clause is the end of a sentence about the crawler.
func (r retirement) clause() string {
	if r.effect == "" {
		return ""
	}
	return ", and " + r.effect + " " + strings.Join(r.on, " and ") + r.doubt
}

// retirementOf returns the most serious effect on successors of a retired crawler. Each crawler is looked up once.
func (k *knownCrawlers) retirementOf(c *crawlers.Crawler) retirement {
	most, known := k.retired[c.Token]
	if known {
		return most
	}
	most.severity = Info
	for _, successor := range c.Replacements {
		effect := k.effectOn(successor, c)
		switch {
		case most.effect == "" || effect.severity > most.severity:
			most = effect
		case effect.effect == most.effect:
			most.on = append(most.on, effect.on...)
		}
	}
	k.retired[c.Token] = most
	return most
}

// effectOn returns what the group of a retired crawler does not do to a successor. It has no effect if the file treats
// both alike or names the successor.
func (k *knownCrawlers) effectOn(successor string, retired *crawlers.Crawler) retirement {
	d := k.d
	e := retirement{on: []string{successor}, severity: Info}
	named := d.naming(successor) > 0
	if !named && retired.Obeys == crawlers.ObeysAll && slices.Contains(retired.Verified, "obeys") {
		e.doubt = ", unless it obeys groups for " + retired.Token + ", as " + retired.Operator + " once wrote"
	}
	switch old, now := k.isOpen(retired.Token), k.isOpen(successor); {
	case old && !now:
		e.effect, e.severity = "the site is closed to", Warning
	case !old && now && named:
		e.effect, e.welcome = "by name the file opens the site to", true
	case named:
	case !old && now:
		e.effect = "the site is open to"
	case now:
		if opened := d.openedTo(successor, retired.Token); opened != "" {
			e.effect = quote(opened).String() + " is open to"
		}
	}
	return e
}

// openedTo returns the first pattern that closes a path to a retired crawler but not to a successor, "" if there is
// none among the first rules.
func (d *document) openedTo(successor, retired string) string {
	const most = 50 // each is compared with all rules
	n := 0
	own, theirs := d.robots.Rules(retired), d.robots.Rules(successor)
	for r := range closingRules(own) {
		n++
		if n > most {
			break
		}
		pattern := r.Pattern
		if isWord(pattern[len(pattern)-1]) {
			pattern += "/" // mostly a folder is meant, and the successor's rules might have its slash
		}
		if path := exemplar(pattern); !own.Allowed(path) && theirs.Allowed(path) {
			return r.Pattern
		}
	}
	return ""
}
