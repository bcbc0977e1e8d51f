package lint

import (
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/permission"
)

var rxPurposeUnequal = &check{Entry: Entry{
	Code: "RX313", Name: "one-ai-crawler-left-out", Severity: Info,
	Title: "A file blocks AI training crawlers by name, but not all of the large ones.",
	Why:   "Sites copy lists of AI crawlers, which soon lack a name. The site is closed to most of the large crawlers that collect training data, and open to one or two that the file does not mention. Not reported for a group that allows such a crawler by name. If GPTBot alone is missing, it is reported with --pedantic: most lists begin with that name, so it is left out on purpose.",
	Bad:   "User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: CCBot\nUser-agent: Google-Extended\nUser-agent: Bytespider\nUser-agent: meta-externalagent\nUser-agent: Amazonbot\nDisallow: /\n",
	Good:  "User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: CCBot\nUser-agent: Google-Extended\nUser-agent: Bytespider\nUser-agent: meta-externalagent\nUser-agent: Amazonbot\nUser-agent: Applebot-Extended\nDisallow: /\n",
}}

// largeTraining are the crawlers for training data that most files with such a list
// name.
var largeTraining = sync.OnceValue(func() (large []permission.Crawler) {
	for _, token := range []string{
		"GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Applebot-Extended", "Bytespider", "meta-externalagent", "Amazonbot",
	} {
		large = append(large, permission.CrawlerOf(token))
	}
	return large
})

func inspectPurposes(d *document) {
	named := func(c permission.Crawler) bool { return d.naming(c.Name) > 0 }
	if len(d.groups) == 0 || !slices.ContainsFunc(largeTraining(), named) {
		return
	}
	const maxMissing = 2
	var missing []string
	last := 0 // the last line that names one
	for _, c := range largeTraining() {
		line := d.naming(c.Name)
		open := d.refusal(c, aiTraining) == 0
		switch {
		case line > 0 && open:
			return // the author makes exceptions
		case line > 0:
			last = max(last, line)
		case open:
			missing = append(missing, c.Name)
		}
	}
	onlyGPTBot := slices.Equal(missing, []string{"GPTBot"})
	if len(missing) == 0 || len(missing) > maxMissing || last == 0 || onlyGPTBot && !d.config.Pedantic {
		return
	}
	l := d.line(last)
	f := d.findLine(rxPurposeUnequal, l, "This file blocks %d large AI training crawlers by name, but not %s.", len(largeTraining())-len(missing), listed(missing))
	f.For = missing
}
