package prose_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
)

// FuzzSafe: whatever a file, a crawler, a URL and a site contain, the text is
// printable and names the verdict, and an answer is one line.
func FuzzSafe(f *testing.F) {
	f.Add("User-agent: a\nDisallow: /x\x1b[31m\nAllow: /\n", "a", "/x\x1b[31m", "HTTP \x07")
	f.Add("User-agent: *\n\nDisallow: /*\u202e$ # \xff\nDisallow: /\n", "\x00", "/\n::error::", "::error::")
	f.Add(":", "0", ":", "\t")
	f.Add("User-agent: b\nDisallow: "+strings.Repeat("/é", 400)+"\nAllow: /é\nDisallow\n", "b", strings.Repeat("/é", 500), "##[command]")
	f.Fuzz(func(t *testing.T, text, agent, url, reason string) {
		all := []answer.Crawler{answer.NewCrawler(agent)}
		file := answer.NewFile([]byte(text))
		rulings := []*answer.Ruling{
			answer.RuleFile(file, nil, all),
			answer.RuleFile(file, new(robotstxt.Koster1996), all),
			answer.RuleSite(site(wire.OutcomeRules, reason), file.Text, robotstxt.Parse(file.Text),
				new(robotstxt.RFC9309), all),
			answer.RuleSite(site(wire.OutcomeAllowAll, reason), nil, nil, nil, all),
			answer.RuleSite(site(wire.OutcomeDisallowAll, reason), nil, nil, nil, all),
			answer.RuleSite(site(wire.OutcomeLocal, reason), nil, nil, nil, all),
		}
		for _, r := range rulings {
			var out, line strings.Builder
			v := &answer.Visit{URL: url, Compared: robotstxt.EncodeURL(url), Ruling: r}
			a, e := v.Answer(0), v.Explain(0)
			if err := (&prose.Printer{Out: &out}).Explanation(r.File, e); err != nil {
				t.Fatal(err)
			}
			if err := prose.NewAnswerTable(&line, term.Palette{}, 0, all, nil).Print(r, &a); err != nil {
				t.Fatal(err)
			}
			verdict := prose.Verdict(term.Palette{}, a.Verdict, 0)
			if !strings.Contains(out.String(), "\n"+verdict+" for ") || !strings.HasPrefix(line.String(), verdict) {
				t.Errorf("no verdict %q in %q and %q", verdict, out.String(), line.String())
			}
			if strings.Count(line.String(), "\n") != 1 {
				t.Errorf("an answer of several lines: %q", line.String())
			}
			if r.Site != nil {
				if err := (&prose.Printer{Out: &out}).Site(r.Site, r.Outline()); err != nil {
					t.Fatal(err)
				}
			}
			line.WriteString(prose.Event(wire.Event{Event: reason, Origin: "https://shop.example", Duration: 0.1, Bytes: 2, Error: text}))
			checkSafe(t, out.String()+line.String())
		}
	})
}

// checkSafe checks that text has no other unprintable character than line ends, and
// no command of a CI server.
func checkSafe(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) ||
		strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
		t.Errorf("unprintable: %q", text)
	}
	if strings.Contains(text, "\n::") || strings.Contains(text, "##[") {
		t.Errorf("a command: %q", text)
	}
}

func site(outcome wire.Outcome, text string) *wire.Site {
	return &wire.Site{
		Provenance: wire.Provenance{RobotsURL: "https://shop.example/robots.txt", FetchReason: text, Source: wire.SourceAssumed, Fault: text, Policy: "google"},
		Outcome:    outcome, Origin: "https://shop.example", FinalURL: text, Hops: []wire.Hop{{URL: text, Status: 301}},
		Headers: []wire.Header{{Name: "Server", Value: text}}, Error: text,
	}
}

// TestNoAnswer: a policy that allows everything after a long outage gives no site "no
// restrictions", because the site has not said so.
func TestNoAnswer(t *testing.T) {
	all := []answer.Crawler{answer.NewCrawler("FooBot")}
	r := answer.RuleSite(site(wire.OutcomeAllowAll, "timeout"), nil, nil, nil, all)
	v := &answer.Visit{URL: "https://shop.example/", Compared: "https://shop.example/", Ruling: r}
	var line, text strings.Builder
	a := v.Answer(0)
	if err := prose.NewAnswerTable(&line, term.Palette{}, 0, all, nil).Print(r, &a); err != nil {
		t.Fatal(err)
	}
	if err := (&prose.Printer{Out: &text}).Explanation(nil, v.Explain(0)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{line.String(), "unknown     -         FooBot  unreachable: timeout "},
		{line.String(), "  (policy google: allowed)"},
		{text.String(), "\nunknown for FooBot because its robots.txt is unreachable: timeout\n"},
	} {
		if !strings.Contains(c.got, c.want) || strings.Contains(c.got, "no restrictions") {
			t.Errorf("want %q in %q", c.want, c.got)
		}
	}
}

// TestRowRemark: a row says why no line of a file decides, whatever the verdict.
func TestRowRemark(t *testing.T) {
	for _, verdict := range []wire.Verdict{wire.VerdictAllowed, wire.VerdictDisallowed, wire.VerdictUnknown} {
		row := &wire.GridRow{RobotsURL: "https://h.example/robots.txt", Status: 500, FetchReason: "HTTP status 500",
			Answers: []wire.GridAnswer{{Agent: "A", Verdict: verdict}}}
		if got, want := prose.RowRemark(row), "https://h.example/robots.txt: HTTP status 500"; got != want {
			t.Errorf("%s: %q, want %q", verdict, got, want)
		}
	}
}

// TestManyAgents: the crawlers of a line that the view does not list are counted.
func TestManyAgents(t *testing.T) {
	agents := slices.Repeat([]string{"A"}, 100)
	v := &wire.AIView{
		Preferences: []wire.AIPreference{{Line: 2, Key: "Content-Signal", Agents: agents, MoreAgents: 50, Use: "search"}},
		Licenses:    []wire.AILicense{{Line: 3, Value: "https://h.example/l", Agents: agents[:5]}},
	}
	var text strings.Builder
	if err := prose.NewAIViews(&text, table.Config{}).Print(v); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"for A, A, A, A and 146 more (", "for A, A, A, A and 1 more\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

// TestCrawlers: each known crawler is one line of the table, and a text of its own
// that begins with its token.
func TestCrawlers(t *testing.T) {
	var all []crawlers.Crawler
	for c := range crawlers.All() {
		all = append(all, c)
	}
	var rows, sheets strings.Builder
	printer := &prose.Printer{Out: &sheets}
	if err := prose.CrawlerTable(&rows, table.Config{Format: table.Text, NoHeader: true}, all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		before := sheets.Len()
		if err := printer.Crawler(c); err != nil {
			t.Fatal(err)
		}
		if sheet := strings.TrimPrefix(sheets.String()[before:], "\n"); !strings.HasPrefix(sheet, c.Token+"\n\n  operator") {
			t.Errorf("%s: %q", c.Token, sheet)
		}
	}
	lines := strings.Split(strings.TrimSuffix(rows.String(), "\n"), "\n")
	if len(lines) != len(all) {
		t.Fatalf("%d lines for %d crawlers", len(lines), len(all))
	}
	for i, c := range all {
		if !strings.HasPrefix(lines[i], c.Token+"  ") {
			t.Errorf("line %d is %q, want %s", i+1, lines[i], c.Token)
		}
	}
	checkSafe(t, rows.String()+sheets.String())
}
