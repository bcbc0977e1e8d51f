// Package expect runs a site's expectations against its robots.txt, in a file or on
// a server. It returns what came of each check as values and prints nothing.
package expect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/agentlist"
)

// Runner runs expectations. The zero value reads the robots.txt of a path from disk,
// whole, and cannot fetch. A Runner must not be used concurrently.
type Runner struct {
	// Dialect is the dialect of checks that state none.
	Dialect robotstxt.Dialect

	// Crawler returns the crawler to check for the tokens that expectations state,
	// for instance with documented fallbacks. nil takes the tokens as they are, and
	// so does every vector.
	Crawler func(tokens []string) Crawler

	// ReadFile returns the robots.txt at a path, which exists. nil is os.ReadFile.
	ReadFile func(path string) ([]byte, error)

	// Fetch returns the results for the URLs of robots.txt files, in their order. An
	// error ends the run. It is called at most once in a run.
	Fetch func(ctx context.Context, robotsURLs []string) ([]*fetch.Result, error)

	// Instead replaces the robots.txt that expectations name, unless it is nil.
	Instead *Subject

	subjects map[string]*Subject // by path or URL
}

// Crawler is a crawler to check.
type Crawler struct {
	Tokens    []string // the preferred one first; none means "*"
	NamedOnly bool     // groups for "*" do not apply to it
}

// Subject is a robots.txt that expectations are about.
type Subject struct {
	Name   string        // its path or URL
	URL    string        // of the robots.txt if it is fetched, else ""
	Body   []byte        // its text, nil until it is fetched
	Result *fetch.Result // nil for files, and until it is fetched

	parsed map[robotstxt.Dialect]*robotstxt.Robots
}

// Suite is a file of expectations and what came of it.
type Suite struct {
	conformance.Expectations
	Subject  *Subject  // nil if Err is not
	Outcomes []Outcome // one for each check, in their order
	Err      error     // why the file could not be run, nil if it could
}

// IsVector reports whether the suite is a vector, which contains its robots.txt.
// Its tokens and URLs are used as they are.
func (s *Suite) IsVector() bool { return s.Err == nil && s.Robots == "" }

// Failed returns the number of checks that failed.
func (s *Suite) Failed() (n int) {
	for i := range s.Outcomes {
		if !s.Outcomes[i].Passed {
			n++
		}
	}
	return n
}

// Outcome is what came of one check.
type Outcome struct {
	Check    conformance.Check
	Dialect  robotstxt.Dialect
	Crawler  Crawler
	Compared string          // the URL as it is compared: encoded, except in vectors
	Rules    robotstxt.Rules // of the crawler, to explain the verdict
	Allowed  bool            // the verdict
	Line     int             // the deciding line, 0 for none
	Passed   bool            // verdict and, if the check states one, line are as expected
	Took     time.Duration
}

// Agent returns the crawler as the check states it: its tokens in the form of a list
// of crawlers, or "*" if there are none.
func (o *Outcome) Agent() string {
	if len(o.Check.Agents) == 0 {
		return "*"
	}
	return agentlist.Format(o.Check.Agents)
}

// Report is what came of all suites of a run.
type Report struct {
	Suites []*Suite
	Began  time.Time
	Took   time.Duration
}

// Passed returns the number of checks that passed.
func (r *Report) Passed() (n int) {
	for _, s := range r.Suites {
		n += len(s.Outcomes) - s.Failed()
	}
	return n
}

// Failed returns the number of checks that failed.
func (r *Report) Failed() (n int) {
	for _, s := range r.Suites {
		n += s.Failed()
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

// Run fetches the robots.txt of all sites and puts the checks of all suites to
// their files. The error is that of Fetch.
func (r *Runner) Run(ctx context.Context, suites []*Suite) (*Report, error) {
	report := &Report{Suites: suites, Began: time.Now()}
	if err := r.fetch(ctx, suites); err != nil {
		return nil, err
	}
	for _, s := range suites {
		if s.Err == nil {
			r.judge(s)
		}
	}
	report.Took = time.Since(report.Began)
	return report, nil
}

func (r *Runner) fetch(ctx context.Context, suites []*Suite) error {
	var subjects []*Subject
	var urls []string
	for _, s := range suites {
		if s.Err == nil && s.Subject.URL != "" && s.Subject.Result == nil && !slices.Contains(subjects, s.Subject) {
			subjects, urls = append(subjects, s.Subject), append(urls, s.Subject.URL)
		}
	}
	if len(urls) == 0 {
		return nil
	}
	if r.Fetch == nil {
		return errors.New("expectations name a site, but there is no Fetch")
	}
	results, err := r.Fetch(ctx, urls)
	if err != nil {
		return err
	}
	if len(results) != len(urls) {
		return fmt.Errorf("Fetch returned %d results for %d URLs", len(results), len(urls))
	}
	for i, result := range results {
		subjects[i].Result, subjects[i].Body = result, result.Body()
	}
	return nil
}

func (r *Runner) readFile(path string) ([]byte, error) {
	if r.ReadFile != nil {
		return r.ReadFile(path)
	}
	return os.ReadFile(path)
}
