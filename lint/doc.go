// Package lint finds problems in a robots.txt file, with the crawlers that they
// affect, the reasons, and fixes.
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
// Catalogue lists them all with an example; docs/lint.md is generated from it. A
// line with an unknown key is never an error, because the protocol allows further
// lines.
//
// # Fixes
//
// A Fix is a set of edits. A plain fix changes no verdict for any crawler and any
// URL in google, in rfc9309 and in the profile's dialect. The same is true of any
// selection of plain fixes together. A fix with Meaning set changes verdicts in one
// of these dialects, or may do so: a person should look at it before it is applied.
//
// # Suppressing
//
// A comment "# robots-lint: ignore RX201" hides findings with that code. After a
// directive, it hides those of its own line; on a line of its own, those of the
// next line that is not a comment. Blanks or commas separate several codes. A
// comment without a code hides all findings. "# robots-lint: ignore-file RX201"
// hides them in the whole file.
//
// # Layout
//
// Format returns a file in a uniform layout with the same meaning.
//
// # Hostile input
//
// Check never fails. Its time is linear in the size of the body, except for the
// search for rules that decide nothing, which Config.Work bounds.
package lint
