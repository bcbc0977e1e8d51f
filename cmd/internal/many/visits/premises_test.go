package visits_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/origin"
)

// lawCase is a log whose last visit lacks exactly one premise.
type lawCase struct {
	premise, name string
	log           []string // of log lines; the last one is judged
	file          string   // default: everything is disallowed
	change        func(*visits.Config)
	want          string // the result and why
	without       string // the result without the premise, default disobeyed
}

// day is an hour of the Monday after the first, and at a time in it.
var day = monday.AddDate(0, 0, 7)

func at(offset time.Duration, crawler, target string, status int) string {
	return request(day.Add(offset), crawler, target, status)
}

// hostless removes the host of a line.
func hostless(line string) string { return strings.TrimPrefix(line, "shop.example:443 ") }

var lawCases = []lawCase{
	{premise: "not-robots", log: []string{at(0, "GPTBot", "/en/ROBOTS.TXT", 200)}, want: "exempt robots-txt"},
	{premise: "not-robots", name: "spelling", log: []string{at(0, "GPTBot", "//robots-shop.txt%20/?v=1", 200)}, want: "exempt robots-txt"},
	{premise: "not-robots", name: "redirect", log: []string{at(-time.Minute, "GPTBot", "/robots.txt", 302), at(0, "GPTBot", "/rules", 200)}, want: "exempt redirect"},
	{premise: "not-robots", name: "redirect of another host", log: []string{
		strings.Replace(at(-time.Minute, "GPTBot", "/robots.txt", 302), "shop.", "www.shop.", 1), at(0, "GPTBot", "/rules", 200),
	}, want: "exempt redirect"},
	{premise: "target", log: []string{strings.Replace(at(0, "GPTBot", "/", 400), "GET / HTTP/1.1", "-", 1)}, want: "exempt no-target", without: "exempt"},
	{premise: "method", log: []string{strings.Replace(at(0, "GPTBot", "/", 200), "GET", "POST", 1)}, want: "exempt method"},
	{premise: "this-site", log: []string{at(-time.Minute, "GPTBot", "/robots.txt", 200), strings.Replace(at(0, "GPTBot", "/", 200), "shop.", "blog.", 1)}, want: "exempt other-site"},
	{premise: "site-known", log: []string{hostless(at(0, "GPTBot", "/", 200))}, change: noSite, want: "not-judged site"},
	{premise: "site-known", name: "a configured name", log: []string{at(0, "GPTBot", "/", 200)}, change: noSite, want: "not-judged site"},
	{premise: "site-known", name: "a user, not a host", log: []string{hostless(at(-time.Minute, "CCBot", "/", 200)), strings.Replace(hostless(at(0, "GPTBot", "/", 200)), "- - [", "- shop.example [", 1)}, want: "not-judged site"},
	{premise: "site-known", name: "two sites", log: []string{hostless(at(0, "GPTBot", "/", 200))}, change: func(c *visits.Config) {
		c.Sites = append(c.Sites, mustOrigin("https://blog.example"))
	}, want: "not-judged site"},
	{premise: "site-known", name: "no host, in a log with hosts", log: []string{at(-time.Minute, "CCBot", "/", 200), "-" + strings.TrimPrefix(at(0, "GPTBot", "/", 200), "shop.example:443")}, want: "not-judged site"},
	{premise: "not-named", file: "Sitemap: https://shop.example/map.xml\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/map.xml", 200)}, want: "exempt named"},
	{premise: "not-named", name: "licence", file: "License: /licence.xml\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/licence.xml", 200)}, want: "exempt named"},
	{premise: "not-named", name: "another scheme and host, and a percent code", file: "Sitemap: http://www.shop.example:80/m%c3%a4p.xml?a\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/m%C3%A4p.xml?a", 200)}, want: "exempt named"},
	{premise: "disallowed", file: "User-agent: *\nDisallow: /private\n", log: []string{at(0, "GPTBot", "/tea", 200)}, want: "allowed ", without: "old-copy"},
	{premise: "timed", log: []string{strings.Replace(at(0, "GPTBot", "/", 200), " 200 5 ", " 200 100000000 ", 1)}, want: "not-judged slow"},
	{premise: "whole-target", log: []string{`{"t":"2026-11-09T09:00:00Z","a":"11.1.0.7","u":"GPTBot","p":"/","h":"shop.example","m":"GET","s":200}`}, change: mapped, want: "not-judged no-query"},
	{premise: "whole-target", name: "decoded", log: []string{"#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs-host sc-status", "2026-11-09 09:00:00 11.1.0.7 GET /a+b - GPTBot shop.example 200"}, want: "not-judged decoded"},
	{premise: "whole-target", name: "a slash that might have been %2F", file: "User-agent: *\nDisallow: /private/\n", log: []string{"#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs-host sc-status", "2026-11-09 09:00:00 11.1.0.7 GET /private/1 - GPTBot shop.example 200"}, want: "not-judged decoded"},
	{premise: "whole-target", name: "an escape that another server does not write", log: []string{at(0, "GPTBot", `/\x70rivate`, 200)}, want: "not-judged decoded"},
	{premise: "whole-target", name: "a question mark that CloudFront does not show", file: "User-agent: *\nDisallow: /private$\n", log: []string{cloudFrontFields, "2026-11-09\t09:00:00\t11.6.0.7\tGET\t/private\t-\tGooglebot\tshop.example\t200"}, want: "not-judged no-query"},
	{premise: "whole-target", name: "a code of HAProxy", log: []string{at(0, "GPTBot", "/tea#22private", 200)}, want: "not-judged decoded"},
	{premise: "whole-target", name: "dot segments", file: "User-agent: *\nDisallow: /private\n", log: []string{at(0, "GPTBot", "/private/../ok", 200)}, want: "not-judged decoded"},
	{premise: "whole-target", name: "coded dot segments", file: "User-agent: *\nDisallow: /private\n", log: []string{at(0, "GPTBot", "/private/x/%2e%2E/.%2e?a", 200)}, want: "not-judged decoded"},
	{premise: "promise", name: "of one of two names", log: []string{twoNames("ChatGPT-User")}, want: "no-promise no-promise"},
	{premise: "promise", log: []string{strings.NewReplacer("GPTBot/1.0", "ChatGPT-User/1.0", "11.1.0.7", "11.5.0.7").Replace(at(0, "GPTBot", "/", 200))}, want: "no-promise no-promise"},
	{premise: "address", log: []string{strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "10.1.0.7", 1)}, want: "unproved no-address"},
	{premise: "address", name: "shortened", log: []string{strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "11.1.0.0", 1)}, want: "unproved shortened"},
	{premise: "address", name: "a proxy", log: []string{strings.Replace(at(-time.Minute, "CCBot", "/", 200), "11.2.0.7", "11.1.0.7", 1), at(0, "GPTBot", "/", 200)}, want: "unproved proxy"},
	{premise: "address", name: "a proxy that sends two names in one header", log: []string{twoNames("CCBot")}, want: "unproved proxy"},
	{premise: "address", name: "a proxy that sends two names in one header, whose other one is later", log: []string{strings.Replace(twoNames("X"), "; X/1.0", ") CCBot/2.0 (", 1)}, want: "unproved proxy"},
	{premise: "address", name: "a proxy, known by another request", log: []string{strings.Replace(twoNames("CCBot"), "09:00:00", "08:00:00", 1), at(0, "GPTBot", "/", 200)}, want: "unproved proxy"},
	{premise: "listed", log: []string{strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "11.77.0.7", 1)}, want: "unproved alone"},
	{premise: "listed", name: "a false one", log: []string{at(-time.Minute, "GPTBot", "/robots.txt", 200), strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "11.77.0.7", 1)}, want: "unproved not-listed"},
	{premise: "listed", name: "before the next list", log: []string{request(monday.AddDate(0, 0, 69).Add(time.Hour), "GPTBot", "/", 200)}, want: "unproved list-far"},
	{premise: "answered", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 403), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a challenge", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 202), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a part", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 206), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a malformed request", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 400), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a long header", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 431), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a range that does not exist", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 416), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "an empty 203", log: []string{strings.Replace(clf(at(-time.Hour, "GPTBot", "/robots.txt", 203), 0), "GPTBot", "Nobody", 1), at(0, "GPTBot", "/", 200)}, want: "old-copy outage"},
	{premise: "answered", name: "451 to anybody", log: []string{strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 451), "11.1.0.7", "11.77.0.7", 1), at(0, "GPTBot", "/", 200)}, want: "old-copy outage"},
	{premise: "answered", name: "headers without a file", log: []string{w3cFields, w3c("08:00", "/robots.txt", "Nobody", 900), w3c("08:10", "/robots.txt", "Nobody", 250), w3c("09:00", "/", "GPTBot", 900)}, want: "old-copy outage"},
	{premise: "answered", name: "headers without a file, and no cache", log: []string{w3cFields, w3c("08:00", "/robots.txt", "Nobody", 900), w3c("08:10", "/robots.txt", "GPTBot", 250), w3c("09:00", "/", "GPTBot", 900)}, change: func(c *visits.Config) { c.NoSiteCache = true }, want: "old-copy outage"},
	{premise: "answered", name: "a user with a dot", log: []string{
		strings.Replace(strings.Replace(hostless(at(-time.Hour, "GPTBot", "/robots.txt", 503)), "GPTBot", "Nobody", 1), "- - [", "- monitor.bot [", 1),
		hostless(at(-time.Minute, "CCBot", "/", 200)), hostless(at(0, "GPTBot", "/", 200)),
	}, want: "old-copy outage"},
	{premise: "answered", name: "a user with a dot, behind a proxy", log: []string{
		oldHTTP(strings.Replace(strings.Replace(hostless(at(-time.Hour, "GPTBot", "/robots.txt", 503)), "GPTBot", "Nobody", 1), "- - [", "- monitor.bot [", 1)),
		oldHTTP(hostless(at(0, "GPTBot", "/", 200))),
	}, want: "old-copy outage"},
	{premise: "answered", name: "many redirects, of which the last leads to nothing", log: manyRedirects(), want: "old-copy redirected"},
	{premise: "not-robots", name: "the first request of its address, but the sixth of its operator", log: laterTarget(), want: "exempt redirect"},
	{premise: "answered", name: "405 to GET", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 405), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "its address, under another name", log: []string{strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 403), "GPTBot", "Nobody", 1), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a redirect's target", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 302), at(-time.Hour+time.Second, "GPTBot", "/rules", 403), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a redirect's target that is not found, before a page", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 302), at(-time.Hour+time.Second, "GPTBot", "/rules", 404), at(-time.Hour+2*time.Second, "GPTBot", "/page", 200), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a known target that is not found, before a known page", log: slices.Concat(manyTargets(), []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 302), at(-time.Hour+time.Second, "GPTBot", "/rules", 404),
		at(-time.Hour+2*time.Second, "GPTBot", "/page", 200), at(0, "GPTBot", "/", 200),
	}), want: "old-copy refused"},
	{premise: "answered", name: "the second redirect's target that is not found", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 302), at(-time.Hour+time.Second, "GPTBot", "/rules", 200),
		at(-time.Hour+9*time.Second, "GPTBot", "/robots.txt", 302), at(-time.Hour+10*time.Second, "GPTBot", "/rules", 404),
		at(-time.Hour+12*time.Second, "GPTBot", "/page", 200), at(0, "GPTBot", "/", 200),
	}, want: "old-copy refused"},
	{premise: "answered", name: "the first redirect's target that is refused", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 302), at(-time.Hour+time.Second, "GPTBot", "/rules", 403),
		at(-time.Hour+9*time.Second, "GPTBot", "/robots.txt", 302), at(-time.Hour+10*time.Second, "GPTBot", "/rules", 200), at(0, "GPTBot", "/", 200),
	}, want: "old-copy refused"},
	{premise: "answered", name: "a second redirect that leads to nothing", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 302), at(-time.Hour+time.Second, "GPTBot", "/rules", 200),
		at(-time.Hour+9*time.Second, "GPTBot", "/robots.txt", 302), at(0, "GPTBot", "/", 200),
	}, want: "old-copy redirected"},
	{premise: "answered", name: "a redirect's target fetched by somebody else", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 302), from(at(-time.Hour+time.Second, "GPTBot", "/rules", 200), "11.1.0.0", "shop.example"), at(0, "GPTBot", "/", 200),
	}, want: "old-copy redirected"},
	{premise: "answered", name: "a redirect's target without a byte", log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 302), clf(at(-time.Hour+time.Second, "GPTBot", "/rules", 200), 0), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a page of another address after a redirect", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 301), from(at(-time.Hour+2*time.Second, "GPTBot", "/ok", 200), "11.1.0.8", "shop.example"), at(0, "GPTBot", "/", 200),
	}, want: "old-copy redirected"},
	{premise: "answered", name: "a page of another address before a target that is not found", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 301), from(at(-time.Hour+2*time.Second, "GPTBot", "/ok", 200), "11.1.0.8", "shop.example"),
		at(-time.Hour+5*time.Second, "GPTBot", "/r.txt", 404), at(0, "GPTBot", "/", 200),
	}, want: "old-copy refused"},
	{premise: "answered", name: "two files of one of two redirected addresses", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 301), from(at(-time.Hour, "GPTBot", "/robots.txt", 301), "11.1.0.8", "shop.example"),
		at(-time.Hour+time.Second, "GPTBot", "/rules", 200), at(-time.Hour+2*time.Second, "GPTBot", "/page", 200), at(0, "GPTBot", "/", 200),
	}, want: "old-copy redirected"},
	{premise: "answered", name: "another crawler's own robots.txt after a redirect", log: []string{
		at(-time.Hour, "GPTBot", "/robots.txt", 302), from(at(-time.Hour+30*time.Second, "GPTBot", "/robots.txt", 200), "11.1.0.8", "shop.example"), at(0, "GPTBot", "/", 200),
	}, want: "old-copy redirected"},
	{premise: "answered", name: "other spellings of robots.txt", log: []string{at(-time.Hour, "GPTBot", "//robots.txt", 403), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a final slash", log: []string{at(-time.Hour, "GPTBot", "/robots.txt/", 404), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a final space", log: []string{at(-time.Hour, "GPTBot", "/robots.txt%20", 403), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a fragment", log: []string{at(-time.Hour, "GPTBot", "/robots.txt#", 404), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "percent codes and dots", log: []string{at(-time.Hour, "GPTBot", "/x/%2E%2E/%72obots.txt", 403), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a redirect of another spelling", log: []string{at(-time.Hour, "GPTBot", "//robots.txt", 301), at(-time.Hour+time.Second, "GPTBot", "/r", 403), at(0, "GPTBot", "/", 200)}, want: "old-copy refused"},
	{premise: "answered", name: "a URL of another scheme in a log without hosts", log: []string{
		hostless(at(-49*time.Hour, "CCBot", "/", 200)), hostless(at(-time.Hour, "GPTBot", "http://shop.example/robots.txt", 404)), hostless(at(0, "GPTBot", "/", 200)),
	}, want: "old-copy refused"},
	{premise: "answered", name: "an outage", log: []string{strings.Replace(at(-47*time.Hour, "GPTBot", "/robots.txt", 503), "GPTBot", "Nobody", 1), at(0, "GPTBot", "/", 200)}, want: "old-copy outage"},
	{premise: "answered", name: "an aborted answer", log: []string{strings.Replace(strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 200), "GPTBot", "Nobody", 1), " 200 5 ", " 200 0 ", 1), at(0, "GPTBot", "/", 200)}, want: "old-copy outage"},
	{premise: "logged", log: []string{at(0, "GPTBot", "/", 200)}, change: func(c *visits.Config) { c.LogsSince = time.Time{} }, want: "not-judged logs-begin"},
	{premise: "logged", name: "a day, of which some minutes are in the days before and after it", log: []string{at(-50*time.Hour, "CCBot", "/", 200), at(-25*time.Hour-time.Minute, "CCBot", "/", 200), at(-2*time.Hour, "CCBot", "/", 200), at(0, "GPTBot", "/", 200)}, change: func(c *visits.Config) { c.LogsSince = time.Time{} }, want: "not-judged logs-gap"},
	{premise: "logged", name: "a gap", log: []string{at(-50*time.Hour, "CCBot", "/", 200), at(-24*time.Hour, "CCBot", "/", 200), at(0, "GPTBot", "/", 200)}, change: func(c *visits.Config) { c.LogsSince = time.Time{} }, want: "not-judged logs-gap"},
	{premise: "copies", log: []string{at(0, "GPTBot", "/", 200)}, change: func(c *visits.Config) { c.Since = day.Add(-47 * time.Hour) }, want: "not-judged unknown-copy"},
	{premise: "readings", file: "User-agent: *\nAllow: /a\nDisallow: /a/b\n", log: []string{at(0, "GPTBot", "/a/b", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a misspelt key", file: "User-agent: *\nDissallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a misspelt agent", file: "User-agent: *\nDisallow: /\n\nUseragent: *\nDisallow: /\nUser-agent: GPTBot\nDisallow /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a misspelt key and a stated reading", file: "User-agent: *\nDissallow: /\n", log: []string{at(0, "Amazonbot", "/", 200)}, change: longServed, want: "old-copy reading"},
	{premise: "readings", name: "a part of its name", file: "User-agent: GPT\nDisallow:\n\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a longer name", file: "User-agent: GPTBot-Images\nDisallow:\n\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "another product of its family", file: "User-agent: GoogleOther\nDisallow:\n\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GoogleOther-Image", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "the name that it had before", file: "User-agent: msnbot\nDisallow:\n\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "bingbot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a star and another name", file: "User-agent: * Bingbot\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a star and another name, for a stated reading", file: "User-agent: *\tBingbot\nDisallow: /\n", log: []string{at(0, "Amazonbot", "/", 200)}, change: longServed, want: "old-copy reading"},
	{premise: "readings", name: "its name and another one", file: "User-agent: GPTBot CCBot\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "its name and a version", file: "User-agent: GPTBot/1.0\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "its name behind another one", file: "User-agent: CCBot, GPTBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a rule that ends at white space", file: "User-agent: *\nAllow: /a b\nDisallow: /\n", log: []string{at(0, "GPTBot", "/a", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a byte order mark", file: "\ufeffUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a NUL", file: "User-agent: *\nDisallow: /\x00\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "an empty Disallow before it", file: "User-agent: *\nDisallow: # nothing\nDisallow: /private\n", log: []string{at(0, "GPTBot", "/private", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "an empty Disallow after it", file: "User-agent: x\nUser-agent: *\nDisallow: /private\nDisallow:", log: []string{at(0, "GPTBot", "/private", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "an empty Allow before it", file: "User-agent: *\nAllow:\nDisallow: /private\n", log: []string{at(0, "GPTBot", "/private", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "Crawl-delay between two names", file: "User-agent: GPTBot\nCrawl-delay: 1\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "another key between two names", file: "User-agent: *\nRequest-rate: 1/5\n# the others\nUser-agent: CCBot\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "Sitemap between two names", file: "User-agent: *\nSitemap: https://shop.example/map\nUser-agent: CCBot\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a form feed before the key", file: "User-agent: *\n\fDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a vertical tab after the key", file: "User-agent: *\nDisallow\v: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a form feed before the value", file: "User-agent: *\nDisallow:\f/\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a form feed after the value, for a stated reading", file: "User-agent: *\f\nDisallow: /\n", log: []string{at(0, "Amazonbot", "/", 200)}, change: longServed, want: "old-copy reading"},
	{premise: "readings", name: "a name after a no-break space", file: "User-agent: *\nDisallow: /\n\nUser-agent:\u00a0GPTBot\nAllow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a no-break space of Latin-1 before a key", file: "User-agent: *\n\xa0Allow: /\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "a line end of Unicode", file: "User-agent: *\nDisallow: /\n#\u2028Allow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
	{premise: "readings", name: "two names of an operator", file: "User-agent: OAI-SearchBot\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n", log: []string{twoNames("OAI-SearchBot")}, want: "old-copy reading"},
	{premise: "readings", name: "a record without rules", file: "User-agent: GPTBot\nCrawl-delay: 9\n\nUser-agent: *\nDisallow: /\n", log: []string{at(0, "GPTBot", "/", 200)}, want: "old-copy reading"},
}

const (
	w3cFields        = "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs-host sc-status sc-bytes"
	cloudFrontFields = "#Fields: date\ttime\tc-ip\tcs-method\tcs-uri-stem\tcs-uri-query\tcs(User-Agent)\tx-host-header\tsc-status"
)

// twoNames is a visit with GPTBot's name before another one.
func twoNames(other string) string {
	return strings.Replace(at(0, "GPTBot", "/", 200), "GPTBot/1.0", "Mozilla/5.0 (compatible; GPTBot/1.0; "+other+"/1.0; +https://openai.com/gptbot)", 1)
}

func oldHTTP(line string) string { return strings.Replace(line, "HTTP/1.1", "HTTP/1.0", 1) }

// from sets the address and the host of a line.
func from(line, addr, host string) string {
	return strings.NewReplacer("11.1.0.7", addr, "shop.example", host).Replace(line)
}

// manyRedirects are redirects in a minute, of which a robots.txt follows all but the last.
func manyRedirects() (lines []string) {
	const n = 17
	for i := range n {
		lines = append(lines, from(at(-time.Hour+time.Duration(i)*time.Second, "GPTBot", "/robots.txt", 301), fmt.Sprintf("11.1.0.%d", 10+i), "shop.example"))
	}
	for i := range n - 1 {
		lines = append(lines, from(at(-time.Hour+20*time.Second, "GPTBot", "/robots.txt", 200), fmt.Sprintf("11.1.0.%d", 10+i), "www.shop.example"))
	}
	return append(lines, at(0, "GPTBot", "/", 200))
}

// manyTargets are two redirects of robots.txt to /rules, with a page after it.
func manyTargets() (lines []string) {
	for i := range 2 {
		begin := time.Duration(i-9) * time.Hour
		lines = append(lines, at(begin, "GPTBot", "/robots.txt", 301), at(begin+time.Second, "GPTBot", "/rules", 200), at(begin+2*time.Second, "GPTBot", "/page", 200))
	}
	return lines
}

// manyRobots are two redirects of robots.txt to the one of another host.
func manyRobots() (lines string) {
	for i := range 2 {
		begin := time.Duration(i-9) * time.Hour
		lines += at(begin, "GPTBot", "/robots.txt", 301) + from(at(begin+time.Second, "GPTBot", "/robots.txt", 200), "11.1.0.7", "www.example")
	}
	return lines
}

// laterTarget is a redirect to two addresses, one of which makes five requests before the other makes its first.
func laterTarget() (lines []string) {
	for _, addr := range []string{"11.1.0.10", "11.1.0.11"} {
		lines = append(lines, from(at(-time.Minute, "GPTBot", "/robots.txt", 301), addr, "other.example"))
	}
	for i := range 5 {
		lines = append(lines, from(at(time.Duration(i-9)*time.Second, "GPTBot", "/", 200), "11.1.0.10", "shop.example"))
	}
	lines = append(lines, from(at(-time.Second, "GPTBot", "/robots.txt", 200), "11.1.0.11", "shop.example"))
	return append(lines, from(at(0, "GPTBot", "/rules", 200), "11.1.0.11", "shop.example"))
}

// w3c is a line of IIS, whose sizes include headers.
func w3c(clock, target, crawler string, size int) string {
	return fmt.Sprintf("2026-11-09 %s:00 11.1.0.7 GET %s - %s shop.example 200 %d", clock, target, crawler, size)
}

// clf sets the size in a line.
func clf(line string, size int) string {
	return regexp.MustCompile(`" (\d+) 5 "`).ReplaceAllString(line, fmt.Sprintf(`" $1 %d "`, size))
}

// longServed states that the file and the logs go back for Amazonbot's month.
func longServed(c *visits.Config) {
	c.Since, c.LogsSince = monday.AddDate(0, 0, -60), monday.AddDate(0, 0, -60)
}

func mustOrigin(text string) origin.Origin {
	o, err := origin.Of(text)
	if err != nil {
		panic(err)
	}
	return o
}

func noSite(c *visits.Config) { c.Sites = nil }

func mapped(c *visits.Config) {
	c.Map = accesslog.Map{"time": "t", "addr": "a", "agent": "u", "target": "p", "host": "h", "method": "m", "status": "s"}
}

// judged returns the result of the last visit of a case, and why.
func (l *lawCase) judged(t *testing.T, without string) (result, why string) {
	t.Helper()
	file := l.file
	if file == "" {
		file = "User-agent: *\nDisallow: /\n"
	}
	c := visits.Config{
		Sites: origins(t, "https://shop.example"), File: []byte(file), Since: monday.AddDate(0, 0, -30), LogsSince: monday.AddDate(0, 0, -30), Zone: time.UTC,
		Lists: newLists(t), Note: t.Logf, Problem: func(err error) { t.Error(err) },
	}
	if l.change != nil {
		l.change(&c)
	}
	if without != "" {
		c.Without(without)
	}
	last := int64(0)
	c.Hits = func(row *visits.Row) error {
		if row.Line > last {
			last, result, why = row.Line, *row.Result, ""
			if row.Why != nil {
				why = *row.Why
			}
		}
		return nil
	}
	text := strings.Join(l.log, "\n")
	found, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", strings.ReplaceAll(text, "\n\n", "\n")+"\n")})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, found)
	return result, why
}

// TestPremises: a visit that lacks one premise does not disobey, and would without that premise. So each
// premise is needed, and none is checked twice.
func TestPremises(t *testing.T) {
	covered := map[string]bool{}
	for _, l := range lawCases {
		covered[l.premise] = true
		name := strings.TrimSpace(l.premise + " " + l.name)
		if result, why := l.judged(t, ""); result+" "+why != l.want {
			t.Errorf("%s: %s %s, want %s", name, result, why, l.want)
		}
		want := l.without
		if want == "" {
			want = "disobeyed"
		}
		if result, why := l.judged(t, l.premise); result != want {
			t.Errorf("%s: without the premise %s %s, want %s", name, result, why, want)
		}
	}
	for _, name := range visits.Premises() {
		if !covered[name] {
			t.Errorf("no case lacks the premise %s", name)
		}
	}
	control := lawCase{log: []string{at(0, "GPTBot", "/", 200)}}
	if result, _ := control.judged(t, ""); result != "disobeyed" {
		t.Errorf("with all premises: %s", result)
	}
}

// TestSizes: if sizes include headers, a compressed file is a file, and so is one whose size the log does not show. An
// answer that might have had headers only leaves crawlers without rules.
func TestSizes(t *testing.T) {
	long := "User-agent: *\nDisallow: /\n"
	for n := range 60 {
		long += fmt.Sprintf("Disallow: /folder/%d/archive/\n", n*n)
	}
	const headers, compressed = 300, 249 // of long, with gzip
	whole := headers + len(long)
	short := "User-agent: *\nDisallow: /\n"
	large := short
	for n := range 400 {
		large += fmt.Sprintf("Disallow: /%x\n", sha256.Sum256([]byte{byte(n), byte(n >> 8)}))
	}
	repetitive := short + strings.Repeat("#", 200) + "\n" // with gzip, 51 bytes
	for _, test := range []struct {
		name, file string
		sizes      []int // -1 is not shown
		want       string
	}{
		{"gzip and identity", long, []int{whole, headers + compressed}, "disobeyed"},
		{"gzip, identity and headers", long, []int{whole, headers + compressed, headers + 9}, "old-copy outage"},
		{"identity and headers", long, []int{whole, headers}, "old-copy outage"},
		{"gzip and headers", long, []int{headers + compressed, headers}, "old-copy outage"},
		{"other headers", long, []int{whole + 64, whole}, "disobeyed"},
		{"a cookie and a large file", large, []int{headers + len(large) + 400, headers + len(large)}, "disobeyed"},
		{"a cookie, a large file and headers", large, []int{headers + len(large) + 400, headers}, "old-copy outage"},
		{"a cookie and a small file", long, []int{whole + 400, whole}, "old-copy outage"},
		{"something longer", long, []int{whole + 5000, whole}, "old-copy outage"},
		{"a size that is not shown", long, []int{whole, -1}, "disobeyed"},
		{"a small file and other headers", short, []int{headers + len(short), headers + len(short) - 12}, "disobeyed"},
		{"a small file and headers", short, []int{headers + len(short), headers}, "old-copy outage"},
		{"a small file with gzip and headers", repetitive, []int{headers + 51, headers}, "old-copy outage"},
		{"an aborted answer", short, []int{headers + len(short), 0}, "old-copy outage"},
	} {
		l := lawCase{file: test.file, log: []string{w3cFields}}
		for n, size := range test.sizes {
			line := w3c(fmt.Sprintf("08:%02d", n), "/robots.txt", "Nobody", size)
			l.log = append(l.log, strings.Replace(line, "200 -1", "200 -", 1))
		}
		l.log = append(l.log, w3c("09:00", "/", "GPTBot", 900))
		if result, why := l.judged(t, ""); strings.TrimSpace(result+" "+why) != test.want {
			t.Errorf("%s: %s %s, want %s", test.name, result, why, test.want)
		}
	}
}

// TestPorts: requests to another port, or with another scheme, are not to the judged site, in whatever field the log
// has them.
func TestPorts(t *testing.T) {
	for _, test := range []struct{ format, values, want string }{
		{"$host:$server_port", "shop.example:443", "disobeyed"},
		{"$host:$server_port", "shop.example:8443", "exempt"},
		{"$host:$server_port", "shop.example:80", "exempt"},
		{"$http_host $server_port", "shop.example:8443 8443", "exempt"},
		{"$http_host $server_port", "shop.example 443", "disobeyed"},
		{"$server_port", "443", "disobeyed"},
		{"$server_port", "8443", "exempt"},
		{"$scheme", "http", "exempt"},
		{"$scheme", "https", "disobeyed"},
		{"$host $https", "shop.example on", "disobeyed"},
		{"$host $ssl_protocol", "shop.example -", "not-judged"}, // other lines have one
		{"%{Host}i:%p", "shop.example:443", "disobeyed"},
		{"%{Host}i:%p", "shop.example:8443", "exempt"},
		{"%v %{local}p", "shop.example 80", "exempt"},
		{"%V:%{canonical}p", "shop.example:8443", "exempt"},
		{"%V %{remote}p", "shop.example 8443", "disobeyed"},
		{"%p", "80", "exempt"},
		{"%V %{SSL_PROTOCOL}x", "shop.example TLSv1.3", "disobeyed"},
		{"%V %{HTTPS}e", "shop.example off", "not-judged"},
	} {
		text := `$remote_addr [$time_local] "$request" $status $body_bytes_sent "$http_user_agent" ` + test.format
		if strings.Contains(test.format, "%") {
			text = `%h %t "%r" %>s %b "%{User-Agent}i" ` + test.format
		}
		line := func(offset time.Duration, target, values string) string {
			clock := day.Add(offset).Format("02/Jan/2006:15:04:05 -0700")
			return fmt.Sprintf("11.1.0.7 [%s] \"GET %s HTTP/1.1\" 200 5 \"GPTBot/1.0\" %s\n", clock, target, values)
		}
		usual := strings.NewReplacer("8443", "443", "80", "443", " -", " TLSv1.3", " off", " on").Replace(test.values)
		l := lawCase{log: []string{line(-time.Minute, "/robots.txt", usual), line(0, "/", test.values)}}
		l.change = func(c *visits.Config) {
			format, err := accesslog.ParseFormat(text)
			if err != nil {
				t.Fatal(err)
			}
			c.Format = format
		}
		if result, why := l.judged(t, ""); result != test.want {
			t.Errorf("%s with %s: %s %s, want %s", test.format, test.values, result, why, test.want)
		}
	}
}

// TestWithoutTLS: a line of Caddy without TLS, in a log that has it in others, can be for either scheme.
func TestWithoutTLS(t *testing.T) {
	line := func(offset time.Duration, tls string) string {
		return fmt.Sprintf(`{"ts":%d,"request":{"client_ip":"11.1.0.7","method":"GET","host":"shop.example","uri":"/"%s,"headers":{"User-Agent":["GPTBot"]}},"status":200,"size":5}`+"\n",
			day.Add(offset).Unix(), tls)
	}
	const with = `,"tls":{"version":772}`
	for _, test := range []struct{ other, last, want string }{{with, "", "not-judged site"}, {with, with, "disobeyed "}, {"", "", "disobeyed "}} {
		l := lawCase{log: []string{line(-time.Minute, test.other), line(0, test.last)}}
		if result, why := l.judged(t, ""); result+" "+why != test.want {
			t.Errorf("%q after %q: %s %s, want %s", test.last, test.other, result, why, test.want)
		}
	}
}

// TestQuietWitnesses: answers that leave no crawler without rules shield nobody.
func TestQuietWitnesses(t *testing.T) {
	for name, line := range map[string]string{
		"405 to POST":      strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 405), "GET", "POST", 1),
		"not modified":     strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 304), " 304 5 ", " 304 0 ", 1),
		"large answers":    clf(at(-2*time.Hour, "GPTBot", "/robots.txt", 200), 900) + clf(at(-time.Hour, "GPTBot", "/robots.txt", 200), 50),
		"another operator": at(-time.Hour, "CCBot", "/robots.txt", 403),
		"a false name":     at(-2*time.Hour, "GPTBot", "/x", 200) + strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 403), "11.1.0.7", "11.77.0.7", 1),
		"long ago":         at(-49*time.Hour, "GPTBot", "/robots.txt", 503),
		"a followed one":   at(-time.Hour, "GPTBot", "/robots.txt", 301) + at(-time.Hour+time.Second, "GPTBot", "/rules", 200) + at(-time.Hour+2*time.Second, "GPTBot", "/page", 404),
		"a known target that the operator's other address fetches": strings.Join(manyTargets(), "") + at(-time.Hour, "GPTBot", "/robots.txt", 301) +
			from(at(-time.Hour+time.Second, "GPTBot", "/rules", 200), "11.1.0.8", "shop.example"),
		"a page that is not found, before a known target": strings.Join(manyTargets(), "") + at(-time.Hour, "GPTBot", "/robots.txt", 301) +
			at(-time.Hour+time.Second, "GPTBot", "/tea", 404) + at(-time.Hour+2*time.Second, "GPTBot", "/rules", 200),
		"a page that is not found, before robots.txt": at(-time.Hour, "GPTBot", "/robots.txt", 301) + at(-time.Hour+time.Second, "GPTBot", "/tea", 404) +
			at(-time.Hour+2*time.Second, "GPTBot", "/robots.txt", 200),
		"a known target on another host, too": manyRobots() + at(-time.Hour, "GPTBot", "/robots.txt", 301) + from(at(-time.Hour+90*time.Second, "GPTBot", "/robots.txt", 200), "11.1.0.8", "www.example"),
		"two redirects with a known target each": strings.Join(manyTargets(), "") + at(-time.Hour, "GPTBot", "/robots.txt", 301) + from(at(-time.Hour+time.Second, "GPTBot", "/robots.txt", 301), "11.1.0.8", "shop.example") +
			from(at(-time.Hour+2*time.Second, "GPTBot", "/rules", 200), "11.1.0.9", "shop.example") + from(at(-time.Hour+3*time.Second, "GPTBot", "/rules", 200), "11.1.0.10", "shop.example"),
		"HEAD": strings.Replace(strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 200), "GET", "HEAD", 1), " 200 5 ", " 200 0 ", 1),
		"POST to a target": at(-time.Hour, "GPTBot", "/robots.txt", 301) +
			at(-time.Hour+time.Second, "GPTBot", "/robots.txt", 200) +
			strings.Replace(at(-time.Hour+2*time.Second, "GPTBot", "/rules", 403), "GET", "POST", 1),
	} {
		l := lawCase{log: []string{line, at(0, "GPTBot", "/", 200)}}
		if result, why := l.judged(t, ""); result != "disobeyed" {
			t.Errorf("%s: %s %s", name, result, why)
		}
	}
	l := lawCase{log: []string{strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 503), "GPTBot", "Nobody", 1), at(0, "GPTBot", "/", 200)}}
	l.log[0] = strings.Replace(l.log[0], "11.1.0.7", "11.77.0.7", 1)
	l.change = func(c *visits.Config) { c.NoSiteCache = true }
	if result, why := l.judged(t, ""); result != "disobeyed" {
		t.Errorf("an outage that another client saw, without a cache: %s %s", result, why)
	}
	l.log[0] = strings.Replace(at(-time.Hour, "GPTBot", "/robots.txt", 200), " 200 5 ", " 200 0 ", 1)
	if result, why := l.judged(t, ""); result != "old-copy" {
		t.Errorf("an aborted answer to it, without a cache: %s %s", result, why)
	}
}

// TestNoStatus: a fetch of robots.txt without a status, or with a number that is none, might have failed for anybody,
// in each form. So might a line that cannot be read.
func TestNoStatus(t *testing.T) {
	const robots = "/robots.txt"
	combined := func(target, agent, status string) string {
		line := strings.Replace(at(-time.Hour, agent, target, 200), "\" 200 5 ", "\" "+status+" 5 ", 1)
		return strings.Replace(line, "11.1.0.7", "11.77.0.7", 1)
	}
	object := func(target, agent, status string) string {
		return fmt.Sprintf(`{"t":"2026-11-09T08:00:00Z","a":"11.77.0.7","u":%q,"p":%q,"h":"shop.example","m":"GET","s":%s}`, agent, target, status)
	}
	query := strings.Replace(object("/?a", "Nobody", "200"), "08:", "07:", 1)
	iis := func(target, agent, status string) string {
		return strings.Replace(w3c("08:00", target, agent, 900), " 200 ", " "+status+" ", 1)
	}
	own, err := accesslog.ParseFormat(`%h %V %t "%r" %>s "%{User-Agent}i"`)
	if err != nil {
		t.Fatal(err)
	}
	text := func(target, agent, status string) string {
		return fmt.Sprintf(`11.77.0.7 shop.example [09/Nov/2026:08:00:00 +0000] "GET %s HTTP/1.1" %s "%s"`, target, status, agent)
	}
	visit := func(line string) string {
		return strings.NewReplacer("11.77.0.7", "11.1.0.7", "08:00", "09:00").Replace(line)
	}
	for _, form := range []struct {
		name     string
		before   []string
		line     func(target, agent, status string) string
		change   func(*visits.Config)
		statuses []string
	}{
		{"combined", nil, combined, nil, []string{"0", "000", "099", "600", "999", "-", "-1", "2000", "abc", ""}},
		{"JSON", []string{query}, object, mapped, []string{"0", "99", "999", "-1", "null", `"-"`, `"000"`, `"abc"`, "2e2", "", "{"}},
		{"IIS", []string{w3cFields}, iis, nil, []string{"0", "000", "099", "999", "-", "abc", "200 200"}},
		{"a format", nil, text, func(c *visits.Config) { c.Format = own }, []string{
			"0", "000", "099", "999", "-", "-1", "20.0", "abc", "200 200",
		}},
	} {
		for _, status := range append(form.statuses, "200") {
			log := append(slices.Clone(form.before), form.line(robots, "Nobody", status), visit(form.line("/", "GPTBot", "200")))
			l := lawCase{log: log, change: form.change}
			want := "old-copy outage"
			if status == "200" {
				want = "disobeyed "
			}
			if result, why := l.judged(t, ""); result+" "+why != want {
				t.Errorf("%s, status %q: %s %s, want %s", form.name, status, result, why, want)
			}
		}
	}
	long := clf(at(-time.Hour, "GPTBot", "/robots.txt?"+strings.Repeat("a", accesslog.MaxLine), 200), 9)
	visited := at(0, "GPTBot", "/", 200)
	isClosed := func(c *visits.Config) { c.NoSiteCache = true }
	for name, l := range map[string]lawCase{
		"a long line":               {log: []string{visit(combined("/", "CCBot", "200")), long, visited}},
		"the first line":            {log: []string{combined(robots, "Nobody", "?"), visited}},
		"the first line, no cache":  {log: []string{combined(robots, "Nobody", "?"), visited}, change: isClosed},
		"a line between two visits": {log: []string{at(-time.Minute, "GPTBot", "/", 200), combined(robots, "GPTBot", "?"), visited}},
	} {
		if result, why := l.judged(t, ""); result+" "+why != "old-copy outage" {
			t.Errorf("%s: %s %s", name, result, why)
		}
	}
}

// TestMethods: the answer to a method other than GET and HEAD says nothing about the file, whatever its status and
// whoever sent it. HEAD asks about the file, and 405 and 501 to it say something only to its sender, as 505 to GET.
func TestMethods(t *testing.T) {
	asked := func(method string, status int) string {
		return strings.Replace(clf(at(-time.Hour, "GPTBot", "/robots.txt", status), 0), "GET", method, 1)
	}
	byAnybody := func(method string, status int) string {
		return strings.NewReplacer("GPTBot", "Nobody", "11.1.0.7", "11.77.0.7").Replace(asked(method, status))
	}
	quiet := byAnybody("HEAD", 405) + byAnybody("HEAD", 501) + byAnybody("HEAD", 505) + byAnybody("GET", 505) +
		byAnybody("HEAD", 200) + byAnybody("HEAD", 403)
	for _, method := range []string{"OPTIONS", "POST", "PUT", "DELETE", "PROPFIND", "TRACE", "PURGE", "get"} {
		for _, status := range []int{200, 202, 204, 207, 301, 304, 400, 403, 404, 405, 410, 451, 500, 501, 503, 505} {
			quiet += asked(method, status) + byAnybody(method, status)
		}
	}
	for line, want := range map[string]string{
		quiet: "disobeyed ", byAnybody("HEAD", 204): "old-copy outage", byAnybody("HEAD", 404): "old-copy outage",
		byAnybody("HEAD", 503): "old-copy outage",
		byAnybody("GET", 405):  "old-copy outage", byAnybody("GET", 501): "old-copy outage",
		asked("HEAD", 405): "old-copy refused", asked("HEAD", 501): "old-copy refused",
		asked("GET", 505): "old-copy refused",
	} {
		l := lawCase{log: []string{line, at(0, "GPTBot", "/", 200)}}
		if result, why := l.judged(t, ""); result+" "+why != want {
			t.Errorf("%.300s: %s %s, want %s", line, result, why, want)
		}
	}
}

// TestQuietReadings: what all crawlers read alike is a proof, even beside lines that they read differently.
func TestQuietReadings(t *testing.T) {
	for name, l := range map[string]lawCase{
		"other names beside it":      {file: "User-agent: Sogou web spider\nUser-agent: Web Downloader/6.9\nDisallow: /\n\nUser-agent: *\nDisallow: /private\n"},
		"a group of its own, too":    {file: "User-agent: * Bingbot\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /\n"},
		"a folder with a space, too": {file: "User-agent: *\nDisallow: /my folder/\nDisallow: /\n"},
		"two names, both disallowed": {log: []string{twoNames("OAI-SearchBot")}},
		"the name of its page":       {log: []string{strings.Replace(twoNames("X"), "+https://openai.com/gptbot", "+https://openai.com/OAI-SearchBot", 1)}, file: "User-agent: OAI-SearchBot\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n"},
		"an operator without lists":  {log: []string{twoNames("Bytespider")}, file: "User-agent: Bytespider\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n"},
		"its name in another case":   {file: "user-agent : gptbot # it\ndisallow : /\n"},
		"an empty rule for others":   {file: "User-agent: CCBot\nDisallow:\n\nUser-agent: *\nDisallow: /\nCrawl-delay: 1\nSitemap: /x\n\nUser-agent: bingbot\nDisallow:\n"},
		"a no-break space beside it": {file: "# \u00a9\u00a0shop\nUser-agent: *\nDisallow: /\u00a0x\nDisallow: /\n"},
		"empty lines, CR and no end": {file: "\r\rUser-agent: *\rDisallow: /"},
	} {
		if l.log == nil {
			l.log = []string{at(0, "GPTBot", "/private", 200)}
		}
		if result, why := l.judged(t, ""); result != "disobeyed" {
			t.Errorf("%s: %s %s", name, result, why)
		}
	}
}

// TestGaps: a gap reaches from the line before it to the line after it, and the answer names it.
func TestGaps(t *testing.T) {
	var lines []string
	line := func(offset time.Duration, target string) { lines = append(lines, at(offset, "GPTBot", target, 200)) }
	line(-100*time.Hour, "/tea")
	for hour := range 90 {
		line(time.Duration(hour-90)*time.Hour, "/tea")
	}
	line(-30*time.Minute, "/private/last")
	line(25*time.Hour, "/private/first")
	for hour := range 80 {
		line(time.Duration(hour+26)*time.Hour, "/tea")
	}
	line(25*time.Hour+48*time.Hour+9*time.Minute, "/private/early")
	line(25*time.Hour+48*time.Hour+11*time.Minute, "/private/late")
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(timeIn(a), timeIn(b)) })
	got := map[string]string{}
	c := visits.Config{
		Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -60), Lists: newLists(t), Note: t.Logf, Problem: func(err error) { t.Error(err) },
		Hits: func(row *visits.Row) error {
			if why := row.Why; why != nil {
				got[row.Target] = *why
			} else {
				got[row.Target] = *row.Result
			}
			return nil
		},
	}
	found, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", strings.Join(lines, ""))})
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{"last": "disobeyed", "first": "logs-gap", "early": "logs-gap", "late": "disobeyed"} {
		if got["/private/"+target] != want {
			t.Errorf("/private/%s: %s, want %s", target, got["/private/"+target], want)
		}
	}
	const want = "a day of the logs is missing 2: give the logs of 9 November 08:30 to 10 November 10:00; --logs-since states"
	if answer := strings.Join(visits.Answer(found), "\n"); !strings.Contains(answer, want) {
		t.Errorf("the answer is\n%s\nwithout\n%s", answer, want)
	}
}

