package conformance_test

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/conformance"
)

// smallParser is a parser as somebody would write it in a day: short, and slow. Each call of is
// names a mistake that is easily made at its place, and the parser makes the one in broken. So
// its calls are the list of its mutants.
type smallParser struct {
	broken      string
	mistakes    map[string]bool // what is was asked about, if none is made
	expressions map[string]*regexp.Regexp

	text   string // the file that was read last, with its dialect
	parsed []*smallGroup
}

func newSmallParser(broken string) *smallParser {
	return &smallParser{broken: broken, mistakes: map[string]bool{}, expressions: map[string]*regexp.Regexp{}}
}

func (p *smallParser) is(mistake string) bool {
	if p.broken == "" {
		p.mistakes[mistake] = true
	}
	return p.broken == mistake
}

// A smallLine is a line with a key and a value; the kind of other lines is empty or none.
type smallLine struct {
	number      int
	kind, value string
}

// parse keeps the groups of the last file, about which there are several questions.
func (p *smallParser) parse(dialect string, body []byte) []*smallGroup {
	if text := dialect + "\n" + string(body); p.text != text {
		p.text = text
		p.parsed = p.groups(dialect, p.lines(body))
	}
	return p.parsed
}

func (p *smallParser) lines(body []byte) (lines []smallLine) {
	for n := 3; n > 0; n-- {
		if p.is("only a whole byte order mark is removed") && n < 3 || p.is("a byte order mark stays") {
			break
		}
		if bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")[:n]) {
			body = body[n:]
			break
		}
	}
	ends := "\r\n|\r|\n"
	if p.is("CR alone ends no line") {
		ends = "\r\n|\n"
	}
	if p.is("LF CR is one line end") {
		ends = "\r\n|\n\r|\r|\n"
	}
	if p.is("a form feed ends a line") {
		ends += "|\f"
	}
	for i, text := range p.expression(ends).Split(latin1(body), -1) {
		lines = append(lines, p.line(i+1, fromLatin1(text)))
	}
	return lines
}

func (p *smallParser) line(number int, text string) smallLine {
	if len(text) > 16663 && !p.is("a line has no limit") {
		text = text[:16663]
	}
	if !p.is("NUL ends nothing") {
		text, _, _ = strings.Cut(text, "\x00")
	}
	comment := strings.IndexByte(text, '#')
	if p.is("a comment needs a blank before it") {
		comment = max(strings.Index(text, " #"), strings.Index(text, "\t#"))
		if strings.HasPrefix(text, "#") {
			comment = 0
		}
	}
	if comment >= 0 {
		text = text[:comment]
	}
	blanks := " \t\v\f\n\r"
	if p.is("only blanks and tabs are trimmed") {
		blanks = " \t"
	}
	text = strings.Trim(text, blanks)
	if text == "" {
		if comment >= 0 && !p.is("a comment line is an empty line") {
			return smallLine{number, "none", ""}
		}
		return smallLine{number, "empty", ""}
	}
	key, value, colon := strings.Cut(text, ":")
	if last := strings.LastIndexByte(text, ':'); colon && p.is("the last colon separates") {
		key, value = text[:last], text[last+1:]
	}
	if !colon {
		words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
		if p.is("a line without a colon is nothing") || len(words) < 2 || len(words) > 2 && !p.is("three words are a directive") {
			return smallLine{number, "none", ""}
		}
		key, value = words[0], words[1]
	}
	return smallLine{number, p.kind(strings.Trim(key, blanks)), strings.Trim(value, blanks)}
}

func (p *smallParser) kind(key string) string {
	for _, spelling := range []string{"user-agent", "useragent", "user agent", "allow", "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"} {
		kind := spelling
		if strings.HasPrefix(spelling, "d") {
			kind = "disallow"
		} else if strings.HasPrefix(spelling, "u") {
			kind = "user-agent"
		}
		if kind != spelling && p.is("keys are spelt well") {
			continue
		}
		if len(key) < len(spelling) || p.is("keys are compared in full") && len(key) > len(spelling) {
			continue
		}
		if key[:len(spelling)] == spelling || equalFold(key[:len(spelling)], spelling) && !p.is("keys have case") {
			return kind
		}
	}
	for _, kind := range []string{"crawl-delay", "request-rate", "visit-time"} {
		if equalFold(key, kind) {
			return kind
		}
	}
	return "other"
}

