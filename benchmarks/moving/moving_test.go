package main

import (
	"os"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
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
				robotstxt.Allowed([]byte(file), path, "FigTree")})
		}
		got := row{}
		got.ask(questions, test.of)
		if got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
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
