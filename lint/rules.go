package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

func inspectPatterns(d *document) {
	wildcards := d.audience.dialect.Traits().Wildcards
	for i := range d.lines {
		l := &d.lines[i]
		if !isRule(l) || len(l.value()) == 0 {
			continue
		}
		if isSecret(l.value()) {
			d.notePattern(rxNamesSecret, l)
		}
		if d.isNoIndex(l) {
			d.notePattern(rxIndexComment, l)
		}
		odd := oddBytes(l.value())
		if odd&(oddBlank|oddComma|oddColon|oddElsewhere) != 0 && findNotOnePath(d, l) {
			findCutByHash(d, l)
			continue
		}
		first := l.value()[0]
		clean, junk := "", false
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
	d.findNoted()
	inspectWidth(d)
}

func inspectPattern(d *document, l *line, odd uint16, wildcards bool) {
	isURL := odd&oddColon != 0 && (ascii.HasPrefixFold(l.value(), "/http:") || ascii.HasPrefixFold(l.value(), "/https:"))
	if !isURL && findCutByHash(d, l) {
		return
	}
	if folder := folderOnDisk(string(l.value())); folder != "" {
		d.findValue(rxPatternIsURL.at(Warning), l, "%s is a folder on the server's disk, which URLs do not have. Write the path that browsers request.", quote(folder))
		return
	}
	if odd&oddDot != 0 && d.namesOwnHost(l.value()) {
		d.findValue(rxPatternIsURL.at(Warning), l, "%s begins like a host, but each host has its own file. Write the path alone, unless a folder has that name.", quote(l.value()))
		return
	}
	if odd == 0 || odd&oddHigh != 0 && findInvisible(d, l) {
		return
	}
	if isURL { // broken links can have such paths
		d.findValue(rxPatternIsURL.at(Info).rareIf(true), l, "Rules contain paths, not URLs: this one is only about URLs with another URL in their path.")
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

var rxDollarInside = check{Entry: &Entry{
	Code: "RX205", Name: "dollar-inside", Severity: Warning,
	Title: "A $ inside a path does not mean the end.",
	Why:   "A $ means the end of the URL only as the last character of a path (RFC 9309 2.2.3, G44). Elsewhere it matches a $ in the URL, and hardly any URL has one. A $ that can be a part of a name or a code is reported with --pedantic, because the URLs of some servers have it.",
	Bad:   "User-agent: *\nDisallow: /*.pdf$*\n",
	Good:  "User-agent: *\nDisallow: /*.pdf$\n",
}}

func findOdd(d *document, l *line, odd uint16, wildcards bool) {
	if odd&oddDollar != 0 && wildcards {
		findDollarInside(d, l)
	}
	if odd&oddPercent != 0 {
		findPercentCodes(d, l)
	}
	if odd&oddHigh != 0 {
		findNotASCII(d, l)
	}
}

// findDollarInside reports the first $ that seems to mean the end, or, if it is asked for, the
// first one that is a part of a name.
func findDollarInside(d *document, l *line) {
	at, named := dollarIn(l.value())
	d.find(rxDollarInside.rareIf(named), l, l.valueAt()+at, l.valueAt()+at+1, "$ means \"end\" only as the last character; here it is literal.")
}

// dollarIn returns the first $ within a path that is not a part of a name, or else the first one.
func dollarIn(value []byte) (at int, named bool) {
	at = -1
	for i, c := range value[:len(value)-1] {
		switch {
		case c != '$':
		case !isPartOfName(value[i+1:]):
			return i, false
		case at < 0:
			at = i
		}
	}
	return at, true
}

// isPartOfName reports whether a $ before a text is a character of a URL: before a name, as in the
// paths of Lotus Notes, which have names such as $FILE, before a price, and in code that was never
// filled in, as in ${name}. White space that is coded is the rest of a mistake.
func isPartOfName(rest []byte) bool {
	octet, coded := ascii.Unhex(rest[1:])
	return isWord(rest[0]) || rest[0] == '(' || rest[0] == '{' || rest[0] == '%' && coded && octet > ' '
}

var rxHashCutsPattern = check{Entry: &Entry{
	Code: "RX207", Name: "hash-cuts-pattern", Severity: Error,
	Title: "A comment begins in the middle of a path.",
	Why:   "A # begins a comment wherever it is (RFC 9309 2.2, G11), so the rule is shorter than it looks and matches more. Browsers never send the part of a URL after #, so no rule can block a fragment. It is an error if the rest of a Disallow closes the whole site, as in /#/private, and otherwise info.",
	Bad:   "User-agent: *\nDisallow: /terms#privacy\n",
	Good:  "User-agent: *\nDisallow: /terms\n",
}}

// isCut reports whether a comment follows a value without a space.
func (l *line) isCut() bool { return l.commented() && l.commentAt() == l.valueAt()+len(l.value()) }

// findCutByHash reports a comment that follows a path without a space, and returns whether it is the rest of a
// character that HTML writes with a #. A comment is serious if what is left of the path is the whole site.
func findCutByHash(d *document, l *line) (entity bool) {
	at := l.commentAt()
	if !l.isCut() {
		return false
	}
	apart := len(l.comment()) < 2 || isBlank(l.comment()[1])
	if findCutEntity(d, l) {
		return true
	}
	most, about := Info, "is about all of "+quote(l.value()).String()
	if d.matchesAll(string(l.value())) {
		most, about = Warning, fmt.Sprintf("means \"Allow: %s\", which opens the whole site, except what a Disallow closes", l.value())
		if l.kind == robotstxt.KindDisallow {
			most, about = Error, fmt.Sprintf("means \"Disallow: %s\", which closes the whole site, except what an Allow opens", l.value())
		}
	}
	d.find(rxHashCutsPattern.at(most).rareIf(apart), l, at, at+len(l.comment()), "Text after # is a comment. This line %s; fragments cannot be blocked.", about)
	return false
}

var rxPatternWithoutSlash = check{Entry: &Entry{
	Code: "RX202", Name: "pattern-without-slash", Severity: Error,
	Title: "A path does not begin with a slash, so it matches nothing.",
	Why:   "Every URL path begins with a slash, and crawlers compare a rule from the start of the path (RFC 9309 2.2.2, G46). A name before = is a parameter, which comes after a path. It is info for an Allow in a group that closes nothing. If another Disallow closes the path anyway, it is reported with --pedantic.",
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
	harmless := l.kind == robotstxt.KindAllow && l.group >= 0 && d.groups[l.group].restriction == 0
	closed := d.isClosedAnyway(l, cmp.Or(path, "/"+string(l.value())))
	f := d.findValue(rxPatternWithoutSlash.infoIf(harmless).rareIf(closed), l, "%s matches no URL, because paths begin with a slash.%s", quote(l.value()), advice)
	if !sure {
		return
	}
	f.Fix = d.writePath(l, "write "+path, path)
	if slash, inFront := strings.CutSuffix(path, string(l.value())); inFront && !junk && f.Fix != nil {
		f.Fix.Title = "put " + slash + " in front"
		f.Fix.Edits = []Edit{{l.valueAt(), l.valueAt(), slash}}
	}
}

// withSlash returns a path that only lacks its slash, and what else there is to say about it. It is not sure if
// a host or a folder might be in front of the path, or if it would close files that pages need, or pages.
func withSlash(value string, closes bool) (path, advice string, sure bool) {
	first, _, more := strings.Cut(value, "/")
	name, _, parameter := strings.Cut(first, "=")
	query := strings.Contains(first, "?")
	inParameter := func(c byte) bool { return inName(c) || c == '[' || c == ']' }
	parameter = parameter && !query && consistsOf([]byte(name), inParameter)
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

func hasFileEnding(name string) bool {
	ending := ascii.ToLower(strings.TrimRight(name[strings.LastIndexByte(name, '.')+1:], "*$"))
	_, drawn := resourceEndings[ending]
	return drawn || slices.Contains(pageEndings, ending) || slices.Contains([]string{
		"asmx", "ashx", "axd", "cfm", "cgi", "csv", "do", "doc", "docx", "exe", "gz", "ico", "inc", "ini", "jar", "json", "log", "md", "mp3", "mp4", "pdf",
		"php3", "php5", "pl", "ppt", "pptx", "py", "rdf", "rss", "sql", "svg", "swf", "tar", "txt", "wsdl", "xls", "xlsx", "xml", "zip",
	}, ending)
}

var pageEndings = []string{"html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp"}

// closesEnding returns what a Disallow of an ending would do with a slash and a star, if that would be much.
func closesEnding(value string) string {
	ending := strings.ToLower(strings.TrimRight(value[1:], "$*"))
	name, query := strings.CutSuffix(ending, "?")
	kind, needed := resourceEndings[name]
	what := ""
	switch {
	case needed && kind.doubt < unsure:
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
	if !d.isWritable(path) {
		return nil
	}
	return d.mend(title, l.replaceValue(path))
}

func (d *document) isWritable(path string) bool { return d.isReadAsMeant(path) && !isEverything(path) }

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
		return strings.ContainsRune("/?$*", r) || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= utf8.RuneSelf
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

var rxPatternIsURL = check{Entry: &Entry{
	Code: "RX203", Name: "pattern-is-url", Severity: Error,
	Title: "A rule contains a whole URL, so it matches nothing.",
	Why:   "Crawlers compare a rule with the path of a URL, without scheme and host (RFC 9309 2.2.2, G24, G46). A robots.txt applies only to the host that serves it. It is a warning for a folder of the server's disk and for a path that begins with a host of the site. --pedantic reports a slash before a URL.",
	Bad:   "User-agent: *\nDisallow: https://example.com/private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

func findURL(d *document, l *line, rest []byte) {
	path := pathAfterHost(string(rest))
	about := "write the path alone, if the URL is on this host"
	switch {
	case d.isReadAsMeant(path) && !d.matchesAll(path):
		about = fmt.Sprintf("write %s, if the URL is on this host", quote(path))
	case d.matchesAll(path):
		about = "this line matches nothing, and each host has its own file"
	}
	address := choose(len(rest) == len(l.value()), "https://"+string(l.value()), string(l.value()))
	ours, theirs := hostOf(d.config.URL), hostOf(address)
	sitemaps := strings.TrimPrefix(hostOf(d.oneSitemap()), "www.")
	switch {
	case theirs == "":
	case ours != "" && ours != theirs:
		about = fmt.Sprintf("this file applies to %s only, not to %s", ours, theirs)
	case ours == "" && sitemaps != "" && sitemaps != strings.TrimPrefix(theirs, "www."):
		about = fmt.Sprintf("each host has its own file, and the sitemaps of this file are on %s", hostOf(d.oneSitemap()))
	}
	f := d.findValue(rxPatternIsURL.rareIf(d.isClosedAnyway(l, path)), l, "Rules contain paths, not URLs: %s.", about)
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

func (d *document) namesOwnHost(value []byte) bool {
	folder, _, _ := strings.Cut(strings.TrimLeft(string(value), "/"), "/")
	domain := strings.TrimPrefix(hostOf(cmp.Or(d.config.URL, d.oneSitemap())), "www.")
	return strings.Contains(domain, ".") && !strings.Contains(folder, "*") &&
		(ascii.EqualFold(folder, domain) || strings.HasSuffix(ascii.ToLower(folder), "."+domain))
}

// folderOnDisk returns the beginning of a path that is the path of a file on a server, "" if it is none.
func folderOnDisk(path string) string {
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	second, _, _ := strings.Cut(rest, "/")
	switch lower := ascii.ToLower(first); {
	case slices.Contains([]string{"public_html", "htdocs", "httpdocs", "wwwroot"}, lower):
		return "/" + first
	case (lower == "var" || lower == "srv") && second == "www", lower == "home" && strings.Contains(rest, "/public_html"):
		return "/" + first + "/" + second
	}
	return ""
}

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
