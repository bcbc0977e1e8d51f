package fetch

import (
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// forms are a file as the dialects read it: nil for those in which it is not parsed.
type forms [robotstxt.Koster1996 + 1]*robotstxt.Robots

// known returns a dialect. Unknown values act like Google.
func known(d robotstxt.Dialect) robotstxt.Dialect {
	if int(d) >= len(forms{}) {
		return robotstxt.Google
	}
	return d
}

func (f *forms) in(d robotstxt.Dialect) **robotstxt.Robots { return &f[known(d)] }

func (c *Client) use(d robotstxt.Dialect) { c.dialects.Or(1 << known(d)) }

// reading returns how a crawler with these product tokens, or else with
// Config.Agents, reads files. From now on, files are also parsed in its
// dialect.
func (c *Client) reading(agents []string) (crawlers.Reading, error) {
	if len(agents) == 0 {
		return c.own, nil
	}
	r, err := readingOf(c.config.Dialect, agents)
	if err == nil {
		c.use(r.Dialect)
	}
	return r, err
}

func readingOf(dialect *robotstxt.Dialect, agents []string) (crawlers.Reading, error) {
	r, ok := crawlers.ReadingOf(agents...)
	if !ok && dialect == nil {
		return r, fmt.Errorf("no user-agent line can contain %q, so it is unknown what this crawler may fetch", agents)
	}
	return r.In(dialect), nil
}

// parse parses the file of a state that is not shared yet, in the dialects in use.
func (c *Client) parse(s *state) {
	if !s.hasBody() {
		return
	}
	// A large file takes ten milliseconds. If hundreds arrived at once, all other goroutines
	// would wait for them.
	c.parsing <- struct{}{}
	defer func() { <-c.parsing }()
	for _, d := range c.missing(s) {
		*s.forms.in(d) = d.Parse(s.lastAnswer.body)
	}
}

func (s *state) hasBody() bool {
	return s.hasCopy() && (s.lastAnswer.body != nil || s.lastAnswer.Bytes == 0)
}

func (s *state) lacks(d robotstxt.Dialect) bool { return s.hasCopy() && *s.forms.in(d) == nil }

func (c *Client) missing(s *state) []robotstxt.Dialect {
	used := c.dialects.Load()
	return slices.DeleteFunc(robotstxt.Dialects(),
		func(d robotstxt.Dialect) bool { return used&(1<<d) == 0 || !s.lacks(d) })
}

// isIncomplete reports whether the file is missing in a dialect in use. Its bytes must
// then come from the store or from the site once more: memory does not keep them.
func (c *Client) isIncomplete(s *state) bool { return len(c.missing(s)) > 0 }

// completed returns s with its file in all dialects in use: it parses the file if its bytes
// are in memory, and takes forms from other if that has the same answer. It returns s itself
// if neither adds a form.
func (c *Client) completed(s, other *state) *state {
	same := other != nil && s.hasCopy() && other.hasCopy() && s.lastAnswer.At.Equal(other.lastAnswer.At)
	if !c.isIncomplete(s) || !s.hasBody() && !same {
		return s
	}
	next := s.clone()
	if same {
		for i, form := range other.forms {
			if next.forms[i] == nil {
				next.forms[i] = form
			}
		}
	}
	c.parse(next)
	if next.forms == s.forms {
		return s
	}
	c.keepUnlessNewer(next)
	return next
}
