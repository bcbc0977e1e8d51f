package main

import (
	"bufio"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
	"github.com/kosterhq/robotstxt/crawlers"
)

type testFlags struct {
	bodyFlags
	excludeFlags
	url string
	fetchFlags
	concurrency int
	dialectFlags
	exact  bool
	format string
	junit  string
	quiet  bool
	read   []string // the names of the files that were read
}

func newTest(t *term.Terminal) *cobra.Command {
	s := testFlags{fetchFlags: fetchFlags{cache: cacheNone}} // tests what the site serves now
	cmd := &cobra.Command{
		Use:   "test [--file FILE | --url URL] [flags] FILE|DIRECTORY|PATTERN...",
		Short: "Check that a robots.txt does what its owner expects",
		Long:  testLong,
		Example: `  robots test .
  robots test --url https://shop.example shop` + expect.Suffix + `
  robots test --file build/robots.txt --junit report.xml shop` + expect.Suffix,
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), t, args) },
	}
	s.bodyFlags.define(cmd)
	s.excludeFlags.define(cmd)
	cmd.Flags().StringVar(&s.url, "url", "", "fetch the robots.txt of the site of `URL` instead of the file that the expectations name")
	complete(cmd, "url", nil)
	s.fetchFlags.define(cmd)
	defineConcurrency(cmd, &s.concurrency)
	s.dialectFlags.define(cmd)
	cmd.Flags().BoolVar(&s.exact, "exact-agent", false, "use a single token without the documented fallbacks of the crawler")
	s.format = formatText
	defineChoice(cmd, &s.format, "format", "print the report as `FORMAT`: %s", formatText, formatJSON, formatJUnit, formatGitHub)
	cmd.Flags().StringVar(&s.junit, "junit", "", "write a JUnit report to `FILE` too")
	cmd.Flags().BoolVarP(&s.quiet, "quiet", "q", false, "print no report and no notes; use the exit status")
	return cmd
}

const testLong = `Check that a robots.txt does what its owner expects. Write the expectations in a file such
as this one, shop` + expect.Suffix + `:

  # Crawlers may fetch the shop, but not the cart.
  robots: ../public/robots.txt

  agents: Googlebot, Bingbot
  allow: https://shop.example/
  deny: https://shop.example/cart

  dialect: rfc9309
  agents: Googlebot-Image:Googlebot
  deny: [22] /pictures/raw/
  deny-all: /private/

In a directory, robots tests all files at any depth that are named *` + expect.Suffix + `. It skips
files and directories whose names begin with a dot. A pattern such as
"tests/**/*` + expect.Suffix + `" selects the files that match it. "-" is standard input.

"robots:" is the path of the robots.txt, relative to the file of expectations, or a URL,
whose robots.txt is then fetched. --file and --url replace it for all files, so that you
can test the same expectations before a deployment and after it.

"agents:" lists the crawlers of the lines after it, separated by commas. Colons make a
fallback chain: Googlebot-Image:Googlebot is one crawler, whose second token applies if no
group matches the first. Put a token that contains a comma, colon, semicolon or "#" in
double quotes. As with "robots check", a known crawler with a single token is tested with
its documented fallbacks, unless you give --exact-agent.

"allow:" and "deny:" expect that each of these crawlers may, or may not, fetch the URL or
path. [22] expects that line 22 decides, and [0] that no line does.

"allow-all:" and "deny-all:" expect the same for every path that a pattern matches. robots
reads the pattern like the value of an Allow or Disallow line, with wildcards. It proves
the result for all these paths, and does not sample them.

"dialect:" applies to the checks after it; --dialect applies to checks without one. robots
ignores empty lines and lines that begin with "#". You can also test the test vectors of
the project, which contain their robots.txt.

For a failure, robots prints its line in the file of expectations, and the line of the
robots.txt that decides otherwise; for a pattern, it also prints a path that the pattern
matches.

If a site answers that it has no robots.txt, robots compares the expectations with the
decision of --policy. If the robots.txt is unreachable, because the site does not answer
or answers with an error, its expectations are unknown, neither passed nor failed. To let
the policy decide, write the line "unreachable: ok" in the file of expectations. If the
robots.txt is a web page, such as a login page, or not text, the expectations fail. With
the line "html: ok", robots reads it as crawlers do. It reports each of these once for a
robots.txt. Unlike check, test fetches the file of a site again in each run, unless you
give a --cache.

--format json prints an object for each check, one on each line. Its fields are those that
"robots check --json" prints, and file, file_line, robots, passed, want_allowed, and
want_line if a line is expected. --format junit prints a JUnit report in XML, with a suite
for each file and a case for each check; --junit writes that report to a file as well.
--format github prints annotations for GitHub Actions, on the lines of the files of
expectations.

A robots.txt decides for one site. If the expectations or --url name the robots.txt of a
site, the expectations must be about its URLs, or about paths, which belong to the site that
is tested. If you test a file against URLs of several sites, robots prints a note that
names them.

Exit status: 0 if everything is as expected, 1 if something is not, 2 if something is
unknown: a check of a pattern is undecided, a robots.txt is unreachable, or robots cannot
read a file of expectations or its robots.txt. It still tests the other files.`

