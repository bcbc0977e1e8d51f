package robotstxt_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// outline describes what Robots exposes, one group per line.
func outline(r *robotstxt.Robots) string {
	var b strings.Builder
	for g := range r.Groups() {
		for a := range g.Agents() {
			fmt.Fprintf(&b, "%d:%s ", a.Line, a.Token)
		}
		b.WriteString("|")
		for rule := range g.Rules() {
			sign := "-"
			if rule.Allow {
				sign = "+"
			}
			fmt.Fprintf(&b, " %d%s%s(%d)", rule.Line, sign, rule.Pattern, rule.Length)
		}
		b.WriteString(" |")
		for e := range g.Extensions() {
			fmt.Fprintf(&b, " %d:%s=%s", e.Line, e.Name, e.Value)
		}
		b.WriteString("\n")
	}
	for s := range r.Sitemaps() {
		fmt.Fprintf(&b, "sitemap %d:%s\n", s.Line, s.URL)
	}
	for e := range r.Extensions() {
		fmt.Fprintf(&b, "extension %d:%s=%s\n", e.Line, e.Name, e.Value)
	}
	return b.String()
}

func TestRobots(t *testing.T) {
	body := `Host: shop.example
Disallow: /orphan
User-agent: a/1.0
crawl-delay: 5
Sitemap: https://shop.example/1.xml
User-agent: *x
disallow: /é$
allow:
Request-rate: 1/10s

User-agent: *
Content-signal: search=yes, ai-train=no
Content-Usage: train-ai=n
Visit-time: 0100-0200
Clean-param: ref /
License: https://shop.example/license.xml
site-map: 2.xml
`
	for _, c := range []struct {
		d    robotstxt.Dialect
		want string
	}{
		{robotstxt.Google, `3:a 6: | 7-/%C3%A9$(8) 8+(0) | 4:Crawl-delay=5 9:Request-rate=1/10s
11:* | | 12:Content-Signal=search=yes, ai-train=no 13:Content-Usage=train-ai=n 14:Visit-time=0100-0200 15:Clean-param=ref / 16:License=https://shop.example/license.xml
`},
		{robotstxt.RFC9309, `3:a 6:*x | 7-/%C3%A9$(8) 8+(0) | 4:Crawl-delay=5 9:Request-rate=1/10s
11:* | | 12:Content-Signal=search=yes, ai-train=no 13:Content-Usage=train-ai=n 14:Visit-time=0100-0200 15:Clean-param=ref / 16:License=https://shop.example/license.xml
`},
		{robotstxt.Koster1996, "3:a 6:*x | 7-/\xc3\xa9$(4) | 4:Crawl-delay=5 9:Request-rate=1/10s\n" +
			`11:* | | 12:Content-Signal=search=yes, ai-train=no 13:Content-Usage=train-ai=n 14:Visit-time=0100-0200 15:Clean-param=ref / 16:License=https://shop.example/license.xml
`},
	} {
		c.want += `sitemap 5:https://shop.example/1.xml
sitemap 17:2.xml
extension 1:Host=shop.example
extension 4:Crawl-delay=5
extension 9:Request-rate=1/10s
extension 12:Content-Signal=search=yes, ai-train=no
extension 13:Content-Usage=train-ai=n
extension 14:Visit-time=0100-0200
extension 15:Clean-param=ref /
extension 16:License=https://shop.example/license.xml
`
		robots := c.d.Parse([]byte(body))
		if got := outline(robots); got != c.want {
			t.Errorf("%v:\ngot\n%s\nwant\n%s", c.d, got, c.want)
		}
		if robots.Dialect() != c.d {
			t.Errorf("dialect %v, want %v", robots.Dialect(), c.d)
		}
	}
}

// TestRobotsKeepsNoReference checks that the body may be reused after Parse.
func TestRobotsKeepsNoReference(t *testing.T) {
	body := []byte("User-agent: a\nDisallow: /x\nSitemap: y\nCrawl-delay: 1\n")
	robots := robotstxt.Parse(body)
	before := outline(robots)
	copy(body, bytes.Repeat([]byte{'#'}, len(body)))
	if after := outline(robots); after != before {
		t.Errorf("changed with the body:\n%s\n%s", before, after)
	}
}

// TestRobotsIterationStops checks that a caller can stop every iterator early.
func TestRobotsIterationStops(t *testing.T) {
	robots := robotstxt.Parse([]byte("User-agent: a\nUser-agent: b\nCrawl-delay: 1\nHost: x\nDisallow: /x\nDisallow: /y\nSitemap: y\nSitemap: z\nUser-agent: c\n"))
	for g := range robots.Groups() {
		for range g.Agents() {
			break
		}
		for range g.Rules() {
			break
		}
		for range g.Extensions() {
			break
		}
		break
	}
	for range robots.Sitemaps() {
		break
	}
	for range robots.Extensions() {
		break
	}
	for range robots.Rules("a").Extensions() {
		break
	}
}

