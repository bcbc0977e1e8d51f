package browser_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chromedp/chromedp"
	"github.com/kosterhq/robotstxt/internal/test/surfaces"
)

// TestSurfaces puts a sample of the questions of all surfaces to the page: files that are
// text, each crawler's own reading and one dialect. The grid shows the verdicts.
func TestSurfaces(t *testing.T) {
	s := serve(t)
	p := newTab(t)
	asked := 0
	for i, c := range surfaces.Cases() {
		if c.Status != 200 || !utf8.Valid(c.Body) || len(c.Body) > 10_000 || c.Name == "cr" || c.Name == "nul" {
			continue // the editor shows text with line breaks
		}
		dialect := surfaces.Dialects()[i%2]
		sheet := state{Text: string(c.Body), Agents: surfaces.Crawlers()[1:]} // "*" has another name on the page
		if dialect != nil {
			sheet.Dialect = dialect.String()
		}
		expected := verdicts{}
		urls := surfaces.URLs(c.Host())
		for _, url := range slices.Concat(urls[2:14], urls[len(urls)-2:]) { // the last are of an international host
			sheet.URLs = append(sheet.URLs, url)
			for _, agent := range sheet.Agents {
				q := surfaces.Question{Case: c, Agent: agent, URL: url, Dialect: dialect}
				want := q.Text()
				word := want.Verdict
				if want.Line > 0 {
					word += " " + strconv.Itoa(want.Line)
				}
				expected[strings.ReplaceAll(agent, `"`, "")+" "+url] = word
				asked++
			}
		}
		if asked == len(expected) {
			p.do(chromedp.Navigate(s.url + sheet.fragment()))
		} else {
			evaluate[string](p, `location.hash = `+quote(sheet.fragment()))
		}
		p.wantVerdicts(expected)
	}
	t.Logf("%d questions", asked)
	if asked < 1000 {
		t.Error("too few questions")
	}
}
