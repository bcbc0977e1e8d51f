package generate

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/pattern"
	"github.com/kosterhq/robotstxt/permission"
)

// Statement is an intention for the crawlers of a purpose, for one crawler, or for everybody. If
// several statements apply to a path, the longest path wins. If their paths are equal, a crawler
// wins over its operator, an operator over a purpose, and a purpose over everybody.
type Statement struct {
	Allow     bool
	Everybody bool             // all crawlers, whether a file names them or not
	Purpose   crawlers.Purpose // empty if Crawler is not
	Crawler   string           // the token of a known crawler
	Operator  string           // the operator of the crawler if the statement is about all of its crawlers

	// Path is the value of an Allow or Disallow line, beginning with a slash. Empty means the
	// whole site, but an Allow for it keeps the lines that close only parts of the site.
	Path string
}

// maxStatements and maxPaths bound the time of a run.
const (
	maxStatements = 1000
	maxPaths      = 50
)

// Add adds the statements of texts: purposes, crawlers, operators and everybody ("all" or "*")
// with commas between them, and an optional path, such as "ai-training,GPTBot" or
// "ai-fetch=/members/". An operator stands for its crawlers that are in use. The error is a
// [*term.Error] with a hint.
func (c *Config) Add(allow bool, texts ...string) error {
	for _, text := range texts {
		list, path, hasPath := strings.Cut(text, "=")
		if hasPath {
			if err := checkPath(path); err != nil {
				return err
			}
		}
		for name := range strings.SplitSeq(list, ",") {
			s := Statement{Allow: allow, Path: path, Everybody: name == everybody || name == "*"}
			if s.Everybody {
				c.Statements = append(c.Statements, s)
				continue
			}
			if purpose, err := answer.Purpose(name); err == nil {
				s.Purpose = purpose
				c.Statements = append(c.Statements, s)
				continue
			}
			named, operator, err := namedCrawlers(name)
			if err != nil {
				return err
			}
			for _, crawler := range named {
				s.Crawler, s.Operator = crawler.Token, operator
				c.Statements = append(c.Statements, s)
			}
		}
	}
	return nil
}

// everybody is the name of all crawlers in statements.
const everybody = "all"

// namedCrawlers returns the crawler with a name, or the crawlers of an operator, if a User-agent
// line can name them.
func namedCrawlers(name string) (named []crawlers.Crawler, operator string, err error) {
	meaning, _ := crawlers.Meant(name)
	if _, isToken := crawlers.Find(name); !isToken || meaning.Why == crawlers.Company {
		named = crawlers.Select(crawlers.Selection{Operators: []string{name}})
		if len(named) > 0 && named[0].Operator != crawlers.Unknown {
			return named, named[0].Operator, nil
		}
	}
	c, err := answer.Known(name)
	if err != nil {
		names := textsOf(crawlers.Purposes())
		hint := term.HintOf(err)
		operator, unknown := answer.Operator(name)
		if near := term.Closest(name, names); near != "" {
			hint = "did you mean " + near + "?"
		} else if operator != "" {
			hint = "write " + operator + " for all crawlers of this operator"
		} else if near := term.HintOf(unknown); meaning.Tokens == nil && strings.HasPrefix(near, "did you mean ") {
			hint = near
		} else if meaning.Tokens == nil {
			hint = "the purposes are " + strings.Join(names, ", ") + `; "robots crawlers" lists the crawlers`
		}
		return nil, "", term.Errorf("%q is neither a purpose, nor a known crawler or operator", name).Hint(hint)
	}
	if !nameable(c) {
		return nil, "", term.Errorf("no user-agent line can name %s", c.Token).Hint("omit it")
	}
	return []crawlers.Crawler{c}, "", nil
}

// nameable reports whether a User-agent line can name a crawler. A crawler whose token contains
// spaces can read the groups of a fallback, but cannot have its own.
func nameable(c crawlers.Crawler) bool {
	r, ok := crawlers.ReadingOf(c.Token)
	return ok && r.Dialect.ValidAgent(c.Token)
}

// nameable is the function for the crawler of a reader, which a file can name even if it is not known.
func (r *reader) nameable() bool {
	if r.known.Token != "" {
		return nameable(r.known)
	}
	return r.token == "*" || len(r.readings) > 0 && r.readings[0].Dialect.ValidAgent(r.token)
}

