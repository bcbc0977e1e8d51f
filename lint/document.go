package lint

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// document is a body under inspection: its lines, the groups that the profile's dialect
// reads in them, and the findings so far.
type document struct {
	body   []byte // the part of the file that crawlers read, see head
	lines  []line
	robots *robotstxt.Robots
	groups []group
	finder

	agents []agentLine        // see agentLines; nil until they are needed
	common []bool             // see shared; nil until it is needed
	use    *permission.Robots // see refusal; nil until it is needed

	// foreign means that the body is not lines of text, and that a finding reports it.
	// The checks then look for nothing else, because it would follow from that.
	foreign bool

	pair  [2]int32 // the groups that ruledAlike compared last
	alike bool     // they have the same rules

	written  map[writtenRule]bool // the percent-encoded values of rules, see writes; nil until they are needed
	sitemap  *string              // see oneSitemap; nil until it is needed
	cleaned  map[string]bool      // the parameters of Clean-param, see cleansParam; nil until they are needed
	compared int                  // bytes, see omitIfClosed
	certain  []bool               // see settled; nil until it is needed

	rulesBefore []int32 // by line: the rules above it, read or lost, see together; nil if they are not counted yet
	template    bool    // a finding is about the variables of a template, see findTemplate
	firstLost   int     // the number of a line, see hasLostAgent; 0 if it is not known yet
	steps       int     // how many of Config.Steps were used
	size        int     // of the file, as far as it is known
	fragment    bool    // body is the beginning of a line that is longer than the limit
	rest        line    // the first line after body that is not empty, if cut is set
	restEnd     int     // how far the file is known
	lost        bool    // a directive comes after body, or might come
}

// group is a run of user-agent lines and the rules under it, as the dialect reads
// and encodes them.
type group struct {
	agents []robotstxt.Agent
	rules  []robotstxt.Rule

	decided     bool             // whole is known
	whole       *robotstxt.Rule  // see ruleForAll
	forAll      bool             // a user-agent line matches all crawlers
	sorted      []robotstxt.Rule // see sortedRules
	restriction int              // the line of the first rule that disallows anything, 0 without one
	closed      bool             // a rule disallows everything
	after       int              // the next line that is not blank or a comment, see isEmpty; 0: not known
	opens       int              // the line of the first Allow of more than the robots.txt, 0 without one
}

func newDocument(body []byte, config Config) *document {
	d := &document{finder: finder{config: config, audience: config.Profile.audience()}}
	if d.config.Steps <= 0 {
		d.config.Steps = semdiff.DefaultSteps
	}
	d.body, d.fragment = head(body, d.byteLimit())
	d.lines = make([]line, 0, countLines(d.body))
	for l := range robotstxt.Lines(d.body) {
		d.lines = append(d.lines, newLine(&l, &d.body))
	}
	d.size = len(body)
	d.generated = containsAny(ascii.View(body[:min(len(body), 256)]), generators...)
	d.readRest(body)
	d.robots = d.audience.dialect.Parse(d.body)
	readGroups(d)
	return d
}

// generators are texts near the start of files that a platform writes: Shopify, Squarespace, Zendesk.
var generators = []string{
	"# we use Shopify as our ecommerce platform", "# Squarespace Robots Txt", "User-agent: AppleBot # Allow /tickets",
}

func (d *document) byteLimit() int {
	return min(cmp.Or(d.config.Bytes, d.config.Profile.Bytes()), math.MaxInt32)
}

// head returns the lines of a body that end, without their terminator, within the
// limit. A line that the limit cuts is not read, because a part of a pattern is another
// pattern. If that is the first line, head returns what is read of it, whole
// characters only, and fragment is true.
func head(body []byte, limit int) (part []byte, fragment bool) {
	if len(body) <= limit {
		return body, false
	}
	end := 0
	switch next := body[limit:]; {
	case bytes.HasPrefix(next, []byte("\r\n")):
		end = limit + 2
	case next[0] == '\r' || next[0] == '\n':
		end = limit + 1
	default:
		end = bytes.LastIndexAny(body[:limit], "\r\n") + 1
	}
	if end > 0 {
		return body[:end], false
	}
	for end = limit; end > 0 && limit-end < utf8.UTFMax && !utf8.RuneStart(body[end]); {
		end--
	}
	return body[:end], true
}

