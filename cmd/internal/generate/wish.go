package generate

import (
	"slices"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// cell is a path with the verdict that a crawler shall have there. Of several cells that
// match a URL the longest counts.
type cell struct {
	path  string // "/" for the whole site
	allow bool
}

// wish is what the statements mean for one crawler.
type wish struct {
	cells []cell
	open  bool // the site must not be closed as a whole

	// kept are the purposes that are refused, although others of the crawler are not, so
	// that it keeps what it may fetch; others are these.
	kept, others []crawlers.Purpose
	keptPaths    []string // for which that is so

	// also are purposes that the group of a control token refuses too.
	also []crawlers.Purpose
}

// wishOf returns what the configuration means for a crawler.
//
// A crawler is closed only where every purpose is refused, because to close it for one purpose
// closes it for all. A control token blocks no crawler: it is closed where its main purpose
// is refused, unless another one is allowed.
func (c *Config) wishOf(of crawlers.Crawler) (w wish) {
	about := func(s Statement) bool {
		return s.Crawler == of.Token || slices.Contains(of.Purposes, s.Purpose) &&
			(len(c.Operators) == 0 || slices.ContainsFunc(c.Operators, func(name string) bool { return ascii.EqualFold(name, of.Operator) }))
	}
	var paths []string
	for _, s := range c.Statements {
		if path := s.Path; about(s) {
			if s.whole() {
				path = "/"
			}
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	for _, path := range paths {
		c.addCell(&w, of, path, about)
	}
	return w
}

// atPath returns the purposes of a crawler that are refused at a path, the others, and the
// statement that allows it, that with a path if there is one.
func (c *Config) atPath(of crawlers.Crawler, path string, about func(Statement) bool) (refused, others []crawlers.Purpose, allowed *Statement) {
	for _, purpose := range of.Purposes {
		s, ok := deciding(c.Statements, path, func(s Statement) bool { return s.Purpose == purpose && about(s) })
		if ok && !s.Allow {
			refused = append(refused, purpose)
			continue
		}
		others = append(others, purpose)
		if ok && (allowed == nil || allowed.Path == "") {
			allowed = &s
		}
	}
	return refused, others, allowed
}

// addCell adds what the statements mean at a path.
func (c *Config) addCell(w *wish, of crawlers.Crawler, path string, about func(Statement) bool) {
	if s, ok := deciding(c.Statements, path, func(s Statement) bool { return s.Crawler == of.Token }); ok {
		w.add(path, s)
		return
	}
	refused, others, allowed := c.atPath(of, path, about)
	switch control := of.Control && allowed == nil && slices.Contains(refused, of.Purposes[0]); {
	case len(refused) > 0 && (len(others) == 0 || c.PreferNo || control):
		w.add(path, Statement{})
		if of.Control {
			w.also = appendNew(w.also, others...)
		}
		return
	case len(refused) > 0:
		w.kept, w.others, w.keptPaths = appendNew(w.kept, refused...), appendNew(w.others, others...), append(w.keptPaths, path)
	}
	if allowed != nil {
		w.add(path, *allowed)
	}
}

func (w *wish) add(path string, s Statement) {
	if s.Allow && s.Path == "" {
		w.open = w.open || path == "/"
		return
	}
	w.cells = append(w.cells, cell{path, s.Allow})
}

// closes reports whether the crawler may fetch nothing.
func (w *wish) closes() bool {
	for _, c := range w.cells {
		if c.allow {
			return false
		}
	}
	return slices.Contains(w.cells, cell{path: "/"})
}

func appendNew[T comparable](list []T, items ...T) []T {
	for _, item := range items {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}
