package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// writing returns the flags of each command that name a file to write: those whose help begins
// with "write", and whose value is a file.
func writing(t *testing.T) map[*cobra.Command][]string {
	t.Helper()
	found := map[*cobra.Command][]string{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(f)
			isOutput := strings.HasPrefix(name, "FILE") && strings.HasPrefix(usage, "write ") && f.Name != "into"
			if isOutput != slices.Contains(outputFileFlags, f.Name) {
				t.Errorf("%s --%s: outputFileFlags and the help differ: %q", cmd.Name(), f.Name, f.Usage)
			}
			if isOutput {
				found[cmd] = append(found[cmd], f.Name)
			}
		})
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRoot(&term.Terminal{In: strings.NewReader(""), Out: new(bytes.Buffer), Err: new(bytes.Buffer)}))
	return found
}

// TestOutputs gives each output flag of each command a file that is also an input, or a second
// output: by its name, another spelling, a link, a hard link, a pattern, a folder and a standard
// stream. The command refuses it and leaves the file as it is.
func TestOutputs(t *testing.T) {
	const text = "User-agent: *\nDisallow: /\n"
	all := writing(t)
	if len(all) < 5 {
		t.Errorf("only %d commands have outputs", len(all))
	}
	for cmd, flags := range all {
		folder := t.TempDir()
		in := filepath.Join(folder, "robots.txt")
		refused := func(want string, args ...string) {
			t.Helper()
			robots := exec.Command("robots", append(strings.Fields(cmd.CommandPath())[1:], args...)...)
			robots.Dir = folder
			var errs bytes.Buffer
			robots.Stderr = &errs
			for i, redirect := range args { // as a shell does
				if name, ok := strings.CutPrefix(redirect, "<"); ok {
					robots.Args = slices.Delete(robots.Args, len(robots.Args)-len(args)+i,
						len(robots.Args)-len(args)+i+1)
					f, err := os.Open(filepath.Join(folder, name))
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					robots.Stdin = f
				}
				if name, ok := strings.CutPrefix(redirect, ">"); ok {
					robots.Args = slices.Delete(robots.Args, len(robots.Args)-len(args)+i,
						len(robots.Args)-len(args)+i+1)
					f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE, 0o600)
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					robots.Stdout = f
				}
			}
			err := robots.Run()
			if robots.ProcessState.ExitCode() != 2 || !strings.Contains(errs.String(), want) {
				t.Errorf("%s %q: %v, %s", cmd.CommandPath(), args, err, &errs)
			}
			if now, err := os.ReadFile(in); err != nil || string(now) != text {
				t.Fatalf("%s %q: the input is %q, %v", cmd.CommandPath(), args, now, err)
			}
		}
		write(t, in, text)
		if err := os.Mkdir(filepath.Join(folder, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		for link, make := range map[string]func(old, new string) error{"symbolic": os.Symlink, "hard": os.Link} {
			if err := make(in, filepath.Join(folder, link)); err != nil {
				t.Skipf("NOT TESTED: no links: %v", err)
			}
		}
		for _, name := range flags {
			flag := "--" + name
			const input, twice = " would overwrite an input", " write to one file"
			refused(flag+input, flag, "robots.txt", "robots.txt")
			refused(flag+input, flag, in, "./x/../robots.txt")
			refused(flag+input, flag+"=symbolic", "robots.txt")
			refused(flag+input, flag+"=robots.txt", "hard")
			refused(flag+input, flag, "robots.txt", ".")
			refused(flag+input, flag, "robots.txt", "*.txt")
			refused(flag+input, flag, "robots.txt", "-", "<robots.txt")
			refused(flag+" and standard output"+twice, flag, "new", "x", ">new")
			if cmd.Flags().Lookup(name).Value.Type() == "stringArray" {
				refused(flag+input, flag, "robots.txt", flag, "new.csv", "robots.txt")
				refused(flag+input, flag, "new.csv", flag+"=symbolic", "robots.txt")
				devices := exec.Command("robots", append(strings.Fields(cmd.CommandPath())[1:],
					flag, os.DevNull, flag, os.DevNull, "robots.txt")...)
				devices.Dir = folder
				if out, _ := devices.CombinedOutput(); strings.Contains(string(out), twice) {
					t.Errorf("%q: %s", devices.Args, out)
				}
			}
			for _, other := range flags {
				if other != name || cmd.Flags().Lookup(name).Value.Type() == "stringArray" {
					refused(twice, flag, "made.csv", "--"+other, "x/../made.csv")
					refused(twice, flag, "hard", "--"+other, "symbolic")
				}
			}
		}
	}
}

// TestFoundOutputs: a command that finds inputs by its arguments, in folders and in other files,
// compares these with its outputs too, and leaves everything as it is.
func TestFoundOutputs(t *testing.T) {
	for name, test := range map[string]struct {
		args   string
		output string // standard output, appended to
		want   string
	}{
		"a folder, by a link":             {"audit . --report link.html", "", "--report"},
		"a folder, by its own file":       {"audit sites --out sites/a.csv", "", "--out"},
		"a file in a folder, hard link":   {"audit sites --report hard.html", "", "--report"},
		"a list":                          {"audit --inputs list --out a.jsonl", "", "--out"},
		"a list of other folders":         {"audit --inputs list --inputs-base sites --crawlers-out sites/a.jsonl", "", "--crawlers-out"},
		"a label":                         {"audit 2025=a.jsonl 2026=sites --changes-out a.jsonl", "", "--changes-out"},
		"strata":                          {"audit sites --strata s.csv:country --out s.csv", "", "--out"},
		"a table":                         {"audit . --quiet", "a.jsonl", "standard output"},
		"expectations name a file":        {"test t.robots-test --junit robots.txt", "", "--junit"},
		"expectations name a linked file": {"test t.robots-test --junit symbolic", "", "--junit"},
		"expectations in a folder":        {"test . --junit t.robots-test", "", "--junit"},
		"expectations by a pattern":       {"test *.robots-test --junit t.robots-test", "", "--junit"},
		"expectations and output":         {"test . --quiet", "robots.txt", "standard output"},
		"a log and output":                {"visits al.csv", "al.csv", "standard output"},
		"a file and output":               {"lint robots.txt", "robots.txt", "standard output"},
		"a file and output, by a link":    {"minimize symbolic", "robots.txt", "standard output"},
		"a folder and output":             {"lint .", "robots.txt", "standard output"},
		"a pattern and output":            {"fmt --check r*.txt", "robots.txt", "standard output"},
		"--file of a folder and output":   {"check --file . /", "robots.txt", "standard output"},
		"a new file among the lists":      {"visits al.csv --lists lists --hits-out lists/new.csv", "", "--hits-out"},
		"a file of the lists":             {"visits al.csv --lists lists --report lists/index.html", "", "--report"},
		"lists and output":                {"visits al.csv --lists lists", "lists/index", "standard output"},
		"the history":                     {"watch shop.example --once --history h --atom h/history.db", "", "--atom"},
		"the state of watch, by a link":   {"watch shop.example --once --history h --atom watch.xml", "", "--atom"},
		"a header and output":             {"fetch shop.example --header @list", "list", "standard output"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			texts := map[string]string{
				"a.jsonl": `{"host":"shop.example","body":"User-agent: *"}` + "\n", "list": "a.jsonl\n",
				"robots.txt": "User-agent: *\nDisallow: /\n", "s.csv": "host,country\na.example,de\n", "al.csv": "x\n",
				"t.robots-test": "robots: robots.txt\nagents: *\ndeny: /\n", "sites/b.example.txt": "User-agent: *\n",
				"sites/a.jsonl": `{"host":"shop.example","body":"User-agent: *"}` + "\n",
				"sites/a.csv":   "host,body\na.example,User-agent: *\n",
				"lists/index":   "", "lists/index.html": "x\n", "h/watch.db": "", "h/history.db": "",
			}
			for name, text := range texts {
				write(t, filepath.Join(folder, name), text)
			}
			for link, of := range map[string]string{"link.html": "a.jsonl", "symbolic": "robots.txt", "watch.xml": "h/watch.db"} {
				if err := os.Symlink(of, filepath.Join(folder, link)); err != nil {
					t.Skipf("NOT TESTED: no links: %v", err)
				}
			}
			if err := os.Link(filepath.Join(folder, "sites", "b.example.txt"), filepath.Join(folder, "hard.html")); err != nil {
				t.Skipf("NOT TESTED: no links: %v", err)
			}
			robots := exec.Command("robots", strings.Fields(test.args)...)
			robots.Dir = folder
			var errs bytes.Buffer
			robots.Stderr = &errs
			if test.output != "" {
				f, err := os.OpenFile(filepath.Join(folder, test.output), os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				robots.Stdout = f
			}
			err := robots.Run()
			if robots.ProcessState.ExitCode() != 2 || !strings.Contains(errs.String(), test.want+" would overwrite an input") {
				t.Errorf("%v, %s", err, &errs)
			}
			for name, text := range texts {
				if now, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(now) != text {
					t.Errorf("%s is %q, %v", name, now, err)
				}
			}
			if left, err := filepath.Glob(filepath.Join(folder, "*.parts")); len(left) > 0 {
				t.Errorf("%q is left, %v", left, err)
			}
		})
	}
}

// TestStandardOutput: of every command, each argument and each flag that names a file is refused as
// standard output too. A file that a shell made, and that is named like a site, is none.
func TestStandardOutput(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, "shop.example", "User-agent: *\n")
	out, err := os.OpenFile("shop.example", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	arguments, flags := 0, 0
	root := newRoot(&term.Terminal{In: strings.NewReader(""), Out: out, Err: new(bytes.Buffer)})
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			visit(c)
		}
		if cmd.RunE == nil || isOfCobra(cmd.Name()) || cmd.Parent() != nil && isOfCobra(cmd.Parent().Name()) {
			return
		}
		namesFiles := regexp.MustCompile(`\b(FILE|LOG|INPUT|OLD|DIR|LIST)`).MatchString(cmd.Use[strings.LastIndex(cmd.Use, "[flags]")+1:])
		err := separateOutputs(cmd, []string{"shop.example"})
		if refused := err != nil; namesFiles && !refused || slices.Contains(siteCommands, cmd.Name()) == refused {
			t.Errorf("robots %s >>shop.example: %v", cmd.Use, err)
		}
		arguments++
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(f)
			mentions := regexp.MustCompile("FILE|FOLDER|DIR|CSV").MatchString(name) || regexp.MustCompile("@FILE|in a file").MatchString(usage)
			value := "shop.example"
			if strings.Contains(usage, "@FILE") {
				value = "@" + value
			}
			alone := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
			alone.AddFlag(f)
			if !mentions || alone.Set(f.Name, value) != nil {
				return
			}
			outputs, inputs := namedByFlags(alone)
			flags++
			if err := files.Separate(append(outputs, standardOutput(out)...), slices.Values(inputs)); err == nil {
				t.Errorf("robots %s --%s shop.example >>shop.example is not refused", cmd.CommandPath(), f.Name)
			}
		})
	}
	visit(root)
	if arguments < 25 || flags < 30 {
		t.Errorf("only %d commands and %d flags were checked", arguments, flags)
	}
}
