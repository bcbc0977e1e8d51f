package permission

import (
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

type licenseMatch struct {
	content *content
	pointer string
	length  int // of the path that matches
	says    [len(licensedPurposes)]Says
	text    string
}

// matchedURL is the statement of a document about a URL. The last one is kept, because
// questions about many crawlers have the same URL.
type matchedURL struct {
	url   string
	found []licenseMatch
}

// longest returns the longest paths that match a URL: only they apply.
func (l *License) longest(pageURL string, page bool) (best []match) {
	site, err := origin.Of(pageURL)
	most := -1
	for _, one := range l.paths.matching(pageURL) {
		c := &l.contents[one.index]
		if c.url == "" && !page || c.absolute && (err != nil || c.site != site) {
			continue
		}
		if one.length > most {
			most, best = one.length, best[:0]
		}
		if one.length == most {
			best = append(best, one)
		}
	}
	return best
}

// matching returns the content elements with the longest path that matches a URL. If elements say
// the same, it returns the first ones. An element of a document in the page can lack a path: it
// is about the page. The result depends on nothing else, and is safe for concurrent use.
func (l *License) matching(pageURL string, page bool) []licenseMatch {
	kept := &l.ofSite
	if page {
		kept = &l.ofPage
	}
	if l.paths == nil {
		return nil
	}
	if last := kept.Load(); last != nil && last.url == pageURL {
		return last.found
	}
	m := &matchedURL{url: pageURL}
	alike := map[string]int{}
	for _, one := range l.longest(pageURL, page) {
		found := licenseMatch{content: &l.contents[one.index], pointer: "/" + strconv.Itoa(one.index), length: one.length}
		needed := false
		for i, p := range licensedPurposes {
			found.says[i] = found.content.says(p)
			same := string(p) + " " + string(found.says[i])
			needed = needed || alike[same] < maxAlike
			alike[same]++
		}
		if needed {
			found.text = clip(found.content.text())
			m.found = append(m.found, found)
		}
	}
	kept.Store(m)
	return m.found
}

func (l *License) compile() *License {
	paths := make([]string, len(l.contents))
	for i := range l.contents {
		paths[i] = l.contents[i].readPath()
	}
	l.paths = compile(robotstxt.RFC9309, paths)
	return l
}

// readPath returns the path pattern of a content's URL, and finds out whether it is about one
// site only.
func (c *content) readPath() string {
	before, rest, absolute := strings.Cut(c.url, "://")
	if !absolute || strings.HasPrefix(c.url, "/") || strings.ContainsAny(before, "*?") {
		return c.url
	}
	of, err := origin.Of(c.url)
	if err != nil {
		return "\x00" // matches nothing
	}
	c.site = of
	c.absolute = true
	if at := strings.IndexByte(rest, '/'); at >= 0 {
		return rest[at:]
	}
	return "/"
}
