package compare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/regular"
)

// List is a public list of crawlers.
type List struct {
	Path    string
	entries []entry
	cited   string // a part of the URLs of claims that cite the current list
}

// entry is a name in a list, with the list's information about it.
type entry struct {
	name    string
	texts   []string // other names, such as User-Agent headers
	remark  string
	respect string // whether it obeys robots.txt, a text that begins with Yes or No
}

// ListDifferences are the differences between a list and the known crawlers, a line each.
type ListDifferences struct {
	Names    int      // in the list
	Missing  []string // names that are neither a token nor an alias
	Gone     []string // crawlers that cite the list, which does not contain them any more
	Disagree []string // answers of the list about robots.txt that differ from the data
}

// Equal reports whether there are no differences.
func (d *ListDifferences) Equal() bool { return len(d.Missing)+len(d.Gone)+len(d.Disagree) == 0 }

// formats are the files of the lists in their repositories, and how they are read.
var formats = []struct {
	file, cited string
	read        func(text []byte) ([]entry, error)
}{
	{"robots.json", "/ai-robots-txt/ai.robots.txt/blob/", readRobotsJSON},
	{"crawler-user-agents.json", "/monperrus/crawler-user-agents/blob/", readUserAgents},
	{"regexes/bots.yml", "/matomo-org/device-detector/blob/", readBots},
	{"robots.txt", "", readRobots},
}

const largestList = 64 << 20 // bytes

// ReadList reads a list: robots.json of ai-robots-txt/ai.robots.txt, crawler-user-agents.json of
// monperrus/crawler-user-agents, bots.yml of matomo-org/device-detector, a robots.txt with
// the names in its User-agent lines, or a folder that contains one of these files.
func ReadList(path string) (*List, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		for _, format := range formats {
			file := filepath.Join(path, filepath.FromSlash(format.file))
			if _, err := os.Stat(file); err == nil {
				text, err := regular.Read(file, largestList)
				if err != nil {
					return nil, err
				}
				return newList(file, text)
			}
		}
		return nil, fmt.Errorf("%s contains no list", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestList+1)) // a device may have no end
	if err != nil {
		return nil, err
	}
	if len(text) > largestList {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, largestList)
	}
	return newList(path, text)
}

func newList(path string, text []byte) (*List, error) {
	format := formats[formatOf(text)]
	entries, err := format.read(text)
	if err == nil && len(entries) == 0 {
		err = errors.New("no crawlers")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return &List{Path: path, entries: entries, cited: format.cited}, nil
}

// regexLine matches a line of bots.yml. Like the other regular expressions here, it is a
// function and not a variable: a variable would link package regexp, of 400 KB, into the
// WebAssembly of web pages.
func regexLine() *regexp.Regexp { return regexp.MustCompile(`(?m)^- regex: *(.*)$`) }

func formatOf(text []byte) int {
	switch start := bytes.TrimLeft(text, "\xef\xbb\xbf \t\r\n"); {
	case bytes.HasPrefix(start, []byte("{")):
		return 0
	case bytes.HasPrefix(start, []byte("[")):
		return 1
	case regexLine().Match(text):
		return 2
	}
	return 3
}

func readRobotsJSON(text []byte) (entries []entry, err error) {
	var list map[string]struct{ Operator, Respect, Function string }
	err = json.Unmarshal(text, &list)
	for name, e := range list {
		entries = append(entries, entry{name: name, remark: fmt.Sprintf("operator %q, function %q", e.Operator, e.Function), respect: e.Respect})
	}
	return entries, err
}

func readUserAgents(text []byte) (entries []entry, err error) {
	var list []struct {
		Pattern, Description string
		Instances, Tags      []string
	}
	err = json.Unmarshal(text, &list)
	around := lookAround()
	for _, e := range list {
		names := literals(e.Pattern, around)
		entries = append(entries, entry{name: e.Pattern, texts: append(names, e.Instances...),
			remark: fmt.Sprintf("%q, tags %q", e.Description, e.Tags)})
	}
	return entries, err
}

// readBots reads the regular expressions and names of bots.yml. It ignores other lines.
func readBots(text []byte) (entries []entry, err error) {
	regex, around := regexLine(), lookAround()
	for line := range strings.Lines(string(text)) {
		if found := regex.FindStringSubmatch(strings.TrimRight(line, "\r\n")); found != nil {
			pattern := strings.Trim(found[1], `'"`)
			entries = append(entries, entry{name: pattern, texts: literals(pattern, around)})
		} else if name, ok := strings.CutPrefix(line, "  name: "); ok && len(entries) > 0 {
			last := &entries[len(entries)-1]
			name = strings.Trim(strings.TrimSpace(name), `'"`)
			last.texts, last.remark = append(last.texts, name), fmt.Sprintf("%q", name)
		}
	}
	return entries, nil
}

func readRobots(text []byte) (entries []entry, err error) {
	for line := range robotstxt.Lines(text) {
		if value := string(line.Value); line.Kind == robotstxt.KindUserAgent && value != "*" {
			entries = append(entries, entry{name: value})
		}
	}
	return entries, nil
}

func lookAround() *regexp.Regexp { return regexp.MustCompile(`\(\?<?[=!][^()]*\)`) }

const maxLiterals = 1000

// literals returns the texts that a regular expression matches, each up to a slash or to an
// operator that matches more than a few texts. It returns none for an invalid expression.
func literals(pattern string, around *regexp.Regexp) (texts []string) {
	parsed, err := syntax.Parse(around.ReplaceAllString(pattern, ""), syntax.Perl)
	if err != nil {
		return nil
	}
	open, ended := expand(parsed)
	for _, text := range append(open, ended...) {
		text, _, _ = strings.Cut(text, "/")
		text = strings.TrimSpace(text)
		if text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// expand returns the texts that an expression matches: open ones, which the next expression
// continues, and those that end at an operator.
func expand(re *syntax.Regexp) (open, ended []string) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}, nil
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpBeginLine, syntax.OpWordBoundary:
		return []string{""}, nil
	case syntax.OpCapture:
		return expand(re.Sub[0])
	case syntax.OpQuest:
		open, ended = expand(re.Sub[0])
		return append(open, ""), ended
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune) && len(open) < maxLiterals; i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1] && r < re.Rune[i]+4; r++ {
				open = append(open, string(r))
			}
		}
		return open, nil
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			more, closed := expand(sub)
			open, ended = append(open, more...), append(ended, closed...)
		}
		return open[:min(len(open), maxLiterals)], ended[:min(len(ended), maxLiterals)]
	case syntax.OpConcat:
		open = []string{""}
		for _, sub := range re.Sub {
			more, closed := expand(sub)
			ended = append(ended, products(open, closed)...)
			open = products(open, more)
		}
		return open, ended[:min(len(ended), maxLiterals)]
	}
	return nil, []string{""} // such as .*
}

