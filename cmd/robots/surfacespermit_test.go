package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
	"github.com/kosterhq/robotstxt/robotshttp"
	responses "github.com/kosterhq/robotstxt/robotshttp/permission"
)

// permitCase is a case of permission as a site that is served.
type permitCase struct {
	*conformance.PermissionCase
	site string // the scheme and host
}

// expand replaces the site of a text by the one that is served.
func (c *permitCase) expand(text string) string {
	return strings.ReplaceAll(text, "https://example.com", c.site)
}

func (c *permitCase) text(lines []string) []byte { return []byte(c.expand(string(c.Text(lines)))) }

// file returns what the site has at a path.
func (c *permitCase) file(path string) (text []byte, found bool) {
	switch path {
	case "/robots.txt":
		return c.text(c.Robots), c.Robots != nil
	case "/.well-known/tdmrep.json":
		return c.text(c.TDMRep), c.TDMRep != nil
	}
	for url, lines := range c.Documents {
		if c.expand(url) == c.site+path {
			return c.text(lines), lines != nil
		}
	}
	return c.text(c.HTML), true
}

// header returns the lines of the response.
func (c *permitCase) header() http.Header {
	header := http.Header{"Content-Type": {"image/png"}}
	if c.HTML != nil {
		header["Content-Type"] = []string{"text/html; charset=utf-8"}
	}
	for _, line := range c.Header {
		header.Add(line[0], c.expand(line[1]))
	}
	return header
}

// sources returns what the library gets.
func (c *permitCase) sources() *permission.Sources {
	s := &permission.Sources{Header: c.header(), Page: &permission.Page{}, TDMRep: &permission.TDMRep{URL: c.site + "/.well-known/tdmrep.json"},
		Documents: map[string]*permission.License{}}
	s.Robots = permission.NewRobots(c.site+"/robots.txt", c.text(c.Robots))
	if c.Robots == nil {
		s.Robots = &permission.Robots{URL: c.site + "/robots.txt", Without: robotstxt.AllowAll("")}
	}
	if c.HTML != nil {
		s.Page = page.Read(c.text(c.HTML), s.Header["Content-Type"][0])
	}
	if c.TDMRep != nil {
		s.TDMRep = permission.ReadTDMRep(s.TDMRep.URL, c.text(c.TDMRep))
	}
	for url, lines := range c.Documents {
		s.Documents[c.expand(url)] = &permission.License{Problem: "the status is 404"}
		if lines != nil {
			s.Documents[c.expand(url)] = permission.ReadLicense(c.text(lines))
		}
	}
	return s
}

// permitCases returns the cases that a site can be.
func permitCases(t *testing.T) (cases []*permitCase) {
	all, err := conformance.PermissionCases()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		c := &permitCase{&all[i], fmt.Sprintf("http://case-%d.example", i)}
		other := slices.ContainsFunc(c.Header, func(line [2]string) bool { return strings.EqualFold(line[0], "Content-Type") })
		for url := range c.Documents {
			other = other || !strings.HasPrefix(url, "https://example.com/")
		}
		switch {
		case c.NotGiven != nil || c.Time != "" || other || !strings.HasPrefix(c.URL, "https://example.com/"):
			t.Logf("%s: not put: a site cannot be so", c.Name)
		default:
			cases = append(cases, c)
		}
	}
	return cases
}

// sameAnswers compares answers with those of the library. Where our own crawler may not request the
// page either, only that is compared; and the reason why there is no robots.txt is that of the fetch.
func sameAnswers(t *testing.T, surface string, c *permitCase, got []wire.PermitAnswer, want []permission.Answer) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %s: %d answers, want %d", surface, c.Name, len(got), len(want))
		return
	}
	for i := range want {
		same := reflect.DeepEqual(got[i].Answer, want[i])
		if want[i].Fetch == permission.Disallowed || c.Robots == nil && want[i].Fetch == want[i].Verdict {
			same = got[i].Fetch == want[i].Fetch
		}
		if !same {
			t.Errorf("%s: %s: %s:\n%+v\nwant\n%+v", surface, c.Name, want[i].Purpose, got[i], want[i])
		}
	}
}

// answersOf returns answers as the library gives them.
func answersOf(p *wire.Permit) (answers []permission.Answer) {
	for _, a := range p.Answers {
		answers = append(answers, a.Answer)
	}
	return answers
}

