package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// action is the GitHub Action in action.yml, as far as it can be told here. The
// conditions of its steps are not evaluated, and what they use is not run.
type action struct {
	Name        string
	Description string
	Branding    map[string]string
	Inputs      map[string]actionInput
	Runs        struct {
		Using string
		Steps []actionStep
	}
}

type actionInput struct {
	Description string
	Default     *string
}

type actionStep struct {
	ID    string
	Name  string
	If    string
	Uses  string
	With  map[string]string
	Shell string
	Env   map[string]string
	Run   string
}

// repository is the folder of the repository, from where tests run.
var repository = filepath.Join("..", "..")

// readYAML reads a definition, in which nothing may be that is not known here.
func readYAML(name string, into any) error {
	file, err := os.Open(filepath.Join(repository, name))
	if err != nil {
		return err
	}
	defer file.Close()
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	return decoder.Decode(into)
}

func readAction() (a action, err error) { return a, readYAML("action.yml", &a) }

var (
	isInput     = regexp.MustCompile(`^\$\{\{ inputs\.([a-z-]+) \}\}$`)
	namedInputs = regexp.MustCompile(`\binputs\.([a-z-]+)`)
	namedSteps  = regexp.MustCompile(`\bsteps\.([a-z-]+)`)
	ownFile     = regexp.MustCompile(`^\$\{\{ github\.action_path \}\}/(.+)$`)
)

// TestAction holds that the parts of the action fit together, and that no input
// gets into a script but by the environment, where it cannot be a command.
func TestAction(t *testing.T) {
	a, err := readAction()
	if err != nil {
		t.Fatal(err)
	}
	if a.Runs.Using != "composite" || a.Name == "" || a.Description == "" || len(a.Runs.Steps) == 0 {
		t.Errorf("got %+v", a)
	}
	passed := make(map[string]bool)
	steps := make(map[string]bool)
	for _, s := range a.Runs.Steps {
		a.checkStep(t, s, passed)
		for _, named := range namedSteps.FindAllStringSubmatch(s.If, -1) {
			if !steps[named[1]] {
				t.Errorf("step %s: there is no step %q before it", s.ID, named[1])
			}
		}
		steps[s.ID] = true
	}
	for name, input := range a.Inputs {
		if input.Description == "" || input.Default == nil || !passed[name] {
			t.Errorf("input %s: want a description, a default, and a step that it is passed to", name)
		}
	}
}

func (a *action) checkStep(t *testing.T, s actionStep, passed map[string]bool) {
	if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell != "bash" || s.ID == "" || s.Name == "" {
		t.Errorf("step %+v: want an id, a name, and a script for bash or an action", s)
	}
	if strings.Contains(s.Run, "${{") {
		t.Errorf("step %s: an expression in a script lets its value run as one; pass it in env", s.ID)
	}
	if s.Uses != "" && !regexp.MustCompile(`^actions/[a-z-]+@v[0-9]+$`).MatchString(s.Uses) {
		t.Errorf("step %s uses %q, which is not one of GitHub's at a version", s.ID, s.Uses)
	}
	for name, value := range s.Env {
		if contexts[value] != "" {
			continue
		}
		input := isInput.FindStringSubmatch(value)
		if input == nil {
			t.Errorf("step %s: %s is %q, want an input", s.ID, name, value)
			continue
		}
		passed[input[1]] = true
	}
	for _, value := range slices.AppendSeq([]string{s.If}, maps.Values(s.Env)) {
		for _, named := range namedInputs.FindAllStringSubmatch(value, -1) {
			if _, defined := a.Inputs[named[1]]; !defined {
				t.Errorf("step %s: there is no input %q", s.ID, named[1])
			}
		}
	}
	for _, value := range s.With {
		if own := ownFile.FindStringSubmatch(value); own != nil && !isFile(filepath.Join(repository, own[1])) {
			t.Errorf("step %s: there is no file %q", s.ID, own[1])
		}
	}
}

// contexts are what steps know besides the inputs, by the names that they have here: the
// version at which a workflow uses the action, the base of a pull request and its number.
var contexts = map[string]string{
	"${{ github.action_ref }}":                  "ref",
	"${{ github.event.pull_request.base.sha }}": "base",
	"${{ github.event.pull_request.number }}":   "number",
}

