package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty makes each flag with a value refuse "", for a command and all below it. Such a value
// usually comes from a variable that is unset in a script: --token-file "$FILE" must not start a
// service without a token.
func refuseEmpty(cmd *cobra.Command) {
	refuse := func(f *pflag.Flag) {
		if f.Value.Type() != "bool" {
			text := &textValue{f.Value}
			f.Value = text
			if list, ok := text.Value.(pflag.SliceValue); ok {
				f.Value = &listValue{text, list}
			}
		}
	}
	cmd.Flags().VisitAll(refuse)
	cmd.PersistentFlags().VisitAll(refuse)
	for _, c := range cmd.Commands() {
		refuseEmpty(c)
	}
}

type textValue struct{ pflag.Value }

// plain returns the value without the refusal.
func (v *textValue) plain() pflag.Value { return v.Value }

// listValue is a textValue whose elements can be read.
type listValue struct {
	*textValue
	pflag.SliceValue
}

var errNoValue = errors.New("the value is empty: give one, or omit the flag")

func (v *textValue) Set(text string) error {
	if text == "" {
		return errNoValue
	}
	return v.Value.Set(text)
}