// products returns each text of one list with each text of another appended, at most
// maxLiterals.
func products(a, b []string) (texts []string) {
	for _, x := range a {
		for _, y := range b {
			if len(texts) < maxLiterals {
				texts = append(texts, x+y)
			}
		}
	}
	return texts
}

func (e *entry) find() (c crawlers.Crawler, ok bool) {
	for _, name := range append([]string{e.name}, e.texts...) {
		c, ok = crawlers.Find(name)
		if ok {
			return c, true
		}
	}
	for _, header := range e.texts {
		token, _ := crawlers.Sender(header)
		c, ok = crawlers.Find(token)
		if ok {
			return c, true
		}
	}
	return c, false
}

// WithList compares the known crawlers with a list.
func WithList(list *List) *ListDifferences {
	d := &ListDifferences{Names: len(list.entries)}
	listed := map[string]bool{}                      // tokens
	respects := regexp.MustCompile(`^\[?(Yes|No)\b`) // the yes or no in a text about robots.txt, which might be a link
	for i := range list.entries {
		e := &list.entries[i]
		c, ok := e.find()
		if !ok {
			d.Missing = append(d.Missing, strings.TrimSuffix(fmt.Sprintf("%q: %s", e.name, e.remark), ": "))
			continue
		}
		listed[c.Token] = true
		answer := respects.FindStringSubmatch(e.respect)
		if answer != nil && c.Obeys != crawlers.Unknown && (answer[1] == "Yes") != (c.Obeys != crawlers.ObeysNone) {
			d.Disagree = append(d.Disagree, fmt.Sprintf("%q: respect is %q, obeys is %q", e.name, e.respect, c.Obeys))
		}
	}
	for c := range crawlers.All() {
		cites := func(claim crawlers.Claim) bool { return strings.Contains(claim.URL, list.cited) }
		if list.cited != "" && !listed[c.Token] && slices.ContainsFunc(crawlers.Claims(c.Token), cites) &&
			!list.names(c) {
			d.Gone = append(d.Gone, fmt.Sprintf("%q", c.Token))
		}
	}
	return d
}

// names reports whether a text of the list contains a name of a crawler: one entry can be
// about several of them.
func (l *List) names(c crawlers.Crawler) bool {
	for _, e := range l.entries {
		for _, text := range append([]string{e.name}, e.texts...) {
			for _, name := range append([]string{c.Token}, c.Aliases...) {
				if strings.Contains(ascii.ToLower(text), ascii.ToLower(name)) {
					return true
				}
			}
		}
	}
	return false
}
