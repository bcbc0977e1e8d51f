package compare_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/permission"
)

// licensed are files with License lines in different places.
var licensed = []string{
	"", "User-agent: *\nDisallow: /cart\n", "License: https://v.example/l.xml\n",
	"License: https://v.example/l.xml\n\nUser-agent: *\nDisallow: /cart\n",
	"License: https://v.example/m.xml\n\nUser-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nLicense: https://v.example/l.xml\nDisallow: /\n",
	"User-agent: *\nLicense: https://v.example/l.xml\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /cart\n",
	"User-agent: GPTBot\nUser-agent: AI2Bot\nDisallow: /\n\n\nLicense: https://v.example/l.xml\nLicense: https://v.example/m.xml\n",
	"License: https://v.example/l.xml\nUser-agent: Googlebot\nDisallow:\n\nUser-agent: *\nLicense: https://v.example/l.xml\nDisallow: /\n",
}

// TestLicenses: a License URL is listed for exactly the crawlers, of all that are known, for which package permission
// reads it in only one of the files.
func TestLicenses(t *testing.T) {
	bodies := asBytes(licensed)
	real, _ := witness.Corpus(t)
	for _, body := range real {
		if bytes.Contains(bytes.ToLower(body), []byte("\nlicense:")) && len(bodies) < 2*len(licensed) {
			bodies = append(bodies, body)
		}
	}
	var all []answer.Crawler
	for c := range crawlers.All() {
		all = append(all, answer.NewCrawler(c.Token))
	}
	compared := 0
	for i, old := range bodies {
		before := licensesOf(old, all)
		for k, new := range bodies {
			after := licensesOf(new, all)
			result, err := compare.Run(t.Context(), compare.Question{Old: old, New: new, Crawlers: all})
			if err != nil {
				t.Fatal(err)
			}
			listed := [2]map[string][]string{{}, {}}
			for _, d := range result.Other {
				if d.Kind == "License" {
					for _, agent := range d.Agents {
						listed[0][agent] = append(listed[0][agent], d.Old...)
						listed[1][agent] = append(listed[1][agent], d.New...)
					}
				}
			}
			for n, crawler := range all {
				if crawler.Unread {
					continue
				}
				compared++
				want := fmt.Sprint(without(before[n], after[n]), without(after[n], before[n]))
				if got := fmt.Sprint(sorted(listed[0][crawler.Name]), sorted(listed[1][crawler.Name])); got != want {
					t.Errorf("files %d and %d, %s: %s, and permission reads %s", i, k, crawler.Name, got, want)
				}
			}
		}
	}
	if want := len(bodies) * len(bodies) * 333; compared < want {
		t.Errorf("%d compared, want at least %d", compared, want)
	}
}

func asBytes(texts []string) (list [][]byte) {
	for _, text := range texts {
		list = append(list, []byte(text))
	}
	return list
}

// licensesOf returns the License URLs that package permission reads for crawlers.
func licensesOf(body []byte, all []answer.Crawler) (urls [][]string) {
	robots := permission.NewRobots("https://shop.example/robots.txt", body)
	for _, c := range all {
		q := permission.Question{URL: "https://shop.example/x", Crawler: permission.Crawler{Name: c.Name, Reading: c.Reading, Unread: c.Unread}}
		urls = append(urls, permission.Licenses(q, &permission.Sources{Robots: robots}))
	}
	return urls
}

func without(list, others []string) []string {
	return sorted(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) }))
}

func sorted(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
