package auditreport

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// meanings are what the words of the counts mean, in a sentence. Screens and reports take them from here, and from
// withRules, byStatus and purposeMeaning, whose words depend on the crawls.
var meanings = map[string]string{
	"named":           "A file names a crawler if a User-agent line has the crawler's own token, as the crawler reads the line, or as Google does if it might read in two dialects.",
	"by name":         "“By name”: by a group with the crawler's own token. “By fallback”: by a group for another crawler, which the crawler obeys because no group has its own token. “By *”: by the group for all other crawlers. All three are as the crawler reads the file, or as Google does if it might read in two dialects.",
	"of these closed": "“Of these closed” is the share of the files in the column before it whose rules close the whole site, in both dialects if the crawler might read in two.",
	"closed":          "“Closed”: the rules allow the crawler no URL of the site. “Open”: they allow every URL. “A part” or “partly”: anything between. If the crawler might read in two dialects, this is so in both. It is proved, not sampled.",
	"mostly open":     "“Mostly open”: a part of the site is closed, and the paths that no rule names are open.",
	"mostly closed":   "“Mostly closed”: a part of the site is open, and the paths that no rule names are closed.",
	"home closed":     "“Home closed”: the rules do not allow the crawler the home page, whatever else they allow; as the crawler reads them, or as Google does if it might read in two dialects.",
	"read as":         "“Read as”: the dialect in which the crawler reads files, if a source, --dialect or its name decides that; without --dialect, * is read as Google does. Otherwise the crawler might read in two, and a site “depends on the parser” if they differ about how much of it is open.",
	"strictest":       "The strictest treatment is the first of these: closed by name, by fallback, by *, a part closed, not known, open.",
	"not known":       "“Not known”: it depends on the parser, because the two dialects in which a crawler might read differ, or the search for a proof was too long or not made.",
	"changes":         "Less open, more open and names: of the sites with rules in both crawls, and less or more in both dialects if the crawler might read in two. A first file, or a file that is gone, is a change of rules.",
	"fault changes":   "A site that is closed by status in one of the crawls shows no change of rules. It is a change “by status”, unless the other crawl lacks the site, has it closed by status too, or has unknown rules, or rules that are undecided or, in one of the dialects, close the site already; so there can be more such sites than changes.",
	" or ":            "Two words with “or” between them: it depends on the parser.",
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

// withRules returns the meaning of "with rules", with the statuses that open sites of the crawls.
func withRules(crawls []*audit.Summary) string {
	return fmt.Sprintf("“With rules”: the %s served a file that is text or empty, or is open by status: it served none, and the %s opens the whole site for the answer, such as 404%s.",
		crawls[0].By, policyOf(crawls...), here(crawls, 404, func(s *audit.Summary) map[int]int { return s.Missing }))
}

// byStatus returns the meaning of "by status", with the statuses that close sites of the crawls.
func byStatus(crawls []*audit.Summary) string {
	return fmt.Sprintf("“By status”, or “closed by status”: the %s served no file, and the %s closes the whole site for the answer, such as 503%s.",
		crawls[0].By, policyOf(crawls...), here(crawls, 503, func(s *audit.Summary) map[int]int { return s.Faults }))
}

// policyOf names the policy that decided what a status means, if it is known and the same for all crawls.
func policyOf(crawls ...*audit.Summary) string {
	for _, s := range crawls {
		if s.Policy == "" || s.Policy != crawls[0].Policy {
			return "policy of its audit"
		}
	}
	return "policy (" + crawls[0].Policy + ")"
}

// here lists the statuses of crawls, "" if an example is the only one.
func here(crawls []*audit.Summary, example int, of func(*audit.Summary) map[int]int) string {
	counts := map[int]int{}
	for _, s := range crawls {
		for status, n := range of(s) {
			counts[status] += n
		}
	}
	if keys := slices.Collect(maps.Keys(counts)); len(keys) == 0 || slices.Equal(keys, []int{example}) {
		return ""
	}
	return " (here " + statusList(counts) + ")"
}

// shownStatuses is the number of statuses that a sentence names, the commonest ones.
const shownStatuses = 5

// statusList lists statuses by their number of sites, the commonest first.
func statusList(counts map[int]int) string {
	var names []string
	for _, status := range audit.MostFirst(counts) {
		name := strconv.Itoa(status)
		switch {
		case status == 0:
			name = "no status"
		case status >= 200 && status < 300 && status != 206: // some policies accept no page as a file
			name += " with a web page or other data"
		}
		names = append(names, name)
	}
	text := strings.Join(names[:min(len(names), shownStatuses)], ", ")
	if more := len(names) - shownStatuses; more > 0 {
		text += " and " + term.Count(more, "other", "others")
	}
	return text
}

// purposeWords names the crawlers with a purpose.
func purposeWords(purpose string) string {
	switch purpose {
	case "":
		return "crawlers"
	case "ai-training":
		return "AI training crawlers"
	case "ai-search":
		return "AI search crawlers"
	case "ai-fetch":
		return "AI agents that fetch for users"
	case "search":
		return "search engines"
	}
	return purpose + " crawlers"
}

// purposeMeaning says which the crawlers of the headline are, "" if it names the only one.
func purposeMeaning(crawls []*audit.Summary, compared []*audit.Comparison) string {
	s, _ := headed(crawls, compared)
	purpose := leadPurpose(s)
	if purpose == "" || only(s, purpose) != "" {
		return ""
	}
	of := "of the audit"
	if last := crawls[len(crawls)-1].Purposes[purpose]; last == nil || last.Crawlers != s.Purposes[purpose].Crawlers {
		of += ", " + inBoth(compared) + ","
	}
	text := fmt.Sprintf("“%s”: the %d crawlers %s that a line can name and that have the purpose %s in robots' data",
		purposeWords(purpose), s.Purposes[purpose].Crawlers, of, purpose)
	if purpose == "search" {
		return text + "."
	}
	return text + ", but not search as their first one."
}
