package main

import (
	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func newExplain(t *term.Terminal) *cobra.Command {
	var q questionFlags
	cmd := &cobra.Command{
		Use:   "explain [--file FILE] [flags] URL...",
		Short: "Show why a URL is allowed or not",
		Long: `Show why a URL is allowed or not.

For each URL and crawler, robots shows the verdict, the deciding line with its
neighbours and its group, the other rules that match and why they lose, and the
verdicts of the other dialects, with the reason if they differ. Without --file, robots
fetches the robots.txt of the URL's site as "robots check" does, and shows the response.

--format csv, tsv or markdown prints a row for each dialect, the requested one first.

--json prints an object for each URL and crawler, one on each line. Its fields are
decision and other_dialects; fetch if the file was fetched, as "robots fetch --json"
prints it; and schema, url, agent, rule, verdict, matched_by, outcome, body, robots_file,
tokens, named_only, unread, compared_url, changes, unresolved_verdict, joined_line,
fetched_anyway, governed_by and raw, as "robots check --json" prints them. Each object of
other_dialects has why, decision, joined_line and fetched_anyway.

Exit status: 0 if everything is allowed, 1 if something is disallowed, 2 if
something is unknown or is an error; 2 takes precedence over 1.`,
		Example: `  robots explain --agent FooBot https://shop.example/cart
  robots explain --file robots.txt --agent Googlebot-News:Googlebot /news/
  robots explain --file robots.txt --agent GPTBot,CCBot --only disallowed --urls urls.txt
  robots explain --file robots.txt --dialect rfc9309 --json /caf%c3%a9`,
		RunE: func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), t, rowFlags{}, true, args) },
	}
	q.define(cmd)
	return cmd
}
