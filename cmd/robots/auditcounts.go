package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/access"
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// printSummary prints the counts of an audit.
func printSummary(t *term.Terminal, s *audit.Summary) error {
	out := bufio.NewWriter(t.Out)
	fmt.Fprintf(out, "%s: %s\n", term.Count(s.Files, "file", "files"), strings.Join(parts(s), ", "))
	if s.Read+s.ByStatus > 0 {
		fmt.Fprintln(out)
		if err := printCrawlers(t, out, s); err != nil {
			return term.WriteError(err)
		}
	}
	return term.WriteError(out.Flush())
}

// parts says what the files are.
func parts(s *audit.Summary) (parts []string) {
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, term.Thousands(n)+" "+what)
		}
	}
	for _, kind := range []wire.Body{wire.BodyText, wire.BodyHTML, wire.BodyEmpty, wire.BodyBinary} {
		what := string(kind)
		if kind == wire.BodyHTML {
			what = "web pages"
		}
		add(s.Bodies[kind], what)
	}
	add(s.ByStatus, "decided by their status")
	for _, problem := range audit.MostFirst(s.Problems) {
		add(s.Problems[problem], problem)
	}
	return parts
}

// printCrawlers prints what the files say about each crawler.
func printCrawlers(t *term.Terminal, out *bufio.Writer, s *audit.Summary) error {
	screen, _ := t.Size()
	config := table.Config{Format: table.Text, Screen: screen, Columns: []table.Column{{Name: "crawler", Least: 10}, {Name: "purpose", Least: 6}}}
	for _, name := range []string{"named", "closed by name", "closed by *", "partly", "open", "status", "unknown"} {
		config.Columns = append(config.Columns, table.Column{Name: name, Right: true})
	}
	w := table.New(out, config)
	for _, name := range byPurpose(slices.Collect(maps.Keys(s.Crawlers))) {
		c := s.Crawlers[name]
		sum := func(part access.Access) (n int) {
			for _, parts := range c.Matched {
				n += parts[part]
			}
			return n
		}
		w.Cell(name)
		w.Cell(purposeOf(name))
		w.Number(audit.Sum(c.Matched[wire.MatchedByName]))
		w.Number(c.Matched[wire.MatchedByName][access.Closed])
		w.Number(c.Matched[wire.MatchedByStar][access.Closed])
		w.Number(sum(access.Partly))
		w.Number(sum(access.Open))
		w.Number(audit.Sum(c.Status))
		w.Number(sum(""))
		if err := w.End(); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), out.Flush())
}

// purposeOf returns the purposes of a crawler by its name in an audit, "" if it is not
// known.
func purposeOf(name string) string {
	return strings.Join(purposesOf(name), ", ")
}

func purposesOf(name string) (purposes []string) {
	token, _, _ := strings.Cut(name, ":")
	known, _ := crawlers.Find(token)
	for _, purpose := range known.Purposes {
		purposes = append(purposes, string(purpose))
	}
	return purposes
}

// byPurpose sorts crawlers by purpose and name.
func byPurpose(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		if order := strings.Compare(purposeOf(a), purposeOf(b)); order != 0 {
			return order
		}
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	return names
}
