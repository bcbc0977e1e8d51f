package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// inspectPatterns looks at the values of Allow and Disallow lines, one by one.
func inspectPatterns(d *document) {
	wildcards := d.audience.dialect.Traits().Wildcards
	for i := range d.lines {
		l := &d.lines[i]
		if !isRule(l) || len(l.value()) == 0 || l.told { // the value is another one without what is told
			continue
		}
		odd := oddBytes(l.value())
		if odd&(oddBlank|oddComma|oddColon|oddElsewhere) != 0 && findNotOnePath(d, l) {
			findCutByHash(d, l)
			continue
		}
		clean, junk, first := "", false, l.value()[0]
		if first != '/' && first != '*' {
			clean, junk = cleaned(string(l.value()))
		}
		switch {
		case !junk && wildcards && findOddPattern(d, l, odd):
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
	isURL := odd&oddColon != 0 && (ascii.HasPrefixFold(l.value(), "/http:") || ascii.HasPrefixFold(l.value(), "/https:"))
	if !isURL && findCutByHash(d, l) {
		return
	}
	if odd&oddDot != 0 && d.namesOwnHost(l.value()) {
		f := d.findValue(rxPatternIsURL, l, "Rules contain paths, not hosts: each host has its own file.")
		d.soften(f, Info) // a folder can have that name
		return
	}
	if odd == 0 || odd&oddHigh != 0 && findInvisible(d, l) {
		return
	}
	if isURL && !d.lowKey(rxPatternIsURL) { // broken links can have such paths
		f := d.findValue(rxPatternIsURL, l, "Rules contain paths, not URLs: this one is only about URLs with another URL in their path.")
		d.soften(f, Info)
	}
	findOdd(d, l, odd, wildcards)
}

// What might be odd about a value's bytes.
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
		" \t": oddBlank, "$": oddDollar, "%": oddPercent, ",;": oddComma, ":": oddColon, ".": oddDot, "*": oddStar, "`\\|[]+^()&\"<>{}": oddElsewhere,
	} {
		for i := range len(chars) {
			table[chars[i]] = odd
		}
	}
	return table
}()

// oddBytes returns what might be odd about a value, the last byte's '$' aside.
func oddBytes(value []byte) (odd uint16) {
	last := len(value) - 1
	for _, c := range value[:last] {
		odd |= oddities[c]
	}
	return odd | oddities[value[last]]&^oddDollar
}

var rxDollarInside = &check{unclear: true, Entry: Entry{
	Code: "RX205", Name: "dollar-inside", Severity: Warning,
	Title: "A $ inside a path does not mean the end.",
	Why:   "A $ means the end of the URL only as the last character of a path (RFC 9309 2.2.3, G44). Elsewhere it matches a $ in the URL, and hardly any URL has one. A $ before a letter, a digit, a bracket or a percent code is reported with --pedantic, because the URLs of some servers have it.",
	Bad:   "User-agent: *\nDisallow: /*.pdf$*\n",
	Good:  "User-agent: *\nDisallow: /*.pdf$\n",
}}

// findOdd reports signs that mean something else than they seem to.
func findOdd(d *document, l *line, odd uint16, wildcards bool) {
	if odd&oddDollar != 0 && wildcards {
		i := bytes.IndexByte(l.value(), '$')
		at := l.valueAt() + i
		if !isPartOfName(l.value()[i+1:]) || d.config.Pedantic {
			d.find(rxDollarInside, l, at, at+1, "$ means \"end\" only as the last character; here it is literal.")
		}
	}
	if odd&oddPercent != 0 {
		findPercentCodes(d, l)
	}
	if odd&oddHigh != 0 {
		findNotASCII(d, l)
	}
}

// isPartOfName reports whether a $ before a text is a character of a URL: before a name, as in the paths of Lotus Notes,
// which have names such as $FILE, before a price, and in code that was never filled in, as in ${name}.
func isPartOfName(rest []byte) bool {
	_, coded := ascii.Unhex(rest[1:])
	return isWord(rest[0]) || rest[0] == '(' || rest[0] == '{' || rest[0] == '%' && coded
}

