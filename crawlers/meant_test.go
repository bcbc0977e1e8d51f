package crawlers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// TestMeant: what names mean that the data lack. "?" is a guess that is not sure.
func TestMeant(t *testing.T) {
	for name, want := range map[string]string{
		"Perplexity\u2011User": "look-alike Perplexity-User",
		"\u0421CBot":           "look-alike CCBot",
		"GPTBot\u00a0":         "look-alike GPTBot",
		"Google\x96Extended":   "look-alike Google-Extended",
		"GPT\xadBot":           "look-alike GPTBot",
		"\ufeffgptbot":         "look-alike GPTBot",

		"OpenAI":           "company GPTBot,OAI-SearchBot,ChatGPT-User",
		"\u041epenAI":      "company GPTBot,OAI-SearchBot,ChatGPT-User",
		"Common-Crawl":     "company CCBot",
		"Claude.ai":        "company ClaudeBot,Claude-SearchBot,Claude-User",
		"google":           "company Googlebot",
		"Internet Archive": "company archive.org_bot",
		"coccoc":           "company? coccocbot,coccocbot-image,coccocbot-web",
		"MegaIndex":        "", // Google reads it in a line with MegaIndex.ru
		"Sogou":            "",
		"Amazonbot":        "",
		"sistrix":          "", // a crawler too

		"Google-bot":      "joined Googlebot",
		"GPT Bot":         "joined GPTBot",
		"Google Extended": "joined Google-Extended",
		"adsbot_google":   "joined AdsBot-Google",
		"G\u00a0PT Bot":   "joined GPTBot",
		"GPTBot-":         "joined GPTBot",
		"Brave bot":       "", // the operator is not verified

		"Yandex.News":     "",
		"Gogglebot":       "misspelt Googlebot",
		"Googlebot-Imgae": "misspelt Googlebot-Image",
		"Claudebots":      "misspelt ClaudeBot",
		"Googl\u0435bt":   "misspelt Googlebot",
		"Gogglebto":       "", // two typos
		"GPTBat":          "", // a replaced letter of a short name
		"bingbat":         "",
		"GPTBots":         "misspelt? GPTBot",
		"CCBott":          "misspelt? CCBot",
		"Yanex":           "misspelt? Yandex",
		"AppleBot-Extend": "misspelt? Applebot-Extended",
		"Alexibot":        "",
		"Snapbot":         "",
		"Uptimebot":       "",
		"MJ1bot":          "", // a digit
		"Binbgot":         "misspelt bingbot",
		"IonCrawl":        "",
		"crawler5j":       "misspelt crawler4j",
		"SeekportBot2":    "", // another one of a family

		"FooBot": "", "": "", "*": "", " ": "", "-": "", "Chat\u0413PT": "", "cur": "", "bots": "", "AI": "",
		"GPTBot": "", "googlebot ": "", "curl": "", strings.Repeat("Googlebot", 1000): "", "\x00\xff": "",
	} {
		m, ok := crawlers.Meant(name)
		got := string(m.Why)
		if !m.Sure && ok {
			got += "?"
		}
		if ok {
			got += " " + strings.Join(m.Tokens, ",")
		}
		if got != want || ok != (len(m.Tokens) > 0) {
			t.Errorf("Meant(%.40q) = %q, want %q", name, got, want)
		}
	}
}

// TestMeantOfTokens: what is sure about a token with a slip is that token, or one that is as close.
func TestMeantOfTokens(t *testing.T) {
	n := 0
	for c := range crawlers.All() {
		if n++; n%10 > 0 {
			continue
		}
		for i := 1; i < len(c.Token); i++ {
			name := c.Token[:i] + c.Token[i+1:]
			if m, ok := crawlers.Meant(name); ok && m.Sure && m.Why != crawlers.Company &&
				!slices.ContainsFunc(m.Tokens, func(token string) bool {
					return ascii.EqualFold(token, c.Token) || len(token)-len(name) <= 1 && len(name)-len(token) <= 1 ||
						strings.ContainsAny(token, "-_ ")
				}) {
				t.Errorf("Meant(%q) = %+v, without a letter of %s", name, m, c.Token)
			}
		}
	}
	for _, name := range []string{"OpenAI", "coccoc"} {
		m, _ := crawlers.Meant(name)
		m.Tokens[0] = "spoilt"
		if again, _ := crawlers.Meant(name); again.Tokens[0] == "spoilt" {
			t.Errorf("the tokens of %s can be changed", name)
		}
	}
}

// FuzzMeant: a meaning has tokens and a reason.
func FuzzMeant(f *testing.F) {
	for _, seed := range []string{"GPT Bot", "Perplexity\u2011User", "\x96\xa0\xad\xff", "OpenAI", "\t\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if m, ok := crawlers.Meant(name); ok != (len(m.Tokens) > 0) || ok != (m.Why != "") {
			t.Errorf("Meant(%q) = %+v, %v", name, m, ok)
		}
	})
}

func BenchmarkMeant(b *testing.B) {
	for _, name := range []string{"Perplexity\u2011User", "OpenAI", "GPT Bot", "Gogglebot", "Quuxfrobnicator", "Download Demon"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				crawlers.Meant(name)
			}
		})
	}
}
