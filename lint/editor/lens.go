package editor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/effecttext"
	"github.com/kosterhq/robotstxt/internal/sentence"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Lens is a sentence about a group.
type Lens struct {
	Range Range // of its first line
	Title string
}

// lensSteps is the budget of the proofs for all lenses of a document, about 50 ms.
const lensSteps = 200_000

// lensLines bounds the lines of groups that are read for the proofs. Crawlers that share a long group and have
// one of their own too read the long one again.
const lensLines = 500_000

// maxTogether is the number of other groups that the sentence about a group names.
const maxTogether = 8

// audience is crawlers that obey the same groups.
type audience struct {
	groups []int // indexes
	rules  robotstxt.Rules
	names  []string // of known crawlers, and other tokens that the groups name
	others bool     // it includes crawlers that are not known
}

// Reach returns what the groups close, and for how many crawlers, such as "closes /a and /b for
// 12 crawlers". It names a rule even if another rule closes its paths too. Crawlers that obey
// several groups are in the sentence of each of these groups. Known crawlers that do not obey
// robots.txt are omitted. Reach proves the closed paths, for readers in the profile's dialect; a
// sentence without a proof begins with "perhaps". If ctx ends, Reach returns ctx's error.
func (d *Document) Reach(ctx context.Context) (lenses []Lens, err error) {
	audiences := d.audiences()
	read := 0 // lines
	for _, a := range audiences {
		for _, g := range a.groups {
			read += 1 + d.groups[g].last - d.groups[g].first
		}
		access := &semdiff.Access{Extent: semdiff.ExtentUndecided}
		if read <= lensLines {
			access, err = semdiff.AccessOf(ctx, a.rules, semdiff.Config{Steps: max(1, lensSteps/len(audiences))})
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		title := closes(access) + " for " + a.text()
		for _, g := range a.groups {
			lenses = append(lenses, Lens{d.content(d.groups[g].first), title + d.together(a.groups, g)})
		}
	}
	sortLenses(lenses)
	return lenses, nil
}

// together returns the lines of the groups that are obeyed with a group: a few, because there can be
// thousands.
func (d *Document) together(groups []int, own int) (text string) {
	named := 0
	for _, g := range groups {
		switch {
		case g == own:
		case named == maxTogether:
			return text + fmt.Sprintf(" and %d more", len(groups)-1-named)
		default:
			text += fmt.Sprintf(", together with line %d", d.groups[g].first)
			named++
		}
	}
	return text
}

func (d *Document) audiences() []*audience {
	var all []*audience
	known := make(map[string]*audience)
	add := func(rules robotstxt.Rules) *audience {
		groups := d.groupsOf(rules)
		key := fmt.Sprint(groups)
		if known[key] == nil && len(groups) > 0 {
			known[key] = &audience{groups: groups, rules: rules}
			all = append(all, known[key])
		}
		return known[key]
	}
	if a := add(d.robots.Rules()); a != nil {
		a.others = true
	}
	for c := range crawlers.All() {
		reading, ok := crawlers.ReadingOf(c.Token)
		if !ok || c.Obeys == crawlers.ObeysNone {
			continue
		}
		dialect := d.robots.Dialect()
		if a := add(reading.In(&dialect).Rules(d.robots)); a != nil {
			a.names = append(a.names, c.Token)
		}
	}
	named := make(map[string]bool)
	for i := range d.groups {
		for _, token := range d.groups[i].tokens() {
			if _, ok := crawlers.Find(token); ok || token == "*" || named[ascii.ToLower(token)] {
				continue
			}
			named[ascii.ToLower(token)] = true
			if a := add(d.robots.Rules(token)); a != nil {
				a.names = append(a.names, token)
			}
		}
	}
	return all
}

func (d *Document) groupsOf(rules robotstxt.Rules) (indexes []int) {
	for g := range rules.Groups() {
		i, _ := slices.BinarySearchFunc(d.groups, firstLine(g), func(g group, line int) int { return g.first - line })
		indexes = append(indexes, i)
	}
	return indexes
}

func (a *audience) text() string {
	switch n := len(a.names); {
	case a.others && n > 0:
		return counted(n, "known crawler") + " and any other that follows the group for *"
	case n == 1:
		return a.names[0]
	case n > 1:
		return counted(n, "crawler")
	}
	return "any crawler that follows the group for *"
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// shown says effects with the names of paths.
var shown = effecttext.English(name)

func closes(access *semdiff.Access) string {
	switch {
	case access.Extent == semdiff.ExtentOpen:
		return "closes nothing"
	case access.Extent == semdiff.ExtentClosed:
		return "closes the whole site"
	case access.Extent != semdiff.ExtentPartly || len(access.Except) == 0:
		return "perhaps closes paths"
	case access.Allowed:
		return "closes " + shown.Exceptions(access.Except)
	default:
		return "closes all but " + shown.Exceptions(access.Except)
	}
}

// Since returns the changes since another version of the body: for each group, the paths that it
// opens and closes, such as "opens /cart". Changes for crawlers to which no group of the body
// applies are at its first line. If ctx ends, Since returns ctx's error.
func (d *Document) Since(ctx context.Context, before []byte) (lenses []Lens, err error) {
	old := d.robots.Dialect().Parse(before)
	report, err := semdiff.Compare(ctx, old, d.robots, semdiff.Config{Steps: lensSteps})
	if err != nil {
		return nil, err
	}
	for _, row := range report.Rows {
		if row.Effect == semdiff.Equal {
			continue
		}
		byLine := make(map[int][]string) // the crawlers of the row, by the first group that they obey
		for _, crawler := range row.Crawlers {
			line := 1
			if groups := d.groupsOf(crawler.Rules(d.robots)); len(groups) > 0 {
				line = d.groups[groups[0]].first
			}
			byLine[line] = append(byLine[line], crawler.String())
		}
		for line, names := range byLine {
			title := changes(&row)
			if g := d.groupOf(line); g == nil || !sameNames(names, g.tokens()) {
				title += " for " + shortList(names)
			}
			lenses = append(lenses, Lens{d.content(line), title})
		}
	}
	sortLenses(lenses)
	return lenses, nil
}

// sameNames reports whether two lists have the same names, whose case does not matter.
func sameNames(a, b []string) bool {
	sorted := func(names []string) []string {
		return slices.SortedFunc(slices.Values(names), ascii.CompareFold[string, string])
	}
	return slices.EqualFunc(sorted(a), sorted(b), ascii.EqualFold[string, string])
}

// shortList names up to three names, and of more than three the first two.
func shortList(names []string) string { return sentence.FirstOf(names, name, true) }

func changes(row *semdiff.Row) string {
	var clauses []string
	for _, opens := range []bool{row.Site == nil || row.Site.Opens, row.Site != nil && !row.Site.Opens} {
		if opens && row.Opens != "" || !opens && row.Closes != "" {
			what, by := shown.Effect(row, opens, "")
			clauses = append(clauses, what+by)
		}
	}
	if row.Effect == semdiff.Undecided {
		clauses = append(clauses, "perhaps opens or closes paths")
	}
	return strings.Join(clauses, "; ")
}

func sortLenses(lenses []Lens) {
	slices.SortStableFunc(lenses, func(a, b Lens) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), strings.Compare(a.Title, b.Title))
	})
}