// step returns a step that is a script, and its environment for some inputs and contexts.
func (a *action) step(id string, inputs map[string]string) (s actionStep, env map[string]string, err error) {
	for name := range inputs {
		if _, defined := a.Inputs[name]; !defined && !slices.Contains(slices.Collect(maps.Values(contexts)), name) {
			return s, nil, errors.New("the action has no input " + name)
		}
	}
	for _, s = range a.Runs.Steps {
		if s.ID != id || s.Run == "" {
			continue
		}
		env = make(map[string]string)
		for name, value := range s.Env {
			if context := contexts[value]; context != "" {
				env[name] = inputs[context]
				continue
			}
			input := isInput.FindStringSubmatch(value)[1]
			if given, ok := inputs[input]; ok {
				env[name] = given
			} else {
				env[name] = *a.Inputs[input].Default
			}
		}
		return s, env, nil
	}
	return s, nil, errors.New("the action has no script " + id)
}

// asBash are the arguments of bash by which GitHub runs "shell: bash".
func asBash(script string) []string {
	return []string{"--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script}
}

// runStep is a script command, "step CODE ID [INPUT=VALUE...]": it runs a script
// of the action as GitHub does, with the inputs that are given, and wants exactly
// that exit code. In a value \n stands for a line feed.
func runStep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: step CODE ID [INPUT=VALUE...]")
	}
	a, err := readAction()
	ts.Check(err)
	inputs := make(map[string]string)
	for _, arg := range args[2:] {
		name, value, _ := strings.Cut(arg, "=")
		inputs[name] = strings.ReplaceAll(value, `\n`, "\n")
	}
	s, env, err := a.step(args[1], inputs)
	ts.Check(err)
	for name, value := range env {
		ts.Setenv(name, value)
	}
	exits(ts, false, append([]string{args[0], "bash"}, asBash(s.Run)...))
}

// setRevision is a script command, "revision VARIABLE NAME": it sets a variable to the
// commit that a name means in the repository of the current folder.
func setRevision(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: revision VARIABLE NAME")
	}
	ts.Check(ts.Exec("git", "rev-parse", "--verify", args[1]))
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// workflow is a workflow to copy.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct{ Steps []actionStep }
}

// documentedWorkflow reads the workflow of a file in .github/workflows from a page.
func documentedWorkflow(t *testing.T, page, name string) (w workflow) {
	t.Helper()
	docs := read(t, filepath.Join(repository, "docs", page))
	text := regexp.MustCompile("(?s)\n# \\.github/workflows/" + regexp.QuoteMeta(name) + "\n(.+?)```\n").FindStringSubmatch(docs)
	if text == nil {
		t.Fatalf("%s has no workflow %s", page, name)
	}
	if err := yaml.Unmarshal([]byte(text[1]), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWorkflow: the workflow to copy uses the action with inputs that it has.
func TestWorkflow(t *testing.T) {
	workflow := documentedWorkflow(t, "tool.md", "robots.yml")
	a, err := readAction()
	if err != nil {
		t.Fatal(err)
	}
	given := 0
	for _, step := range workflow.Jobs["robots"].Steps {
		for name := range step.With {
			if _, defined := a.Inputs[name]; !defined && strings.HasPrefix(step.Uses, "kosterhq/robotstxt@") {
				t.Errorf("the action has no input %q", name)
			}
			given++
		}
	}
	if given == 0 || workflow.Permissions["pull-requests"] != "write" {
		t.Errorf("got %+v", workflow)
	}
}

// TestActionInstalls runs the step that installs the tool, from this checkout.
func TestActionInstalls(t *testing.T) {
	if !long {
		t.Skip("set ROBOTSTXT_LONG: the tool is linked")
	}
	for _, needed := range []string{"bash", "go"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(err)
		}
	}
	a, err := readAction()
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := a.step("install", nil)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	paths := filepath.Join(dir, "paths")
	install := exec.Command("bash", asBash(s.Run)...)
	install.Dir = dir
	install.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+dir, "GITHUB_PATH="+paths)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bin := read(t, paths)
	out, err := exec.Command(filepath.Join(strings.TrimSuffix(bin, "\n"), "robots"), "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "robots ") {
		t.Errorf("got %q, %v", out, err)
	}
}
