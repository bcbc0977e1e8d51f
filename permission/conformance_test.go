package permission_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

const robotsURL = "https://example.com/robots.txt"

// sourcesOf returns what a case gives.
func sourcesOf(c *conformance.PermissionCase) *permission.Sources {
	s := &permission.Sources{Documents: map[string]*permission.License{}}
	given := func(name string) bool { return !slices.Contains(c.NotGiven, name) }
	switch {
	case !given("robots"):
	case c.Robots == nil:
		s.Robots = &permission.Robots{URL: robotsURL, Without: robotstxt.AllowAll("the site has no robots.txt")}
	default:
		s.Robots = permission.NewRobots(robotsURL, c.Text(c.Robots))
	}
	if given("header") {
		header := http.Header{}
		for _, line := range c.Header {
			header.Add(line[0], line[1])
		}
		s.Header = header
	}
	if given("html") {
		s.Page = page.Read(c.Text(c.HTML), http.Header(s.Header).Get("Content-Type"))
	}
	if given("tdmrep") {
		s.TDMRep = &permission.TDMRep{}
		if c.TDMRep != nil {
			s.TDMRep = permission.ReadTDMRep("https://example.com/.well-known/tdmrep.json", c.Text(c.TDMRep))
		}
	}
	for url, lines := range c.Documents {
		s.Documents[url] = &permission.License{Problem: "the status is 404"}
		if lines != nil {
			s.Documents[url] = permission.ReadLicense(c.Text(lines))
		}
	}
	return s
}

// questionOf returns the question of a case.
func questionOf(c *conformance.PermissionCase) permission.Question {
	q := permission.Ask(c.URL)
	if c.Crawler != "*" {
		q = permission.Ask(c.URL, c.Crawler)
	}
	if c.Time != "" {
		q.Time, _ = time.Parse(time.RFC3339, c.Time)
	}
	return q
}

// placeOf returns a place in the form of cases.
func placeOf(p permission.Place) string {
	switch {
	case p.Line > 0 && p.URL == robotsURL:
		return fmt.Sprint("line ", p.Line)
	case p.Header != "":
		return fmt.Sprint("header ", p.Header, " ", p.Index)
	case p.Pointer != "":
		return "pointer " + p.Pointer
	}
	return fmt.Sprint("offset ", p.Offset)
}

func answerOf(c *conformance.PermissionCase, purpose string) permission.Answer {
	q := questionOf(c)
	q.Purposes = []crawlers.Purpose{crawlers.Purpose(purpose)}
	return permission.Decide(q, sourcesOf(c))[0]
}

func TestConformance(t *testing.T) {
	cases, err := conformance.PermissionCases()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if names[c.Name] || c.Note == "" || c.Clause == "" || c.URL == "" || c.Crawler == "" || len(c.Want) == 0 {
			t.Errorf("the case %q is not complete, or its name is not unique", c.Name)
		}
		names[c.Name] = true
	}
	if len(cases) < 103 {
		t.Errorf("there are %d cases", len(cases))
	}
	type answer = conformance.PermissionAnswer
	for _, failure := range conformance.RunPermission(func(c *conformance.PermissionCase, purpose string) answer {
		a := answerOf(c, purpose)
		got := answer{Verdict: string(a.Verdict), Provisional: a.Provisional, Findings: len(a.Findings) > 0}
		if len(a.Reasons) > 0 {
			got.Place = placeOf(a.Reasons[0].Place)
		}
		for _, conflict := range a.Conflicts {
			got.Conflicts = append(got.Conflicts, conflict.Kind)
		}
		for _, r := range a.Reasons {
			if r.Says == permission.SaysLimit && !r.Overridden {
				got.Limits = append(got.Limits, r.Text)
			}
		}
		return got
	}, cases) {
		t.Error(failure)
	}
}

// TestConformanceReadings: a case is marked as our reading if a reason is. It may also be our
// reading that there is no reason.
func TestConformanceReadings(t *testing.T) {
	cases, err := conformance.PermissionCases()
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		reading := false
		for purpose := range c.Want {
			for _, r := range answerOf(c, purpose).Reasons {
				reading = reading || r.Reading && !r.Overridden
			}
		}
		if reading && !c.Reading {
			t.Errorf("%s: a reason is our reading, but the case is not", c.Name)
		}
	}
}