func (s *testFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := s.validate(args); err != nil {
		return err
	}
	t.Quiet = s.quiet
	runner, err := s.runner(t)
	if err != nil {
		return err
	}
	suites := s.suites(t, runner, args)
	if err := separateFound(s.defined, t, slices.Values(s.read)); err != nil {
		return err
	}
	unreported := slices.DeleteFunc(slices.Clone(suites), func(suite *expect.Suite) bool { return suite.Err != nil })
	report, err := runner.Run(ctx, suites)
	if err != nil {
		return err
	}
	for _, suite := range unreported {
		if suite.Err != nil {
			t.PrintError(suite.Err)
		}
	}
	s.noteCrawlers(t, report.Suites)
	warnOfAccepted(t, report.Suites)
	noteOtherSites(t, report.Suites)
	if err := s.print(t, report); err != nil {
		return err
	}
	return ending(report.Broken() > 0 || report.Count(expect.Unknown) > 0, report.Count(expect.Failed) > 0)
}

func (s *testFlags) validate(args []string) error {
	switch {
	case len(args) == 0:
		return term.Errorf("no file is given").Hint(`give files of expectations, or directories, such as "." for all ` + expect.Suffix + " files below")
	case s.file != "" && s.url != "":
		return term.Errorf("--file and --url both name the robots.txt").Hint("omit one of them")
	case s.file != "" && s.given() != "":
		return term.Errorf("with --file, robots fetches nothing, so --%s has no effect", s.given()).Hint("omit one of them")
	case s.quiet && s.defined.Changed("format"):
		return term.Errorf("--quiet prints nothing, so --format has no effect").Hint("omit one of them")
	case isTwice(append(args, s.file), "-"):
		return term.Errorf("standard input cannot be read twice").Hint("put one of them into a file")
	}
	return nil
}

func (s *testFlags) print(t *term.Terminal, report *expect.Report) error {
	err := t.Print(func(out *bufio.Writer) error {
		switch {
		case s.quiet:
			return nil
		case s.format == formatJSON:
			return report.WriteJSON(out)
		case s.format == formatJUnit:
			return report.WriteJUnit(out)
		case s.format == formatGitHub:
			report.WriteGitHub(out)
			return nil
		}
		report.WriteText(out, t.Palette())
		return nil
	})
	if err != nil || s.junit == "" {
		return err
	}
	return files.Write(s.junit, report.WriteJUnit)
}

// maxExpectations is the limit of a file of expectations, in MiB.
const maxExpectations = 16

func (s *testFlags) runner(t *term.Terminal) (r *expect.Runner, err error) {
	r = &expect.Runner{
		Dialect: s.dialect,
		Exact:   s.exact,
		ReadFile: func(path string) (*answer.File, error) {
			s.read = append(s.read, path)
			return readBody(t, path, s.limit)
		},
		Fetch: func(ctx context.Context, urls []string) ([]*answer.Ruling, error) { return s.fetch(ctx, t, urls) },
	}
	switch {
	case s.file != "":
		file, err := readBody(t, s.file, s.limit)
		if err != nil {
			return nil, err
		}
		name := s.file
		if name == "-" {
			name = "standard input"
		}
		r.Instead = expect.NewSubject(name, file)
	case s.url != "":
		urls, _ := withSchemes(t, []string{s.url})
		r.Instead, err = r.Site(urls[0])
		if err != nil {
			return nil, escaped(err)
		}
	}
	return r, nil
}

