package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxPatternWiderThanItLooks = check{Entry: &Entry{
	Code: "RX211", Name: "pattern-wider-than-it-looks", Severity: Info,
	Title: "A short path blocks everything that begins with it.",
	Why:   "A rule matches every path that begins with its text (RFC 9309 2.2.2, G42): /s matches /shop and /support too, /*/ all pages in folders, and /*n= also utm_campaign=. Reported for very short paths, for one that begins the file's own sitemap, and for such parameters; not for lists of short paths, or with exceptions.",
	Bad:   "User-agent: *\nDisallow: /s\n",
	Good:  "User-agent: *\nDisallow: /s/\n",
}}

// inspectWidth looks for patterns that block more than they seem to. Most Disallow lines
// without a slash at the end are meant, so only clear cases are reported.
func inspectWidth(d *document) {
	folders := false
	wildcards := d.audience.dialect.Traits().Wildcards
	reported := map[string]bool{}
	var inQuery []*line // see textInQuery
	group := int32(-1)
	list := false // whether the group has a list of short paths
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind != robotstxt.KindDisallow || l.group < 0 {
			continue
		}
		value := ascii.View(l.value())
		if name, longer := d.parameterIn(l); longer != "" && wildcards {
			c := rxPatternWiderThanItLooks.rareIf(d.isClosedAnyway(l, value))
			d.findValue(c, l, "%s matches every parameter that ends in %s, such as %s=. Write ? and & in front of the name, on two lines.", quote(value), quote(name), longer)
			continue
		}
		if text := textInQuery(value); text != "" && wildcards {
			inQuery = append(inQuery, l)
			continue
		}
		if letter := letterBetweenStars(value); letter != "" && wildcards {
			d.findValue(rxPatternWiderThanItLooks, l, "%s matches every query that begins with %s there, as ?colour= does with c. Write the whole name of the parameter, with =.", quote(value), quote(letter))
			continue
		}
		if !folders && wildcards && d.closesFolders(l) {
			folders = true
			d.findValue(rxPatternWiderThanItLooks, l, "%s blocks every page that is in a folder; only pages such as /about stay open.", quote(l.value()))
			continue
		}
		short := isShort(l.value())
		if !d.isWide(l) {
			continue
		}
		if short && l.group != group {
			group, list = l.group, d.hasShortPaths(l.group)
		}
		switch hit := firstWith(d.sitemapPaths(), value); {
		case reported[value]: // the same rule of another group
		case hit != "":
			d.findValue(rxPatternWiderThanItLooks, l, "%s blocks everything that begins with it, including this file's sitemap %s.", quote(l.value()), quote(hit))
		case list && len(value) <= len("/ab"), slices.Contains(namedFolders, value),
			len(value) > len("/a") && d.goesOnBelow(i), d.hasExceptions(l):
		default:
			reported[value] = true
			d.findValue(rxPatternWiderThanItLooks, l, "%s blocks everything that begins with it, not only the folder %s.", quote(l.value()), quote(value+"/"))
		}
	}
	d.reportLines(rxPatternWiderThanItLooks, inQuery, "line", func(l *line) string {
		return fmt.Sprintf("%s matches every query with %s in it, in any name and any value. Write the whole name of the parameter, with ? or & before and = after it.", quote(l.value()), quote(textInQuery(ascii.View(l.value()))))
	})
}

// isWide reports whether a path without an end is of one letter, or the beginning of others in a group for all or for
// a search engine, or of the file's sitemap.
func (d *document) isWide(l *line) bool {
	value := ascii.View(l.value())
	switch {
	case !openEnded(l.value()):
		return false
	case isShort(l.value()) && (len(value) == len("/a") || d.beginnings()[value] && d.isForSearch(&d.groups[l.group])):
		return true
	}
	return firstWith(d.sitemapPaths(), value) != ""
}

