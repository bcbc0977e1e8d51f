package audit

import (
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/crawlers"
)

// DefaultCrawlers returns the crawlers that are audited by default, by their purposes: "*", the AI
// crawlers that are not retired, whether their operators document them or not, and the search
// engines that are known to be in use. It omits crawlers that no line can name.
func DefaultCrawlers() []answer.Crawler {
	audited := []answer.Crawler{answer.NewCrawler()}
	for known := range crawlers.All() {
		isSearch := slices.Contains(PurposesOf(known), "search")
		isAI := slices.ContainsFunc(PurposesOf(known), func(p crawlers.Purpose) bool { return p == "ai-training" || p == "ai-search" || p == "ai-fetch" })
		if known.Status != crawlers.Retired && isAI || isSearch && known.Status == crawlers.Active {
			if crawler := answer.NewCrawler(known.Token); !crawler.Unread {
				audited = append(audited, crawler)
			}
		}
	}
	return audited
}

// PurposesOf returns the purposes for which audits count a crawler. A search engine has only the
// purpose search, even if its operator uses the pages for AI too: a site that closes to it leaves
// the search results, which does not show a decision about AI.
func PurposesOf(c crawlers.Crawler) []crawlers.Purpose {
	if len(c.Purposes) > 0 && c.Purposes[0] == "search" {
		return c.Purposes[:1]
	}
	return c.Purposes
}
