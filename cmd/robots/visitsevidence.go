package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
)

// judgingFlags are the flags of which evidence keeps the values: those that decide verdicts. A folder from
// elsewhere can set no other flag.
var judgingFlags = []string{"site", "served-since", "logs-since", "no-site-cache", "site-cache", "deploy-lag", "map", "log-format", "trusted-proxies",
	"timezone", "agent", "purpose", "operator", "since", "until"}

// validateEvidence returns an error if there can be no evidence.
func (v *visitsFlags) validateEvidence(logs []string) error {
	switch {
	case v.evidence == "":
		return nil
	case v.lists == "" || v.history == "" && v.servedSince == "":
		return term.Errorf("without --lists, and --history or --served-since, no visit is known to have disobeyed, so there is no evidence").Hint("add them")
	case v.dns:
		return term.Errorf("--evidence and --dns cannot both be given").Hint("omit --dns: lists can be kept, but nobody can ask DNS about the past")
	case slices.Contains(logs, "-"):
		return term.Errorf("evidence reads the logs twice, but standard input can be read only once").Hint("put it into a file")
	}
	for _, name := range logs {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() || files.IsDescriptor(name) {
			return term.Errorf("evidence names each log and reads it twice, but %q is not the name of a file", name).Hint("put its lines into one")
		}
	}
	for _, name := range slices.Concat(v.out, v.hitsOut, v.addressesOut, []string{v.report}) {
		if name != "" && files.IsInside(name, v.evidence) {
			return term.Errorf("%q would be in the folder of the evidence, which has only evidence", name).Hint("write it elsewhere")
		}
	}
	return files.CheckNewFolder(v.evidence)
}

// keptFlags returns the judging flags that are given.
func (v *visitsFlags) keptFlags() (all [][2]string) {
	for _, name := range judgingFlags {
		f := v.flags.Lookup(name)
		if f == nil || !f.Changed {
			continue
		}
		values := valuesOf(f)
		if name == "trusted-proxies" {
			values = nil
			for _, prefix := range v.trusted {
				values = append(values, prefix.String())
			}
		}
		for _, value := range values {
			if at, err := times.Parse(value); err == nil && slices.Contains([]string{"served-since", "logs-since", "since", "until"}, name) {
				value = at.UTC().Format(time.RFC3339Nano) // the note about its zone was printed
			}
			all = append(all, [2]string{name, value})
		}
	}
	return all
}

var errNoEvidence = errors.New("no visit disobeyed")

// writeEvidence writes the folder of --evidence while run judges. A folder that does not repeat itself is an
// error.
func (v *visitsFlags) writeEvidence(ctx context.Context, t *term.Terminal, config *visits.Config,
	run func(context.Context) error) error {
	err := files.WriteFolder(ctx, v.evidence, func(ctx context.Context, folder string) error {
		config.Evidence = &visits.Evidence{
			Folder: folder, Lists: v.lists, Flags: v.keptFlags(), Program: thisProgram(), Written: time.Now(),
		}
		switch err := run(ctx); {
		case err != nil:
			return err
		case config.Evidence.IsEmpty():
			return errNoEvidence
		}
		kept, err := visits.OpenEvidence(folder)
		if err == nil {
			_, err = repeat(ctx, t, kept)
		}
		if err != nil {
			return term.Errorf("the evidence does not repeat the verdicts: %v", err).Hint("report this as a defect of robots")
		}
		return nil
	})
	if errors.Is(err, errNoEvidence) {
		t.Note("no visit disobeyed, so %s is not written", term.Escape(v.evidence))
		return nil
	}
	return err
}

// thisProgram returns the name and the version of this program.
func thisProgram() string { return "robots " + build().version }

// check repeats the verdicts of --evidence-check.
func (v *visitsFlags) check(ctx context.Context, t *term.Terminal, logs []string) error {
	if len(logs) > 0 {
		return term.Errorf("--evidence-check reads no logs").Hint("give the folder alone")
	}
	others := []string{"file", "history", "lists", "dns", "evidence", "out", "hits-out", "addresses-out", "report", "json", "format", "excel", "by"}
	for _, name := range slices.Concat(judgingFlags, others) {
		if f := v.flags.Lookup(name); f != nil && f.Changed {
			return term.Errorf("--%s has no effect on --evidence-check", name).Hint("omit it: the folder has its own flags")
		}
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	kept, err := visits.OpenEvidence(v.evidenceCheck)
	if err != nil {
		return err
	}
	repeated, err := repeat(ctx, t, kept)
	if different := (*visits.DifferentError)(nil); errors.As(err, &different) {
		t.PrintError(term.Errorf("%v", different).Hint("the folder was written by " + term.Escape(kept.Program)))
		return ending(false, true)
	}
	if err != nil {
		return orInterrupted(err)
	}
	for _, crawler := range slices.Sorted(maps.Keys(repeated.Visits)) {
		_, err := fmt.Fprintf(t.Out, "%s: %s disobeyed, as the folder says\n", term.Escape(crawler), term.Count(int(repeated.Visits[crawler]), "visit", "visits"))
		if err != nil {
			return term.WriteError(err)
		}
	}
	if !repeated.IsWhole {
		t.Note("%s wrote the folder, so its pages and evidence.json are not compared with those that %s would write", term.Escape(kept.Program), thisProgram())
	}
	return nil
}

// repeat repeats the verdicts of a folder with its flags.
func repeat(ctx context.Context, t *term.Terminal, kept *visits.Kept) (*visits.Repeated, error) {
	v := &visitsFlags{file: kept.File(), lists: kept.Lists()}
	cmd := &cobra.Command{}
	v.define(cmd)
	v.file, v.lists = kept.File(), kept.Lists()
	for _, flag := range kept.Flags {
		if !slices.Contains(judgingFlags, flag[0]) {
			return nil, term.Errorf("the folder sets the flag %s, which decides no verdict", term.Escape(strings.TrimPrefix(flag[0], "-")))
		}
		if err := cmd.Flags().Set(flag[0], flag[1]); err != nil {
			return nil, err
		}
	}
	config, done, err := v.config(ctx, t)
	if err != nil {
		return nil, err
	}
	defer done()
	config.Stated = v.stated(&config, true) // a history is not a flag of the check
	return kept.Check(ctx, config, thisProgram())
}

// writeAddresses writes the tables of --addresses-out.
func (v *visitsFlags) writeAddresses(t *term.Terminal, addresses *visits.Addresses) error {
	if addresses == nil {
		return nil
	}
	rows := addresses.Rows()
	if addresses.IsFull() {
		t.Note("there are more addresses: the table has the first %s", term.Thousands(len(rows)))
	}
	return audit.WriteTables(v.addressesOut, func(write func(*visits.AddressRow) error) error {
		for _, row := range rows {
			if err := write(row); err != nil {
				return err
			}
		}
		return nil
	})
}
