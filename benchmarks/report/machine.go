package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/machine"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// head returns the table at the top of a page: command, date, machine, versions and
// files.
func (r *report) head(only string) string {
	var b strings.Builder
	b.WriteString("| measured | |\n|---|---|\n")
	row := func(what, value string) { fmt.Fprintf(&b, "| %s | %s |\n", what, value) }
	row("command, in `benchmarks/`", "`"+r.command+only+"`")
	row("date", time.Now().Format(time.DateOnly))
	row("machine", machine.Name())
	row("Go", runtime.Version()+", GOMAXPROCS=1 unless stated otherwise")
	row("this project", "`kosterhq`, "+machine.Commit())
	for _, p := range peers.All()[1:] {
		row("peer", fmt.Sprintf("`%s`: %s %s", p.Name, p.Module, p.Version()))
	}
	for _, p := range r.drivers {
		row("peer", fmt.Sprintf("`%s`: %s", p.Name, p.Version))
	}
	for _, program := range []driver.Program{driver.Google(), driver.Fast()} {
		if !slices.ContainsFunc(r.drivers, func(p *driver.Process) bool { return p.Name == program.Name }) {
			row("peer left out", "`"+program.Name+"`: its environment variable is not set")
		}
	}
	for _, s := range r.sets {
		row("files, "+s.Name, s.String())
	}
	row("method", fmt.Sprintf("up to %d rounds, in each of which the peers take turns for %v; times are the least of all rounds, "+
		"ratios are medians with quartiles, each computed from two times of the same round", r.pace.Rounds, r.pace.Slice))
	return b.String() + "\n"
}
