package fix

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// otherPrograms returns the programs outside the proof in which an edit might change a
// verdict. changes are the changes in the dialects.
//
// Their code shows what they read differently. Python's urllib and temoto choose among
// several matching rules in their own ways, so a rule that is redundant for all readers of
// the proof might decide there, and temoto compares paths as they are encoded. Python's
// urllib and Protego do not know a byte order mark, so that it hides the first line. For Protego, even
// an unknown directive ends a list of agents, unless it is Host. temoto
// does not read a line with a space before its colon, takes a comment without a space before
// it as part of the value, and loses a last line without a value and line end. Python's
// urllib followed Koster's draft before it followed RFC 9309: an empty line ended a group,
// and if it was between the agents and their rules, the rules had no agents.
func otherPrograms(before, after []byte, changes []Change) (names []string) {
	old, edited := traitsOf(before), traitsOf(after)
	rules := !slices.Equal(old.rules, edited.rules)
	mark := old.mark != edited.mark
	switch {
	case rules || mark:
		names = append(names, "Python's urllib")
	case !slices.Equal(old.groups, edited.groups),
		slices.ContainsFunc(changes, func(c Change) bool { return c.Dialect == robotstxt.Koster1996 }):
		names = append(names, "older versions of Python's urllib")
	}
	if mark || !slices.Equal(old.lists, edited.lists) {
		names = append(names, "Protego")
	}
	if rules || old.blanks != edited.blanks || old.comments != edited.comments || old.unfinished != edited.unfinished {
		names = append(names, "temoto")
	}
	return names
}

// traits are what programs outside of the proof might read in another way.
type traits struct {
	rules      []string // the values of agents and rules, with their kinds
	groups     []string // the same, with an empty one for empty lines, but not those before a group
	lists      []bool   // by agent: whether another directive is between it and the agent before
	mark       bool     // the file begins with a byte order mark
	blanks     int      // lines with a space before the colon
	comments   int      // values with a comment and no blank between them
	unfinished bool     // the last line has a key, no value and no line end
}

func (t *traits) addLine(line robotstxt.Line) {
	n := len(t.groups)
	switch line.Kind {
	case robotstxt.KindUserAgent, robotstxt.KindAllow, robotstxt.KindDisallow:
		rule := line.Kind.String() + string(line.Value)
		if n > 1 && line.Kind == robotstxt.KindUserAgent && t.groups[n-1] == "" && !isAgent(t.groups[n-2]) {
			t.groups = t.groups[:n-1] // the group ends here in any case
		}
		t.rules, t.groups = append(t.rules, rule), append(t.groups, rule)
	case robotstxt.KindEmpty:
		if n > 0 && t.groups[n-1] != "" {
			t.groups = append(t.groups, "")
		}
	}
}

func traitsOf(body []byte) (t traits) {
	other := false
	t.mark = bytes.HasPrefix(body, []byte("\ufeff"))
	for line := range robotstxt.Lines(body) {
		t.addLine(line)
		if line.Key == nil {
			continue
		}
		switch {
		case line.MissingColon, line.Kind == robotstxt.KindSitemap, ascii.EqualFold(line.Key, "host"):
		case line.Kind == robotstxt.KindUserAgent:
			t.lists, other = append(t.lists, other), false
		default:
			other = true
		}
		if afterKey := body[line.KeyOffset+len(line.Key):]; !line.MissingColon && afterKey[0] != ':' {
			t.blanks++
		}
		if len(line.Value) > 0 && line.Comment != nil && line.CommentOffset == line.ValueOffset+len(line.Value) {
			t.comments++
		}
		t.unfinished = len(line.Value) == 0 && line.Offset+len(line.Raw) == len(body) && !bytes.ContainsAny(line.Raw, "\r\n")
	}
	if n := len(t.groups); n > 0 && t.groups[n-1] == "" {
		t.groups = t.groups[:n-1]
	}
	return t
}

func isAgent(rule string) bool { return strings.HasPrefix(rule, robotstxt.KindUserAgent.String()) }
