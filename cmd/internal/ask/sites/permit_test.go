package sites_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/permission"
)

// site is a server on this machine. It can be reached as 127.0.0.1 and as localhost.
type site struct {
	*httptest.Server
	files     map[string]string // by path; "{site}" is the address, "{away}" that with localhost
	fields    map[string][][2]string
	status    map[string]int
	requested []string // host and path, in order
}

func newSite(t *testing.T, files map[string]string) *site {
	s := &site{files: files, fields: map[string][][2]string{}, status: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requested = append(s.requested, strings.Split(r.Host, ":")[0]+r.URL.Path)
		text, found := s.files[r.URL.Path]
		for _, f := range s.fields[r.URL.Path] {
			w.Header().Add(f[0], s.expand(f[1]))
		}
		switch status := s.status[r.URL.Path]; {
		case status != 0:
			w.WriteHeader(status)
		case !found:
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, s.expand(text))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) away() string { return strings.Replace(s.URL, "127.0.0.1", "localhost", 1) }

func (s *site) expand(text string) string {
	return strings.NewReplacer("{site}", s.URL, "{away}", s.away()).Replace(text)
}

// asker asks about URLs, all with the same fetcher.
type asker struct {
	*testing.T
	client  *fetch.Client
	config  permit.Config
	fetcher *sites.PermitFetcher
}

func newAsker(t *testing.T, network fetch.Network, purposes ...crawlers.Purpose) *asker {
	client, err := fetch.New(fetch.Config{UserAgent: "OurBot/1.0", Network: network})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &asker{
		t, client, permit.Config{Crawlers: []answer.Crawler{answer.NewCrawler()}, Purposes: purposes},
		&sites.PermitFetcher{Client: client, Crawler: answer.NewCrawler("OurBot")},
	}
}

func (a *asker) ask(url string) *wire.Permit {
	a.Helper()
	u := origin.Text(url)
	o, err := u.Origin()
	if err != nil {
		a.Fatal(err)
	}
	result, err := a.client.RobotsOf(context.Background(), o)
	if err != nil {
		a.Fatal(err)
	}
	visit := answer.VisitURL(u, sites.RuleSite(result, sites.Now(), nil, a.config.Crawlers))
	found, err := sites.Permit(context.Background(), &visit, &a.config, nil, a.fetcher)
	if err != nil {
		a.Fatal(err)
	}
	return found
}

// verdicts returns the verdicts in short.
func verdicts(p *wire.Permit) string {
	var texts []string
	for _, a := range p.Answers {
		text := string(a.Purpose) + " " + string(a.Verdict)
		if a.Provisional {
			text += "?"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// missing returns why a source is missing in one of the answers.
func missing(p *wire.Permit, source string) string {
	for _, a := range p.Answers {
		for _, m := range a.Missing {
			if why, found := strings.CutPrefix(m, source+": "); found {
				return why
			}
		}
	}
	return ""
}

var private = fetch.Network{AllowPrivate: true}

const (
	search   crawlers.Purpose = "search"
	training crawlers.Purpose = "ai-training"
)

const permitsSearch = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search</permits></license></content></rsl>`

// TestSources: each source is requested once, and all of them count.
func TestSources(t *testing.T) {
	s := newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nContent-Usage: train-ai=y\nLicense: {site}/l.xml\nAllow: /\n", "/l.xml": permitsSearch, "/.well-known/tdmrep.json": `[{"location":"/","tdm-reservation":1}]`,
		"/page": `<meta name=robots content=noai>`,
	})
	s.fields["/page"] = [][2]string{{"Content-Usage", "search=n"}, {"Content-Type", "text/html"}}
	a := newAsker(t, private, permission.Fetch, search, training, permission.Mining)
	p := a.ask(s.URL + "/page")
	if got, want := verdicts(p), "fetch allowed, search disallowed, ai-training disallowed, mining reserved"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := []string{"127.0.0.1/robots.txt", "127.0.0.1/page", "127.0.0.1/.well-known/tdmrep.json", "127.0.0.1/l.xml"}
	if !slices.Equal(s.requested, want) {
		t.Errorf("requested: %q", s.requested)
	}
	if want := []string{s.URL + "/page", s.URL + "/.well-known/tdmrep.json", s.URL + "/l.xml"}; !slices.Equal(p.Requested, want) {
		t.Errorf("reported: %q", p.Requested)
	}
	s.requested = nil
	if a.ask(s.URL + "/other"); !slices.Equal(s.requested, []string{"127.0.0.1/other"}) {
		t.Errorf("the second page: %q", s.requested)
	}
}

// TestOwnToken: nothing is requested that robots.txt disallows for us, whoever is asked about.
func TestOwnToken(t *testing.T) {
	s := newSite(t, map[string]string{"/robots.txt": "User-agent: *\nAllow: /\nLicense: {site}/l.xml\n\nUser-agent: OurBot\nDisallow: /\n", "/l.xml": permitsSearch, "/page": ""})
	p := newAsker(t, private, permission.Fetch, search).ask(s.URL + "/page")
	if !slices.Equal(s.requested, []string{"127.0.0.1/robots.txt"}) || len(p.Requested) > 0 {
		t.Errorf("requested: %q", s.requested)
	}
	want := "not requested, because line 6 of " + s.URL + `/robots.txt disallows it for "OurBot", the name of this crawler`
	for _, source := range []string{"page", "response header", "license " + s.URL + "/l.xml"} {
		if why := missing(p, source); why != want {
			t.Errorf("%s: %q", source, why)
		}
	}
	if got := verdicts(p); got != "fetch allowed, search unknown" {
		t.Error(got)
	}
}

// TestRedirectedDocument: a document is requested where a client goes from the Location.
func TestRedirectedDocument(t *testing.T) {
	l, err := conformance.ReadLocations()
	if err != nil {
		t.Fatal(err)
	}
	const site = "http://shop.example"
	first := strings.TrimPrefix(l.From, site)
	tried := 0
	for _, c := range l.Cases {
		if c.Target == nil || strings.Contains(c.Location, "\n") || !strings.HasPrefix(*c.Target, site+"/") {
			continue
		}
		var requested []string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.RequestURI == "/robots.txt":
				fmt.Fprintf(w, "License: http://%s%s\n", r.Host, first)
				return
			case r.RequestURI == "/page" || strings.HasPrefix(r.RequestURI, "/.well-known"):
				return
			}
			requested = append(requested, r.RequestURI)
			if len(requested) == 1 {
				w.Header()["Location"] = []string{c.Location}
				w.WriteHeader(http.StatusFound)
			}
		}))
		newAsker(t, private, search).ask(s.URL + "/page")
		s.Close()
		path, query, hasQuery := strings.Cut(strings.TrimPrefix(*c.Target, site), "?")
		want := strings.ReplaceAll(path, "|", "%7C")
		if hasQuery {
			want += "?" + query
		}
		if len(requested) != 2 || requested[1] != want {
			t.Errorf("%q: requested %q, want %q", c.Location, requested, want)
		}
		tried++
	}
	if tried < 45 {
		t.Errorf("only %d cases were requested", tried)
	}
}

// TestFollow: documents on other hosts, and redirects there, need Follow, and their robots.txt.
func TestFollow(t *testing.T) {
	s := newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nDisallow: /closed\nLicense: {away}/l.xml\nLicense: {away}/closed.xml\nLicense: {site}/moved.xml\n", "/page": "",
		"/l.xml": strings.Replace(permitsSearch, `url="/"`, `url="{site}/"`, 1), "/closed.xml": permitsSearch,
	})
	s.status["/moved.xml"], s.fields["/moved.xml"] = http.StatusFound, [][2]string{{"Location", "{away}/closed.xml"}}
	a := newAsker(t, private, search)
	p := a.ask(s.URL + "/page")
	if why := missing(p, "license "+s.away()+"/l.xml"); !strings.Contains(why, "another host") || slices.Contains(s.requested, "localhost/robots.txt") {
		t.Errorf("%q, requested %q", why, s.requested)
	}
	if why := missing(p, "license "+s.URL+"/moved.xml"); !strings.Contains(why, "redirects to another host") {
		t.Errorf("%q", why)
	}
	a = newAsker(t, private, search)
	a.fetcher.Follow = true
	s.requested = nil
	p = a.ask(s.URL + "/page")
	if got := verdicts(p); got != "search allowed?" {
		t.Error(got)
	}
	first := slices.Index(s.requested, "localhost/robots.txt")
	then := slices.Index(s.requested, "localhost/l.xml")
	if first < 0 || then < first || slices.Contains(s.requested, "localhost/closed.xml") {
		t.Errorf("requested: %q", s.requested)
	}
	for _, url := range []string{s.away() + "/closed.xml", s.URL + "/moved.xml"} {
		if why := missing(p, "license "+url); !strings.Contains(why, "line 2 of "+s.away()+"/robots.txt disallows it") {
			t.Errorf("%s: %q", url, why)
		}
	}
}

// TestOrder: the answer about a URL does not depend on the URLs before it.
func TestOrder(t *testing.T) {
	s := newSite(t, map[string]string{"/robots.txt": "License: {away}/l.xml\n", "/l.xml": `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">all</permits></license></content></rsl>`, "/page": ""})
	urls := []string{s.URL + "/page", s.away() + "/page"}
	answers := func(urls ...string) map[string]string {
		a, found := newAsker(t, private, search), map[string]string{}
		for _, url := range urls {
			found[url] = verdicts(a.ask(url))
		}
		return found
	}
	first, second := answers(urls[0], urls[1]), answers(urls[1], urls[0])
	if !reflect.DeepEqual(first, second) || first[urls[0]] != "search unknown" || first[urls[1]] != "search allowed" {
		t.Errorf("%q, in the other order %q", first, second)
	}
	// A limit of one URL is none of the next.
	var lines, page strings.Builder
	for i := range 40 {
		fmt.Fprintf(&page, `<link rel=license type=application/rsl+xml href="/l%d.xml">`, i)
		fmt.Fprintf(&lines, "License: {site}/l%d.xml\n", i)
		s.files[fmt.Sprintf("/l%d.xml", i)] = permitsSearch
		s.status[fmt.Sprintf("/l%d.xml", i)], s.fields[fmt.Sprintf("/l%d.xml", i)] = http.StatusFound, [][2]string{{"Location", fmt.Sprintf("/to%d", i)}}
		s.files[fmt.Sprintf("/to%d", i)] = permitsSearch
	}
	s.files["/robots.txt"], s.files["/one"] = lines.String(), ""
	a := newAsker(t, private, search)
	p := a.ask(s.URL + "/page")
	if len(p.Requested) > 24 {
		t.Errorf("%d requests", len(p.Requested))
	}
	if cut := a.ask(s.URL + "/one"); len(cut.Requested) < 4 {
		t.Errorf("documents that were too many for the first page are not requested for the second: %q", cut.Requested)
	}
}

// TestStatuses: what a status says about a source.
func TestStatuses(t *testing.T) {
	for status, want := range map[int]string{404: "mining unknown", 410: "mining unknown", 429: "the status is 429", 503: "the status is 503"} {
		s := newSite(t, map[string]string{"/page": ""})
		s.status["/.well-known/tdmrep.json"] = status
		p := newAsker(t, private, permission.Mining).ask(s.URL + "/page")
		if why := missing(p, "tdmrep.json"); why != want && (why != "" || verdicts(p) != want) {
			t.Errorf("%d: %q, %s", status, why, verdicts(p))
		}
	}
	s := newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nContent-Signal: search=yes\nAllow: /\n", "/moved": "", "/book": "<meta name=robots content=noindex>", "/text": "<meta name=robots content=noindex>",
		"/wide": "\x00<\x00m\x00e\x00t\x00a\x00 \x00n\x00a\x00m\x00e\x00=\x00r\x00o\x00b\x00o\x00t\x00s\x00 \x00c\x00o\x00n\x00t\x00e\x00n\x00t\x00=\x00n\x00o\x00i\x00n\x00d\x00e\x00x\x00>",
		"/html": "<meta name=robots content=noindex>", "/japanese": "<meta name=robots content=noindex>",
	})
	s.status["/moved"], s.fields["/moved"] = http.StatusMovedPermanently, [][2]string{{"Location", "/html"}, {"X-Robots-Tag", "noindex"}}
	for path, kind := range map[string]string{"/book": "application/pdf", "/text": "text/plain", "/wide": "text/html; charset=utf-16be", "/html": "text/html", "/japanese": "text/html; charset=iso-2022-jp"} {
		s.fields[path] = [][2]string{{"Content-Type", kind}}
	}
	a := newAsker(t, private, search)
	for path, want := range map[string][2]string{
		"/moved": {"search allowed?", "the status is 301"}, "/none": {"search allowed?", "the status is 404"}, "/book": {"search allowed?", "signals in application/pdf are not read"},
		"/text": {"search allowed", ""}, "/wide": {"search disallowed", ""}, "/html": {"search disallowed", ""}, "/japanese": {"search allowed?", "in the encoding iso-2022-jp, which is not supported"},
	} {
		if p := a.ask(s.URL + path); verdicts(p) != want[0] || missing(p, "page") != want[1] {
			t.Errorf("%s: %s, %q", path, verdicts(p), missing(p, "page"))
		}
	}
	if n := strings.Count(strings.Join(s.requested, " "), "/html"); n != 1 {
		t.Errorf("a redirect of the page was followed: %q", s.requested)
	}
}

// TestDiffering: without crawlers there is an answer for each known one that differs, also if it
// may only not fetch; tokens that fetch nothing are not asked about fetching.
func TestDiffering(t *testing.T) {
	s := newSite(t, map[string]string{"/robots.txt": "User-agent: *\nAllow: /\nContent-Usage: train-ai=y\n\nUser-agent: AhrefsBot\nUser-agent: Google-Extended\nDisallow: /\n\nUser-agent: GPTBot\nContent-Usage: train-ai=n\nContent-Signal: ai-train=yes\nAllow: /\n", "/page": ""})
	a := newAsker(t, private, permission.Fetch, training)
	a.config.Crawlers = nil
	var got []string
	for _, d := range a.ask(s.URL + "/page").Differing {
		got = append(got, fmt.Sprintf("%s %s %s %d", d.Purpose, d.Crawler, d.Verdict, len(d.Conflicts)))
	}
	if want := []string{"fetch AhrefsBot disallowed 0", "ai-training GPTBot disallowed 2", "ai-training Google-Extended disallowed 0"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestGiven: what the caller has is not requested.
func TestGiven(t *testing.T) {
	s := newSite(t, map[string]string{"/robots.txt": "", "/page": "<meta name=robots content=noindex>"})
	a := newAsker(t, private, search, permission.Mining)
	a.config.Given = permission.Sources{
		Header: http.Header{"X-Robots-Tag": {"nofollow"}}, Page: &permission.Page{}, TDMRep: permission.ReadTDMRep("", []byte(`[{"location":"/","tdm-reservation":1}]`)),
	}
	if p := a.ask(s.URL + "/page"); verdicts(p) != "search unknown, mining reserved" || len(p.Requested) > 0 {
		t.Errorf("%s, requested %q", verdicts(p), p.Requested)
	}
}

// TestForbidden: the reasons why nothing is requested are in words.
func TestForbidden(t *testing.T) {
	s := newSite(t, map[string]string{"/robots.txt": "License: {away}/l.xml\n", "/page": "", "/l.xml": permitsSearch})
	busy := errors.New("this site is busy")
	a := newAsker(t, fetch.Network{AllowPrivate: true, Request: func(_ context.Context, r fetch.Request) error {
		if r.IsFile && r.Origin.Host() == "localhost" {
			return busy
		}
		return nil
	}}, search)
	a.fetcher.Follow = true
	p := a.ask(s.URL + "/page")
	if why := missing(p, "license "+s.away()+"/l.xml"); why != "not read: "+s.away()+" was not requested: this site is busy" || slices.Contains(p.Requested, s.away()+"/l.xml") {
		t.Errorf("%q, requested %q", why, p.Requested)
	}
	// The same document is requested as soon as that is possible.
	busy = nil
	if p := a.ask(s.URL + "/page"); verdicts(p) != "search allowed" {
		t.Errorf("%s, %q", verdicts(p), p.Answers[0].Missing)
	}
	p = newAsker(t, fetch.Network{}, search).ask(s.URL + "/page")
	if why := missing(p, "page"); !strings.Contains(why, "/robots.txt could not be read: ") || !strings.Contains(why, "loopback") {
		t.Errorf("a private address: %q", why)
	}
	s.status["/robots.txt"] = http.StatusServiceUnavailable
	if why := missing(newAsker(t, private, search).ask(s.URL+"/page"), "page"); !strings.Contains(why, "503") {
		t.Errorf("a server error: %q", why)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	visit := answer.VisitURL(origin.Text(s.URL+"/page"), answer.RuleFile(answer.NewFile(nil), nil, a.config.Crawlers))
	if _, err := sites.Permit(ctx, &visit, &a.config, nil, a.fetcher); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}
