package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
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
	cut      map[string]string // see cutNames; nil if the crawlers were requested
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
		found.cut = cutNames(found.files, q.Old, q.New)
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
	google := r.groupOf(q, twice(robotstxt.Google))
	google.cut = cutNames(google.files, q.Old, q.New)
	for _, crawler := range google.named(q.Exact) {
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

// renameCut names crawlers by their user-agent lines if Google reads only the beginning of the
// name there, such as AI of AI2Bot. If the crawler with the whole name is compared in another dialect
// and its row differs, both keep their names.
func (r *Result) renameCut(reports []*semdiff.Report) {
	if !slices.ContainsFunc(r.groups, func(g *readerGroup) bool { return len(g.cut) > 0 }) {
		return
	}
	rows := make(map[string]string) // keys, by the names of crawlers
	for i, report := range reports {
		for k := range report.Rows {
			key := keyOf(&report.Rows[k])
			for _, crawler := range report.Rows[k].Crawlers {
				rows[r.groups[i].names[crawler.String()]] = key
			}
		}
	}
	renamed := make(map[string]string)
	for _, group := range r.groups {
		for cut, whole := range group.cut {
			if key, isCompared := rows[whole]; !isCompared || key == rows[cut] {
				renamed[cut] = whole
			}
		}
	}
	if len(renamed) == 0 {
		return
	}
	for _, group := range r.groups {
		for i := range group.crawlers {
			c := &group.crawlers[i]
			if whole := renamed[c.Name]; whole != "" {
				c.Name = whole
				group.names[searched(*c).String()] = whole
			}
		}
	}
	all := r.Agents
	r.Agents = []string{}
	seen := make(map[string]bool)
	for _, agent := range all {
		agent = cmp.Or(renamed[agent], agent)
		if !seen[agent] {
			seen[agent] = true
			r.Agents = append(r.Agents, agent)
		}
	}
}

// cutNames returns the names that a dialect cuts in the middle of a word in the agent lines of
// texts, by the notation of their beginnings. If a line consists of the beginning alone, it is a
// name itself.
func cutNames(files [2]*robotstxt.Robots, texts ...[]byte) map[string]string {
	cut, isName := map[string]string{}, map[string]bool{}
	for side, text := range texts {
		tokens := make(map[int]string)
		for group := range files[side].Groups() {
			for agent := range group.Agents() {
				tokens[agent.Line] = agent.Token
			}
		}
		for line := range robotstxt.Lines(text) {
			token, isAgent := tokens[line.Number]
			if !isAgent || !strings.HasPrefix(string(line.Value), token) {
				continue
			}
			name := answer.NewCrawler(token).Name
			rest := string(line.Value[len(token):])
			switch {
			case rest == "" || !ascii.IsLetter(rest[0]) && !ascii.IsDigit(rest[0]) && rest[0] < 0x80:
				isName[name] = true
			case cut[name] == "":
				more, _, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(rest, "\t", " "), "/", " "), " ")
				cut[name] = answer.NewCrawler(token + more).Name
			}
		}
	}
	maps.DeleteFunc(cut, func(name, _ string) bool { return isName[name] })
	return cut
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
