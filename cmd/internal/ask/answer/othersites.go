package answer

import (
	"strings"

	"github.com/kosterhq/robotstxt/origin"
)

// OtherSites finds URLs that a file is compared with although another robots.txt governs
// them.
type OtherSites struct {
	// Site is the site of the file. If it is zero, it becomes the first URL's site.
	Site origin.Origin

	assumed bool // the scheme of Site
}

// Of returns the origin of a URL if the robots.txt of Site does not govern it, and the
// zero Origin otherwise.
func (s *OtherSites) Of(u origin.URL) origin.Origin {
	if !s.Site.IsZero() && s.Site.Governs(u) {
		return origin.Origin{}
	}
	o := siteOf(u, s.Site)
	switch {
	case o.IsZero():
		return o
	case s.Site.IsZero() || s.assumed && o.Host() == s.Site.Host():
		s.Site, s.assumed = o, u.Target() == ""
		return origin.Origin{}
	}
	return o
}

// HasSite reports whether a text as typed is a URL, a path, or a host with a dot, so that a file can govern it.
func HasSite(text string) bool {
	return !siteOf(origin.Text(text), anySite).IsZero()
}

var anySite, _ = origin.Of("https://h")

// siteOf returns the site of a URL as typed, where a site is known, which can be zero. A word without a slash or
// dot is neither a path nor a host, so it belongs to no site.
func siteOf(u origin.URL, known origin.Origin) origin.Origin {
	o, err := u.OriginFrom(known)
	if err != nil || u.Target() == "" && o != known && !strings.HasPrefix(u.Given(), "//") && !strings.Contains(o.Host(), ".") {
		return origin.Origin{}
	}
	return o
}