// commonParameters are in the URLs of many sites: the number of a page, the ones of campaigns and advertisements, and
// those of lists.
var commonParameters = []string{"page", "category", "month", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "fbclid", "msclkid"}

// parameterAfterStar returns the name of the parameter that a path such as /*id= is about, and its value, which is a
// digit if there is one. The name is empty if it is another path.
func parameterAfterStar(path string) (name, value string) {
	before, value, found := strings.Cut(path, "=")
	name = before[strings.LastIndexByte(before, '*')+1:]
	before = before[:len(before)-len(name)]
	value = strings.Trim(value, "*")
	if !found || before == "" || len(value) > 1 || !allDigits([]byte(value)) || strings.Trim(before, "/*?") != "" ||
		!consistsOf([]byte(name), isWord) {
		return "", ""
	}
	return name, value
}

// parameterIn returns the name of a parameter that a path has after a star, as in /*id=, and a
// common parameter that ends in it and that no other Disallow of the group is about. They are empty
// if there is none. A long name is meant to match the parameters of campaigns, as in /*clid=.
func (d *document) parameterIn(l *line) (name, longer string) {
	name, value := parameterAfterStar(ascii.View(l.value()))
	if name == "" || len(name) >= longParameter {
		return "", ""
	}
	for _, parameter := range commonParameters {
		rest, ends := strings.CutSuffix(parameter, name)
		about := func(r robotstxt.Rule) bool {
			return !r.Allow && (strings.Contains(r.Pattern, parameter+"=") ||
				strings.HasPrefix(parameter, "utm_") && strings.Contains(r.Pattern, "utm_"))
		}
		if ends && rest != "" && !strings.HasSuffix(rest, "_") && !d.anyOther(l, about) {
			return name + "=" + value, parameter
		}
	}
	return "", ""
}

// letterBetweenStars returns the one letter or digit that a path such as /*?c* has for a parameter between its stars,
// "" if it is another path.
func letterBetweenStars(path string) string {
	text, starred := strings.CutSuffix(path, "*")
	_, text, star := strings.Cut(text, "*")
	if !starred || !star || len(text) != len("?c") || text[0] != '?' && text[0] != '&' || !isWord(text[1]) {
		return ""
	}
	return text[1:]
}

// textInQuery returns the few letters that a path such as /*?*ua has for a parameter, "" if it is another path.
func textInQuery(path string) string {
	const most = 3
	text, found := strings.CutPrefix(path, "/*?*")
	text = strings.TrimSuffix(text, "*")
	if !found || text == "" || len(text) > most || text == "utm" || !consistsOf([]byte(text), isWord) {
		return ""
	}
	return text
}

var rxParameterFirst = check{Entry: &Entry{
	Code: "RX224", Name: "parameter-only-first", Severity: Info,
	Title: "Parameters are closed only in some places of the query.",
	Why:   "A path such as /*?sort= does not match /shop?page=2&sort=price, because the parameter comes after a & there (RFC 9309 2.2.2). A second line, such as /*&sort=, closes these URLs too. A $ at the end closes only URLs that end there. Reported if no other line of the group closes the rest.",
	Bad:   "User-agent: *\nDisallow: /*?sort=\nDisallow: /*?order=\nDisallow: /*?filter=\n",
	Good:  "User-agent: *\nDisallow: /*?sort=\nDisallow: /*?order=\nDisallow: /*?filter=\nDisallow: /*&sort=\nDisallow: /*&order=\nDisallow: /*&filter=\n",
}}

