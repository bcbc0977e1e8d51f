// Package agentname decides how texts name the crawlers of user-agent lines. A dialect can read only
// the beginning of a name, such as AI of AI2Bot; a text has the name that is in the file.
package agentname

import (
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Name is the name of the crawlers of a user-agent line.
type Name struct {
	Token string // what the dialect reads
	Text  string // the name that is in the file; empty if the line names nothing
}

// IsCut reports whether the dialect reads only the beginning of the name.
func (n Name) IsCut() bool { return n.Token != n.Text }

// Of returns the name in the value of a line of which a dialect reads a token.
func Of(token, value string) Name {
	rest, ok := strings.CutPrefix(value, token)
	if !ok {
		return Name{token, token}
	}
	end := 0
	for end < len(rest) && (isWord(rest[end]) || isDot(rest[end:])) {
		end++
	}
	return Name{token, token + rest[:end]}
}

// InLines returns the names of the user-agent lines of a file, by their lines.
func InLines(robots *robotstxt.Robots, text []byte) map[int]Name {
	names := make(map[int]Name)
	for group := range robots.Groups() {
		for agent := range group.Agents() {
			names[agent.Line] = Name{agent.Token, agent.Token}
		}
	}
	if len(names) == 0 {
		return names
	}
	for line := range robotstxt.Lines(text) {
		if name, isAgent := names[line.Number]; isAgent {
			names[line.Number] = Of(name.Token, string(line.Value))
		}
	}
	return names
}

// Distinct returns the names of a group's user-agent lines in the order of the lines, each once. names are
// those of InLines. Lines that name nothing have no name.
func Distinct(names map[int]Name, group robotstxt.Group) []string {
	list := []string{}
	known := make(map[string]bool)
	for agent := range group.Agents() {
		if text := names[agent.Line].Text; text != "" && !known[text] {
			known[text] = true
			list = append(list, text)
		}
	}
	return list
}

func isWord(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || c == '-' || c == '_' || c >= 0x80
}

// isDot reports whether a text begins with a dot within a name, as in Mail.RU_Bot.
func isDot(text string) bool { return len(text) > 1 && text[0] == '.' && isWord(text[1]) }