// A smallGroup is a group, or a record. A list is a list of agents with a delay.
type smallGroup struct {
	agents []string
	rules  []smallLine
	lists  []smallList
}

type smallList struct {
	agents []string
	value  string
}

func (p *smallParser) groups(dialect string, lines []smallLine) (groups []*smallGroup) {
	var group *smallGroup // that lines belong to
	ruled := false        // it had a rule
	begin := 0            // where in its agents the list begins that is open
	listed := false       // the next agent begins a list
	for _, line := range lines {
		switch line.kind {
		case "empty":
			if dialect == conformance.Koster1996 && !p.is("an empty line ends no record") || p.is("an empty line ends a group") {
				group = nil
			}
		case "none", "other":
			if line.kind == "other" && p.is("another line ends the agent lines") {
				ruled = true
			}
		case "user-agent":
			if group == nil || ruled || p.is("each agent line begins a group") {
				group = &smallGroup{}
				ruled = false
				begin = 0
				listed = false
				groups = append(groups, group)
			}
			if listed {
				begin = len(group.agents)
				listed = false
			}
			group.agents = append(group.agents, line.value)
		case "allow", "disallow":
			if group == nil && p.is("rules before any agent are for all") {
				group = &smallGroup{agents: []string{"*"}}
				groups = append(groups, group)
			}
			if group == nil {
				continue
			}
			if line.value != "" || !p.is("an empty rule ends no agent lines") {
				ruled, listed = true, true
			}
			if line.value != "" || dialect != conformance.Koster1996 {
				group.rules = append(group.rules, line)
			}
		default:
			if p.is("a delay ends the agent lines") {
				ruled = true
			}
			if group == nil {
				if p.is("a delay before any agent is for all") {
					delays := []smallList{{[]string{"*"}, line.value}}
					groups = append(groups, &smallGroup{agents: []string{"*"}, lists: delays})
				}
				continue
			}
			agents := slices.Clone(group.agents[begin:])
			if p.is("a delay is for the agents of the whole group") {
				agents = group.agents
			}
			if p.is("a delay is for the last agent") {
				agents = agents[len(agents)-1:]
			}
			if line.kind == "crawl-delay" {
				group.lists = append(group.lists, smallList{agents, line.value})
			}
			if _, valid := p.seconds(line.value); valid || !p.is("a bad delay ends no list") {
				listed = line.kind == "crawl-delay" || !p.is("a Request-rate ends no list")
			}
		}
	}
	return groups
}

var (
	googleToken = regexp.MustCompile(`^[A-Za-z_-]*`)
	wordToken   = regexp.MustCompile(`^[A-Za-z0-9_-]*`)
	rfcToken    = regexp.MustCompile(`^[^ \t/]*`)
	kosterToken = regexp.MustCompile(`^[^\x00-\x20\x7f-\xff()<>@,;:\\"/\[\]?={}]*`)
)

