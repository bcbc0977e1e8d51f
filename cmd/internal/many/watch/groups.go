package watch

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// maxExamples is the number of sites that a group names.
const maxExamples = 3

// groups sorts sites by the most serious of their changes.
type groups struct {
	sites map[string]siteChange
}

// siteChange is the most serious change of a site.
type siteChange struct {
	groupKey
	text string
}

type groupKey struct {
	rank int // of the gravity
	kind wire.WatchKind
	size semdiff.Size
}

// add adds an event. A site can have several.
func (g *groups) add(e *wire.WatchEvent) {
	c := siteChange{groupKey: groupKey{rank: rank(e.Gravity)}}
	if len(e.Changes) > 0 {
		first := &e.Changes[0]
		c = siteChange{groupKey{rank(first.Gravity), first.Kind, first.Size}, first.Text}
	}
	if before, isKnown := g.sites[e.Site]; !isKnown || c.rank < before.rank {
		g.sites[e.Site] = c
	}
}

// list returns the groups, the most serious first, then the largest.
func (g *groups) list() []wire.WatchGroup {
	members := make(map[groupKey][]string)
	for _, site := range slices.Sorted(maps.Keys(g.sites)) {
		key := g.sites[site].groupKey
		members[key] = append(members[key], site)
	}
	keys := slices.SortedFunc(maps.Keys(members), func(a, b groupKey) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(members[b]), len(members[a])),
			cmp.Compare(a.kind, b.kind), cmp.Compare(a.size, b.size))
	})
	list := []wire.WatchGroup{}
	for _, key := range keys {
		sites := members[key]
		list = append(list, wire.WatchGroup{Gravity: gravities[key.rank], Kind: key.kind, Size: key.size,
			Sites: len(sites), Examples: sites[:min(len(sites), maxExamples)], Text: g.text(key, sites)})
	}
	return list
}

// text returns the change of the sites of a group in one line: its own words if it is the same for all, and
// otherwise the kind, with the change of the first site.
func (g *groups) text(key groupKey, sites []string) string {
	first := g.sites[sites[0]].text
	differs := slices.ContainsFunc(sites, func(site string) bool { return g.sites[site].text != first })
	switch verb := verbOf(first); {
	case differs:
		return fmt.Sprintf("%s %s, for example %s", term.Thousands(len(sites)), kindText(key), about(sites[0], first))
	case len(sites) > 1 && verb != "":
		return fmt.Sprintf("%s sites %s%s", term.Thousands(len(sites)), strings.TrimSuffix(verb, "s"), first[len(verb):])
	}
	return about(term.Count(len(sites), "site", "sites"), first)
}

// kindText returns what sites of a group do or have, as the end of a sentence about several sites.
func kindText(key groupKey) string {
	if key.size == "" {
		return "sites " + kindTexts[key.kind]
	}
	verb := "open "
	if key.kind == wire.WatchCloses {
		verb = "close "
	}
	what := map[semdiff.Size]string{semdiff.SizeAll: "completely", semdiff.SizeMost: "nearly the whole site",
		semdiff.SizeMany: "many paths", semdiff.SizeSome: "paths"}[key.size]
	if key.kind == wire.WatchOpens && key.size == semdiff.SizeMost {
		what = "much of the site, or nearly all of it"
	}
	switch gravity := gravities[key.rank]; {
	case key.kind == wire.WatchOpens || key.size == semdiff.SizeSome:
	case gravity == wire.GravityCritical, gravity == wire.GravityHigh && key.size == semdiff.SizeMany:
		what += " for search engines or " + compare.AnyText
	default:
		what += " for crawlers other than search engines"
	}
	return "sites " + verb + what
}

var kindTexts = map[wire.WatchKind]string{
	wire.WatchCloses:      "close paths",
	wire.WatchOpens:       "open paths",
	wire.WatchUndecided:   "have other rules, and it could not be decided whether a verdict differs",
	wire.WatchServerError: "answer with an error",
	wire.WatchUnreachable: "do not respond",
	wire.WatchRecovered:   "answer again",
	wire.WatchGone:        "have no file any more",
	wire.WatchAppeared:    "have a file now",
	wire.WatchHTML:        "serve a web page instead of the file",
	wire.WatchRedirected:  "serve the file from another host",
	wire.WatchTruncated:   "have a file of which crawlers read only the beginning",
	wire.WatchVariants:    "serve several files in turn",
	wire.WatchSitemaps:    "have other sitemaps",
	wire.WatchUse:         "state another use of their pages",
	wire.WatchLines:       "have other lines that change no verdict",
	wire.WatchLint:        "have new errors in the file",
	wire.WatchInjected:    "get lines that something added on the way",
}

// groupLine returns the line of a group in a message: its gravity, its text and its first sites.
func groupLine(g *wire.WatchGroup) string {
	sites := slices.Clone(g.Examples)
	if more := g.Sites - len(sites); more > 0 {
		sites = append(sites, term.Thousands(more)+" more")
	}
	return fmt.Sprintf("%s: %s (%s)", g.Gravity, g.Text, term.List(sites))
}
