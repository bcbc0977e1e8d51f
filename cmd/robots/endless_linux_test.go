package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// The bounds of a run on an input without an end.
const (
	endlessTime   = time.Minute
	endlessMemory = 1200 // MiB
)

// TestEndless gives each argument and each flag that names a file to read a device that never ends. The
// command ends soon and needs little memory, because it reads no more than a bound; if it has no answer, it says why.
func TestEndless(t *testing.T) {
	const device = "/dev/zero"
	runs := [][]string{{"audit", "zero.csv"}, {"audit", "zero.jsonl"}, {"audit", "--hosts", "zero.csv"}, {"audit", ".", "--strata", "zero.csv:host"},
		{"check", "--limit", "none", "--file", device, "/"}, {"check", "--file", "robots.txt", "--urls", "-", "/"}, {"lint", "-"}, {"test", "-"},
		{"fmt", "-"}, {"diff", "-", "robots.txt"}, {"visits", "-"}, {"history", "import", "--history", "h", "--warc", "zero.jsonl"}}
	arguments := map[string][]string{ // beside the device
		"check": {"--file", "robots.txt", "/"}, "explain": {"--file", "robots.txt", "/"}, "permit": {"--file", "robots.txt", "https://shop.example/"},
		"diff": {"robots.txt", "robots.txt"}, "test": {"shop.robots-test"}, "lint": {"robots.txt"}, "fmt": {"--check", "robots.txt"},
		"visits": {"access.log"}, "audit": {"."}, "watch": {"--once", "--timeout=100ms", "shop.example"}, "fetch": {"--timeout=100ms", "shop.example"},
		"ai": {"robots.txt"}, "minimize": {"robots.txt"}, "overview": {"robots.txt"}, "generate": {"--no=ai-training", "--diff"},
		"serve": {"--listen=127.0.0.1:0", "--admin=none"},
	}
	for _, cmd := range allCommands() {
		path := strings.Fields(cmd.CommandPath())[1:]
		if cmd.RunE == nil || len(path) == 0 || isOfCobra(path[0]) {
			continue
		}
		if !slices.Contains(siteCommands, cmd.Name()) {
			last := []string{device}
			if cmd.Name() == "diff" {
				last = append(last, "robots.txt")
			}
			runs = append(runs, slices.Concat(path, last))
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			kind := kindOf(cmd.Name(), f.Name)
			if kind.file == nil || kind.isOutput || cmd.Name() == "serve" && f.Name == "cache" {
				return // the service goes on without its cache
			}
			value := device
			if kind.file("@x") == "x" {
				value = "@" + device
			}
			runs = append(runs, slices.Concat(path, []string{"--" + f.Name, value}, arguments[cmd.Name()]))
		})
	}
	if len(runs) < 60 {
		t.Errorf("only %d runs", len(runs))
	}
	for _, args := range runs {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			write(t, filepath.Join(folder, "robots.txt"), "User-agent: *\nDisallow: /\n")
			write(t, filepath.Join(folder, "shop.robots-test"), "agents: GPTBot\ndeny: /\n")
			write(t, filepath.Join(folder, "access.log"), "")
			for _, link := range []string{"zero.csv", "zero.jsonl"} {
				if err := os.Symlink(device, filepath.Join(folder, link)); err != nil {
					t.Skipf("NOT TESTED: no links: %v", err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), endlessTime)
			defer cancel()
			robots := exec.CommandContext(ctx, "robots", args...)
			robots.Dir, robots.Env = folder, append(os.Environ(), "XDG_CACHE_HOME="+folder, "HOME="+folder, "XDG_STATE_HOME="+folder)
			in, err := os.Open(device)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var out, errs bytes.Buffer
			robots.Stdin, robots.Stdout, robots.Stderr = in, &out, &errs
			err = robots.Run()
			memory := peakOf(robots.ProcessState)
			t.Logf("at most %d MiB", memory)
			code := robots.ProcessState.ExitCode()
			if ctx.Err() != nil || memory > endlessMemory || code < 0 || code == exitUnknown && errs.Len() == 0 {
				t.Errorf("robots %q: %v, %v, %d MiB, %.200q", args, ctx.Err(), err, memory, &errs)
			}
		})
	}
}

// peakOf returns the memory in MiB that a process used at its peak, 0 if this one used more: a process begins with
// the peak of the one that starts it.
func peakOf(state *os.ProcessState) int64 {
	var own syscall.Rusage
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok || syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || usage.Maxrss <= own.Maxrss {
		return 0
	}
	return usage.Maxrss / 1024
}
