package enginetest

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
)

// TestLists checks who waits how long, and why, in files that other parsers read
// differently.
func TestLists(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a delay between two agents is the first one's", "User-agent: SlowBot\nCrawl-delay: 3\nUser-agent: *\nDisallow: /x", "SlowBot=3s foo=none"},
		{"each has its own", "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 2\nUser-agent: c\nCrawl-delay: 3600", "a=1s b=2s c=1h0m0s foo=none"},
		{"all agents of a list", "User-agent: a\nUser-agent: b\nCrawl-delay: 2", "a=2s b=2s foo=none"},
		{"after the rules", "User-agent: a\nDisallow: /x\n\n# c\nSitemap: /s\nfoo: bar\nCrawl-delay: 2", "a=2s"},
		{"before and after the rules", "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /\nCrawl-delay: 2", "a=1s b=2s"},
		{"a rule ends the list", "User-agent: a\nDisallow:\nUser-agent: b\nCrawl-delay: 2", "a=none b=2s"},
		{"other lines do not", "User-agent: a\n\nContent-Usage: train-ai=n\nHost: h\n# c\nUser-agent: b\nCrawl-delay: 2", "a=2s b=2s"},
		{"an invalid value ends the list too", "User-agent: a\nCrawl-delay: soon\nUser-agent: b\nCrawl-delay: 2", "a=none b=2s"},
		{"so do Request-rate and Visit-time", "User-agent: a\nRequest-rate: 1/5\nUser-agent: b\nVisit-time:\nUser-agent: c\nCrawl-delay: 2", "a=none b=none c=2s"},
		{"not another key that begins so", "User-agent: a\nCrawl-delays: 1\nUser-agent: b\nCrawl-delay: 2", "a=2s b=2s"},
		{"the largest of a list", "User-agent: a\nCrawl-delay: 3\nCrawl-delay: 2\nUser-agent: b\nDisallow: /", "a=3s b=none"},
		{"the largest of several lists", "User-agent: a\nCrawl-delay: 3\nUser-agent: b\nUser-agent: A\nCrawl-delay: 2\n\nUser-agent: a\nDisallow: /\nCrawl-delay: 4", "a=4s b=2s"},
		{"before the first agent", "Crawl-delay: 9\nUser-agent: *\nDisallow: /\n", "*=none a=none"},
		{"* is for crawlers without a name", "User-agent: *\nCrawl-delay: 5\nUser-agent: a\nDisallow: /", "*=5s foo=5s a=none"},
		{"* in a list of names", "User-agent: a\nUser-agent: *\nCrawl-delay: 5\nUser-agent: b\nDisallow: /", "a=5s foo=5s b=none"},
		{"a chain has the lists of the token that is named", "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nCrawl-delay: 6", "b,a=6s foo,a=5s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
				robots := d.Parse([]byte(c.body))
				checkExtensions(t, d, robots, []byte(c.body), nil)
				for want := range strings.FieldsSeq(c.want) {
					agents, _, _ := strings.Cut(want, "=")
					got := agents + "=none"
					if delay, ok := robots.Rules(strings.Split(agents, ",")...).CrawlDelay(); ok {
						got = agents + "=" + delay.String()
					}
					if got != want {
						t.Errorf("%v: %s, want %s", d, got, want)
					}
				}
			}
		})
	}
}

// TestRecordLists checks that in Koster1996 only the first record counts, and that a blank
// line ends it.
func TestRecordLists(t *testing.T) {
	body := []byte("User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /\n\nCrawl-delay: 2\n\n" +
		"User-agent: a\nUser-agent: *\nCrawl-delay: 3\nUser-agent: */2\nCrawl-delay: 4\n")
	robots := robotstxt.Koster1996.Parse(body)
	checkExtensions(t, robotstxt.Koster1996, robots, body, nil)
	for agent, want := range map[string]time.Duration{"a": time.Second, "b": 0, "c": 3 * time.Second} {
		if got, ok := robots.Rules(agent).CrawlDelay(); got != want || ok != (want > 0) {
			t.Errorf("%s: %v %v, want %v", agent, got, ok, want)
		}
	}
}

