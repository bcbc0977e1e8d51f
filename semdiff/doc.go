// Package semdiff proves that two robots.txt files give the same verdicts, or shows URL
// paths for which they do not. Use it to review an edit before it is published, to check
// that a generated file means the same as the old one, to find rules that can be removed,
// or to prove that a folder is closed to a crawler.
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
// [Compare] returns for every crawler the proof that no verdict changes, or the changes:
// for each pair of deciding lines a witness, which is a shortest path that opens or
// closes. Trying URLs would find most changes, but not all. Compare searches the product
// of the automata of all patterns, which covers every URL. [Decides] returns whether all
// paths of a pattern are allowed or disallowed, and [Minimize] returns the rules that
// decide nothing.
//
// A search has a budget. If the budget does not suffice, the effect is [Undecided], which
// never counts as equality. docs/semdiff.md explains the search, its cost and its limits.
//
// The comments use the terms of automata theory (symbol, state, step, product, prefix,
// trie), and these:
//
//   - side: one of the two files, the old or the new one
//   - class: the crawlers to which the same groups of both files apply
//   - space: what a dialect compares, the path of a URL as the dialect rewrites it
//   - image: what a space compares instead of a symbol
//   - claim: the verdict of one rule for the paths of one pattern, with its priority
//   - rest: the verdict for the paths that no claim matches
//   - head: the literal text of a pattern before its first star
//   - float: the rest of a pattern whose head has matched; it may match anywhere later
//   - component: the part of a state that belongs to one space
//   - core: a state without the patterns that cannot change a verdict any more
//   - goal: what a search looks for, a path that opens or one that closes
//   - list: the claims of one class of crawlers that Minimize reduces
package semdiff
