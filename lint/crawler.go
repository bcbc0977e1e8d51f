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
