package prose

import (
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// NoFileRemark returns why no line of a file decides about the site of a row, "" if one does.
func NoFileRemark(row *wire.GridRow) string {
	if row.FetchReason == "" {
		return ""
	}
	return row.RobotsURL + ": " + row.FetchReason
}

// RowRemark returns the facts that a row of a grid cannot show in its cells: why no line of a file decides
// about a site, that another robots.txt governs the URL, that a rule seems to be for another crawler, and
// that a robots.txt is fetched anyway. Otherwise it returns "".
func RowRemark(row *wire.GridRow) string {
	var facts []string
	has := func(verdict wire.Verdict) bool {
		return slices.ContainsFunc(row.Answers,
			func(a wire.GridAnswer) bool { return a.Verdict == verdict && a.Dialect != nil })
	}
	unknown := has(wire.VerdictUnknown)
	switch {
	case row.GovernedBy != "" && unknown:
		facts = append(facts, "another site's file decides: "+row.GovernedBy)
	case row.GovernedBy != "":
		facts = append(facts, row.GovernedBy+" governs it")
	case row.FetchReason != "":
		facts = append(facts, NoFileRemark(row))
	}
	var joined map[int][]string // few rows have one
	for _, a := range row.Answers {
		if a.JoinedLine > 0 {
			if joined == nil {
				joined = make(map[int][]string)
			}
			joined[a.JoinedLine] = append(joined[a.JoinedLine], a.Agent)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(joined)) {
		facts = append(facts, wire.JoinedGroup(line, joined[line]...))
	}
	if slices.ContainsFunc(row.Answers, func(a wire.GridAnswer) bool { return a.FetchedAnyway }) {
		facts = append(facts, wire.FetchedAnyway)
	}
	return strings.Join(facts, "; ")
}
