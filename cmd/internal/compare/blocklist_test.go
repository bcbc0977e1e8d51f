package compare_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/crawlers"
)

// TestBlocklistPurposes checks for every purpose that the group is proved, and that the engine
// agrees for some URLs of each crawler.
func TestBlocklistPurposes(t *testing.T) {
	for _, purpose := range crawlers.Purposes() {
		selected := crawlers.Select(crawlers.Selection{Purposes: []crawlers.Purpose{purpose}})
		if len(selected) == 0 {
			t.Errorf("no crawler has the purpose %s", purpose)
			continue
		}
		for _, allow := range []bool{false, true} {
			text, err := compare.Blocklist(context.Background(), compare.BlocklistConfig{Crawlers: selected, Allow: allow, Title: string(purpose)})
			if err != nil {
				t.Errorf("%s, allow %v: %v", purpose, allow, err)
				continue
			}
			contrary := "\nUser-agent: *\nAllow: /\n"
			if allow {
				contrary = "\nUser-agent: *\nDisallow: /\n"
			}
			robots := robotstxt.RFC9309.Parse([]byte(string(text) + contrary))
			for _, c := range selected {
				if !robotstxt.RFC9309.ValidAgent(c.Token) {
					continue
				}
				for _, path := range []string{"/", "/index.html", "/a/b?c=d"} {
					if robots.Rules(c.Token).Allowed(path) != allow {
						t.Errorf("%s, allow %v: the group has no effect on %s at %s", purpose, allow, c.Token, path)
					}
				}
			}
			if robots.Rules("FooBot").Allowed("/") == allow {
				t.Errorf("%s, allow %v: the group affects FooBot", purpose, allow)
			}
		}
	}
}

// TestBlocklist checks the comments.
func TestBlocklist(t *testing.T) {
	for _, test := range []struct {
		tokens string
		allow  bool
		want   string
	}{
		{"GPTBot", false, "# title\nUser-agent: GPTBot\nDisallow: /\n"},
		{"GPTBot CCBot", true, "# title\nUser-agent: GPTBot\nUser-agent: CCBot\nAllow: /\n"},
		{"ChatGPT-User Bytespider 360Spider", false, "# title\n" +
			"# These need not obey it, or not always, according to their operators or to a public list:\n" +
			"#   ChatGPT-User, Bytespider\n" +
			"# No source says whether 1 of the 3 obey it.\n" +
			"User-agent: ChatGPT-User\nUser-agent: Bytespider\nUser-agent: 360Spider\nDisallow: /\n"},
		{"AdsBot-Google", false, "# title\n" +
			"# It applies to these too: AdsBot-Google-Mobile-Apps (falls back to AdsBot-Google)\n" +
			"User-agent: AdsBot-Google\nDisallow: /\n"},
		{"AI2Bot", false, "# title\n" +
			"# It applies to these too: AI2Bot-DeepResearchEval (some parsers read only \"AI\" in both names),\n" +
			"#   Ai2Bot-Dolma (some parsers read only \"Ai\" in both names)\n" +
			"User-agent: AI2Bot\nDisallow: /\n"},
	} {
		var selected []crawlers.Crawler
		for _, token := range strings.Fields(test.tokens) {
			c, _ := crawlers.Find(token)
			selected = append(selected, c)
		}
		got, err := compare.Blocklist(context.Background(), compare.BlocklistConfig{Crawlers: selected, Allow: test.allow, Title: "title"})
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", test.tokens, err, got, test.want)
		}
	}
}

// TestBlocklistCancelled checks that a cancelled context ends the proof.
func TestBlocklistCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, _ := crawlers.Find("GPTBot")
	if text, err := compare.Blocklist(ctx, compare.BlocklistConfig{Crawlers: []crawlers.Crawler{c}}); err == nil {
		t.Errorf("a cancelled proof returns %q", text)
	}
}
