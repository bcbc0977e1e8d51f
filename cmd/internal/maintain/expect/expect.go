// Package expect runs a site's expectations against its robots.txt, in a file or on
// a server. It returns an outcome for each check and prints nothing.
package expect

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/origin"
)

// Runner runs expectations. ReadFile and Fetch are required if expectations name files and
// sites. A Runner must not be used concurrently.
type Runner struct {
	// Dialect is the dialect of checks without one; nil means that each crawler has its own.
	Dialect *robotstxt.Dialect

	// Steps bounds the work for each check of a pattern, see semdiff.Config. 0 means
	// its default.
	Steps int

	// Exact checks a known crawler with a single token without its documented
	// fallbacks. The tokens of a vector are always exact.
	Exact bool

	// ReadFile returns the robots.txt at a path, which exists.
	ReadFile func(path string) (*answer.File, error)

	// Fetch returns the rulings for the URLs of robots.txt files, in their order, in any
	// dialect and for any crawlers. A ruling is nil if the file is not known. An error ends
	// the run. Fetch is called at most once in a run.
	Fetch func(ctx context.Context, robotsURLs []string) ([]*answer.Ruling, error)

	// Instead, if not nil, replaces the robots.txt that expectations name.
	Instead *Subject

	subjects map[string]*Subject // by path or URL
}

// Subject is a robots.txt to which expectations apply.
type Subject struct {
	Name   string         // its path or URL
	URL    string         // the site of the robots.txt if it is fetched, else ""
	Ruling *answer.Ruling // nil until it is fetched

	rulings map[rulingKey]*answer.Ruling
}

type rulingKey struct {
	suite   *Suite // whose URLs belong to one site
	dialect string // its name, "" for each crawler's own dialect
	crawler string // its name, "" for no crawler
}

// NewSubject returns the subject of a robots.txt that was read from a file.
func NewSubject(name string, file *answer.File) *Subject {
	return &Subject{Name: name, Ruling: answer.RuleFile(file, nil, nil)}
}

// Suite is a file of expectations with its outcomes.
type Suite struct {
	conformance.Expectations
	Subject  *Subject  // can be nil if Err is not nil
	Outcomes []Outcome // one for each check, in order
	Err      error     // the reason why the file could not be run, or nil
}

// IsVector reports whether the suite is a vector, which contains its robots.txt.
// Its tokens and URLs are used as they are.
func (s *Suite) IsVector() bool { return s.Err == nil && s.Robots == "" }

// site returns the site whose robots.txt the suite names, the zero Origin if it names a file.
func (s *Suite) site() origin.Origin {
	if s.IsVector() || !strings.Contains(s.Robots, "://") {
		return origin.Origin{}
	}
	o, _ := origin.Of(s.Robots)
	return o
}

// OtherSites returns the number of URLs in a suite that belong to sites other than its first
// URL's, and the first of them.
func (s *Suite) OtherSites() (n int, first, robotsURL string) {
	if s.Err != nil || s.IsVector() {
		return 0, "", ""
	}
	var others answer.OtherSites
	seen := make(map[string]bool)
	for i := range s.Checks {
		c := &s.Checks[i]
		if c.All || seen[c.URL] {
			continue
		}
		seen[c.URL] = true
		if other := others.Of(origin.Text(c.URL)); !other.IsZero() {
			n++
			if n == 1 {
				first, robotsURL = c.URL, other.RobotsURL()
			}
		}
	}
	return n, first, robotsURL
}

// Outcome is the outcome of one check.
type Outcome struct {
	Check  conformance.Check
	Answer wire.Answer
	Result Result
	Took   time.Duration

	// These are set for a check of a pattern. The answer is about Witness, a path that the
	// pattern matches. If the check failed, Witness has the other verdict.
	Witness string // "" if none was found
	Tried   string // the reason why the check is neither proved nor disproved, or ""

	crawler answer.Crawler
	visit   answer.Visit
}

// Explain returns the answer with its reasons, and the robots.txt.
func (o *Outcome) Explain() (*wire.Explanation, *answer.File) {
	return o.visit.Explain(0), o.visit.Ruling.File
}

// Result is the result of a check.
type Result int

// The results. A check is Unknown if the robots.txt is unreachable, even if the policy
// decides as expected for now, and if a check of a pattern is undecided. It has failed if
// the robots.txt is a web page. The file of expectations can accept both.
const (
	Passed  Result = iota // the verdict and, if the check states one, the line are as expected
	Failed                // the verdict or the line is not as expected
	Unknown               // there is no verdict
)

// Report contains all suites of a run.
type Report struct {
	Suites []*Suite
	Began  time.Time
	Took   time.Duration
}

// Count returns the number of checks with a result.
func (r *Report) Count(result Result) (n int) {
	for _, s := range r.Suites {
		for i := range s.Outcomes {
			if s.Outcomes[i].Result == result {
				n++
			}
		}
	}
	return n
}

// Broken returns the number of files that could not be run.
func (r *Report) Broken() (n int) {
	for _, s := range r.Suites {
		if s.Err != nil {
			n++
		}
	}
	return n
}

// Run fetches the robots.txt of all sites and runs the checks of all suites. Its error is
// Fetch's, or ctx's if ctx ends.
func (r *Runner) Run(ctx context.Context, suites []*Suite) (*Report, error) {
	report := &Report{Suites: suites, Began: time.Now()}
	if err := r.fetch(ctx, suites); err != nil {
		return nil, err
	}
	for _, s := range suites {
		switch {
		case s.Err != nil:
			continue
		case s.Subject.Ruling == nil:
			s.Err = term.Errorf("%s cannot be tested, because the rules of %s are not known", term.Source(s.Name), term.Escape(s.Subject.Name))
			continue
		}
		err := panics.Contain(s.Name, &s.Subject.Ruling.File.Text, func() error { return r.judge(ctx, s) })
		if term.TraceOf(err) != "" {
			s.Err, s.Outcomes = err, nil
		} else if err != nil {
			return nil, err
		}
	}
	report.Took = time.Since(report.Began)
	return report, nil
}

func (r *Runner) fetch(ctx context.Context, suites []*Suite) error {
	var subjects []*Subject
	var urls []string
	for _, s := range suites {
		if s.Err == nil && s.Subject.Ruling == nil && !slices.Contains(subjects, s.Subject) {
			subjects, urls = append(subjects, s.Subject), append(urls, s.Subject.URL)
		}
	}
	if len(urls) == 0 {
		return nil
	}
	rulings, err := r.Fetch(ctx, urls)
	if err != nil {
		return err
	}
	for i, ruling := range rulings {
		subjects[i].Ruling = ruling
	}
	return nil
}
