package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var patternFamily = family{inspect: inspectPatterns, checks: []*check{rxPatternWithoutSlash, rxPatternIsURL, rxPatternWithBlank, rxDollarInside, rxPatternNotASCII, rxHashCutsPattern, rxPatternWiderThanItLooks, rxBadPercentCode, rxLowerCasePercentCode,
	rxRegularExpression, rxEscapedPattern, rxDoubleStar, rxDotSegment,
}}

// inspectPatterns looks at the values of Allow and Disallow lines, one by one.
func inspectPatterns(d *document) {
	wildcards := d.audience.dialect.Traits().Wildcards
	for i := range d.lines {
		l := &d.lines[i]
		if !isRule(l) || len(l.value()) == 0 {
			continue
		}
		clean, junk, first := "", false, l.value()[0]
		if first != '/' && first != '*' {
			clean, junk = cleaned(string(l.value()))
		}
		odd := oddBytes(l.value())
		switch {
		case !junk && wildcards && odd != 0 && findOddPattern(d, l, odd):
		case first == '/' || first == '*' && wildcards:
			inspectPattern(d, l, odd, wildcards)
		default:
			findUnmatchable(d, l, clean, junk)
		}
	}
	inspectWidth(d)
}

// inspectPattern looks at a value that is not odd as a whole.
func inspectPattern(d *document, l *line, odd uint16, wildcards bool) {
	findCutByHash(d, l)
	if odd == 0 || odd&oddHigh != 0 && findInvisible(d, l) || odd&oddComma != 0 && findPaths(d, l) {
		return
	}
	if odd&oddColon != 0 && (ascii.HasPrefixFold(l.value(), "/http:") || ascii.HasPrefixFold(l.value(), "/https:")) {
		f := d.findValue(rxPatternIsURL, l, "Rules contain paths, not URLs: this one is only about URLs with another URL in their path.")
		d.soften(f, Info)
	}
	findOdd(d, l, odd, wildcards)
}

// What may be odd about a value's bytes.
const (
	oddBlank = 1 << iota
	oddDollar
	oddPercent
	oddHigh
	oddComma
	oddColon
	oddDot
	oddStar
	oddElsewhere // they mean something in regular expressions or in HTML
)

var oddities = func() (table [256]uint16) {
	for c := utf8.RuneSelf; c < len(table); c++ {
		table[c] = oddHigh
	}
	for chars, odd := range map[string]uint16{
		" \t": oddBlank, "$": oddDollar, "%": oddPercent, ",;": oddComma, ":": oddColon, ".": oddDot, "*": oddStar, `\|[]+^(&"<>{}`: oddElsewhere,
	} {
		for i := range len(chars) {
			table[chars[i]] = odd
		}
	}
	return table
}()

// oddBytes returns what may be odd about a value, the last byte's '$' aside.
func oddBytes(value []byte) (odd uint16) {
	last := len(value) - 1
	for _, c := range value[:last] {
		odd |= oddities[c]
	}
	return odd | oddities[value[last]]&^oddDollar
}

var rxDollarInside = &check{Entry{
	Code: "RX205", Name: "dollar-inside", Severity: Warning,
	Title: "A $ inside a path does not mean the end.",
	Why:   "Only as the last character of a path $ means the end of the URL (RFC 9309 2.2.3, G44). Elsewhere the URL must contain a $, and hardly any does. A $ before a letter is reported with --pedantic, because some servers have such names.",
	Bad:   "User-agent: *\nDisallow: /*.pdf$*\n",
	Good:  "User-agent: *\nDisallow: /*.pdf$\n",
}}

// findOdd reports what is odd. A pattern with a blank has no finding about its '$',
// because it ends elsewhere after the fix.
func findOdd(d *document, l *line, odd uint16, wildcards bool) {
	switch {
	case odd&oddBlank != 0:
		findBlank(d, l)
	case odd&oddDollar != 0 && wildcards:
		i := bytes.IndexByte(l.value(), '$')
		at := l.valueAt() + i
		if next := l.value()[i+1]; ascii.IsLetter(next) && !d.config.Pedantic {
			break // as in the paths of Lotus Notes, which have names such as $FILE
		}
		d.find(rxDollarInside, l, at, at+1, "$ means \"end\" only as the last character; here it is literal.")
	}
	if odd&oddPercent != 0 {
		findPercentCodes(d, l)
	}
	if odd&oddHigh != 0 {
		findNotASCII(d, l)
	}
}

