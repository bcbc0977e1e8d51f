// Package lint finds what is wrong with a robots.txt file, says for whom it is
// wrong and why, and how to fix it.
//
//	for _, f := range lint.Check(body, lint.Config{}) {
//		fmt.Printf("%d:%d: %s %s: %s\n", f.Line, f.Column, f.Severity, f.Code, f.Message)
//	}
//
// # Findings
//
// Each kind of finding has a stable Code: RX1xx are about user-agent lines,
// RX2xx about path patterns, RX3xx about groups, RX4xx about bytes and lines,
// RX5xx about lines beyond the protocol, RX6xx about how the file is served.
// Catalogue lists them all with an example; docs/lint.md is made from it. A line
// whose key nobody knows is never an error: the protocol lets anyone add lines.
//
// # Fixes
//
// A Fix is a set of edits. A plain fix changes no verdict for any crawler and any
// URL: neither in google nor in rfc9309 nor in the profile's dialect. That is also
// true of several plain fixes together, in any choice. A fix with Meaning set
// changes verdicts in one of them, or may: apply it only if a person has looked at
// it.
//
// # Suppressing
//
// A comment "# robots-lint: ignore RX201" drops findings of that code: behind
// something on its line, those of the line; alone, those of the next line that is
// no comment. Several codes are parted by blanks or commas, and without any all
// are dropped. "# robots-lint: ignore-file RX201" does so for the whole file.
//
// # Layout
//
// Format writes a file in one layout without a change of what it says.
//
// # What hostile input can do
//
// Check never fails. Its time is linear in the size of the body, except for the
// search for rules that decide nothing, which is bounded: Config.Work.
package lint