// TestManyLists checks that the time for a file's lists does not grow with the square of
// its lines.
func TestManyLists(t *testing.T) {
	const n = 20_000
	for name, body := range map[string]string{
		"long list":  strings.Repeat("User-agent: aaaaaaa\n", n) + strings.Repeat("Crawl-delay: 1\n", n),
		"many lists": strings.Repeat("User-agent: aaaaaaa\nCrawl-delay: 1\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			robots := robotstxt.Parse([]byte(body))
			extensions := 0
			for range robots.Rules("aaaaaaa").Extensions() {
				extensions++
			}
			for range robots.Extensions() {
				extensions++
			}
			if _, ok := robots.Rules("aaaaaaab").CrawlDelay(); ok || extensions != 2*n {
				t.Errorf("%v, %d extensions", ok, extensions)
			}
		})
	}
}

// refExtension is the oracle's description of an extension line.
type refExtension struct {
	line   int
	name   string // in lower case
	value  string
	listed bool  // it belongs to a list of agents
	agents []int // the numbers of its agent lines
	group  int   // the index of its group, -1 for none
}

// referenceExtensions returns the extension lines of a file, which are written in full
// (G65), each with its agents.
func referenceExtensions(dialect string, body []byte) []refExtension {
	lines := referenceLines(body)
	extensions := []refExtension{}
	for i, line := range lines {
		name := strings.ToLower(string(line.key))
		e := refExtension{line: line.number, name: name, value: string(line.value), group: -1}
		switch name {
		case "crawl-delay", "request-rate", "visit-time":
			e.listed = true
			e.agents = refList(dialect, lines, i)
		case "clean-param", "host", "content-signal", "content-usage", "license":
		default:
			continue
		}
		extensions = append(extensions, e)
	}

	number := 0 // of agent lines that were passed
	agentLines := []int{}
	for _, line := range lines {
		if line.kind == "user-agent" {
			agentLines = append(agentLines, line.number)
		}
	}
	for g, group := range refGroups(dialect, lines) {
		of := agentLines[number : number+len(group.agents)]
		number += len(group.agents)
		for i := range extensions {
			if !slices.Contains(group.lines, extensions[i].line) {
				continue
			}
			extensions[i].group = g
			// Content-Usage and the like belong to the group of RFC 9309.
			if !extensions[i].listed {
				extensions[i].agents = of
			}
		}
	}
	return extensions
}

// refList returns "the User-agent lines since the last rule or such value line that
// precedes them", for the value line at index i.
func refList(dialect string, lines []referenceLine, i int) []int {
	// Rules, comments and other lines between the list and the value do not matter. A
	// record of Koster 3.2 ends at a blank line, so the value is in no record then.
	at := i - 1
	for at >= 0 && lines[at].kind != "user-agent" {
		if lines[at].kind == "empty" && dialect == "koster1996" {
			return nil
		}
		at--
	}

	list := []int{}
	for ; at >= 0; at-- {
		line := lines[at]
		if line.kind == "user-agent" {
			list = append([]int{line.number}, list...)
			continue
		}
		if line.kind == "empty" && dialect == "koster1996" {
			break
		}
		// With or without a value, valid or not.
		key := strings.ToLower(string(line.key))
		if line.kind == "allow" || line.kind == "disallow" || key == "crawl-delay" || key == "request-rate" || key == "visit-time" {
			break
		}
	}
	return list
}

