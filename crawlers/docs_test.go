package crawlers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

// TestCrawlersInDocs checks that docs/crawlers.md is up to date. "go generate
// ./crawlers" writes it.
func TestCrawlersInDocs(t *testing.T) {
	checkGenerated(t, "../docs/crawlers.md", crawlersPage())
}

// crawlersPage returns a table of the crawlers that their operator describes. The others would be
// four fifths of the page, and most of their cells unknown: "robots crawlers" lists them.
func crawlersPage() string {
	all := slices.Collect(crawlers.All())
	var verified []crawlers.Crawler
	claimed := 0
	for _, c := range all {
		if slices.Contains(c.Verified, "operator") {
			verified = append(verified, c)
		}
		if len(crawlers.Claims(c.Token)) > 0 {
			claimed++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, len(all), len(verified), claimed, crawlers.Version())
	b.WriteString("\n## Described by the operator\n\n")
	table(&b, verified)
	return b.String()
}

const pageHead = `# Crawlers

robots knows %d crawlers by their product tokens. This page lists the %d whose operator describes them. ` + "`robots crawlers`" + ` lists
all, of which %d have at least one source. The data is from %s.

- ` + "`robots crawlers NAME`" + ` shows everything about a crawler, with the sources and quotes.
- ` + "`robots crawlers --purpose ai-training`" + ` lists those with a purpose, ` + "`--format csv`" + ` as CSV, ` + "`--json`" + ` as JSON.
- Answers list first the crawlers that people ask for: ` + "`rank`" + ` is a crawler's place by how many of 246 robots.txt files of 2025
  and 2026 name it. 164 name GPTBot. With these files, ` + "`go generate ./crawlers`" + ` counts them again.
- ` + "[`robots generate --no ai-training`](generate.md)" + ` writes a robots.txt that refuses the purpose.
- [crawlers.json](../crawlers/crawlers.json) has the data for programs,
  [crawlers.schema.json](../crawlers/crawlers.schema.json) their JSON Schema.

To correct an entry, edit ` + "`crawlers/crawlers.json`" + ` and run ` + "`go generate ./crawlers`" + `, which writes this file and
` + "`rows.go`" + `; tests fail if they are out of date. Write *unknown* where no source says. Give for each fact the address of the
text, its date, and the passage.

` + "`robots crawlers compare LIST...`" + ` compares the data with public lists, and ` + "`go test ./crawlers -run TestStale -v`" + `
lists the entries that were not checked for 180 days. A LIST is a file or a checkout of one of the three lists that the
claims cite, or any robots.txt:

` + "```sh\ngit clone https://github.com/ai-robots-txt/ai.robots.txt\nrobots crawlers compare ai.robots.txt                 # robots.json\nrobots crawlers compare crawler-user-agents.json      # of monperrus/crawler-user-agents\nrobots crawlers compare device-detector               # regexes/bots.yml, of matomo-org/device-detector\n```" + `

| column | meaning |
|---|---|
| obeys | *all*: the groups with its token, or else those for ` + "`*`" + `. *named*: only the groups with its token. *none*: it need not obey robots.txt |
| falls back to | the tokens whose groups it obeys if no group has its own |
| dialect | how it reads files, if a source says so: [readings](library.md#readings) of others |
| other lines | the lines that it obeys, and those that it does not obey. No source says anything about other lines |
| cache | how long it uses a copy of a robots.txt at most |
| listed | the oldest date on which a public list is known to name it. That does not show that it was in use |
| last seen | the date of the newest text of the operator that describes it as in use |
| verified | the facts that a text of the operator states; the others are from public lists, or common knowledge |
| source | the first one, and when the entry was last compared with its sources |

## Open questions

- Whether GoogleOther-Image and GoogleOther-Video fall back to GoogleOther. Google writes that some of its crawlers have more
  than one token; the copies that were read do not say which tokens these two have.
- xAI documents no crawler. The tokens xAI-Bot and Grok-DeepSearch are from other sites; so are their purposes.
- ByteDance documents neither what Bytespider is for nor whether it obeys robots.txt. That it does not is from a public list.
- No text by Liner about LinerBot was found, and no text by Microsoft that names bingbot's list of addresses. Both are from
  public lists.
- No source describes ChatGPT-Browser, Gemini-AI, GitHubCopilotChat, GrokBot and HuggingFace-Bot, which some copied lists
  name, so they are not known crawlers. OpenWebSearch.eu's crawler and another crawler by Owler Inc. both use the name Owler.
- Yandex, Slurp, MJ12bot and serpstatbot document how they match paths, but none of them as in one of the dialects: empty
  lines end a group for Yandex, for example. DuckDuckBot follows the Perl module WWW::RobotRules.
- Bing wrote in 2010 that bingbot obeys groups for msnbot too. Its current pages do not say so, and no command reads it that way.
- Among the tokens with a space, only Google Favicon and Screaming Frog are documented: both fall back to Googlebot.
- Many sources were read in copies, some of them by third parties. A date belongs to the text or, if that has none, to the copy.
`

// table writes the crawlers as a table.
func table(b *strings.Builder, list []crawlers.Crawler) {
	b.WriteString("| token | operator | purposes | obeys | falls back to | dialect | other lines | cache | listed | last seen | verified | source |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range list {
		source := crawlers.Unknown
		if claims := crawlers.Claims(c.Token); len(claims) > 0 {
			source = fmt.Sprintf("[%s](%s), %s", claims[0].Date, claims[0].URL, c.Checked)
		}
		fmt.Fprintf(b, "| `%s`%s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", c.Token, remark(c), c.Operator, purposesOf(c), c.Obeys,
			strings.Join(c.Fallbacks, ", "), c.Dialect, otherLines(c), c.Cache, c.Listed, c.LastSeen,
			strings.Join(c.Verified, ", "), source)
	}
}

func purposesOf(c crawlers.Crawler) string {
	var names []string
	for _, purpose := range c.Purposes {
		names = append(names, string(purpose))
	}
	return strings.Join(names, ", ")
}

// remark returns special properties of a token.
func remark(c crawlers.Crawler) string {
	switch {
	case c.Control:
		return ", a control token"
	case len(c.Replacements) > 0:
		return ", retired, now " + strings.Join(c.Replacements, ", ")
	case c.Status == crawlers.Retired:
		return ", retired"
	default:
		return ""
	}
}

func otherLines(c crawlers.Crawler) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(c.Extensions)) {
		switch c.Extensions[key] {
		case crawlers.Yes:
			lines = append(lines, key)
		case crawlers.No:
			lines = append(lines, "not "+key)
		}
	}
	return strings.Join(lines, ", ")
}
