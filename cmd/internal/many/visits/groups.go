package visits

import (
	"cmp"
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
	case ByDay:
		return instant(v.begin).Format(time.DateOnly)
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

func (c *crawler) countGroup(name string, j judgement) {
	if name == "" {
		return
	}
	g := c.groups[name]
	if g == nil {
		if len(c.groups) >= maxGroups {
			name = "other"
		}
		g = c.groups[name]
		if g == nil {
			g = &wire.VisitGroup{Name: name}
			c.groups[name] = g
		}
	}
	g.Visits++
	if j.file != nil {
		g.Disallowed++
	}
	if j.result == Disobeyed {
		g.Disobeyed++
	}
}

// sortedGroups returns days in their order, and other groups with most visits first.
func (c *crawler) sortedGroups() []wire.VisitGroup {
	all := []wire.VisitGroup{}
	isByDay := true
	for _, g := range c.groups {
		all = append(all, *g)
		_, err := time.Parse(time.DateOnly, g.Name)
		isByDay = isByDay && err == nil
	}
	slices.SortFunc(all, func(a, b wire.VisitGroup) int {
		if isByDay {
			return strings.Compare(a.Name, b.Name)
		}
		return cmp.Or(cmp.Compare(b.Visits, a.Visits), strings.Compare(a.Name, b.Name))
	})
	return all
}
