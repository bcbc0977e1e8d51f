package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// hook is one of the hooks in .pre-commit-hooks.yaml.
type hook struct {
	ID            string
	Name          string
	Description   string
	Entry         string
	Args          []string
	Language      string
	Files         string
	PassFilenames *bool `yaml:"pass_filenames"`
}

func readHooks() (hooks []hook, err error) { return hooks, readYAML(".pre-commit-hooks.yaml", &hooks) }

// TestHooks holds what pre-commit wants of hooks, and that each is for a
// robots.txt wherever it is. That they run is the matter of the script hooks.
func TestHooks(t *testing.T) {
	hooks, err := readHooks()
	if err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]bool)
	for _, h := range hooks {
		command := strings.TrimPrefix(h.ID, "robots-")
		if ids[h.ID] || h.Entry != "robots "+command || h.Name != h.Entry || h.Description == "" || h.Language != "golang" {
			t.Errorf("got %+v", h)
		}
		ids[h.ID] = true
		for name, want := range map[string]bool{"robots.txt": true, "public/shop.robots.txt": true, "robots_txt": false, "robots.txt.go": false} {
			if got := regexp.MustCompile(h.Files).MatchString(name); got != want {
				t.Errorf("%s: is %q a file for it? got %v", h.ID, name, got)
			}
		}
	}
	if len(ids) != 3 {
		t.Errorf("%d hooks, want 3", len(ids))
	}
}

// runHook is a script command, "hook CODE ID FILE...": it runs a hook as
// pre-commit does when these files have changed, and wants exactly that exit
// code.
func runHook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: hook CODE ID FILE...")
	}
	hooks, err := readHooks()
	ts.Check(err)
	for _, h := range hooks {
		if h.ID != args[1] {
			continue
		}
		call := append(strings.Fields(h.Entry), h.Args...)
		changed := 0
		for _, file := range args[2:] {
			if regexp.MustCompile(h.Files).MatchString(file) {
				changed++
				if h.PassFilenames == nil || *h.PassFilenames {
					call = append(call, file)
				}
			}
		}
		if changed == 0 {
			ts.Fatalf("%s does not run for %q", h.ID, args[2:])
		}
		exits(ts, false, append([]string{args[0]}, call...))
		return
	}
	ts.Fatalf("there is no hook %q", args[1])
}
