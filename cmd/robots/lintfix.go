package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/mend"
	"github.com/kosterhq/robotstxt/cmd/internal/replace"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/verdicts"
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

// mend makes the fixes that are asked for, and writes or shows what comes of it.
func (r *lintRun) mend(in *linted, config lint.Config) error {
	was := in.body
	m := &mend.Mending{
		Find:    func(body []byte) []lint.Finding { return lint.Check(body, config) },
		Dialect: config.Profile.Dialect(), Body: was,
	}
	plain, err := makeFixes(m, r.fix == fixAll)
	if err != nil {
		return refused(in.File, err)
	}
	sum := comparisonSum{compared: m.Compared, cut: m.Cut}
	changes := in.compare(was, plain, m.Body)
	for _, c := range changes {
		sum.add(c)
		in.Changes = append(in.Changes, c.Examples...)
	}
	in.Fixed, in.Compared = m.Fixes, sum.compared
	if err := r.put(in, m.Body); err != nil {
		return err
	}
	for _, c := range changes {
		tellChanges(r.t, in.File, c, c.Dialect != m.Dialect)
	}
	if m.Fixes > 0 {
		r.t.Note("%s: %s, %s", shownName(in.File), count(in.Fixed, "fix", "fixes"), sum)
	}
	if m.Left {
		r.t.Note("%s: there are more fixes, which another run can make", shownName(in.File))
	}
	return nil
}

// makeFixes makes the plain fixes, and if asked for those that are meant to change
// verdicts. It returns the file with the plain ones alone.
func makeFixes(m *mend.Mending, all bool) (plain []byte, err error) {
	if err := m.Plain(); err != nil || !all {
		return m.Body, err
	}
	plain = m.Body
	if err := m.Meant(); err != nil {
		return nil, err
	}
	return plain, m.Plain() // what came to light
}

// refused says that a fix does not keep what it promises.
func refused(name string, err error) error {
	unsafe := (*mend.UnsafeError)(nil)
	if !errors.As(err, &unsafe) {
		return err
	}
	why := changeText(unsafe.Change)
	if unsafe.Err != nil {
		why = unsafe.Err.Error()
	}
	return about(name, term.Errorf(fmt.Sprintf("nothing is written; --ignore %s leaves it out", unsafe.Finding.Code),
		"the fix of %s on line %d is not safe here: %s", unsafe.Finding.Code, unsafe.Finding.Line, why))
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
		return written(r.t.PrintFile(r.out, fixed))
	case bytes.Equal(was, fixed):
		return nil
	}
	return replaceFile(in.File, was, fixed)
}

// compare finds the verdicts that change, other than by fixes that must change
// none: in the profile's dialect those that are meant to, in the others those
// that are not.
func (in *linted) compare(was, plain, is []byte) (changes []*verdicts.Comparison) {
	for _, d := range robotstxt.Dialects() {
		before, after := was, plain
		if d == in.Profile.Dialect() {
			before, after = plain, is // the plain fixes were compared one by one
		}
		if !bytes.Equal(before, after) {
			changes = append(changes, verdicts.Compare(before, after, d))
		}
	}
	return changes
}

// replaceFile writes a file in place, and says, if it cannot, what to do.
func replaceFile(name string, was, content []byte) error {
	err := replace.File(name, was, content)
	hint := "nothing is written"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, replace.ErrIrregular):
		hint = `"-" writes what standard input has to standard output`
	case errors.Is(err, replace.ErrReadOnly):
		hint += "; make it writable, or see what would change with --diff"
	case errors.Is(err, replace.ErrChanged):
		hint += "; run it again on the file as it is now"
	case errors.Is(err, fs.ErrPermission):
		hint += "; its folder must be writable too, for the temporary file"
	}
	return term.Errorf(hint, "cannot write %q: %v", name, term.Cause(err))
}
