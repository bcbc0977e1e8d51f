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
// URL, in all dialects. The same is true of any selection of plain fixes together. A fix with
// Meaning set rewrites a line so that crawlers read what it says. It changes verdicts, or might, so
// a person should look at it before applying it.
//
// As long as crawlers do not read a line as its author meant it, Check reports no rule of its group
// as redundant, because the rule might be needed once the line is fixed.
//
// # Suppressing
//
// A comment "# robots-lint: ignore RX208" hides findings with that code; you can write
// its name, redundant-rule, instead. After a directive, the comment hides findings of its own
// line; on a separate line, it hides findings of the next line that is not a comment. Separate
// several codes with spaces or commas. A comment without a code hides all findings. "#
// robots-lint: ignore-file RX208" hides them in the whole file.
//
// # Layout
//
// Format returns a file in a uniform layout with the same meaning.
//
// # Hostile input
//
// Check never fails. Its time is linear in the size of the body, except for the
// search for rules that decide nothing, which Config.Steps bounds.
package lint

// Check reads body as the crawlers of the profile do, and returns the findings in
// the order of their positions. If several start at one position, the most severe comes first.
// Check omits findings that a comment in the file hides, and findings beyond
// Config.MaxFindings and Config.MaxPerCode. It never fails, and keeps no reference to
// body.
func Check(body []byte, config Config) []Finding { return Inspect(body, config).Findings }

// Report is the result of Inspect.
type Report struct {
	Findings []Finding // as Check returns them
	Counts   []Count   // by code, then by severity from the most severe
	Steps    int       // how many of Config.Steps were used
}

// Count is how many findings a file has of one code and severity. Those that a
// comment hides, or that users of a platform cannot change, are not counted.
type Count struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Found    int      `json:"found"`             // all of them
	Omitted  int      `json:"omitted,omitempty"` // those that are not in Report.Findings
	Plain    int      `json:"plain,omitempty"`   // those with a fix that changes no verdict
	Meant    int      `json:"meant,omitempty"`   // those with a fix with Meaning
}

// Inspect returns the findings of Check, and how many there are of each code.
//
// It inspects only the part of body that the crawlers read (see Config.Bytes), so
// time and memory do not depend on what comes after it.
func Inspect(body []byte, config Config) Report {
	d := newDocument(body, config)
	d.suppressions.read(d)
	d.readReasons()
	for _, in := range inspectors {
		if in.of <= d.portion {
			in.inspect(d)
		}
	}
	d.decide()
	if d.portion > anyBody {
		d.suppressions.judge(d)
	}
	report := d.report()
	report.Steps = d.steps
	return report
}

// Limit returns a report about some findings: those within the limits of config, and
// counts of all. It applies no filter, and does not modify the slice.
func Limit(findings []Finding, config Config) Report {
	r := finder{config: Config{MaxFindings: config.MaxFindings, MaxPerCode: config.MaxPerCode}}
	for _, f := range findings {
		entry, _ := About(f.Code)
		r.add(f, entry.Once)
		r.close()
	}
	return r.report()
}

// Config selects the crawlers for which a file is checked, and the checks. The zero value checks
// a file for Google's crawlers, without knowing its URL.
type Config struct {
	// Profile is the audience of the file. It determines the
	// dialect, the limits and the severities. Default: Google.
	Profile Profile

	// Severities overrides the severities of the profile, by code. Off hides a
	// code; any other severity reports it, even if the profile does not.
	Severities map[Code]Severity

	// Pedantic also reports lines that are correct but unusual, such as a redundant star
	// at the end of a path. The catalogue shows which checks these are. Some other checks
	// then report more cases. Default: false.
	Pedantic bool

	// URL is the URL at which the file is served, or will be. It shows which
	// sitemaps are on the same host. Default: unknown.
	URL string

	// File is the name of the file, without its folder. Crawlers request robots.txt
	// only. Default: unknown.
	File string

	// Served describes how the file was served. The findings RX6xx are about it. nil omits these
	// findings.
	Served *Served

	// Bytes is how many bytes of the file are read. Default: the profile's, see Profile.Bytes.
	// Only RX406 and RX407 are about what comes after it.
	Bytes int

	// Truncated is true if body is only the beginning of the file. A beginning of Bytes
	// and the line after them suffices.
	Truncated bool

	// MaxFindings is how many findings are returned: the most severe, and of equally severe
	// findings the first. Default: 1,000. A negative number means all.
	MaxFindings int

	// MaxPerCode limits how many findings of one code and severity are returned, mostly the
	// first ones. A negative number means all. Default: 100.
	//
	// Generators write some lines many times. So for each of RX110, RX112, RX206, RX208, RX210, RX223, RX302,
	// RX303, RX311, RX501, RX507 and RX508, only one finding of severity Info is returned, or
	// none if Shopify, Squarespace or Zendesk wrote the file, and none of RX208 if PrestaShop did. For
	// RX501 and RX508, only one warning is returned too.
	// For RX303 and RX311, a finding about a main crawler of the profile comes first, then the one about the most
	// lines.
	// Pedantic returns them all, as does a MaxPerCode that is set.
	MaxPerCode int

	// Filter is called for each finding, before these limits apply and in any order. A
	// finding for which it returns false is neither returned nor counted. It can use the
	// finding until it returns. Default: nil; then most findings that exceed the limits
	// are only counted, which takes less time.
	Filter func(*Finding) bool

	// Steps bounds the search for rules that decide nothing, in steps of package
	// semdiff. If it does not suffice, RX216 is reported. Default:
	// semdiff.DefaultSteps, which take about a second.
	Steps int
}
