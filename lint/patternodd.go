package lint

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxRegularExpression = check{Entry: &Entry{
	Code: "RX219", Name: "regular-expression", Severity: Warning,
	Title: "A path is written as a regular expression.",
	Why:   "Only two characters are special in a path: * matches any text, and a final $ means the end (RFC 9309 2.2.3, G43, G44). Crawlers take all others literally, so the rule matches hardly any URL. /.* alone is about hidden files. If another Disallow closes the path anyway, it is reported with --pedantic.",
	Bad:   "User-agent: *\nDisallow: /(cart|checkout)/.*\n",
	Good:  "User-agent: *\nDisallow: /cart/\nDisallow: /checkout/\n",
}}

var rxEscapedPattern = check{Entry: &Entry{
	Code: "RX220", Name: "character-not-in-urls", Severity: Warning,
	Title: "A path has characters that URLs do not have.",
	Why:   "Crawlers request & and not &amp;, and write \" < > { } and ` in a path as %22 %3C %3E %7B %7D and %60; browsers request / for a backslash. A path in the other form matches no URL. A segment such as /[slug]/ is a placeholder, and a comma after a folder belongs to the surrounding text.",
	Bad:   "User-agent: *\nDisallow: /*?id=1&amp;sort=\n",
	Good:  "User-agent: *\nDisallow: /*?id=1&sort=\n",
}}

