package auditreport

import "strings"

// meanings are what the words of the counts mean, in a sentence. Screens and reports take them from here.
var meanings = map[string]string{
	"with rules":    "Sites with rules have a file that is text or empty, or answered with a status that the policy treats like a missing file, such as 404 or 403, which opens the whole site.",
	"named":         "A file names a crawler if a User-agent line has the crawler's own token, as the crawler reads the line, or as Google does if no source states how it reads.",
	"by name":       "“By name”: by a group with the crawler's own token. “By fallback”: by a group for another crawler, which the crawler obeys because no group has its own token. “By *”: by the group for all other crawlers.",
	"closed":        "“Closed”: the rules allow the crawler no URL of the site. “Open”: they allow every URL. “A part” or “partly”: anything between. This is proved, not sampled.",
	"mostly open":   "“Mostly open”: a part of the site is closed, and the paths that no rule names are open.",
	"mostly closed": "“Mostly closed”: a part of the site is open, and the paths that no rule names are closed.",
	"home closed":   "“Home closed”: the rules do not allow the crawler the home page, whatever else they allow; as Google reads them if no source states how the crawler does.",
	"read as":       "“Read as”: the dialect in which the crawler reads files. If no source states it, there are two, and a site “depends on the parser” if they differ about how much of it is open.",
	"by status":     "“By status”: a fault, such as 503, which the policy treats as closed, although it shows no change of rules. A fault is no change if the other crawl lacks the site, has a fault or unknown rules, or rules that close the site already; so there can be more faults than such changes.",
	"strictest":     "The strictest treatment is the first of these: closed by name, by fallback, by *, a part closed, not known, open.",
	" or ":          "Two words with “or” between them: it depends on the parser.",
}

// mostly returns the meanings of words that descriptions of changes can have, of those that they have.
func mostly(descriptions string) (sentences []string) {
	for _, word := range []string{"mostly open", "mostly closed", " or "} {
		if strings.Contains(descriptions, word) {
			sentences = append(sentences, meanings[word])
		}
	}
	return sentences
}
