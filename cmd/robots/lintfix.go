package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/cmd/internal/fix"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
)

// fixFlag is the value of --fix: the fixes to make.
type fixFlag string

const (
	fixNone  fixFlag = ""
	fixPlain fixFlag = "plain" // those that change no verdict
	fixAll   fixFlag = "all"   // also those that change verdicts
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

// fixed makes the requested fixes, and writes or shows the result. It reports whether
// it has set the findings that are left.
func (r *lintRun) fixed(ctx context.Context, in *report.File, config lint.Config) (left bool, err error) {
	result, err := fix.Make(ctx, in.Body, fix.Config{Lint: config, All: r.fix == fixAll, Steps: config.Steps})
	if err != nil {
		return false, about(in.Name, err)
	}
	if err := r.put(in, result.Body); err != nil {
		return false, err
	}
	in.Fixed, in.NotFixed, in.Changes = result.Made, result.WireRefused(), result.WireChanges()
	if !r.diff {
		in.Findings = result.Findings
	}
	if note := result.Note(config.Profile, r.fix == fixAll); note != "" {
		r.t.Note("%s: %s", term.Source(in.Name), note)
	}
	return !r.diff, nil
}

// put writes or shows a fixed file.
func (r *lintRun) put(in *report.File, fixed []byte) error {
	before := in.Body
	if r.diff {
		// The report contains the findings of the unchanged file.
		return written(report.Patch(r.t, r.out, in.Name, before, fixed))
	}
	in.Body = fixed
	switch {
	case isStdin(in.Name):
		return written(r.t.PrintFile(r.out, fixed))
	case bytes.Equal(before, fixed):
		return nil
	}
	return replaceFile(in.Name, before, fixed)
}

// replaceFile replaces a file. Its errors have hints.
func replaceFile(name string, before, content []byte) error {
	err := files.Replace(name, before, content)
	hint := "nothing is written"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, files.ErrIrregular):
		hint = `"-" reads standard input and writes standard output`
	case errors.Is(err, files.ErrReadOnly):
		hint += "; make it writable, or print the changes with --diff"
	case errors.Is(err, files.ErrChanged):
		hint += "; run robots again"
	case errors.Is(err, fs.ErrPermission):
		hint += "; its folder must be writable too, for the temporary file"
	}
	return term.Errorf(hint, "cannot write %q: %v", name, term.Cause(err))
}
