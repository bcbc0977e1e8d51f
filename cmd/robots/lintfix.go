package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
)

// fixFlag is the value of --fix: which fixes are made.
type fixFlag string

const (
	fixNone  fixFlag = ""
	fixPlain fixFlag = "plain" // those that change no verdict
	fixAll   fixFlag = "all"   // also those that are meant to
)

func (f fixFlag) String() string { return string(f) }

func (fixFlag) Type() string { return "string" }

func (f *fixFlag) Set(text string) error {
	switch fixFlag(text) {
	case fixPlain, fixAll:
		*f = fixFlag(text)
		return nil
	}
	return errors.New("want plain or all")
}

// mostRounds bounds how often a file is fixed and looked at again. A round takes
// out what does not touch each other, so a few are enough for any file; the
// bound is there for two fixes that undo each other.
const mostRounds = 50

// mending is a file while fixes are made in it.
type mending struct {
	find     func(body []byte) []lint.Finding
	dialect  robotstxt.Dialect
	body     []byte
	fixes    int
	compared int  // verdicts
	left     bool // fixes, when the rounds ran out
}

// plain makes the fixes that change no verdict in the profile's dialect. An error
// names the finding whose fix does.
func (m *mending) plain() error {
	return m.rounds(false, func(chosen []lint.Finding) error {
		// Fixes that are right one by one can be wrong together: of two equal
		// rules, each may be called the one too many. So fewer are tried.
		for n := len(chosen); n > 0; n /= 2 {
			after, err := lint.Apply(m.body, editsOf(chosen[:n]))
			if err != nil {
				return refused(&chosen[0], err.Error())
			}
			c := compareVerdicts(m.body, after, m.dialect)
			m.compared += c.verdicts
			if c.changed == 0 {
				m.body, m.fixes = after, m.fixes+n
				return nil
			}
			if n == 1 {
				return refused(&chosen[0], c.examples[0].String())
			}
		}
		return nil
	})
}

// meant makes the fixes that are meant to change verdicts.
func (m *mending) meant() error {
	return m.rounds(true, func(chosen []lint.Finding) error {
		after, err := lint.Apply(m.body, editsOf(chosen))
		if err != nil {
			return refused(&chosen[0], err.Error())
		}
		m.body, m.fixes = after, m.fixes+len(chosen)
		return nil
	})
}

// rounds finds and fixes until there is nothing to fix of a kind.
func (m *mending) rounds(meaning bool, apply func(chosen []lint.Finding) error) error {
	for range mostRounds {
		chosen := compatible(m.find(m.body), meaning)
		if len(chosen) == 0 {
			return nil
		}
		before := m.body
		if err := apply(chosen); err != nil {
			return err
		}
		if bytes.Equal(before, m.body) {
			return nil
		}
	}
	m.left = m.left || len(compatible(m.find(m.body), meaning)) > 0
	return nil
}

// refused says that a fix does not keep what it promises.
func refused(f *lint.Finding, why string) error {
	return fail(fmt.Sprintf("nothing is written; --ignore %s leaves it out", f.Code),
		"the fix of %s on line %d is not safe here: %s", f.Code, f.Line, why)
}

// compatible returns the findings whose fixes are of a kind and can be made
// together, the first ones where they cannot.
func compatible(findings []lint.Finding, meaning bool) (chosen []lint.Finding) {
	var taken claims
	for _, f := range findings {
		if f.Fix != nil && len(f.Fix.Edits) > 0 && f.Fix.Meaning == meaning && taken.add(f.Fix.Edits) {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

func editsOf(findings []lint.Finding) (edits []lint.Edit) {
	for i := range findings {
		edits = append(edits, findings[i].Fix.Edits...)
	}
	return edits
}

// mend makes the fixes that are asked for, and writes or shows what comes of it.
func (r *lintRun) mend(in *linted, config lint.Config) error {
	was := in.body
	m := &mending{
		find:    func(body []byte) []lint.Finding { return lint.Check(body, config) },
		dialect: config.Profile.Dialect(), body: was,
	}
	if err := m.plain(); err != nil {
		return about(in.File, err)
	}
	plain := m.body
	if r.fix == fixAll {
		if err := m.meant(); err != nil {
			return about(in.File, err)
		}
		if err := m.plain(); err != nil { // what came to light
			return about(in.File, err)
		}
	}
	in.Fixed, in.Compared = m.fixes, m.compared
	changes := in.compare(was, plain, m.body)
	if err := r.put(in, m.body); err != nil {
		return err
	}
	for _, c := range changes {
		c.tell(r.t, in.File, c.dialect != m.dialect)
	}
	if m.fixes > 0 {
		r.t.note("%s: %s, %s", shownName(in.File), count(in.Fixed, "fix", "fixes"), comparedText(in.Compared, len(in.Changes) > 0))
	}
	if m.left {
		r.t.note("%s: there are more fixes, which another run can make", shownName(in.File))
	}
	return nil
}

// put writes or shows a fixed file.
func (r *lintRun) put(in *linted, fixed []byte) error {
	was := in.body
	if r.diff {
		// The findings are those of the file as it is.
		return written(printDiff(r.t, r.out, in.File, was, fixed))
	}
	in.body = fixed
	switch {
	case isStdin(in.File):
		_, err := r.out.Write(fixed)
		return written(err)
	case bytes.Equal(was, fixed):
		return nil
	}
	return replaceFile(in.File, fixed)
}

// compare finds the verdicts that change, other than by fixes that must change
// none: in the profile's dialect those that are meant to, in the others those
// that are not.
func (in *linted) compare(was, plain, is []byte) (changes []*comparison) {
	for _, d := range robotstxt.Dialects() {
		before, after := was, plain
		if d == in.Profile.Dialect() {
			before, after = plain, is // the plain fixes were compared one by one
		}
		if bytes.Equal(before, after) {
			continue
		}
		c := compareVerdicts(before, after, d)
		in.Compared += c.verdicts
		in.Changes = append(in.Changes, c.examples...)
		changes = append(changes, c)
	}
	return changes
}
