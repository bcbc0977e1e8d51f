package lint

import (
	"bytes"
	"slices"
)

var emptyRuleEntries = []Entry{
	{
		Code:     "RX210",
		Name:     "empty-rule",
		Severity: Info,
		Title:    "A rule without a path decides nothing, because its group has other rules.",
		Why:      "A rule without a path weighs nothing (G51; RFC 9309 2.2.2): it neither blocks anything nor takes back what the other rules of its group say.",
		Bad:      "User-agent: *\nDisallow:\nDisallow: /private/\n",
		Good:     "User-agent: *\nDisallow: /private/\n",
	},
	{
		Code:     "RX215",
		Name:     "path-on-next-line",
		Severity: Warning,
		Title:    "A Disallow without a path is followed by a path on a line of its own.",
		Why:      "A rule is one line (RFC 9309 2.2). The Disallow blocks nothing, and the line with the path is passed over (G15).",
		Bad:      "User-agent: *\nDisallow:\n/private/\n",
		Good:     "User-agent: *\nDisallow: /private/\n",
	},
}

// inspectEmptyRules looks for rules without a path that stand beside others. The
// line of a needless one may be removed.
func inspectEmptyRules(d *document, s *ruleSets, needless map[int]bool) {
	for i := range d.groups {
		rules := s.rules[s.from[i]:s.from[i+1]]
		withPath := slices.ContainsFunc(rules, func(r claimant) bool { return r.Pattern != "" })
		for i := range rules {
			r := &rules[i]
			if r.Pattern != "" {
				continue
			}
			l := d.line(r.Line)
			if d.findPathBelow(l, r) || !withPath {
				continue
			}
			f := d.findLine("RX210", l, "%s without a path decides nothing beside the other rules of its group", directive(r))
			if needless[r.Line] {
				f.Fix = d.removalFix(l)
			}
		}
	}
}

// findPathBelow reports an empty Disallow whose path stands on the next line. Two
// slashes are no path: they begin a comment in other languages.
func (d *document) findPathBelow(l *line, r *claimant) bool {
	if r.Allow || l.number == len(d.lines) {
		return false
	}
	next := d.line(l.number + 1)
	path, _, _ := bytes.Cut(bytes.TrimSpace(next.raw), []byte("#"))
	if path = bytes.TrimSpace(path); len(path) == 0 || path[0] != '/' || bytes.HasPrefix(path, []byte("//")) {
		return false
	}
	f := d.findLine("RX215", l, "Disallow has no path, so it blocks nothing; %s on the next line is passed over", quote(path))
	f.Related = []Related{{next.number, "a path without a directive"}}
	if !bytes.ContainsAny(path, " \t\x00") {
		f.Fix = &Fix{
			Title:   "put the path after the Disallow",
			Edits:   append([]Edit{{l.valueAt(), l.valueAt(), " " + string(path)}}, next.remove()...),
			Meaning: true,
		}
	}
	return true
}
