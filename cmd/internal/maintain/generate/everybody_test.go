package generate_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/generate"
	"github.com/kosterhq/robotstxt/crawlers"
)

// TestEverybody asks the engine URL by URL, for all known crawlers, for the names in the file and for one that no file
// has: an intention about everybody reaches each of them, an exception is one, and all else is as before.
func TestEverybody(t *testing.T) {
	paths := []string{"/", "/x", "/a", "/a/b", "/a/b/c", "/members/1", "/cart/1", "/press/s.css", "/foo"}
	asked, missed := 0, 0
	for _, text := range []string{"--no *", "--no all=/a", "--no all=/a --yes Googlebot=/a", "--no all --yes GPTBot,FooBot=/members/", "--yes all", "--no bingbot --yes all=/m"} {
		for _, file := range seedFiles {
			config, err := parseIntention(strings.Replace(text, ",FooBot", "", 1))
			if err != nil {
				t.Fatal(err)
			}
			g, refused := checkSame(t, []byte(file), config)
			if refused != nil && strings.Contains(file, "CODE87") { // Google reads it as Code, which has its own line
				continue
			}
			if refused != nil {
				t.Errorf("%s: %v\n%s", text, refused, file)
				continue
			}
			tokens := strings.Fields("FooBot Code foo googlebot MJ12bot CODE87 Googlebot-News AdsBot-Google Google-Extended GPTBot bingbot")
			n := 0
			for c := range crawlers.All() {
				if n++; n%5 == 0 || os.Getenv("ROBOTSTXT_LONG") != "" {
					tokens = append(tokens, c.Token)
				}
			}
			for _, token := range tokens {
				if slices.Contains(g.missed, token) {
					missed++
					continue
				}
				for _, reading := range readingsOf(token) {
					before := reading.Rules(reading.Dialect.Parse([]byte(file)))
					after := reading.Rules(reading.Dialect.Parse([]byte(g.body)))
					closed := isClosed(t, before, map[string]bool{})
					for _, path := range paths {
						want := before.Allowed("https://shop.example" + path)
						if allow, ok := ofEverybody(config, token, path, closed); ok {
							want = allow
						}
						if got := after.Allowed("https://shop.example" + path); got != want {
							t.Fatalf("%s: %s at %s: %t, want %t\n%s\n--- is\n%s", text, token, path, got, want, file, g.body)
						}
						asked++
					}
				}
			}
			if groups := groupsOf(g.body); strings.HasPrefix(text, "--no") && groups > groupsOf(file)+4 {
				t.Errorf("%s: %d groups\n%s\n--- is\n%s", text, groups, file, g.body)
			}
		}
	}
	if t.Logf("%d questions, %d crawlers are missed", asked, missed); asked < 80_000 || missed > asked/100 {
		t.Error("too few, or too many")
	}
}

// ofEverybody returns what the statements, which are about everybody and about single crawlers, mean for a URL.
func ofEverybody(config generate.Config, token, path string, closed bool) (allow, ok bool) {
	for _, everybody := range []bool{true, false} {
		for _, s := range config.Statements {
			if s.Everybody == everybody && (everybody || strings.EqualFold(s.Crawler, token)) && isUnder(path, s.Path) {
				allow, ok = s.Allow, !s.Allow || s.Path != "" || closed
			}
		}
	}
	return allow, ok
}

func groupsOf(body string) (n int) {
	for range robotstxt.Google.Parse([]byte(body)).Groups() {
		n++
	}
	return n
}

type written struct {
	body   string
	missed []string // crawlers that are not as intended
}

// checkSame writes an intention twice: the second time changes nothing.
func checkSame(t *testing.T, before []byte, config generate.Config) (w written, err error) {
	t.Helper()
	g, err := generate.Write(context.Background(), before, config)
	if err != nil {
		return w, err
	}
	checkAgain(t, before, config, g)
	w.body = g.Body
	for _, c := range g.Crawlers {
		if c.Outcome != wire.IntentUnexpressed && c.Outcome != wire.IntentReached {
			continue
		}
		w.missed = append(w.missed, c.Agent)
		if !strings.Contains(strings.Join(slices.Concat(g.Missed, g.Notes), " "), c.Agent) {
			t.Errorf("no sentence says that %s is not as intended: %q", c.Agent, g.Notes)
		}
	}
	return w, nil
}