var rxHashCutsPattern = &check{Entry: Entry{
	Code: "RX207", Name: "hash-cuts-pattern", Severity: Error,
	Title: "A comment begins in the middle of a path.",
	Why:   "A # begins a comment wherever it is (RFC 9309 2.2, G11), so the rule is shorter than it looks and matches more. Browsers and crawlers never send the part of a URL after #, so no rule can block a fragment. It is an error if the rest of a Disallow closes the whole site, as in /#/private, and otherwise info. Not reported for a URL, which is RX203, or for a character such as &#61;, which is RX220. A # before a space is reported with --pedantic.",
	Bad:   "User-agent: *\nDisallow: /terms#privacy\n",
	Good:  "User-agent: *\nDisallow: /terms\n",
}}

// findCutByHash reports a comment that follows a path without a space, and returns whether it is the rest of a
// character that HTML writes with a #. A comment is serious if what is left of the path is the whole site.
func findCutByHash(d *document, l *line) (entity bool) {
	at := l.commentAt()
	if !l.commented() || at != l.valueAt()+len(l.value()) || (len(l.comment()) < 2 || isBlank(l.comment()[1])) && !d.config.Pedantic {
		return false
	}
	if findCutEntity(d, l) {
		return true
	}
	most, about := Info, "is about all of "+quote(l.value()).String()
	if d.everything(string(l.value())) {
		l.unclear = true
		most, about = Warning, fmt.Sprintf("means \"Allow: %s\", which opens the whole site, except what a Disallow closes", l.value())
		if l.kind == robotstxt.KindDisallow {
			most, about = Error, fmt.Sprintf("means \"Disallow: %s\", which closes the whole site, except what an Allow opens", l.value())
		}
	}
	f := d.find(rxHashCutsPattern, l, at, at+len(l.comment()), "Text after # is a comment. This line %s; fragments cannot be blocked.", about)
	d.soften(f, most)
	return false
}

