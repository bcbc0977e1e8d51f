package generate

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Statement is what is intended for the crawlers of a purpose, or for one crawler. Of
// several statements about a path, the one with the longest path counts, and one about a
// crawler before those about its purposes.
type Statement struct {
	Allow   bool
	Purpose crawlers.Purpose // empty if Crawler is not
	Crawler string           // the token of a known crawler

	// Path is the value of an Allow or Disallow line, beginning with a slash. Empty means the
	// whole site, with a difference for Allow: crawlers keep the lines that close parts of
	// the site to them, unless all of it is closed.
	Path string
}

// mostStatements and mostPaths bound the time of a run.
const (
	mostStatements = 1000
	mostPaths      = 50
)

// Add adds the statements of texts: purposes and crawlers with commas between them, and an
// optional path, such as "ai-training,GPTBot" or "ai-fetch=/members/". The error is a
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
			s := Statement{Allow: allow, Path: path}
			purposes := crawlers.Purposes()
			if i := slices.IndexFunc(purposes, func(p crawlers.Purpose) bool { return ascii.EqualFold(string(p), name) }); i >= 0 {
				s.Purpose = purposes[i]
			} else if token, err := namedCrawler(name); err != nil {
				return err
			} else {
				s.Crawler = token
			}
			c.Statements = append(c.Statements, s)
		}
	}
	return nil
}

// namedCrawler returns the token of a crawler that a User-agent line can name.
func namedCrawler(name string) (string, error) {
	c, err := answer.KnownCrawler(name)
	if err != nil {
		names := textsOf(crawlers.Purposes())
		hint := "the purposes are " + strings.Join(names, ", ") + `; "robots crawlers" lists the crawlers`
		if near := term.Closest(name, names); near != "" {
			hint = "did you mean " + near + "?"
		} else if near, ok := crawlers.Nearest(name); ok {
			hint = "did you mean " + near.Token + "?"
		}
		return "", term.Errorf(hint, "%q is neither a purpose nor a known crawler", name)
	}
	if !nameable(c) {
		return "", term.Errorf("leave it out", "no line can name %s", c.Token)
	}
	return c.Token, nil
}

// nameable reports whether a User-agent line can name a crawler. One whose token has blanks
// may read the groups of a fallback, but has none.
func nameable(c crawlers.Crawler) bool {
	r, ok := crawlers.ReadingOf(c.Token)
	return ok && r.Dialect.ValidAgent(c.Token)
}

// checkPath returns an error for a text that a rule cannot have as its path.
func checkPath(path string) error {
	plain := func(r rune) bool { return r <= ' ' || r == '#' || r == 0x7f }
	switch {
	case !strings.HasPrefix(path, "/"):
		return term.Errorf("write a path such as /members/", "%q does not begin with a slash", path)
	case strings.ContainsFunc(path, plain):
		return term.Errorf("write %20 for a blank, and %23 for #", "%q cannot be the path of a rule", path)
	case len(path) > longestPath:
		return term.Errorf("shorten it", "the path %.40q... is longer than %s bytes", path, term.Thousands(longestPath))
	}
	return nil
}

// longestPath is what a line can contain in any reading, without the part of longer lines
// that crawlers do not read, and less than the padding of a proof needs.
const longestPath = 4096

func (s Statement) validate() error {
	of, known := crawlers.Find(s.Crawler)
	if isPurpose := slices.Contains(crawlers.Purposes(), s.Purpose); isPurpose == (known && of.Token == s.Crawler) {
		return term.Errorf("give one of them", "a statement is about a known purpose or a known crawler")
	}
	if s.Path == "" {
		return nil
	}
	return checkPath(s.Path)
}

// contradicts reports whether one statement refuses what the other allows.
func (s Statement) contradicts(o Statement) bool {
	return s.Allow != o.Allow && s.Purpose == o.Purpose && s.Crawler == o.Crawler && (s.Path == o.Path || s.whole() && o.whole())
}

// validate returns an error for statements that contradict each other, and for none.
func (c *Config) validate() error {
	switch {
	case len(c.Statements) == 0:
		return term.Errorf("say what is refused, for example --no ai-training", "there is no intention to write")
	case len(c.Statements) > mostStatements:
		return term.Errorf("give fewer", "there are more than %d statements", mostStatements)
	}
	var paths []string
	for i, a := range c.Statements {
		if paths = appendNew(paths, a.Path); len(paths) > mostPaths {
			return term.Errorf("give fewer", "there are more than %d paths", mostPaths)
		}
		if err := a.validate(); err != nil {
			return err
		}
		if slices.ContainsFunc(c.Statements[:i], a.contradicts) {
			return term.Errorf("leave one of them out", "%s is both refused and allowed", a.subject())
		}
	}
	if len(c.Signals) > 0 && !slices.ContainsFunc(c.Statements, func(s Statement) bool { return hasSignal(s.Purpose) }) {
		return term.Errorf("signals are about "+strings.Join(signalPurposes(), ", "), "no statement has a purpose with a signal")
	}
	return nil
}

// subject returns the statement as Add reads it.
func (s Statement) subject() string {
	text := string(s.Purpose) + s.Crawler
	if s.Path != "" {
		text += "=" + s.Path
	}
	return text
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

// deciding returns the statement that counts for a path among those that wanted selects.
func deciding(statements []Statement, path string, wanted func(Statement) bool) (found Statement, ok bool) {
	at := patternOf(path)
	for _, s := range statements {
		if wanted(s) && s.pattern().Contains(at) && (!ok || s.pattern().Priority() >= found.pattern().Priority()) {
			found, ok = s, true
		}
	}
	return found, ok
}
