package auditreport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/crawlers"
)

// leadPurpose returns the purpose about which an audit says most, or "" if no crawler of the audit has a known one.
func leadPurpose(s *audit.Summary) string {
	const first = "ai-training"
	if s.Purposes[first] != nil {
		return first
	}
	for _, purpose := range crawlers.Purposes() {
		if s.Purposes[string(purpose)] != nil {
			return string(purpose)
		}
	}
	return ""
}

// matched returns the counts of the sites with rules in both the first and the last crawl. ok is
// false if there are no such sites.
func matched(compared []*audit.Comparison) (both []*audit.Summary, ok bool) {
	if len(compared) == 0 || compared[len(compared)-1].Both[1].Known == 0 {
		return nil, false
	}
	return compared[len(compared)-1].Both[:], true
}

// inBoth names the crawls of matched.
func inBoth(compared []*audit.Comparison) string {
	if len(compared) > 1 {
		return "in the first and the last crawl"
	}
	return "in both crawls"
}

// headed returns the counts of the headline's sites in the last crawl, and says which sites these are.
func headed(crawls []*audit.Summary, compared []*audit.Comparison) (s *audit.Summary, which string) {
	if both, ok := matched(compared); ok && both[1].Purposes[leadPurpose(both[1])] != nil {
		return both[1], "with rules " + inBoth(compared)
	}
	return crawls[len(crawls)-1], "with rules"
}

// headline returns the sentence that an audit is about: how many sites close to crawlers of the leading purpose by
// their file, in the first crawl and in the last one. A fault is not a file. The two shares are of the same sites,
// the ones with rules in both crawls, because a fault must not change a share; if there are none, of the sites of each
// crawl. A crawl without counts of such crawlers is named. It is "" if no crawler has a purpose.
func headline(crawls []*audit.Summary, compared []*audit.Comparison) string {
	which := "with rules"
	if both, ok := matched(compared); ok && both[1].Purposes[leadPurpose(both[1])] != nil {
		crawls, which = both, "with rules "+inBoth(compared)
	} else if len(crawls) > 1 {
		which = "of each crawl with rules"
	}
	crawls = slices.Compact([]*audit.Summary{crawls[0], crawls[len(crawls)-1]})
	var known *audit.Summary // the last one with a purpose
	for _, s := range crawls {
		if leadPurpose(s) != "" {
			known = s
		}
	}
	if known == nil {
		return ""
	}
	purpose := leadPurpose(known)
	var shares, counts, possible []string // possible: how many more it might be
	lacks := ""
	possibly := 0
	for _, s := range crawls {
		p := s.Purposes[purpose]
		if p == nil || p.Sites.WithRules() == 0 {
			lacks = fmt.Sprintf(" This is not known for crawl %s.", term.Escape(s.Label))
			continue
		}
		n, of := p.Sites.ClosedByFile(), p.Sites.WithRules()
		shares = append(shares, share(n, of))
		counts = append(counts, term.Thousands(n)+" of "+term.Thousands(of))
		possible = append(possible, term.Thousands(p.Possibly))
		possibly += p.Possibly
	}
	if len(shares) == 0 {
		return ""
	}
	if lacks != "" {
		which = "of crawl " + term.Escape(known.Label) + " with rules"
	}
	least, most := "", ""
	if possibly > 0 {
		least = "At least "
		most = fmt.Sprintf("; for %s more, it is not known", strings.Join(possible, " → "))
	}
	return fmt.Sprintf("%s%s of the %ss %s close the whole site, by their file, to %s (%s%s).%s", least,
		strings.Join(shares, " → "), known.By, which, whom(known, purpose), strings.Join(counts, " → "), most, lacks)
}

// only names the only crawler with a purpose, "" if there are others.
func only(s *audit.Summary, purpose string) string {
	var names []string
	for name, c := range s.Crawlers {
		if c.CanBeNamed() && slices.Contains(PurposesOf(name), purpose) {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		return term.Escape(names[0])
	}
	return ""
}

// whom names the crawlers with a purpose: the only one by its name.
func whom(s *audit.Summary, purpose string) string {
	if name := only(s, purpose); name != "" {
		return name
	}
	return fmt.Sprintf("at least one of the %d %s", s.Purposes[purpose].Crawlers, purposeWords(purpose))
}

// faults returns a sentence for each crawl in which statuses close sites by a policy. It calls none of them a fault,
// because a policy can close a site for a refusal, such as 403, too.
func faults(crawls []*audit.Summary) (sentences []string) {
	for _, s := range crawls {
		if s.ClosedByStatus == 0 {
			continue
		}
		in := "The "
		if s.Label != "" {
			in = "In " + shortened(s.Label) + ", the "
		}
		list := statusList(s.Faults)
		if list != "" {
			list = ": " + list
		}
		sentences = append(sentences, fmt.Sprintf("%s%s closes %s by status%s (%s of the %s %s).", in,
			policyOf(s), Sites(s.By, s.ClosedByStatus), list,
			share(s.ClosedByStatus, s.Known), term.Thousands(s.Known), withFaults))
	}
	return sentences
}

// moved returns how many sites changed their rules, from the first crawl to the last one, "" for one crawl. They are of
// the sites of the headline.
func moved(by audit.By, compared []*audit.Comparison) string {
	matching, ok := matched(compared)
	if !ok {
		return ""
	}
	c := compared[len(compared)-1]
	both := ""
	if len(c.Crawlers) > 1 && c.Closed.Count > 0 && c.Opened.Count > 0 {
		both = fmt.Sprintf("; a %s can be both, to different crawlers", by)
	}
	return fmt.Sprintf("Of the %s with rules %s, %s less open now to a crawler of the audit%s, and %s more open%s%s.",
		Sites(by, matching[1].Known), inBoth(compared), term.Count(c.Closed.Count, "is", "are"), without(c.Closed.Without, "gave no file before"),
		term.Count(c.Opened.Count, "is", "are"), without(c.Opened.Without, "give no file now"), both)
}

func without(n int, words string) string {
	if n == 0 {
		return ""
	}
	return " (" + term.Thousands(n) + " " + words + ")"
}

// withFaults are the sites of a crawl that can be in a count: those with rules, and those closed by their status.
const withFaults = "with rules or closed by status"

// moveHeads are the heads of the counts of a change, see moveCounts.
var moveHeads = []string{"less open", "more open", "less open by status", "more open by status", "named now", "no longer named"}

// moveCounts returns the counts of a change.
func moveCounts(c *audit.Change) []int {
	return []int{c.Closed.ByFile, c.Opened.ByFile, c.Closed.ByStatus, c.Opened.ByStatus, c.Named, c.Unnamed}
}

// hasMoves reports whether anything changed.
func hasMoves(c *audit.Change) bool { return slices.Max(moveCounts(c)) > 0 }

// changesMeaning says what the heads mean.
func changesMeaning(crawls []*audit.Summary) string {
	return meanings["changes"] + " " + byStatus(crawls) + " " + meanings["fault changes"]
}

// movedByStatus says how many sites a status alone makes less or more open.
func movedByStatus(by audit.By, direction string, n int) string {
	return term.Count(n, string(by)+" is", string(by)+"s are") + " " + direction + " open only by the status in one of the crawls."
}

// rulesInBoth heads a column with the sites of a change, see rulesOf.
const rulesInBoth = "with rules in both"

// rulesOf returns the number of sites with rules in both crawls, for a crawler.
func rulesOf(c *audit.Comparison, crawler string) int {
	if count := c.Both[1].Crawlers[crawler]; count != nil {
		return count.WithRules()
	}
	return 0
}
