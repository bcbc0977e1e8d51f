package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestEmptyValues: "" for a flag of any command is an error, because it usually comes from an
// unset variable, and a guard that is ignored is worse than none.
func TestEmptyValues(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, cmd := range allCommands() {
		path := strings.Fields(cmd.CommandPath())[1:]
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			checked++
			forms := [][]string{{"--" + f.Name + "="}, {"--" + f.Name + "= "}}
			if f.NoOptDefVal == "" {
				forms = append(forms, []string{"--" + f.Name, ""})
			}
			for _, arguments := range forms {
				code, _, errors := runTool(t, append(path[:len(path):len(path)], arguments...)...)
				if code != exitUnknown || !strings.Contains(errors, errNoValue.Error()) {
					t.Errorf("robots %q ends with %d: %s", append(path, arguments...), code, errors)
				}
			}
		})
	}
	if checked < 250 {
		t.Errorf("only %d flags were checked", checked)
	}
}

// TestEmptyElements: an empty element of a list is an error as an empty value is, for each flag with a list. A value of
// another flag can have commas.
func TestEmptyElements(t *testing.T) {
	lists, others := 0, 0
	for _, cmd := range allCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			refused := func(want error, values ...string) {
				for _, value := range values {
					if err := f.Value.Set(value); err != want {
						t.Errorf("%s --%s=%q: %v", cmd.CommandPath(), f.Name, value, err)
					}
				}
			}
			refused(errNoValue, "\u00a0", "\u3000", "\u200b", "\ufeff \u2060", "\t\v", `""`, "''", `" "`, "\"\u200b\x01\"")
			if kindOf(cmd.Name(), f.Name).elements == nil {
				others++
				if err := f.Value.Set(","); err == errNoValue || err == errNoElement {
					t.Errorf("%s --%s=, : %v", cmd.CommandPath(), f.Name, err)
				}
				return
			}
			lists++
			before := ""
			if f.Name == "site" {
				before = "https://shop.example="
			}
			refused(errNoValue, ",", ",,", " , ", "\u00a0,")
			refused(errNoElement, before+"a,,b", before+"a,", before+",a", before+"a, ,b", before+"a,\u200b", before+`a,"",b`)
			if f.Value.Type() == "stringSlice" {
				refused(errNoElement, `"",a`, `a,""`)
			}
		})
	}
	if lists < 40 || others < 100 {
		t.Errorf("only %d lists and %d other values were checked", lists, others)
	}
	for _, whole := range [][]string{ // with commas, but no lists
		{"check", "--file", os.DevNull, "--log-format", "$a,,$b", "/"}, {"check", "--file", os.DevNull, "--column", "a,,b", "/"},
		{"check", "--file", os.DevNull, "--exclude", ",", "/"}, {"generate", "--no", "GPTBot=/a,,b"}, {"generate", "--no", "GPTBot=/,"},
	} {
		if _, _, errors := runTool(t, whole...); strings.Contains(errors, "value is empty") || strings.Contains(errors, "list is empty") {
			t.Errorf("robots %q: %s", whole, errors)
		}
	}
}

// TestEmptyArguments: an argument of any command that is empty or blank is an error.
func TestEmptyArguments(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "robots.txt")
	write(t, file, "User-agent: *\nDisallow: /\n")
	checked := 0
	for _, cmd := range allCommands() {
		if cmd.RunE == nil || isOfCobra(cmd.Name()) || cmd.Parent() != nil && isOfCobra(cmd.Parent().Name()) {
			continue
		}
		checked++
		for _, arguments := range [][]string{{""}, {" "}, {file, ""}, {`""`}} {
			arguments = append(strings.Fields(cmd.CommandPath())[1:], arguments...)
			if code, _, errors := runTool(t, arguments...); code != exitUnknown || errors == "" {
				t.Errorf("robots %q ends with %d: %s", arguments, code, errors)
			}
		}
	}
	if checked < 25 {
		t.Errorf("only %d commands were checked", checked)
	}
	for _, arguments := range [][]string{{"check", "--file", file, ""}, {"explain", "--file", file, ""}, {"permit", "--file", file, ""}, {"ai", ""},
		{"lint", ""}, {"fmt", "--check", ""}, {"test", ""}, {"audit", ""}, {"fetch", ""}, {"diff", file, ""}, {"visits", ""}, {"watch", ""}} {
		if code, _, errors := runTool(t, arguments...); code != exitUnknown || !strings.Contains(errors, "an argument is empty") {
			t.Errorf("robots %q ends with %d: %s", arguments, code, errors)
		}
	}
}

