package lint

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxText = &check{Entry: Entry{
	Code: "RX413", Name: "text", Severity: Info,
	Title: "Text is not marked as a comment.",
	Why:   "Crawlers ignore such lines (G15). But crawlers can read text as a directive if it contains a colon, or begins with a word such as Disallow. A # at the beginning makes a line a comment. Not reported for a line that looks like a misspelt directive, and for signs and digits alone.",
	Bad:   "Rules for all crawlers\nUser-agent: *\nDisallow: /private/\n",
	Good:  "# Rules for all crawlers\nUser-agent: *\nDisallow: /private/\n",
}}

var rxMergeConflict = &check{unclear: true, Entry: Entry{
	Code: "RX419", Name: "merge-conflict", Severity: Error,
	Title: "The file contains an unresolved merge conflict.",
	Why:   "A version control system such as Git writes lines of <, = and > around two versions of the same lines. Crawlers ignore these lines and read both versions (G15). Reported if all three lines are there.",
	Bad:   "User-agent: *\n<<<<<<< HEAD\nDisallow: /a/\n=======\nDisallow: /b/\n>>>>>>> feature\n",
	Good:  "User-agent: *\nDisallow: /b/\n",
}}

var rxTemplate = &check{Entry: Entry{
	Code: "RX421", Name: "template", Severity: Info,
	Title: "The file is a template.",
	Why:   "Code such as {{ host }} or <% if %> is replaced when a program builds the file. Crawlers read the built file, so check that one. The other checks skip lines with such code. If crawlers get the file as it is, they read the code as text.",
	Bad:   "User-agent: *\nDisallow: /search\nSitemap: https://{{ host }}/sitemap.xml\n",
	Good:  "User-agent: *\nDisallow: /search\nSitemap: https://shop.example/sitemap.xml\n",
}}

var templateCode = [...][2]string{{"{{", "}}"}, {"<%", "%>"}, {"${", "}"}, {"{%", "%}"}}

func hasTemplateCode(text []byte) bool {
	return slices.ContainsFunc(templateCode[:], func(code [2]string) bool {
		_, rest, begins := strings.Cut(ascii.View(text), code[0])
		return begins && strings.Contains(rest, code[1])
	})
}

// findTemplates reports the first line with the code of a template. No other finding is about such lines.
func findTemplates(d *document) {
	if !hasTemplateCode(d.body) {
		return
	}
	var first *line
	more := 0
	for i := range d.lines {
		l := &d.lines[i]
		if !hasTemplateCode(l.raw()) {
			continue
		}
		l.told, l.template = true, true
		if first == nil {
			first = l
		} else {
			more++
		}
	}
	if first != nil {
		f := d.findLine(rxTemplate, first, "This is a template. Check the file that is built from it.")
		f.Message += alsoBelow(more, "line")
	}
}

func findConflicts(d *document) {
	open, middle := -1, -1
	for i := range d.lines {
		switch text := d.lines[i].raw(); {
		case bytes.HasPrefix(text, []byte("<<<<<<< ")):
			open, middle = i, -1
		case open >= 0 && string(bytes.TrimSpace(text)) == "=======":
			middle = i
		case middle >= 0 && bytes.HasPrefix(text, []byte(">>>>>>> ")):
			f := d.findLine(rxMergeConflict, &d.lines[open], "Unresolved merge conflict: crawlers read both versions, up to line %d. Keep one, and remove the marks.", i+1)
			f.Related = []Related{{middle + 1, "the second version begins"}, {i + 1, "it ends"}}
			for _, mark := range []int{open, middle, i} {
				d.lines[mark].told = true
			}
			open, middle = -1, -1
		}
	}
}

// findText reports a run of lines of text, and returns the last of them.
func findText(d *document, i int) int {
	first, last := &d.lines[i], i
	var lost, guess *line // the first that is, or can be, the rest of a lost directive
	var edits []Edit
	for ; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.kind == robotstxt.KindEmpty {
			continue
		}
		if kind, _ := nearlyDirective(l); kind > 0 || !isText(l) {
			break
		}
		l.told = true
		at := l.end() - len(bytes.TrimLeft(l.raw()[l.markLen():], ascii.Space))
		edits = append(edits, Edit{at, at, "# "})
		last = i
		if lost == nil && bareValue(l) != "" {
			lost = l
		}
		if guess == nil && len(d.groups) > 0 && l.number > d.groups[0].agents[0].Line &&
			isRestOfPath(bytes.TrimSpace(l.content())) {
			guess = l
		}
	}
	hasLetter := func(l line) bool { return bytes.ContainsFunc(l.content(), unicode.IsLetter) }
	switch n := len(edits); {
	case lost == nil && guess == nil && d.lowKey(rxText) &&
		!slices.ContainsFunc(d.lines[first.number-1:last+1], hasLetter): // a brace, or a digit
	case lost != nil:
		lost.unclear = true
		d.findLine(rxText, lost, "%s", bareValue(lost))
	case guess != nil:
		guess.unclear = true
		d.findLine(rxText, guess, "Crawlers ignore this text, because no directive is before it on its line. If it is a path, write Disallow: / in front.")
	case n == 1:
		f := d.findLine(rxText, first, "Crawlers ignore this text. Remove it, or begin it with # to make it a comment.")
		f.Fix = &Fix{Title: "make it a comment", Edits: edits}
	default:
		f := d.findLine(rxText, first, "Crawlers ignore these %d lines of text. Remove them, or begin them with # to make them comments.", n)
		f.Fix = &Fix{Title: "make them comments", Edits: edits}
	}
	return last
}

// bareValue returns what is missing in a line that is a path or the name of a crawler alone, or text with a
// user-agent line in it, "" for other lines. Two slashes begin a comment in other languages.
func bareValue(l *line) string {
	text := bytes.TrimSpace(l.content())
	if _, known := findCrawler(text); known {
		return "Crawlers ignore this name, because no User-agent is before it on its line."
	}
	if len(text) > 0 && text[0] == '/' && !bytes.HasPrefix(text, []byte("//")) && !bytes.ContainsAny(text, " \t") {
		return "Crawlers ignore this path, because no Disallow or Allow is before it on its line."
	}
	if losesAgent(l) {
		return "Crawlers ignore this text and the User-agent in it. Remove the text, or write the User-agent on a line of its own."
	}
	return ""
}

// isRestOfPath reports whether a text can be the rest of a rule: a word with a query, the name of a
// folder, or a file in one.
func isRestOfPath(text []byte) bool {
	path, _, query := strings.Cut(string(text), "?")
	first, _, inFolder := strings.Cut(path, "/")
	inPath := func(c byte) bool { return isWord(c) || strings.IndexByte("-_/.*$%", c) >= 0 }
	if first == "" || strings.Contains(first, ".") && !hasFileEnding(first) || !consistsOf([]byte(path), inPath) {
		return false
	}
	return query && !bytes.ContainsAny(text, " \t") || strings.HasSuffix(path, "/") || inFolder && hasFileEnding(path)
}
