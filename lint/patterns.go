package lint

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// patternEntries are about single patterns, by what their bytes say.
var patternEntries = []Entry{
	{
		Code:     "RX202",
		Name:     "pattern-without-slash",
		Severity: Error,
		Title:    "A pattern does not begin with a slash or a star, so it matches nothing.",
		Why:      "Every path begins with a slash, and a pattern is compared from the start (G46; RFC 9309 2.2.2).",
		Bad:      "User-agent: *\nDisallow: private/\n",
		Good:     "User-agent: *\nDisallow: /private/\n",
	},
	{
		Code:     "RX203",
		Name:     "pattern-is-url",
		Severity: Error,
		Title:    "A pattern is a whole URL, so it matches nothing.",
		Why:      "Patterns are compared with the path of a URL (G24, G46; RFC 9309 2.2.2). A file speaks for the host that serves it and for no other.",
		Bad:      "User-agent: *\nDisallow: https://example.com/private/\n",
		Good:     "User-agent: *\nDisallow: /private/\n",
	},
	{
		Code:     "RX204",
		Name:     "pattern-with-blank",
		Severity: Warning,
		Title:    "A pattern holds a blank.",
		Why:      "A rule has one pattern and blanks belong to it (G24). URLs have none: crawlers write them %20, which Google's parser does not take for a blank.",
		Bad:      "User-agent: *\nDisallow: /cgi-bin/ /tmp/\n",
		Good:     "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
	},
	{
		Code:     "RX205",
		Name:     "dollar-inside",
		Severity: Warning,
		Title:    "A '$' that is not the last byte of a pattern is a letter.",
		Why:      "Only as the last byte '$' ends the path (G44; RFC 9309 2.2.3). Elsewhere the URL must hold it.",
		Bad:      "User-agent: *\nDisallow: /*.pdf$*\n",
		Good:     "User-agent: *\nDisallow: /*.pdf$\n",
	},
	{
		Code:     "RX207",
		Name:     "hash-cuts-pattern",
		Severity: Warning,
		Title:    "A '#' without a blank in front cuts a pattern.",
		Why:      "A '#' begins a comment wherever it stands (G11; RFC 9309 2.2), so the rule is wider than it looks. Fragments are never sent, so no pattern needs one.",
		Bad:      "User-agent: *\nDisallow: /#private\n",
		Good:     "User-agent: *\nDisallow: / # private\n",
	},
}

// inspectPatterns looks at the values of Allow and Disallow lines, one by one.
func inspectPatterns(d *document) {
	wildcards := d.audience.dialect.Traits().Wildcards
	for i := range d.lines {
		l := &d.lines[i]
		if !isRule(l) || len(l.value()) == 0 {
			continue
		}
		if l.commented() && l.commentAt() == l.valueAt()+len(l.value()) {
			d.findCutByHash(l)
		}
		if l.value()[0] != '/' && (!wildcards || l.value()[0] != '*') {
			d.findUnmatchable(l)
			continue // what else is wrong with it makes no difference
		}
		if odd := oddBytes(l.value()); odd != 0 {
			d.findOdd(l, odd, wildcards)
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

// findOdd reports what is odd. A blank speaks for the '$' as well: the pattern ends
// elsewhere once it is mended.
func (d *document) findOdd(l *line, odd uint8, wildcards bool) {
	switch {
	case odd&oddBlank != 0:
		d.findBlank(l)
	case odd&oddDollar != 0 && wildcards:
		at := l.valueAt() + bytes.IndexByte(l.value(), '$')
		d.find("RX205", l, at, at+1, "'$' inside %s is a letter that the URL must hold; only at the end it is special", quote(l.value()))
	}
	if odd&oddPercent != 0 {
		d.findPercentCodes(l)
	}
	if odd&oddHigh != 0 {
		d.findNotASCII(l)
	}
}

// findCutByHash reports a comment that stands directly behind a pattern. The fix is
// a guess: who wrote "/a#b" meant the '#', who wrote "/a#note" a comment.
func (d *document) findCutByHash(l *line) {
	at := l.commentAt()
	f := d.find("RX207", l, at, l.commentAt()+len(l.comment()), "'#' ends the pattern: %s is a comment, and the rule is %s", quote(l.comment()), quote(l.value()))
	f.Fix = &Fix{Title: "write the '#' as %23", Edits: []Edit{{at, at + 1, "%23"}}, Meaning: true}
}

// findUnmatchable reports a pattern that no path begins like.
func (d *document) findUnmatchable(l *line) {
	if scheme, rest, ok := bytes.Cut(l.value(), []byte("://")); ok && isScheme(scheme) {
		d.findURL(l, rest)
		return
	}
	if named := swallowed(l.value()); named != "" {
		d.findValue("RX202", l, "%s matches no URL: it looks like a %s line that lost its line break", quote(l.value()), named)
		return
	}
	f := d.findValue("RX202", l, "%s matches no URL, because every path begins with a slash", quote(l.value()))
	slash := "/"
	if c := l.value()[0]; c == '?' || c == '&' || c == '.' {
		slash = "/*" // a query or an extension stands behind some path
	}
	f.Fix = &Fix{Title: "put " + slash + " in front", Edits: []Edit{{l.valueAt(), l.valueAt(), slash}}, Meaning: true}
}

// findURL reports a URL, of which rest is what stands behind the "://".
func (d *document) findURL(l *line, rest []byte) {
	_, path := cutHost(string(rest))
	about := fmt.Sprintf(": patterns are compared with paths such as %s", quote(path))
	ours, theirs := hostOf(d.config.URL), hostOf(string(l.value()))
	other := ours != "" && theirs != "" && ours != theirs
	if other {
		about = fmt.Sprintf(", and a file of %s says nothing about %s", quote(ours), quote(theirs))
	}
	f := d.findValue("RX203", l, "%s matches no URL%s", quote(l.value()), about)
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

// findBlank reports a pattern with blanks. Where each word is a path, several were
// meant; otherwise only the author knows whether the blank is a slip or a %20.
func (d *document) findBlank(l *line) {
	words := bytes.Fields(l.value())
	paths := 0
	for _, word := range words {
		if word[0] == '/' {
			paths++
		}
	}
	if len(words) > 1 && paths == len(words) {
		f := d.findValue("RX204", l, "%s is one pattern with blanks, not %d patterns: each needs a line of its own", quote(l.value()), paths)
		between := d.newline() + plainKeys[l.kind] + ": "
		f.Fix = &Fix{Title: "give each path a line", Edits: l.replaceValue(string(bytes.Join(words, []byte(between)))), Meaning: true}
		return
	}
	d.findValue("RX204", l, "%s holds a blank, which no URL does: crawlers write it %%20", quote(l.value()))
}

// isRule reports whether a line is an Allow or Disallow, in a group or not.
func isRule(l *line) bool {
	return l.kind == robotstxt.KindAllow || l.kind == robotstxt.KindDisallow
}