// names reports whether an agent line names the token of a crawler.
func (p *smallParser) names(dialect, line, agent string) bool {
	global := line == "*" || len(line) > 1 && line[0] == '*' && strings.IndexByte(" \t\v\f", line[1]) >= 0
	if p.is("a star and anything is the star") {
		global = strings.HasPrefix(line, "*")
	}
	if p.is("only a star alone is the star") {
		global = line == "*"
	}
	if global || agent == "*" {
		return global && agent == "*"
	}
	shape := map[string]*regexp.Regexp{
		conformance.Google: googleToken, conformance.RFC9309: rfcToken, conformance.Koster1996: kosterToken,
	}[dialect]
	switch {
	case dialect == conformance.Google && p.is("a token has digits"):
		shape = wordToken
	case dialect == conformance.Google && p.is("a token ends at a blank or slash only"), dialect == conformance.Koster1996 && p.is("a token of HTTP has every letter"):
		shape = rfcToken
	case dialect == conformance.RFC9309 && p.is("a token of the RFC has no digits"):
		shape = googleToken
	}
	token := fromLatin1(shape.FindString(latin1([]byte(line))))
	if dialect == conformance.RFC9309 && !p.is("a final star stays in a token") {
		token = strings.TrimSuffix(token, "*")
	}
	if dialect != conformance.Google && token != "" && strings.Trim(token, "*") == "" {
		return false
	}
	switch {
	case p.is("a token is part of the crawler's"):
		return token != "" && strings.Contains(strings.ToLower(agent), strings.ToLower(token))
	case p.is("a token is the beginning of the crawler's"):
		return token != "" && len(token) <= len(agent) && equalFold(agent[:len(token)], token)
	case p.is("tokens have case"):
		return token == agent
	case p.is("the crawler's version is cut"):
		agent, _, _ = strings.Cut(agent, "/")
	}
	return equalFold(token, agent)
}

// chosen returns the token that decides, and its groups.
func (p *smallParser) chosen(dialect string, groups []*smallGroup, agents []string) (
	token string, chosen []*smallGroup,
) {
	of := func(agent string) (found []*smallGroup) {
		for _, group := range groups {
			if slices.ContainsFunc(group.agents, func(line string) bool { return p.names(dialect, line, agent) }) {
				found = append(found, group)
			}
		}
		if dialect == conformance.Koster1996 && len(found) > 1 && !p.is("records are merged") || len(found) > 1 && p.is("the first group counts alone") {
			return found[:1]
		}
		if len(found) > 1 && p.is("the last group counts alone") {
			return found[len(found)-1:]
		}
		return found
	}
	if p.is("the last token of the list is the first choice") {
		agents = slices.Clone(agents)
		slices.Reverse(agents)
	}
	if p.is("there is one token") && len(agents) > 1 {
		agents = agents[:1]
	}
	for _, agent := range agents {
		found := of(agent)
		if p.is("a group without rules is none") {
			found = slices.DeleteFunc(found, func(g *smallGroup) bool { return len(g.rules) == 0 })
		}
		if len(found) == 0 {
			continue
		}
		if p.is("rules of the star are added") && agent != "*" {
			found = append(found, of("*")...)
		}
		return agent, found
	}
	if p.is("nothing applies to crawlers without a group") {
		return "*", nil
	}
	return "*", of("*")
}

func (p *smallParser) answer(dialect string, body []byte, agents []string, url string) (allowed bool, line int) {
	_, groups := p.chosen(dialect, p.parse(dialect, body), agents)
	var rules []smallLine
	for _, group := range groups {
		rules = append(rules, group.rules...)
	}
	path := p.path(url)
	switch dialect {
	case conformance.Koster1996:
		return p.first(rules, path)
	case conformance.RFC9309:
		path = p.canonical(path, false)
		if path == "/robots.txt" && !p.is("/robots.txt is like any other path") {
			return true, 0
		}
	case conformance.Google:
		if p.is("the URL is encoded") {
			path = p.encoded(path)
		}
	}
	best := -1
	byAllow := false
	allowed = true
	for _, rule := range rules {
		length, matches := p.matches(dialect, rule, path)
		allows := rule.kind == "allow"
		wins := length > best || length == best && allows && !byAllow
		switch {
		case p.is("the first match decides"):
			wins = best < 0
		case p.is("the last match decides"):
			wins = true
		case p.is("Disallow wins a tie"):
			wins = length > best || length == best && !allows && byAllow
		case p.is("the last of equal rules decides"):
			wins = length > best || length == best && (allows || !byAllow)
		}
		if matches && wins {
			best, byAllow, line = length, allows, rule.number
			allowed = allows || length == 0 && !p.is("an empty Disallow closes everything")
		}
	}
	return allowed, line
}

