package prose

import (
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// RowRemark returns a fact that a row of a grid cannot show in its cells: why its
// verdicts are unknown, or that another robots.txt governs the URL. Otherwise it
// returns "".
func RowRemark(row *wire.GridRow) string {
	unknown := slices.ContainsFunc(row.Answers,
		func(a wire.GridAnswer) bool { return a.Verdict == wire.VerdictUnknown && a.Dialect != nil })
	switch {
	case row.GovernedBy != "" && unknown:
		return "another site's file decides: " + row.GovernedBy
	case row.GovernedBy != "":
		return row.GovernedBy + " governs it"
	case unknown && row.FetchReason != "":
		return row.RobotsURL + ": " + row.FetchReason
	}
	return ""
}