var rxHashCutsPattern = &check{Entry{
	Code: "RX207", Name: "hash-cuts-pattern", Severity: Info,
	Title: "A comment begins in the middle of a path.",
	Why:   "A # begins a comment wherever it is (RFC 9309 2.2, G11), so the rule is shorter than it looks and matches more. Browsers and crawlers never send the part of a URL after #, so no rule can block a fragment. A # before a space is reported with --pedantic.",
	Bad:   "User-agent: *\nDisallow: /terms#privacy\n",
	Good:  "User-agent: *\nDisallow: /terms\n",
}}

// findCutByHash reports a comment that follows a path without a space. The fix is plain:
// the space only shows what crawlers read.
func findCutByHash(d *document, l *line) {
	at := l.commentAt()
	if !l.commented() || at != l.valueAt()+len(l.value()) || (len(l.comment()) < 2 || isBlank(l.comment()[1])) && !d.config.Pedantic {
		return
	}
	f := d.find(rxHashCutsPattern, l, at, l.commentAt()+len(l.comment()), "Text after # is a comment. This line is about all of %s; fragments cannot be blocked.", quote(l.value()))
	if l.roomy() {
		f.Fix = &Fix{Title: "write a space before the comment", Edits: []Edit{{at, at, " "}}}
	}
}

