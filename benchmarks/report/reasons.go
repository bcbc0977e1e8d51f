package main

import "strings"

// reasons explain why goals are missed: what takes the time, and what was tried. The keys
// are the beginnings of the goals' names, which may end with the name of a contest. A
// reason stays when its goal is reached on one machine, because it may be missed on
// another; the page prints it only where the goal is missed.
var reasons = map[string]string{
	"parse: times faster than Google's C++": "The goal is that of a prototype on an AMD EPYC. On the Xeon of these pages the prototype reaches 3.2 × and 3.5 ×. " +
		"A quarter of the time is the search for line ends in files of which few lines are rules, and a fifth the memory of the result.",
	"parse, files of at most 600 bytes": "The prototype takes 1.27 times as long as fast-robots on this processor. fast-robots keeps references to the text, this project a copy: " +
		"a quarter of the time is two allocations. With one allocation for both, a file of two lines takes 15 % less time, and all small files 10 % more, " +
		"because the garbage collector then has to scan the texts' objects.",
	"parse, the worst hostile file": "For long rules of `é`, half the time is the encoding, 3.3 cycles for a byte; writing two codes at once took as long. " +
		"The rest is the result, three times as long as the text. Google's parser keeps none. For agents that differ in case, each token of 40 letters is read, hashed and compared.",
	"parse, 26 agents": "The tables of 11 MB do not fit the processor's cache. If the memory of the parse before is reused, the ratio is 1.24; here the collection before " +
		"each turn empties the pool, and a turn has one parse, which has to get 30 MB from the system.",
	"one shot: times faster than Google's C++": "Two fifths of the time are the search for line ends: in real files, most lines are skipped because they are no rules, or rules of another crawler. " +
		"It finds one line at a time; `bytes.IndexByte` for each line alone takes a third of the time of a one-shot call.",
	"`Lines`":                   "`Lines` also searches for comments, NUL bytes and colons, trims keys and values, and passes the caller a struct for each line.",
	"`Parse`":                   "See the first goal.",
	"parse and the first query": "See the first goal: nearly all of the time is parsing. The goal was set on an AMD EPYC.",
	"match, 5 rules":            "Some 20 ns do not depend on the rules: the path in the URL, and six calls. A rule takes 1.3 ns, and a branch that the processor cannot predict 5 ns.",
	"match, files of 0.8 to 1.25 KB: times faster than Google's C++": "As for 5 rules. The ratio also depends on how many lines of a file Google's parser skips.",
	"growth of a match, literals": "10 rules are tried one after the other and 10,000 have an index. So the ratio rises as trying a rule becomes faster: " +
		"the last change made 10 rules 17 % faster and 10,000 10 %.",
	"hostile file of 490 KB": "The file has 19,000 rules of nine pieces; finding a piece in a table of the path takes 25 ns. The time is linear in path and rules. " +
		"To be faster, rules would have to be rejected together, as by an Aho-Corasick automaton; it would take 10 MB and 25 ms to make one.",
	"the query that makes an index": "Parsing such a rule takes 35 ns, so the goal is 175 ns for a rule. The index counts the texts of four bytes of all rules, selects the rarest one of each, " +
		"and sorts the rules by it. Less copying made it 15 to 20 % faster; 220 ns for a rule remain, in one query of a file.",
}

// explain writes the reasons of the goals that are missed.
func (r *report) explain(goals []goal) {
	rows := 0
	for _, g := range goals {
		if !g.isMissed() {
			continue
		}
		if rows == 0 {
			r.body.WriteString("\nWhy goals are missed:\n\n")
			r.header([]string{"goal", "reason"})
		}
		rows++
		r.row([]string{g.what, reasonOf(g.what)})
	}
}

// reasonOf returns the reason for the goal with this name, the one with the longest key.
func reasonOf(goal string) string {
	found := ""
	for key := range reasons {
		if strings.HasPrefix(goal, key) && len(key) > len(found) {
			found = key
		}
	}
	if found == "" {
		return "not examined"
	}
	return reasons[found]
}
