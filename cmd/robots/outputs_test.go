package main

import (
	"bytes"
	"io"
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

// TestFlagKinds: each flag with a value has a kind, each kind has a flag, and the help of the flag says the same.
func TestFlagKinds(t *testing.T) {
	used := map[string]bool{}
	for _, cmd := range allCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			row := cmd.Name() + " " + f.Name
			if _, ok := flagKinds[row]; !ok {
				row = f.Name
			}
			kind, ok := flagKinds[row]
			used[row] = true
			if !ok {
				t.Errorf("%s --%s has no kind", cmd.CommandPath(), f.Name)
			}
			name, usage := pflag.UnquoteUsage(f)
			isFile := regexp.MustCompile(`\b(FILE|FOLDER|DIR|CSV|CACHE)\b`).MatchString(name) ||
				regexp.MustCompile("@FILE|in a file|FILE.csv").MatchString(usage)
			if isFile != (kind.file != nil) {
				t.Errorf("%s --%s: the kind and the help differ about files: %q", cmd.CommandPath(), f.Name, f.Usage)
			}
			isOutput := isFile && strings.HasPrefix(usage, "write ") && f.Name != "into"
			if isOutput != kind.isOutput {
				t.Errorf("%s --%s: the kind and the help differ about outputs: %q", cmd.CommandPath(), f.Name, f.Usage)
			}
			isPlural := regexp.MustCompile("^[A-Z]{3,}S$").MatchString(name) && name != "BYTES" && name != "FIXES"
			isList := strings.Contains(name, ",") || isPlural || strings.Contains(usage, "commas") ||
				f.Value.Type() == "stringSlice" || f.Name == "columns"
			if isList != (kind.elements != nil) {
				t.Errorf("%s --%s: the kind and the help differ about lists: %q", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
	}
	for row := range flagKinds {
		if !used[row] {
			t.Errorf("no flag has the kind of %q", row)
		}
	}
}

// writing returns the flags of each command that name a file or a folder to write.
func writing() map[*cobra.Command][]string {
	found := map[*cobra.Command][]string{}
	for _, cmd := range allCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if kindOf(cmd.Name(), f.Name).isOutput {
				found[cmd] = append(found[cmd], f.Name)
			}
		})
	}
	return found
}

// TestOutputs gives each output flag of each command a file that is also an input, or a second
// output: by its name, another spelling, a link, a hard link, a pattern, a folder and a standard
// stream. The command refuses it and leaves the file as it is.
func TestOutputs(t *testing.T) {
	t.Parallel()
	const text = "User-agent: *\nDisallow: /\n"
	all := writing()
	if len(all) < 5 {
		t.Errorf("only %d commands have outputs", len(all))
	}
	for cmd, flags := range all {
		if cmd.Args != nil && cmd.Args(cmd, []string{"robots.txt"}) != nil {
			continue // it has no inputs but those of its flags
		}
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
	t.Parallel()
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
		"settings and output":             {"lint robots.txt", ".robotslint.yaml", "standard output"},
		"settings in a folder and output": {"fmt --check .", ".robotslint.yaml", "standard output"},
		"settings above and output":       {"lint sites/b.example.txt", ".robotslint.yaml", "standard output"},
		"settings of an overview":         {"overview robots.txt", ".robotslint.yaml", "standard output"},
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
				"lists/index":   "", "lists/index.html": "x\n", "h/watch.db": "", "h/history.db": "", ".robotslint.yaml": "profile: google\n",
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

// TestStandardStreams: of every command, each argument and each flag that names a file is refused as
// standard output and as standard error too. A file that a shell made, and that is named like a site, is none.
func TestStandardStreams(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, "shop.example", "User-agent: *\n")
	out, err := os.OpenFile("shop.example", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, streams := range []term.Terminal{
		{Out: out, Err: io.Discard}, {Out: io.Discard, Err: out}, {Out: out, Err: out},
	} {
		streams.In = strings.NewReader("")
		arguments, flags := 0, 0
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
				kind := kindOf(cmd.Name(), f.Name)
				value := "shop.example"
				switch {
				case kind.file == nil:
					return
				case kind.file("@x") == "x":
					value = "@" + value
				case kind.file("x:y") == "x":
					value += ":host"
				}
				alone := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
				alone.AddFlag(f)
				if alone.Set(f.Name, value) != nil {
					return // the history is a folder
				}
				flags++
				outputs, inputs := namedByFlags(alone)
				outputs = append(outputs, standardStreams(streams.Out, streams.Err)...)
				if err := files.Separate(outputs, slices.Values(inputs)); err == nil {
					t.Errorf("robots %s --%s %s >>shop.example is not refused", cmd.CommandPath(), f.Name, value)
				}
			})
		}
		visit(newRoot(&streams))
		if arguments < 25 || flags < 70 {
			t.Errorf("only %d commands and %d flags were checked", arguments, flags)
		}
	}
}

