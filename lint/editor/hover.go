package editor

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/lint"
)

// Hover is a text about a part of the document.
type Hover struct {
	Range    Range // of that part
	Markdown string
}

// Hover returns what is known about the part of the document at an offset: a key, a
// crawler, a rule, or the code of a finding in a comment. ok is false if there is
// nothing to show.
func (d *Document) Hover(offset int) (_ Hover, ok bool) {
	offset = d.boundary(offset)
	line := d.line(offset)
	text, start, end := "", 0, 0
	switch {
	case within(offset, line.KeyOffset, line.Key):
		start, end = line.KeyOffset, line.KeyOffset+len(line.Key)
		if k := keyOf(&line); k != nil {
			text = "**" + k.name + "**\n\n" + k.doc
		}
	case within(offset, line.ValueOffset, line.Value):
		start, end = line.ValueOffset, line.ValueOffset+len(line.Value)
		switch line.Kind {
		case robotstxt.KindUserAgent:
			text = d.hoverAgent(&line)
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			text = d.hoverRule(&line)
		}
	case within(offset, line.CommentOffset, line.Comment):
		start, end = d.wordAt(offset)
		if e, known := lint.Named(string(d.body[start:end])); known &&
			strings.Contains(string(line.Comment), suppression) {
			text = fmt.Sprintf("**%s** %s\n\n%s\n\n%s", e.Code, e.Name, escape(e.Title), escape(e.Why))
		}
	}
	return Hover{d.Range(start, end), text}, text != ""
}

func within(offset, start int, text []byte) bool {
	return len(text) > 0 && offset >= start && offset <= start+len(text)
}

func (d *Document) hoverAgent(line *robotstxt.Line) string {
	token := string(line.Value)
	if g := d.groupOf(line.Number); g != nil {
		for agent := range g.Agents() {
			if agent.Line == line.Number {
				token = agent.Token
			}
		}
	}
	if token == "*" {
		return "This group applies to crawlers that no other group is for, except those that obey only groups that name them, such as AdsBot-Google."
	}
	c, known := crawlers.Find(string(line.Value)) // a name can have characters that tokens do not
	if !known {
		c, known = crawlers.Find(token)
	}
	if !known {
		return code(name(token)) + " is not a known crawler."
	}
	return crawlerText(c)
}

var obeysTexts = map[crawlers.Obeys]string{
	crawlers.ObeysAll:   "It obeys the groups that name it, or else those for `*`.",
	crawlers.ObeysNamed: "It obeys only groups that name it, not those for `*`.",
	crawlers.ObeysNone:  "It does not obey robots.txt, or not reliably.",
}

func purposesOf(c crawlers.Crawler) string {
	names := make([]string, len(c.Purposes))
	for i, purpose := range c.Purposes {
		names[i] = string(purpose)
	}
	return strings.Join(names, ", ")
}

func crawlerText(c crawlers.Crawler) string {
	operator := c.Operator
	if operator == crawlers.Unknown {
		operator = "unknown operator"
	}
	facts := []string{"**" + escape(c.Token) + "** · " + escape(operator) + " · " + purposesOf(c)}
	switch {
	case c.Status == crawlers.Retired && len(c.Replacements) > 0:
		facts = append(facts, "It is not in use any more; it is replaced by "+strings.Join(c.Replacements, " and ")+".")
	case c.Status == crawlers.Retired:
		facts = append(facts, "It is not in use any more.")
	}
	if c.Control {
		facts = append(facts, "No crawler sends this token. It controls how pages are used that other crawlers of the operator fetch.")
	}
	if obeys := obeysTexts[c.Obeys]; obeys != "" {
		facts = append(facts, obeys)
	}
	if len(c.Fallbacks) > 0 {
		facts = append(facts, "If no group names it, it obeys those for "+strings.Join(c.Fallbacks, ", then ")+".")
	}
	if claims := crawlers.Claims(c.Token); len(claims) > 0 {
		facts = append(facts, "Source: <"+claims[0].URL+">")
	}
	return strings.Join(facts, "\n\n")
}

// maxTokens is the number of crawlers in a hover text.
const maxTokens = 8

func (d *Document) hoverRule(line *robotstxt.Line) string {
	g := d.groupOf(line.Number)
	if g == nil {
		return "No User-agent line precedes this rule, so it has no effect."
	}
	rule, ok := g.ruleOf(line.Number)
	if !ok {
		return ""
	}
	tokens := g.tokens()
	if len(tokens) > maxTokens {
		tokens = append(tokens[:maxTokens:maxTokens], fmt.Sprintf("%d more", len(tokens)-maxTokens))
	}
	verdict := "Disallows"
	if rule.Allow {
		verdict = "Allows"
	}
	return fmt.Sprintf("%s %s for %s.\n\nIts length is %d; of all rules that match a URL, the longest one decides.",
		verdict, matchText(rule.Pattern), code(strings.Join(tokens, ", ")), rule.Length)
}

func matchText(pattern string) string {
	text, ends := strings.CutSuffix(pattern, "$")
	switch shown := code(name(pattern)); {
	case pattern == "":
		return "nothing"
	case pattern[0] != '/' && pattern[0] != '*':
		return "nothing: a path begins with `/`, and the pattern " + shown + " does not"
	case strings.Contains(text, "*") && ends:
		return "the URLs whose path matches " + shown + ", in which `*` is any text and `$` is the end"
	case strings.Contains(text, "*"):
		return "the URLs whose path begins with " + shown + ", in which `*` is any text"
	case ends:
		return "the one path " + code(name(text))
	default:
		return "the URLs whose path begins with " + shown
	}
}

// wordAt returns the word at an offset: letters, digits and hyphens.
func (d *Document) wordAt(offset int) (start, end int) {
	start, end = offset, offset
	for start > 0 && isWord(d.body[start-1]) {
		start--
	}
	for end < len(d.body) && isWord(d.body[end]) {
		end++
	}
	return start, end
}

func isWord(c byte) bool { return ascii.IsLetter(c) || ascii.IsDigit(c) || c == '-' }

// code returns text as Markdown code. A fence longer than any run of backticks in the
// text encloses it.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence != "`" || strings.HasPrefix(text, " ") {
		text = " " + text + " "
	}
	return fence + text + fence
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "<", `\<`, "&", `\&`)

func escape(text string) string { return markdownEscapes.Replace(text) }
