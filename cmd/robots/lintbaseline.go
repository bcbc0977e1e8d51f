package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/baseline"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
)

// baselineFlags select the known findings.
type baselineFlags struct {
	baseline string
	write    bool
}

func (f *baselineFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "hide the findings that `FILE` contains")
	cmd.Flags().BoolVar(&f.write, "write-baseline", false, "write the findings to the file of --baseline, and report none")
}

// maxBaseline is the limit of a baseline, in MiB.
const maxBaseline = 64

// openBaseline returns the known findings.
func (f *baselineFlags) openBaseline() (*knownFindings, error) {
	if f.baseline == "" {
		return &knownFindings{}, nil
	}
	k := &knownFindings{baselineFlags: *f}
	text, err := readBaseline(f.baseline)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.write:
		k.all, err = baseline.New(f.baseline)
		return k, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, term.Errorf("--write-baseline writes it", "there is no file %q", f.baseline)
	case err != nil:
		return nil, err
	}
	k.before = text
	k.all, err = baseline.Parse(f.baseline, text)
	return k, err
}

func readBaseline(name string) ([]byte, error) {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	in, err := openFileInput(name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(maxBaseline, "give a baseline")
}

// knownFindings are the findings of a baseline during a run. Without a baseline nothing
// is known.
type knownFindings struct {
	baselineFlags
	all    *baseline.Baseline // nil without a baseline
	before []byte             // of the file, nil if there is none
	hidden int
	files  int
}

// unlimited returns the configuration for all findings, if there is a baseline: limits
// apply to those that are not known.
func (k *knownFindings) unlimited(config lint.Config) lint.Config {
	if k.all != nil {
		config.MaxFindings, config.MaxPerCode = -1, -1
	}
	return config
}

// apply removes the known findings of a file, or makes all of them known.
func (k *knownFindings) apply(in *report.File) {
	switch {
	case k.all == nil:
	case k.write:
		k.all.Set(in.Name, in.Body, in.Findings)
		in.Findings = []lint.Finding{}
		k.files++
	default:
		in.Findings, in.Known = k.all.Unknown(in.Name, in.Body, in.Findings)
		k.hidden += in.Known
	}
}

// close writes the baseline, or notes how many findings were hidden. complete is true if
// all files were checked.
func (k *knownFindings) close(t *term.Terminal, complete bool) error {
	switch {
	case k.all == nil:
		return nil
	case k.write:
		return k.save(t)
	}
	if k.hidden > 0 {
		t.Note("%s in the baseline %s hidden", term.Count(k.hidden, "finding", "findings"), map[bool]string{true: "is", false: "are"}[k.hidden == 1])
	}
	if complete && k.all.Gone > 0 {
		t.Note("%s of the baseline %s fixed; --write-baseline drops %s", term.Count(k.all.Gone, "finding", "findings"),
			map[bool]string{true: "is", false: "are"}[k.all.Gone == 1], map[bool]string{true: "it", false: "them"}[k.all.Gone == 1])
	}
	return nil
}

// save writes the file of the baseline.
func (k *knownFindings) save(t *term.Terminal) error {
	k.all.Prune()
	text, err := k.all.Text()
	if err != nil {
		return err
	}
	if k.before != nil {
		err = replaceFile(k.baseline, k.before, text)
	} else if err = os.WriteFile(k.baseline, text, 0o644); err != nil {
		err = term.Errorf("", "cannot write %q: %v", k.baseline, term.Cause(err))
	}
	if err == nil {
		t.Note("%s: %s; %s", term.Source(k.baseline), term.Count(k.all.Len(), "finding", "findings"),
			term.Count(k.files, "file was checked", "files were checked"))
	}
	return err
}
