package rows_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/rows"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
)

// BenchmarkVerdicts measures a verdict in each form of output, for 20 crawlers.
func BenchmarkVerdicts(b *testing.B) {
	text, err := os.ReadFile("../../robots/testdata/shop.robots.txt")
	if err != nil {
		b.Fatal(err)
	}
	file := answer.NewFile(text)
	crawlers, err := answer.ParseCrawlers("Googlebot,Bingbot,GPTBot,CCBot,TeaFinder,FooBot" + strings.Repeat(",OtherBot", 14))
	if err != nil {
		b.Fatal(err)
	}
	ruling := answer.RuleFile(file, robotstxt.Google, crawlers)
	var visits []*answer.Visit
	for i := range 1000 {
		url := fmt.Sprintf("https://shop.example/%s/%d?sort=price", []string{"teas", "cart", "about", "search"}[i%4], i)
		visits = append(visits, &answer.Visit{URL: url, Compared: url, Ruling: ruling})
	}
	for name, writer := range map[string]func(rows.Config) rows.Writer{"rows": rows.Answers, "grid": rows.Grid, "lines": rows.LineCounts} {
		for _, format := range table.Formats() {
			b.Run(name+"/"+string(format), func(b *testing.B) {
				b.ReportAllocs()
				w := writer(rows.Config{Out: io.Discard, Format: format, Crawlers: crawlers, Files: []*answer.File{file}})
				for n := 0; n < b.N; n += len(crawlers) {
					if _, err := w.Add(visits[n%len(visits)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
