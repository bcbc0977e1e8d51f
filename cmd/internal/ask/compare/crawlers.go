package compare

import (
	"maps"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/agentname"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Any is the name of any crawler that follows the group for "*". It has no tokens.
const Any = "*"

// AnyText is Any in a text. Crawlers that follow another crawler's group or only groups that name them,
// such as Googlebot-Image and AdsBot-Google, are not among them.
const AnyText = "any crawler that follows the group for *"

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
	names    map[string][]string // of the crawlers, by their tokens: several if the dialect cuts them
}

// reader is a crawler of a group.
type reader struct {
	group   *readerGroup
	crawler answer.Crawler
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
		for _, crawler := range r.groupOf(q, *q.Dialects).named(q, nil) {
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
	google := r.groupOf(q, twice(robotstxt.Google))
	rfc9309 := readerGroup{files: parsed(q, twice(robotstxt.RFC9309))}
	var others []answer.Crawler
	whole := make(map[string]bool)
	for _, crawler := range rfc9309.named(q, nil) {
		if !crawler.Unread && crawler.Dialect != robotstxt.Google {
			others = append(others, crawler)
			whole[ascii.ToLower(crawler.Name)] = true
		}
	}
	for _, crawler := range google.named(q, whole) {
		r.compare(q, twice(crawler.Dialect), crawler)
	}
	for _, crawler := range others {
		r.compare(q, twice(crawler.Dialect), crawler)
	}
}

// compare adds a crawler to a group of readers, unless it is among them.
func (r *Result) compare(q *Question, dialects [2]robotstxt.Dialect, crawler answer.Crawler) {
	group := r.groupOf(q, dialects)
	tokens, name := searched(crawler).String(), ascii.ToLower(crawler.Name)
	isThis := func(known reader) bool { return known.group == group && searched(known.crawler).String() == tokens }
	if slices.ContainsFunc(r.readers[name], isThis) {
		return
	}
	r.readers[name] = append(r.readers[name], reader{group, crawler})
	group.names[tokens] = append(group.names[tokens], crawler.Name)
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
	made := &readerGroup{dialects: dialects, files: parsed(q, dialects), names: make(map[string][]string)}
	r.groups = append(r.groups, made)
	return made
}

// cutNames returns the names that a dialect cuts in the middle of a word in the agent lines of
// texts, by their beginnings in lower case. If a line consists of the beginning alone, it is a name itself.
func cutNames(files [2]*robotstxt.Robots, texts ...[]byte) map[string][]string {
	cut, isName := map[string][]string{}, map[string]bool{}
	for side, text := range texts {
		names := agentname.InLines(files[side], text)
		for _, line := range slices.Sorted(maps.Keys(names)) {
			name := names[line]
			key := ascii.ToLower(name.Token)
			if name.IsCut() {
				cut[key] = append(cut[key], answer.NewCrawler(name.Text).Name)
			} else {
				isName[key] = true
			}
		}
	}
	maps.DeleteFunc(cut, func(key string, _ []string) bool { return isName[key] })
	return cut
}

func parsed(q *Question, dialects [2]robotstxt.Dialect) [2]*robotstxt.Robots {
	return [2]*robotstxt.Robots{dialects[0].Parse(q.Old), dialects[1].Parse(q.New)}
}

func twice(d robotstxt.Dialect) [2]robotstxt.Dialect { return [2]robotstxt.Dialect{d, d} }

// named returns "*", which no file names, and each crawler that a file names. If the dialect reads only
// the beginning of a name, such as AI of AI2Bot, the crawler has the whole name; there is one for each
// whole name but those among others, in lower case, which read them themselves. The beginning stays if it is
// the name of a known crawler, or if only one of the files is read so. No crawler has an empty name.
func (r *readerGroup) named(q *Question, others map[string]bool) (found []answer.Crawler) {
	var cut map[string][]string
	if r.dialects[0] == r.dialects[1] {
		cut = cutNames(r.files, q.Old, q.New)
	}
	for _, c := range semdiff.Crawlers(r.files[:]...) {
		crawler := answer.NewCrawler(c.Tokens...)
		if q.Exact {
			crawler = crawler.Exact()
		}
		if len(c.Tokens) > 0 && crawler.Known().Token == "" {
			whole := cut[ascii.ToLower(c.Tokens[0])]
			for _, name := range whole {
				if !others[ascii.ToLower(name)] {
					crawler.Name = name
					found = append(found, crawler)
				}
			}
			if len(whole) > 0 || c.Tokens[0] == "" {
				continue
			}
		}
		found = append(found, crawler)
	}
	return found
}
