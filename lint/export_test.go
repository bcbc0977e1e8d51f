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
	return Part{string(kept.key()), kept.keyAt()}, Part{string(kept.value()), kept.valueAt()},
		Part{string(kept.comment()), kept.commentAt()}
}

// CountLines returns how many lines a document makes room for.
func CountLines(body []byte) int { return countLines(body) }

// FindCrawler returns what findCrawler returns.
func FindCrawler(name string) (crawlers.Crawler, bool) {
	c, found := findCrawler(name)
	return *c, found
}

// Intended returns the tokens that a value means, and why.
func Intended(value string) (tokens []string, why string) {
	in := intended([]byte(value))
	return in.tokens, string(in.why)
}

// Unclear reports whether findings of a code mean that crawlers do not read a line as it is meant.
func Unclear(code Code) bool { return checkNamed(string(code)).unclear }

// LargeTraining returns the tokens that RX313 and RX514 compare.
func LargeTraining() (tokens []string) {
	for _, c := range largeTraining() {
		tokens = append(tokens, c.Name)
	}
	return tokens
}