// isOfCobra reports whether a command is made by the library for command lines.
func isOfCobra(name string) bool { return name == "help" || strings.HasPrefix(name, "completion") }

// TestEmptyVariables: a variable that is set and empty counts as unset, except those about a
// secret: without it, everybody could use the service.
func TestEmptyVariables(t *testing.T) {
	names := []string{variable("token"), variable("form-key")}
	flagsOfServe(t).VisitAll(func(f *pflag.Flag) { names = append(names, variable(f.Name)) })
	export := func() (code int, errors string, written bool) {
		page := filepath.Join(t.TempDir(), "page")
		code, _, errors = runTool(t, "serve", "--export", page)
		_, err := os.Stat(page)
		return code, errors, err == nil
	}
	secrets := 0
	for _, name := range names {
		t.Setenv(name, "")
		if !strings.Contains(name, "TOKEN") && !strings.Contains(name, "KEY") {
			continue // empty until the end, where none may matter
		}
		secrets++
		if code, errors, written := export(); code != exitUnknown || written || !strings.Contains(errors, name+" is empty") {
			t.Errorf("with an empty %s, robots serve ends with %d: %s", name, code, errors)
		}
		os.Unsetenv(name) // t.Setenv restores it
	}
	if secrets < 3 || secrets == len(names) {
		t.Errorf("%d of %d variables hold a secret", secrets, len(names))
	}
	t.Setenv(variable("allow-ports"), ",")
	code, errors, written := export()
	if code != exitUnknown || written || !strings.Contains(errors, errNoVariable.Error()) {
		t.Errorf("with a comma for a list, robots serve ends with %d: %s", code, errors)
	}
	t.Setenv(variable("allow-ports"), "")
	if code, errors, written := export(); code != 0 || !written {
		t.Errorf("with all other variables empty, robots serve ends with %d: %s", code, errors)
	}
}

// TestSecrets: the secret is the first line of its file, which can be a pipe that never ends.
func TestSecrets(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		write(t, name, text)
		return name
	}
	long := strings.Repeat("s", maxSecret)
	for name, want := range map[string]string{
		file("one line", "secret\r\nnot the secret"): "secret",
		file("spaces", " secret \n"):                 "secret",
		file("longest", long):                        long,
		file("then much", "secret\n"+long+long):      "secret",
	} {
		if got, err := readSecret("token-file", name); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{
		file("empty", ""):                "is empty",
		file("an empty line", "\nline"):  "is empty",
		file("too long", long+"s\n"):     "over 4096 bytes",
		filepath.Join(folder, "missing"): "there is no file",
		"/dev/zero":                      "", // does not exist on every system
	} {
		if got, err := readSecret("token-file", name); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "--token-file") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// endless is a reader of zeros, as /dev/zero.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	e.read += len(p)
	return len(p), nil
}

// TestEndlessSecret: of a secret without an end, robots reads a little more than the limit.
func TestEndlessSecret(t *testing.T) {
	var in endless
	if _, err := firstLine(&in); err == nil || in.read > 2*maxSecret {
		t.Errorf("%d bytes were read: %v", in.read, err)
	}
	if line, err := firstLine(bytes.NewReader([]byte("secret"))); string(line) != "secret" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
}