// timeIn returns the time in a line, in a form that sorts within a month.
func timeIn(line string) string {
	_, rest, _ := strings.Cut(line, "[")
	return rest[:len("02/Jan/2006:15:04:05")]
}

// split splits a log into days.
func splitDays(text string) (days []visits.Log) {
	lines := map[string]string{}
	for line := range strings.Lines(text) {
		_, rest, found := strings.Cut(line, "[")
		if found {
			lines[rest[:11]] += line
		}
	}
	for day, text := range lines {
		days = append(days, logOf(day, text))
	}
	slices.SortFunc(days, func(a, b visits.Log) int { return strings.Compare(a.Name[3:]+a.Name, b.Name[3:]+b.Name) })
	return days
}

// accused returns the visits that disobeyed, by their log and line.
func accused(t *testing.T, logs []visits.Log) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	c := visits.Config{
		Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -60), Lists: newLists(t), Note: t.Logf, Problem: func(err error) { t.Error(err) },
		Hits: func(row *visits.Row) error {
			all[fmt.Sprintf("%s:%d", row.Log, row.Line)] = *row.Result == "disobeyed"
			return nil
		},
	}
	found, err := visits.Run(t.Context(), c, logs)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, found)
	return all
}

// TestFewerLogs: fewer logs never add a visit that disobeyed.
func TestFewerLogs(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	total := 0
	for range 12 {
		var text strings.Builder
		for range 600 {
			status := 200
			if random.IntN(60) == 0 {
				status = []int{403, 503, 301}[random.IntN(3)]
			}
			target := []string{"/private/1", "/private/2", "/x", "/robots.txt"}[random.IntN(4)]
			at := monday.Add(time.Duration(random.IntN(14*24*60)) * time.Minute)
			text.WriteString(request(at, []string{"GPTBot", "CCBot"}[random.IntN(2)], target, status))
		}
		days := splitDays(text.String())
		whole := accused(t, days)
		for _, is := range whole {
			if is {
				total++
			}
		}
		cut := random.IntN(len(days)-2) + 1
		for name, fewer := range map[string][]visits.Log{"the end": days[cut:], "all but one day": slices.Concat(days[:cut], days[cut+1:])} {
			for visit, is := range accused(t, fewer) {
				if is && !whole[visit] {
					t.Errorf("%s: %s disobeyed only with fewer logs", name, visit)
				}
			}
		}
	}
	if total < 100 {
		t.Errorf("only %d visits disobeyed", total)
	}
}

