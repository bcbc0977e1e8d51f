package lint

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxText = check{Entry: &Entry{
	Code: "RX413", Name: "text", Severity: Info,
	Title: "Text is not marked as a comment.",
	Why:   "Crawlers ignore such lines (G15). But crawlers can read text as a directive if it contains a colon, or begins with a word such as Disallow. A # at the beginning makes a line a comment. Not reported for a line that looks like a misspelt directive, and for signs and digits alone.",
	Bad:   "Rules for all crawlers\nUser-agent: *\nDisallow: /private/\n",
	Good:  "# Rules for all crawlers\nUser-agent: *\nDisallow: /private/\n",
}}

var rxMergeConflict = check{Entry: &Entry{
	Code: "RX419", Name: "merge-conflict", Severity: Error,
	Title: "The file contains an unresolved merge conflict.",
	Why:   "A version control system such as Git writes lines of <, = and > around two versions of the same lines. Crawlers ignore these lines and read both versions (G15). Reported if all three lines are there.",
	Bad:   "User-agent: *\n<<<<<<< HEAD\nDisallow: /a/\n=======\nDisallow: /b/\n>>>>>>> feature\n",
	Good:  "User-agent: *\nDisallow: /b/\n",
}}

var rxTemplate = check{Entry: &Entry{
	Code: "RX421", Name: "template", Severity: Info,
	Title: "The file is a template.",
	Why:   "Code such as {{ host }} or <% if %> is replaced when a program builds the file that crawlers read. If they get the file as it is, they read the code as text. A path such as /*{{url}} does not make a file a template: it is about broken links.",
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

// findTemplates reports the first line with the code of a template.
func findTemplates(d *document) {
	if d.template.lines > 0 {
		f := d.findLine(rxTemplate, &d.lines[d.template.first], "This is a template. Check the file that is built from it.")
		f.Message += alsoBelow(d.template.lines-1, "line")
	}
}

// templateLines are the lines of a file with the code of a template.
type templateLines struct {
	first, lines int // the index of the first line with code, and how many there are
}

// readTemplate sets the reason of lines with the code of a template, and of those that the code inserts only
// sometimes. No fix edits them.
func (d *document) readTemplate() {
	if !hasTemplateCode(d.body) {
		return
	}
	var code []extent // of lines: disjoint, in their order
	first, count := 0, 0
	sure := false
	var blocks []templateBlock
	for i := 0; i < len(d.lines); i++ {
		last := d.codeEnd(i)
		if last < i {
			continue
		}
		if count == 0 {
			first = i
		}
		count += last + 1 - i
		sure = sure || !closesLinks(&d.lines[i])
		code = append(code, extent{i, last + 1})
		for text := range codesIn(d.body[d.lines[i].offset():d.lines[last].end()]) {
			switch opens, conditional := opensBlock(text); {
			case opens:
				blocks = append(blocks, templateBlock{i, conditional})
			case endsBlock(text) && len(blocks) > 0:
				block := blocks[len(blocks)-1]
				blocks = blocks[:len(blocks)-1]
				if block.conditional {
					code = withExtent(code, extent{block.line, last + 1})
				}
			}
		}
		i = last
	}
	if !sure {
		return
	}
	d.template = templateLines{first, count}
	d.markTemplate(code)
}

// closesLinks reports whether the template code of a line is in a path, after a star: then the path is mostly about
// broken links to this site, whose variables were never filled in.
func closesLinks(l *line) bool {
	before, link, star := bytes.Cut(l.value(), []byte("*"))
	return star && isRule(l) && hasTemplateCode(link) && !hasTemplateCode(before) && bytes.IndexByte(link, ' ') < 0
}

// templateBlock is an open block of a template.
type templateBlock struct {
	line        int  // index of the line where it begins
	conditional bool // what is in it is not in each file that is built
}

// withExtent adds an extent to others that are before it or in it.
func withExtent(extents []extent, e extent) []extent {
	n := len(extents)
	for n > 0 && extents[n-1].start >= e.start {
		n--
	}
	return append(extents[:n], e)
}

func (d *document) markTemplate(code []extent) {
	for i := range code {
		lines := d.lines[code[i].start:code[i].end]
		for k := range lines {
			lines[k].reason = inTemplate
		}
		code[i] = extent{lines[0].offset(), lines[len(lines)-1].end()}
	}
	d.code = code
}

// codeEnd returns the index of the last line of the template code that begins in a line, -1 if it has none. Code goes
// on in the lines below only if it begins its line, and if none of them is a directive.
func (d *document) codeEnd(i int) int {
	const most = 100
	l := &d.lines[i]
	if hasTemplateCode(l.raw()) {
		return i
	}
	text := ascii.View(bytes.TrimLeft(l.raw(), ascii.Space+bom))
	for _, code := range templateCode {
		if !strings.HasPrefix(text, code[0]) || code[0] == "${" {
			continue
		}
		for k := i + 1; k < min(len(d.lines), i+most) && !readable(d.lines[k].kind); k++ {
			if bytes.Contains(d.lines[k].raw(), []byte(code[1])) {
				return k
			}
		}
	}
	return -1
}

// codesIn yields the pieces of template code in a text, without their marks.
func codesIn(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := ascii.View(text); rest != ""; {
			at, marks := len(rest), [2]string{}
			for _, code := range templateCode {
				if i := strings.Index(rest, code[0]); i >= 0 && i < at {
					at, marks = i, code
				}
			}
			if at == len(rest) {
				return
			}
			code, after, closed := strings.Cut(rest[at+len(marks[0]):], marks[1])
			if !closed || !yield(strings.Trim(code, "-~=# \t\r\n")) {
				return
			}
			rest = after
		}
	}
}

// opensBlock reports whether code begins a block, and whether it inserts the block only sometimes.
func opensBlock(code string) (opens, conditional bool) {
	word := code[:tokenLen(code)]
	if slices.Contains([]string{"if", "unless", "range", "with", "for", "foreach", "while", "case", "switch"}, word) {
		return true, true
	}
	return word == "define" || word == "block", false
}

// endsBlock reports whether code ends a block: "end", "endif", "/if" or "}".
func endsBlock(code string) bool {
	return strings.HasPrefix(code, "end") || strings.HasPrefix(code, "/") && !strings.HasPrefix(code, "/*") || code == "}"
}

// conflict are the lines of one: where its two versions begin and where they end.
type conflict [3]int

func (d *document) conflicts() (all []conflict) {
	if !bytes.Contains(d.body, []byte("<<<<<<< ")) {
		return nil
	}
	open, middle := -1, -1
	for i := range d.lines {
		switch text := d.lines[i].raw(); {
		case bytes.HasPrefix(text, []byte("<<<<<<< ")):
			open, middle = i, -1
		case open >= 0 && string(bytes.TrimSpace(text)) == "=======":
			middle = i
		case middle >= 0 && bytes.HasPrefix(text, []byte(">>>>>>> ")):
			all = append(all, conflict{open + 1, middle + 1, i + 1})
			open, middle = -1, -1
		}
	}
	return all
}

func findConflicts(d *document) {
	for _, c := range d.conflicts() {
		f := d.findLine(rxMergeConflict, d.line(c[0]), "Unresolved merge conflict: crawlers read both versions, up to line %d. Keep one, and remove the marks.", c[2])
		f.Related = []Related{{c[1], "the second version begins"}, {c[2], "it ends"}}
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
		if l.reason != plainText {
			break
		}
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
	c := rxText.rareIf(!slices.ContainsFunc(d.lines[first.number-1:last+1], hasLetter)) // else a brace, or a digit
	switch n := len(edits); {
	case lost != nil:
		d.findLine(rxText, lost, "%s", bareValue(lost))
	case guess != nil:
		d.findLine(rxText, guess, "Crawlers ignore this text, because no directive is before it on its line. If it is a path, write Disallow: / in front.")
	case n == 1:
		f := d.findLine(c, first, "Crawlers ignore this text. Remove it, or begin it with # to make it a comment.")
		f.Fix = &Fix{Title: "make it a comment", Edits: edits}
	default:
		f := d.findLine(c, first, "Crawlers ignore these %d lines of text. Remove them, or begin them with # to make them comments.", n)
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
