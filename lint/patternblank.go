package lint

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

var rxPatternWithBlank = check{Entry: &Entry{
	Code: "RX204", Name: "pattern-with-blank", Severity: Error,
	Title: "A path contains a space, an invisible character or another path, so it matches nothing.",
	Why:   "URLs contain no spaces: browsers and crawlers write %20. A rule has one path, and spaces and commas are part of it (G24). It is a warning if only commas separate the paths, because URLs can have commas. If another rule of the group has the path as crawlers read it, nothing is lost, and nothing is reported.",
	Bad:   "User-agent: *\nDisallow: /cgi-bin/ /tmp/\n",
	Good:  "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
}}

const lostLineBreaks = "The line breaks of this file were lost. Write a line for each directive."

var codedBlanks = strings.NewReplacer(" ", "%20", "\t", "%20")

// findNotOnePath reports a value that is not one path, and returns whether it is such a value. It comes
// before all other checks of the value, and the first case that fits decides what the value means.
func findNotOnePath(d *document, l *line) bool {
	value := l.value()
	switch {
	case losesLineBreaks(value):
		d.findValue(rxPatternWithBlank, l, lostLineBreaks)
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
	coded := codedBlanks.Replace(string(value))
	if blank && d.writes(l, coded) {
		return true
	}
	switch paths := d.arePaths(words); {
	case paths && len(words) > 1:
		c := rxPatternWithBlank.at(choose(blank, Error, Warning)) // URLs can have commas
		f := d.findValue(c, l, "A rule takes one path. Write a line for each of these %d; now the rule matches nothing.", len(words))
		f.Fix = d.mend("write a line for each path", d.writeValues(l, words)...)
	case !blank:
		return false
	case paths:
		f := d.findValue(rxPatternWithBlank, l, "Crawlers read the text next to %s as part of the path, so this line matches nothing. Remove it.", quote(words[0]))
		f.Fix = d.writePath(l, "write only "+words[0], words[0])
	case value[0] != '/' && value[0] != '*':
		return false // it needs a slash first
	case hasBlanksInNames(value) && (bytes.Contains(value, []byte("/wiki/")) || d.hasUnderscores(l)):
		closed := d.isClosedAnyway(l, strings.ReplaceAll(string(value), " ", "_"))
		d.findValue(rxPatternWithBlank.rareIf(closed), l, "URLs contain no spaces, so this line matches nothing. Wikis write _ in the URL of a page.")
	case isNameWithBlanks(value):
		last := value[len(value)-1]
		quote := choose(last == '"' || last == '\'', ", and remove the "+string(last)+" at the end", "")
		c := rxPatternWithBlank.rareIf(d.isClosedAnyway(l, coded))
		f := d.findValue(c, l, "URLs contain no spaces, so this line matches nothing. Write %%20%s.", quote)
		f.Fix = d.writePath(l, "write %20", coded)
	case len(words) > 1 && isEverything(strings.Join(words, "")):
		d.findValue(rxPatternWithBlank, l, "Crawlers read the space as part of the path, so this line matches nothing. Without it, it would match the whole site.")
	case containsAny(ascii.View(value), "= ", " =", " .") || bytes.HasPrefix(value, []byte("/ *")):
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
func wordsOf(value []byte) (words []string) {
	for word := range strings.FieldsSeq(string(value)) {
		if isList(word) {
			words = append(words, strings.FieldsFunc(word, func(c rune) bool { return c == ',' || c == ';' })...)
		} else {
			words = append(words, strings.TrimRight(word, ",;"))
		}
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

func isList(word string) bool { return containsAny(word, ",/", ";/") }

// arePaths reports whether words can be lines of their own: each is a path, and none matches everything.
// Two slashes, and a slash and a star, also begin comments.
func (d *document) arePaths(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(path string) bool {
		return path[0] != '/' && path[0] != '*' || isEverything(path) || strings.HasPrefix(path, "//") ||
			strings.HasPrefix(path, "/*") && strings.HasSuffix(path, "*/") || !d.isReadAsMeant(path)
	})
}

// isEverything reports whether a path matches every URL for crawlers that read wildcards, as most
// do. Then no fix writes it, whatever the profile.
func isEverything(path string) bool { return pattern.New(path, true).MatchesEvery() }

// isNameWithBlanks reports whether all spaces are within a name, and the path continues after the last one.
func isNameWithBlanks(value []byte) bool {
	return hasBlanksInNames(value) && bytes.ContainsAny(value[1+bytes.LastIndexAny(value, " \t"):], "/.*$?=")
}

func hasBlanksInNames(value []byte) bool {
	letter := func(r rune, _ int) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' }
	for i, c := range value {
		if isBlank(c) && (!letter(utf8.DecodeLastRune(value[:i])) || !letter(utf8.DecodeRune(value[i+1:]))) {
			return false
		}
	}
	return true
}

// hasUnderscores reports whether another rule of the group has _ in the name of a page in the
// folder of a page with spaces, and no rule has a coded space there.
func (d *document) hasUnderscores(l *line) bool {
	value := l.value()
	folder := value[:1+bytes.LastIndexByte(value, '/')]
	if len(folder) < 2 || bytes.ContainsAny(folder, " \t.") || bytes.IndexByte(value, '.') >= 0 {
		return false
	}
	found := false
	return !d.anyOther(l, func(r robotstxt.Rule) bool {
		name, same := strings.CutPrefix(r.Pattern, ascii.View(folder))
		found = found || same && strings.Contains(name, "_") && !strings.ContainsAny(name, " \t/.")
		return same && strings.Contains(name, "%20")
	}) && found
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
		!isList(path) && !strings.Contains(path, "://") && oddBytes(value)&oddDollar == 0
}

var invisibles = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200e", "", "\u200f", "", "\u2060", "", "\ufeff", "")

// isOddSpace reports whether a character is white space that crawlers do not trim, such as a no-break space.
func isOddSpace(r rune) bool { return r >= utf8.RuneSelf && unicode.IsSpace(r) }

// ideographicSpace is in names of files, where browsers encode it.
const ideographicSpace = '\u3000'

// visible returns a value without such characters, and without odd spaces around it.
func visible(value []byte) string {
	return invisibles.Replace(strings.TrimFunc(string(value), isOddSpace))
}

// spaced returns a value as it looks, and with spaces instead of odd ones.
func spaced(value []byte) (clean, spaced string) {
	if _, twice := fromLatin1(value); twice {
		return string(value), string(value) // they are bytes of other characters
	}
	clean = visible(value)
	if !utf8.ValidString(clean) {
		return clean, clean
	}
	return clean, strings.Map(func(r rune) rune {
		if isOddSpace(r) && r != ideographicSpace {
			return ' '
		}
		return r
	}, clean)
}

func findInvisible(d *document, l *line) bool {
	clean, spaced := spaced(l.value())
	if spaced == string(l.value()) {
		return false
	}
	if spaced != clean { // a space in a name, or between paths
		clean = choose(isNameWithBlanks([]byte(spaced)), strings.ReplaceAll(spaced, " ", "%20"), "")
	}
	advice := choose(clean != "", " Write "+quote(clean).String()+".", "")
	f := d.findValue(rxPatternWithBlank, l, "%s has an invisible character, so it matches no URL.%s", quote(l.value()), advice)
	f.Fix = d.writePath(l, "write "+clean, clean)
	return true
}