// readRest records what follows the part of the body that is read. Line ends alone do not
// count as content.
func (d *document) readRest(body []byte) {
	rest := body[len(d.body):]
	empty := len(rest) - len(bytes.TrimLeft(rest, "\r\n"))
	unknown := d.config.Truncated
	d.cut = empty < len(rest) || unknown
	if !d.cut {
		return
	}
	last := &d.lines[len(d.lines)-1]
	d.rest = line{number: last.number, at: last.at}
	if !d.fragment {
		d.rest.number += countLines(rest[:empty]) - 1
		d.rest.at = int32(min(len(d.body)+empty, math.MaxInt32))
	}
	d.restEnd = len(body)
	d.lost = unknown || d.fragment
	for l := range robotstxt.Lines(rest) {
		if d.lost {
			break
		}
		d.lost = counts(l.Kind)
	}
}

// readGroups sets the groups, and the group of each line, as the parser has them. Rules in no group have none.
func readGroups(d *document) {
	rules := 0
	for i := range d.lines {
		if isRule(&d.lines[i]) {
			rules++
		}
	}
	all := make([]robotstxt.Rule, 0, rules)
	for read := range d.robots.Groups() {
		start := len(all)
		all = slices.AppendSeq(all, read.Rules())
		number := int32(len(d.groups))
		g := group{agents: slices.Collect(read.Agents()), rules: all[start:len(all):len(all)]}
		for _, a := range g.agents {
			l := d.line(a.Line)
			l.group = number
			g.forAll = g.forAll || namesAll(l)
		}
		for _, r := range g.rules {
			d.line(r.Line).group = number
			if !r.Allow && r.Pattern != "" {
				g.restriction = cmp.Or(g.restriction, r.Line)
				g.closed = g.closed || d.matchesAll(r.Pattern)
			} else if opens(r) {
				g.opens = cmp.Or(g.opens, r.Line)
			}
		}
		for e := range read.Extensions() {
			d.line(e.Line).group = number
		}
		d.groups = append(d.groups, g)
	}
}

// line returns the line of that number, which counts from 1.
func (d *document) line(number int) *line { return &d.lines[number-1] }

func (d *document) valueOf(a robotstxt.Agent) []byte { return d.line(a.Line).value() }

// pattern reads a path pattern as the profile's dialect does.
func (d *document) pattern(text string) pattern.Pattern {
	return pattern.New(text, d.audience.dialect.Traits().Wildcards)
}

// agentLine is a user-agent line and the token that the dialect reads in it: ""
// if it matches no crawler.
type agentLine struct {
	token string
	line  int // number
}

// agentLines returns the user-agent lines, sorted by token, by value, and by line.
func (d *document) agentLines() []agentLine {
	if d.agents != nil {
		return d.agents
	}
	for i := range d.groups {
		for _, a := range d.groups[i].agents {
			named := agentLine{a.Token, a.Line}
			if strings.Trim(a.Token, "*") == "" && !namesAll(d.line(a.Line)) {
				named.token = ""
			}
			d.agents = append(d.agents, named)
		}
	}
	slices.SortFunc(d.agents, func(a, b agentLine) int {
		values := ascii.CompareFold(d.line(a.line).value(), d.line(b.line).value())
		return cmp.Or(ascii.CompareFold(a.token, b.token), values, a.line-b.line)
	})
	return d.agents
}

