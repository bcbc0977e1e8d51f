package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/origin"
)

type listFlags struct {
	list       string
	sitemaps   []string // files and URLs
	listFormat urllist.Format
	listColumn string
	listSite   string // the URL of --site
	listMap    accesslog.Map
	logFormat  *accesslog.Format
	ofFile     bool // --site also names the site of a file
}

func (f *listFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.list, "urls", "", "read more URLs from `FILE`: one a line, CSV, TSV, a sitemap or an access log; \"-\" is standard input")
	f.defineReading(cmd)
	flags.StringArrayVar(&f.sitemaps, "sitemap", nil, "read more URLs from the sitemap or sitemap index at `URL`, or in a file; can be repeated")
	flags.StringVar(&f.listSite, "site", "", "join paths in lists and access logs with the host of `URL`; a --file is then the robots.txt of that site, and verdicts for other sites are unknown")
	complete(cmd, "site", nil)
	cmd.ValidArgsFunction = cobra.NoFileCompletions
}

func (f *listFlags) defineReading(cmd *cobra.Command) {
	defineChoice(cmd, &f.listFormat, "urls-format", "read --urls as `FORMAT`: %s (default: detected from its content)", namesOf(urllist.Formats())...)
	cmd.Flags().StringVar(&f.listColumn, "column", "", "read the URLs of CSV and TSV from `COLUMN`, a name or a number from 1")
	complete(cmd, "column", nil)
	defineMap(cmd, &f.listMap, "--urls")
	defineLogFormat(cmd, &f.logFormat, "--urls")
}

// defineLogFormat defines the flag for the format of access logs.
func defineLogFormat(cmd *cobra.Command, to **accesslog.Format, logs string) {
	names := accesslog.FormatNames()
	usage := "read " + logs + " as an access log in `FORMAT`: nginx's log_format, Apache's LogFormat, or " + strings.Join(names, ", ")
	cmd.Flags().Var(flagValue[*accesslog.Format]{to, accesslog.ParseFormat}, "log-format", usage)
	cmd.Flags().Lookup("log-format").DefValue = ""
	complete(cmd, "log-format", names)
}

// defineMap defines the flag for the places of fields in JSON logs.
func defineMap(cmd *cobra.Command, to *accesslog.Map, logs string) {
	usage := "read " + logs + " as a JSON log with the fields at `FIELD=PATH,...`, such as target=request.uri; the fields are " + strings.Join(accesslog.MapKeys(), ", ")
	cmd.Flags().Var(flagValue[accesslog.Map]{to, accesslog.ParseMap}, "map", usage)
	cmd.Flags().Lookup("map").DefValue = "" // help then shows no default
	complete(cmd, "map", nil)
}

func (f *listFlags) given() bool { return f.list != "" || len(f.sitemaps) > 0 }

// validate returns an error for flags that have no effect. It also parses --site,
// because errors of pflag would repeat the value, which can contain a password.
func (f *listFlags) validate() error {
	if f.listSite != "" && !strings.Contains(f.listSite, "://") {
		f.listSite = "https://" + f.listSite
	}
	_, err := origin.Of(f.listSite)
	switch {
	case f.listSite != "" && err != nil:
		return term.Errorf(`invalid argument %q for "--site" flag: use a URL or a host, such as https://shop.example`, origin.Text(f.listSite).Given())
	case f.list == "" && f.listFormat != "":
		return term.Errorf("--urls-format has no effect without --urls").Hint("give the list with --urls")
	case f.list == "" && f.listColumn != "":
		return term.Errorf("--column has no effect without --urls").Hint("give the list with --urls")
	case f.list == "" && f.listMap != nil:
		return term.Errorf("--map has no effect without --urls").Hint("give the log with --urls")
	case f.list == "" && f.logFormat != nil:
		return term.Errorf("--log-format has no effect without --urls").Hint("give the log with --urls")
	case !f.given() && f.listSite != "" && !f.ofFile:
		return term.Errorf("--site has no effect without a list").Hint("give the list with --urls")
	case slices.Contains(f.sitemaps, "-") && f.list == "-" || isTwice(f.sitemaps, "-"):
		return term.Errorf("standard input can be read only once").Hint("put one of them into a file")
	}
	return nil
}

// typed returns the URLs that the user has typed, none for nil.
func (f *listFlags) typed() []string {
	if f == nil {
		return nil
	}
	return append([]string{f.listSite}, f.sitemaps...)
}

type urlSource struct {
	sites.URLs
	lists []*openList
	size  int64 // of all lists, negative if unknown
	read  int   // arguments
}

// openList is a list that is read after the arguments. It is opened before the first
// answer, except at a URL.
type openList struct {
	*urllist.List
	close func()
}

