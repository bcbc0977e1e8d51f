package compare

import (
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Any is the name of the crawler that no group names. It has no tokens.
const Any = "*"

// searched converts a crawler for package semdiff, where "*" is a crawler without
// tokens.
func searched(c answer.Crawler) semdiff.Crawler {
	if len(c.Tokens) == 1 && c.Tokens[0] == Any {
		return semdiff.Crawler{NamedOnly: c.NamedOnly}
	}
	return semdiff.Crawler{Tokens: c.Tokens, NamedOnly: c.NamedOnly}
}

// readerGroup is some crawlers that read the files in the same dialects, with the files as they
// read them.
type readerGroup struct {
	dialects [2]robotstxt.Dialect
	files    [2]*robotstxt.Robots
	crawlers []answer.Crawler
	names    map[string]string // of the crawlers, by their tokens
}

// share returns a group's part of a budget: half of the budget is divided equally among the groups,
// half by their numbers of crawlers.
func (r *Result) share(steps int, of *readerGroup) int {
	if len(r.groups) == 1 {
		return steps
	}
	part := 0.5/float64(len(r.groups)) + 0.5*float64(len(of.crawlers))/float64(len(r.Agents))
	return max(1, int(float64(steps)*part))
}

func (r *Result) read(q *Question) {
	switch {
	case q.Crawlers != nil && q.Dialects != nil:
		r.groupOf(q, *q.Dialects)
		for _, crawler := range q.Crawlers {
			r.compare(q, *q.Dialects, crawler)
		}
	case q.Crawlers != nil:
		r.readOwn(q)
	case q.Dialects != nil:
		found := r.groupOf(q, *q.Dialects)
		for _, crawler := range found.named(q.Exact) {
			r.compare(q, *q.Dialects, crawler)
		}
	default:
		r.readAll(q)
	}
	r.Dialects = []robotstxt.Dialect{robotstxt.Google, robotstxt.Google}
	for i, group := range r.groups {
		if i == 0 {
			r.Dialects = group.dialects[:]
			continue
		}
		own := wire.ComparedReading{Dialect: group.dialects[0]}
		for _, crawler := range group.crawlers {
			own.Agents = append(own.Agents, crawler.Name)
		}
		r.Readings = append(r.Readings, own)
	}
}

// readOwn prepares the comparison of the crawlers that were requested, each in its own
// dialect.
func (r *Result) readOwn(q *Question) {
	for _, crawler := range q.Crawlers {
		if !crawler.Unread {
			r.compare(q, twice(crawler.Dialect), crawler)
		} else if !slices.Contains(r.UnreadAgents, crawler.Name) {
			r.UnreadAgents = append(r.UnreadAgents, crawler.Name)
			if !crawler.Selected {
				r.unread = append(r.unread, crawler.Name)
			}
		}
	}
}

// readAll prepares the comparison of all crawlers, each in its own dialect. Those that
// Google reads in the files come first.
func (r *Result) readAll(q *Question) {
	for _, crawler := range r.groupOf(q, twice(robotstxt.Google)).named(q.Exact) {
		r.compare(q, twice(crawler.Dialect), crawler)
	}
	rfc9309 := readerGroup{files: parsed(q, twice(robotstxt.RFC9309))}
	for _, crawler := range rfc9309.named(q.Exact) {
		if !crawler.Unread && crawler.Dialect != robotstxt.Google {
			r.compare(q, twice(crawler.Dialect), crawler)
		}
	}
}

// compare adds a crawler to a group of readers, unless it is among them.
func (r *Result) compare(q *Question, dialects [2]robotstxt.Dialect, crawler answer.Crawler) {
	group := r.groupOf(q, dialects)
	key := searched(crawler).String()
	if group.names[key] != "" {
		return
	}
	group.names[key] = crawler.Name
	group.crawlers = append(group.crawlers, crawler)
	r.Agents = append(r.Agents, crawler.Name)
}

// groupOf returns the group of readers with these dialects. If it is new, the files are parsed.
func (r *Result) groupOf(q *Question, dialects [2]robotstxt.Dialect) *readerGroup {
	for _, known := range r.groups {
		if known.dialects == dialects {
			return known
		}
	}
	made := &readerGroup{dialects: dialects, files: parsed(q, dialects), names: make(map[string]string)}
	r.groups = append(r.groups, made)
	return made
}

func parsed(q *Question, dialects [2]robotstxt.Dialect) [2]*robotstxt.Robots {
	return [2]*robotstxt.Robots{dialects[0].Parse(q.Old), dialects[1].Parse(q.New)}
}

func twice(d robotstxt.Dialect) [2]robotstxt.Dialect { return [2]robotstxt.Dialect{d, d} }

// named returns "*", which no file names, and each crawler that a file names.
func (r *readerGroup) named(exact bool) (found []answer.Crawler) {
	for _, c := range semdiff.Crawlers(r.files[:]...) {
		crawler := answer.NewCrawler(c.Tokens...)
		if exact {
			crawler = crawler.Exact()
		}
		found = append(found, crawler)
	}
	return found
}