// TestMissingDay: if a day of one of two servers is missing, or its first or last day, visits are judged only while
// all copies come from days that are there. It does not matter whether the server has a log a day or one log.
func TestMissingDay(t *testing.T) {
	const days = 10
	texts := map[string]string{}
	for n := range days {
		for _, server := range []string{"a", "b"} {
			text := ""
			for hour := range 24 {
				at := monday.AddDate(0, 0, n).Add(time.Duration(hour-9) * time.Hour)
				text += request(at, "CCBot", "/"+server, 200) + request(at.Add(time.Minute), "GPTBot", "/private/"+server, 200)
			}
			texts[fmt.Sprintf("%s.%d", server, n)] = text
		}
	}
	// Without the logs of b's days, the visits in the logs of a on the days of want disobeyed.
	for _, test := range []struct {
		missing []string
		want    []int
	}{
		{nil, []int{2, 3, 4, 5, 6, 7, 8, 9}},
		{[]string{"b.4"}, []int{2, 3, 7, 8, 9}},
		{[]string{"b.0", "b.1"}, []int{4, 5, 6, 7, 8, 9}},
		{[]string{"b.8", "b.9"}, []int{2, 3, 4, 5, 6, 7}},
	} {
		for _, isOneLog := range []bool{false, true} {
			var given []visits.Log
			ofB := ""
			for _, name := range slices.Sorted(maps.Keys(texts)) {
				switch {
				case slices.Contains(test.missing, name):
				case isOneLog && name[0] == 'b':
					ofB += texts[name]
				default:
					given = append(given, logOf(name, texts[name]))
				}
			}
			if isOneLog {
				given = append(given, logOf("b", ofB))
			}
			isAccused := map[int]bool{}
			for visit, is := range accused(t, given) {
				var day, line int
				if n, _ := fmt.Sscanf(visit, "a.%d:%d", &day, &line); n == 2 && is && line > 2 { // not in the first hour
					isAccused[day] = true
				}
			}
			if got := slices.Sorted(maps.Keys(isAccused)); !slices.Equal(got, test.want) {
				t.Errorf("without %v, one log %v: accused on %v, want %v", test.missing, isOneLog, got, test.want)
			}
		}
	}
}