// permit asks what may be done with a page: the library, the tool and the service, with the sources
// given and fetched, and the transport.
func (w *world) permit(t *testing.T) {
	byHost := map[string]*permitCase{}
	site := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		c := byHost[r.Host]
		if c == nil {
			to.WriteHeader(http.StatusBadGateway)
			return
		}
		text, found := c.file(r.URL.Path)
		if !found {
			to.WriteHeader(http.StatusNotFound)
			return
		}
		if c.site+r.URL.Path == c.expand(strings.Split(c.URL, "?")[0]) {
			for name, lines := range c.header() {
				to.Header()[http.CanonicalHeaderKey(name)] = lines
			}
		}
		_, _ = to.Write(text)
	}))
	defer site.Close()
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, site.Listener.Addr().String())
	}
	service := serveWith(t, serve.Config{Dial: dial})
	robots, err := fetch.New(fetch.Config{UserAgent: "TeaBot (+https://shop.example)", Network: fetch.Network{Dial: dial, Resolver: anywhere{}}})
	if err != nil {
		t.Fatal(err)
	}
	defer robots.Close()
	plain := &http.Transport{DialContext: dial}
	defer plain.CloseIdleConnections()
	unhindered := func(*http.Request, fetch.Decision) error { return nil }
	client := &http.Client{Transport: &robotshttp.Transport{Client: robots, Base: plain, KeepResult: true,
		Judge: unhindered}}
	n := 0
	for i, c := range permitCases(t) {
		byHost[strings.TrimPrefix(c.site, "http://")] = c
		tokens := []string{c.Crawler}
		if c.Crawler == "*" {
			tokens = nil
		}
		url := c.expand(c.URL)
		name := fmt.Sprintf("%q", c.Crawler)
		want := permission.Decide(permission.Ask(url, tokens...), c.sources())
		n++

		request := map[string]any{"url": url, "crawlers": []string{name}}
		sameAnswers(t, "service", c, decode[wire.Permit](t, postJSON(t, service, "permit", request)).Answers, want)
		if long || i%4 == 0 {
			out, _ := w.run(t, "permit", "--json", "--cache", "none", "--proxy", site.URL, "--crawler", name, url)
			sameAnswers(t, "tool", c, decode[wire.Permit](t, []byte(out)).Answers, want)
			if c.Documents == nil && c.Robots != nil {
				w.permitFile(t, service, c, name)
			}
		}

		response, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		s := &permission.Sources{Robots: c.sources().Robots, Header: c.header()}
		named := slices.DeleteFunc(responses.Of(response, tokens...),
			func(a permission.Answer) bool { return !slices.Contains(permission.Purposes(), a.Purpose) })
		for j, a := range permission.Decide(permission.Ask(url, tokens...), s) {
			if named[j].Verdict != a.Verdict || named[j].Provisional != a.Provisional ||
				c.Robots != nil && !reflect.DeepEqual(named[j].Reasons, a.Reasons) {
				t.Errorf("transport: %s: %s: %+v, want %+v", c.Name, a.Purpose, named[j], a)
			}
		}
	}
	if t.Logf("%d pages", n); n < 100 {
		t.Errorf("only %d pages", n)
	}
}

// permitFile asks the tool and the service with the sources given.
func (w *world) permitFile(t *testing.T, service string, c *permitCase, name string) {
	folder := t.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		write(t, path, string(text))
		return path
	}
	tdmrep := c.text(c.TDMRep)
	if c.TDMRep == nil {
		tdmrep = []byte("[]")
	}
	arguments := []string{"permit", "--json", "--file", file("robots.txt", c.text(c.Robots)), "--html", file("page.html", c.text(c.HTML)), "--tdmrep", file("tdmrep.json", tdmrep), "--crawler", name}
	var lines []map[string]string
	for field, values := range c.header() {
		for _, value := range values {
			arguments = append(arguments, "--response-header", field+": "+value)
			lines = append(lines, map[string]string{"name": field, "value": value})
		}
	}
	url := c.expand(c.URL)
	out, _ := w.run(t, append(arguments, url)...)
	tool := decode[wire.Permit](t, []byte(out))
	request := map[string]any{
		"url": url, "crawlers": []string{name}, "body": string(c.text(c.Robots)), "html": string(c.text(c.HTML)), "tdmrep": string(tdmrep), "header": lines,
	}
	sameAnswers(t, "service and tool with files", c, decode[wire.Permit](t, postJSON(t, service, "permit", request)).Answers, answersOf(&tool))
	for purpose, verdict := range c.Want {
		i := slices.IndexFunc(tool.Answers, func(a wire.PermitAnswer) bool { return string(a.Purpose) == purpose })
		if i < 0 || string(tool.Answers[i].Verdict) != verdict {
			t.Errorf("tool with files: %s: %s: want %s", c.Name, purpose, verdict)
		}
	}
}