// inspectParameters looks for lines that close a parameter only in some places of a query, with one finding for each
// kind of place. Each line takes time in proportion to the rules of its group.
func inspectParameters(d *document) {
	if !d.audience.dialect.Traits().Wildcards {
		return
	}
	said := [...]string{
		"only as the first one of a query. Write it once more with & instead of ?.", "only after another one. Write it once more with ? instead of &.",
		"only if the query has no other one, because $ means its end. Write it without $, and once more with & instead of ?.",
	}
	var lines [len(said)][]*line
	steps := maxSteps
	for i := range d.groups {
		g := &d.groups[i]
		rules, count := d.robots.Rules(g.agents[0].Token), 0
		for _, r := range g.rules {
			at, _, _ := parameterOf(r.Pattern)
			if at < 0 || r.Allow || steps < 0 {
				continue
			}
			if count == 0 {
				count = countOf(rulesOf(rules))
			}
			steps -= count
			if steps < 0 {
				break
			}
			if where := closedPlace(rules, r.Pattern, at); where >= 0 {
				lines[where] = append(lines[where], d.line(r.Line))
			}
		}
	}
	for where, text := range said {
		if len(lines[where]) < minParameters {
			lines[where] = slices.DeleteFunc(lines[where], isMostlyFirst)
		}
		d.reportLines(rxParameterFirst, lines[where], "line", func(l *line) string {
			return quote(l.value()).String() + " closes a parameter " + text
		})
	}
}

// isMostlyFirst reports whether a parameter has a value or one letter. Those of links such as /?tab=new, and of
// WordPress, mostly have no other in front.
func isMostlyFirst(l *line) bool {
	_, name, value := parameterOf(string(l.value()))
	return value != "" || len(name) == 1
}

// parameterOf returns where the query of a path such as /*?sort= begins, or goes on, as in /*&sort=, and the parameter
// there. at is -1 if it is another path.
func parameterOf(path string) (at int, name, value string) {
	at = max(strings.Index(path, "*?"), strings.Index(path, "*&"))
	if at < 0 || strings.ContainsAny(path[:at], "?&") || isRegularExpression(path) {
		return -1, "", ""
	}
	name, value, _ = strings.Cut(strings.TrimRight(path[at+len("*?"):], "*$"), "=")
	if name == "" || !consistsOf([]byte(name), inName) || strings.ContainsAny(value, "*?&=") {
		return -1, "", ""
	}
	return at, name, value
}

// closedPlace returns where in a query some rules close the parameter that begins at an offset in the pattern of one of
// them: only in the first place, only in a later one, or only alone. It is -1 if that is nowhere or in any place.
func closedPlace(rules robotstxt.Rules, pattern string, at int) int {
	page, query := exemplar(pattern[:at]+"*$")+"?", strings.TrimPrefix(exemplar("/"+pattern[at+len("*?"):]), "/")
	first, after := blocks(rules, page+query), blocks(rules, page+"a0=0&"+query)
	switch asFirst := pattern[at+1] == '?'; {
	case asFirst && first && !after:
		return choose(blocks(rules, page+query+"&a0=0"), 0, 2)
	case !asFirst && after && !first:
		return 1
	}
	return -1
}

func (d *document) isForMain(g *group) bool {
	return g.forAll || slices.ContainsFunc(g.agents, d.isMain)
}

// isForSearch reports whether a group is for all, or for a main crawler of the profile or one that follows its groups
// if it has none itself, such as Googlebot-News.
func (d *document) isForSearch(g *group) bool {
	if g.search == nil { // a group can have as many agents as short paths
		is := d.isForMain(g) || slices.ContainsFunc(g.agents, func(a robotstxt.Agent) bool {
			c, _ := findCrawler(a.Token)
			return slices.Contains(c.Purposes, search) && slices.ContainsFunc(c.Fallbacks, d.audience.isMain)
		})
		g.search = &is
	}
	return *g.search
}

// isShort reports whether the last name of a path has one or two letters.
func isShort(path []byte) bool { return len(path)-bytes.LastIndexByte(path, '/') <= len("/ab") }

// namedFolders are short names of folders that sites have. Paths that only begin with such a name are rare.
var namedFolders = []string{"/js", "/fb"}

