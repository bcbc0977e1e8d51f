package generate

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// file is a robots.txt, parsed in the dialects in which it is read.
type file struct {
	body   []byte
	lines  []robotstxt.Line // without the empty one after a final line end
	parsed map[robotstxt.Dialect]*robotstxt.Robots
	agents map[robotstxt.Dialect]map[string][]int // the User-agent lines, by token in lower case

	applied map[robotstxt.Rules]*applied
	parts   map[robotstxt.Group]*part
}

func newFile(body []byte) *file {
	f := &file{body: body, parsed: make(map[robotstxt.Dialect]*robotstxt.Robots),
		agents:  make(map[robotstxt.Dialect]map[string][]int),
		applied: make(map[robotstxt.Rules]*applied), parts: make(map[robotstxt.Group]*part)}
	for line := range robotstxt.Lines(body) {
		if len(line.Raw) > 0 {
			f.lines = append(f.lines, line)
		}
	}
	return f
}

func (f *file) in(d robotstxt.Dialect) *robotstxt.Robots {
	if f.parsed[d] == nil {
		f.parsed[d] = d.Parse(f.body)
	}
	return f.parsed[d]
}

func (f *file) rules(r crawlers.Reading) robotstxt.Rules { return r.Rules(f.in(r.Dialect)) }

func (f *file) newline() string {
	crlf := bytes.Count(f.body, []byte("\r\n"))
	lf := bytes.Count(f.body, []byte("\n")) - crlf
	cr := bytes.Count(f.body, []byte("\r")) - crlf
	switch {
	case crlf > lf && crlf >= cr:
		return "\r\n"
	case cr > lf:
		return "\r"
	}
	return "\n"
}

// rule is a line that applies to a crawler, in a form that another group can repeat.
type rule struct {
	text    string
	pattern pattern.Pattern
	isRule  bool // an Allow or Disallow
	rate    bool // a Crawl-delay, Request-rate or Visit-time
}

// repeatable returns the lines that apply in a reading: rules, and lines that belong to the
// groups, such as Crawl-delay and Content-Signal. Host and Clean-param lines apply to the
// file, whatever precedes them.
func (f *file) repeatable(r crawlers.Reading) (list []rule) {
	rules := f.rules(r)
	traits := r.Dialect.Traits()
	applied := make(map[int]rule)
	for group := range rules.Groups() {
		for of := range group.Rules() {
			p := pattern.New(of.Pattern, traits.Wildcards)
			p.Slashes = traits.QuerySlash
			applied[of.Line] = rule{text: keyOf(of.Allow) + ": " + string(f.lines[of.Line-1].Value), pattern: p,
				isRule: true}
		}
	}
	for e := range rules.Extensions() {
		if !ofFile(e.Name) {
			applied[e.Line] = rule{text: e.Name + ": " + e.Value, rate: e.Listed()}
		}
	}
	for _, line := range slices.Sorted(maps.Keys(applied)) {
		list = append(list, applied[line])
	}
	return list
}

func keyOf(allow bool) string {
	if allow {
		return "Allow"
	}
	return "Disallow"
}

// ofFile reports whether lines with a name apply to the file and not to a group.
func ofFile(name string) bool { return name == "Host" || name == "Clean-param" }

func (f *file) wholeFile() string {
	var b strings.Builder
	for s := range f.in(robotstxt.Google).Sitemaps() {
		b.WriteString("Sitemap: " + s.URL + "\n")
	}
	for e := range f.in(robotstxt.Google).Extensions() {
		if ofFile(e.Name) {
			b.WriteString(e.Name + ": " + e.Value + "\n")
		}
	}
	return b.String()
}

func (f *file) tokens(d robotstxt.Dialect) map[int]string {
	tokens := make(map[int]string)
	for group := range f.in(d).Groups() {
		for agent := range group.Agents() {
			tokens[agent.Line] = agent.Token
		}
	}
	return tokens
}

// agentLines returns the User-agent lines with a token of a reading, in any order.
func (f *file) agentLines(d robotstxt.Dialect, token string) (lines []int) {
	if f.agents[d] == nil {
		f.agents[d] = make(map[string][]int)
		for line, named := range f.tokens(d) {
			named = ascii.ToLower(named)
			f.agents[d][named] = append(f.agents[d][named], line)
		}
	}
	return f.agents[d][ascii.ToLower(token)]
}
