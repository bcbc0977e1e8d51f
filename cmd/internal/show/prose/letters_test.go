package prose_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/fetch"
)

// states are a file in each state, by the first label of its host. Each has a part of the letter about it.
var states = map[string]struct{ english, german string }{
	"file":     {"robots.txt fetched at", "Abruf der robots.txt: "},
	"empty":    {"It is empty.", "Sie ist leer."},
	"html":     {"It is a web page and has no rules.", "Sie ist eine Webseite und enthält keine Regeln."},
	"long":     {"It is longer than the first 511,990 bytes, which were read", "Sie ist länger als die ersten 511.990 Byte, die gelesen wurden"},
	"401":      {"the site gave no robots.txt (HTTP status 401), so no line restricts crawlers.", "keine robots.txt (HTTP-Status 401), daher schränkt keine Zeile Crawler ein."},
	"403":      {"(HTTP status 403)", "(HTTP-Status 403)"},
	"404":      {"(HTTP status 404)", "(HTTP-Status 404)"},
	"moved404": {"(HTTP status 404, after a redirect to http://404.example/robots.txt)", "(HTTP-Status 404, nach einer Weiterleitung zu http://404.example/robots.txt)"},
	"moved":    {", after a redirect to http://file.example/robots.txt (", ", nach einer Weiterleitung zu http://file.example/robots.txt ("},
	"lost":     {"(HTTP status 302, after 5 redirects)", "(HTTP-Status 302 nach 5 Weiterleitungen)"},
	"503":      {"crawlers may fetch nothing from the site", "dürfen Crawler nichts von der Website abrufen"},
	"silent":   {"The rules are not known: robots.txt has been unreachable since", "Die Regeln sind nicht bekannt: Die robots.txt ist nicht abrufbar (seit dem"},
	"private":  {"The rules are not known: the site, or the site to which it redirects, has a private address.", "Die Regeln sind nicht bekannt: Die Website oder das Ziel ihrer Weiterleitung hat keine öffentliche Adresse."},
}

// network has the sites of states.
type network struct{ *httptest.Server }

func (network) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if strings.HasPrefix(host, "private") {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
}

func (n network) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, n.Listener.Addr().String())
}

func serveStates(w http.ResponseWriter, r *http.Request) {
	const rules = "User-agent: *\nDisallow: /cart\nContent-Usage: train-ai=n\n\nUser-agent: GPTBot\nUser-agent: Googlebot-News\nDisallow: /\n"
	switch label, _, _ := strings.Cut(r.Host, "."); label {
	case "file":
		fmt.Fprint(w, rules)
	case "empty":
	case "html":
		fmt.Fprint(w, "<!doctype html><title>Shop</title><p>Welcome")
	case "long":
		fmt.Fprint(w, rules+strings.Repeat("Disallow: /a\n", 60_000))
	case "moved":
		http.Redirect(w, r, "http://file.example/robots.txt", http.StatusMovedPermanently)
	case "moved404":
		http.Redirect(w, r, "http://404.example/robots.txt", http.StatusMovedPermanently)
	case "lost":
		http.Redirect(w, r, "http://lost.example/robots.txt?"+r.URL.RawQuery+"1", http.StatusFound)
	case "silent":
		panic(http.ErrAbortHandler)
	default:
		var status int
		fmt.Sscan(label, &status)
		w.WriteHeader(status)
	}
}

// TestLetters: the letters about a file in each state, for each purpose, name the state,
// and have no English word in German apart from quotes and names.
func TestLetters(t *testing.T) {
	server := network{httptest.NewServer(http.HandlerFunc(serveStates))}
	t.Cleanup(server.Close)
	client, err := fetch.New(fetch.Config{UserAgent: "TestBot (+https://shop.example)", KeepBodies: true, Network: fetch.Network{Resolver: server, Dial: server.dial}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	operators := make(map[crawlers.Purpose]string)
	for c := range crawlers.All() {
		for _, p := range c.Purposes {
			if c.Operator != crawlers.Unknown && c.Status != crawlers.Retired && operators[p] == "" {
				operators[p] = c.Operator
			}
		}
	}
	if len(operators) < 15 {
		t.Fatal(operators)
	}
	for state, want := range states {
		url := "http://" + state + ".example/"
		result, err := client.Robots(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		ruling := sites.RuleSite(result, time.Now(), nil, nil)
		for purpose, operator := range operators {
			config := &permit.Config{Operator: operator, Purposes: []crawlers.Purpose{purpose}, Time: time.Now()}
			visit := answer.VisitText(url, ruling)
			v, err := config.Begin(&visit, nil).Answer(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			parts := map[language.Language]string{language.English: want.english, language.German: want.german}
			for l, part := range parts {
				markdown, err := prose.PermitMarkdown(v, l)
				if err != nil || !strings.Contains(strings.ReplaceAll(markdown, "\\", ""), part) {
					t.Errorf("%s, %s: no %q in\n%s", state, operator, part, markdown)
				}
				var text strings.Builder
				p := prose.NewPermits(&text, table.Config{}, l)
				if err := p.Print(v); err != nil || p.Flush() != nil {
					t.Fatal(err)
				}
				for _, letter := range []string{markdown, text.String()} {
					if word := englishIn(strings.ReplaceAll(letter, operator, "")); l == language.German && word != "" {
						t.Errorf("%s, %s: %q in\n%s", state, operator, word, letter)
					}
				}
			}
		}
	}
}

var (
	quoted  = regexp.MustCompile(`(?s)"[^"]*"|\([^()]*https:[^()]*\)`)
	english = regexp.MustCompile(`\b(the|The|of|and|is|It|are|not|may|for|with|by|to|more|from|this|that|no|No|nothing|fetch|line|group|status)\b`)
)

// englishIn returns an English word of a letter outside its quotes.
func englishIn(letter string) string { return english.FindString(quoted.ReplaceAllString(letter, "")) }
