package lint

import (
	"sync"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// crawlersByName are the results of crawlers.Find for all names that it finds, in lower
// case.
var crawlersByName = sync.OnceValue(func() map[string]*crawlers.Crawler {
	byName := make(map[string]*crawlers.Crawler)
	for listed := range crawlers.All() {
		for _, name := range append(listed.Aliases, listed.Token) {
			if c, found := crawlers.Find(name); found {
				byName[ascii.ToLower(name)] = &c
			}
		}
	}
	return byName
})

// followed returns the tokens whose groups a crawler follows, the first that a file names. "We'll still honor
// all applicable robots.txt directives, including those specific to MSNBot", wrote Bing when it replaced it.
func followed(tokens ...string) []string {
	if len(tokens) == 1 && ascii.EqualFold(tokens[0], "bingbot") {
		return []string{tokens[0], "msnbot"}
	}
	return tokens
}

var noCrawler crawlers.Crawler

// findCrawler is crawlers.Find without a copy of the crawler, which must not be modified.
func findCrawler[T ~string | ~[]byte](name T) (c *crawlers.Crawler, found bool) {
	var room [64]byte
	c, found = crawlersByName()[string(appendLower(room[:0], name))]
	if !found {
		return &noCrawler, false
	}
	return c, true
}

func appendLower[T ~string | ~[]byte](dst []byte, text T) []byte {
	for i := range len(text) {
		dst = append(dst, ascii.Lower(text[i]))
	}
	return dst
}
