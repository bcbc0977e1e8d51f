package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/crawlerlists"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

func newCrawlersCompare(t *term.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "compare LIST...",
		Short: "Compare the known crawlers with public lists of crawlers",
		Long: `Compare the known crawlers with public lists of crawlers. A LIST is robots.json of
ai-robots-txt/ai.robots.txt, crawler-user-agents.json of monperrus/crawler-user-agents,
regexes/bots.yml of matomo-org/device-detector, a robots.txt with names in its
User-agent lines, or a folder that contains one of them, such as a checkout.

The output is, for each list, the names that are neither a token nor an alias of a known
crawler, the known crawlers that cite the list although it does not contain them any
more, and those about which list and data disagree: whether they obey robots.txt.

Exit status: 0 if there are no differences, 1 if there are some, 2 if a list cannot be
read.`,
		Example: `  robots crawlers compare ai.robots.txt/robots.json
  robots crawlers compare crawler-user-agents device-detector`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return term.Errorf("name a file or a folder", "no list to compare with")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return compareCrawlers(t, args) },
	}
}

// compareCrawlers prints the differences of each list. A list that cannot be read is reported.
func compareCrawlers(t *term.Terminal, paths []string) error {
	out := bufio.NewWriter(t.Out)
	different, unread := false, false
	for i, path := range paths {
		list, err := readList(path)
		if err != nil {
			t.PrintError(err)
			unread = true
			continue
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		d := crawlerlists.Compare(list)
		printDifferences(out, list.Path, d)
		different = different || !d.Equal()
	}
	err := term.WriteError(out.Flush())
	switch {
	case unread:
		return errors.Join(err, errShown)
	case different && err == nil:
		return errFound
	}
	return err
}

// readList reads a list from a file or folder. Errors do not repeat passwords.
func readList(path string) (*crawlerlists.List, error) {
	if isSiteURL(path) {
		return nil, term.Errorf("save it to a file first", "%q is a URL, not a file", origin.Text(path).Given())
	}
	return crawlerlists.Read(path)
}

func printDifferences(out io.Writer, path string, d *crawlerlists.Differences) {
	fmt.Fprintf(out, "%s: %s, %d not in the data of %s\n", term.Escape(path), term.Count(d.Names, "name", "names"), len(d.Missing), crawlers.Version())
	for _, part := range []struct {
		title string
		lines []string
	}{{"not in the data", d.Missing}, {"cited, but not in the list any more", d.Gone}, {"list and data disagree", d.Disagree}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(out, "\n%s:\n", part.title)
		}
		for _, line := range part.lines {
			fmt.Fprintf(out, "  %s\n", term.Escape(line))
		}
	}
}