// TestLateRotation: a day of a server is missing, although its logs are rotated some seconds late.
func TestLateRotation(t *testing.T) {
	var logs []visits.Log
	for n := range 6 {
		begin := monday.AddDate(0, 0, n)
		for _, server := range []string{"a", "b"} {
			text := request(begin.Add(time.Second), "CCBot", "/"+server, 200)
			for hour := range 23 {
				text += request(begin.Add(time.Duration(hour+1)*time.Hour), "CCBot", "/"+server, 200)
			}
			text += request(begin.Add(24*time.Hour+9*time.Second), "CCBot", "/"+server, 200)
			if n == 5 {
				text += request(begin.Add(24*time.Hour+10*time.Second), "GPTBot", "/private/1", 200)
			}
			if server == "a" || n != 4 {
				logs = append(logs, logOf(fmt.Sprintf("%s.%d", server, n), text))
			}
		}
	}
	for visit, is := range accused(t, logs) {
		if is {
			t.Errorf("%s disobeyed, although a day is missing", visit)
		}
	}
}

// TestCopies: an extract of a log, or a log of the same week, is no server, in whatever order the logs are given. A
// server whose crawlers another log has too is one, because people can have seen an outage.
func TestCopies(t *testing.T) {
	const days = 10
	text := func(server string, from, before int, is func(line string) bool) (text string) {
		for n := from; n < before; n++ {
			for hour := range 24 {
				at := monday.AddDate(0, 0, n).Add(time.Duration(hour-9) * time.Hour)
				person := strings.Replace(request(at.Add(2*time.Minute), "CCBot", "/tea/"+server, 200), "CCBot", "Firefox", 1)
				crawlers := []string{request(at, "CCBot", "/"+server, 200), request(at.Add(time.Minute), "GPTBot", "/private/"+server, 200)}
				for _, line := range append(crawlers, person) {
					if is(line) {
						text += line
					}
				}
			}
		}
		return text
	}
	of := func(server string, from, before int, is func(line string) bool) visits.Log {
		return logOf(fmt.Sprintf("%s.%d", server, from), text(server, from, before, is))
	}
	named := func(name string, log visits.Log) visits.Log {
		log.Name = name
		return log
	}
	isAny := func(string) bool { return true }
	isGPTBot := func(line string) bool { return strings.Contains(line, "GPTBot") }
	isCrawler := func(line string) bool { return !strings.Contains(line, "Firefox") }
	whole, week := of("a", 0, days, isAny), named("week", of("a", 1, 8, isAny))
	var daily []visits.Log
	for n := range days {
		daily = append(daily, of("a", n, n+1, isAny))
	}
	standard := named("-", of("a", 3, days-3, isGPTBot))
	standard.Once = true
	const all = days*24 - 49 // without those in the first two days and ten minutes
	for _, test := range []struct {
		name string
		logs []visits.Log
		want int
	}{
		{"a log", []visits.Log{whole}, all},
		{"an extract", []visits.Log{whole, named("part", of("a", 3, days-3, isGPTBot))}, all},
		{"a copy of each day", append([]visits.Log{whole}, daily...), all},
		{"a week", append([]visits.Log{week}, daily...), all},
		{"a week without one of its days", append([]visits.Log{week}, slices.Delete(slices.Clone(daily), 4, 5)...), all},
		{"an extract of an extract", []visits.Log{whole, named("part", of("a", 3, days-3, isGPTBot)), named("crawlers", of("a", 2, days-2, isCrawler))}, all},
		{"two extracts, without the log", []visits.Log{named("part", of("a", 0, days, isGPTBot)), named("crawlers", of("a", 0, days, isCrawler))}, all},
		{"a server, the days of another, without two, and crawlers of both", []visits.Log{
			whole, of("b", 0, 4, isAny), of("b", 6, days, isAny), named("crawlers", of("b", 0, days, isCrawler)),
		}, 2 * 94},
		{"a server, the first days of another, and a log of both in these days", []visits.Log{
			of("a", 0, 5, isAny), of("a", 5, days, isAny), of("b", 0, 5, isAny),
			logOf("both", text("a", 0, 5, isAny)+text("b", 0, 5, isAny)),
		}, 2*71 + 1},
		{"standard input, which cannot be compared", []visits.Log{whole, standard}, 48},
	} {
		for range 2 {
			disobeyed := 0
			for _, is := range accused(t, test.logs) {
				if is {
					disobeyed++
				}
			}
			if disobeyed != test.want {
				t.Errorf("%s: %d visits disobeyed, want %d", test.name, disobeyed, test.want)
			}
			slices.Reverse(test.logs)
		}
	}
}

