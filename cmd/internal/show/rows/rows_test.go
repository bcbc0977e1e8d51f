package rows_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/show/rows"
)

// visits returns two visits of a URL and two of a similar one, with each of two rulings.
func visits(file *answer.File, url string, crawlers []answer.Crawler) (all []*answer.Visit) {
	site := &wire.Site{Provenance: wire.Provenance{RobotsURL: url, FetchReason: url}, Outcome: wire.OutcomeDisallowAll}
	rulings := []*answer.Ruling{
		answer.RuleFile(file, new(robotstxt.RFC9309), crawlers),
		answer.RuleSite(site, nil, nil, nil, crawlers),
	}
	for _, url := range []string{url, url, url + "a", "https://shop.example/" + url} {
		for _, r := range rulings {
			all = append(all, &answer.Visit{URL: url, Compared: robotstxt.EncodeURL(url), Ruling: r})
		}
	}
	return all
}

// FuzzAnswers: rows that are made of known endings are those of whole answers.
func FuzzAnswers(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /\n", "https://shop.example/a", "FooBot,*")
	f.Add("User-agent: a\nDisallow: /\"x\\,\n", "/\"x\\,\xff\ufffd", "a:b,A")
	f.Add("User-agent: a\nDisallow: /x##[\n", "::x##[", "a")
	f.Add("User-agent: *\nDisallow: /\n", "/robots.txt", "a")
	f.Add("User-agent: *\nDisallow:\n", "/%72obots.txt", "a")
	f.Add("User-agent: *\nDisallow: /\n", "", "a")
	f.Fuzz(func(t *testing.T, text, url, agents string) {
		crawlers, err := answer.ParseCrawlers(agents)
		if err != nil {
			return
		}
		file := answer.NewFile([]byte(text))
		files := [][]*answer.File{{file}, {file, file}}
		for i, format := range []table.Format{table.JSON, table.Text, table.CSV, table.TSV, table.JSON, table.Text,
			table.CSV, table.TSV} {
			var got, want bytes.Buffer
			config := rows.Config{Out: &got, Format: format, Crawlers: crawlers, Files: files[i/4]}
			w := rows.Answers(config)
			for _, v := range visits(file, url, crawlers) {
				if _, err := w.Add(v); err != nil {
					t.Fatal(err)
				}
				for i := range crawlers {
					a := v.Answer(i)
					if verdict, line := v.Verdict(i); verdict != a.Verdict || line != a.Line {
						t.Fatalf("Verdict returns %v, %v and Answer %v, %v", verdict, line, a.Verdict, a.Line)
					}
					// A writer that has seen nothing else knows no ending.
					switch format {
					case table.JSON:
						err = term.PrintJSON(&want, &a)
					case table.Text:
						err = prose.NewAnswerTable(&want, term.Palette{}, 0, crawlers, config.Files).Print(v.Ruling, &a)
					default:
						var alone bytes.Buffer
						config := config
						config.Out, config.Crawlers = &alone, crawlers[i:i+1]
						only := *v
						only.Ruling = v.Ruling.For(v.Answer(i).Dialect, crawlers[i:i+1])
						_, err = rows.Answers(config).Add(&only)
						lines := slices.Collect(strings.Lines(alone.String()))
						if want.Len() == 0 {
							want.WriteString(lines[0])
						}
						want.WriteString(lines[1])
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			if got.String() != want.String() {
				t.Errorf("%s: got\n%s\nwant\n%s", format, got.String(), want.String())
			}
		}
	})
}

// TestGridSums: the sums of a grid are the numbers of its marks, in every format.
func TestGridSums(t *testing.T) {
	crawlers, err := answer.ParseCrawlers("a,b")
	if err != nil {
		t.Fatal(err)
	}
	file := answer.NewFile([]byte("User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /\n"))
	ruling := answer.RuleFile(file, nil, crawlers)
	var out bytes.Buffer
	w := rows.Grid(rows.Config{Out: &out, Format: table.JSON, Crawlers: crawlers, Files: []*answer.File{file},
		Only: []wire.Verdict{wire.VerdictAllowed}})
	for _, url := range []string{"/x", "/y", "/z"} {
		worst, err := w.Add(&answer.Visit{URL: url, Compared: url, Ruling: ruling})
		if err != nil || worst != wire.VerdictDisallowed {
			t.Fatalf("%s: %v, %v", url, worst, err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(out.String()))
	if len(lines) != 4 { // /x is allowed to none
		t.Fatalf("got %q", lines)
	}
	google := new(robotstxt.Google)
	for i, want := range []wire.CrawlerCount{{Agent: "a", Dialect: google, Allowed: 2},
		{Agent: "b", Dialect: google, Disallowed: 2}} {
		var got wire.CrawlerCount
		if err := json.Unmarshal([]byte(lines[2+i]), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
}