// TestParseIsLinear parses large bodies of bytes that start, end or cut lines. A
// parser that searches the rest of the body again for each of them would take minutes
// for one body, so the test would exceed its deadline; a linear one takes a fraction
// of a second.
func TestParseIsLinear(t *testing.T) {
	for _, unit := range []string{"\r", "\n", "\r\n", "\x00\n", ":", "#\r", "User-agent:a\r", "Disallow:/*\n"} {
		body := []byte(strings.Repeat(unit, 4<<20/len(unit)))
		robots := robotstxt.Parse(body)
		if !robots.Rules("b").Allowed("/") {
			t.Errorf("%q: disallowed", unit)
		}
	}
}

// TestSize checks that Size grows with the file, and counts the stored data and an
// index.
func TestSize(t *testing.T) {
	empty := robotstxt.Parse(nil).Size()
	body := "User-agent: *\n" + strings.Repeat("Disallow: /0123456789\n", 1000)
	if size := robotstxt.Parse([]byte(body)).Size(); size < empty+1000*11 || size > empty+1000*(11+12+64)+200 {
		t.Errorf("%d bytes for a body of %d, %d for an empty one", size, len(body), empty)
	}
}

// TestStarsMatchNoCrawler checks that no query matches an agent line of several stars.
func TestStarsMatchNoCrawler(t *testing.T) {
	for _, d := range []robotstxt.Dialect{robotstxt.RFC9309, robotstxt.Koster1996} {
		robots := d.Parse([]byte("User-agent: **\nDisallow: /\n"))
		if got := outline(robots); got != "1:** | 2-/(1) |\n" {
			t.Errorf("%v: %q", d, got)
		}
		for _, token := range []string{"*", "**", ""} {
			if !robots.Rules(token).Allowed("/") {
				t.Errorf("%v: the group applies to %q", d, token)
			}
		}
	}
}

// TestZeroRobots checks that the zero value acts like an empty file.
func TestZeroRobots(t *testing.T) {
	var robots robotstxt.Robots
	if got := outline(&robots); got != "" {
		t.Errorf("outline %q", got)
	}
	if allowed, line := robots.Rules("FooBot").Verdict("/"); !allowed || line != 0 {
		t.Errorf("allowed %v by line %d", allowed, line)
	}
}

// TestParserIsReused checks that the result of Parse does not depend on files that
// were parsed before in the same pooled memory, or are parsed at the same time.
func TestParserIsReused(t *testing.T) {
	for _, groups := range []int{60, 6000, 1, 600} {
		t.Run(fmt.Sprint(groups), func(t *testing.T) {
			t.Parallel()
			checkGroups(t, groups)
		})
	}
}

// checkGroups parses bodies of so many groups, with a few lines before them.
func checkGroups(t *testing.T, groups int) {
	for range 4 {
		for shift := range 5 {
			body := strings.Repeat("Sitemap:s\n", shift)
			var want, sitemaps, extensions string
			for i := range shift {
				sitemaps += fmt.Sprintf("sitemap %d:s\n", i+1)
			}
			for i := range groups {
				body += "User-agent:a\nUser-agent:b\nAllow:/%e9\nDisallow:/\nHost:h\n"
				n := shift + 5*i
				want += fmt.Sprintf("%d:a %d:b | %d+/%%E9(4) %d-/(1) | %d:Host=h\n", n+1, n+2, n+3, n+4, n+5)
				extensions += fmt.Sprintf("extension %d:Host=h\n", n+5)
			}
			if outline(robotstxt.Parse([]byte(body))) != want+sitemaps+extensions {
				t.Errorf("%d groups after %d lines: wrong outline", groups, shift)
			}
		}
	}
}

// TestManyLines checks that Parse drops rules whose line number is too high to store.
func TestManyLines(t *testing.T) {
	const last = 1<<24 - 1
	commented := append([]byte("User-agent: *\n"), bytes.Repeat([]byte("#\n"), last)...)
	commented = append(commented, "Disallow: /a\n"...)
	if _, line := robotstxt.Parse(commented).Rules().Verdict("/a"); line != 0 {
		t.Errorf("after comments: line %d, want none", line)
	}
	body := append(bytes.Repeat([]byte{'\n'}, last-3), "User-agent: *\nAllow: /a\nDisallow: /b\nDisallow: /c\n"...)
	rules := robotstxt.Parse(body).Rules()
	for path, want := range map[string]int{"/a": last - 1, "/b": last, "/c": 0} {
		if _, line := rules.Verdict(path); line != want {
			t.Errorf("%s: line %d, want %d", path, line, want)
		}
	}
}