// TestHostsWithoutDots: a client that requests a host without a name does not make the hosts of others users.
func TestHostsWithoutDots(t *testing.T) {
	line := func(offset time.Duration, crawler, host string) string {
		return strings.Replace(hostless(at(offset, crawler, "/", 200)), "- - [", "- "+host+" [", 1)
	}
	l := lawCase{}
	for n := range 200 {
		l.log = append(l.log, line(time.Duration(n-300)*time.Second, "CCBot", "shop.example"))
	}
	l.log = append(l.log, line(-9*time.Second, "CCBot", "localhost"), line(-8*time.Second, "CCBot", "-"), line(0, "GPTBot", "shop.example"))
	if result, why := l.judged(t, ""); result != "disobeyed" {
		t.Errorf("%s %s", result, why)
	}
}

// TestOtherClock: the target of a redirected robots.txt can be in a log whose clock differs by ten minutes.
func TestOtherClock(t *testing.T) {
	for _, test := range []struct {
		after  time.Duration // the redirect
		status int
		want   []string
	}{
		{-9 * time.Minute, 200, []string{"exempt", "exempt", "old-copy redirected"}},
		{11 * time.Minute, 403, []string{"exempt", "exempt", "old-copy refused"}},
		{-11 * time.Minute, 200, []string{"exempt", "disobeyed", "old-copy redirected"}},
	} {
		redirect := day.Add(-2 * time.Hour)
		logs := []visits.Log{
			logOf("a.log", request(redirect, "GPTBot", "/robots.txt", 301)),
			logOf("b.log", request(redirect.Add(test.after), "GPTBot", "/private/rules", test.status)),
			logOf("c.log", at(0, "GPTBot", "/private/1", 200)),
		}
		var got []string
		c := visits.Config{
			Sites: origins(t, "https://shop.example"), History: newHistory(t, after, after), LogsSince: monday.AddDate(0, 0, -30),
			Lists: newLists(t), Note: t.Logf, Problem: func(err error) { t.Error(err) },
			Hits: func(row *visits.Row) error {
				result := *row.Result
				if row.Why != nil && result != "exempt" {
					result += " " + *row.Why
				}
				got = append(got, result)
				return nil
			},
		}
		if _, err := visits.Run(t.Context(), c, logs); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v after a redirect: %q, want %q", test.after, got, test.want)
		}
	}
}

