package lint_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

// wanted is a finding that a file should have, or should not have. A code can be the beginning of codes.
type wanted struct {
	Code        []string
	Least, Most lint.Severity
	Line        int
	For         []string
	Only        bool // no other crawler is listed
}

// TestEffects has files of which the linter must say what they do to crawlers, or must not say it.
func TestEffects(t *testing.T) {
	file, err := os.Open("testdata/effects.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var c struct {
			Name, Why, Body string
			Profile         lint.Profile
			Want, Not       []wanted
		}
		err := json.Unmarshal(lines.Bytes(), &c)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(c.Name, func(t *testing.T) {
			findings := lint.Check([]byte(c.Body), lint.Config{Profile: c.Profile})
			for _, w := range c.Want {
				if !slices.ContainsFunc(findings, w.is) {
					t.Errorf("%s\nwant %+v in %+v", c.Why, w, findings)
				}
			}
			for _, w := range c.Not {
				if slices.ContainsFunc(findings, w.is) {
					t.Errorf("%s\nfound %+v in %+v", c.Why, w, findings)
				}
			}
		})
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

func (w wanted) is(f lint.Finding) bool {
	begins := func(code string) bool { return strings.HasPrefix(string(f.Code), code) }
	missing := func(name string) bool {
		return !slices.ContainsFunc(f.For, func(token string) bool { return strings.EqualFold(name, token) })
	}
	return slices.ContainsFunc(w.Code, begins) && w.Least <= f.Severity && f.Severity <= w.Most &&
		(w.Line == 0 || w.Line == f.Line) && !slices.ContainsFunc(w.For, missing) &&
		(!w.Only || len(f.For) == len(w.For))
}

// TestLawOpened: if a crawler may fetch a path that a rule for * closes, and its group does not say so, a finding lists
// the crawler. It is a warning for crawlers that read pages, unless the group has a list of its own. Crawlers with
// equal effects share a finding.
func TestLawOpened(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	opened := 0
	for i, body := range bodies {
		robots := robotstxt.Parse(body)
		effects := openedIn(robots, body)
		if len(effects) == 0 {
			continue
		}
		opened++
		all := allFindings(body, true)
		usual := allFindings(body, false)
		for token, bare := range effects {
			if severityFor(all, token, "RX303", "RX311") == lint.Off {
				t.Errorf("%s: nothing is said about %s", names[i], token)
			}
			if bare && readsPages(token) && severityFor(usual, token, "RX303") < lint.Warning {
				t.Errorf("%s: no warning about %s", names[i], token)
			}
		}
		seen := map[string]bool{}
		for _, f := range all {
			if f.Code == "RX303" || f.Code == "RX311" {
				_, what, _ := strings.Cut(f.Message, "ignore")
				key := fmt.Sprint(f.Code, f.Severity, strings.TrimPrefix(what, "s"))
				for _, r := range f.Related {
					key += fmt.Sprint(" ", r.Line)
				}
				if seen[key] && len(f.Related) < 20 {
					t.Errorf("%s: line %d: another crawler has the same effect: %s", names[i], f.Line, f.Message)
				}
				seen[key] = true
			}
		}
	}
	if opened == 0 {
		t.Error("no file opens anything")
	}
	t.Logf("%d of %d files", opened, len(bodies))
}

// openedIn returns the crawlers to which their own groups open without a word what is closed to all, and whether these
// groups close nothing.
func openedIn(robots *robotstxt.Robots, body []byte) map[string]bool {
	lines := strings.Split(strings.ReplaceAll(string(body), "\r\n", "\n"), "\n")
	star := robots.Rules()
	effects := map[string]bool{}
	for g := range robots.Groups() {
		for a := range g.Agents() {
			c, _ := crawlers.Find(a.Token)
			line := ""
			if a.Line <= len(lines) {
				line = lines[a.Line-1]
			}
			plain := strings.HasSuffix(strings.TrimSpace(line), ": "+a.Token) // another value has a finding of its own
			if _, seen := effects[a.Token]; seen || !plain || !robotstxt.ValidAgent(a.Token) ||
				c.Status == crawlers.Retired || c.Obeys == crawlers.ObeysNamed {
				continue
			}
			if _, mistaken := crawlers.Meant(a.Token); mistaken || strings.EqualFold(c.Operator, a.Token) {
				continue
			}
			own := robots.NamedRules(a.Token)
			closes, says := closing(own)
			if says || saysOpen(own, star, closes) || c.Operator == "Yandex" {
				continue
			}
			if opensUnsaid(own, star) {
				effects[a.Token] = !closes
			}
		}
	}
	return effects
}

// closing reports whether rules close anything, and whether an empty Disallow is among them.
func closing(rules robotstxt.Rules) (closes, empty bool) {
	for g := range rules.Groups() {
		for r := range g.Rules() {
			closes = closes || !r.Allow && r.Pattern != ""
			empty = empty || !r.Allow && r.Pattern == ""
		}
	}
	return closes, empty
}

// saysOpen reports whether the site is closed to all, and a group is the exception.
func saysOpen(own, star robotstxt.Rules, closes bool) bool {
	isAll := func(pattern string) bool {
		return pattern != "" && strings.Trim(pattern, "/*$") == "" && pattern != "/$"
	}
	exception := closes
	for g := range own.Groups() {
		for r := range g.Rules() {
			exception = exception || isAll(r.Pattern)
		}
	}
	closed := false
	for g := range star.Groups() {
		for r := range g.Rules() {
			closed = closed || !r.Allow && isAll(r.Pattern)
		}
	}
	return closed && exception
}

// pathOf returns a path that a pattern matches, "" if it is for everything or for nothing.
func pathOf(pattern string) string {
	if strings.Trim(pattern, "/*") == "" || !strings.HasPrefix(pattern, "/") {
		return ""
	}
	path := strings.ReplaceAll(strings.TrimSuffix(pattern, "$"), "*", "0")
	if !strings.HasSuffix(pattern, "$") {
		path += "0"
	}
	return path
}

func opensUnsaid(own, star robotstxt.Rules) bool {
	for g := range star.Groups() {
		for r := range g.Rules() {
			path := pathOf(r.Pattern)
			if r.Allow || path == "" {
				continue
			}
			if !star.Allowed(path) && own.Allowed(path) && !mentions(own, r.Pattern) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether one of some rules is about a path, or could be an exception from it.
func mentions(rules robotstxt.Rules, pattern string) bool {
	stem := strings.TrimRight(pattern, "/*?$")
	for g := range rules.Groups() {
		for r := range g.Rules() {
			if strings.TrimRight(r.Pattern, "/*?$") == stem || r.Allow && len(r.Pattern) >= len(pattern) {
				return true
			}
		}
	}
	return false
}

// readsPages reports whether a crawler is one that finds pages for search or AI.
func readsPages(token string) bool {
	c, _ := crawlers.Find(token)
	reads := func(p crawlers.Purpose) bool {
		return p == "search" || p == "ai-search" || p == "ai-training" || p == "ai-fetch"
	}
	part := func(end string) bool { return strings.HasSuffix(c.Token, end) }
	return c.Status == crawlers.Active && slices.ContainsFunc(c.Purposes, reads) && !c.Control &&
		!slices.ContainsFunc([]string{"-Image", "-Video", "-News", "-Extended"}, part)
}

// severityFor returns the highest severity of the findings of some codes about a crawler.
func severityFor(findings []lint.Finding, token string, codes ...lint.Code) (most lint.Severity) {
	is := func(name string) bool { return strings.EqualFold(name, token) }
	for _, f := range findings {
		if slices.Contains(codes, f.Code) && slices.ContainsFunc(f.For, is) {
			most = max(most, f.Severity)
		}
	}
	return most
}

// TestLawClosed: if a rule closes something to a crawler although the text puts the rule in the group of another one,
// a finding about the break lists the crawler, with * for those without a group. It is at least a warning for * and for
// crawlers that read pages.
func TestLawClosed(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	breaks := 0
	for i, body := range bodies {
		closed := closedIn(body)
		if len(closed) == 0 {
			continue
		}
		breaks++
		findings := allFindings(body, false)
		for _, token := range closed {
			most := severityFor(findings, token, "RX301")
			if most == lint.Off || most < lint.Warning && (token == "*" || readsPages(token)) {
				t.Errorf("%s: %s is closed by the rules of another group: %v", names[i], token, most)
			}
		}
	}
	if breaks == 0 {
		t.Error("no file has a group that its text divides")
	}
	t.Logf("%d of %d files", breaks, len(bodies))
}

// closedIn returns the crawlers to which a group closes what is open to them without their line, if that line is above
// another line than a User-agent or a comment.
func closedIn(body []byte) (closed []string) {
	lines := slices.Collect(robotstxt.Lines(body))
	robots := robotstxt.Parse(body)
	for g := range robots.Groups() {
		agents := slices.Collect(g.Agents())
		last := -1 // the last agent above a break
		for i := range agents[:len(agents)-1] {
			for _, l := range lines[agents[i].Line : agents[i+1].Line-1] {
				if l.Kind != robotstxt.KindComment {
					last = i
				}
			}
		}
		looks := slices.Clone(body)
		for _, a := range agents[:last+1] {
			looks[lines[a.Line-1].KeyOffset] = '#'
		}
		asText := robotstxt.Parse(looks)
		for _, a := range agents[:last+1] {
			c, _ := crawlers.Find(a.Token)
			isWhole := string(lines[a.Line-1].Value) == a.Token // else the finding has the whole value
			if c.Status == crawlers.Retired || !isWhole {
				continue
			}
			for r := range g.Rules() {
				path := strings.ReplaceAll(strings.TrimSuffix(r.Pattern, "$"), "*", "0")
				if !r.Allow && strings.HasPrefix(path, "/") &&
					!robots.Rules(a.Token).Allowed(path) && asText.Rules(a.Token).Allowed(path) {
					closed = append(closed, a.Token)
					break
				}
			}
		}
	}
	return closed
}

// TestTemplates: nothing else is said about a line with the code of a template, and no fix edits one.
func TestTemplates(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`\{\{[^}\n]*\}\}|<%[^\n]*%>|\$\{[^}\n]*\}|\{%[^\n]*%\}`)
	bodies, names := witness.Corpora(t)
	templates := 0
	begins := [][]byte{[]byte("{{"), []byte("<%"), []byte("${"), []byte("{%")}
	for i, body := range bodies {
		if !slices.ContainsFunc(begins, func(begin []byte) bool { return bytes.Contains(body, begin) }) {
			continue // the expression is slower
		}
		places := code.FindAllIndex(body, -1)
		if places == nil {
			continue
		}
		templates++
		lines := map[int]bool{}
		for _, place := range places {
			lines[1+bytes.Count(body[:place[0]], []byte("\n"))] = true
		}
		for _, f := range allFindings(body, true) {
			if lines[f.Line] && f.Line > 1 && f.Code != "RX421" {
				t.Errorf("%s: line %d: %s", names[i], f.Line, f.Message)
			}
			if f.Fix == nil {
				continue
			}
			for _, e := range f.Fix.Edits {
				if slices.ContainsFunc(places, func(p []int) bool { return e.Start < p[1] && e.End > p[0] }) {
					t.Errorf("%s: the fix of %s on line %d edits code", names[i], f.Code, f.Line)
				}
			}
		}
	}
	if templates == 0 {
		t.Error("no file is a template")
	}
}

// TestLawSaid: where the text says what happens, a finding about groups is not a warning.
func TestLawSaid(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	warnings := map[lint.Code]int{}
	for i, body := range bodies {
		robots := robotstxt.Parse(body)
		for _, f := range allFindings(body, false) {
			if f.Severity < lint.Warning {
				continue
			}
			warnings[f.Code]++
			if said := saidOf(f, robots, body); said != "" {
				t.Errorf("%s: line %d: %s %s, but %s", names[i], f.Line, f.Code, f.Message, said)
			}
		}
	}
	for _, code := range []lint.Code{"RX301", "RX303", "RX307", "RX311", "RX314"} {
		if warnings[code] == 0 {
			t.Errorf("no file has a warning %s", code)
		}
	}
}

// saidOf returns how a text says what a finding about groups reports, "" if it does not.
func saidOf(f lint.Finding, robots *robotstxt.Robots, body []byte) string {
	star := robots.Rules()
	switch f.Code {
	case "RX303", "RX311":
		for _, token := range f.For {
			own := robots.NamedRules(token)
			closes, empty := closing(own)
			switch {
			case empty:
				return "an empty Disallow of " + token + " says that everything is open"
			case saysOpen(own, star, closes):
				return token + " is the exception from a closed site"
			case !slices.ContainsFunc(f.Related, func(r lint.Related) bool {
				return !says(own, patternAt(robots, r.Line))
			}):
				return "the group of " + token + " says so"
			}
		}
	case "RX301":
		closed := closedIn(body)
		if !slices.ContainsFunc(f.For, func(token string) bool {
			return slices.ContainsFunc(closed, func(c string) bool { return strings.EqualFold(c, token) })
		}) {
			return "nothing is closed to these crawlers"
		}
	case "RX307":
		if len(contradictions(robots, body, f.Line)) == 0 {
			return "the line is next to its crawler, alone, and the file asks nobody to come"
		}
	case "RX314":
		for g := range robots.Groups() {
			for r := range g.Rules() {
				if path := pathOf(r.Pattern); r.Line >= f.Line && !r.Allow && path != "" && star.Allowed(path) {
					return ""
				}
			}
		}
		return "the group for * closes these paths too"
	}
	return ""
}

// says reports whether the rules of a crawler are about a pattern, or open its path with an exception from it.
func says(own robotstxt.Rules, pattern string) bool {
	path := pathOf(pattern)
	allowed, line := own.Verdict(path)
	for g := range own.Groups() {
		for r := range g.Rules() {
			if strings.TrimRight(r.Pattern, "/*?$") == strings.TrimRight(pattern, "/*?$") ||
				path != "" && allowed && r.Line == line && len(r.Pattern) >= len(pattern) {
				return true
			}
		}
	}
	return false
}

func patternAt(robots *robotstxt.Robots, line int) string {
	for g := range robots.Groups() {
		for r := range g.Rules() {
			if r.Line == line {
				return r.Pattern
			}
		}
	}
	return ""
}

// contradictions returns what in a file contradicts a line that closes the site.
func contradictions(robots *robotstxt.Robots, body []byte, line int) (what []string) {
	lines := slices.Collect(robotstxt.Lines(body))
	isAll := func(pattern string) bool { return pattern != "" && strings.Trim(pattern, "/*") == "" }
	for g := range robots.Groups() {
		rules := slices.Collect(g.Rules())
		if !slices.ContainsFunc(rules, func(r robotstxt.Rule) bool { return r.Line == line }) {
			continue
		}
		first := 0
		for a := range g.Agents() {
			for _, l := range lines[max(first, 1)-1 : a.Line-1] {
				if first > 0 && l.Kind != robotstxt.KindUserAgent && l.Kind != robotstxt.KindComment {
					what = append(what, "another line is between the User-agent lines")
				}
			}
			first = a.Line
		}
		for a := range g.Agents() {
			for other := range robots.Rules(a.Token).Groups() {
				for r := range other.Rules() {
					switch {
					case !r.Allow && r.Pattern != "" && !isAll(r.Pattern):
						what = append(what, "another line closes a part")
					case r.Allow && isAll(r.Pattern):
						what = append(what, "another line opens everything")
					}
				}
			}
		}
	}
	for range robots.Sitemaps() {
		what = append(what, "a Sitemap asks crawlers to come")
	}
	return what
}

// TestLawNoLeaning: if the file contradicts a line that closes the site to the main crawler, or if the name of a
// crawler that loses rules is not plain, some finding reports that, whichever check leaves it to another one.
func TestLawNoLeaning(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	closed, odd := 0, 0
	for i, body := range bodies {
		robots := robotstxt.Parse(body)
		findings := allFindings(body, false)
		rules := robots.Rules("Googlebot")
		if open, line := rules.Verdict("/"); !open && line > 0 {
			what := contradictions(robots, body, line)
			what = slices.DeleteFunc(what, func(text string) bool { return strings.Contains(text, "asks crawlers") })
			codes := []lint.Code{"RX301", "RX302", "RX307", "RX312"}
			isAbout := func(f lint.Finding) bool {
				return f.Severity >= lint.Warning && slices.Contains(codes, f.Code) || f.Code == "RX421"
			}
			closed++
			if len(what) > 0 && opened(rules) < 3 && !slices.ContainsFunc(findings, isAbout) {
				t.Errorf("%s: line %d closes the site, and %s, but no finding says so", names[i], line, what[0])
			}
		}
		for line, token := range oddNames(robots, body) {
			own, star := robots.NamedRules(token), robots.Rules()
			closes, says := closing(own)
			if closes || says || saysOpen(own, star, closes) || !opensUnsaid(own, star) || !readsPages(token) {
				continue
			}
			odd++
			isAbout := func(f lint.Finding) bool { return f.Line == line || isRelated(f, line) }
			if !slices.ContainsFunc(findings, isAbout) {
				t.Errorf("%s: nothing is said about line %d, whose group opens what is closed to all", names[i], line)
			}
		}
	}
	t.Logf("%d closed sites, %d odd names", closed, odd)
	if closed == 0 || odd == 0 {
		t.Error("too few files to test anything")
	}
}

func isRelated(f lint.Finding, line int) bool {
	return slices.ContainsFunc(f.Related, func(r lint.Related) bool { return r.Line == line })
}

// opened returns how many lines open a part of a closed site.
func opened(rules robotstxt.Rules) (n int) {
	for g := range rules.Groups() {
		for r := range g.Rules() {
			if path := pathOf(r.Pattern); r.Allow && path != "" && rules.Allowed(path) {
				n++
			}
		}
	}
	return n
}

// oddNames returns, by line, the tokens of User-agent lines with other text.
func oddNames(robots *robotstxt.Robots, body []byte) map[int]string {
	lines := slices.Collect(robotstxt.Lines(body))
	odd := map[int]string{}
	for g := range robots.Groups() {
		for a := range g.Agents() {
			if a.Token != "" && a.Token != "*" && string(lines[a.Line-1].Value) != a.Token {
				odd[a.Line] = a.Token
			}
		}
	}
	return odd
}

// TestLawPedantic: with Pedantic, no finding is lost or less serious: one of its code is on its line, or lists the line
// or the crawlers.
func TestLawPedantic(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	for i, body := range bodies {
		all := allFindings(body, true)
		for _, f := range allFindings(body, false) {
			if !slices.ContainsFunc(all, func(p lint.Finding) bool { return includes(p, f) }) {
				t.Errorf("%s: line %d: only without Pedantic: %s %s %s", names[i], f.Line, f.Severity, f.Code, f.Message)
			}
		}
	}
}

// includes reports whether a finding says what another one says.
func includes(more, f lint.Finding) bool {
	isMissing := func(token string) bool { return !slices.Contains(more.For, token) }
	return more.Code == f.Code && more.Severity >= f.Severity && (more.Line == f.Line || isRelated(more, f.Line) ||
		len(f.For) > 0 && !slices.ContainsFunc(f.For, isMissing))
}

// allFindings returns all findings of a file, which many laws have in common. Nobody may change them.
func allFindings(body []byte, pedantic bool) []lint.Finding {
	found, _ := known.LoadOrStore(checked{string(body), pedantic}, sync.OnceValue(func() []lint.Finding {
		return lint.Check(body, lint.Config{Pedantic: pedantic, MaxFindings: -1, MaxPerCode: -1})
	}))
	return found.(func() []lint.Finding)()
}

type checked struct {
	body     string
	pedantic bool
}

var known sync.Map // functions that return the findings of a checked