var rxPatternWithoutSlash = &check{unclear: true, Entry: Entry{
	Code: "RX202", Name: "pattern-without-slash", Severity: Error,
	Title: "A path does not begin with a slash, so it matches nothing.",
	Why:   "Every URL path begins with a slash, and crawlers compare a rule from the start of the path (RFC 9309 2.2.2, G46). Not reported for a value that is a URL, several paths or two directives; other findings are about these. Not reported either if another Disallow of the group closes the path anyway. It is info for an Allow in a group that closes nothing. A name before = is a parameter of a query, which comes after a path. A Disallow of .css, .js or .html has no fix, because with a slash and a star it would close all such files.",
	Bad:   "User-agent: *\nDisallow: private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findUnmatchable reports a pattern that matches no path because of its first byte. What else
// is wrong with it makes no difference. See cleaned for clean and junk.
func findUnmatchable(d *document, l *line, clean string, junk bool) {
	if findTemplate(d, l, rxPatternWithoutSlash) {
		return
	}
	if scheme, rest, ok := bytes.Cut(l.value(), []byte("://")); ok && isScheme(scheme) {
		findURL(d, l, rest)
		return
	}
	if beginsWithHost(l.value(), hostOf(d.config.URL)) {
		findURL(d, l, l.value())
		return
	}
	findCutByHash(d, l)
	path, advice, sure := withSlash(string(l.value()), l.kind == robotstxt.KindDisallow)
	if junk {
		path, advice, sure = clean, "", true
	}
	if d.isClosedAnyway(rxPatternWithoutSlash, l, cmp.Or(path, "/"+string(l.value()))) {
		return
	}
	f := d.findValue(rxPatternWithoutSlash, l, "%s matches no URL, because paths begin with a slash.%s", quote(l.value()), advice)
	if l.kind == robotstxt.KindAllow && l.group >= 0 && d.groups[l.group].restriction == 0 {
		d.soften(f, Info) // nothing in its group is closed
	}
	if !sure {
		return
	}
	f.Fix = d.writePath(l, "write "+path, path)
	if slash, inFront := strings.CutSuffix(path, string(l.value())); inFront && !junk && f.Fix != nil {
		f.Fix.Title, f.Fix.Edits = "put "+slash+" in front", []Edit{{l.valueAt(), l.valueAt(), slash}}
	}
}

// withSlash returns a path that only lacks its slash, and what else there is to say about it. It is not sure if
// a host or a folder might be in front of the path, or if it would close files that pages need, or pages.
func withSlash(value string, closes bool) (path, advice string, sure bool) {
	first, _, more := strings.Cut(value, "/")
	name, _, parameter := strings.Cut(first, "=")
	query := strings.Contains(first, "?")
	parameter = parameter && !query && consistsOf([]byte(name), func(c byte) bool { return isWord(c) || inWord(c) || c == '[' || c == ']' })
	switch {
	case first == "." || first == "..":
		path, sure = withoutDots("/" + value)
		return path, "", sure
	case value[0] == '.' && closes && !more:
		return "/*" + value, closesEnding(value), closesEnding(value) == ""
	case value[0] == '?' || value[0] == '&' || value[0] == '.':
		return "/*" + value, "", true // a query or an extension comes after some path
	case parameter:
		path = "/*" + value
		return path, fmt.Sprintf(" A name before = is a parameter of a query: write %s.", quote(path)), true
	case query && !more:
		return "", fmt.Sprintf(" Write %s, or %s for any folder.", quote("/"+value), quote("/*"+value)), false
	}
	if !more && strings.Contains(first, ".") {
		return "/" + value, "", hasFileEnding(first) // else it might be the name of a host
	}
	return "/" + value, "", !more || !strings.ContainsAny(first, ".:")
}

// hasFileEnding reports whether a name ends as the names of files in sites do.
func hasFileEnding(name string) bool {
	ending := ascii.ToLower(strings.TrimRight(name[strings.LastIndexByte(name, '.')+1:], "*$"))
	_, drawn := resourceEndings[ending]
	return drawn || slices.Contains(pageEndings, ending) || slices.Contains([]string{
		"asmx", "ashx", "axd", "cfm", "cgi", "csv", "do", "doc", "docx", "exe", "gz", "ico", "inc", "ini", "jar", "json", "log", "md", "mp3", "mp4", "pdf",
		"php3", "php5", "pl", "ppt", "pptx", "py", "rdf", "rss", "sql", "svg", "swf", "tar", "txt", "wsdl", "xls", "xlsx", "xml", "zip",
	}, ending)
}

// pageEndings are what the names of pages end with.
var pageEndings = []string{"html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp"}

// closesEnding returns what a Disallow of an ending would do with a slash and a star, if that would be much.
func closesEnding(value string) string {
	ending := strings.ToLower(strings.TrimRight(value[1:], "$*"))
	name, query := strings.CutSuffix(ending, "?")
	kind, needed := resourceEndings[name]
	what := ""
	switch {
	case needed && !kind.unsure:
		what = "files, which pages need"
	case slices.Contains(pageEndings, name) && !query:
		what = "pages"
	default:
		return ""
	}
	return fmt.Sprintf(" %s would close all such %s. Remove this line, unless you mean that.", quote("/*"+value), what)
}

// writePath is the fix that writes the path of a rule. It is nil if crawlers do not read the path as it is
// meant, or if it is the whole site.
func (d *document) writePath(l *line, title, path string) *Fix {
	if !d.isReadAsMeant(path) || isEverything(path) {
		return nil
	}
	return d.mend(title, l.replaceValue(path))
}

// cleaned returns a path without what no author means in one: quotes and separators around it,
// invisible spaces. It is empty if no path is left that can be meant. junk is false if the
// value has nothing of that.
func cleaned(value string) (path string, junk bool) {
	const unseen = "\u00a0\u00ad\u200b\u200e\u200f\u2060\ufeff"
	const around = " \t\"'`" + unseen + "\u2018\u2019\u201c\u201d\u00ab\u00bb"
	words := [...]string{
		"none", "all", "any", "null", "nothing", "nil", "everything", "yes", "no", "true", "false", "empty", "n/a", "path", "url",
		"keine", "nichts", "alles", "rien", "aucun", "nada", "ninguno", "todo",
	}
	path = strings.Trim(strings.TrimLeft(value, around+":=,;-\u2013\u2014"), around)
	switch {
	case !strings.ContainsFunc(path, func(r rune) bool {
		return r == '/' || r == '?' || r == '$' || r == '*' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= utf8.RuneSelf
	}):
		return "", true // digits and signs
	case strings.ContainsAny(path, "<>{}|()"), strings.ContainsAny(path, " \t"), path[0] == '[':
		return "", true
	case strings.ContainsAny(path, "\\\"'`\u2018\u2019\u201c\u201d"+unseen):
		return "", true
	case path != value && (path == "" || path[0] != '/' && path[0] != '*'):
		return "", true
	case slices.ContainsFunc(words[:], func(word string) bool { return strings.EqualFold(word, path) }):
		return "", true
	}
	return path, path != value
}

var rxPatternIsURL = &check{unclear: true, Entry: Entry{
	Code: "RX203", Name: "pattern-is-url", Severity: Error,
	Title: "A rule contains a whole URL, so it matches nothing.",
	Why:   "Crawlers compare a rule with the path of a URL, without scheme and host (RFC 9309 2.2.2, G24, G46). A robots.txt applies only to the host that serves it. It is info for a path that begins with a host of the site. A slash before the URL is reported with --pedantic, because broken links can have such paths. Not reported for the name of a file, such as main.min.js, which is RX202, or if another Disallow of the group closes the path anyway.",
	Bad:   "User-agent: *\nDisallow: https://example.com/private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findURL reports a URL; rest is what follows the "://", if it has one.
func findURL(d *document, l *line, rest []byte) {
	path := pathAfterHost(string(rest))
	about := "write the path alone, if the URL is on this host"
	switch {
	case d.isReadAsMeant(path) && !d.everything(path):
		about = fmt.Sprintf("write %s, if the URL is on this host", quote(path))
	case d.everything(path):
		about = "this line matches nothing, and each host has its own file"
	}
	address := string(l.value())
	if len(rest) == len(l.value()) {
		address = "https://" + address
	}
	ours, theirs := hostOf(d.config.URL), hostOf(address)
	sitemaps := strings.TrimPrefix(hostOf(d.oneSitemap()), "www.")
	switch {
	case theirs == "":
	case ours != "" && ours != theirs:
		about = fmt.Sprintf("this file applies to %s only, not to %s", ours, theirs)
	case ours == "" && sitemaps != "" && sitemaps != strings.TrimPrefix(theirs, "www."):
		about = fmt.Sprintf("each host has its own file, and the sitemaps of this file are on %s", hostOf(d.oneSitemap()))
	}
	if d.isClosedAnyway(rxPatternIsURL, l, path) {
		return
	}
	f := d.findValue(rxPatternIsURL, l, "Rules contain paths, not URLs: %s.", about)
	// The path of another host might mean nothing here, and "/" alone would close the whole site.
	if ours != "" && ours == theirs {
		f.Fix = d.writePath(l, "write the path alone", path)
	}
}

// beginsWithHost reports whether a value looks like a URL without its scheme, or begins with the host of
// the file. Names such as index.html and main.min.js are files.
func beginsWithHost(value []byte, ours string) bool {
	host, _, more := bytes.Cut(value, []byte("/"))
	if more && ours != "" && ascii.EqualFold(string(host), ours) {
		return true
	}
	if bytes.Count(host, []byte(".")) < 2 || host[0] == '.' || !more && !bytes.HasPrefix(host, []byte("www.")) {
		return false
	}
	return consistsOf(host, func(c byte) bool { return isWord(c) || c == '-' || c == '.' })
}

// namesOwnHost reports whether the first folder of a path is a host of the site.
func (d *document) namesOwnHost(value []byte) bool {
	folder, _, _ := strings.Cut(strings.TrimLeft(string(value), "/"), "/")
	domain := strings.TrimPrefix(hostOf(cmp.Or(d.config.URL, d.oneSitemap())), "www.")
	return strings.Contains(domain, ".") && !strings.Contains(folder, "*") && (ascii.EqualFold(folder, domain) || strings.HasSuffix(ascii.ToLower(folder), "."+domain))
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

var rxPatternWithBlank = &check{unclear: true, Entry: Entry{
	Code: "RX204", Name: "pattern-with-blank", Severity: Error,
	Title: "A path contains a space, an invisible character or another path, so it matches nothing.",
	Why:   "URLs contain no spaces: browsers and crawlers write %20. A rule has one path, and spaces and commas are part of it (G24). It is a warning if only commas separate the paths, because URLs can have commas. Not reported for a comma or semicolon without a space, unless a slash follows, or if another rule of the group has the path with %20, or with _ in a wiki, or closes it anyway.",
	Bad:   "User-agent: *\nDisallow: /cgi-bin/ /tmp/\n",
	Good:  "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
}}

// findNotOnePath reports a value that is not one path, and returns whether it is such a value. It comes
// before all other checks of the value, and the first case that fits decides what the value means.
func findNotOnePath(d *document, l *line) bool {
	value := l.value()
	switch {
	case losesLineBreaks(value):
		d.findValue(rxPatternWithBlank, l, "The line breaks of this file were lost. Write a line for each directive.")
		return true
	case directiveIn(value) >= 0:
		d.findValue(rxPatternWithBlank, l, "Two directives are on one line; crawlers read them as one path. Write a line for each.")
		return true
	}
	blank := bytes.ContainsAny(value, " \t")
	words := wordsOf(value)
	if !blank && len(words) < 2 {
		return false
	}
	coded := ""
	if blank {
		coded = strings.NewReplacer(" ", "%20", "\t", "%20").Replace(string(value))
		if d.writes(l, coded) {
			return true
		}
	}
	switch paths := d.arePaths(words); {
	case paths && len(words) > 1:
		f := d.findValue(rxPatternWithBlank, l, "A rule takes one path. Write a line for each of these %d; now the rule matches nothing.", len(words))
		lines := []string{string(words[0])}
		for _, word := range words[1:] {
			lines = append(lines, plainKeys[l.kind]+": "+string(word))
		}
		f.Fix = d.mend("write a line for each path", d.replaceBy(l, l.valueAt(), l.valueAt()+len(value), lines)...)
		if !blank {
			d.soften(f, Warning) // URLs can have commas
		}
	case !blank:
		return false
	case paths:
		f := d.findValue(rxPatternWithBlank, l, "Crawlers read the text next to %s as part of the path, so this line matches nothing. Remove it.", quote(words[0]))
		f.Fix = d.writePath(l, "write only "+string(words[0]), string(words[0]))
	case value[0] != '/' && value[0] != '*':
		return false // it needs a slash first
	case isNameWithBlanks(value):
		wiki := bytes.Contains(value, []byte("/wiki/"))
		if d.isClosedAnyway(rxPatternWithBlank, l, coded) || wiki && d.isClosedAnyway(rxPatternWithBlank, l, strings.ReplaceAll(string(value), " ", "_")) {
			return true
		}
		if wiki {
			d.findValue(rxPatternWithBlank, l, "URLs contain no spaces, so this line matches nothing. Wikis write _ in the URL of a page.")
			return true
		}
		quote := ""
		if last := value[len(value)-1]; last == '"' || last == '\'' {
			quote = fmt.Sprintf(", and remove the %c at the end", last)
		}
		f := d.findValue(rxPatternWithBlank, l, "URLs contain no spaces, so this line matches nothing. Write %%20%s.", quote)
		f.Fix = d.writePath(l, "write %20", coded)
	case len(words) > 1 && isEverything(string(bytes.Join(words, nil))):
		d.findValue(rxPatternWithBlank, l, "Crawlers read the space as part of the path, so this line matches nothing. Without it, it would match the whole site.")
	case bytes.Contains(value, []byte("= ")) || bytes.Contains(value, []byte(" =")) || bytes.Contains(value, []byte(" .")) || bytes.HasPrefix(value, []byte("/ *")):
		d.findValue(rxPatternWithBlank, l, "Crawlers read this as one path. Delete the space, or write %%20 if URLs have it.")
	default:
		d.findValue(rxPatternWithBlank, l, "Crawlers read this as one path. Write %%20 for a space in a name, # before a comment, a line for each path.")
	}
	return true
}

// losesLineBreaks reports whether a value continues with further lines after a \n that is written as these
// two characters. In a path of Windows a name follows.
func losesLineBreaks(value []byte) bool {
	const longestBegin = 64 // of a line: its key and the colon
	for rest := value; ; {
		_, after, found := bytes.Cut(rest, []byte(`\n`))
		if !found {
			return false
		}
		begin := after[:min(len(after), longestBegin)]
		if len(after) == 0 || bytes.IndexByte([]byte("\\ \t/*"), after[0]) >= 0 || directiveIn(begin) == 0 {
			return true
		}
		key, _, colon := bytes.Cut(begin, []byte(":"))
		if colon && plausibleKey(key) {
			return true
		}
		rest = after
	}
}

// wordsOf returns the words of a value without the commas and semicolons at their ends. A word that is
// only commas and semicolons is omitted. Commas and semicolons separate words even without white space if
// a slash follows one.
func wordsOf(value []byte) (words [][]byte) {
	for _, word := range bytes.Fields(value) {
		if isList(word) {
			words = append(words, bytes.FieldsFunc(word, func(c rune) bool { return c == ',' || c == ';' })...)
		} else if word = bytes.TrimRight(word, ",;"); len(word) > 0 {
			words = append(words, word)
		}
	}
	return words
}

// isList reports whether a word might be several paths.
func isList(word []byte) bool {
	return bytes.Contains(word, []byte(",/")) || bytes.Contains(word, []byte(";/"))
}

// arePaths reports whether words can be lines of their own: each is a path, and none matches everything.
// Two slashes, and a slash and a star, also begin comments.
func (d *document) arePaths(words [][]byte) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(word []byte) bool {
		path := string(word)
		return path[0] != '/' && path[0] != '*' || isEverything(path) || strings.HasPrefix(path, "//") ||
			strings.HasPrefix(path, "/*") && strings.HasSuffix(path, "*/") || !d.isReadAsMeant(path)
	})
}

// isEverything reports whether a path matches every URL for crawlers that read wildcards, as most do. Then no fix writes
// it, whatever the profile.
func isEverything(path string) bool { return pattern.New(path, true).MatchesEvery() }

// isNameWithBlanks reports whether all spaces are within a name: each is between letters or digits, and
// the path continues after the last one.
func isNameWithBlanks(value []byte) bool {
	letter := func(r rune, _ int) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	last := 0
	for i, c := range value {
		if isBlank(c) {
			if last = i; !letter(utf8.DecodeLastRune(value[:i])) || !letter(utf8.DecodeRune(value[i+1:])) {
				return false
			}
		}
	}
	return bytes.ContainsAny(value[last:], "/.*$?=")
}

// isReadAsMeant reports whether crawlers read a path that a fix writes as it is meant.
func (d *document) isReadAsMeant(path string) bool {
	value := []byte(path)
	if len(value) == 0 || value[0] != '/' && value[0] != '*' || bytes.ContainsAny(value, " \t") {
		return false
	}
	_, entity := entityIn(value)
	_, stray := strayIn(value)
	return !isRegularExpression(path) && entity == "" && !stray && !hasDotSegment(path) && !beginsWithSlashes(value) &&
		!isList(value) && !strings.Contains(path, "://") && oddBytes(value)&oddDollar == 0
}

// invisibles removes characters that are not visible, mostly from a copied text.
var invisibles = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200e", "", "\u200f", "", "\u2060", "", "\ufeff", "")

// visible returns a value without such characters, and without no-break spaces around it.
func visible(value []byte) string {
	return invisibles.Replace(strings.Trim(string(value), "\u00a0"))
}

// findInvisible reports an invisible character in a path, and whether there is one.
func findInvisible(d *document, l *line) bool {
	if _, twice := fromLatin1(l.value()); twice {
		return false // they are bytes of other characters
	}
	clean := visible(l.value())
	spaced := strings.ReplaceAll(clean, "\u00a0", " ")
	if clean == string(l.value()) && spaced == clean {
		return false
	}
	if spaced != clean { // a space in a name, or between paths
		if clean = ""; isNameWithBlanks([]byte(spaced)) {
			clean = strings.ReplaceAll(spaced, " ", "%20")
		}
	}
	advice := ""
	if clean != "" {
		advice = " Write " + quote(clean).String() + "."
	}
	f := d.findValue(rxPatternWithBlank, l, "%s has an invisible character, so it matches no URL.%s", quote(l.value()), advice)
	f.Fix = d.writePath(l, "write "+clean, clean)
	return true
}

var rxBadPercentCode = &check{unclear: true, Entry: Entry{
	Code: "RX212", Name: "bad-percent-code", Severity: Info,
	Title: "A % is not followed by two hexadecimal digits.",
	Why:   "In a URL, % begins a code such as %20. Google compares any other % unchanged (G23), RFC 9309 as %25, so crawlers disagree about what the rule matches. Not reported for a %, or a % and one digit, before a star or at the end, because it can be the beginning of a code, or before another % or a bracket, as in %%name%% and %(name), which programs did not fill in.",
	Bad:   "User-agent: *\nDisallow: /100%/\n",
	Good:  "User-agent: *\nDisallow: /100%25/\n",
}}

// findPercentCodes reports the first percent sign that begins no code.
func findPercentCodes(d *document, l *line) {
	for i := 0; i < len(l.value()); i++ {
		if l.value()[i] != '%' {
			continue
		}
		rest := l.value()[i+1:]
		if _, ok := ascii.Unhex(rest); ok {
			i += 2
			continue
		}
		if len(rest) > 0 {
			if _, digit := ascii.HexDigit(rest[0]); digit {
				rest = rest[1:] // perhaps a star or the end cuts a code
			}
		}
		macro := i > 0 && l.value()[i-1] == '%'
		if len(rest) > 0 && strings.IndexByte("*$%({", rest[0]) < 0 && !macro || d.config.Pedantic {
			at := l.valueAt() + i
			d.find(rxBadPercentCode, l, at, at+1, "Crawlers disagree about a %% without two hexadecimal digits after it: Google compares it as it is, others as %%25.")
			return
		}
	}
}

var rxPatternNotASCII = &check{Entry: Entry{
	Code: "RX206", Name: "pattern-not-ascii", Severity: Info,
	Once:  Info,
	Title: "A path has characters that URLs contain only percent-encoded.",
	Why:   "Google and RFC 9309 2.2.2 encode such a path before they compare it (G22). Other crawlers might not, and then it never matches. So Google has recommended percent-encoded paths since 23 October 2026. Not reported if another rule of the group has the path percent-encoded.",
	Bad:   "User-agent: *\nDisallow: /caf\u00e9/\n",
	Good:  "User-agent: *\nDisallow: /caf%C3%A9/\n",
}}

// lostCharacter is what programs write for bytes that they cannot read.
const lostCharacter = "\uFFFD"

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
	if d.writes(l, percentEncode(l.value(), isHigh)) {
		return
	}
	first := edits[0]
	raw := d.body[first.Start:first.End]
	if at := bytes.Index(l.value(), []byte(lostCharacter)); at >= 0 {
		d.find(rxPatternNotASCII, l, l.valueAt()+at, l.valueAt()+at+len(lostCharacter), "A character was lost here when the file was saved, so this path matches no URL. Write the character, percent-encoded.")
		return
	}
	if text, ok := fromLatin1(l.value()); ok {
		f := d.findValue(rxPatternNotASCII, l, "This path was saved twice as UTF-8. Write %s.", quote(text))
		f.Fix = d.mend("write "+text, l.replaceValue(text))
		return
	}
	note := ""
	if !utf8.Valid(l.value()) {
		note = " It is not UTF-8, the encoding of URLs."
	}
	f := d.find(rxPatternNotASCII, l, first.Start, first.End, "Write %s as %s, as Google recommends; some crawlers do not encode paths.%s", quote(raw), quote(first.New), note)
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