// TestOverlap: a line in several logs counts as often as in the log that has it most.
func TestOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 20))
	for range 20 {
		var logs []visits.Log
		most := map[string]int{}
		for n := range 3 {
			text := ""
			here := map[string]int{}
			for range random.IntN(30) + 1 {
				at := monday.Add(time.Duration(random.IntN(10)) * time.Minute)
				line := request(at, "GPTBot", fmt.Sprintf("/%d", random.IntN(3)), 200)
				text += line
				here[line]++
				most[line] = max(most[line], here[line])
			}
			logs = append(logs, logOf(fmt.Sprint(n), text))
		}
		want := 0
		for _, n := range most {
			want += n
		}
		var notes []string
		c := visits.Config{Problem: func(err error) { t.Error(err) }}
		c.Note = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
		found, err := visits.Run(t.Context(), c, logs)
		if err != nil {
			t.Fatal(err)
		}
		if got := found.Crawlers[0].Visits; got != int64(want) {
			t.Errorf("%d visits, want %d", got, want)
		}
		if len(notes) == 0 {
			t.Error("no note names the logs")
		}
	}
}

// TestUnfollowedRedirect: a redirect of robots.txt that nothing follows in the logs is a refusal, unless the
// user states that the file was served: then another server, without a log here, sent it.
func TestUnfollowedRedirect(t *testing.T) {
	l := lawCase{log: []string{at(-time.Hour, "GPTBot", "/robots.txt", 301), at(0, "GPTBot", "/private/x", 200)}, file: after}
	if result, why := l.judged(t, ""); result != "disobeyed" {
		t.Errorf("if it is stated that the file was served: %s %s", result, why)
	}
	l.change = func(c *visits.Config) {
		c.File, c.Since, c.History = nil, time.Time{}, newHistory(t, after, after)
	}
	if result, why := l.judged(t, ""); result+" "+why != "old-copy redirected" {
		t.Errorf("with a history: %s %s", result, why)
	}
	l.log = []string{l.log[0], at(-time.Hour+time.Second, "GPTBot", "/rules", 404), l.log[1]}
	l.change = nil
	if result, why := l.judged(t, ""); result+" "+why != "old-copy refused" {
		t.Errorf("if its target was not found: %s %s", result, why)
	}
}