func checkPath(path string) error {
	plain := func(r rune) bool { return r <= ' ' || r == '#' || r == 0x7f }
	switch {
	case !strings.HasPrefix(path, "/"):
		return term.Errorf("%q does not begin with a slash", path).Hint("write a path such as /members/")
	case strings.ContainsFunc(path, plain):
		return term.Errorf("%q cannot be the path of a rule", path).Hint("write %20 for a space, and %23 for #")
	case len(path) > longestPath:
		return term.Errorf("the path %.40q... is longer than %s bytes", path, term.Thousands(longestPath)).Hint("shorten it")
	}
	return nil
}

// longestPath is the longest path that every reading reads completely, less the room that a
// proof needs for padding.
const longestPath = 4096

func (s Statement) validate() error {
	of, known := crawlers.Find(s.Crawler)
	subjects := 0
	isPurpose := slices.Contains(crawlers.Purposes(), s.Purpose)
	for _, isOne := range []bool{s.Everybody, isPurpose, known && of.Token == s.Crawler} {
		if isOne {
			subjects++
		}
	}
	if subjects != 1 {
		return term.Errorf("a statement must be about everybody, a known purpose or a known crawler").Hint("give one of them")
	}
	if s.Path == "" {
		return nil
	}
	return checkPath(s.Path)
}

func (s Statement) contradicts(o Statement) bool {
	same := s.Everybody == o.Everybody && s.Purpose == o.Purpose && s.Crawler == o.Crawler && s.Operator == o.Operator
	return same && s.Allow != o.Allow && (s.Path == o.Path || s.whole() && o.whole())
}

func (c *Config) validate() error {
	switch {
	case len(c.Statements) == 0:
		return term.Errorf("there are no intentions to write").Hint("name what you refuse, for example --no ai-training")
	case len(c.Statements) > maxStatements:
		return term.Errorf("there are more than %d statements", maxStatements).Hint("give fewer")
	}
	var paths []string
	for i, a := range c.Statements {
		paths = appendNew(paths, a.Path)
		if len(paths) > maxPaths {
			return term.Errorf("there are more than %d paths", maxPaths).Hint("give fewer")
		}
		if err := a.validate(); err != nil {
			return err
		}
		if slices.ContainsFunc(c.Statements[:i], a.contradicts) {
			return term.Errorf("%s is both refused and allowed", a.subject()).Hint("omit one of them")
		}
	}
	if len(c.Signals) > 0 && !slices.ContainsFunc(c.Statements, Statement.hasSignal) {
		var about []string
		for _, label := range permission.Labels() {
			about = append(about, string(label.Purpose))
		}
		return term.Errorf("no statement has a purpose with a signal").Hint("signals are about " + strings.Join(about, ", "))
	}
	return nil
}

// subject returns the statement as Add reads it.
func (s Statement) subject() string {
	text := s.name()
	if s.Path != "" {
		text += "=" + s.Path
	}
	return text
}

// name returns the crawler, operator or purpose of the statement, or the name of everybody.
func (s Statement) name() string {
	if s.Everybody {
		return everybody
	}
	if s.Operator != "" {
		return s.Operator
	}
	return string(s.Purpose) + s.Crawler
}

// whole reports whether the statement is about every path.
func (s Statement) whole() bool { return s.pattern().MatchesEvery() || s.Path == "" }

func (s Statement) pattern() pattern.Pattern { return patternOf(s.Path) }

// patternOf returns the pattern of a path as Google reads it. An empty path matches all.
func patternOf(path string) pattern.Pattern {
	if path == "" {
		path = "/"
	}
	return pattern.New(string(pattern.Google.AppendPattern(nil, path, true)), robotstxt.Google.Traits().Wildcards)
}

// deciding returns the statement that applies to a path, among those that wanted selects.
func deciding(statements []Statement, path string, wanted func(Statement) bool) (found Statement, ok bool) {
	at := patternOf(path)
	for _, s := range statements {
		if wanted(s) && s.pattern().Contains(at) && (!ok || s.pattern().Priority() >= found.pattern().Priority()) {
			found, ok = s, true
		}
	}
	return found, ok
}