// beginnings returns the paths of one or two letters in some folder with which the file's paths begin, and in which the
// name goes on.
func (d *document) beginnings() map[string]bool {
	const most = 100 // bytes of a path
	if d.begun != nil {
		return d.begun
	}
	d.begun = map[string]bool{}
	for i := range d.lines {
		l := &d.lines[i]
		if !isRule(l) {
			continue
		}
		value := l.value()[:min(len(l.value()), most)]
		for at, c := range value {
			for end := at + len("/a"); c == '/' && end < min(at+len("/abc"), len(value)); end++ {
				if isWord(value[end]) || value[end] == '.' {
					d.begun[ascii.View(value[:end])] = true
				}
			}
		}
	}
	return d.begun
}

func goesOn(path, beginning string) bool {
	rest, longer := strings.CutPrefix(path, beginning)
	return longer && rest != "" && isWord(rest[0])
}

// goesOnBelow reports whether the next line closes a longer path in which the name goes on, and
// which has no end either. Then the author lists beginnings of paths.
func (d *document) goesOnBelow(i int) bool {
	if i+1 == len(d.lines) || d.lines[i+1].kind != robotstxt.KindDisallow {
		return false
	}
	next := d.lines[i+1].value()
	return goesOn(ascii.View(next), ascii.View(d.lines[i].value())) && openEnded(next)
}

// hasExceptions reports whether Allow lines of the group make a list of longer paths in which the last name goes on.
func (d *document) hasExceptions(l *line) bool {
	n := 0
	return d.anyOther(l, func(r robotstxt.Rule) bool {
		if r.Allow && goesOn(r.Pattern, ascii.View(l.value())) {
			n++
		}
		return n >= minExceptions
	})
}

func (d *document) hasShortPaths(group int32) bool {
	n := 0
	for _, r := range d.groups[group].rules {
		if value := d.line(r.Line).value(); !r.Allow && len(value) <= len("/ab") && openEnded(value) {
			n++
		}
	}
	return n >= minShortPaths
}

// closesFolders reports whether a path such as /*/ closes every page in a folder, without exceptions.
func (d *document) closesFolders(l *line) bool {
	value := string(l.value())
	if value != "/*/" && value != "/*/*" {
		return false
	}
	g := &d.groups[l.group]
	if g.exceptions == nil { // to look for them takes time
		text := openedText(d.robots.Rules(g.agents[0].Token))
		g.exceptions = &text
	}
	return *g.exceptions == ""
}

// openEnded reports whether a value is a path that ends in letters or digits and
// has nothing in it that shows where it was meant to end.
func openEnded(value []byte) bool {
	if len(value) < 2 || value[0] != '/' || !isWord(value[len(value)-1]) {
		return false
	}
	file := value[bytes.LastIndexByte(value, '/'):]
	return bytes.IndexByte(file, '.') < 0 && !bytes.ContainsAny(value, "*?")
}

// sitemapPaths returns the paths of the file's sitemaps, sorted. If the file's host is known,
// it omits sitemaps on other hosts, because the file's patterns do not apply there.
func (d *document) sitemapPaths() []string {
	if d.paths != nil {
		return d.paths
	}
	paths := []string{}
	ours := hostOf(d.config.URL)
	for s := range d.robots.Sitemaps() {
		if ours != "" && hostOf(s.URL) != ours {
			continue
		}
		if _, rest, ok := strings.Cut(s.URL, "://"); ok {
			paths = append(paths, pathAfterHost(rest))
		}
	}
	slices.Sort(paths)
	d.paths = paths
	return paths
}

// firstWith returns the first of the sorted paths that begins with a word and
// goes on within it, "" if there is none or one is named as such.
func firstWith(paths []string, beginning string) string {
	i, found := slices.BinarySearch(paths, beginning)
	if found || i == len(paths) || !strings.HasPrefix(paths[i], beginning) {
		return ""
	}
	if c := paths[i][len(beginning)]; !isWord(c) && c != '.' {
		return ""
	}
	return paths[i]
}
