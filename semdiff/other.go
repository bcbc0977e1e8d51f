package semdiff

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// others collects the differences beside the verdicts.
type others struct {
	list []Difference
	at   map[string]int
}

// sitemaps compares the sitemaps of two files.
func (o *others) sitemaps(files [2]*robotstxt.Robots) {
	var values [2][]string
	for side, robots := range files {
		for sitemap := range robots.Sitemaps() {
			values[side] = append(values[side], sitemap.URL)
		}
	}
	o.compare("Sitemap", nil, values)
}

// add compares the extension lines that a class of crawlers gets.
func (o *others) add(class *class) {
	var kinds []string
	values := make(map[string][2][]string)
	for side, rules := range class.rules {
		for extension := range rules.Extensions() {
			lists, known := values[extension.Name]
			if !known {
				kinds = append(kinds, extension.Name)
			}
			lists[side] = append(lists[side], extension.Value)
			values[extension.Name] = lists
		}
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		o.compare(kind, class.crawlers, values[kind])
	}
}

// compare adds what only one side has. The order of values and how often each
// occurs do not matter.
func (o *others) compare(kind string, crawlers []Crawler, values [2][]string) {
	d := Difference{Kind: kind, Crawlers: crawlers, Old: without(values[0], values[1]), New: without(values[1], values[0])}
	if len(d.Old)+len(d.New) == 0 {
		return
	}
	key := kind + "\x00" + strings.Join(d.Old, "\n") + "\x00" + strings.Join(d.New, "\n")
	if at, known := o.at[key]; known {
		o.list[at].Crawlers = append(o.list[at].Crawlers, crawlers...)
		return
	}
	if o.at == nil {
		o.at = make(map[string]int)
	}
	o.at[key] = len(o.list)
	d.Crawlers = slices.Clone(crawlers)
	o.list = append(o.list, d)
}

// without returns the values that are not among others, each once.
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
