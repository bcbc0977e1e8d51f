package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/serve"
)

// serveFlags returns the flags of robots serve.
func serveFlags(t *testing.T) *pflag.FlagSet {
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
	serveFlags(t).VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Name == "color" {
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
	text, err := os.ReadFile("../../docs/http-api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(string(text), "<!-- settings -->\n\n")
	got, _, _ = strings.Cut(got, "\n<!-- end -->")
	if got != table.String() {
		t.Errorf("the table of settings in docs/http-api.md should be\n\n%s", table.String())
	}
}

// TestConfigFlags: every field of serve.Config that a user may want to set has a flag, and
// errors about it name that flag.
func TestConfigFlags(t *testing.T) {
	flags := serveFlags(t)
	without := map[string]bool{
		"Token": true, "FormKey": true, // secrets: files and variables
		"TrustedProxies": true, "Limits": true, "Guard": true, "Store": true, "StoreTimeout": true, // flags with names of their own
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
