package visits

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// By is a property of visits by which they are grouped.
type By string

// The properties. NoGroups means that there are no groups.
const (
	NoGroups  By = ""
	ByDay     By = "day"
	BySection By = "section" // the first segment of the path
	ByStatus  By = "status"
	BySite    By = "site"
)

// maxGroups bounds the groups of a crawler: clients choose the paths.
const maxGroups = 10_000

// groupOf returns the group of a visit.
func (r *run) groupOf(v *visit) string {
	switch r.By {
	case BySection:
		path, _, _ := strings.Cut(v.target, "?")
		segment, _, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if more {
			segment += "/"
		}
		return clipped("/"+segment, maxExample)
	case ByStatus:
		return strconv.Itoa(v.status)
	case BySite:
		return r.origins[v.origin].shown
	}
	return ""
}

func (c *crawler) countGroup(v *visit, name string, j judgement) {
	addTo(c.days, dayOf(v.begin), j)
	if name == "" {
		return
	}
	if c.groups[name] == nil && len(c.groups) >= maxGroups {
		name = "other"
	}
	addTo(c.groups, name, j)
}

// addTo adds a visit to a group, whose name is set when groups are sorted.
func addTo[Key comparable](groups map[Key]*wire.VisitGroup, key Key, j judgement) {
	g := groups[key]
	if g == nil {
		g = &wire.VisitGroup{}
		groups[key] = g
	}
	g.Visits++
	if j.file != nil {
		g.Disallowed++
	}
	if j.result == Disobeyed {
		g.Disobeyed++
	}
}

// sortedDays returns the days of a crawler in their order.
func (c *crawler) sortedDays() []wire.VisitGroup {
	all := []wire.VisitGroup{}
	for _, day := range slices.Sorted(maps.Keys(c.days)) {
		g := *c.days[day]
		g.Name = instant(day).Format(time.DateOnly)
		all = append(all, g)
	}
	return all
}

// sortedGroups returns the groups of a crawler, those with most visits first, or its days.
func (c *crawler) sortedGroups(by By) []wire.VisitGroup {
	if by == ByDay {
		return c.sortedDays()
	}
	all := []wire.VisitGroup{}
	for name, g := range c.groups {
		named := *g
		named.Name = name
		all = append(all, named)
	}
	slices.SortFunc(all, func(a, b wire.VisitGroup) int {
		return cmp.Or(cmp.Compare(b.Visits, a.Visits), strings.Compare(a.Name, b.Name))
	})
	return all
}
