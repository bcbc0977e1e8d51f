package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/fix"
	"github.com/kosterhq/robotstxt/cmd/internal/replace"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
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

// fixed makes the requested fixes, and writes or shows the result.
func (r *lintRun) fixed(ctx context.Context, in *report.File, config lint.Config) error {
	result, err := fix.Make(ctx, in.Body, fix.Config{Lint: config, All: r.fix == fixAll})
	if err != nil {
		return about(in.Name, err)
	}
	if err := r.put(in, result.Body); err != nil {
		return err
	}
	in.Fixed, in.NotFixed, in.Changes = result.Made, refusals(result.Refused), changes(result.Changes)
	if !r.diff {
		in.Findings = result.Findings
	}
	tellFixes(r.t, in.Name, result, config.Profile, r.fix == fixAll)
	return nil
}

// tellFixes notes how many fixes were made, what they change, and which were not
// made.
func tellFixes(t *term.Terminal, name string, result *fix.Result, profile lint.Profile, all bool) {
	switch {
	case result.Made > 0 && all:
		t.Note("%s: %s", term.Source(name), term.Count(result.Made, "fix", "fixes"))
	case result.Made > 0:
		t.Note("%s: %s, proved to change no verdict in %s", term.Source(name),
			term.Count(result.Made, "fix", "fixes"), dialectsText(fix.Dialects(profile)))
	}
	tellChanges(t, name, result.Changes)
	for i := range result.Refused {
		refusal := &result.Refused[i]
		if i == mostRefusals {
			t.Note("%s: %s more not made; --format json lists them", term.Source(name), term.Count(len(result.Refused)-i, "fix is", "fixes are"))
			break
		}
		t.Note("%s: %s on line %d is not fixed: %s", term.Source(name), refusal.Finding.Code, refusal.Finding.Line, refusal.Reason())
	}
	if result.More {
		t.Note("%s: there are more fixes, which another run can make", term.Source(name))
	}
}

// mostRefusals is how many of the fixes of a file that are not made are shown.
const mostRefusals = 5

// tellChanges notes what changes in each dialect.
func tellChanges(t *term.Terminal, name string, changes []fix.Change) {
	for i := range changes {
		more := ""
		if n := changes[i].More; n > 0 {
			more = "; so do " + term.Count(n, "other pair of lines", "other pairs of lines")
			if n == 1 {
				more = "; so does 1 other pair of lines"
			}
		}
		t.Note("%s: %s%s", term.Source(name), changes[i].String(), more)
	}
}

// dialectsText lists dialects.
func dialectsText(dialects []robotstxt.Dialect) string {
	var names []string
	for _, d := range dialects {
		names = append(names, d.String())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// changes returns changes in the form of the JSON output.
func changes(list []fix.Change) (all []wire.Change) {
	for i := range list {
		all = append(all, list[i].Wire())
	}
	return all
}

// refusals returns the fixes that were not made in the form of the JSON output.
func refusals(list []fix.Refusal) (all []wire.NotFixed) {
	for i := range list {
		f := &list[i].Finding
		all = append(all, wire.NotFixed{Code: string(f.Code), Line: f.Line, Reason: list[i].Reason()})
	}
	return all
}

// put writes or shows a fixed file.
func (r *lintRun) put(in *report.File, fixed []byte) error {
	was := in.Body
	if r.diff {
		// The findings are those of the file as it is.
		return written(report.Patch(r.t, r.out, in.Name, was, fixed))
	}
	in.Body = fixed
	switch {
	case isStdin(in.Name):
		return written(r.t.PrintFile(r.out, fixed))
	case bytes.Equal(was, fixed):
		return nil
	}
	return replaceFile(in.Name, was, fixed)
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
