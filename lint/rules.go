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
		if wildcards && findOddPattern(d, l) {
			continue
		}
		if l.commented() && l.commentAt() == l.valueAt()+len(l.value()) && (len(l.comment()) > 1 && !isBlank(l.comment()[1]) || d.config.Pedantic) {
			findCutByHash(d, l)
		}
		if l.value()[0] != '/' && (!wildcards || l.value()[0] != '*') {
			findUnmatchable(d, l)
			continue // what else is wrong with it makes no difference
		}
		if ascii.HasPrefixFold(l.value(), "/http:") || ascii.HasPrefixFold(l.value(), "/https:") {
			f := d.findValue(rxPatternIsURL, l, "Rules contain paths, not URLs: this one is only about URLs with another URL in their path.")
			d.soften(f, Info)
		}
		if odd := oddBytes(l.value()); odd != 0 {
			findOdd(d, l, odd, wildcards)
		}
	}
	inspectWidth(d)
}

// What is odd about a value's bytes.
const (
	oddBlank = 1 << iota
	oddDollar
	oddPercent
	oddHigh
)

var oddities = func() (table [256]uint8) {
	table[' '], table['\t'], table['$'], table['%'] = oddBlank, oddBlank, oddDollar, oddPercent
	for c := utf8.RuneSelf; c < len(table); c++ {
		table[c] = oddHigh
	}
	return table
}()

// oddBytes returns what is odd about a value, the last byte's '$' aside.
func oddBytes(value []byte) (odd uint8) {
	last := len(value) - 1
	for _, c := range value[:last] {
		odd |= oddities[c]
	}
	return odd | oddities[value[last]]&^oddDollar
}

var rxDollarInside = &check{Entry{
	Code:     "RX205",
	Name:     "dollar-inside",
	Severity: Warning,
	Title:    "A $ inside a path does not mean the end.",
	Why:      "Only as the last character of a path $ means the end of the URL (RFC 9309 2.2.3, G44). Elsewhere the URL must contain a $, and hardly any does. A $ before a letter is reported with --pedantic, because some servers have such names.",
	Bad:      "User-agent: *\nDisallow: /*.pdf$*\n",
	Good:     "User-agent: *\nDisallow: /*.pdf$\n",
}}

// findOdd reports what is odd. A pattern with a blank has no finding about its '$',
// because it ends elsewhere after the fix.
func findOdd(d *document, l *line, odd uint8, wildcards bool) {
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
	Code:     "RX207",
	Name:     "hash-cuts-pattern",
	Severity: Info,
	Title:    "A comment begins in the middle of a path.",
	Why:      "A # begins a comment wherever it is (RFC 9309 2.2, G11), so the rule is shorter than it looks and matches more. Browsers and crawlers never send the part of a URL after #, so no rule can block a fragment. A # before a space is reported with --pedantic.",
	Bad:      "User-agent: *\nDisallow: /terms#privacy\n",
	Good:     "User-agent: *\nDisallow: /terms\n",
}}

// findCutByHash reports a comment that follows a path without a space. The fix is plain:
// the space only shows what crawlers read.
func findCutByHash(d *document, l *line) {
	at := l.commentAt()
	f := d.find(rxHashCutsPattern, l, at, l.commentAt()+len(l.comment()), "Text after # is a comment. This line is about all of %s; fragments cannot be blocked.", quote(l.value()))
	if l.roomy() {
		f.Fix = &Fix{Title: "write a space before the comment", Edits: []Edit{{at, at, " "}}}
	}
}

