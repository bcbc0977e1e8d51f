package lint

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// What tests need to see of the inside.

// Part is a part of a line as the document keeps it.
type Part struct {
	Text string
	At   int
}

// Parts returns key, value and comment of a line as a document keeps them.
func Parts(body []byte, l robotstxt.Line) (key, value, comment Part) {
	kept := newLine(&l, &body)
	return Part{string(kept.key()), kept.keyAt()}, Part{string(kept.value()), kept.valueAt()}, Part{string(kept.comment()), kept.commentAt()}
}

// CountLines returns how many lines a document makes room for.
func CountLines(body []byte) int { return countLines(body) }

// FindCrawler returns what findCrawler returns.
func FindCrawler(name string) (crawlers.Crawler, bool) {
	c, found := findCrawler(name)
	return *c, found
}
