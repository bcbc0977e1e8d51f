package lint

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var patternFamily = family{inspect: inspectPatterns, checks: []*check{rxPatternWithoutSlash, rxPatternIsURL, rxPatternWithBlank, rxDollarInside, rxPatternNotASCII, rxHashCutsPattern, rxPatternWiderThanItLooks, rxBadPercentCode, rxLowerCasePercentCode}}

// inspectPatterns looks at the values of Allow and Disallow lines, one by one.
func inspectPatterns(d *document) {
	wildcards := d.audience.dialect.Traits().Wildcards
	for i := range d.lines {
		l := &d.lines[i]
		if !isRule(l) || len(l.value()) == 0 {
			continue
		}
		if l.commented() && l.commentAt() == l.valueAt()+len(l.value()) {
			findCutByHash(d, l)
		}
		if l.value()[0] != '/' && (!wildcards || l.value()[0] != '*') {
			findUnmatchable(d, l)
			continue // what else is wrong with it makes no difference
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
	Title:    "A '$' that is not the last byte of a pattern is a letter.",
	Why:      "Only as the last byte '$' ends the path (G44; RFC 9309 2.2.3). Elsewhere the URL must hold it.",
	Bad:      "User-agent: *\nDisallow: /*.pdf$*\n",
	Good:     "User-agent: *\nDisallow: /*.pdf$\n",
}}

// findOdd reports what is odd. A blank speaks for the '$' as well: the pattern ends
// elsewhere once it is mended.
func findOdd(d *document, l *line, odd uint8, wildcards bool) {
	switch {
	case odd&oddBlank != 0:
		findBlank(d, l)
	case odd&oddDollar != 0 && wildcards:
		at := l.valueAt() + bytes.IndexByte(l.value(), '$')
		d.find(rxDollarInside, l, at, at+1, "'$' inside %s is a letter that the URL must hold; only at the end it is special", quote(l.value()))
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
	Severity: Warning,
	Title:    "A '#' without a blank in front cuts a pattern.",
	Why:      "A '#' begins a comment wherever it stands (G11; RFC 9309 2.2), so the rule is wider than it looks. Fragments are never sent, so no pattern needs one.",
	Bad:      "User-agent: *\nDisallow: /#private\n",
	Good:     "User-agent: *\nDisallow: / # private\n",
}}

// findCutByHash reports a comment that stands directly behind a pattern. The fix is
// a guess: who wrote "/a#b" meant the '#', who wrote "/a#note" a comment.
func findCutByHash(d *document, l *line) {
	at := l.commentAt()
	f := d.find(rxHashCutsPattern, l, at, l.commentAt()+len(l.comment()), "'#' ends the pattern: %s is a comment, and the rule is %s", quote(l.comment()), quote(l.value()))
	f.Fix = &Fix{Title: "write the '#' as %23", Edits: []Edit{{at, at + 1, "%23"}}, Meaning: true}
}

var rxPatternWithoutSlash = &check{Entry{
	Code:     "RX202",
	Name:     "pattern-without-slash",
	Severity: Error,
	Title:    "A pattern does not begin with a slash or a star, so it matches nothing.",
	Why:      "Every path begins with a slash, and a pattern is compared from the start (G46; RFC 9309 2.2.2).",
	Bad:      "User-agent: *\nDisallow: private/\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

// findUnmatchable reports a pattern that no path begins like.
func findUnmatchable(d *document, l *line) {
	if scheme, rest, ok := bytes.Cut(l.value(), []byte("://")); ok && isScheme(scheme) {
		findURL(d, l, rest)
		return
	}
	if named := swallowed(l.value()); named != "" {
		d.findValue(rxPatternWithoutSlash, l, "%s matches no URL: it looks like a %s line that lost its line break", quote(l.value()), str(named))
		return
	}
	f := d.findValue(rxPatternWithoutSlash, l, "%s matches no URL, because every path begins with a slash", quote(l.value()))
	slash := "/"
	if c := l.value()[0]; c == '?' || c == '&' || c == '.' {
		slash = "/*" // a query or an extension stands behind some path
	}
	f.Fix = &Fix{Title: "put " + slash + " in front", Edits: []Edit{{l.valueAt(), l.valueAt(), slash}}, Meaning: true}
}

var rxPatternIsURL = &check{Entry{
	Code:     "RX203",
	Name:     "pattern-is-url",
	Severity: Error,
	Title:    "A pattern is a whole URL, so it matches nothing.",
	Why:      "Patterns are compared with the path of a URL (G24, G46; RFC 9309 2.2.2). A file speaks for the host that serves it and for no other.",
	Bad:      "User-agent: *\nDisallow: https://example.com/private/\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

// findURL reports a URL, of which rest is what stands behind the "://".
func findURL(d *document, l *line, rest []byte) {
	_, path := cutHost(string(rest))
	about := fmt.Sprintf(": patterns are compared with paths such as %s", quoteText(path))
	ours, theirs := hostOf(d.config.URL), hostOf(string(l.value()))
	other := ours != "" && theirs != "" && ours != theirs
	if other {
		about = fmt.Sprintf(", and a file of %s says nothing about %s", quoteText(ours), quoteText(theirs))
	}
	f := d.findValue(rxPatternIsURL, l, "%s matches no URL%s", quote(l.value()), str(about))
	// Of another host the path may mean nothing here, and "/" alone would close
	// the whole site.
	if !other && path != "/" {
		f.Fix = &Fix{Title: "write the path alone", Edits: l.replaceValue(path), Meaning: true}
	}
}

// cutHost splits what stands behind a "://".
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

// isScheme reports whether s is letters alone, as in http and https: what else a
// scheme may have, no one writes into a robots.txt.
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
	Severity: Warning,
	Title:    "A pattern holds a blank.",
	Why:      "A rule has one pattern and blanks belong to it (G24). URLs have none: crawlers write them %20, which Google's parser does not take for a blank.",
	Bad:      "User-agent: *\nDisallow: /cgi-bin/ /tmp/\n",
	Good:     "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
}}

// findBlank reports a pattern with blanks. Where each word is a path, several were
// meant; otherwise only the author knows whether the blank is a slip or a %20.
func findBlank(d *document, l *line) {
	words := bytes.Fields(l.value())
	paths := 0
	for _, word := range words {
		if word[0] == '/' {
			paths++
		}
	}
	if len(words) > 1 && paths == len(words) {
		f := d.findValue(rxPatternWithBlank, l, "%s is one pattern with blanks, not %d patterns: each needs a line of its own", quote(l.value()), num(paths))
		between := d.newline() + plainKeys[l.kind] + ": "
		f.Fix = &Fix{Title: "give each path a line", Edits: l.replaceValue(string(bytes.Join(words, []byte(between)))), Meaning: true}
		return
	}
	d.findValue(rxPatternWithBlank, l, "%s holds a blank, which no URL does: crawlers write it %%20", quote(l.value()))
}

// isRule reports whether a line is an Allow or Disallow, in a group or not.
func isRule(l *line) bool {
	return l.kind == robotstxt.KindAllow || l.kind == robotstxt.KindDisallow
}

var rxBadPercentCode = &check{Entry{
	Code:     "RX212",
	Name:     "bad-percent-code",
	Severity: Warning,
	Title:    "A percent sign is not followed by two hex digits.",
	Why:      "Google's parser compares it as it stands (G23), RFC 9309 as %25: crawlers disagree on what the pattern matches.",
	Bad:      "User-agent: *\nDisallow: /100%/\n",
	Good:     "User-agent: *\nDisallow: /100%25/\n",
}}

var rxLowerCasePercentCode = &check{Entry{
	Code:     "RX213",
	Name:     "lower-case-percent-code",
	Severity: Info,
	Title:    "A percent code is written in lower case.",
	Why:      "Google's parser and RFC 9309 2.2.2 compare such codes in upper case (G22). Readers that do not would miss the URL.",
	Bad:      "User-agent: *\nDisallow: /caf%c3%a9/\n",
	Good:     "User-agent: *\nDisallow: /caf%C3%A9/\n",
}}

// findPercentCodes reports codes that are none, and those in lower case. To write
// %25 for a stray percent sign changes what Google compares (G23); upper case
// changes nothing, as it is made of the pattern anyway (G22).
func findPercentCodes(d *document, l *line) {
	var bad, upper []Edit
	for i := 0; i < len(l.value()); i++ {
		if l.value()[i] != '%' {
			continue
		}
		at := l.valueAt() + i
		if _, ok := ascii.Unhex(l.value()[i+1:]); !ok {
			bad = append(bad, Edit{at, at + 1, "%25"})
			continue
		}
		if code := bytes.ToUpper(l.value()[i : i+3]); !bytes.Equal(code, l.value()[i:i+3]) {
			upper = append(upper, Edit{at, at + 3, string(code)})
		}
		i += 2
	}
	if len(bad) > 0 {
		f := d.find(rxBadPercentCode, l, bad[0].Start, bad[0].End, "'%%' in %s is not followed by two hex digits: Google compares it as it stands, RFC 9309 as %%25", quote(l.value()))
		f.Fix = &Fix{Title: "write the '%' as %25", Edits: bad, Meaning: true}
	}
	if len(upper) > 0 {
		f := d.find(rxLowerCasePercentCode, l, upper[0].Start, upper[0].End, "%s is compared as %s", quote(l.value()[upper[0].Start-l.valueAt():upper[0].End-l.valueAt()]), quoteText(upper[0].New))
		f.Fix = &Fix{Title: "write the codes in upper case", Edits: upper}
	}
}

var rxPatternNotASCII = &check{Entry{
	Code:     "RX206",
	Name:     "pattern-not-ascii",
	Severity: Info,
	Title:    "A pattern holds bytes outside of ASCII.",
	Why:      "Google's parser and RFC 9309 2.2.2 compare them percent-encoded (G22). Readers that do not encode never match them.",
	Bad:      "User-agent: *\nDisallow: /caf\u00e9/\n",
	Good:     "User-agent: *\nDisallow: /caf%C3%A9/\n",
}}

// findNotASCII reports bytes that are compared percent-encoded. The fix changes
// nothing as long as the line is not cut elsewhere for it.
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
		note = "; it is not UTF-8, which URLs are written in"
	}
	f := d.find(rxPatternNotASCII, l, first.Start, first.End, "%s is compared as %s%s", quote(raw), quoteText(first.New), str(note))
	if grown := len(l.raw()) + 2*len(l.value()); grown <= readBytes {
		f.Fix = &Fix{Title: "percent-encode the pattern", Edits: edits}
	}
}

func percentEncode(raw []byte) string {
	coded := make([]byte, 0, 3*len(raw))
	for _, c := range raw {
		coded = ascii.AppendPercent(coded, c)
	}
	return string(coded)
}
