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

import (
	"cmp"
	"slices"
)

// Check reads body as the crawlers of the profile do, and returns the findings in
// the order of their positions; of those at one position, the most severe comes
// first. It omits findings that a comment in the file hides. It never fails, and
// keeps no reference to body.
func Check(body []byte, config Config) []Finding {
	d := newDocument(body, config)
	d.inspect(familiesOfBytes)
	read := readPart(d)
	if len(read) < len(body) {
		d = limited(d, read)
	}
	d.inspect(familiesOfText)
	if len(read) < len(body) {
		shiftsLimit(d)
	}
	dropSuppressed(d)
	slices.SortFunc(d.findings, compare)
	return d.findings
}

// compare orders findings as Check returns them. No two are equal, so the order is
// always the same.
func compare(a, b Finding) int {
	if a.Start != b.Start {
		return cmp.Compare(a.Start, b.Start)
	}
	return cmp.Or(
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// inspect runs families until one finds that the document is not text. It skips those
// of which all checks are off.
func (d *document) inspect(families []family) {
	for _, f := range families {
		if d.foreign {
			return
		}
		if f.marks || slices.ContainsFunc(f.checks, d.wants) {
			f.inspect(d)
		}
	}
}

// Config says for which crawlers a file is checked, and how. The zero value checks
// a file for Google's crawlers, without knowing its URL.
type Config struct {
	// Profile says for which crawlers the file is written. It determines the
	// dialect, the limits and the severities. Default: Google.
	Profile Profile

	// Severities overrides the severities of the profile, by code. Off hides a
	// code; any other severity reports it, even if the profile does not.
	Severities map[Code]Severity

	// URL is the URL at which the file is served, or will be. It shows which
	// sitemaps are on the same host. Default: unknown.
	URL string

	// Served describes how the file was served, for RX6xx. nil omits these
	// findings.
	Served *Served

	// Bytes is how many bytes of the file are read. Default: the documented limit
	// of the profile's crawlers.
	Bytes int

	// Work bounds the search for rules that decide nothing, in steps of package
	// semdiff. If it does not suffice, RX216 is reported. Default:
	// semdiff.DefaultSteps, which take about a second.
	Work int
}