// matches returns the length of a rule that matches.
func (p *smallParser) matches(dialect string, rule smallLine, path string) (length int, ok bool) {
	if dialect == conformance.RFC9309 {
		pattern := p.canonical(rule.value, true)
		return p.length(rule.value, pattern), p.matchesRFC(pattern, path)
	}
	pattern := p.encoded(rule.value)
	if p.is("rules are not encoded") {
		pattern = rule.value
	}
	if p.is("a slash is added to a rule") && pattern != "" && pattern[0] != '/' && pattern[0] != '*' {
		pattern = "/" + pattern
	}
	if p.matchesGoogle(pattern, path) {
		return p.length(rule.value, pattern), true
	}
	slash := strings.LastIndexByte(pattern, '/')
	if slash < 0 || p.is("there are no index pages") || rule.kind != "allow" && !p.is("index pages of a Disallow count") {
		return 0, false
	}
	index := "/index.htm"
	if p.is("an index page is index.html") {
		index = "/index.html"
	}
	folder := pattern[:slash+1] + "$"
	if !strings.HasPrefix(pattern[slash:], index) || !p.matchesGoogle(folder, path) {
		return 0, false
	}
	if p.is("a folder has the length of its index page") {
		return len(pattern), true
	}
	return len(folder), true
}

// length is the precedence of a rule.
func (p *smallParser) length(written, pattern string) int {
	switch {
	case p.is("the length is that of the text as written"):
		return len(written)
	case p.is("stars do not count"):
		return len(strings.ReplaceAll(pattern, "*", ""))
	case p.is("a final star does not count"):
		return len(strings.TrimRight(pattern, "*"))
	case p.is("a final dollar does not count"):
		return len(strings.TrimSuffix(pattern, "$"))
	}
	return len(pattern)
}

func (p *smallParser) matchesGoogle(pattern, path string) bool {
	if p.is("parts of a pattern may overlap") && strings.Count(pattern, "*") == 1 && strings.HasSuffix(pattern, "$") {
		before, after, _ := strings.Cut(strings.TrimSuffix(pattern, "$"), "*")
		return strings.HasPrefix(path, before) && strings.HasSuffix(path, after)
	}
	return p.compiled(pattern, func(literal string) string { return literal }).MatchString(latin1([]byte(path)))
}

// matchesRFC writes a slash of the query as an octet that no canonical path has.
func (p *smallParser) matchesRFC(pattern, path string) bool {
	const inQuery = "\x01"
	if before, query, ok := strings.Cut(path, "?"); ok {
		path = before + "?" + strings.ReplaceAll(query, "%2F", inQuery)
	}
	slash, coded := "(?:/|"+inQuery+")", "(?:%2F|"+inQuery+")"
	switch {
	case p.is("a slash after a star is no slash of the query"):
		slash = "/"
	case p.is("%2F after a star is no slash of the path"):
		coded = inQuery
	case p.is("%2F after a star is no slash of the query"):
		coded = "%2F"
	case strings.Contains(path, inQuery) && p.is("with a slash in the query, %2F is any slash"):
		coded = "(?:%2F|/|" + inQuery + ")"
	}
	if !strings.Contains(pattern, "*") || strings.Contains(pattern, "?") &&
		strings.IndexByte(pattern, '?') < strings.IndexByte(pattern, '*') {
		slash, coded = "(?:/|"+inQuery+")", "(?:%2F|"+inQuery+")"
	}
	return p.compiled(pattern, func(literal string) string {
		return strings.ReplaceAll(strings.ReplaceAll(literal, "/", slash), "%2F", coded)
	}).MatchString(path)
}

