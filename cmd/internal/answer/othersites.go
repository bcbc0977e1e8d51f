package answer

import (
	"cmp"
	"strings"

	"github.com/kosterhq/robotstxt/origin"
)

// maxOtherSites bounds the memory of OtherSites. No more sites are reported.
const maxOtherSites = 1000

// OtherSites finds URLs that a local file is compared with although another robots.txt
// governs them.
type OtherSites struct {
	// Site is the site of the file. If it is zero, it becomes that of the first URL.
	Site origin.Origin

	assumed bool // the scheme of Site
	seen    map[origin.Origin]bool
}

// Add returns the same as Of, but each origin only once.
func (s *OtherSites) Add(u origin.URL) origin.Origin {
	o := s.Of(u)
	switch {
	case o.IsZero() || s.seen[o] || len(s.seen) == maxOtherSites:
		return origin.Origin{}
	case s.seen == nil:
		s.seen = make(map[origin.Origin]bool)
	}
	s.seen[o] = true
	return o
}

// Of returns the origin of a URL if the robots.txt of Site does not govern it, and the
// zero Origin otherwise. A host without a scheme has that of Site.
func (s *OtherSites) Of(u origin.URL) origin.Origin {
	if u.Target() != "" && s.Site.Governs(u) {
		return origin.Origin{}
	}
	o, err := u.Origin()
	bare := err != nil
	if text := u.Given(); bare && !isPath(text) {
		o, err = origin.Of(cmp.Or(s.Site.Scheme(), "https") + ":" + text)
	}
	switch {
	case err != nil || o == s.Site:
		return origin.Origin{}
	case s.Site.IsZero() || s.assumed && o.Host() == s.Site.Host():
		s.Site, s.assumed = o, bare
		return origin.Origin{}
	}
	return o
}

// isPath reports whether a text without an origin has no host.
func isPath(text string) bool {
	return text == "" || text[0] == '?' || text[0] == '#' || text[0] == '/' && !strings.HasPrefix(text, "//")
}
