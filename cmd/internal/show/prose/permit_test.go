package prose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/permission"
)

// TestPlace: places are in words, and name their document if it is not the response.
func TestPlace(t *testing.T) {
	const page = "https://shop.example/tea"
	for want, p := range map[string]permission.Place{
		"on line 3 of robots.txt":                                    {URL: "https://shop.example/robots.txt", Line: 3},
		"on line 4 of robots.txt":                                    {Line: 4},
		"in robots.txt":                                              {URL: "https://shop.example/robots.txt"},
		"on line 2 of the page":                                      {URL: page, Line: 2, Offset: 80},
		"at byte 80 of the page":                                     {URL: page, Offset: 80},
		"in the response field Content-Usage":                        {Header: "Content-Usage"},
		"in the response field X-Robots-Tag number 2":                {Header: "X-Robots-Tag", Index: 1},
		"in entry 3 of https://shop.example/.well-known/tdmrep.json": {URL: "https://shop.example/.well-known/tdmrep.json", Pointer: "/2"},
		"in https://shop.example/.well-known/tdmrep.json":            {URL: "https://shop.example/.well-known/tdmrep.json"},
	} {
		if got := prose.Place(language.English, p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// TestLetterFile: a letter says what was read of a robots.txt and what follows if it was not read. It gives no size or
// digest of a part as those of the file.
func TestLetterFile(t *testing.T) {
	asked := time.Date(2026, 11, 30, 7, 5, 0, 0, time.UTC)
	unreachable := func(fetch permission.Verdict) []wire.PermitAnswer {
		a := wire.PermitAnswer{Answer: permission.Answer{Crawler: "GPTBot", Purpose: "ai-training", Verdict: permission.Unknown,
			Kind: permission.KindUnread, Fetch: fetch, Missing: []string{"robots.txt: unreachable"}}}
		a.Extent = "unknown"
		return []wire.PermitAnswer{a}
	}
	const guarded = "blocked by the address guard: refused 127.0.0.1"
	const since = "the file has been unreachable since 2026-11-29T07:00:00Z (HTTP status 503); policy google"
	for name, c := range map[string]struct {
		v       wire.Permit
		has     []string
		without string
	}{
		"whole": {wire.Permit{RobotsFetchedAt: asked, RobotsSHA256: "abc", RobotsBytes: 26, Body: robotstxt.BodyText},
			[]string{"fetched at 07:05 UTC (26 bytes, SHA-256 abc)."}, "longer"},
		"cut": {wire.Permit{RobotsFile: "old.txt", RobotsSHA256: "abc", RobotsBytes: 511993, RobotsTruncated: true},
			[]string{"read from old.txt. It is longer than the first 511,993 bytes, which were read (SHA-256 of these: abc)"}, "bytes, SHA"},
		"redirect": {wire.Permit{RobotsFetchedAt: asked, RobotsSHA256: "abc", RobotsBytes: 26, FetchReason: "HTTP status 200", RobotsFinalURL: "https://www.shop.example/robots.txt"},
			[]string{"fetched at 07:05 UTC, after a redirect to https://www.shop.example/robots.txt (26 bytes, SHA-256 abc)."}, ""},
		"copy": {wire.Permit{RobotsFetchedAt: asked, RobotsSHA256: "abc", RobotsBytes: 26, FetchReason: "the file is unreachable (HTTP status 503); the copy of 2026-11-29T07:00:00Z applies"},
			[]string{"(26 bytes, SHA-256 abc). robots.txt is unreachable (HTTP status 503), so the copy of 29 November 2026, 07:00 UTC applies. "}, "policy"},
		"page": {wire.Permit{RobotsFetchedAt: asked, RobotsSHA256: "abc", Body: robotstxt.BodyHTML},
			[]string{"It is a web page and has no rules."}, ""},
		"404": {wire.Permit{RobotsFetchedAt: asked, Outcome: wire.OutcomeAllowAll, FetchReason: "HTTP status 404"},
			[]string{"At 07:05 UTC, the site gave no robots.txt (HTTP status 404), so no line restricts crawlers."}, "SHA"},
		"503": {wire.Permit{Outcome: wire.OutcomeDisallowAll, FetchReason: since,
			Answers: unreachable(permission.Disallowed)},
			[]string{"robots.txt has been unreachable since 29 November 2026, 07:00 UTC (HTTP status 503). Until robots.txt can be read, crawlers may fetch nothing",
				"| may not fetch | GPTBot, no group | closed | robots.txt has been"}, "policy"},
		"503, open": {wire.Permit{Outcome: wire.OutcomeAllowAll, FetchReason: since,
			Answers: unreachable(permission.Allowed)},
			[]string{"crawlers may fetch everything", "| may fetch | GPTBot, no group | open |"}, "gave no robots.txt"},
		"not asked": {wire.Permit{Outcome: wire.OutcomeDisallowAll, FetchReason: guarded,
			Answers: unreachable(permission.Unknown)},
			[]string{"The rules are not known: the site, or the site to which it redirects, has a private address.", "| not known | GPTBot | not known | robots.txt is not known"}, "may fetch"},
	} {
		c.v.Operator, c.v.URL, c.v.AskedAt, c.v.CrawlersVersion = "OpenAI", "https://shop.example/tea", asked, "2026-11-30"
		text, err := prose.PermitMarkdown(&c.v, language.English)
		if err != nil {
			t.Fatal(err)
		}
		for _, has := range c.has {
			if !strings.Contains(text, has) {
				t.Errorf("%s: the letter has no %q:\n%s", name, has, text)
			}
		}
		if c.without != "" && strings.Contains(text, c.without) {
			t.Errorf("%s: the letter has %q:\n%s", name, c.without, text)
		}
	}
}

// TestLetterQuotes: a letter has each quote once.
func TestLetterQuotes(t *testing.T) {
	v := &wire.Permit{Operator: "Google", AskedAt: time.Now()}
	for _, token := range []string{"GoogleOther", "Google-Safety", "GoogleOther-Image", "Googlebot-Video"} {
		a := permission.Answer{Crawler: token, Purpose: permission.Fetch}
		v.Answers = append(v.Answers, wire.PermitAnswer{Answer: a})
	}
	text, err := prose.PermitMarkdown(v, language.English)
	if err != nil || strings.Count(text, "always obey robots.txt rules") != 1 || !strings.Contains(text, "- GoogleOther, GoogleOther-Image and Googlebot-Video: \"") ||
		!strings.Contains(text, "- Google-Safety (need not obey): \"") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestLetterUntold: what nobody has stated is not under what the operator says.
func TestLetterUntold(t *testing.T) {
	v := &wire.Permit{Operator: "Microsoft", AskedAt: time.Now()}
	a := permission.Answer{Crawler: "adidxbot", Purpose: permission.Fetch}
	v.Answers = []wire.PermitAnswer{{Answer: a}}
	text, err := prose.PermitMarkdown(v, language.English)
	if err != nil || strings.Contains(text, "What Microsoft says") || !strings.Contains(text, "\n\nadidxbot: no source says whether") {
		t.Errorf("%v:\n%s", err, text)
	}
}
