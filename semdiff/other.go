package semdiff

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/uselines"
)

type others struct {
	files  [2]*robotstxt.Robots
	list   []Difference
	at     map[string]int
	groups map[robotstxt.Group]extensions
	lists  int // how many lists of agents were made

	licenses map[string]int  // places in list, or isSame, by the License lines of the groups on both sides
	outside  [2]licenseLines // outside all groups
}

type licenseLines struct {
	values []string
	known  map[string]bool
}

// maxRepeated is the number of License lines outside all groups that are listed again with the lines of
// each group that replace them. More are a difference of their own, which these groups share.
const maxRepeated = 100

// newOthers compares the sitemaps, and the signals outside all groups, which apply to no crawler.
func newOthers(files [2]*robotstxt.Robots) *others {
	o := &others{files: files, at: make(map[string]int), groups: make(map[robotstxt.Group]extensions)}
	o.licenses = make(map[string]int)
	for side, file := range files {
		o.outside[side].known = make(map[string]bool)
		for x := range uselines.Outside(file, uselines.License) {
			o.outside[side].values = append(o.outside[side].values, x.Value)
			o.outside[side].known[x.Value] = true
		}
	}
	o.sitemaps()
	for _, key := range [...]string{uselines.ContentSignal, uselines.ContentUsage} {
		var values [2][]string
		for side, file := range files {
			for x := range uselines.Outside(file, key) {
				values[side] = append(values[side], x.Value)
			}
		}
		o.compare(key, nil, values)
	}
	return o
}

var outsideKeys = [2]string{"outside the old groups", "outside the new groups"}

const isSame = -1 // instead of a place in the list

// license compares the License lines that apply to a class. Thousands outside all groups can apply to
// thousands of classes. Beside the files only the lines of the groups, own, decide which apply, so equal
// ones are compared once.
func (o *others) license(class *class, own [2][]string) {
	for side := range own {
		outside := &o.outside[side]
		isOutside := func(url string) bool { return outside.known[url] }
		if len(own[side]) > 0 || len(own[1-side]) == 0 || len(outside.values) <= maxRepeated ||
			slices.ContainsFunc(own[1-side], isOutside) {
			continue
		}
		var replaced, added [2][]string
		added[1-side] = own[1-side]
		o.compare(uselines.License, class.crawlers, added)
		if at, known := o.licenses[outsideKeys[side]]; known {
			o.list[at].Crawlers = append(o.list[at].Crawlers, class.crawlers...)
			return
		}
		replaced[side] = outside.values
		o.licenses[outsideKeys[side]] = o.compare(uselines.License, class.crawlers, replaced)
		return
	}
	key := fmt.Sprintf("%q", own)
	at, known := o.licenses[key]
	switch {
	case !known:
		var all [2][]string
		for side, rules := range class.rules {
			for x := range uselines.Of(o.files[side], rules, uselines.License) {
				all[side] = append(all[side], x.Value)
			}
		}
		o.licenses[key] = o.compare(uselines.License, class.crawlers, all)
	case at != isSame:
		o.list[at].Crawlers = append(o.list[at].Crawlers, class.crawlers...)
	}
}

// extensions are the extension lines of a group: those for all its agents, and those for lists of agents, by
// the agents' tokens in lower case.
type extensions struct {
	ofAll    []robotstxt.Extension
	ofTokens map[string][]*agentList
}

type agentList struct {
	number     int
	line       int // of its first agent
	extensions []robotstxt.Extension
}

// of returns the extension lines of a group. It reads the agents of each list once, because
// a group can have thousands of agents and of delays.
func (o *others) of(group robotstxt.Group) extensions {
	if known, ok := o.groups[group]; ok {
		return known
	}
	var e extensions
	var list *agentList
	for extension := range group.Extensions() {
		if !extension.Listed() {
			e.ofAll = append(e.ofAll, extension)
			continue
		}
		if first := firstLine(extension.Agents()); list == nil || first != list.line {
			o.lists++
			list = &agentList{number: o.lists, line: first}
			e.add(list, extension.Agents())
		}
		list.extensions = append(list.extensions, extension)
	}
	o.groups[group] = e
	return e
}

