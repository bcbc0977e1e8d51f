package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

var rxRedundantStar = &check{Entry{
	Code: "RX201", Name: "redundant-star", Severity: Info, Pedantic: true,
	Title: "The star at the end of a path has no effect.",
	Why:   "A rule matches everything that begins with its path (RFC 9309 2.2.2, G42), so the star only makes the rule longer, and of two rules the longer one decides (G49). Crawlers without wildcards compare the star as it is.",
	Bad:   "User-agent: *\nDisallow: /fish*\n",
	Good:  "User-agent: *\nDisallow: /fish\n",
}}

// inspectStars looks for patterns that end in a star. Without it the rule is shorter. That
// is safe unless a rule of the other kind matches a common path and becomes the longer one,
// with or without its own redundant stars. So all fixes of this kind are safe together.
func inspectStars(d *document, s *ruleSets) {
	if !d.wants(rxRedundantStar) {
		return
	}
	var others []*ruleSets
	for i := range s.rules {
		r := &s.rules[i]
		if _, ok := s.pattern(r).WithoutRedundantEnd(); !ok || r.none || r.dead {
			continue
		}
		safe := s.mayShorten(r)
		if d.elsewhere.same(r.group) {
			findStar(d, r, s.pattern(r).MatchesEvery(), safe)
			continue
		}
		if others == nil {
			others = d.elsewhere.ruleSets(s.work)
		}
		for _, other := range others {
			same := other.at(r.Line)
			safe = safe && same != nil && other.mayShorten(same)
		}
		findStar(d, r, s.pattern(r).MatchesEvery(), safe)
	}
}

// findStar reports a redundant end. For a pattern that matches everything the fix writes a
// slash, which crawlers without wildcards understand.
func findStar(d *document, r *claimant, everything, safe bool) {
	l := d.line(r.Line)
	if l.nulCut {
		return // without the NUL the star is not the last byte
	}
	if everything && l.value()[0] == '*' { // see ruleSets.claimant
		f := d.findValue(rxRedundantStar, l, "%s matches every URL, as / does, which all crawlers understand.%s", quote(l.value()), str(weighs(safe)))
		f.Fix = &Fix{Title: "write /", Edits: l.replaceValue("/"), Meaning: !safe}
		return
	}
	// What ends the pattern ends the value: no dialect encodes stars.
	left := len(l.value()) - (r.Length - int(r.short))
	if strings.IndexByte("$ \t\n\v\f\r", l.value()[left-1]) >= 0 {
		return // it would become the last byte: special, or trimmed
	}
	start, end := l.valueAt()+left, l.valueAt()+len(l.value())
	f := d.find(rxRedundantStar, l, start, end, "%s matches the same URLs as %s.%s", quote(l.value()), quote(l.value()[:left]), str(weighs(safe)))
	if l.tooLong {
		return // more of the line would be read
	}
	f.Fix = &Fix{Title: "remove the star at the end", Edits: []Edit{{start, end, ""}}, Meaning: !safe}
}

func weighs(safe bool) string {
	if safe {
		return ""
	}
	return " But a shorter path may lose against another rule."
}

// mayShorten reports whether a rule decides the same without its redundant end,
// whether or not the ends of other rules are removed.
func (s *ruleSets) mayShorten(r *claimant) bool {
	low, high := int(r.short), r.Length // of the rules that outweigh the short one only
	if low == high {
		return true
	}
	if r.Allow {
		low++ // it wins ties
	} else {
		high--
	}
	rival, ok := s.rival(r, low, high, func(*claim) bool { return true })
	return ok && rival == nil
}

var rxTie = &check{Entry{
	Code: "RX209", Name: "tie", Severity: Info, Pedantic: true,
	Title: "An Allow and a Disallow match equally.",
	Why:   "If two rules are equally long, Allow wins (RFC 9309 2.2.2, G50). Not all crawlers follow that, and one more character in a path changes the result.",
	Bad:   "User-agent: *\nDisallow: /*.gif\nAllow: /logos\n",
	Good:  "User-agent: *\nDisallow: /*.gif\nAllow: /logos/\n",
}}

// inspectTies looks for Disallows that lose some of their paths to an Allow of the same
// length. If they lose all, they are redundant. An Allow such as "/*.css" may tie with
// many rules: that is one finding.
func inspectTies(d *document, s *ruleSets) {
	if s.traits.FirstMatch || !d.wants(rxTie) {
		return
	}
	// By the winner: one change to the Allow resolves all its ties.
	losers := map[*claimant][]*claimant{}
	for i := range s.rules {
		r := &s.rules[i]
		if r.Allow || r.none || r.dead {
			continue
		}
		winner, _ := s.rival(r, r.Length, r.Length, func(c *claim) bool { return c.pattern.Priority() == r.Length && !c.rule.dead })
		if winner != nil {
			losers[winner] = append(losers[winner], r)
		}
	}
	for i := range s.rules {
		if winner := &s.rules[i]; losers[winner] != nil {
			findTie(d, winner, losers[winner])
		}
	}
}