// together reports whether two User-agent lines share their rules, even after all lost rules are fixed: a rule between
// them ends the first one's group.
func (d *document) together(a, b *line) bool {
	if a.group != b.group || a.group < 0 {
		return false
	}
	if d.rulesBefore == nil {
		d.rulesBefore = make([]int32, len(d.lines))
		for i := 1; i < len(d.lines); i++ {
			d.rulesBefore[i] = d.rulesBefore[i-1]
			if isMeantAsRule(d.lines[i-1]) {
				d.rulesBefore[i]++
			}
		}
	}
	return d.rulesBefore[a.number-1] == d.rulesBefore[b.number-1]
}

// naming returns the number of a user-agent line that names a token, 0 if none
// does.
func (d *document) naming(token string) int {
	index := d.agentLines()
	compare := func(a agentLine, token string) int { return ascii.CompareFold(a.token, token) }
	i, found := slices.BinarySearchFunc(index, token, compare)
	if !found {
		return 0
	}
	return index[i].line
}

// named yields the numbers of the user-agent lines whose whole value is a token, a few of them if
// there are many.
func (d *document) named(token string) iter.Seq[int] {
	const most = 100
	compare := func(a agentLine, read string) int {
		return cmp.Or(ascii.CompareFold(a.token, read), ascii.CompareFold(d.line(a.line).value(), token))
	}
	return func(yield func(int) bool) {
		isWhole := robotstxt.ValidAgent(token) || token == "*" || d.audience.dialect != robotstxt.Google
		read := choose(isWhole, token, token[:tokenLen(token)])
		index := d.agentLines()
		i := sort.Search(len(index), func(i int) bool { return compare(index[i], read) >= 0 })
		for _, a := range index[i:min(i+most, len(index))] {
			if compare(a, read) != 0 || !yield(a.line) {
				return
			}
		}
	}
}

// shared returns for each group whether another one names a crawler of it.
func (d *document) shared() []bool {
	if d.common != nil {
		return d.common
	}
	d.common = make([]bool, len(d.groups))
	for lines := range d.byToken() {
		for _, l := range lines[1:] {
			if a, b := d.line(lines[0].line).group, d.line(l.line).group; a != b {
				d.common[a], d.common[b] = true, true
			}
		}
	}
	return d.common
}

// byToken yields the lines of each token. An empty token matches no crawler.
func (d *document) byToken() iter.Seq[[]agentLine] {
	return func(yield func([]agentLine) bool) {
		for rest := d.agentLines(); len(rest) > 0; {
			n := 1
			for n < len(rest) && ascii.EqualFold(rest[0].token, rest[n].token) {
				n++
			}
			if rest[0].token != "" && !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

func hostOf(address string) string { return originOf(address).Host() }

// refusal returns the line that refuses a purpose of a crawler, at the home page. It is 0 if none does.
func (d *document) refusal(c permission.Crawler, p crawlers.Purpose) (line int) {
	if d.use == nil {
		d.use = permission.NewRobots("", d.body)
		parse := d.use.In
		d.use.In = func(dialect robotstxt.Dialect) *robotstxt.Robots {
			if dialect == d.audience.dialect {
				return d.robots
			}
			return parse(dialect)
		}
	}
	if verdict, _, reason := permission.UseOf(d.use, c, p).At("/"); verdict == permission.Disallowed {
		return reason.Place.Line
	}
	return 0
}

// opens reports whether a rule opens a part of a closed site. An Allow of the robots.txt itself
// does not, nor a pattern that matches no path.
func opens(r robotstxt.Rule) bool {
	return r.Allow && strings.IndexAny(r.Pattern, "/*") == 0 && strings.TrimSuffix(r.Pattern, "$") != "/robots.txt"
}

// hasSameRule reports whether one of some rules is equal to another rule, apart from their lines.
func hasSameRule(rules []robotstxt.Rule, wanted robotstxt.Rule) bool {
	return slices.ContainsFunc(rules, func(r robotstxt.Rule) bool { return sameRule(r, wanted) })
}

// sameRule reports whether two rules are equal, apart from their lines.
func sameRule(a, b robotstxt.Rule) bool { return a.Allow == b.Allow && a.Pattern == b.Pattern }
