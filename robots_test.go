package robotstxt_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
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
	// A few literals have no index: 400 bytes more of text are 400 bytes more of memory.
	short := robotstxt.Parse([]byte("User-agent: *\nDisallow: /abc\n")).Size()
	if long := robotstxt.Parse([]byte("User-agent: *\nDisallow: /abc" + strings.Repeat("d", 400) + "\n")).Size(); long != short+400 {
		t.Errorf("%d bytes for a pattern with 400 bytes more than one of %d", long, short)
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
			var body, want, sitemaps, extensions strings.Builder
			for i := range shift {
				body.WriteString("Sitemap:s\n")
				fmt.Fprintf(&sitemaps, "sitemap %d:s\n", i+1)
			}
			for i := range groups {
				body.WriteString("User-agent:a\nUser-agent:b\nAllow:/%e9\nDisallow:/\nHost:h\n")
				n := shift + 5*i
				fmt.Fprintf(&want, "%d:a %d:b | %d+/%%E9(4) %d-/(1) | %d:Host=h\n", n+1, n+2, n+3, n+4, n+5)
				fmt.Fprintf(&extensions, "extension %d:Host=h\n", n+5)
			}
			if outline(robotstxt.Parse([]byte(body.String()))) != want.String()+sitemaps.String()+extensions.String() {
				t.Errorf("%d groups after %d lines: wrong outline", groups, shift)
			}
		}
	}
}

// TestManyLines checks that Parse and the one-shot call read the same lines of a body with
// more than they can number.
func TestManyLines(t *testing.T) {
	const last = 1 << 24
	rules := "User-agent: *\nAllow: /a\nDisallow: /b\nDisallow: /c\nDisallow: /d"
	var body []byte
	for _, line := range []string{"\n", "#\n", "\r\n", "\r"} { // "\r" before "\n" would be one line
		body = append(body, strings.Repeat(line, last/4)...)
	}
	body = append(body[:len(body)-4], rules...)
	parsed := robotstxt.Parse(body).Rules()
	for path, want := range map[string]int{"/a": last - 2, "/b": last - 1, "/c": last, "/d": 0} {
		if _, line := parsed.Verdict(path); line != want {
			t.Errorf("%s: line %d, want %d", path, line, want)
		}
	}
	for _, path := range []string{"/c", "/d"} { // the last line with a number, and the first without
		if allowed := robotstxt.Allowed(body, path); allowed != parsed.Allowed(path) {
			t.Errorf("%s: the one-shot call says %v", path, allowed)
		}
	}
}

// TestGigabyteBody checks the same for a body of more than a gigabyte. Its end is part of a
// line that must not become shorter.
func TestGigabyteBody(t *testing.T) {
	if enginetest.Size(0, 1) == 0 {
		t.Skip("ROBOTSTXT_LONG is not set")
	}
	const limit = 1 << 30
	body := make([]byte, limit+100)
	copy(body, "User-agent: *\nDisallow: /a\n")
	copy(body[limit-25:], "\nDisallow: /b\nDisallow: /cc\n")
	parsed := robotstxt.Parse(body).Rules()
	for path, want := range map[string]int{"/a": 2, "/b": 4, "/c": 0, "/cc": 0} {
		if _, line := parsed.Verdict(path); line != want {
			t.Errorf("%s: line %d, want %d", path, line, want)
		}
		if allowed := robotstxt.Allowed(body, path); allowed != (want == 0) {
			t.Errorf("%s: the one-shot call says %v", path, allowed)
		}
	}
}

func TestReadBody(t *testing.T) {
	const text = "User-agent: *\nDisallow: /private\nAllow: /\r\nAllow: /x"
	for _, c := range []struct {
		limit     int
		body      string
		truncated bool
	}{
		{0, text, false},
		{-1, text, false},
		{math.MaxInt, text, false},
		{len(text), text, false},
		{len(text) - 1, text[:43], true},
		{24, "User-agent: *\n", true}, // "Disallow: /" would disallow the site
		{32, "User-agent: *\nDisallow: /private", true},
		{33, "User-agent: *\nDisallow: /private\n", true},
		{34, "User-agent: *\nDisallow: /private\n", true},
		{41, text[:41], true},
		{42, text[:42], true},
		{13, "User-agent: *", true},
		{5, "", true},
	} {
		body, truncated, err := robotstxt.ReadBody(iotest.HalfReader(strings.NewReader(text)), c.limit)
		if string(body) != c.body || truncated != c.truncated || err != nil {
			t.Errorf("limit %d: %q %v %v, want %q %v", c.limit, body, truncated, err, c.body, c.truncated)
		}
	}
}

// TestReadBodyDefault checks that the default limit is 512,000 bytes, and that
// ReadBody reads at most one byte more from an endless reader [RFC 9309 2.5; Page:
// file format].
func TestReadBodyDefault(t *testing.T) {
	endless := &countingReader{unit: "Disallow: /x\n"}
	body, truncated, err := robotstxt.ReadBody(endless, 0)
	if len(body) != 512_000/13*13 || !truncated || err != nil {
		t.Errorf("%d bytes, truncated %v, %v", len(body), truncated, err)
	}
	if endless.n != 512_001 {
		t.Errorf("%d bytes were read, want 512001", endless.n)
	}
}

type countingReader struct {
	unit string
	n    int
}

func (r *countingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.unit[(r.n+i)%len(r.unit)]
	}
	r.n += len(p)
	return len(p), nil
}

// TestReadBodyError checks that the whole lines before a read error are returned
// with the error.
func TestReadBodyError(t *testing.T) {
	fault := errors.New("reset")
	r := io.MultiReader(strings.NewReader("Allow: /a\nDisallow: /"), iotest.ErrReader(fault))
	body, truncated, err := robotstxt.ReadBody(r, 0)
	if string(body) != "Allow: /a\n" || !truncated || !errors.Is(err, fault) {
		t.Errorf("%q %v %v", body, truncated, err)
	}
}
