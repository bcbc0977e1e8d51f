package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// refuseEmpty makes each flag with a value refuse an empty or blank one, for a command and all below
// it, and each command an empty argument. Such a value usually comes from a variable that is unset in a
// script: --token-file "$FILE" must not start a service without a token, and check "$URL" must not
// judge the empty path.
func refuseEmpty(cmd *cobra.Command) {
	refuse := func(f *pflag.Flag) {
		if f.Value.Type() != "bool" {
			text := &textValue{f.Value, f}
			f.Value = text
			if list, ok := text.Value.(pflag.SliceValue); ok {
				f.Value = &listValue{text, list}
			}
		}
	}
	cmd.Flags().VisitAll(refuse)
	cmd.PersistentFlags().VisitAll(refuse)
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if slices.ContainsFunc(args, isBlank) {
				return term.Errorf("an argument is empty").Hint("give it, or omit it; a variable of your script might be unset")
			}
			return run(cmd, args)
		}
	}
	for _, c := range cmd.Commands() {
		refuseEmpty(c)
	}
}

type textValue struct {
	pflag.Value
	flag *pflag.Flag
}

// plain returns the value without the refusal.
func (v *textValue) plain() pflag.Value { return v.Value }

// listValue is a textValue whose elements can be read.
type listValue struct {
	*textValue
	pflag.SliceValue
}

var (
	errNoValue   = errors.New("the value is empty: give one, or omit the flag")
	errNoElement = errors.New("an element of the list is empty: give it, or omit its comma")
)

func isBlank(text string) bool { return strings.Trim(text, " \t\r\n") == "" }

func (v *textValue) Set(text string) error {
	if isBlank(strings.ReplaceAll(text, ",", "")) { // as of "$A,$B"
		return errNoValue
	}
	if slices.ContainsFunc(elements(v.flag, text), isBlank) {
		return errNoElement
	}
	return v.Value.Set(text)
}

// elements returns the parts of a flag's value between commas, none if the value is no list. The help of a
// list says so: by its value, as TOKEN,... and RANGES, or by "commas".
func elements(f *pflag.Flag, text string) []string {
	name, usage := pflag.UnquoteUsage(f)
	isList := strings.Contains(name, ",") || strings.Contains(usage, "commas") || f.Value.Type() == "stringSlice" ||
		slices.Contains([]string{"PORTS", "RANGES", "VERDICTS"}, name)
	if !isList {
		return nil
	}
	begin, end, isTwo := strings.Cut(text, "=")
	switch {
	case strings.HasSuffix(name, "[=PATH]"):
		text = begin // a path can contain commas
	case strings.HasPrefix(name, "URL["):
		if !isTwo {
			return nil // a URL without names
		}
		text = end
	}
	return strings.Split(text, ",")
}