func firstLine(agents iter.Seq[robotstxt.Agent]) int {
	for agent := range agents {
		return agent.Line
	}
	return 0
}

func (e *extensions) add(list *agentList, agents iter.Seq[robotstxt.Agent]) {
	if e.ofTokens == nil {
		e.ofTokens = make(map[string][]*agentList)
	}
	for agent := range agents {
		key := ascii.ToLower(agent.Token)
		if lists := e.ofTokens[key]; len(lists) == 0 || lists[len(lists)-1] != list {
			e.ofTokens[key] = append(lists, list)
		}
	}
}

func (o *others) sitemaps() {
	var values [2][]string
	for side, robots := range o.files {
		for sitemap := range robots.Sitemaps() {
			values[side] = append(values[side], sitemap.URL)
		}
	}
	o.compare("Sitemap", nil, values)
}

// add compares the extension lines for a class of crawlers: first those for all agents of
// its groups, then those for lists of agents, which can differ between the crawlers.
func (o *others) add(class *class) {
	ofAll := values{uselines.License: {}} // those outside all groups can apply
	listed := false
	for side, rules := range class.rules {
		for group := range rules.Groups() {
			e := o.of(group)
			ofAll.add(side, e.ofAll)
			listed = listed || e.ofTokens != nil
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(ofAll)) {
		if kind == uselines.License {
			o.license(class, ofAll[kind])
		} else {
			o.compare(kind, class.crawlers, ofAll[kind])
		}
	}
	if !listed {
		return
	}
	for _, part := range o.parts(class.crawlers) {
		for _, kind := range slices.Sorted(maps.Keys(part.values)) {
			o.compare(kind, part.crawlers, part.values[kind])
		}
	}
}

type values map[string][2][]string

func (v values) add(side int, extensions []robotstxt.Extension) {
	for _, e := range extensions {
		both := v[e.Name]
		both[side] = append(both[side], e.Value)
		v[e.Name] = both
	}
}

type part struct {
	crawlers []Crawler
	values   values // of these lists
}

func (o *others) parts(crawlers []Crawler) (parts []*part) {
	known := make(map[string]*part)
	var key []byte
	for _, crawler := range crawlers {
		var lists [2][]*agentList
		key = key[:0]
		for side, robots := range o.files {
			rules := crawler.Rules(robots)
			for group := range rules.Groups() {
				lists[side] = append(lists[side], o.of(group).ofTokens[ascii.ToLower(rules.Agent())]...)
			}
			for _, list := range lists[side] {
				key = binary.AppendUvarint(key, uint64(list.number))
			}
			key = append(key, 0) // the number of no list
		}
		p := known[string(key)]
		if p == nil {
			p = &part{values: make(values)}
			for side := range lists {
				for _, list := range lists[side] {
					p.values.add(side, list.extensions)
				}
			}
			known[string(key)] = p
			parts = append(parts, p)
		}
		p.crawlers = append(p.crawlers, crawler)
	}
	return parts
}

// compare adds what only one side has, and returns its place in the list, or isSame. The order of values
// and how often each occurs do not matter.
func (o *others) compare(kind string, crawlers []Crawler, values [2][]string) (place int) {
	d := Difference{Kind: kind, Crawlers: crawlers, Old: without(values[0], values[1]),
		New: without(values[1], values[0])}
	if len(d.Old)+len(d.New) == 0 {
		return isSame
	}
	key := fmt.Sprintf("%q %t %q %q", kind, crawlers == nil, d.Old, d.New)
	if at, known := o.at[key]; known {
		o.list[at].Crawlers = append(o.list[at].Crawlers, crawlers...)
		return at
	}
	o.at[key] = len(o.list)
	d.Crawlers = slices.Clone(crawlers)
	o.list = append(o.list, d)
	return len(o.list) - 1
}

func without(values, others []string) (left []string) {
	seen := make(map[string]bool, len(others))
	for _, value := range others {
		seen[value] = true
	}
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			left = append(left, value)
		}
	}
	return left
}