func findTie(d *document, winner *claimant, losers []*claimant) {
	more := ""
	if n := len(losers) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	f := d.findValue(rxTie, d.line(winner.Line), "This line and line %d%s match equally; Allow wins.", num(losers[0].Line), str(more))
	f.Related = d.related(losers...)
}

var rxPatternWiderThanItLooks = &check{Entry{
	Code: "RX211", Name: "pattern-wider-than-it-looks", Severity: Info,
	Title: "A short path also blocks everything that begins with it.",
	Why:   "A rule matches every path that begins with its text (RFC 9309 2.2.2, G42): /s also matches /shop and /support. Reported for paths of one or two letters, if the path matches the file's own sitemap, and for /*/ without an Allow, which blocks all pages in folders.",
	Bad:   "User-agent: *\nDisallow: /s\n",
	Good:  "User-agent: *\nDisallow: /s/\n",
}}

// inspectWidth looks for patterns that block more than they seem to. Most Disallow lines
// without a slash at the end are meant, so only clear cases are reported.
func inspectWidth(d *document) {
	if !d.wants(rxPatternWiderThanItLooks) {
		return
	}
	sitemaps, folders := sitemapPaths(d), false
	reported := map[string]bool{}
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind != robotstxt.KindDisallow || l.group < 0 {
			continue
		}
		if value := string(l.value()); !folders && (value == "/*/" || value == "/*/*") {
			folders = true // to look for exceptions takes time
			findFolders(d, l)
			continue
		}
		short := len(l.value()) <= len("/ab")
		if !short && len(sitemaps) == 0 || !openEnded(l.value()) {
			continue
		}
		value := string(l.value())
		if hit := firstWith(sitemaps, value); reported[value] {
			continue // the same rule of another group
		} else if hit != "" {
			f := d.findValue(rxPatternWiderThanItLooks, l, "%s also blocks this file's sitemap %s, because it blocks everything that begins with it.", quote(l.value()), quoteText(hit))
			f.Fix = onlyFolder(l)
		} else if short {
			reported[value] = true
			f := d.findValue(rxPatternWiderThanItLooks, l, "%s blocks everything that begins with it, not only the folder %s.", quote(l.value()), quoteText(value+"/"))
			f.Fix = onlyFolder(l)
		}
	}
}

// findFolders reports a rule that blocks all folders, unless an Allow makes exceptions.
func findFolders(d *document, l *line) {
	if first := d.groups[l.group].agents[0].Token; exceptions(d.robots.Rules(first)) == "" {
		d.findValue(rxPatternWiderThanItLooks, l, "%s blocks every page that is in a folder; only pages such as /about stay open.", quote(l.value()))
	}
}

func onlyFolder(l *line) *Fix {
	end := l.valueAt() + len(l.value())
	return &Fix{Title: "block only the folder", Edits: []Edit{{end, end, "/"}}, Meaning: true}
}

// openEnded reports whether a value is a path that ends in letters or digits and
// has nothing in it that shows where it was meant to end.
func openEnded(value []byte) bool {
	if len(value) < 2 || value[0] != '/' || !isWord(value[len(value)-1]) {
		return false
	}
	for i := len(value) - 1; value[i] != '/'; i-- {
		if value[i] == '.' {
			return false // the extension of a file
		}
	}
	return bytes.IndexByte(value, '*') < 0 && bytes.IndexByte(value, '?') < 0
}

// sitemapPaths returns the paths of the file's sitemaps, sorted. Those on another
// host than the file, if that is known, are left out, because its patterns do not apply there.
func sitemapPaths(d *document) (paths []string) {
	ours := hostOf(d.config.URL)
	for s := range d.robots.Sitemaps() {
		if ours != "" && hostOf(s.URL) != ours {
			continue
		}
		if _, rest, ok := strings.Cut(s.URL, "://"); ok {
			paths = append(paths, pathAfterHost(rest))
		}
	}
	slices.Sort(paths)
	return paths
}

// firstWith returns the first of the sorted paths that begins with a word and
// goes on within it, "" if there is none or one is named as such.
func firstWith(paths []string, beginning string) string {
	i, found := slices.BinarySearch(paths, beginning)
	if found || i == len(paths) || !strings.HasPrefix(paths[i], beginning) {
		return ""
	}
	if c := paths[i][len(beginning)]; !isWord(c) && c != '.' {
		return ""
	}
	return paths[i]
}
