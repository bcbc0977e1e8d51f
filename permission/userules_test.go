package permission_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

// useCase is a line of testdata/use/permit.jsonl.
type useCase struct {
	ID      string           `json:"id"`
	File    string           `json:"file"`
	URL     string           `json:"url"`
	Headers []string         `json:"headers"`
	HTML    string           `json:"html"`
	Crawler string           `json:"crawler"`
	Purpose crawlers.Purpose `json:"purpose"`

	Verdict permission.Verdict `json:"verdict"`
	Kind    permission.Kind    `json:"kind"`
	Token   string             `json:"token"`
	Line    int                `json:"line"`
	Why     string             `json:"why"`
}

// question returns the question of a case, and all that its site has.
func (c *useCase) question() (permission.Question, *permission.Sources) {
	q := permission.Ask(c.URL)
	if c.Crawler != "*" {
		q = permission.Ask(c.URL, c.Crawler)
	}
	q.Purposes = []crawlers.Purpose{c.Purpose}
	s := complete(c.File)
	header := http.Header{}
	for _, line := range c.Headers {
		name, value, _ := strings.Cut(line, ": ")
		header.Add(name, value)
	}
	s.Header = header
	s.Page = page.Read([]byte(c.HTML), "")
	return q, s
}

// TestUseCases: what decides whether a page may be used, for each kind of file and crawler.
func TestUseCases(t *testing.T) {
	cases := golden.Lines[useCase](t, "testdata/use/permit.jsonl")
	if len(cases) != 140 {
		t.Errorf("%d cases", len(cases))
	}
	for _, c := range cases {
		a := permission.Decide(c.question())[0]
		line := 0
		if len(a.Reasons) > 0 && a.Verdict != permission.Unknown {
			line = a.Reasons[0].Place.Line
		}
		if a.Verdict != c.Verdict || a.Kind != c.Kind || a.Token != c.Token || line != c.Line {
			t.Errorf("%s: %q, %s for %s: %s, %s, token %q, line %d; want %s, %s, %q, %d", c.ID, c.File, c.Purpose, c.Crawler, a.Verdict, a.Kind, a.Token, line, c.Verdict, c.Kind,
				c.Token, c.Line)
		}
	}
}
