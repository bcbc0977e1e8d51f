package generate

import (
	"slices"

	"github.com/kosterhq/robotstxt/crawlers"
)

// cell is a path with the verdict that a crawler should have there. If several cells match a
// URL, the longest wins.
type cell struct {
	path  string // "/" for the whole site
	allow bool
}

// wish is the meaning of the statements for one crawler.
type wish struct {
	cells []cell
	open  bool // the site must not be closed as a whole
	own   bool // an overruled statement refuses it, so a separate group states that it is open
	kept  bool // a purpose is refused, but the crawler is not closed for it
}

// wishOf returns the wish of the configuration for a crawler.
func (c *Config) wishOf(of crawlers.Crawler) (w wish) {
	var paths []string
	for _, s := range c.Statements {
		if path := s.Path; s.isAbout(of) {
			if s.whole() {
				path = "/"
			}
			paths = appendNew(paths, path)
		}
	}
	for _, path := range paths {
		c.addCell(&w, of, path)
	}
	return w
}

// isAbout reports whether a statement is about a crawler, or one of its purposes.
func (s Statement) isAbout(of crawlers.Crawler) bool {
	if s.Everybody || of.Token == "" {
		return s.Everybody
	}
	return s.Crawler == of.Token || slices.Contains(of.Purposes, s.Purpose)
}

// named returns the statement that names a crawler or its operator and decides at a path.
func (c *Config) named(of crawlers.Crawler, path string) (Statement, bool) {
	for _, ofOperator := range []bool{false, true} {
		if s, ok := deciding(c.Statements, path,
			func(s Statement) bool { return s.Crawler == of.Token && ofOperator == (s.Operator != "") }); ok {
			return s, true
		}
	}
	return Statement{}, false
}

// forEverybody returns the statement about everybody that decides at a path.
func (c *Config) forEverybody(path string) (Statement, bool) {
	return deciding(c.Statements, path, func(s Statement) bool { return s.Everybody })
}

// decidingFor returns the statement that decides about a purpose of a crawler at a path.
func (c *Config) decidingFor(of crawlers.Crawler, purpose crawlers.Purpose, path string) (Statement, bool) {
	if s, ok := c.named(of, path); ok {
		return s, true
	}
	found, ok := c.forEverybody(path)
	own, isOwn := deciding(c.Statements, path, func(s Statement) bool { return s.Purpose == purpose && !s.Everybody })
	if isOwn && (!ok || own.pattern().Priority() >= found.pattern().Priority()) {
		return own, true
	}
	return found, ok
}

// refusesWeakly reports whether a statement refuses a crawler at a path that a stronger one overrules.
func (c *Config) refusesWeakly(of crawlers.Crawler, path string) bool {
	_, refuses := deciding(c.Statements, path, func(s Statement) bool { return s.isAbout(of) && !s.Allow })
	return refuses
}

// addCell adds the meaning of the statements at a path. A Disallow closes a crawler for all its
// purposes, so one refused purpose closes it, unless its main purpose is search and search is not
// refused, or a purpose of it is allowed. A control token blocks no crawler: each refused purpose
// closes it, and it is opened only where all are allowed.
func (c *Config) addCell(w *wish, of crawlers.Crawler, path string) {
	if of.Token == "" { // a crawler of which nothing is known
		if s, ok := c.forEverybody(path); ok {
			w.add(path, s)
		}
		return
	}
	if s, ok := c.named(of, path); ok {
		w.add(path, s)
		w.own = w.own || s.Allow && path == "/" && c.refusesWeakly(of, path)
		return
	}
	var refused, permitted []crawlers.Purpose
	var allowed Statement // the statement with a path, if there is one
	for _, purpose := range of.Purposes {
		switch s, ok := c.decidingFor(of, purpose, path); {
		case ok && !s.Allow:
			refused = append(refused, purpose)
		case ok && (len(permitted) == 0 || allowed.Path == ""):
			allowed = s
			fallthrough
		case ok:
			permitted = append(permitted, purpose)
		}
	}
	isSearch := of.Purposes[0] == "search" && !slices.Contains(refused, "search")
	switch {
	case of.Control && len(refused) > 0:
		w.add(path, Statement{})
		return
	case of.Control && len(permitted) < len(of.Purposes):
		return
	case len(refused) > 0 && len(permitted) == 0 && !isSearch:
		w.add(path, Statement{})
		return
	case len(refused) > 0:
		w.kept = true
		w.own = w.own || !isSearch && path == "/"
	}
	if len(permitted) > 0 {
		w.add(path, allowed)
	}
}

func (w *wish) add(path string, s Statement) {
	if s.Allow && s.Path == "" {
		w.open = w.open || path == "/"
		return
	}
	w.cells = append(w.cells, cell{path, s.Allow})
}

// closes reports whether the whole site is closed to the crawler.
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