// openURLs returns the URLs of the arguments, then the URLs of the lists, which can be
// nil. The lists are read while earlier URLs are answered. base configures the
// reading.
func openURLs(ctx context.Context, t *term.Terminal, args []string, lists *listFlags, base urllist.Config,
	open opener) (s *urlSource, err error) {
	s = &urlSource{}
	s.Share = func() float64 { return s.share(len(args)) }
	s.All = func(yield func(string, error) bool) { s.all(args, base.Paths, yield) }
	if lists == nil {
		return s, nil
	}
	if site, err := origin.Of(lists.listSite); err == nil {
		base.Site = site.String()
	}
	base.Note = func(text string) {
		if strings.Contains(text, " is read as an access log") {
			text += `; its URLs are checked, no matter who requested them; "robots visits" shows who came`
		}
		t.Note("%s", text)
	}
	if open != nil {
		base.Fetch = func(url string) (io.ReadCloser, error) { return open(ctx, url) }
	}
	if lists.list != "" {
		config := base
		config.Format, config.Column, config.Map = lists.listFormat, lists.listColumn, lists.listMap
		config.LogFormat = lists.logFormat
		if err = s.add(t, lists.list, config); err != nil {
			return nil, err
		}
	}
	for _, name := range lists.sitemaps {
		if isSiteURL(name) {
			s.addURL(name, base)
			continue
		}
		var err error
		if strings.Contains(name, "/") { // the name of a file can look like a host
			err = typedSite(name)
		}
		if err == nil {
			err = s.add(t, name, base)
		}
		if err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// opener opens the sitemap at a URL.
type opener func(ctx context.Context, url string) (io.ReadCloser, error)

func (s *urlSource) add(t *term.Terminal, name string, config urllist.Config) error {
	in, err := openInput(t, name, "reading URLs from the terminal, one a line; Ctrl-D ends them")
	if err != nil {
		return err
	}
	config.Name = strings.Trim(in.shown, `"`)
	size := int64(-1)
	if info, err := os.Stat(name); name != "-" && err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	s.size += size
	if size < 0 {
		s.size = -1 << 62
	}
	text, err := files.Unzstd(in)
	if err != nil {
		in.close()
		return in.unreadable(err)
	}
	s.lists = append(s.lists, &openList{urllist.New(text, config), in.close})
	return nil
}

// addURL adds the sitemap at a URL, which is fetched when its turn comes.
func (s *urlSource) addURL(url string, config urllist.Config) {
	config.Name, config.Limit, config.MaxURLs = url, urllist.SitemapBytes, urllist.SitemapURLs
	fetched := &fetchedReader{open: func() (io.ReadCloser, error) {
		body, err := config.Fetch(url)
		return body, term.Prefixed("cannot read "+origin.Text(url).Given()+": ", err)
	}}
	s.size = -1 << 62
	s.lists = append(s.lists, &openList{urllist.New(fetched, config), fetched.close})
}

// fetchedReader is a body that is fetched at the first read, once.
type fetchedReader struct {
	open func() (io.ReadCloser, error)
	body io.ReadCloser
	err  error // of open
}

func (f *fetchedReader) Read(p []byte) (int, error) {
	if f.body == nil && f.err == nil {
		f.body, f.err = f.open()
	}
	if f.err != nil {
		return 0, f.err
	}
	return f.body.Read(p)
}

func (f *fetchedReader) close() {
	if f.body != nil {
		f.body.Close()
	}
}

// all yields the arguments, then the lists. If a file is asked, an argument must belong to a site: nothing governs
// another text, as in a list.
func (s *urlSource) all(args []string, ofFile bool, yield func(string, error) bool) {
	for _, arg := range args {
		s.read++
		var err error
		if ofFile && !answer.HasSite(arg) {
			err = urllist.TypedError(arg)
		}
		if !yield(arg, err) {
			return
		}
	}
	for _, list := range s.lists {
		for url, err := range list.All {
			if err != nil && !isLine(err) {
				err = wholeList(err) // the other lists can still be read
			}
			if !yield(url, err) {
				return
			}
		}
	}
}

// wholeList turns the error of a list into one that does not end the run.
func wholeList(err error) error {
	return &urllist.LineError{Problem: err.Error(), Hint: term.HintOf(err)}
}

func isLine(err error) bool {
	_, ok := errors.AsType[*urllist.LineError](err)
	return ok
}

// share returns the share of the URLs that was read, negative if it is unknown.
func (s *urlSource) share(args int) float64 {
	switch {
	case len(s.lists) == 0:
		return float64(s.read) / float64(args)
	case s.size <= 0:
		return -1
	}
	read := int64(0)
	for _, list := range s.lists {
		read += list.Read()
	}
	return float64(read) / float64(s.size)
}

func (s *urlSource) close() {
	for _, list := range s.lists {
		list.close()
	}
}

// maxLines is the number of lines without a URL that are reported one by one.
const maxLines = 10

// lineReport reports lines without a URL: the first few, and the number of all.
type lineReport struct {
	print func(error)
	lines int
	hints map[string]bool // that were printed
}

func (r *lineReport) add(e *urllist.LineError) {
	r.lines++
	if r.lines > maxLines {
		return
	}
	hint := e.Hint
	if r.hints[hint] {
		hint = ""
	} else if r.hints == nil {
		r.hints = make(map[string]bool)
	}
	r.hints[e.Hint] = true
	r.print(term.Errorf("%s", term.Escape(e.Error())).Hint(hint))
}

// end reports the number of lines if not all were reported.
func (r *lineReport) end() {
	if r.lines > maxLines {
		r.print(term.Errorf("%s lines without a URL in total", term.Thousands(r.lines)))
	}
}