// TestMappedTargets: if a log shows the path that the server found, a visit is judged only if each path is disallowed
// that can have been requested.
func TestMappedTargets(t *testing.T) {
	const fields = "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs-host sc-status\n"
	for _, test := range []struct{ rules, target, want string }{
		{"Disallow: /private", "/private/1", "disobeyed"},
		{"Disallow: /private", "/private", "disobeyed"},
		{"Disallow: /private/", "/private/1", "not-judged"}, // of /private%2F1
		{"Disallow: /private/a", "/private/a/b", "not-judged"},
		{"Disallow: /a@", "/a@b", "not-judged"},
		{"Disallow: /~joe", "/~joe/x", "not-judged"},
		{"Disallow: /a{", "/a{b/c", "not-judged"},
		{"Disallow: /a", "/a~b", "disobeyed"},
		{"Disallow: /a$\nDisallow: /a/b", "/a/b", "not-judged"},
		{"Disallow: /*/b", "/a/b", "old-copy"}, // Koster's draft has no stars
		{"Disallow: /private\nAllow: /private%2F1", "/private/1", "not-judged"},
		{"Disallow: /index.php", "/index.php", "not-judged"}, // of /
		{"Disallow: /app", "/app/index.php", "not-judged"},   // of any path for which there is no file
		{"Allow: /tea\nDisallow: /", "/index.php", "not-judged"},
		{"Disallow:\nDisallow: /", "/index.php", "old-copy"}, // to Koster, an empty value permits all
		{"Disallow: /", "/index.php", "disobeyed"},
		{"Disallow: /", "/a/b/c/d/e/f/g/h/i/j/k", "disobeyed"},
		{"Disallow: /", "/a?b", "not-judged"}, // the mark was a code
		{"Disallow: /tea", "/a/b", "allowed"},
	} {
		log := fields + "2026-11-09 09:00:00 11.1.0.7 GET " + test.target + " - GPTBot shop.example 200\n"
		c := visits.Config{File: []byte("User-agent: *\n" + test.rules + "\n"), Since: monday.AddDate(0, 0, -60), Lists: newLists(t)}
		if got := results(t, c, log); !slices.Equal(got, []string{"verified " + test.want}) {
			t.Errorf("%q and %s: %q, want %s", test.rules, test.target, got, test.want)
		}
		if strings.Contains(test.target, "?") {
			continue
		}
		format, err := accesslog.ParseFormat(`%V %h %t "%m %U%q" %>s "%{User-Agent}i"`)
		if err != nil {
			t.Fatal(err)
		}
		c.Format = format
		log = `shop.example 11.1.0.7 [09/Nov/2026:09:00:00 +0000] "GET ` + test.target + `?q" 200 "GPTBot"` + "\n"
		if got := results(t, c, log); !slices.Equal(got, []string{"verified " + test.want}) {
			t.Errorf("%q and %%U %s: %q, want %s", test.rules, test.target, got, test.want)
		}
	}
}

