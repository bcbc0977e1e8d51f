package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestSecondWorld: in the second simulated world nobody who obeyed is accused, and each visit that can be
// proved is found, in all forms of logs. Evidence that is written repeats its verdicts.
func TestSecondWorld(t *testing.T) {
	t.Parallel()
	tools := os.Getenv("ROBOTSTXT_VISITS2")
	if tools == "" {
		t.Skip("ROBOTSTXT_VISITS2 is not set")
	}
	for _, program := range []string{"python3", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	robots, err := exec.LookPath("robots")
	if err != nil {
		t.Fatal(err)
	}
	seeds, forms := 10, []string{"vhost", "overlap", "lighttpd", "addr-host", "nginx", "syslog", "alb", "npm", "gcp", "json", "json-path", "caddy", "hostless", "short"}
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		seeds, forms = 1, []string{"overlap", "hostless"}
	}
	for seed := 1; seed <= seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := filepath.Join(t.TempDir(), "world")
			for _, form := range forms { // all would take a gigabyte in all seeds
				run := func(name string, args ...string) {
					cmd := exec.Command(name, args...)
					cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
					if output, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%s: %v\n%s", form, err, output)
					}
				}
				run("python3", filepath.Join(tools, "world.py"), fmt.Sprint(seed), w, form)
				run("sh", filepath.Join(tools, "run.sh"), robots, w, form)
				if form == "overlap" {
					repeatsWorld(t, w, form)
				}
				if err := os.RemoveAll(filepath.Join(w, "logs", form)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// repeatsWorld writes evidence about a world, and repeats its verdicts.
func repeatsWorld(t *testing.T, world, form string) {
	t.Helper()
	var facts struct {
		Forms map[string]struct{ Flags []string } `json:"forms"`
	}
	text, err := os.ReadFile(filepath.Join(world, "world.json"))
	if err == nil {
		err = json.Unmarshal(text, &facts)
	}
	logs, globErr := filepath.Glob(filepath.Join(world, "logs", form, "*"))
	if err := errors.Join(err, globErr); err != nil || len(logs) == 0 {
		t.Fatal(err, "no logs")
	}
	evidence := filepath.Join(world, "evidence")
	args := []string{"visits", "--history", filepath.Join(world, "history"), "--lists", filepath.Join(world, "lists"), "--site", "https://shop.example", "--site", "https://blog.example", "--evidence", evidence}
	output, err := exec.Command("robots", slices.Concat(args, facts.Forms[form].Flags, logs)...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%s: %v\n%s", form, err, output)
	}
	if output, err := exec.Command("robots", "visits", "--evidence-check", evidence).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", form, err, output)
	}
}
