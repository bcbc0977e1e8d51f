package main

import (
	"bufio"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/fetch"
)

func newPolicy(t *term.Terminal) *cobra.Command {
	names := policyNames()
	return &cobra.Command{
		Use:   "policy [" + strings.Join(names, "|") + "]",
		Short: "Print what a policy decides about status codes and outages",
		Long: `Print what a policy decides about status codes and outages: what each response to
the request for a robots.txt means, and what applies without a response, and for how
long.

The tables contain the data that the client uses. Without a name, all policies are
printed.`,
		Example: `  robots policy google
  robots policy`,
		ValidArgs:             names,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			policies, err := policiesNamed(args)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(t.Out)
			for i, p := range policies {
				if i > 0 {
					out.WriteByte('\n')
				}
				out.WriteString(p.Table())
			}
			return term.WriteError(out.Flush())
		},
	}
}

// policiesNamed returns the named policy, or all policies without a name.
func policiesNamed(args []string) ([]fetch.Policy, error) {
	names := policyNames()
	hint := "the policies are " + strings.Join(names, ", ")
	switch len(args) {
	case 0:
		return fetch.Policies(), nil
	case 1:
		var p fetch.Policy
		if err := p.UnmarshalText([]byte(args[0])); err != nil {
			if near := term.Closest(args[0], names); near != "" {
				hint = "did you mean " + near + "?"
			}
			return nil, term.Errorf(hint, "there is no policy %q", args[0])
		}
		return []fetch.Policy{p}, nil
	default:
		return nil, term.Errorf(hint, "give one policy, or none for all")
	}
}
