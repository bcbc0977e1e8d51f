package generate_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/generate"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/permission"
)

// useCase is a line of testdata/use.jsonl: the arguments of "robots generate", and what comes of them.
type useCase struct {
	ID, Before   string
	Args         []string
	Exit         int
	Closed, Open []string
	Unable       [][3]string
	Also         [][2]string
	LintAbsent   []lint.Code `json:"lint_absent"`
}

func useCases(t *testing.T) []useCase { return golden.Lines[useCase](t, "testdata/use.jsonl") }

// generated returns the file of a case and the exit status.
func generated(t *testing.T, before string, args []string) (*wire.Generated, int) {
	t.Helper()
	config, err := parseIntention(strings.Join(args, " "))
	if err != nil {
		return nil, 2
	}
	g, err := generate.Write(t.Context(), []byte(before), config)
	switch {
	case err != nil:
		return nil, 2
	case !g.Complete:
		return g, 1
	}
	return g, 0
}

// closesSite reports whether a file closes the site to a token.
func closesSite(body, token string) bool {
	verdict, _, _ := permission.UseOf(permission.NewRobots("", []byte(body)), permission.CrawlerOf(token), permission.Fetch).At("https://shop.example/page")
	return verdict == permission.Disallowed
}

// newFindings returns the codes of findings that a file has newly.
func newFindings(before, after string, codes []lint.Code) (found []lint.Code) {
	had := map[lint.Code]int{}
	for _, f := range lint.Check([]byte(before), lint.Config{}) {
		had[f.Code]++
	}
	for _, f := range lint.Check([]byte(after), lint.Config{}) {
		had[f.Code]--
		if had[f.Code] < 0 && slices.Contains(codes, f.Code) && !(f.Code == "RX303" && f.Severity == lint.Info) {
			found = append(found, f.Code)
		}
	}
	return found
}

// TestUse: what is written, what no line can do, and what else is closed or opened.
func TestUse(t *testing.T) {
	cases := useCases(t)
	if len(cases) != 29 {
		t.Errorf("%d cases", len(cases))
	}
	for _, c := range cases {
		g, exit := generated(t, c.Before, c.Args)
		if exit != c.Exit {
			t.Errorf("%s: exit status %d, want %d", c.ID, exit, c.Exit)
		}
		if g == nil {
			continue
		}
		for _, token := range c.Closed {
			if !closesSite(g.Body, token) {
				t.Errorf("%s: %s is open", c.ID, token)
			}
		}
		for _, token := range c.Open {
			if closesSite(g.Body, token) {
				t.Errorf("%s: %s is closed", c.ID, token)
			}
		}
		if strings.Contains(strings.Join(c.Args, " "), "=") {
			continue
		}
		if !slices.Equal(g.Unable, c.Unable) {
			t.Errorf("%s: unable\n%v, want\n%v", c.ID, g.Unable, c.Unable)
		}
		if !slices.Equal(g.Also, c.Also) {
			t.Errorf("%s: also\n%v, want\n%v", c.ID, g.Also, c.Also)
		}
		if found := newFindings(c.Before, g.Body, c.LintAbsent); found != nil {
			t.Errorf("%s: new findings %v in\n%s", c.ID, found, g.Body)
		}
	}
}

