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
// For every crawler, [Compare] returns the proof that no verdict changes, or it returns the
// changes: for each pair of deciding lines a witness, a shortest path that opens or closes.
// Trying URLs would find most changes, but not all. Compare searches the product of the
// automata of all patterns, which covers every URL. [Decides] returns whether all paths of a
// pattern are allowed or disallowed, and [Minimize] returns the rules that decide nothing.
//
// A search has a budget. If it runs out, the effect is [Undecided], and semdiff never treats
// that as equality. docs/semdiff.md explains the search, its cost and its limits.
//
// # Terms
//
// The comments in the source use these terms. The examples are about the patterns
// "/a*b" and "/ac":
//
//   - symbol: one octet of a path, or one percent code. "/%61" has two symbols.
//   - word: a sequence of symbols, here a path or its beginning.
//   - prefix: the beginning of a word. "/a" is a prefix of "/ac".
//   - automaton: a pattern as a machine that reads a word one symbol at a time.
//   - product: the automata of all patterns, which read the same word together.
//   - state: where each automaton of the product is after some word. After "/a", "/a*b" waits
//     for a "b" and "/ac" for a "c".
//   - step: the move from one state to the next, by one symbol.
//   - trie: the tree of the patterns' beginnings, "/a" and "/ac".
//   - witness: a path that shows a change, or one that has a verdict.
//   - side: one of the two files, old or new.
//   - class: the crawlers to which the same groups of both files apply.
//   - space: the form of a path that a dialect compares.
//   - image: the text that a space compares in place of a symbol. In the RFC9309 dialect the
//     symbols "a" and "%61" both have the image "a", so "/a" and "/%61" are one path there.
//     In the Google dialect each is its own image.
//   - claim: one rule's verdict for the paths of its pattern, with its priority.
//   - rest: the verdict for the paths that no claim matches.
//   - head: the literal text of a pattern before its first star, such as "/a".
//   - float: the text of a pattern after its head has matched, such as "b". It can match
//     anywhere later.
//   - component: the part of a state that belongs to one space.
//   - core: a state without the patterns that can no longer change a verdict.
//   - goal: the kind of path that a search looks for: one that opens, or one that closes.
//   - list: the claims of one class that Minimize reduces.
package semdiff
