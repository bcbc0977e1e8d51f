package auditreport

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Describe says in a line what changed at a host: "open to closed: CCBot, GPTBot
// (GPTBot: /tea)". The path is one with another verdict than before. Everything is
// escaped.
func Describe(moved audit.Moved) string {
	type pair struct{ before, after semdiff.Extent }
	var order []pair
	names, example := map[pair][]string{}, ""
	for _, move := range moved.Moves {
		p := pair{move.Before, move.After}
		if names[p] == nil {
			order = append(order, p)
		}
		names[p] = append(names[p], term.Escape(move.Crawler))
		if example == "" && move.Witness != "" {
			example = " (" + term.Escape(move.Crawler) + ": " + term.Clip(term.Escape(move.Witness), 60) + ")"
		}
	}
	var groups []string
	for _, p := range order {
		groups = append(groups, string(p.before)+" to "+string(p.after)+": "+term.First(names[p], 5))
	}
	return strings.Join(groups, "; ") + example
}

// changes shows what changed since another audit, if there is one.
func (r *reporter) changes() []figure {
	c := r.config.Compared
	if c == nil {
		return nil
	}
	return []figure{r.changesByPurpose(c), r.changesByCrawler(c), r.hosts(c),
		movedHosts("closed", "Hosts that closed", "The hosts that are less open now to the most crawlers.", c.NoWitnesses, c.Closed),
		movedHosts("opened", "Hosts that opened", "The hosts that are more open now to the most crawlers.", c.NoWitnesses, c.Opened),
	}
}

// inBoth is the denominator of changes.
func inBoth(c *audit.Comparison) string {
	return "Of " + term.Count(c.Hosts, "host", "hosts") + " in both audits, those whose rules are known in both. A site without a file is open."
}

var moveKeys = []key{{"name", "less open now"}, {"star", "more open now"}}

func moveBar(full, closed, opened int) []part {
	return bar(full, part{Class: "name", W: float64(closed), Words: "less open now"}, part{Class: "star", W: float64(opened), Words: "more open now"})
}

func (r *reporter) changesByPurpose(c *audit.Comparison) figure {
	f := figure{
		ID: "changed-purposes", Title: "What changed, by purpose", Keys: moveKeys, Label: "purpose", Of: inBoth(c), Heads: []string{"hosts", "less open", "more open"},
		Text: "Compared with the earlier audit. A host counts once for a purpose and a direction, if the change is about any crawler with the purpose. A full bar is the largest sum.",
	}
	most := 0
	for _, p := range c.Purposes {
		most = max(most, p.Closed+p.Opened)
	}
	for _, purpose := range crawlers.Purposes() {
		if p := c.Purposes[string(purpose)]; p != nil {
			f.Rows = append(f.Rows, row{Label: purposeWords(string(purpose)), Bar: moveBar(most, p.Closed, p.Opened),
				Cells: []string{term.Thousands(p.Known), shareOf(p.Closed, p.Known), shareOf(p.Opened, p.Known)}})
		}
	}
	return f
}

func (r *reporter) changesByCrawler(c *audit.Comparison) figure {
	f := figure{
		ID: "changed-crawlers", Title: "What changed, by crawler", Keys: moveKeys, Label: "crawler", Of: inBoth(c),
		Heads: []string{"hosts", "less open", "of these now closed", "more open", "of these were closed", "named now", "no longer named"},
		Text:  "A full bar is the largest sum.",
	}
	if only := slices.Concat(c.OnlyOld, c.OnlyNew); len(only) > 0 {
		f.Text += " " + strconv.Itoa(len(only)) + " of the crawlers are in one of the audits only and cannot be compared."
	}
	most := 0
	for _, change := range c.Crawlers {
		most = max(most, change.Closed()+change.Opened())
	}
	for _, name := range ByChange(c) {
		change := c.Crawlers[name]
		nowClosed := change.Moves[semdiff.ExtentOpen][semdiff.ExtentClosed] + change.Moves[semdiff.ExtentPartly][semdiff.ExtentClosed]
		wasClosed := change.Moves[semdiff.ExtentClosed][semdiff.ExtentOpen] + change.Moves[semdiff.ExtentClosed][semdiff.ExtentPartly]
		f.Rows = append(f.Rows, row{
			Label: term.Escape(name), Under: strings.Join(r.config.Purposes(name), ", "), Bar: moveBar(most, change.Closed(), change.Opened()),
			Cells: []string{
				term.Thousands(change.Known), shareOf(change.Closed(), change.Known), term.Thousands(nowClosed), shareOf(change.Opened(), change.Known), term.Thousands(wasClosed),
				term.Thousands(change.Named), term.Thousands(change.Unnamed),
			},
		})
	}
	return f
}

// ByChange returns the crawlers of a comparison, those with most changes first.
func ByChange(c *audit.Comparison) []string {
	names := slices.Sorted(maps.Keys(c.Crawlers))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(c.Crawlers[b].Closed()+c.Crawlers[b].Opened(), c.Crawlers[a].Closed()+c.Crawlers[a].Opened())
	})
	return names
}

// hosts shows which hosts the audits contain.
func (r *reporter) hosts(c *audit.Comparison) figure {
	all := c.Hosts + c.Appeared + c.Vanished
	f := plainBars(figure{
		ID: "hosts", Title: "Hosts of the two audits", Label: "host", Of: "Of " + term.Count(all, "host", "hosts") + " in any of the audits.",
		Text: "A host can be missing because the audits had other inputs.",
	}, all, []string{"in both audits", "only in this audit", "only in the earlier audit"}, []int{c.Hosts, c.Appeared, c.Vanished})
	f.Heads = []string{"hosts"}
	f.Rows[1].Under, f.Rows[2].Under = examples(c.AppearedHosts), examples(c.VanishedHosts)
	return f
}

func examples(hosts []string) string {
	var names []string
	for _, host := range hosts[:min(len(hosts), 3)] {
		names = append(names, shortened(host))
	}
	if len(names) == 0 {
		return ""
	}
	return "such as " + strings.Join(names, ", ")
}

func movedHosts(id, title, text, noWitnesses string, list []audit.Moved) figure {
	if noWitnesses != "" {
		text += " There are no paths with another verdict as examples: " + noWitnesses + "."
	} else {
		text += " In brackets: a path with another verdict than before."
	}
	f := figure{ID: id, Title: title, Text: text, Label: "host", Heads: []string{"crawlers", "change"}, Words: true}
	for _, moved := range list {
		f.Rows = append(f.Rows, row{Label: shortened(moved.Host), Cells: []string{term.Thousands(len(moved.Moves)), Describe(moved)}})
	}
	return f
}
