package auditreport

import (
	"fmt"
	"slices"
	"strconv"
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

// headline returns the sentence that an audit is about: how many sites close to crawlers of the leading purpose by
// their file, in the first crawl and in the last one. Faults are no files. The two shares are of the same sites, those
// with rules in both crawls, because a fault must not change a share; if there are none, of the sites of each crawl. It
// is "" if no crawler has a purpose.
func headline(crawls []*audit.Summary, compared []*audit.Comparison) string {
	which := "with rules"
	if both, ok := matched(compared); ok && both[1].Purposes[leadPurpose(both[1])] != nil {
		crawls, which = both, "with rules in both crawls"
	} else if len(crawls) > 1 {
		which = "of each crawl with rules"
	}
	last := crawls[len(crawls)-1]
	purpose := leadPurpose(last)
	if last.Purposes[purpose] == nil {
		return ""
	}
	shown := []*audit.Summary{crawls[0], last}
	if len(crawls) == 1 {
		shown = shown[1:]
	}
	var shares, counts []string
	for _, s := range shown {
		p := s.Purposes[purpose]
		if p == nil || p.Sites.WithRules() == 0 {
			shares, counts = append(shares, "–"), append(counts, "–")
			continue
		}
		shares = append(shares, share(p.Sites.ClosedByFile(), p.Sites.WithRules()))
		counts = append(counts, term.Thousands(p.Sites.ClosedByFile())+" of "+term.Thousands(p.Sites.WithRules()))
	}
	return fmt.Sprintf("%s of the %ss %s close the whole site, by their file, to %s (%s).",
		strings.Join(shares, " → "), last.By, which, whom(last, purpose), strings.Join(counts, " → "))
}

// whom names the crawlers with a purpose: the only one by its name.
func whom(s *audit.Summary, purpose string) string {
	var names []string
	for name, c := range s.Crawlers {
		if c.CanBeNamed() && slices.Contains(PurposesOf(name), purpose) {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		return term.Escape(names[0])
	}
	return fmt.Sprintf("at least one of the %d %s", s.Purposes[purpose].Crawlers, purposeWords(purpose))
}

// faults returns a sentence for each crawl in which statuses close sites.
func faults(crawls []*audit.Summary) (sentences []string) {
	for _, s := range crawls {
		if s.ClosedByStatus == 0 {
			continue
		}
		var statuses []string
		for _, status := range audit.MostFirst(s.Faults) {
			if status != 0 {
				statuses = append(statuses, strconv.Itoa(status))
			}
		}
		in := ""
		if s.Label != "" {
			in = " in " + shortened(s.Label)
		}
		if len(statuses) > 0 {
			in = " (" + strings.Join(statuses[:min(len(statuses), shownStatuses)], ", ") + ")" + in
		}
		sentences = append(sentences, fmt.Sprintf("%s (%s of the %s with rules or a fault) gave a fault%s, which the policy treats as closed.",
			Sites(s.By, s.ClosedByStatus), share(s.ClosedByStatus, s.Known), term.Thousands(s.Known), in))
	}
	return sentences
}

// moved returns how many sites have files that changed, from the first crawl to the last one, "" for one crawl. Unlike
// the shares of two crawls, it does not depend on the sites that only one of them could read.
func moved(by audit.By, compared []*audit.Comparison) string {
	if len(compared) == 0 {
		return ""
	}
	c := compared[len(compared)-1]
	return fmt.Sprintf("Of the %s in both crawls, the files of %s are less open now to a crawler of the audit, and those of %s are more open.",
		Sites(by, c.Sites), term.Thousands(c.Closed.Count), term.Thousands(c.Opened.Count))
}

// shownStatuses is the number of statuses that a sentence names, the commonest ones.
const shownStatuses = 5

// withRules says what the sites with rules are.
const withRules = "Sites with rules have a file that is text or empty, or a status that means that there is none."

// moveHeads are the heads of the counts of a change, see moveCounts.
var moveHeads = []string{"less open", "more open", "less open by status", "more open by status", "named now", "no longer named"}

// moveCounts returns the counts of a change.
func moveCounts(c *audit.Change) []int {
	return []int{c.Closed.ByFile, c.Opened.ByFile, c.Closed.ByStatus, c.Opened.ByStatus, c.Named, c.Unnamed}
}

// hasMoves reports whether anything changed.
func hasMoves(c *audit.Change) bool { return slices.Max(moveCounts(c)) > 0 }

// movesNote says what the heads mean.
const movesNote = "Less open and more open: both crawls read a file. By status: a status decides in one of them. A fault, such as 503, is no change of the site's rules; a file that appears or vanishes (404) is."
