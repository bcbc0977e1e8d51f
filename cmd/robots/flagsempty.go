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
			text := &textValue{f.Value, kindOf(cmd.Name(), f.Name)}
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
			if slices.ContainsFunc(args, term.IsBlank) {
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
	kind flagKind
}

// plain returns the value without the refusal.
func (v *textValue) plain() pflag.Value { return v.Value }

func (v *textValue) flagKind() flagKind { return v.kind }

// listValue is a textValue whose elements can be read.
type listValue struct {
	*textValue
	pflag.SliceValue
}

var (
	errNoValue    = errors.New("the value is empty: give one, or omit the flag")
	errNoVariable = errors.New("the value is empty: give one, or unset the variable")
	errNoElement  = errors.New("an element of the list is empty: give it, or remove the extra comma")
)

func (v *textValue) Set(text string) error {
	if term.IsBlank(text) {
		return errNoValue
	}
	if v.kind.elements == nil {
		return v.Value.Set(text)
	}
	if term.IsBlank(strings.ReplaceAll(text, ",", "")) { // as of "$A,$B"
		return errNoValue
	}
	if slices.ContainsFunc(v.kind.elements(text), term.IsBlank) {
		return errNoElement
	}
	return v.Value.Set(text)
}
