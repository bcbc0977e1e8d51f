// Package semdiff proves that two robots.txt files give the same verdicts, or shows
// URL paths for which they do not. Use it to review an edit before it is published,
// to check that a generated file means the same as the old one, to find rules that
// can be removed, or to prove that a folder is closed to a crawler.
//
//	before, after := robotstxt.Parse(oldBody), robotstxt.Parse(newBody)
//	report, err := semdiff.Compare(ctx, before, after, semdiff.Config{})
//	if err != nil {
//		return err // ctx was cancelled
//	}
//	for _, row := range report.Rows {
//		fmt.Println(row.Crawlers, row.Effect) // [GPTBot] opens
//		for _, change := range row.Changes {
//			fmt.Println(change.OldLine, change.NewLine, change.Witness) // 6 7 /.html
//		}
//	}
//
// [Compare] returns for every crawler the proof that no verdict changes, or the
// changes: for each pair of deciding lines, a shortest path that opens or closes,
// the witness. It does not try URLs, because that finds most changes, but not all.
// Instead it searches the product of the automata of all patterns, which covers
// every URL. [Decides] returns whether all paths of a pattern are allowed or
// disallowed, and [Minimize] returns the rules that decide nothing.
//
// A search has a budget. If the budget does not suffice, the effect is [Undecided],
// which never counts as equality. docs/semdiff.md explains the search, its cost and
// its limits.
package semdiff
