// Package semdiff decides whether two robots.txt files give the same verdicts, and
// shows by a URL path where they do not. Use it to review an edit before it is
// published, to check that a generated file means what the old one meant, to find
// rules that can be removed, or to prove that a folder is closed to a crawler.
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
// [Compare] proves for every crawler either that no URL has another verdict, or
// which ones open and which ones close, with a shortest witness for each pair of
// deciding lines. It does not try URLs: it searches all of them at once, as the
// product of the automata of all patterns. Sampling finds most changes, but not
// all. [Decides] answers whether everything under a path pattern is allowed or
// disallowed, and [Minimize] which rules decide nothing.
//
// A search has a budget. If that does not suffice, the effect is [Undecided],
// which is never equality. docs/semdiff.md explains the search, its cost and its
// limits.
package semdiff