// compiled returns a pattern as a regular expression. wide widens the texts between the stars.
func (p *smallParser) compiled(pattern string, wide func(literal string) string) *regexp.Regexp {
	text, end := pattern, ""
	switch {
	case p.is("a dollar is a letter"):
	case p.is("a dollar ends the pattern anywhere"):
		if before, _, found := strings.Cut(text, "$"); found {
			text, end = before, `\z`
		}
	case strings.HasSuffix(text, "$"):
		text, end = text[:len(text)-1], `\z`
	}
	any := ".*"
	begin := `\A`
	switch {
	case p.is("a star is at least one octet"):
		any = ".+"
	case p.is("a star matches no slash"):
		any = "[^/]*"
	case p.is("a star matches no question mark"):
		any = "[^?]*"
	case p.is("a star is a letter"):
		any = `\*`
	case p.is("a pattern may begin anywhere in the path"):
		begin = ""
	case p.is("paths have no case"):
		begin = `(?i)\A`
	case p.is("a pattern is the whole path"):
		end = `\z`
	}
	var expression strings.Builder
	expression.WriteString("(?s)" + begin)
	for i, literal := range strings.Split(text, "*") {
		if i > 0 {
			expression.WriteString(any)
		}
		expression.WriteString(wide(regexp.QuoteMeta(latin1([]byte(literal)))))
	}
	expression.WriteString(end)
	return p.expression(expression.String())
}

// expression compiles a regular expression, once.
func (p *smallParser) expression(text string) *regexp.Regexp {
	compiled, ok := p.expressions[text]
	if !ok {
		compiled = regexp.MustCompile(text)
		p.expressions[text] = compiled
	}
	return compiled
}

// first is Koster's comparison.
func (p *smallParser) first(rules []smallLine, path string) (allowed bool, line int) {
	if !p.is("the query is compared") {
		path, _, _ = strings.Cut(path, "?")
	}
	decoded := func(text string) string {
		text = escape.ReplaceAllStringFunc(latin1([]byte(text)), func(code string) string {
			if strings.EqualFold(code, "%2F") && !p.is("an encoded slash is a slash") {
				return "\uFFFD" // no octet
			}
			octet, _ := strconv.ParseUint(code[1:], 16, 8)
			return string(rune(octet))
		})
		return text
	}
	if p.is("codes are compared as written") {
		decoded = func(text string) string { return latin1([]byte(text)) }
	}
	length := -1
	for _, rule := range rules {
		if !strings.HasPrefix(decoded(path), decoded(rule.value)) ||
			length >= 0 && !p.is("the longest rule decides") || len(rule.value) <= length {
			continue
		}
		length, allowed, line = len(rule.value), rule.kind == "allow", rule.number
	}
	return allowed || length < 0, line
}

var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// encoded is a rule in Google's dialect.
func (p *smallParser) encoded(text string) string {
	if !p.is("hex digits keep their case") {
		text = fromLatin1(escape.ReplaceAllStringFunc(latin1([]byte(text)), strings.ToUpper))
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] < 0x80 {
			out.WriteByte(text[i])
		} else {
			out.WriteString(coded(text[i]))
		}
	}
	if p.is("unreserved codes of a rule are decoded") {
		return escape.ReplaceAllStringFunc(out.String(), func(code string) string {
			if octet, _ := strconv.ParseUint(code[1:], 16, 8); unreserved(byte(octet)) {
				return string(rune(octet))
			}
			return code
		})
	}
	return out.String()
}

// canonical is the form of RFC 9309.
func (p *smallParser) canonical(text string, isRule bool) string {
	var out strings.Builder
	query := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if i+2 < len(text) && escape.MatchString(text[i:i+3]) {
			octet, _ := strconv.ParseUint(text[i+1:i+3], 16, 8)
			i += 2
			c = byte(octet)
			if !unreserved(c) && !p.is("every code is decoded") || p.is("no code is decoded") {
				out.WriteString(coded(c))
				continue
			}
			out.WriteByte(c)
			continue
		}
		plain := unreserved(c) || strings.IndexByte("/?=&", c) >= 0 || isRule && (c == '*' || c == '$' && i == len(text)-1)
		switch {
		case c == '/' && query && !p.is("a slash of the query stays"),
			c == '&' && p.is("& is encoded"),
			c == '=' && p.is("= is encoded"),
			c == '/' && !query && p.is("a slash is encoded everywhere"):
			plain = false
		case c == '*' && p.is("a star of a URL stays"), c == '$' && p.is("a dollar of a URL stays"),
			strings.IndexByte(":@!,;'()+", c) >= 0 && p.is("reserved octets stay"):
			plain = true
		}
		query = query || c == '?'
		if plain {
			out.WriteByte(c)
		} else {
			out.WriteString(coded(c))
		}
	}
	return out.String()
}

