package conformance

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/internal/agentlist"
	"github.com/kosterhq/robotstxt/origin"
)

// maxChecks is the limit of checks in a file. Each line is a check for every dialect
// and crawler, so without a limit a small file could exhaust the memory.
const maxChecks = 100_000

// parser parses a head. It contains the vector so far, and the dialects and crawlers
// of the next checks. A crawler is a Check with its Agents and Quoted.
type parser struct {
	vector   Vector
	line     int
	dialects []string
	crawlers []Check
	base64   bool
	plain    bool // the head contains a check of a URL
	site     bool // the file contains expectations of a site
}

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{Name: p.vector.Name, Line: p.line, Text: fmt.Sprintf(format, args...)}
}

func (p *parser) headLine(line string) error {
	key, value, err := p.cut(line)
	if err != nil {
		return err
	}
	switch key {
	case "clause":
		return p.clause(value)
	case "body":
		if value != "base64" || p.base64 {
			return p.fail("body: write base64, once")
		}
		p.base64 = true
		return nil
	}
	return p.commonKey(key, value, "")
}

// cut splits a line into key and value. It requires exactly one space before the
// value and none after it, because readers do not see other white space, such as a
// stray carriage return.
func (p *parser) cut(line string) (key, value string, err error) {
	key, value, found := strings.Cut(line, ":")
	if !found {
		return "", "", p.fail("head line without a colon")
	}
	if value != "" && (value[0] != ' ' || strings.TrimSpace(value) != value[1:]) {
		return "", "", p.fail("write one space before the value and none after it")
	}
	return key, strings.TrimPrefix(value, " "), nil
}

// commonKey reads a key that both vectors and expectations can contain. hint is added to the
// error about another key.
func (p *parser) commonKey(key, value, hint string) error {
	switch key {
	case "note":
		return p.note(value)
	case "dialect":
		return p.dialect(value)
	case "agents":
		return p.agentList(value)
	case "allow", "deny":
		return p.check(key == "allow", value)
	case "allow-all", "deny-all":
		return p.checkAll(key == "allow-all", value)
	}
	return p.fail("unknown key %q%s", key, hint)
}

func (p *parser) clause(value string) error {
	if p.vector.Clauses != nil {
		return p.fail("clause: a file has only one line with clauses")
	}
	for id := range strings.SplitSeq(value, ";") {
		id = strings.TrimSpace(id)
		if id == "" {
			return p.fail("clause: empty id")
		}
		p.vector.Clauses = append(p.vector.Clauses, id)
	}
	return nil
}

func (p *parser) note(value string) error {
	if value == "" || p.vector.Note != "" {
		return p.fail("note: write one line of text, once")
	}
	p.vector.Note = value
	return nil
}

func (p *parser) dialect(value string) error {
	p.dialects = nil
	for id := range strings.SplitSeq(value, ",") {
		id = strings.TrimSpace(id)
		if id != Google && id != RFC9309 && id != Koster1996 {
			return p.fail("dialect: unknown %q: use google, rfc9309 or koster1996", id)
		}
		if slices.Contains(p.dialects, id) {
			return p.fail("dialect: %q is listed twice", id)
		}
		p.dialects = append(p.dialects, id)
	}
	return nil
}

// agentList reads a list of crawlers. An empty list is one crawler without tokens.
func (p *parser) agentList(value string) error {
	if value == "" {
		p.crawlers = []Check{{Agents: []string{}}}
		return nil
	}
	p.crawlers = nil
	for tokens, err := range agentlist.All(value) {
		if err != nil {
			return p.fail("agents: %v", err)
		}
		c := Check{Agents: make([]string, len(tokens)), Quoted: make([]bool, len(tokens))}
		for i, token := range tokens {
			c.Agents[i], c.Quoted[i] = token.Text, token.Quoted
		}
		p.crawlers = append(p.crawlers, c)
	}
	return nil
}

