package main

import (
	"context"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// credentials are the additional headers that a run sends to the sites for which the user
// gave a user name, a password or --header. nil means that there are none.
type credentials map[origin.Origin]http.Header

// credentials returns the credentials of a run in which the user has typed the given sites.
// They are read once, because --header @FILE can name a pipe.
func (f *fetchFlags) credentials(typed *typedSites) (credentials, error) {
	if f.sent != nil {
		return f.sent, nil
	}
	sent, err := typed.users()
	if err != nil || len(f.headers) == 0 {
		f.sent = sent
		return sent, err
	}
	header, err := readHeaders(f.headers)
	if err != nil {
		return nil, err
	}
	if len(typed.set) != 1 {
		return nil, term.Errorf("--header is for one site, but %d are given", len(typed.set)).Hint("give URLs of one site, or with a list of URLs the site with --site")
	}
	for o := range typed.set {
		if sent[o] != nil && header["Authorization"] != nil {
			return nil, term.Errorf("the URL has a user name or password, and --header an Authorization too").Hint("omit one of them")
		}
		if o.Scheme() == "ftp" {
			return nil, term.Errorf("--header has no effect on ftp").Hint("give the URL of a site with http or https")
		}
		for name, values := range sent[o] {
			header[name] = values
		}
		f.sent = credentials{o: header}
	}
	return f.sent, nil
}

func (s *typedSites) users() (sent credentials, err error) {
	for _, text := range s.urls {
		u := origin.Text(text)
		o, err := u.Origin()
		if !u.Has(origin.ChangeUserinfo) || err != nil { // an invalid URL is reported elsewhere
			continue
		}
		header, ok := basicAuth(text, o)
		switch shown := term.Escape(u.Given()); {
		case !ok:
			return nil, term.Errorf("the user name and password in %s cannot be read", shown).Hint("percent-encode characters such as @ / ? # and % in them, or give --header @FILE")
		case header == nil:
			continue
		case o.Scheme() == "ftp":
			return nil, term.Errorf("%s: ftp is used without user name and password", shown).Hint("omit them")
		case sent[o] != nil && sent[o].Get("Authorization") != header.Get("Authorization"):
			return nil, term.Errorf("there are several user names or passwords for %s", o).Hint("give one of them")
		}
		if sent == nil {
			sent = make(credentials)
		}
		sent[o] = header
	}
	return sent, nil
}

// basicAuth returns the header for the user name and password in a URL of an origin, nil if
// they are empty. ok is false if they cannot be read, or not as package origin reads them.
func basicAuth(text string, o origin.Origin) (header http.Header, ok bool) {
	parsed, err := url.Parse(strings.TrimSpace(text))
	if err != nil || parsed.User == nil {
		return nil, false
	}
	if same, err := origin.Of(parsed.Scheme + "://" + parsed.Host); err != nil || same != o || strings.Contains(parsed.User.Username(), ":") {
		return nil, false
	}
	if parsed.User.String() == "" {
		return nil, true
	}
	header = make(http.Header)
	password, _ := parsed.User.Password()
	(&http.Request{Header: header}).SetBasicAuth(parsed.User.Username(), password)
	return header, true
}

func (c credentials) configure(t *term.Terminal, config *fetch.Config) {
	if c == nil {
		return
	}
	config.Network.Credentials = func(o origin.Origin) http.Header { return c[o] }
	config.Network.Request = func(_ context.Context, r fetch.Request) error {
		if c[r.From] != nil && r.From != r.Origin {
			t.Note("the redirect from %s to %s was followed without the credentials: "+
				"they are sent to their own scheme, host and port only", r.From, r.Origin)
		}
		return nil
	}
}

// note prints which answers depend on credentials.
func (c credentials) note(t *term.Terminal, policy fetch.Policy) {
	means := "the site is unreachable"
	switch policy.Meaning(fetch.Response{Status: http.StatusUnauthorized}).Outcome {
	case fetch.OutcomeAllowAll:
		means = "everything is allowed"
	case fetch.OutcomeDisallowAll:
		means = "nothing may be fetched"
	}
	origins := slices.SortedFunc(maps.Keys(c),
		func(a, b origin.Origin) int { return strings.Compare(a.String(), b.String()) })
	for _, o := range origins {
		t.Note("%s is fetched with credentials; crawlers can get a different answer without them "+
			"(under policy %s a 401 means that %s)", o, policy, means)
	}
}

// onlySite yields URLs up to the first one outside --header's site, which is an error.
func (f *fetchFlags) onlySite(urls iter.Seq2[string, error]) iter.Seq2[string, error] {
	if len(f.headers) == 0 {
		return urls
	}
	return func(yield func(string, error) bool) {
		for text, err := range urls {
			if o, wrong := origin.Of(text); err == nil && wrong == nil && f.sent[o] == nil {
				err = term.Errorf("--header is for one site, but the list has a URL of another site, %s", o).Hint("omit one of them")
			}
			if !yield(text, err) || err != nil && !isLine(err) {
				return
			}
		}
	}
}

// maxHeaders is the limit of a file of --header, in MiB.
const maxHeaders = 1

// readHeaders returns the headers of --header. Errors do not repeat the values, which are
// secret.
func readHeaders(given []string) (http.Header, error) {
	header := make(http.Header)
	for _, value := range given {
		lines := []string{value}
		if name, isFile := strings.CutPrefix(value, "@"); isFile {
			text, err := readFile(name, maxHeaders, "give a file with a header on each line")
			if err != nil {
				return nil, term.Prefixed("--header: ", err)
			}
			lines = strings.FieldsFunc(strings.ReplaceAll(string(text), "\r\n", "\n"), func(c rune) bool { return c == '\n' })
		}
		for _, line := range lines {
			if err := addHeader(header, line); err != nil {
				return nil, err
			}
		}
	}
	if len(header) == 0 {
		return nil, term.Errorf("--header names a file without headers").Hint("write a header on each line of it")
	}
	return header, nil
}

func addHeader(header http.Header, line string) error {
	name, value, found := strings.Cut(line, ":")
	switch {
	case !found || !httpguts.ValidHeaderFieldName(name):
		return term.Errorf("--header has no header name").Hint(`give "Name: value", or @FILE with such a header on each line`)
	case !httpguts.ValidHeaderFieldValue(value):
		return term.Errorf("--header %s has a line break or another control character in its value", name).Hint("give each header with its own --header, or on its own line of --header @FILE")
	}
	name = http.CanonicalHeaderKey(name)
	hint, refused := refusedHeaders[name]
	if strings.HasPrefix(name, "If-") {
		hint, refused = "omit it: --refresh fetches again, and without it fresh answers are not requested", true
	}
	if refused {
		return term.Errorf("--header cannot set %s", name).Hint(hint)
	}
	header.Add(name, strings.Trim(value, " \t"))
	return nil
}

// refusedHeaders are the headers that --header cannot set, each with the way to set it
// instead. Those whose names begin with "If-" are refused too.
var refusedHeaders = func() map[string]string {
	const (
		connection = "omit it: it belongs to a connection, which robots makes"
		response   = "omit it: robots needs the whole file, in a form that it can read"
	)
	hints := map[string]string{
		"Host":                "give the host in the URL",
		"User-Agent":          "give it with --user-agent",
		"Proxy-Authorization": "give the user name and password in the URL of --proxy",
		"Accept":              response, "Accept-Encoding": response, "Range": response,
	}
	for _, name := range []string{"Connection", "Content-Length", "Expect", "Http2-Settings", "Keep-Alive", "Proxy-Connection",
		"Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		hints[name] = connection
	}
	return hints
}()
