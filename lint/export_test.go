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
func Unclear(code Code) bool {
	return hasCode(misreadCodes, code)
}

// LargeTraining returns the tokens that RX313 and RX514 compare.
func LargeTraining() (tokens []string) {
	for _, c := range largeTraining() {
		tokens = append(tokens, c.Name)
	}
	return tokens
}

// Shuffle changes the order of the inspectors.
func Shuffle(swap func(n int, swap func(i, j int))) {
	swap(len(inspectors), func(i, j int) { inspectors[i], inspectors[j] = inspectors[j], inspectors[i] })
}

// Exception is a row of the table of exceptions, with the codes of its columns.
type Exception struct {
	By, Hides  []Code
	Place, Why string
}

// Exceptions returns the table of exceptions.
func Exceptions() (rows []Exception) {
	for _, e := range exceptions {
		row := Exception{Place: placeNames[e.on], Why: e.why}
		for _, c := range catalogue {
			if hasCode(e.by, c.Code) {
				row.By = append(row.By, c.Code)
			}
			if hasCode(e.hides, c.Code) {
				row.Hides = append(row.Hides, c.Code)
			}
		}
		rows = append(rows, row)
	}
	return rows
}
