package prose

import (
	"cmp"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// useWords are the names of purposes in tables for people. Flags, CSV and JSON use the
// purposes themselves.
var useWords = map[crawlers.Purpose]language.Text{
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

// UseWords returns the English name of a purpose in tables for people.
func UseWords(p crawlers.Purpose) string { return UseIn(language.English, p) }

// UseIn returns the name of a purpose in tables for people.
func UseIn(l language.Language, p crawlers.Purpose) string {
	return cmp.Or(l.Say(useWords[p]), string(p))
}

// The words of answers about uses of a page, and about ways to fetch it.
var (
	answerWords = map[permission.Verdict]language.Text{
		permission.Allowed: "permitted", permission.Disallowed: "refused", permission.Reserved: "ask the owner", permission.Unknown: "nothing said",
	}
	fetchWords = map[permission.Verdict]language.Text{permission.Allowed: "may fetch", permission.Disallowed: "may not fetch"}
)

// notKnown is the answer if no line can name the crawler, or robots.txt is not known.
const notKnown language.Text = "not known"

// permitText returns the answer in the words of tables for people, without a mark for
// unread sources.
func permitText(a *wire.PermitAnswer) language.Text {
	if a.Kind == permission.KindUnread && a.Verdict == permission.Unknown {
		return notKnown
	}
	if a.Kind == permission.KindRule {
		return cmp.Or(fetchWords[a.Verdict], answerWords[a.Verdict])
	}
	return answerWords[a.Verdict]
}

// permitIn returns the answer with a mark if an unread source could make it stricter.
func permitIn(l language.Language, a *wire.PermitAnswer) string {
	if a.Provisional {
		return l.Say("%s by what was read", l.Say(permitText(a)))
	}
	return l.Say(permitText(a))
}

// noReason returns the explanation of an answer without reasons: nothing refuses or
// permits the use, or that is unknown.
func noReason(a *wire.PermitAnswer) language.Text {
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
