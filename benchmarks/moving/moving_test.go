package main

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/board"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
)

// TestCauses: a parser that reads no misspelt keys differs in lines, one that looks for parts of names in
// groups, and one without wildcards in rules.
func TestCauses(t *testing.T) {
	const file = "User-agent: Fig\nDisallow: /fig\n\nUser-agent: *\nDisallow: /a/*/b\nDisalow: /c\n"
	for name, test := range map[string]struct {
		of   answer
		want row
	}{
		"lines": {func(body []byte, agent, url string) (bool, error) {
			return robotstxt.Allowed([]byte(strings.ReplaceAll(string(body), "Disalow", "X")), url, agent), nil
		}, row{asked: 4, closed: 1, lines: 1}},
		"groups": {func(body []byte, agent, url string) (bool, error) {
			return robotstxt.Allowed(body, url, strings.TrimSuffix(agent, "Tree")), nil
		}, row{asked: 4, opened: 1, closed: 2, groups: 3}},
		"rules": {func(body []byte, agent, url string) (bool, error) {
			return robotstxt.Allowed([]byte(strings.ReplaceAll(string(body), "*/b", "%2A/b")), url, agent), nil
		}, row{asked: 4, closed: 1, paths: 1}},
	} {
		var questions []question
		for _, path := range []string{"/fig", "/a/x/b", "/c", "/d"} {
			questions = append(questions, question{[]byte(file), "FigTree", site + path,
				robotstxt.Allowed([]byte(file), path, "FigTree"), false})
		}
		got := row{}
		got.ask(questions, test.of)
		if got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestSecondOracle: crawler-commons, which follows RFC 9309, answers all questions about well-formed files as
// this project does in the dialect rfc9309, except that it reads any rule for index.html as one for the
// folder, also one that disallows.
func TestSecondOracle(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" || os.Getenv("ROBOTSTXT_CORPUS") == "" {
		t.Skip("set ROBOTSTXT_LONG, and ROBOTSTXT_CORPUS to a folder of real files")
	}
	questions, err := readQuestions(os.Getenv("ROBOTSTXT_CORPUS"))
	if err != nil {
		t.Fatal(err)
	}
	movers := board.Movers()
	i := slices.IndexFunc(movers, func(p driver.Program) bool { return p.Name == "crawler-commons" })
	p, err := movers[i].Start(t.Context())
	if err != nil {
		t.Skip("NOT CHECKED: ", err)
	}
	defer p.Close()
	folders := 0
	for _, q := range questions {
		body := canonical(q.body)
		want := robotstxt.RFC9309.Parse(body).Rules(q.agent).Allowed(q.url)
		got, _, err := p.Query(body, []string{q.agent}, q.url)
		isFolder := strings.HasSuffix(q.url, "/") &&
			strings.Contains(string(body), strings.TrimPrefix(q.url, site)+"index.htm")
		switch {
		case err == nil && got != want && isFolder:
			folders++
		case err != nil || got != want:
			t.Errorf("%s, %s: %v, %v, want %v, about\n%.2000q", q.agent, q.url, got, err, want, body)
		}
	}
	t.Logf("%d questions, %d about folders with a rule for index.html", len(questions), folders)
}

// TestPage compares the page with the answers of the parsers that can be installed here.
func TestPage(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" || os.Getenv("ROBOTSTXT_CORPUS") == "" {
		t.Skip("set ROBOTSTXT_LONG, and ROBOTSTXT_CORPUS to a folder of real files")
	}
	t.Chdir("..")
	if err := run(os.Getenv("ROBOTSTXT_CORPUS"), true); err != nil {
		t.Error(err)
	}
}

// TestQuotedShares: documents quote the page.
func TestQuotedShares(t *testing.T) {
	text, err := os.ReadFile("../results/moving.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, quoted := range []struct{ parser, file, before, after string }{
		{"Protego", "../../docs/python.md", "for Protego (", ")"},
		{"robotspy", "../../docs/python.md", "robotspy (", ")"},
		{"urllib.robotparser", "../../docs/python.md", "urllib.robotparser (", ")"},
		{"robots-parser", "../../npm/README.md", "[", " have another answer]"},
	} {
		_, row, _ := strings.Cut(string(text), "| "+quoted.parser+" ")
		_, row, _ = strings.Cut(row, "**")
		share, _, ok := strings.Cut(row, "%**")
		exact, err := strconv.ParseFloat(share, 64)
		if !ok || err != nil {
			t.Fatalf("no share of %s", quoted.parser)
		}
		file, err := os.ReadFile(quoted.file)
		if err != nil {
			t.Fatal(err)
		}
		digits := 1
		if exact >= 10 {
			digits = 0
		}
		want := quoted.before + strconv.FormatFloat(exact, 'f', digits, 64) + "%" + quoted.after
		if !strings.Contains(string(file), want) {
			t.Errorf("%s lacks %q", quoted.file, want)
		}
	}
}
