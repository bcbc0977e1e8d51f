package lint_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
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
	bodies, names := witness.Corpora(t)
	opened := 0
	for i, body := range bodies {
		robots := robotstxt.Parse(body)
		effects := openedIn(robots, body)
		if len(effects) == 0 {
			continue
		}
		opened++
		all := lint.Check(body, lint.Config{Pedantic: true, MaxFindings: -1, MaxPerCode: -1})
		usual := lint.Check(body, lint.Config{MaxFindings: -1, MaxPerCode: -1})
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

func opensUnsaid(own, star robotstxt.Rules) bool {
	for g := range star.Groups() {
		for r := range g.Rules() {
			if r.Allow || r.Pattern == "" || strings.Trim(r.Pattern, "/*") == "" || !strings.HasPrefix(r.Pattern, "/") {
				continue
			}
			path := strings.ReplaceAll(strings.TrimSuffix(r.Pattern, "$"), "*", "0")
			if !strings.HasSuffix(r.Pattern, "$") {
				path += "0"
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
	bodies, names := witness.Corpora(t)
	breaks := 0
	for i, body := range bodies {
		closed := closedIn(body)
		if len(closed) == 0 {
			continue
		}
		breaks++
		findings := lint.Check(body, lint.Config{MaxFindings: -1, MaxPerCode: -1})
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
