package mend_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/mend"
	"github.com/kosterhq/robotstxt/lint"
)

// ruleFinder finds the rules of which a body has any, and fixes them as told.
func ruleFinder(fix func(line robotstxt.Line) *lint.Fix) func([]byte) []lint.Finding {
	return func(body []byte) (findings []lint.Finding) {
		for line := range robotstxt.Lines(body) {
			if line.Kind == robotstxt.KindDisallow {
				findings = append(findings, lint.Finding{Code: "RX999", Line: line.Number, Fix: fix(line)})
			}
		}
		return findings
	}
}

// value is a fix that gives a rule another path.
func value(line robotstxt.Line, path string) *lint.Fix {
	return &lint.Fix{Edits: []lint.Edit{{Start: line.ValueOffset, End: line.ValueOffset + len(line.Value), New: path}}}
}

func TestMendRefuses(t *testing.T) {
	body := "User-agent: *\nDisallow: /b*\nDisallow: /a\n"
	m := &mend.Mending{Body: []byte(body), Find: ruleFinder(func(line robotstxt.Line) *lint.Fix {
		switch string(line.Value) {
		case "/b*":
			return value(line, "/b")
		case "/a":
			return value(line, "/")
		}
		return nil
	})}
	err := m.Plain()
	unsafe := (*mend.UnsafeError)(nil)
	if !errors.As(err, &unsafe) || unsafe.Finding.Line != 3 || unsafe.Change.Agent != "*" || unsafe.Change.Allowed || unsafe.Change.After != 3 {
		t.Errorf("error %v: want one that names the fix on line 3, and what it changes", err)
	}
	if got := string(m.Body); got != "User-agent: *\nDisallow: /b\nDisallow: /a\n" || m.Fixes != 1 {
		t.Errorf("%q after %d fixes: want the one on line 2 alone", got, m.Fixes)
	}
}

// TestMendTogether has a fix for each of two equal rules. One of them is safe,
// both are not.
func TestMendTogether(t *testing.T) {
	m := &mend.Mending{Body: []byte("User-agent: *\nDisallow: /a\nDisallow: /a\n"), Find: func(body []byte) []lint.Finding {
		if bytes.Count(body, []byte("/a")) < 2 {
			return nil
		}
		return ruleFinder(func(line robotstxt.Line) *lint.Fix {
			return &lint.Fix{Edits: []lint.Edit{{Start: line.Offset, End: line.Offset + len(line.Raw)}}}
		})(body)
	}}
	if err := m.Plain(); err != nil || string(m.Body) != "User-agent: *\nDisallow: /a\n" || m.Fixes != 1 {
		t.Errorf("%q after %d fixes (%v): want one of the rules", m.Body, m.Fixes, err)
	}
}

// TestMendEnds has fixes that undo each other.
func TestMendEnds(t *testing.T) {
	m := &mend.Mending{Body: []byte("User-agent: *\nDisallow: /a\n"), Find: ruleFinder(func(line robotstxt.Line) *lint.Fix {
		return value(line, map[string]string{"/a": "/a*", "/a*": "/a"}[string(line.Value)])
	})}
	if err := m.Plain(); err != nil || m.Fixes < 2 || !m.Left {
		t.Errorf("%d fixes, left %v (%v): want some, and one left", m.Fixes, m.Left, err)
	}
}

// TestMeant has a fix that changes what the file says, and one that does not. Each
// is made by its own method alone.
func TestMeant(t *testing.T) {
	find := func(body []byte) []lint.Finding { return lint.Check(body, lint.Config{}) }
	m := &mend.Mending{Body: []byte("User-agent: *\nDisallow: /b/*\nDisallow: a\n"), Find: find}
	if err := m.Plain(); err != nil || string(m.Body) != "User-agent: *\nDisallow: /b/\nDisallow: a\n" || m.Compared == 0 {
		t.Errorf("%q after %d comparisons (%v): want only the star gone", m.Body, m.Compared, err)
	}
	if err := m.Meant(); err != nil || string(m.Body) != "User-agent: *\nDisallow: /b/\nDisallow: /a/\n" {
		t.Errorf("%q (%v): want a slash in front", m.Body, err)
	}
}

// TestMendOverlap has a fix whose edits do not fit the file.
func TestMendOverlap(t *testing.T) {
	m := &mend.Mending{Body: []byte("User-agent: *\nDisallow: /a\n"), Find: ruleFinder(func(robotstxt.Line) *lint.Fix {
		return &lint.Fix{Edits: []lint.Edit{{Start: 100, End: 200}}}
	})}
	if err := m.Plain(); !errors.Is(err, lint.ErrEdits) {
		t.Errorf("error %v, want %v", err, lint.ErrEdits)
	}
}