// TestUseLaws: every purpose of a statement is as intended or listed, every other one is as before or
// listed, each entry is in a note, and a second run changes nothing. The argument lists are those of
// the cases, each with several files.
func TestUseLaws(t *testing.T) {
	befores := []string{
		"", "User-agent: *\nDisallow: /\n", "User-agent: *\nDisallow: /cart\n", "User-agent: CCBot\nAllow: /\n", "User-agent: *\nAllow: /*/very/long/path/here\n",
		"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 5\nDisallow: /a\n", "User-agent: Googlebot\nDisallow: /\n", "User-agent: bingbot\nDisallow: /\nAllow: /press/\n",
		"User-agent: Google-Extended\nDisallow: /archive/\n", "User-agent: GPTBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "Sitemap: https://shop.example/s.xml\nUser-agent: foo\nDisallow: /x", "# nothing\n",
	}
	for n, c := range useCases(t) {
		for i, before := range befores {
			if os.Getenv("ROBOTSTXT_LONG") == "" && (i+n)%8 > 0 {
				continue
			}
			g, exit := generated(t, before, c.Args)
			if g == nil {
				continue
			}
			if (exit == 0) != (len(g.Missed) == 0) {
				t.Errorf("%s, %q: exit status %d with %q", c.ID, before, exit, g.Missed)
			}
			checkLists(t, c.ID, before, c.Args, g)
			again, _ := generated(t, g.Body, c.Args)
			if again == nil || again.Body != g.Body {
				t.Errorf("%s, %q: a second run changes\n%s", c.ID, before, g.Body)
			}
			codes := []lint.Code{"RX303", "RX306", "RX514"}
			if slices.Contains(c.Args, "ai-training") { // else the file names some of these crawlers on request
				codes = append(codes, "RX313")
			}
			if found := newFindings(before, g.Body, codes); found != nil {
				t.Errorf("%s, %q: new findings %v in\n%s", c.ID, before, found, g.Body)
			}
		}
	}
}

// checkLists checks unable and also against the two files.
func checkLists(t *testing.T, id, before string, args []string, g *wire.Generated) {
	t.Helper()
	config := intention(t, strings.Join(args, " "))
	if len(g.Missed) > 0 {
		return
	}
	notes := strings.Join(g.Notes, "\n")
	was, is := permission.NewRobots("", []byte(before)), permission.NewRobots("", []byte(g.Body))
	for c := range crawlers.All() {
		named := func(s generate.Statement) bool { return s.Crawler == c.Token }
		if c.Status == crawlers.Retired && !slices.ContainsFunc(config.Statements, named) {
			continue
		}
		for _, p := range c.Purposes {
			refuses := func(r *permission.Robots) bool {
				v, _, _ := permission.UseOf(r, permission.CrawlerOf(c.Token), p).At("https://shop.example/")
				return v == permission.Disallowed
			}
			unable := slices.ContainsFunc(g.Unable,
				func(u [3]string) bool { return u[0] == c.Token && u[1] == string(p) })
			also := slices.Contains(g.Also, [2]string{c.Token, string(p)})
			if (unable || also) && !strings.Contains(notes, c.Token) {
				t.Errorf("%s, %q: no note names %s", id, before, c.Token)
			}
			intended, stated := strongest(config, c, p)
			switch after := refuses(is); {
			case stated && (after != intended) == unable:
				t.Errorf("%s, %q: %s of %s is as intended: %v, but unable: %v", id, before, p, c.Token, after != intended, unable)
			case stated && also, !stated && unable:
				t.Errorf("%s, %q: %s of %s is in the wrong list", id, before, p, c.Token)
			case !stated && (after != refuses(was)) != also && (also || isNameable(c)):
				t.Errorf("%s, %q: %s of %s: changed %v, but also: %v", id, before, p, c.Token, after != refuses(was), also)
			}
		}
	}
}

func isNameable(c crawlers.Crawler) bool {
	r, ok := crawlers.ReadingOf(c.Token)
	return ok && r.Dialect.ValidAgent(c.Token)
}

// strongest returns what the statements about the whole site mean for a purpose of a crawler: the
// crawler before its operator, the operator before the purpose.
func strongest(config generate.Config, c crawlers.Crawler, p crawlers.Purpose) (allow, stated bool) {
	for _, is := range []func(generate.Statement) bool{
		func(s generate.Statement) bool { return s.Crawler == c.Token && s.Operator == "" },
		func(s generate.Statement) bool { return s.Crawler == c.Token },
		func(s generate.Statement) bool { return s.Purpose == p },
	} {
		for _, s := range config.Statements {
			if is(s) && (s.Path == "" || s.Path == "/") {
				return s.Allow, true
			}
		}
	}
	return false, false
}
