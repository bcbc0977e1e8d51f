package audit_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// TestRowsOfOneCrawler: the rows of a crawler do not depend on which others are audited.
func TestRowsOfOneCrawler(t *testing.T) {
	folder := t.TempDir()
	for name, body := range map[string]string{
		"named":  "User-agent: gptBOT\nDisallow: /\n\nUser-agent: *\nDisallow: /x\nCrawl-delay: 3\n",
		"star":   "User-agent: *\nDisallow: /a%3cb\nAllow: /a\n",
		"chain":  "User-agent: second\nDisallow: /\n\nUser-agent: *\nDisallow: /y\n",
		"other":  "User-agent: CCBot/2.0\nDisallow: /\n\nUser-agent: GPTBot GPTBot\nDisallow: /z\n",
		"parts":  "User-agent: Googlebot\nAllow: /\nUser-agent: *\nUser-agent: CCBot\nDisallow: /\n",
		"nobody": "Disallow: /\n",
		"empty":  "",
	} {
		writeFile(t, filepath.Join(folder, name+".txt"), []byte(body))
	}
	all := crawlersOf(t, "*,first:second,x:*:second,Sogou web spider,AdsBot-Google,Googlebot-News:Googlebot,GPTBot,ccbot,Googlebot,YandexBot,unknown")
	dialects := []*robotstxt.Dialect{nil}
	for _, dialect := range robotstxt.Dialects() {
		dialects = append(dialects, &dialect)
	}
	for _, dialect := range dialects {
		questions := audit.Questions{Crawlers: all, Dialect: dialect, Exact: true, Samples: []string{"/", "/x", "/y"}}
		_, together := run(t, audit.Options{Questions: questions}, audit.Config{}, folder)
		for i, crawler := range all {
			questions.Crawlers = all[i : i+1]
			_, alone := run(t, audit.Options{Questions: questions}, audit.Config{}, folder)
			for file, row := range alone {
				if diff := cmp.Diff(row, together[file*len(all)+i]); diff != "" {
					t.Errorf("%s, %s: alone and with the others\n%s", row.Record, crawler.Name, diff)
				}
			}
		}
	}
}