// path returns what is compared of a URL.
func (p *smallParser) path(url string) string {
	url = strings.TrimPrefix(url, "//")
	start := strings.IndexAny(url, "/?;")
	if scheme := strings.Index(url, "://"); scheme >= 0 && (start > scheme || p.is("a scheme may come after the path")) {
		start = strings.IndexAny(url[scheme+3:], "/?;")
		if start >= 0 {
			start += scheme + 3
		}
	}
	if hash := strings.IndexByte(url, '#'); hash >= 0 && !p.is("the fragment stays") {
		if hash < start {
			return "/"
		}
		url = url[:hash]
	}
	if start < 0 {
		return "/"
	}
	path := url[start:]
	if path[0] != '/' && !p.is("no slash is put before a query") {
		path = "/" + path
	}
	switch {
	case p.is("the query is not compared"):
		path, _, _ = strings.Cut(path, "?")
	case p.is("parameters are not compared"):
		path, _, _ = strings.Cut(path, ";")
	case p.is("slashes are joined"):
		path = p.expression("/+").ReplaceAllString(path, "/")
	case p.is("a dot segment is resolved"):
		path = strings.ReplaceAll(path, "/./", "/")
	}
	if !p.is("NUL ends no path") {
		path, _, _ = strings.Cut(path, "\x00")
	}
	return path
}

// delay returns the Crawl-delay of a crawler.
func (p *smallParser) delay(dialect string, body []byte, agents []string) (delay time.Duration, ok bool) {
	all := p.parse(dialect, body)
	token, groups := p.chosen(dialect, all, agents)
	if p.is("a delay of the star is for all") {
		groups = all
	}
	for _, group := range groups {
		for _, list := range group.lists {
			if !slices.ContainsFunc(list.agents, func(line string) bool {
				return p.names(dialect, line, token) || p.is("a delay of the star is for all") && p.names(dialect, line, "*")
			}) {
				continue
			}
			value, valid := p.seconds(list.value)
			if !valid {
				continue
			}
			seconds := time.Duration(value * float64(time.Second))
			switch {
			case !ok, p.is("the last delay counts"):
				delay = seconds
			case p.is("the first delay counts"):
			case p.is("the shortest delay counts"):
				delay = min(delay, seconds)
			default:
				delay = max(delay, seconds)
			}
			ok = true
		}
	}
	return delay, ok
}

func (p *smallParser) seconds(value string) (float64, bool) {
	shape := `\A([0-9]+\.?[0-9]*|\.[0-9]+)\z`
	switch {
	case p.is("a delay is a whole number"):
		shape = `\A[0-9]+\z`
	case p.is("a delay may be negative"):
		shape = `\A-?([0-9]+\.?[0-9]*|\.[0-9]+)\z`
	case p.is("a delay may have a unit"):
		value, _, _ = strings.Cut(value, "s")
	case p.is("a delay may have an exponent"):
		seconds, err := strconv.ParseFloat(value, 64)
		return seconds, err == nil && !math.IsNaN(seconds) && !math.IsInf(seconds, 0) && seconds >= 0
	}
	if !p.expression(shape).MatchString(value) {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(value, 64)
	return seconds, err == nil
}

func coded(c byte) string { return "%" + strings.ToUpper(strconv.FormatUint(0x100|uint64(c), 16)[1:]) }

func unreserved(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func equalFold(a, b string) bool {
	return latin1Lower(a) == latin1Lower(b)
}

func latin1Lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, latin1([]byte(s)))
}

// latin1 returns bytes as a text with a character for each, which regular expressions can match.
func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

func fromLatin1(s string) string {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		out = append(out, byte(r))
	}
	return string(out)
}