// TestLongFile: crawlers must read 500 KiB, so a rule after that accuses nobody, and nor does one before, which a
// later one can change.
func TestLongFile(t *testing.T) {
	filler := strings.Repeat("# 16 characters\n", robotstxt.DefaultBodyLimit/16-2)
	const rule = "User-agent: *\nDisallow: /private\n"
	for _, test := range []struct{ body, want string }{
		{filler[len(rule):] + rule, "verified disobeyed"},
		{filler + "\n\n" + rule, "verified not-judged"},
		{rule + filler + "\n", "verified not-judged"},
	} {
		c := visits.Config{File: []byte(test.body), Since: monday.AddDate(0, 0, -60), Lists: newLists(t)}
		if got := results(t, c, at(0, "GPTBot", "/private/1", 200)); !slices.Equal(got, []string{test.want}) {
			t.Errorf("in %d bytes: %q, want %s", len(test.body), got, test.want)
		}
	}
}

// TestOddHost: if one line has a host and the others have none, the answer names that line.
func TestOddHost(t *testing.T) {
	log := at(-time.Minute, "CCBot", "/", 200) + hostless(at(0, "GPTBot", "/", 200))
	c := visits.Config{
		Sites: origins(t, "https://shop.example"), File: []byte("User-agent: *\nDisallow: /\n"),
		Since: monday.AddDate(0, 0, -30), LogsSince: monday.AddDate(0, 0, -30), Lists: newLists(t),
	}
	found, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", log)})
	if err != nil {
		t.Fatal(err)
	}
	if answer := strings.Join(visits.Answer(found), "\n"); !strings.Contains(answer, "another site 1 (line 1 of access.log)") {
		t.Error(answer)
	}
}
