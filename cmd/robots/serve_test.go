package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// flagsOfServe returns the flags of robots serve.
func flagsOfServe(t *testing.T) *pflag.FlagSet {
	for _, cmd := range allCommands() {
		if cmd.Name() == "serve" {
			return cmd.Flags()
		}
	}
	t.Fatal("there is no robots serve")
	return nil
}

// TestSettings: the table in docs/http-api.md is that of the flags.
func TestSettings(t *testing.T) {
	var table strings.Builder
	table.WriteString("| flag | variable | default | meaning |\n|---|---|---|---|\n")
	flagsOfServe(t).VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "color" {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		if name != "" {
			name = " " + name
		}
		standard := f.DefValue
		switch {
		case standard == "0" || standard == "[]" || standard == "0s" || standard == "false" || f.Name == "user-agent":
			standard = ""
		case standard != "":
			standard = "`" + standard + "`"
		}
		fmt.Fprintf(&table, "| `--%s%s` | `%s` | %s | %s |\n", f.Name, name, variable(f.Name), standard, usage)
	})
	text := read(t, "../../docs/http-api.md")
	_, got, _ := strings.Cut(text, "<!-- settings -->\n\n")
	got, _, _ = strings.Cut(got, "\n<!-- end -->")
	if got != table.String() {
		t.Errorf("the table of settings in docs/http-api.md should be\n\n%s", table.String())
	}
}

// TestFewSettings: an operator decides who may come, where the service listens, what it may fetch,
// its memory, and whom it trusts. Every other limit is a constant.
func TestFewSettings(t *testing.T) {
	count := 0
	flagsOfServe(t).VisitAll(func(*pflag.Flag) { count++ })
	if count > 35 {
		t.Errorf("robots serve has %d flags, more than 35", count)
	}
}

// TestConfigFlags: every field of serve.Config that a user may want to set has a flag, and
// errors about it name that flag.
func TestConfigFlags(t *testing.T) {
	flags := flagsOfServe(t)
	without := map[string]bool{
		"Token": true, "FormKey": true, // secrets: files and variables
		"TrustedProxies": true, "Guard": true, "Store": true, "StoreTimeout": true, "Watched": true, // flags with names of their own
		"Bounds":   true,               // no operator needs to change them
		"Resolver": true, "Dial": true, // for tests
		"Version": true, "Logger": true, "AccessLog": true,
	}
	fields := reflect.TypeFor[serve.Config]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Name; !without[name] && flags.Lookup(flagOf(name)) == nil {
			t.Errorf("the field %s has no flag --%s", name, flagOf(name))
		}
	}
}

// TestMemory: the limits of the unit and of the containers are a tenth above the memory of the
// process, and docs/operations.md has the parts.
func TestMemory(t *testing.T) {
	config, err := serve.Config{UserAgent: "TestBot"}.Filled()
	if err != nil {
		t.Fatal(err)
	}
	if most := config.Memory(); most*11/10 > 2<<30 {
		t.Errorf("the process may take %d MiB", most>>20)
	}
	for name, want := range map[string]string{
		"deploy/robots.service": "\nMemoryMax=2G\n", "deploy/compose.yaml": "\n  mem_limit: 2g\n", "deploy/image/main.go": "--memory 2g",
		"docs/operations.md": fmt.Sprintf("With the defaults it is %.1f GiB", float64(config.Memory())/(1<<30)),
	} {
		text := read(t, "../../"+name)
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q", name, want)
		}
	}
}

// TestDeploy: the files in deploy set variables that exist, and systemd accepts the unit.
func TestDeploy(t *testing.T) {
	known := map[string]bool{variable("token"): true, variable("form-key"): true}
	flagsOfServe(t).VisitAll(func(f *pflag.Flag) { known[variable(f.Name)] = true })
	set := 0
	for _, name := range []string{"deploy/robots.service", "deploy/image/main.go", "deploy/compose.yaml", "deploy/kubernetes.yaml", "deploy/nginx.conf", "deploy/Caddyfile", "docs/http-api.md", "docs/operations.md"} {
		text := read(t, "../../"+name)
		for _, found := range regexp.MustCompile(`ROBOTS_SERVE_[A-Z0-9_]+`).FindAllString(text, -1) {
			set++
			if !known[found] {
				t.Errorf("%s sets %s, which has no effect", name, found)
			}
		}
	}
	if set < 10 {
		t.Errorf("only %d variables were found", set)
	}
	var compose struct {
		Services map[string]struct{ Image string }
	}
	text := read(t, "../../deploy/compose.yaml")
	if err := yaml.Unmarshal([]byte(text), &compose); err != nil || len(compose.Services) != 3 ||
		!strings.HasPrefix(compose.Services["robots-2"].Image, "robots:v") {
		t.Errorf("the services are %+v: %v", compose.Services, err)
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip(err)
	}
	self, err := os.Executable() // because systemd looks for the program
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	verify := []string{"verify"}
	for _, name := range []string{"robots.service", "robots-watch.service", "robots-watch.timer"} {
		unit := read(t, "../../deploy/"+name)
		name = filepath.Join(folder, name)
		write(t, name, strings.ReplaceAll(unit, "=/usr/local/bin/robots", "="+self))
		verify = append(verify, name)
	}
	if output, err := exec.CommandContext(t.Context(), "systemd-analyze", verify...).CombinedOutput(); err != nil || len(output) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, output)
	}
}
