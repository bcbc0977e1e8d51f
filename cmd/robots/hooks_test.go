package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
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
	PassFilenames *bool    `yaml:"pass_filenames"`
	Dependencies  []string `yaml:"additional_dependencies"`
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
		for _, name := range []string{
			"robots.txt", "Robots.TXT", "shop.robots.txt", "robots.staging.txt", "robots-old.txt", "robots_1.txt", "shop-robots.txt",
			"robots_txt", "robots.txt.go", "myrobots.txt", "robotsx.txt", "a.robots.b.txt", "notes.txt", ".txt",
		} {
			for _, folder := range []string{"", "public/", "robots.d/"} {
				if got, want := regexp.MustCompile(h.Files).MatchString(folder+
					name), files.IsRobots(name); got != want {
					t.Errorf("%s: %q matches: %v, but robots lint finds it: %v", h.ID, folder+name, got, want)
				}
			}
		}
	}
	if len(ids) != 3 {
		t.Errorf("%d hooks, want 3", len(ids))
	}
}

// TestHooksInstall installs the tool as pre-commit does: all packages of the
// checkout's root, then what each hook depends on.
func TestHooksInstall(t *testing.T) {
	if !long {
		t.Skip("set ROBOTSTXT_LONG: the tool is linked")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	hooks, err := readHooks()
	if err != nil {
		t.Fatal(err)
	}
	installs := map[string]bool{"./...": true}
	for _, h := range hooks {
		if !slices.Equal(h.Dependencies, hooks[0].Dependencies) {
			t.Errorf("%s depends on %q, another hook on %q: pre-commit would make a checkout for each", h.ID, h.Dependencies, hooks[0].Dependencies)
		}
		for _, dependency := range h.Dependencies {
			installs[dependency] = true
		}
	}
	bin := t.TempDir()
	for pattern := range installs {
		install := exec.Command("go", "install", pattern)
		install.Dir = repository
		install.Env = append(os.Environ(), "GOBIN="+bin)
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("go install %s: %v\n%s", pattern, err, out)
		}
	}
	for _, h := range hooks {
		program, _, _ := strings.Cut(h.Entry, " ")
		if _, err := exec.LookPath(filepath.Join(bin, program)); err != nil {
			t.Errorf("%s: %s is not installed: %v", h.ID, program, err)
		}
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