// referenceExtensionsOf returns the extension lines that apply to a crawler.
func referenceExtensionsOf(dialect string, body []byte, all []refExtension, agents []string) []refExtension {
	lines := referenceLines(body)
	selected := "*" // G31: an empty list means "*"; else the first token that a line names, else "*"
	for i := len(agents) - 1; i >= 0; i-- {
		if refFileNames(dialect, lines, agents[i]) {
			selected = agents[i]
		}
	}
	first := -1 // the first group that names it
	named := map[int]bool{}
	for i, group := range refGroups(dialect, lines) {
		if group.names(dialect, selected) {
			named[i] = true
			if first < 0 {
				first = i
			}
		}
	}
	applying := []refExtension{}
	for _, e := range all {
		if !named[e.group] || dialect == "koster1996" && e.group != first {
			continue
		}
		applies := !e.listed
		for _, number := range e.agents {
			if refLineNames(dialect, lines[number-1].value, selected) {
				applies = true
			}
		}
		if applies {
			applying = append(applying, e)
		}
	}
	return applying
}

// refDelay is the largest Crawl-delay in nanoseconds, rounded down, nil if there is none.
func refDelay(extensions []refExtension) *big.Int {
	var largest *big.Int
	for _, e := range extensions {
		whole, fraction, _ := strings.Cut(e.value, ".")
		digits := whole + fraction
		if e.name != "crawl-delay" || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		fraction += "000000000"
		delay, _ := new(big.Int).SetString(whole+fraction[:9], 10)
		if largest == nil || delay.Cmp(largest) > 0 {
			largest = delay
		}
	}
	return largest
}

// checkExtensions compares the agents of each extension line with the reference, and what
// applies to the crawler with these tokens and to each that the file names.
func checkExtensions(t testing.TB, d robotstxt.Dialect, robots *robotstxt.Robots, body []byte, tokens []string) {
	t.Helper()
	want := referenceExtensions(d.String(), body)
	if got, want := extensionsString(robots.Extensions()), refExtensionsString(want); got != want {
		t.Errorf("%v %q:\nextensions %s\nreference  %s", d, body, got, want)
	}
	if len(want) == 0 {
		return
	}
	crawlers := [][]string{tokens, {"nobody-names-this"}}
	seen := map[string]bool{}
	for group := range robots.Groups() {
		for a := range group.Agents() {
			if key := strings.ToLower(a.Token); !seen[key] && len(crawlers) < 100 {
				seen[key] = true
				crawlers = append(crawlers, []string{a.Token})
			}
		}
	}
	for _, agents := range crawlers {
		of := referenceExtensionsOf(d.String(), body, want, agents)
		rules := robots.Rules(agents...)
		if got, want := extensionsString(rules.Extensions()), refExtensionsString(of); got != want {
			t.Errorf("%v %q %q:\nextensions %s\nreference  %s", d, body, agents, got, want)
		}
		delay, ok := rules.CrawlDelay()
		wantDelay := refDelay(of)
		if wantDelay != nil && !wantDelay.IsInt64() {
			wantDelay = big.NewInt(math.MaxInt64)
		}
		if ok != (wantDelay != nil) || ok && int64(delay) != wantDelay.Int64() {
			t.Errorf("%v %q %q: delay %v %v, reference %v", d, body, agents, delay, ok, wantDelay)
		}
	}
}

func extensionsString(extensions func(func(robotstxt.Extension) bool)) string {
	var b strings.Builder
	for e := range extensions {
		fmt.Fprintf(&b, "%d %s=%s", e.Line, strings.ToLower(e.Name), e.Value)
		for a := range e.Agents() {
			fmt.Fprintf(&b, " %d", a.Line)
		}
		b.WriteString("; ")
	}
	return b.String()
}

func refExtensionsString(extensions []refExtension) string {
	var b strings.Builder
	for _, e := range extensions {
		fmt.Fprintf(&b, "%d %s=%s", e.line, e.name, e.value)
		for _, number := range e.agents {
			fmt.Fprintf(&b, " %d", number)
		}
		b.WriteString("; ")
	}
	return b.String()
}
