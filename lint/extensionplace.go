package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/uselines"
)

var rxUseAfterLastGroup = check{Entry: &Entry{
	Code: "RX526", Name: "use-after-last-group", Severity: Info,
	Title: "A line about use after the last group applies to that group only.",
	Why:   "A License, Content-Signal or Content-Usage line belongs to the group before it (RFC 9309 2.2.4; RSL 1.0, 4.4). A blank line or a comment does not end a group. Such a line after all rules of the last group, which is for named crawlers, was probably meant for all, unless an earlier group has one too.",
	Bad:   "User-agent: *\nDisallow: /search\n\nUser-agent: GPTBot\nDisallow: /private/\n\nLicense: https://example.com/license.xml\n",
	Good:  "License: https://example.com/license.xml\n\nUser-agent: *\nDisallow: /search\n\nUser-agent: GPTBot\nDisallow: /private/\n",
}}

// inspectLastUse reports the first line about use that is apart from the rules of the last group and
// follows all of them.
func (x *extensions) inspectLastUse() {
	last := len(x.groups) - 1
	if last < 0 || x.groups[last].forAll || !x.wants(rxUseAfterLastGroup) {
		return
	}
	agents := x.groups[last].agents
	hasRule := false
	apart := ""     // what is between the rules and the line
	var first *line // about use
	for i := agents[len(agents)-1].Line; i < len(x.lines); i++ {
		switch l := &x.lines[i]; {
		case isRule(l):
			hasRule = true
			apart = ""
			first = nil
		case first != nil:
		case l.kind == robotstxt.KindEmpty && hasRule:
			apart = "a blank line"
		case l.kind == robotstxt.KindComment && hasRule && apart == "":
			apart = "a comment"
		case apart != "" && l.group == int32(last) && isAboutUse(l):
			first = l
		}
	}
	if first != nil && !x.isInEarlierGroup(first) {
		x.findLastUse(first, apart)
	}
}

// isInEarlierGroup reports whether a group before that of a line has a line with the same key.
func (x *extensions) isInEarlierGroup(l *line) bool {
	return slices.ContainsFunc(x.lines, func(other line) bool {
		return other.group >= 0 && other.group < l.group && isAboutUse(&other) &&
			ascii.EqualFold(string(other.key()), string(l.key()))
	})
}

func isAboutUse(l *line) bool {
	return l.kind >= robotstxt.KindUnused && slices.ContainsFunc(uselines.Keys[:],
		func(key string) bool { return ascii.EqualFold(key, string(l.key())) })
}

func (x *extensions) findLastUse(l *line, apart string) {
	var names []string
	seen := map[string]bool{"": true}
	for _, a := range x.groups[len(x.groups)-1].agents {
		if name := x.writtenName(a.Token, a.Line); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	whom := "no crawler"
	if len(names) > 0 {
		whom = listed(names) + " only"
	}
	isForAll := func(g group) bool { return g.forAll }
	place := choose(slices.ContainsFunc(x.groups, isForAll), "repeat it in the group for *", "repeat it in a group for *")
	switch last := &x.groups[len(x.groups)-1]; {
	case strings.EqualFold(string(l.key()), uselines.License):
		place = "move it before the first User-agent line"
	case x.hasOthers(last):
		place = "repeat it in every group"
	}
	f := x.findKey(rxUseAfterLastGroup, l, "This line applies to %s, because %s does not end a group. If it is meant for all crawlers, %s.",
		whom, apart, place)
	f.For = names
}
