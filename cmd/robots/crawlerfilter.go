package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
)

// crawlerFilter has the flags that select known crawlers by purpose and operator.
type crawlerFilter struct{ purposes, operators []string }

// define defines the flags. verb is what the command does with the crawlers.
func (f *crawlerFilter) define(cmd *cobra.Command, verb string) {
	cmd.Flags().StringSliceVar(&f.purposes, "purpose", nil, verb+" the known crawlers with a `PURPOSE`, or one of several with commas: "+strings.Join(purposes(), ", "))
	complete(cmd, "purpose", purposes())
	cmd.Flags().StringSliceVar(&f.operators, "operator", nil, verb+" the known crawlers of an `OPERATOR`, or of several with commas")
	completeFrom(cmd, "operator", func(string) []string { return operators() })
}

// narrowed reports whether a flag is given.
func (f *crawlerFilter) narrowed() bool { return len(f.purposes) > 0 || len(f.operators) > 0 }

// selection returns the selection of the flags, without retired crawlers.
func (f *crawlerFilter) selection() (s crawlers.Selection, err error) {
	for _, name := range f.purposes {
		name, err := oneOf("purpose", name, purposes())
		if err != nil {
			return s, err
		}
		s.Purposes = append(s.Purposes, crawlers.Purpose(name))
	}
	for _, name := range f.operators {
		name, err := oneOf("operator", name, operators())
		if err != nil {
			return s, err
		}
		s.Operators = append(s.Operators, name)
	}
	return s, nil
}

// selected returns the crawlers that the flags select, without retired ones. It is an
// error if there are none.
func (f *crawlerFilter) selected() ([]crawlers.Crawler, error) {
	selection, err := f.selection()
	if err != nil {
		return nil, err
	}
	chosen := crawlers.Select(selection)
	if len(chosen) == 0 {
		return nil, term.Errorf(`"robots crawlers" lists the known ones`, "no known crawler in use has %s", f)
	}
	return chosen, nil
}

// String returns the filter as a clause: "the purpose ads and the operator Google".
func (f *crawlerFilter) String() string {
	var clauses []string
	if len(f.purposes) > 0 {
		clauses = append(clauses, "the purpose "+strings.Join(f.purposes, " or "))
	}
	if len(f.operators) > 0 {
		clauses = append(clauses, "the operator "+strings.Join(f.operators, " or "))
	}
	return strings.Join(clauses, " and ")
}

func purposes() (names []string) {
	for _, purpose := range crawlers.Purposes() {
		names = append(names, string(purpose))
	}
	return names
}

func operators() (names []string) {
	for c := range crawlers.All() {
		if !slices.Contains(names, c.Operator) {
			names = append(names, c.Operator)
		}
	}
	slices.Sort(names)
	return names
}

// oneOf returns the value of a flag in the spelling of the list of values.
func oneOf(flag, value string, values []string) (string, error) {
	i := slices.IndexFunc(values, func(known string) bool { return strings.EqualFold(known, value) })
	if i >= 0 {
		return values[i], nil
	}
	hint := fmt.Sprintf("the %ss are %s", flag, strings.Join(values, ", "))
	if near := term.Closest(value, values); near != "" {
		hint = fmt.Sprintf("did you mean --%s %q?", flag, near)
	}
	return "", term.Errorf(hint, "no crawler has the %s %q", flag, value)
}