// suites reads the files of the arguments. It prints the error of a file and still
// reads the others.
func (s *testFlags) suites(t *term.Terminal, r *expect.Runner, args []string) (suites []*expect.Suite) {
	search := expect.Files()
	search.Exclude = s.exclude
	for name, err := range search.Files(args...) {
		var data []byte
		shown := name
		if err == nil {
			s.read = append(s.read, name)
			data, shown, err = readExpectations(t, name)
		}
		if err != nil {
			suites = append(suites, broken(t, name, err))
			continue
		}
		var suite *expect.Suite
		if err := panics.Contain(name, &data, func() error { suite = r.Suite(shown, data); return nil }); err != nil {
			suite = &expect.Suite{Err: err}
			suite.Name = shown
		}
		if suite.Err != nil {
			t.PrintError(escaped(suite.Err))
		}
		suites = append(suites, suite)
	}
	return suites
}

// broken returns the suite of a file, or a directory, that could not be read, and
// prints why.
func broken(t *term.Terminal, name string, err error) *expect.Suite {
	t.PrintError(err)
	s := &expect.Suite{Err: err}
	s.Name = name
	return s
}

// readExpectations returns the content of a file of expectations, and its name for
// messages.
func readExpectations(t *term.Terminal, name string) (data []byte, shown string, err error) {
	in, err := openInput(t, name, "reading expectations from the terminal; Ctrl-D ends them")
	if err != nil {
		return nil, "", err
	}
	defer in.close()
	shown = name
	if name == "-" {
		shown = in.shown
	}
	data, err = in.whole(maxExpectations, "give a file of expectations")
	return data, shown, err
}

// escaped returns an error whose message can contain any bytes, for people.
func escaped(err error) error {
	return term.NewError(term.Printable(err), term.HintOf(err), term.TraceOf(err))
}

// fetch returns the rulings for the URLs of robots.txt files.
func (s *testFlags) fetch(ctx context.Context, t *term.Terminal, urls []string) (rulings []*answer.Ruling, err error) {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	if s.url != "" { // --robots replaces the URLs in the files, and can contain a password
		urls = urlsOf([]string{s.url})
	}
	in := &inquiry{Question: sites.Question{Dialect: s.dialect, Concurrency: s.concurrency}, report: t.PrintError}
	done, err := in.openSites(ctx, t, &s.fetchFlags, s.limit, nil, urls)
	if err != nil {
		return nil, err
	}
	defer done()
	for v, err := range in.Visits(ctx, in.urls.URLs) {
		if err == nil && term.TraceOf(v.Err) != "" {
			t.PrintError(v.Err) // the file of expectations has an error then, and the others are tested
		} else if err == nil {
			err = v.Err
		}
		if err != nil {
			return nil, orInterrupted(err)
		}
		rulings = append(rulings, v.Ruling)
	}
	return rulings, nil
}

func noteOtherSites(t *term.Terminal, suites []*expect.Suite) {
	for _, suite := range suites {
		if n, url, robots := suite.OtherSites(); n > 0 {
			t.Note("%s: %s tested against %s, but other sites' files decide: %s governs %s",
				term.Escape(suite.Name), term.Count(n, "URL is", "URLs are"), term.Escape(suite.Subject.Name), robots, term.Escape(url))
		}
	}
}

// warnOfAccepted warns about unreachable sites whose files of expectations accept that.
func warnOfAccepted(t *term.Terminal, suites []*expect.Suite) {
	for _, suite := range suites {
		if why := suite.Accepted(); why != "" {
			t.Warn("%s: %s; the decision of policy %s is tested", term.Escape(suite.Subject.Name), term.Escape(why), suite.Subject.Ruling.Site.Policy)
		}
	}
}

// noteCrawlers prints, once each, the fallbacks of known crawlers, and warns about
// tokens that no group can name. It ignores vectors, which might test exactly that.
func (s *testFlags) noteCrawlers(t *term.Terminal, suites []*expect.Suite) {
	noted := make(map[string]bool)
	once := func(what string) bool {
		first := !noted[what]
		noted[what] = true
		return first
	}
	for _, suite := range suites {
		if suite.IsVector() {
			continue
		}
		for i := range suite.Outcomes {
			o := &suite.Outcomes[i]
			if once(o.Answer.Agent) && !s.exact {
				noteCrawlers(t, []answer.Crawler{answer.NewCrawler(o.Check.Agents...)})
			}
			for _, token := range o.Check.Agents {
				d := answer.NewCrawler(token).In(o.Answer.Dialect).Dialect
				who := "a line with it"
				if o.Answer.Dialect != nil {
					who = "in dialect " + d.String() + " " + who
				}
				if once(who+" "+token) && !answer.IsNameable(d, token) {
					name, _ := crawlers.Declared(token)
					t.Warn("%s:%d: no group can name %q: %s names %q",
						term.Escape(suite.Name), o.Check.HeadLine, token, who, answer.TokenRead(d, name))
				}
			}
		}
	}
}