var rxPatternWithoutSlash = &check{Entry{
	Code: "RX202", Name: "pattern-without-slash", Severity: Error,
	Title: "A path does not begin with a slash, so it matches nothing.",
	Why:   "Every path of a URL begins with a slash, and a rule is compared from the start of the path (RFC 9309 2.2.2, G46).",
	Bad:   "User-agent: *\nDisallow: private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findUnmatchable reports a pattern that matches no path because of its first byte. What else
// is wrong with it makes no difference. See cleaned for clean and junk.
func findUnmatchable(d *document, l *line, clean string, junk bool) {
	findCutByHash(d, l)
	if scheme, rest, ok := bytes.Cut(l.value(), []byte("://")); ok && isScheme(scheme) {
		findURL(d, l, rest)
		return
	}
	if beginsWithHost(l.value()) {
		findURL(d, l, l.value())
		return
	}
	if named := swallowed(l.value()); named != "" {
		d.findValue(rxPatternWithoutSlash, l, "%s looks like a %s line that lost its line break. The path matches no URL.", quote(l.value()), str(named))
		return
	}
	f := d.findValue(rxPatternWithoutSlash, l, "%s matches no URL, because paths begin with a slash.", quote(l.value()))
	if junk {
		if clean != "" && !d.everything(clean) {
			f.Fix = &Fix{Title: "write " + clean, Edits: l.replaceValue(clean), Meaning: true}
		}
		return
	}
	slash := "/"
	if c := l.value()[0]; c == '?' || c == '&' || c == '.' {
		slash = "/*" // a query or an extension comes after some path
	}
	f.Fix = &Fix{Title: "put " + slash + " in front", Edits: []Edit{{l.valueAt(), l.valueAt(), slash}}, Meaning: true}
}

// cleaned returns a path without what no author means in one: quotes and separators around it,
// invisible spaces. It is empty if no path is left that can be meant. junk is false if the
// value has nothing of that.
func cleaned(value string) (path string, junk bool) {
	const around = " \t\"'`" + "\u00a0\u200b\ufeff\u2018\u2019\u201c\u201d\u00ab\u00bb"
	words := [...]string{
		"none", "all", "any", "null", "nothing", "nil", "everything", "yes", "no", "true", "false", "empty", "n/a", "path", "url",
		"keine", "nichts", "alles", "rien", "aucun", "nada", "ninguno", "todo",
	}
	path = strings.Trim(strings.TrimLeft(value, around+":="), around)
	switch {
	case !strings.ContainsFunc(path, func(r rune) bool {
		return r == '/' || r == '?' || r == '$' || r == '*' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= utf8.RuneSelf
	}):
		return "", true // digits and signs
	case strings.ContainsAny(path, "<>{}|()"), strings.Contains(path, " ") && !strings.ContainsAny(path, "/?"):
		return "", true
	case strings.ContainsAny(path, "\\\"'`\u00a0\u200b\ufeff\u2018\u2019\u201c\u201d"):
		return "", true
	case path != value && (path == "" || path[0] != '/' && path[0] != '*'):
		return "", true
	case slices.ContainsFunc(words[:], func(word string) bool { return strings.EqualFold(word, path) }):
		return "", true
	}
	return path, path != value
}

var rxPatternIsURL = &check{Entry{
	Code: "RX203", Name: "pattern-is-url", Severity: Error,
	Title: "A rule contains a whole URL, so it matches nothing.",
	Why:   "A rule is compared with the path of a URL, without scheme and host (RFC 9309 2.2.2, G24, G46). A robots.txt applies only to the host that serves it. It is info if a slash comes before the URL, because broken links can have such paths.",
	Bad:   "User-agent: *\nDisallow: https://example.com/private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findURL reports a URL; rest is what follows the "://", if it has one.
func findURL(d *document, l *line, rest []byte) {
	path := pathAfterHost(string(rest))
	about := fmt.Sprintf("write %s, if the URL is on this host", quoteText(path))
	if d.everything(path) {
		about = "this line matches nothing, and each host has its own file"
	}
	ours, theirs := hostOf(d.config.URL), hostOf(string(l.value()))
	other := ours != "" && theirs != "" && ours != theirs
	if other {
		about = fmt.Sprintf("this file applies to %s only, not to %s", ours, theirs)
	}
	f := d.findValue(rxPatternIsURL, l, "Rules contain paths, not URLs: %s.", str(about))
	// Of another host the path may mean nothing here, and "/" alone would close
	// the whole site.
	if !other && !d.everything(path) {
		f.Fix = &Fix{Title: "write the path alone", Edits: l.replaceValue(path), Meaning: true}
	}
}

// beginsWithHost reports whether a value looks like a URL without its scheme. Names such as
// index.html and main.min.js are files.
func beginsWithHost(value []byte) bool {
	host, _, more := bytes.Cut(value, []byte("/"))
	if bytes.Count(host, []byte(".")) < 2 || host[0] == '.' || !more && !bytes.HasPrefix(host, []byte("www.")) {
		return false
	}
	return consistsOf(host, func(c byte) bool { return isWord(c) || c == '-' || c == '.' })
}

// pathAfterHost returns the path in what follows a "://".
func pathAfterHost(rest string) string {
	i := strings.IndexAny(rest, "/?")
	switch {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	}
	return rest[i:]
}

// isScheme reports whether s consists of letters, as http and https do. Other schemes do
// not occur in robots.txt files.
func isScheme(s []byte) bool { return len(s) > 0 && consistsOf(s, ascii.IsLetter) }

// swallowed returns the key of the directive that a value looks like.
func swallowed(value []byte) string {
	for _, key := range []string{"User-agent", "Disallow", "Allow", "Sitemap"} {
		if len(value) > len(key) && bytes.EqualFold(value[:len(key)], []byte(key)) && value[len(key)] == ':' {
			return key
		}
	}
	return ""
}

var rxPatternWithBlank = &check{Entry{
	Code: "RX204", Name: "pattern-with-blank", Severity: Error,
	Title: "A path contains a space, an invisible character or another path, so it matches nothing.",
	Why:   "URLs contain no spaces: browsers and crawlers write %20. A rule takes one path, and spaces and commas are a part of it (G24). Paths that are separated by commas alone are a warning, because URLs may have commas.",
	Bad:   "User-agent: *\nDisallow: /cgi-bin/ /tmp/\n",
	Good:  "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
}}

// findBlank reports a pattern with blanks. If each word is a path, several paths were
// meant. Otherwise URLs may have a %20 there.
func findBlank(d *document, l *line) {
	if named := swallowed(bytes.TrimPrefix(l.value(), []byte("/"))); named != "" {
		d.findValue(rxPatternWithBlank, l, "%s looks like a %s line that lost its line break. The path matches no URL.", quote(l.value()), str(named))
		return
	}
	words := bytes.Fields(l.value())
	for i, word := range words {
		words[i] = bytes.TrimRight(word, ",;")
	}
	if arePaths(words) {
		d.findPathsOf(l, words)
		return
	}
	if first := words[0]; len(words) > 1 && (first[len(first)-1] == '/' || words[1][0] == '*') && !d.everything(string(bytes.Join(words, nil))) {
		f := d.findValue(rxPatternWithBlank, l, "URLs contain no spaces, so this line matches nothing. Remove the space.")
		f.Fix = &Fix{Title: "remove the space", Edits: l.replaceValue(string(bytes.Join(words, nil))), Meaning: true}
		return
	}
	f := d.findValue(rxPatternWithBlank, l, "URLs contain no spaces, so this line matches nothing. Write %%20.")
	f.Fix = &Fix{Title: "write %20", Edits: l.replaceValue(string(bytes.ReplaceAll(bytes.ReplaceAll(l.value(), []byte("\t"), []byte(" ")), []byte(" "), []byte("%20")))), Meaning: true}
}

// arePaths reports whether several paths were meant.
func arePaths(words [][]byte) bool {
	return len(words) > 1 && !slices.ContainsFunc(words, func(word []byte) bool { return len(word) == 0 || word[0] != '/' })
}

// findPathsOf reports that a rule has several paths.
func (d *document) findPathsOf(l *line, paths [][]byte) *Finding {
	f := d.findValue(rxPatternWithBlank, l, "A rule takes one path. Write a line for each of these %d; now the rule matches nothing.", num(len(paths)))
	// Alone the line of such a path would close or open the site.
	if !slices.ContainsFunc(paths, func(path []byte) bool { return d.everything(string(path)) }) {
		between := d.newline() + plainKeys[l.kind] + ": "
		f.Fix = &Fix{Title: "write a line for each path", Edits: l.replaceValue(string(bytes.Join(paths, []byte(between)))), Meaning: true}
	}
	return f
}

// findPaths reports paths that are separated by commas or semicolons alone, and whether there
// are any.
func findPaths(d *document, l *line) bool {
	if !bytes.Contains(l.value(), []byte(",/")) && !bytes.Contains(l.value(), []byte(";/")) || bytes.IndexByte(l.value(), ' ') >= 0 {
		return false
	}
	paths := bytes.FieldsFunc(l.value(), func(c rune) bool { return c == ',' || c == ';' })
	if !arePaths(paths) || slices.ContainsFunc(paths, func(path []byte) bool { return len(path) == 1 }) {
		return false
	}
	d.soften(d.findPathsOf(l, paths), Warning)
	return true
}

// invisibles removes characters that are not visible, mostly from a copied text.
var invisibles = strings.NewReplacer("\u00a0", "", "\u00ad", "", "\u200b", "", "\u200e", "", "\u200f", "", "\u2060", "", "\ufeff", "")

// findInvisible reports an invisible character in a path, and whether there is one.
func findInvisible(d *document, l *line) bool {
	clean := invisibles.Replace(string(l.value()))
	if clean == string(l.value()) {
		return false
	}
	f := d.findValue(rxPatternWithBlank, l, "%s has an invisible character, so it matches no URL. Write %s.", quote(l.value()), quoteText(clean))
	if clean != "" && !d.everything(clean) {
		f.Fix = &Fix{Title: "remove the invisible characters", Edits: l.replaceValue(clean), Meaning: true}
	}
	return true
}

// isRule reports whether a line is an Allow or Disallow, in a group or not.
func isRule(l *line) bool {
	return l.kind == robotstxt.KindAllow || l.kind == robotstxt.KindDisallow
}

var rxBadPercentCode = &check{Entry{
	Code: "RX212", Name: "bad-percent-code", Severity: Info,
	Title: "A % is not followed by two hexadecimal digits.",
	Why:   "In a URL, % begins a code such as %20. Google compares other uses as they are (G23), RFC 9309 as %25, so crawlers disagree about what the rule matches. A % before a star or at the end is not reported, because it may be any code.",
	Bad:   "User-agent: *\nDisallow: /100%/\n",
	Good:  "User-agent: *\nDisallow: /100%25/\n",
}}

var rxLowerCasePercentCode = &check{Entry{
	Code: "RX213", Name: "lower-case-percent-code", Severity: Info, Pedantic: true,
	Title: "A percent code has lower-case letters.",
	Why:   "Google and RFC 9309 2.2.2 compare such codes in upper case (G22), so this is right for them. Simple crawlers may compare byte by byte and miss the URL.",
	Bad:   "User-agent: *\nDisallow: /caf%c3%a9/\n",
	Good:  "User-agent: *\nDisallow: /caf%C3%A9/\n",
}}

// findPercentCodes reports percent signs that begin no code, and codes in lower case. To
// write %25 for a percent sign changes what Google compares (G23). To write upper case
// changes nothing, because the parser does so too (G22).
func findPercentCodes(d *document, l *line) {
	var bad, upper []Edit
	lower := d.wants(rxLowerCasePercentCode)
	for i := 0; i < len(l.value()); i++ {
		if l.value()[i] != '%' {
			continue
		}
		at := l.valueAt() + i
		if _, ok := ascii.Unhex(l.value()[i+1:]); !ok {
			if rest := l.value()[i+1:]; len(rest) > 0 && rest[0] != '*' && rest[0] != '$' || d.config.Pedantic {
				bad = append(bad, Edit{at, at + 1, "%25"})
			}
			continue
		}
		if code := l.value()[i : i+3]; lower && bytes.ContainsAny(code, "abcdef") {
			upper = append(upper, Edit{at, at + 3, string(bytes.ToUpper(code))})
		}
		i += 2
	}
	if len(bad) > 0 {
		f := d.find(rxBadPercentCode, l, bad[0].Start, bad[0].End, "A %% must be followed by two hexadecimal digits. Write %%25 if the URL contains a %%.")
		f.Fix = &Fix{Title: "write %25", Edits: bad, Meaning: true}
	}
	if len(upper) > 0 {
		f := d.find(rxLowerCasePercentCode, l, upper[0].Start, upper[0].End, "Google compares %s as %s; some crawlers do not.", quote(l.value()[upper[0].Start-l.valueAt():upper[0].End-l.valueAt()]), quoteText(upper[0].New))
		f.Fix = &Fix{Title: "write the codes in upper case", Edits: upper}
	}
}

var rxPatternNotASCII = &check{Entry{
	Code: "RX206", Name: "pattern-not-ascii", Severity: Info,
	Title: "A path has characters that URLs contain percent-encoded only.",
	Why:   "Google and RFC 9309 2.2.2 encode such a path before they compare it (G22). Other crawlers may not, and then never match it, so Google has recommended since 23 October 2026 to write paths percent-encoded.",
	Bad:   "User-agent: *\nDisallow: /caf\u00e9/\n",
	Good:  "User-agent: *\nDisallow: /caf%C3%A9/\n",
}}

// findNotASCII reports bytes that are compared percent-encoded. The fix changes no
// verdict unless it makes the line so long that its end is not read.
func findNotASCII(d *document, l *line) {
	var edits []Edit
	for i := 0; i < len(l.value()); i++ {
		start := i
		for i < len(l.value()) && l.value()[i] >= utf8.RuneSelf {
			i++
		}
		if i > start {
			edits = append(edits, Edit{l.valueAt() + start, l.valueAt() + i, percentEncode(l.value()[start:i], isHigh)})
		}
	}
	first := edits[0]
	raw := d.body[first.Start:first.End]
	if text, ok := fromLatin1(l.value()); ok {
		f := d.findValue(rxPatternNotASCII, l, "This path was saved twice as UTF-8. Write %s.", quoteText(text))
		f.Fix = &Fix{Title: "write " + text, Edits: l.replaceValue(text), Meaning: true}
		return
	}
	note := ""
	if !utf8.Valid(l.value()) {
		note = " It is not UTF-8, the encoding of URLs."
	}
	f := d.find(rxPatternNotASCII, l, first.Start, first.End, "Write %s as %s, as Google recommends; some crawlers do not encode paths.%s", quote(raw), quoteText(first.New), str(note))
	if grown := len(l.raw()) + 2*len(l.value()); grown <= readBytes {
		f.Fix = &Fix{Title: "percent-encode the path", Edits: edits}
	}
}

// fromLatin1 returns a text, percent-encoded, that was read as Latin-1 and then saved as
// UTF-8, such as "Ã±". It is not ok for other text.
func fromLatin1(text []byte) (encoded string, ok bool) {
	var raw []byte
	for _, c := range string(text) {
		if c > 0xFF {
			return "", false
		}
		raw = append(raw, byte(c))
	}
	return percentEncode(raw, isHigh), utf8.Valid(raw)
}

// isHigh reports whether a byte is not ASCII.
func isHigh(c byte) bool { return c >= utf8.RuneSelf }

// percentEncode returns a text with some of its bytes percent-encoded.
func percentEncode(raw []byte, coded func(byte) bool) string {
	text := make([]byte, 0, 3*len(raw))
	for _, c := range raw {
		if coded(c) {
			text = ascii.AppendPercent(text, c)
		} else {
			text = append(text, c)
		}
	}
	return string(text)
}
