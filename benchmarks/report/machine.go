package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/driver"
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
	row("machine", machine())
	row("Go", runtime.Version()+", GOMAXPROCS=1 unless stated otherwise")
	row("this project", "`kosterhq`, "+commit())
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

func machine() string {
	model := "unknown processor"
	// The file exists only on Linux.
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

// commit returns the commit of the checkout in words.
func commit() string {
	id, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude=*").Output()
	if err != nil {
		return "of unknown commit"
	}
	text := strings.TrimSpace(string(id))
	if clean, dirty := strings.CutSuffix(text, "-dirty"); dirty {
		return "commit " + clean + " with changes"
	}
	return "commit " + text
}
