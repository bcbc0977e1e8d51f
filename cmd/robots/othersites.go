package main

import (
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/origin"
)

type otherSites struct {
	note     func(format string, args ...any) // nil if no file is local
	urls     int
	first    string
	governor string // the robots.txt that governs the first
	compared origin.Origin
	asHost   string // a text that begins with two slashes, as a link can
}

func (n *otherSites) add(v *answer.Visit) {
	if n.asHost == "" && strings.HasPrefix(v.URL, "//") {
		n.asHost = v.URL
	}
	if v.Other.IsZero() {
		return
	}
	n.urls++
	if n.urls == 1 {
		n.first, n.governor, n.compared = v.URL, v.Other.RobotsURL(), v.Ruling.Compared()
	}
}

// print prints one note about the URLs. site is the file's site, zero if it is not known.
func (n *otherSites) print(site origin.Origin) {
	if n.asHost != "" && n.note != nil {
		host, _ := origin.Text(n.asHost).OriginFrom(site)
		n.note("%s is read as the host %s, as links are; a path begins with one slash", term.Escape(n.asHost), host.Host())
	}
	switch {
	case n.urls == 0 || n.note == nil:
	case site.IsZero():
		n.note("%s compared with this file, but other sites' files decide: %s governs %s; --site URL names the site of the file",
			term.Count(n.urls, "URL was", "URLs were"), n.governor, term.Escape(n.first))
	default:
		n.note("%s other than %s, so nothing is known: %s governs %s; without --file, each site's file is fetched",
			term.Count(n.urls, "URL is of a site", "URLs are of sites"), site, n.governor, term.Escape(n.first))
	}
}