func (p *parser) check(allowed bool, value string) error {
	line, url, err := p.lineAndURL(value)
	if err != nil {
		return err
	}
	p.plain = true
	return p.add(Check{URL: url, Allowed: allowed, Line: line})
}

func (p *parser) checkAll(allowed bool, value string) error {
	pattern, err := p.unquoted(value, "pattern")
	switch {
	case err != nil:
		return err
	case pattern == "" || pattern[0] != '/' && pattern[0] != '*':
		return p.fail("%q is not a path pattern, which begins with \"/\" or \"*\"", origin.Text(pattern).Given())
	case strings.ContainsAny(pattern, "#\x00\r\n") || strings.Trim(pattern, " \t") != pattern:
		return p.fail("%q cannot be the value of an Allow or Disallow line", pattern)
	}
	return p.add(Check{URL: pattern, Allowed: allowed, Line: AnyLine, All: true})
}

func (p *parser) add(c Check) error {
	if p.dialects == nil {
		return p.fail("check before the first dialect")
	}
	if p.crawlers == nil {
		return p.fail("check before the first agents")
	}
	if len(p.vector.Checks)+len(p.dialects)*len(p.crawlers) > maxChecks {
		return p.fail("more than %d checks: split the file", maxChecks)
	}
	for _, dialect := range p.dialects {
		for _, crawler := range p.crawlers {
			c.Dialect = dialect
			c.Agents = crawler.Agents
			c.Quoted = crawler.Quoted
			c.HeadLine = p.line
			p.vector.Checks = append(p.vector.Checks, c)
		}
	}
	return nil
}

func (p *parser) lineAndURL(value string) (line int, url string, err error) {
	line, url = AnyLine, value
	if strings.HasPrefix(value, "[") {
		number, rest, found := strings.Cut(value[1:], "] ")
		n, err := strconv.Atoi(number)
		if !found || err != nil || n < 0 || strconv.Itoa(n) != number {
			return 0, "", p.fail("write [line] and a URL")
		}
		line, url = n, rest
	}
	url, err = p.unquoted(url, "URL")
	if err != nil {
		return 0, "", err
	}
	// Authors write "cart" for the path "/cart", but parsers read it as a host.
	if p.site && !strings.HasPrefix(url, "/") && !strings.Contains(url, "://") {
		return 0, "", p.fail("%q is neither a path, which begins with \"/\", nor a whole URL, such as https://example.com/x", origin.Text(url).Given())
	}
	return line, url, nil
}

// unquoted returns a URL or a pattern, which can be in quotes.
func (p *parser) unquoted(text, noun string) (string, error) {
	switch {
	case text == "" && (p.site || noun == "pattern"): // these must not be empty in quotes either
		return "", p.fail("empty %s, write \"/\"", noun)
	case text == "":
		return "", p.fail("empty %s, write \"\"", noun)
	case text[0] == '"':
		unquoted, err := strconv.Unquote(text)
		if err != nil {
			return "", p.fail("bad quoted %s", noun)
		}
		return unquoted, nil
	case strings.TrimSpace(text) != text:
		return "", p.fail("%s with blanks around it, quote it", noun)
	case p.site && strings.ContainsAny(text, " \t"):
		return "", p.fail("blank in the %s: a comment needs a separate line; if the blank belongs to the %[1]s, quote that", noun)
	}
	return text, nil
}

func (p *parser) finish(body []byte) error {
	p.line++
	switch {
	case p.vector.Clauses == nil:
		return p.fail("no clause")
	case p.vector.Note == "":
		return p.fail("no note")
	case !p.plain:
		return p.fail("no check of a URL: a vector needs one, because runners may skip checks of patterns")
	}
	p.vector.Body = bytes.Clone(body)
	if !p.base64 {
		return nil
	}
	// The decoder skips line ends but no other white space.
	text := strings.Join(strings.Fields(string(body)), "")
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return p.fail("body is not base64: %v", err)
	}
	p.vector.Body = decoded
	return nil
}
