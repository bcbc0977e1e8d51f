package fix_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

// program is a program that reads robots.txt files in its own way, and that is asked about two files.
type program struct {
	name    string
	names   []string // in fix.Result.Others, if plain fixes may change its verdicts
	install []string // the command that installs it in a folder
	command []string // runs it there
}

const oldURLLib, newURLLib = "older versions of Python's urllib", "Python's urllib"

// programs are strict readers. Those that are installed from a registry run with ROBOTSTXT_LONG.
func programs(t *testing.T) []program {
	t.Helper()
	readers, err := filepath.Abs("testdata/readers")
	if err != nil {
		t.Fatal(err)
	}
	return []program{
		{name: "urllib", names: []string{oldURLLib, newURLLib}, command: []string{"python3", readers + "/readers.py", "urllib"}},
		{name: "temoto", names: []string{"temoto"}, command: []string{"go", "run", readers + "/readers.go"}},
		{
			name: "Protego", names: []string{"Protego"}, command: []string{"python3", readers + "/readers.py", "protego"},
			install: []string{"python3", "-m", "pip", "install", "--quiet", "--target", ".", "protego==0.7.0"},
		},
		{
			name: "robots-parser", command: []string{"node", "readers.mjs"},
			install: []string{"npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "robots-parser@3.0.1"},
		},
	}
}

// task is what a program is asked: the verdicts of two files for some agents and paths.
type task struct {
	name   string
	others []string // that may differ

	Files  [2][]byte `json:"files"`
	Agents []string  `json:"agents"`
	Paths  []string  `json:"paths"`
}

// newTask asks about the agents and patterns of two files.
func newTask(name string, before []byte, r *fix.Result) task {
	const agents, paths = 10, 30
	a, b := robotstxt.Parse(before), robotstxt.Parse(r.Body)
	t := task{name: name, others: r.Others, Files: [2][]byte{before, r.Body}, Agents: []string{"Googlebot", "a-crawler-that-no-file-names"}}
	for _, crawler := range semdiff.Crawlers(a, b) {
		if len(crawler.Tokens) > 0 && len(t.Agents) < agents {
			t.Agents = append(t.Agents, crawler.Tokens[0])
		}
	}
	for path := range witness.Between(patterns(a), patterns(b), paths) {
		t.Paths = append(t.Paths, strings.ToValidUTF8(path, "x"))
	}
	return t
}

// start prepares a program in a folder. It skips the test if a command is missing.
func (p *program) start(t *testing.T) *exec.Cmd {
	t.Helper()
	if p.install != nil && os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skipf("NOT TESTED: %s is installed from a registry; set ROBOTSTXT_LONG", p.name)
	}
	for _, command := range [][]string{p.command, p.install} {
		if len(command) > 0 {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("NOT TESTED: %s: there is no %s", p.name, command[0])
			}
		}
	}
	command := exec.Command(p.command[0], p.command[1:]...)
	if p.install == nil {
		return command
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata/readers")); err != nil {
		t.Fatal(err)
	}
	install := exec.Command(p.install[0], p.install[1:]...)
	install.Dir = folder
	if output, err := install.CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: %s: %v %s", p.name, err, output)
	}
	command.Dir, command.Env = folder, append(os.Environ(), "PYTHONPATH="+folder)
	return command
}

// TestReaders: plain fixes of real files, with mistakes and without, change no verdict of programs that read files in
// their own way, except of those that the result names.
func TestReaders(t *testing.T) {
	var tasks []task
	add := func(name string, body []byte) {
		if r := mustMake(t, string(body), fix.Config{}); r.Made > 0 {
			tasks = append(tasks, newTask(name, body, r))
		}
	}
	for body, name := range mistakenFiles(t) {
		add(name, body)
	}
	for _, c := range readCases(t) {
		add(c.name, []byte(c.body))
	}
	bodies, names := witness.Corpus(t)
	step := 10
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		step = 1
	}
	for i := 0; i < len(bodies); i += step {
		if len(bodies[i]) < 20_000 {
			add(filepath.Base(names[i]), bodies[i])
		}
	}
	var input bytes.Buffer
	for i := range tasks {
		if err := json.NewEncoder(&input).Encode(&tasks[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range programs(t) {
		t.Run(p.name, func(t *testing.T) { p.compare(t, tasks, input.Bytes()) })
	}
}

// compare checks what a program answers about each task.
func (p *program) compare(t *testing.T, tasks []task, input []byte) {
	command := p.start(t)
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := json.NewDecoder(bytes.NewReader(output))
	differ, named := 0, 0
	for _, task := range tasks {
		var difference string
		if err := answers.Decode(&difference); err != nil {
			t.Fatal(err)
		}
		isNamed := slices.ContainsFunc(task.others, func(other string) bool { return slices.Contains(p.names, other) })
		if isNamed {
			named++
		}
		if difference == "" {
			continue
		}
		differ++
		if !isNamed {
			t.Errorf("%s: the plain fixes change a verdict that no note mentions: %s\nbefore %.3000q\nafter  %.3000q", task.name, difference, task.Files[0], task.Files[1])
		}
	}
	t.Logf("%d files with plain fixes; verdicts change in %d, and %d notes name the program", len(tasks), differ, named)
}
