package permit_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
	"github.com/kosterhq/robotstxt/semdiff"
)

// useCase is a line of a file of cases in package permission.
type useCase struct {
	ID, File, URL, HTML, Crawler string
	Headers                      []string
	Purpose                      crawlers.Purpose

	Verdict permission.Verdict
	Kind    permission.Kind
	Token   string
	Line    int

	Extent semdiff.Extent
	Except []int `json:"except_lines"`
	Group  string
}

func useCases(t *testing.T, name string) []useCase {
	return golden.Lines[useCase](t, filepath.Join("..", "..", "..", "..", "permission", "testdata", "use", name))
}

// ask returns the answer about a case.
func (c *useCase) ask(t *testing.T, url string) (*wire.PermitAnswer, *answer.Ruling) {
	t.Helper()
	crawler := answer.NewCrawler(c.Crawler)
	header := http.Header{}
	for _, line := range c.Headers {
		name, value, _ := strings.Cut(line, ": ")
		header.Add(name, value)
	}
	ruling := answer.RuleFile(answer.NewFile([]byte(c.File)), nil, []answer.Crawler{crawler})
	visit := answer.VisitText(url, ruling)
	config := permit.Config{
		Crawlers: []answer.Crawler{crawler}, Purposes: []crawlers.Purpose{c.Purpose},
		Given: permission.Sources{Header: header, Page: page.Read([]byte(c.HTML), ""), TDMRep: &permission.TDMRep{}},
	}
	p, err := config.Begin(&visit, nil).Answer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &p.Answers[0], ruling
}

// TestUse: "robots permit" gives the answers of package permission, for every case.
func TestUse(t *testing.T) {
	for _, c := range useCases(t, "permit.jsonl") {
		a, _ := c.ask(t, c.URL)
		line := 0
		if len(a.Reasons) > 0 && a.Verdict != permission.Unknown {
			line = a.Reasons[0].Place.Line
		}
		if a.Verdict != c.Verdict || a.Kind != c.Kind || a.Token != c.Token || line != c.Line {
			t.Errorf("%s: %s, %s, token %q, line %d; want %s, %s, %q, %d", c.ID, a.Verdict, a.Kind, a.Token, line, c.Verdict, c.Kind, c.Token, c.Line)
		}
	}
}

// TestUnreadWithoutFile: what a crawler may do that no line can name is unknown in check, permit and ai, even if
// the site has no file.
func TestUnreadWithoutFile(t *testing.T) {
	unread := answer.NewCrawler("Foo Bar")
	for _, outcome := range []wire.Outcome{wire.OutcomeAllowAll, wire.OutcomeDisallowAll} {
		site := &wire.Site{Outcome: outcome, Provenance: wire.Provenance{Source: wire.SourceNetwork, Status: 404}}
		ruling := answer.RuleSite(site, nil, nil, nil, []answer.Crawler{unread})
		v := &answer.Visit{URL: "https://shop.example/", Compared: "https://shop.example/", Ruling: ruling}
		config := permit.Config{Crawlers: []answer.Crawler{unread}, Purposes: []crawlers.Purpose{permission.Fetch, "search"}}
		p, err := config.Begin(v, nil).Answer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if a := v.Answer(0); !unread.Unread || a.Verdict != wire.VerdictUnknown {
			t.Errorf("%s: check says %s", outcome, a.Verdict)
		}
		for _, a := range p.Answers {
			if a.Verdict != permission.Unknown || a.Kind != permission.KindUnread || a.Extent != semdiff.ExtentUnknown {
				t.Errorf("%s: permit says %s, %s, %s", a.Purpose, a.Verdict, a.Kind, a.Extent)
			}
		}
	}
}

// TestExtents: "robots permit" and "robots ai" agree how much of the site is open to the deciding
// token, and by which lines.
func TestExtents(t *testing.T) {
	for _, c := range useCases(t, "extent.jsonl") {
		a, ruling := c.ask(t, "https://shop.example/")
		if lines := linesOf(a.Except); a.Extent != c.Extent || !slices.Equal(lines, c.Except) || a.Group != c.Group {
			t.Errorf("%s: %s except lines %v, group %q; want %s, %v, %q", c.ID, a.Extent, lines, a.Group, c.Extent, c.Except, c.Group)
		}
		view, err := aiview.New(t.Context(), "robots.txt", ruling,
			aiview.Config{Purposes: []crawlers.Purpose{c.Purpose}, Each: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range view.Purposes {
			if e.Agents[0] == c.Crawler && (e.Access != c.Extent || !slices.Equal(linesOf(e.Except), c.Except) ||
				e.Group != c.Group) {
				t.Errorf("%s: the view has %+v", c.ID, e)
			}
		}
		if !slices.ContainsFunc(view.Purposes, func(e wire.AIAccess) bool { return e.Agents[0] == c.Crawler }) {
			t.Errorf("%s: the view does not have %s", c.ID, c.Crawler)
		}
	}
}

func linesOf(exceptions []wire.Exception) []int {
	lines := []int{}
	for _, e := range exceptions {
		lines = append(lines, e.Line)
	}
	return lines
}

// TestExtentLaw: a robots.txt refuses a URL exactly if the URL is outside of what the extent opens, for
// every known token and purpose of real files.
func TestExtentLaw(t *testing.T) {
	bodies, names := witness.Corpus(t)
	step := max(1, len(bodies)/enginetest.Size(6, 300))
	asked, skipped := 0, 0
	for i := 0; i < len(bodies) && !t.Failed(); i += step {
		ruling := answer.RuleFile(answer.NewFile(bodies[i]), nil, []answer.Crawler{answer.NewCrawler()})
		extents := aiview.NewExtents(ruling)
		// it is always allowed
		urls := slices.DeleteFunc(enginetest.WitnessURLs(bodies[i], 4),
			func(url string) bool { return strings.Contains(url, "/robots.txt") })
		matchers := map[string]robotstxt.Rules{}
		for c := range crawlers.All() {
			for _, p := range c.Purposes {
				use := permission.UseOf(extents.Robots, answer.NewCrawler(c.Token).Permission(), p)
				extent, err := extents.Of(t.Context(), use)
				if err != nil {
					t.Fatal(err)
				}
				for _, url := range urls {
					refused, known := outside(matchers, use, extent, url)
					asked++
					if !known {
						skipped++
						continue
					}
					if verdict, _, _ := use.At(url); (verdict == permission.Disallowed) != refused {
						t.Errorf("%s: %s of %s at %s is %s, but the extent is %+v", names[i], p, c.Token, url, verdict, extent)
					}
				}
			}
		}
	}
	t.Logf("%d questions, %d that the extent leaves open", asked, skipped)
}

// outside reports whether a URL is outside of what an extent opens. It is not known if the extent depends
// on the path, or an exception is about a part of the URLs that its pattern matches.
func outside(matchers map[string]robotstxt.Rules, use *permission.Use, extent *wire.PermitExtent,
	url string) (refused, known bool) {
	switch extent.Extent {
	case semdiff.ExtentUnknown:
		return false, true
	case semdiff.ExtentOpen, semdiff.ExtentClosed, semdiff.ExtentPartly:
	default:
		return false, false
	}
	refused = extent.Otherwise == wire.VerdictDisallowed
	for _, e := range extent.Except {
		key := use.Reading.Dialect.String() + e.Pattern
		if _, made := matchers[key]; !made {
			matchers[key] = use.Reading.Dialect.Parse([]byte("User-agent: *\nDisallow: " + e.Pattern + "\n")).Rules()
		}
		if !matchers[key].Allowed(url) {
			return !refused, !e.Part
		}
	}
	return refused, true
}