var rxPatternWithoutSlash = &check{Entry{
	Code:     "RX202",
	Name:     "pattern-without-slash",
	Severity: Error,
	Title:    "A path does not begin with a slash, so it matches nothing.",
	Why:      "Every path of a URL begins with a slash, and a rule is compared from the start of the path (RFC 9309 2.2.2, G46).",
	Bad:      "User-agent: *\nDisallow: private/\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

// findUnmatchable reports a pattern that matches no path because of its first byte.
func findUnmatchable(d *document, l *line) {
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
	slash := "/"
	if c := l.value()[0]; c == '?' || c == '&' || c == '.' {
		slash = "/*" // a query or an extension comes after some path
	}
	f.Fix = &Fix{Title: "put " + slash + " in front", Edits: []Edit{{l.valueAt(), l.valueAt(), slash}}, Meaning: true}
}

var rxPatternIsURL = &check{Entry{
	Code:     "RX203",
	Name:     "pattern-is-url",
	Severity: Error,
	Title:    "A rule contains a whole URL, so it matches nothing.",
	Why:      "A rule is compared with the path of a URL, without scheme and host (RFC 9309 2.2.2, G24, G46). A robots.txt applies only to the host that serves it. It is info if a slash comes before the URL, because broken links can have such paths.",
	Bad:      "User-agent: *\nDisallow: https://example.com/private/\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

// findURL reports a URL; rest is what follows the "://", if it has one.
func findURL(d *document, l *line, rest []byte) {
	_, path := cutHost(string(rest))
	about := fmt.Sprintf("write %s, if the URL is on this host", quoteText(path))
	if everything(path) {
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
	if !other && !everything(path) {
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
	return !slices.ContainsFunc(host, func(c byte) bool { return c != '-' && c != '.' && !ascii.IsLetter(c) && !ascii.IsDigit(c) })
}

// cutHost splits what follows a "://".
func cutHost(rest string) (host, path string) {
	i := strings.IndexAny(rest, "/?")
	if i < 0 {
		return rest, "/"
	}
	if rest[i] == '?' {
		return rest[:i], "/" + rest[i:]
	}
	return rest[:i], rest[i:]
}

// isScheme reports whether s consists of letters, as http and https do. Other schemes do
// not occur in robots.txt files.
func isScheme(s []byte) bool {
	for _, c := range s {
		if !ascii.IsLetter(c) {
			return false
		}
	}
	return len(s) > 0
}

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
	Code:     "RX204",
	Name:     "pattern-with-blank",
	Severity: Error,
	Title:    "A path contains a space, so it matches nothing.",
	Why:      "URLs contain no spaces: browsers and crawlers write %20. A rule takes one path, and spaces are a part of it (G24).",
	Bad:      "User-agent: *\nDisallow: /cgi-bin/ /tmp/\n",
	Good:     "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
}}

// findBlank reports a pattern with blanks. If each word is a path, several paths were
// meant. Otherwise URLs may have a %20 there.
func findBlank(d *document, l *line) {
	if named := swallowed(bytes.TrimPrefix(l.value(), []byte("/"))); named != "" {
		d.findValue(rxPatternWithBlank, l, "%s looks like a %s line that lost its line break. The path matches no URL.", quote(l.value()), str(named))
		return
	}
	words := bytes.Fields(l.value())
	paths := 0
	for _, word := range words {
		if word[0] == '/' {
			paths++
		}
	}
	if len(words) > 1 && paths == len(words) {
		f := d.findValue(rxPatternWithBlank, l, "A rule takes one path. Write a line for each of these %d; now the rule matches nothing.", num(paths))
		between := d.newline() + plainKeys[l.kind] + ": "
		f.Fix = &Fix{Title: "write a line for each path", Edits: l.replaceValue(string(bytes.Join(words, []byte(between)))), Meaning: true}
		return
	}
	if first := words[0]; len(words) > 1 && (first[len(first)-1] == '/' || words[1][0] == '*') && !everything(string(bytes.Join(words, nil))) {
		f := d.findValue(rxPatternWithBlank, l, "URLs contain no spaces, so this line matches nothing. Remove the space.")
		f.Fix = &Fix{Title: "remove the space", Edits: l.replaceValue(string(bytes.Join(words, nil))), Meaning: true}
		return
	}
	f := d.findValue(rxPatternWithBlank, l, "URLs contain no spaces, so this line matches nothing. Write %%20.")
	f.Fix = &Fix{Title: "write %20", Edits: l.replaceValue(string(bytes.ReplaceAll(bytes.ReplaceAll(l.value(), []byte("\t"), []byte(" ")), []byte(" "), []byte("%20")))), Meaning: true}
}

// isRule reports whether a line is an Allow or Disallow, in a group or not.
func isRule(l *line) bool {
	return l.kind == robotstxt.KindAllow || l.kind == robotstxt.KindDisallow
}

var rxBadPercentCode = &check{Entry{
	Code:     "RX212",
	Name:     "bad-percent-code",
	Severity: Info,
	Title:    "A % is not followed by two hexadecimal digits.",
	Why:      "In a URL, % begins a code such as %20. Google compares other uses as they are (G23), RFC 9309 as %25, so crawlers disagree about what the rule matches. A % before a star or at the end is not reported, because it may be any code.",
	Bad:      "User-agent: *\nDisallow: /100%/\n",
	Good:     "User-agent: *\nDisallow: /100%25/\n",
}}

var rxLowerCasePercentCode = &check{Entry{
	Code:     "RX213",
	Name:     "lower-case-percent-code",
	Severity: Info, Pedantic: true,
	Title:   "A percent code has lower-case letters.",
	Why:     "Google and RFC 9309 2.2.2 compare such codes in upper case (G22), so this is right for them. Simple crawlers may compare byte by byte and miss the URL.",
	Bad:     "User-agent: *\nDisallow: /caf%c3%a9/\n",
	Good:    "User-agent: *\nDisallow: /caf%C3%A9/\n",
	Example: Config{Pedantic: true},
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
	Code:     "RX206",
	Name:     "pattern-not-ascii",
	Severity: Info, Pedantic: true,
	Title:   "A path has characters that URLs contain percent-encoded only.",
	Why:     "Google and RFC 9309 2.2.2 encode such a path before they compare it (G22), so this is right for them. Crawlers that do not encode never match it.",
	Bad:     "User-agent: *\nDisallow: /caf\u00e9/\n",
	Good:    "User-agent: *\nDisallow: /caf%C3%A9/\n",
	Example: Config{Pedantic: true},
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
			edits = append(edits, Edit{l.valueAt() + start, l.valueAt() + i, percentEncode(l.value()[start:i])})
		}
	}
	first := edits[0]
	raw := d.body[first.Start:first.End]
	note := ""
	if !utf8.Valid(l.value()) {
		note = " It is not UTF-8, the encoding of URLs."
	}
	f := d.find(rxPatternNotASCII, l, first.Start, first.End, "Google compares %s as %s; some crawlers do not.%s", quote(raw), quoteText(first.New), str(note))
	if grown := len(l.raw()) + 2*len(l.value()); grown <= readBytes {
		f.Fix = &Fix{Title: "percent-encode the path", Edits: edits}
	}
}

func percentEncode(raw []byte) string {
	coded := make([]byte, 0, 3*len(raw))
	for _, c := range raw {
		coded = ascii.AppendPercent(coded, c)
	}
	return string(coded)
}
