package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/show/rows"
)

// TestCountsKeepNoFile: counts and their notes need little memory for each site, not its robots.txt.
func TestCountsKeepNoFile(t *testing.T) {
	const sites, size = 100, 400_000
	crawlers, err := answer.ParseCrawlers("GPTBot")
	if err != nil {
		t.Fatal(err)
	}
	notes := groupNotes{crawlers: crawlers, dots: &dotsNote{}}
	w := rows.LineCounts(rows.Config{Out: io.Discard, Format: table.JSON, Crawlers: crawlers, Counted: notes.add})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range sites {
		text := fmt.Sprintf("User-agent: GPTBot\nCrawl-delay: 1\nUser-agent: FooBot\nDisallow: /%d\n%s", i, strings.Repeat("# x\n", size/4))
		file := answer.NewFile([]byte(text))
		file.Name = fmt.Sprintf("%d.txt", i)
		v := answer.VisitURL(answer.ReadURL(fmt.Sprintf("/%d", i), false), answer.RuleFile(file, nil, crawlers))
		if _, err := w.Add(&v); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 4*size {
		t.Errorf("%d files of %d bytes are counted with %d bytes", sites, size, kept)
	}
	if len(notes.joined) != maxGroupNotes || !notes.omitted {
		t.Errorf("%d notes about groups", len(notes.joined))
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
}
