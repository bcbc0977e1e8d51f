package prose

import (
	"cmp"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// useWords are the names of purposes in tables for people. Flags, CSV and JSON use the
// purposes themselves.
var useWords = map[crawlers.Purpose]string{
	permission.Fetch:  "fetch the page",
	"search":          "list in web search",
	"ai-search":       "use in AI answers",
	"ai-training":     "train AI models",
	"ai-fetch":        "fetch for a user's question",
	permission.Mining: "text and data mining",
	"user-fetch":      "fetch for a user",
	"preview":         "link previews",
	"ads":             "advertising",
	"seo":             "SEO tools",
	"archive":         "public archive",
	"feed":            "feeds",
	"monitoring":      "monitoring of the site",
	"security":        "security checks",
	"media":           "media monitoring",
	"copier":          "copies for a user",
	"client":          "programs of any purpose",
	"data":            "data for sale",
	"other":           "other purposes",
	crawlers.Unknown:  "unknown purpose",
}

// UseWords returns the name of a purpose in tables for people.
func UseWords(p crawlers.Purpose) string { return cmp.Or(useWords[p], string(p)) }

// byWhatWasRead marks an answer that an unread source could make stricter.
const byWhatWasRead = "by what was read"

// The words of answers about uses of a page, and about ways to fetch it.
var (
	answerWords = map[permission.Verdict]string{
		permission.Allowed: "permitted", permission.Disallowed: "refused", permission.Reserved: "ask the owner", permission.Unknown: "nothing said",
	}
	fetchWords = map[permission.Verdict]string{permission.Allowed: "may fetch", permission.Disallowed: "may not fetch"}
)

// notKnown is the answer if no line can name the crawler, or robots.txt is not known.
const notKnown = "not known"

// AnswerWords returns the answer in the words of tables for people, without a mark for
// unread sources.
func AnswerWords(a *wire.PermitAnswer) string {
	if a.Kind == permission.KindUnread && a.Verdict == permission.Unknown {
		return notKnown
	}
	if a.Kind == permission.KindRule {
		return cmp.Or(fetchWords[a.Verdict], answerWords[a.Verdict])
	}
	return answerWords[a.Verdict]
}

// noReason returns the explanation of an answer without reasons: nothing refuses or
// permits the use, or that is unknown.
func noReason(a *wire.PermitAnswer) string {
	switch {
	case a.Kind == permission.KindOther:
		return "the crawler does not do this"
	case a.Kind == permission.KindUnread:
		if _, canBeNamed := crawlers.ReadingOf(a.Crawler); !canBeNamed {
			return "no line can name it"
		}
		return "robots.txt is not known"
	case a.Purpose == permission.Mining:
		return "nothing refuses or permits it"
	}
	return "no line refuses or permits it"
}