var rxDotSegment = check{Entry: &Entry{
	Code: "RX222", Name: "dot-segment", Severity: Warning,
	Title: "A path contains /./ or /../, or begins with two slashes, so it matches nothing or little.",
	Why:   "Browsers and crawlers remove /./ and /../ before they request a URL (RFC 3986 5.2.4). They do not remove a second slash, so a path such as //admin/ matches only URLs that have one too. Not reported for // alone, or if another rule of the group has the path with one slash.",
	Bad:   "User-agent: *\nDisallow: /shop/../private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findOddPattern reports a path with characters that have a meaning elsewhere, and returns
// whether the other checks of the path should be skipped.
func findOddPattern(d *document, l *line, odd uint16) bool {
	value := l.value()
	if bytes.Contains(value, []byte("://")) && isScheme(value[:bytes.IndexByte(value, ':')]) {
		return false // a whole URL is another finding
	}
	if odd&oddElsewhere != 0 || odd&oddDot != 0 && odd&oddStar != 0 || odd&oddComma != 0 {
		switch {
		case isRegularExpression(string(value)):
			folder, _, found := strings.Cut(string(value), ".*")
			d.notePattern(rxRegularExpression.rareIf(found && d.isClosedAnyway(l, folder)), l)
			return true
		case findEntity(d, l), findTemplate(d, l, rxEscapedPattern), findStray(d, l):
			return true
		}
	}
	findSegments(d, l)
	return false
}

// isRegularExpression reports whether a path has what only regular expressions have.
// Dots, stars and question marks are common in paths. /.* alone is about hidden files.
func isRegularExpression(value string) bool {
	beforeCaret, _, caret := strings.Cut(value, "^")
	if caret && !strings.ContainsAny(beforeCaret, "?*") || strings.HasPrefix(value, ".*") || strings.Contains(value, "(?") {
		return true
	}
	if open := strings.IndexByte(value, '('); open >= 0 {
		choice, rest, closed := strings.Cut(value[open+1:], ")")
		if closed && (strings.Contains(choice, "|") || strings.HasPrefix(rest, "?") || strings.HasPrefix(choice, ".*")) {
			return true
		}
	}
	if _, after, open := strings.Cut(value, "=["); open {
		name, rest, closed := strings.Cut(after, "]")
		if closed && len(name) > 2 && consistsOf([]byte(name), isWord) && strings.Trim(rest, "*$") == "" {
			return false // the name of a parameter's value, as programs write it
		}
	}
	if containsAny(value, "/.*/", "/.*.", "/.*\\", ").*", "].*", ".+", "]+", "]*", "]{", "[0-9", "[a-z", "[A-Z", "[^") {
		return true
	}
	folder, below := strings.CutSuffix(strings.TrimSuffix(value, "$"), "/.*")
	return below && folder != "" && isWord(folder[len(folder)-1]) || hasEscape(value)
}

// hasEscape reports whether a path has a backslash before a sign, or before the letter of a class such as
// \d. Before other letters it might be a path of Windows.
func hasEscape(value string) bool {
	query := false // a backslash there is the rest of a broken link
	for i := 0; i+1 < len(value); i++ {
		if value[i] != '\\' {
			query = query || value[i] == '?' || value[i] == '=' || strings.HasPrefix(value[i:], "%3D")
			continue
		}
		switch next := value[i+1]; {
		case next == '\\' || next >= utf8.RuneSelf || next <= ' ':
		case next == '*' && (query || i > 0 && value[i-1] == '*'): // a query might begin at the star
		case strings.IndexByte("dws", next) >= 0:
			if i+2 == len(value) || !isWord(value[i+2]) {
				return true
			}
		case !isWord(next):
			return true
		}
	}
	return false
}

var entities = [...]struct{ entity, char string }{{"&amp;", "&"}, {"&quot;", "%22"}, {"&lt;", "%3C"}, {"&gt;", "%3E"}, {"&equals;", "="}, {"&nbsp;", "%20"}}

// entityIn returns the place of the first character in a path that is written as in HTML, and the
// character, "" if there is none.
func entityIn(value []byte) (at int, char string) {
	for i := range value {
		for _, e := range entities {
			if bytes.HasPrefix(value[i:], []byte(e.entity)) {
				return i, e.char
			}
		}
	}
	return 0, ""
}

func findEntity(d *document, l *line) bool {
	at, char := entityIn(l.value())
	if char == "" {
		return false
	}
	meant := string(l.value())
	guess := false
	for _, e := range entities {
		guess = guess || e.char[0] == '%' && strings.Contains(meant, e.entity)
		meant = strings.ReplaceAll(meant, e.entity, e.char)
	}
	if d.hasRule(l, meant) {
		return true
	}
	end := at + 1 + bytes.IndexByte(l.value()[at:], ';')
	rare := char[0] == '%' && bytes.ContainsAny(l.value()[:at], "?*") // a parameter might have the name
	message := choose(rare, "URLs contain %s; they rarely contain %s, which only separates the parameters of a query.", "URLs contain %s and not %s, so this rule matches nothing.")
	c := rxEscapedPattern.infoIf(rare).rareIf(d.isClosedAnyway(l, meant))
	f := d.find(c, l, l.valueAt()+at, l.valueAt()+end, message,
		char, quote(l.value()[at:end]))
	if !guess { // quotes and tags are not of the path
		f.Fix = d.writePath(l, "write "+char, meant)
	}
	return true
}

// numbered are the characters that HTML also writes as numbers. The # of the number begins a comment.
var numbered = map[string]string{"#38;": "&", "#038;": "&", "#x26;": "&", "#61;": "=", "#x3d;": "=", "#47;": "/", "#x2f;": "/"}

// cutEntity returns the character that HTML writes as a number at the end of a path, and where its text ends in the
// comment that it begins, "" if there is none.
func (l *line) cutEntity() (char string, end int) {
	end = bytes.IndexByte(l.comment(), ';') + 1
	if !bytes.HasSuffix(l.value(), []byte("&")) {
		return "", 0
	}
	return numbered[ascii.ToLower(string(l.comment()[:end]))], end
}

// findCutEntity reports a character that HTML writes as a number, and whether a path is cut by one.
func findCutEntity(d *document, l *line) bool {
	char, end := l.cutEntity()
	if char == "" {
		return false
	}
	path := bytes.TrimSuffix(l.value(), []byte("&"))
	start := l.valueAt() + len(path)
	f := d.find(rxEscapedPattern, l, start, l.commentAt()+end, "URLs contain %s and not %s, and text after # is a comment. Write %s.", char, quote("&"+string(l.comment()[:end])), char)
	path = append(append(bytes.Clone(path), char...), l.comment()[end:]...)
	if !bytes.ContainsAny(path, "#&;") && d.isWritable(string(path)) {
		f.Fix = d.mend("write "+char, Edit{start, l.commentAt() + end, char})
	}
	return true
}

// strayIn returns the place of a character in a path that no URL has there. In a query, which can begin at a
// star, braces, backslashes and ` stay as they are. A name can end in a sign.
func strayIn(value []byte) (at int, found bool) {
	at = bytes.IndexAny(value, `"<>`)
	if at >= 0 {
		return at, true
	}
	at = bytes.IndexAny(beforeQuery(value), "{}\\`")
	if at >= 0 {
		return at, true
	}
	before, _, _ := bytes.Cut(value, []byte("?"))
	at = bytes.Index(before, []byte("/["))
	if at >= 0 {
		name, _, _ := bytes.Cut(before[at+1:], []byte("/"))
		if len(name) > 2 && name[len(name)-1] == ']' && isPlaceholderName(name[1:len(name)-1]) {
			return at + 1, true
		}
	}
	signs := choose(bytes.IndexByte(value, '(') >= 0, ";,", ";,)")
	path := bytes.TrimRight(value, signs)
	end := len(path)
	return end, end > 0 && end < len(value) && (path[end-1] == '/' || hasExtension(path))
}

func beforeQuery(value []byte) []byte {
	if at := bytes.IndexAny(value, "?*"); at >= 0 {
		return value[:at]
	}
	return value
}

// variableIn returns the first variable of a template in a path, such as {lang} or {{lang}}, nil if there is none.
func variableIn(value []byte) []byte {
	path := beforeQuery(value)
	start := bytes.IndexByte(path, '{')
	if start < 0 {
		return nil
	}
	name := bytes.TrimLeft(path[start:], "{")
	end := bytes.IndexByte(name, '}')
	if end <= 0 || !consistsOf(name[:end], func(c byte) bool { return inName(c) || c == '.' || c == ' ' }) {
		return nil
	}
	return path[start : len(path)-len(bytes.TrimLeft(name[end:], "}"))]
}

// findTemplate notes a line with a variable of a template, and returns whether it has one.
func findTemplate(d *document, l *line, c check) bool {
	variable := variableIn(l.value())
	if variable != nil && !d.writesEncoded(l) {
		d.notePattern(c, l)
	}
	return variable != nil
}

// notePattern notes one of the lines that share a finding.
func (d *document) notePattern(c check, l *line) {
	if d.wants(c) {
		d.noted[c.Entry] = append(d.noted[c.Entry], l)
	}
}

var rxNamesSecret = check{Entry: &Entry{
	Code: "RX225", Name: "names-a-secret", Severity: Info,
	Title: "A path shows where a key, a password or a copy of data might be.",
	Why:   "Everybody can read a robots.txt, and people who look for such files read it first. It does not keep them out. Remove the file from the server, or have the server refuse it. Then the line is not needed. One finding covers a file.",
	Bad:   "User-agent: *\nDisallow: /search\nDisallow: /backup/customers.sql\n",
	Good:  "User-agent: *\nDisallow: /search\n",
}}

var secretEndings = []string{".ppk", ".pem", ".key", ".sql", ".env", ".bak", ".git", ".htpasswd"}

// isSecret reports whether a path without wildcards is one of a key, of passwords, or of a copy of data.
func isSecret(value []byte) bool {
	name := path.Base(ascii.ToLower(strings.TrimSuffix(string(value), "$")))
	return !strings.Contains(name, "*") && (name == "id_rsa" || slices.Contains(secretEndings, path.Ext(name)))
}

var rxIndexComment = check{Entry: &Entry{
	Code: "RX226", Name: "disallow-keeps-in-index", Severity: Info,
	Title: "A comment says that a Disallow keeps pages out of the index.",
	Why:   "A Disallow keeps crawlers from fetching a page. Search engines can still show its address if others link to it, and they do not see a noindex in the page. To keep a page out of the index, send noindex with it and do not block it here. One finding covers a file.",
	Bad:   "User-agent: *\n# do not index the archive\nDisallow: /archive/\n",
	Good:  "User-agent: *\n# not worth the requests\nDisallow: /archive/\n",
}}

// isNoIndex reports whether the comment directly above a Disallow is about keeping pages out of the index. The one at
// the top of a file is about all of it.
func (d *document) isNoIndex(l *line) bool {
	top := l.number - 1
	for top > 0 && d.lines[top-1].kind == robotstxt.KindComment {
		top--
	}
	if l.kind != robotstxt.KindDisallow || top == 0 {
		return false
	}
	near := 0 // how many words are left in which a negation is about the index
	for i := range d.lines[top : l.number-1] {
		for word := range strings.FieldsSeq(ascii.ToLower(string(d.lines[top+i].comment()))) {
			word = strings.Trim(word, "#.,:;!?()\"'")
			switch {
			case word == "noindex", near > 0 && strings.HasPrefix(word, "index") && consistsOf([]byte(word), ascii.IsLetter):
				return true
			case slices.Contains([]string{"no", "not", "don't", "dont", "never", "prevent", "avoid", "stop", "block", "hide", "exclude", "out"}, word):
				near = 6
			}
			near--
		}
	}
	return false
}

// findNoted reports the lines that share a finding.
func (d *document) findNoted() {
	for _, noted := range [...]struct {
		check
		says string
		what func([]byte) []byte
	}{
		{rxPatternWithoutSlash, unfilled, variableIn}, {rxEscapedPattern, unfilled, variableIn},
		{rxRegularExpression, " is a regular expression; crawlers know only * and a final $.", nil},
		{rxNamesSecret, " shows everybody where this file is, and keeps out only crawlers that obey. Have the server refuse it.", nil},
		{rxIndexComment, " keeps crawlers out, but not its pages out of the index, which the comment above is about. Send noindex with these pages, and do not block them.", nil},
	} {
		d.reportLines(noted.check, d.noted[noted.Entry], "line", func(l *line) string {
			value := l.value()
			if noted.what != nil {
				value = noted.what(value)
			}
			return quote(value).String() + noted.says
		})
	}
}

const unfilled = " seems to be a variable of a template that was never filled in, and crawlers write { in URLs as %7B, so this rule matches nothing."

// isPlaceholderName reports whether the text of brackets names what is there, such as slug, postId and ...path.
// Other text, such as Sophocles or a&b, is a part of URLs.
func isPlaceholderName(name []byte) bool {
	name = bytes.TrimPrefix(name, []byte("..."))
	return len(name) > 0 && name[0] >= 'a' && name[0] <= 'z' && consistsOf(name, inName)
}

func hasExtension(path []byte) bool {
	const longest = 5
	extension := path[bytes.LastIndexByte(path, '.')+1:]
	return len(extension) < len(path) && len(extension) > 0 && len(extension) <= longest &&
		consistsOf(extension, isWord) && !allDigits(extension)
}

// findStray reports a character that no URL has there, and returns whether there is one. The intended
// character would be a guess, so there is no fix.
func findStray(d *document, l *line) bool {
	value := l.value()
	at, found := strayIn(value)
	if !found {
		return false
	}
	if d.writesEncoded(l) {
		return true
	}
	c := rxEscapedPattern.rareIf(d.isClosedAnyway(l, withoutStray(value, at)))
	sign := value[at : at+1]
	start := l.valueAt() + at
	switch {
	case sign[0] == '[':
		end := at + 1 + bytes.IndexByte(value[at:], ']')
		advice := choose(namesMore(value), "Write the name, or * if you mean any.", "Write the name, or remove this line.")
		d.find(c, l, start, l.valueAt()+end, "%s is the placeholder of a name, and URLs have the name. %s", quote(value[at:end]), advice)
	case bytes.IndexByte([]byte(";,)"), sign[0]) >= 0:
		d.find(c, l, start, start+1, "The %s at the end is a part of the path, so this rule matches hardly any URL. Remove it.", string(sign))
	case sign[0] == '\\':
		d.find(c, l, start, start+1, "Browsers request / instead of %s, so this rule matches nothing. Write / if that is meant.", string(sign))
	default:
		d.find(c, l, start, start+1, "Crawlers write %s in URLs as %s, so this rule matches nothing.", quote(sign), ascii.AppendPercent(nil, sign[0]))
	}
	return true
}

// withoutStray returns the path that is meant with a character at some place that no URL has there,
// "" if it is not known.
func withoutStray(value []byte, at int) string {
	switch c := value[at]; c {
	case '[':
		return ""
	case ';', ',', ')':
		return string(value[:at])
	case '\\':
		return strings.ReplaceAll(string(value), `\`, "/")
	default:
		return percentEncode(value, func(b byte) bool { return b == c })
	}
}

// namesMore reports whether a path has a name that is not a placeholder in brackets. Without one, a star for the
// placeholder would match every folder.
func namesMore(value []byte) bool {
	for segment := range bytes.SplitSeq(value, []byte("/")) {
		name, open := bytes.CutPrefix(segment, []byte("["))
		isSign := func(c byte) bool { return !isWord(c) && c < utf8.RuneSelf }
		if !(open && bytes.HasSuffix(name, []byte("]"))) && !consistsOf(segment, isSign) {
			return true
		}
	}
	return false
}

// writesEncoded reports whether the group of a line also has its value with the signs percent-encoded that no URL has.
func (d *document) writesEncoded(l *line) bool {
	encoded := percentEncode(l.value(), func(c byte) bool { return strings.IndexByte(`"<>{}`, c) >= 0 })
	return encoded != string(l.value()) && d.writes(l, encoded)
}

// writes reports whether a rule in the group of a line has a value: authors who do not know which form
// crawlers compare write both.
func (d *document) writes(l *line, value string) bool {
	if d.written == nil {
		d.written = map[writtenRule]bool{}
		for i := range d.lines {
			if l := &d.lines[i]; isRule(l) && bytes.IndexByte(l.value(), '%') >= 0 {
				d.written[writtenRule{l.group, ascii.ToLower(string(l.value()))}] = true
			}
		}
	}
	return d.written[writtenRule{l.group, ascii.ToLower(value)}]
}

// maxCompared is how many bytes of paths are compared in a file to find out that a mistake does no harm.
const maxCompared = 20 << 20

// isClosedAnyway reports whether a Disallow with the path that its
// author means would change nothing: another one of its group matches all of it, and wins against each
// Allow that matches any of it.
func (d *document) isClosedAnyway(l *line, path string) bool {
	if l.kind != robotstxt.KindDisallow || l.group < 0 || path == "" || !d.settled()[l.group] {
		return false
	}
	closed, open := 0, 0 // the lengths of the longest
	meant := d.pattern(path)
	same := path == string(l.value())
	for _, r := range d.groups[l.group].rules {
		d.compared += len(path) + len(r.Pattern)
		if d.compared > maxCompared {
			return false
		}
		switch p := d.pattern(r.Pattern); {
		case r.Pattern == "" || r.Line == l.number:
		case r.Allow && p.Intersects(meant):
			open = max(open, r.Length)
			if d.audience.dialect.Traits().FirstMatch {
				return false
			}
		case !r.Allow && p.Contains(meant) &&
			(r.Line < l.number || !same || !meant.Contains(p)): // of equal lines the first is reported
			closed = max(closed, r.Length)
		}
	}
	return closed > open
}

// hasRule reports whether another line of the group has a rule that begins as a line means it: then
// its author writes both forms.
func (d *document) hasRule(l *line, path string) bool {
	return d.anyOther(l, func(r robotstxt.Rule) bool { return strings.HasPrefix(r.Pattern, path) })
}

// anyOther reports whether wanted is true for another rule of the group of a line. It looks at a
// limited number of rules.
func (d *document) anyOther(l *line, wanted func(robotstxt.Rule) bool) bool {
	if l.group < 0 {
		return false
	}
	for _, r := range d.groups[l.group].rules {
		d.compared += 1 + len(r.Pattern)
		if d.compared > maxCompared {
			return false
		}
		if r.Line != l.number && wanted(r) {
			return true
		}
	}
	return false
}

// settled returns for each group whether its rules are all that its crawlers follow, and its Allow
// lines are read as they are meant. Otherwise a Disallow might be needed after another line is
// mended.
func (d *document) settled() []bool {
	if d.certain != nil {
		return d.certain
	}
	d.certain = make([]bool, len(d.groups))
	if d.hasLostAgent(len(d.lines)) {
		return d.certain
	}
	for g := range d.certain {
		d.certain[g] = !d.shared()[g]
	}
	group := int32(-1)
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind == robotstxt.KindUserAgent {
			group = l.group
		}
		kind, value := ruleMeant(l)
		odd := !isRule(l) || len(value) > 0 && !d.isReadAsMeant(string(value))
		if group >= 0 && kind == robotstxt.KindAllow && odd {
			d.certain[group] = false
		}
	}
	return d.certain
}

type writtenRule struct {
	group int32
	value string
}

func findSegments(d *document, l *line) {
	switch value := l.value(); {
	case beginsWithSlashes(value):
		single := "/" + strings.TrimLeft(string(value), "/")
		if !d.hasRule(l, strings.TrimRight(single, "*")) {
			d.findValue(rxDotSegment.rareIf(d.isClosedAnyway(l, single)), l, "This line is only about URLs with several slashes at the beginning of their path.")
		}
	case bytes.Contains(value, []byte("/.")) && hasDotSegment(string(value)):
		f := d.findValue(rxDotSegment, l, "Crawlers remove . and .. from URLs, so %s matches nothing.", quote(value))
		if clean, ok := withoutDots(string(value)); ok {
			f.Fix = d.writePath(l, "write "+clean, clean)
		}
	}
}

func beginsWithSlashes(value []byte) bool {
	name := bytes.TrimLeft(value, "/")
	return len(value)-len(name) > 1 && len(name) > 0 && (isWord(name[0]) || name[0] >= utf8.RuneSelf)
}

func hasDotSegment(value string) bool {
	path, _, _ := strings.Cut(value, "?")
	return strings.Contains(path, "/./") || strings.Contains(path, "/../")
}

// withoutDots returns a path as crawlers request it, if it has no wildcards.
func withoutDots(value string) (clean string, ok bool) {
	before, query, asked := strings.Cut(value, "?")
	clean = path.Clean(before)
	clean += choose(strings.HasSuffix(before, "/") && clean != "/", "/", "") + choose(asked, "?"+query, "")
	return clean, !strings.ContainsAny(before, "*$") && !strings.Contains(before, "//")
}