// TestKeptFolders: a file that robots keeps in a folder is refused as each output of each command: if a flag names the
// folder or it is the default one, if it exists or not, and by a link.
func TestKeptFolders(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, name := range []string{"XDG_CACHE_HOME", "XDG_STATE_HOME", "LocalAppData", "HOME"} {
		t.Setenv(name, filepath.Join(top, "user"))
	}
	t.Setenv("STATE_DIRECTORY", "")
	if err := os.Symlink(top, "link"); err != nil {
		t.Skipf("NOT TESTED: no links: %v", err)
	}
	kept := map[string][]string{
		"history": {"history.db", "history.db-wal", "watch.db", "watch.db.lock"}, "cache": {"robots-cache.db", "robots-cache.lock"},
		"parts": {"x.parquet"}, "lists": {"index.jsonl"}, "evidence-check": {"SHA256SUMS"},
	}
	tried := 0
	for _, cmd := range allCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			kind := kindOf(cmd.Name(), f.Name)
			if kind.keeps == nil {
				return
			}
			folders := []string{"new", "link/new", "old", "link/old", "old/../old/"}
			if kind.standard != nil && kind.standard(f.Value.String()) != "" {
				folders = append(folders, "")
			}
			for _, folder := range folders {
				for _, base := range kept[f.Name] {
					tried += refusesKept(t, cmd, f.Name, folder, base)
				}
			}
		})
	}
	if tried < 200 {
		t.Errorf("only %d outputs were tried", tried)
	}
}

// refusesKept checks that each output of a command is refused as a file in the folder of a flag, "" for the default
// folder. It returns the number of outputs.
func refusesKept(t *testing.T, cmd *cobra.Command, flag, folder, base string) (tried int) {
	t.Helper()
	var given []string
	place := filepath.FromSlash(folder)
	if folder == "" {
		kind := kindOf(cmd.Name(), flag)
		place = kind.standard(cmd.Flags().Lookup(flag).Value.String())
	} else {
		given = []string{"--" + flag, place}
	}
	name := filepath.Join(place, base)
	if !strings.HasSuffix(folder, "new") {
		write(t, name, "x")
	}
	refused := func(what string, args []string, streams term.Terminal) {
		tried++
		streams.In = strings.NewReader("")
		same, _, err := newRoot(&streams).Find(strings.Fields(cmd.CommandPath())[1:])
		if err == nil {
			err = same.ParseFlags(slices.Concat(given, args))
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := separateOutputs(same, nil); err == nil || !strings.Contains(err.Error(), what+" would overwrite an input") {
			t.Errorf("%s %q with %s to %s: %v", cmd.CommandPath(), given, what, name, err)
		}
	}
	for _, output := range writing()[cmd] {
		refused("--"+output, []string{"--" + output, name}, term.Terminal{Out: io.Discard, Err: io.Discard})
	}
	if out, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0); err == nil {
		refused("standard output", nil, term.Terminal{Out: out, Err: io.Discard})
		refused("standard error", nil, term.Terminal{Out: io.Discard, Err: out})
		out.Close()
	}
	return tried
}

// TestKeptNames: the files that the databases of robots have are those that their folders keep.
func TestKeptNames(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	runTool(t, "check", "--cache", "c", "--timeout", "1s", "http://127.0.0.1:1/")
	runTool(t, "watch", "--once", "--history", "h", "--timeout", "1s", "http://127.0.0.1:1/")
	for pattern, keeps := range map[string]func(string) bool{"c/*": isOfCache, "h/*": isOfHistory} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) < 2 {
			t.Errorf("%s: %q, %v", pattern, names, err)
		}
		for _, name := range names {
			if !keeps(filepath.Base(name)) {
				t.Errorf("%s is not kept", name)
			}
		}
	}
}

// TestFilesOfVariables: a file that a variable of serve names is compared with the outputs as that of a flag is.
func TestFilesOfVariables(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "secret", "0123456789abcdef\n")
	t.Setenv(variable("token-file"), "secret")
	out, err := os.OpenFile("secret", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for name, streams := range map[string]term.Terminal{
		"standard output": {Out: out, Err: io.Discard}, "standard error": {Out: io.Discard, Err: out},
	} {
		root := newRoot(&streams)
		root.SetArgs([]string{"serve", "--export", "page"})
		err := root.Execute()
		if err == nil || !strings.Contains(err.Error(), name+" would overwrite an input, which is from --token-file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
