package answer_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// A file of a site has no verdict about the URLs of others. Without a site, the first URL with
// a host has it; a path and a text that is no URL have none.
func TestOtherSites(t *testing.T) {
	file := answer.NewFile([]byte("User-agent: *\nDisallow: /\n"))
	of, err := origin.Of("https://a.example")
	if err != nil {
		t.Fatal(err)
	}
	crawlers := []answer.Crawler{answer.NewCrawler("FooBot")}
	const unknown, disallowed = wire.VerdictUnknown, wire.VerdictDisallowed
	for _, test := range []struct {
		site          origin.Origin
		url, governed string
		verdict       wire.Verdict
	}{
		{origin.Origin{}, "nonsense", "", disallowed},
		{origin.Origin{}, "/x", "", disallowed},
		{origin.Origin{}, "https://a.example/x", "", disallowed},
		{origin.Origin{}, "https://b.example/x", "https://b.example/robots.txt", disallowed},
		{origin.Origin{}, "//b.example/x", "https://b.example/robots.txt", disallowed},
		{of, "/x", "", disallowed},
		{of, "https://a.example/x", "", disallowed},
		{of, "http://a.example/x", "http://a.example/robots.txt", unknown},
		{of, "https://b.example/robots.txt", "https://b.example/robots.txt", unknown},
		{of, "//b.example/x", "https://b.example/robots.txt", unknown},
	} {
		rulings := answer.RuleFile(file, nil, crawlers).Of(test.site)
		if test.site.IsZero() {
			for _, before := range []string{"/", "nonsense", "https://a.example/"} {
				answer.VisitText(before, rulings)
			}
		}
		visit := answer.VisitText(test.url, rulings)
		a, e := visit.Answer(0), visit.Explain(0)
		verdict, _ := visit.Verdict(0)
		if a.Verdict != test.verdict || verdict != test.verdict || e.Verdict != test.verdict ||
			a.GovernedBy != test.governed || e.GovernedBy != test.governed {
			t.Errorf("%s with a file of %q: %s, %s and %s, governed by %q, want %s, %q", test.url, test.site, a.Verdict, verdict, e.Verdict, a.GovernedBy, test.verdict, test.governed)
		}
	}
}
