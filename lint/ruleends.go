package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

var rxRedundantStar = &check{Entry{
	Code:     "RX201",
	Name:     "redundant-star",
	Severity: Info,
	Title:    "A star at the end of a pattern matches nothing more.",
	Why:      "A pattern matches all that begins with it (G42; RFC 9309 2.2.2), so the star only adds to the length by which rules are weighed (G49). Readers without wildcards take it for a letter.",
	Bad:      "User-agent: *\nDisallow: /fish*\n",
	Good:     "User-agent: *\nDisallow: /fish\n",
}}

// inspectStars looks for patterns that end in a star. Taking it out makes the
// rule weigh less. That is safe unless a rule of the other kind with which it
// shares a path comes to weigh more, with its own redundant stars or without:
// then it is safe beside any other fix of this kind.
func inspectStars(d *document, s *ruleSets, dead map[int]bool) {
	if !d.wants(rxRedundantStar) {
		return
	}
	var others []*ruleSets
	for i := range s.rules {
		r := &s.rules[i]
		if _, ok := s.pattern(r).WithoutRedundantEnd(); !ok || r.none || dead[r.Line] {
			continue
		}
		safe := s.mayShorten(r)
		if same := d.elsewhere.same(); same != nil && same[r.group] {
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

// findStar reports a redundant end. The whole-site pattern is told apart, because a
// slash is what readers without wildcards need there.
func findStar(d *document, r *claimant, everything, safe bool) {
	l := d.line(r.Line)
	if l.nulCut {
		return // with the NUL gone the star is not the last byte any more
	}
	if everything && l.value()[0] == '*' { // see ruleSets.claimant
		f := d.findValue(rxRedundantStar, l, "%s matches every URL, as \"/\" does, which readers without wildcards understand too%s", quote(l.value()), str(weighs(safe)))
		f.Fix = &Fix{Title: "write a slash", Edits: l.replaceValue("/"), Meaning: !safe}
		return
	}
	// What ends the pattern ends the value: no dialect encodes stars.
	left := len(l.value()) - (r.Length - int(r.short))
	if strings.IndexByte("$ \t\n\v\f\r", l.value()[left-1]) >= 0 {
		return // it would come to be the last byte: special, or trimmed
	}
	start, end := l.valueAt()+left, l.valueAt()+len(l.value())
	f := d.find(rxRedundantStar, l, start, end, "%s matches what %s would match%s", quote(l.value()), quote(l.value()[:left]), str(weighs(safe)))
	if l.tooLong {
		return // what is not read yet would move up
	}
	f.Fix = &Fix{Title: "take out the star at the end", Edits: []Edit{{start, end, ""}}, Meaning: !safe}
}

func weighs(safe bool) string {
	if safe {
		return ""
	}
	return ", but a shorter pattern may lose to another rule"
}

// mayShorten reports whether a rule decides the same without its redundant end,
// whether the ends of other rules are taken out or not.
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
	Code:     "RX209",
	Name:     "tie",
	Severity: Info,
	Title:    "An Allow and a Disallow of equal length match the same paths.",
	Why:      "Of two rules of equal length Allow decides (G50; RFC 9309 2.2.2). Not all crawlers know that, and one more byte in a pattern turns the verdict.",
	Bad:      "User-agent: *\nDisallow: /*.gif\nAllow: /logos\n",
	Good:     "User-agent: *\nDisallow: /*.gif\nAllow: /logos/\n",
}}

// inspectTies looks for Disallows that lose some of their paths to an Allow of
// the same length. Where they lose all, they are dead rules. An Allow such as
// "/*.css" may tie with many: that is one finding.
func inspectTies(d *document, s *ruleSets, dead map[int]bool) {
	if s.traits.FirstMatch || !d.wants(rxTie) {
		return
	}
	// By the winner, not by the loser: one change to the Allow settles them all.
	losers := map[*claimant][]*claimant{}
	for i := range s.rules {
		r := &s.rules[i]
		if r.Allow || r.none || dead[r.Line] {
			continue
		}
		winner, _ := s.rival(r, r.Length, r.Length, func(c *claim) bool { return c.pattern.Priority() == r.Length && !dead[c.rule.Line] })
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
	f := d.findValue(rxTie, d.line(winner.Line), "Allow %s is as long as Disallow %s on line %d%s: URLs that both match are allowed",
		quoteText(winner.Pattern), quoteText(losers[0].Pattern), num(losers[0].Line), str(more))
	f.Related = related(losers)
}

var rxPatternWiderThanItLooks = &check{Entry{
	Code:     "RX211",
	Name:     "pattern-wider-than-it-looks",
	Severity: Info,
	Title:    "A short pattern without a slash at the end also matches all that begins with it.",
	Why:      "A pattern matches every path that begins with it (G42; RFC 9309 2.2.2): /in also matches /index.html. Reported for paths of one or two letters, and where the file's own sitemap is hit.",
	Bad:      "User-agent: *\nDisallow: /s\n",
	Good:     "User-agent: *\nDisallow: /s/\n",
}}

// inspectWidth looks for patterns that block more than they seem to. Nearly
// every file has a Disallow without a slash at the end, and most mean it, so only
// those are reported that speak for themselves.
func inspectWidth(d *document) {
	if !d.wants(rxPatternWiderThanItLooks) {
		return
	}
	sitemaps := sitemapPaths(d)
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind != robotstxt.KindDisallow || l.group < 0 {
			continue
		}
		short := len(l.value()) <= len("/ab")
		if !short && len(sitemaps) == 0 || !openEnded(l.value()) {
			continue
		}
		if hit := firstWith(sitemaps, l.value()); hit != "" {
			f := d.findValue(rxPatternWiderThanItLooks, l, "%s matches all that begins with it, this file's sitemap %s too", quote(l.value()), quoteText(hit))
			f.Fix = onlyFolder(l)
		} else if short {
			f := d.findValue(rxPatternWiderThanItLooks, l, "%s matches all that begins with it, not only the folder %s", quote(l.value()), quoteText(string(l.value())+"/"))
			f.Fix = onlyFolder(l)
		}
	}
}

func onlyFolder(l *line) *Fix {
	end := l.valueAt() + len(l.value())
	return &Fix{Title: "match the folder alone", Edits: []Edit{{end, end, "/"}}, Meaning: true}
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
// host than the file, if that is known, are none of its patterns' business.
func sitemapPaths(d *document) []string {
	var paths []string
	ours := hostOf(d.config.URL)
	for s := range d.robots.Sitemaps() {
		if ours != "" && hostOf(s.URL) != ours {
			continue
		}
		if _, rest, ok := strings.Cut(s.URL, "://"); ok {
			_, path := cutHost(rest)
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// firstWith returns the first of the sorted paths that begins with a word and
// goes on within it, "" if there is none or one is named as such.
func firstWith(paths []string, beginning []byte) string {
	i, found := slices.BinarySearchFunc(paths, beginning, func(path string, b []byte) int {
		switch {
		case path < string(b):
			return -1
		case path == string(b):
			return 0
		default:
			return 1
		}
	})
	if found || i == len(paths) || len(paths[i]) <= len(beginning) || paths[i][:len(beginning)] != string(beginning) {
		return ""
	}
	if c := paths[i][len(beginning)]; !isWord(c) && c != '.' {
		return ""
	}
	return paths[i]
}
