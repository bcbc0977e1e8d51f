package enginetest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// TestGenerated makes files of odd lines at random and compares the engine with the
// reference, on URLs where their verdicts can change. It finds in seconds faults for
// which fuzzing of bytes would take days.
func TestGenerated(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range Size(1000, 30_000) {
		body := []byte(RandomBody(r))
		checkLines(t, body)
		agents := RandomAgents(r)
		urls := WitnessURLs(body, 12)
		for range 4 {
			urls = append(urls, RandomURL(r))
		}
		for _, d := range robotstxt.Dialects() {
			robots := d.Parse(body)
			for _, url := range urls {
				checkDecision(t, d, robots, body, agents, url)
			}
			checkExtensions(t, d, robots, body, agents)
		}
		if t.Failed() {
			return
		}
	}
}

// TestIndent compares the engine with the reference on a line of every kind after white
// space of every length about the limits.
func TestIndent(t *testing.T) {
	t.Parallel()
	lines := []string{
		"\n", "\r\n", "\r", "", "x\n", "<a>\n", "#c\n", "\x00\n", "\x01Disallow: /a\n", "\xEF\xBB\xBFDisallow: /a\n", "\x7F:\n",
		"Disallow: /a\n", "allow : /a\n", "Allow/a:\n", "dissalow: /a\n", "User-agent: b\n", "useragent: *\n", "Sitemap: /a\n", "Crawl-delay: 1",
	}
	for n := range 100 {
		for _, indent := range []string{
			strings.Repeat(" ", n), strings.Repeat("\t", n), strings.Repeat("\v", n/2) + strings.Repeat(" ", n-n/2),
			strings.Repeat(" \t", n/2) + "\f", strings.Repeat(" ", n) + "\t",
		} {
			for _, line := range lines {
				for _, body := range []string{"User-agent: a\n" + indent + line + "Disallow: /", indent + line + "User-agent: a\nDisallow: /"} {
					for _, d := range robotstxt.Dialects() {
						robots := d.Parse([]byte(body))
						checkDecision(t, d, robots, []byte(body), []string{"a"}, "/a")
						checkExtensions(t, d, robots, []byte(body), []string{"a"})
					}
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestGeneratedMany compares every answer about files with many similar rules with the
// reference.
func TestGeneratedMany(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 7))
	for range Size(150, 10_000) {
		body, agents, url := ManyRules(r)
		for _, d := range robotstxt.Dialects() {
			robots := d.Parse(body)
			for range 12 {
				checkDecision(t, d, robots, body, agents, url())
			}
		}
		if t.Failed() {
			return
		}
	}
}
