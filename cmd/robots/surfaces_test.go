package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/surfaces"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/robotshttp"
	"github.com/kosterhq/robotstxt/semdiff"
)

// long reports whether all questions are put to every surface. Otherwise those that need a
// process get a part of them.
var long = os.Getenv("ROBOTSTXT_LONG") != ""

// atLeast is how many questions the test must put to a surface.
const atLeast = 3000

// group is all questions about a case in one dialect: a grid of URLs and crawlers.
type group struct {
	*surfaces.Case
	dialect *robotstxt.Dialect
	file    string // the body
}

// questions yields the grid: the crawlers of each URL.
func (g *group) questions() (all []*surfaces.Question) {
	for _, url := range surfaces.URLs(g.Host()) {
		for _, agent := range surfaces.Crawlers() {
			all = append(all, &surfaces.Question{Case: g.Case, Agent: agent, URL: url, Dialect: g.dialect})
		}
	}
	return all
}

// dialectFlags returns the flags of the dialect.
func (g *group) dialectFlags() []string {
	if g.dialect == nil {
		return nil
	}
	return []string{"--dialect", g.dialect.String()}
}

// flags returns the flags of the dialect and of all crawlers.
func (g *group) flags() []string {
	flags := g.dialectFlags()
	for _, agent := range surfaces.Crawlers() {
		flags = append(flags, "--agent", agent)
	}
	return flags
}

// world is what the surfaces of a test share.
type world struct {
	site   *httptest.Server // serves every case by its hosts, also as their proxy
	secure *httptest.Server // the same by TLS
	byHost map[string]*surfaces.Case
	groups []*group

	clients map[[2]string]*fetch.Client // by crawler and dialect, nil if no line can name the crawler
}

func (w *world) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	host := r.Host
	if r.URL.Host != "" {
		host = r.URL.Host
	}
	c := w.byHost[strings.ToLower(strings.TrimSuffix(host, ":80"))]
	switch {
	case r.Method == http.MethodConnect:
		tunnel(to, w.secure)
	case c == nil:
		to.WriteHeader(http.StatusBadGateway)
	case r.URL.Path != "/robots.txt":
		to.WriteHeader(http.StatusNoContent)
	default:
		to.Header().Set("Content-Type", "text/plain")
		to.WriteHeader(c.Status)
		_, _ = to.Write(c.Body)
	}
}

// dial connects every host to the sites.
func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	site := w.site
	if strings.HasSuffix(address, ":443") {
		site = w.secure
	}
	var d net.Dialer
	return d.DialContext(ctx, network, site.Listener.Addr().String())
}

func newWorld(t *testing.T) *world {
	w := &world{byHost: make(map[string]*surfaces.Case), clients: make(map[[2]string]*fetch.Client)}
	folder := t.TempDir()
	for i, c := range surfaces.Cases() {
		for _, host := range c.Hosts() {
			w.byHost[host] = c
		}
		file := filepath.Join(folder, c.Host()+".txt")
		write(t, file, string(c.Body))
		for j, dialect := range surfaces.Dialects() {
			if long || (i+j)%4 == 0 {
				w.groups = append(w.groups, &group{c, dialect, file})
			}
		}
	}
	w.site = httptest.NewServer(w)
	t.Cleanup(w.site.Close)
	roots := ""
	w.secure, roots = startTLS(t, w, slices.Collect(maps.Keys(w.byHost))...)
	t.Setenv("SSL_CERT_FILE", roots)
	return w
}

// run runs the tool. An exit status is not an error: it may be a verdict.
func (w *world) run(t *testing.T, arguments ...string) (out string, status int) {
	t.Helper()
	status, out, stderr := runTool(t, arguments...)
	if status == 2 && out == "" && arguments[0] != "audit" {
		t.Fatalf("robots %s: %s", strings.Join(arguments, " "), stderr)
	}
	if arguments[0] == "test" {
		out += stderr
	}
	return out, status
}

// verify compares the answers of a surface. Fields that it cannot express are -1 or "".
type verify struct {
	t      *testing.T
	name   string // of the surface, if it has no subtest
	n, bad int
	left   map[string]int // questions that the surface cannot put, by reason
}

// Reasons why a surface cannot put a question.
const (
	noStatus  = "a file has no status"
	noLimit   = "the package judges the whole text"
	noReading = "no line can name the crawler, which the package leaves to its caller"
	noCrawler = "a client needs a crawler that a line can name"
	notSent   = "net/http refuses the URL, as it must"
	itself    = "a transport lets robots.txt itself pass"
	noUnknown = "expectations have no word for unknown"
	noTab     = "a tab separates columns in a list, and words in expectations"
	noSlashes = "expectations require two slashes after the scheme"
	refused   = "the service refuses a URL with a user name"
	tooSlow   = "a process or a request for each question: only some without ROBOTSTXT_LONG"
)

// leave counts questions that the surface cannot put.
func (v *verify) leave(n int, reason string) {
	if v.left == nil {
		v.left = make(map[string]int)
	}
	v.left[reason] += n
}

// log prints how many questions were put, and how many not, with the reasons.
func (v *verify) log() {
	v.t.Helper()
	v.t.Logf("%s %d questions, %d other answers", v.name, v.n, v.bad)
	for _, reason := range slices.Sorted(maps.Keys(v.left)) {
		v.t.Logf("%s %d not put: %s", v.name, v.left[reason], reason)
	}
}

func (v *verify) is(q *surfaces.Question, got, want surfaces.Answer) {
	v.t.Helper()
	v.n++
	if got.Line < 0 {
		got.Line = want.Line
	}
	if got.MatchedBy == "" {
		got.MatchedBy = want.MatchedBy
	}
	if got.Dialect == "" {
		got.Dialect = want.Dialect
	}
	if want.Verdict == "unknown" { // no line and no dialect decides
		got.Line, got.MatchedBy, got.Dialect = want.Line, want.MatchedBy, want.Dialect
	}
	if got != want {
		v.bad++
		if v.bad <= 10 {
			v.t.Errorf("%v: %+v, want %+v", q, got, want)
		}
	}
}

// are compares the answers to questions about a group.
func (v *verify) are(g *group, questions []*surfaces.Question, answers []surfaces.Answer) {
	v.t.Helper()
	if len(answers) != len(questions) {
		v.t.Fatalf("%s: %d answers for %d questions", g.Name, len(answers), len(questions))
	}
	for i, q := range questions {
		v.is(q, answers[i], q.Text())
	}
}

// decode decodes an answer in JSON.
func decode[T any](t *testing.T, text []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

// each is a subtest of a surface.
func each(t *testing.T, name string, least int, ask func(*testing.T, *verify)) {
	t.Run(name, func(t *testing.T) {
		v := &verify{t: t}
		ask(t, v)
		v.log()
		if v.n < least {
			t.Errorf("only %d questions", v.n)
		}
	})
}

// TestSurfaces puts the same questions to every surface in Go and in the tool. npm and the
// page have tests of their own, with the same questions.
//
// A surface that cannot put a question leaves it out, and its subtest logs how many and why.
func TestSurfaces(t *testing.T) {
	w := newWorld(t)
	defer func() {
		for _, client := range w.clients {
			if client != nil {
				client.Close()
			}
		}
	}()
	each(t, "package", atLeast, w.library)
	each(t, "client", atLeast, w.client)
	each(t, "transport", atLeast, w.transport)
	for _, format := range []string{"json", "csv", "text"} {
		each(t, "check "+format, atLeast, func(t *testing.T, v *verify) { w.check(t, v, format, false) })
	}
	each(t, "check of sites", atLeast, func(t *testing.T, v *verify) { w.check(t, v, "json", true) })
	each(t, "test", atLeast, w.test)
	byProcess := 100
	if long {
		byProcess = atLeast
	}
	each(t, "explain", byProcess, w.explain)
	each(t, "audit", atLeast, w.audit)
	each(t, "diff", atLeast, w.diff)
	t.Run("ai", w.ai)
	t.Run("permit", w.permit)
	s := w.serve(t)
	each(t, "service, diff", atLeast, func(t *testing.T, v *verify) { w.serviceDiff(t, v, s) })
	for _, sites := range []bool{false, true} {
		s := w.serve(t)
		each(t, fmt.Sprintf("service, explain, sites %t", sites), 1000, func(t *testing.T, v *verify) { w.serviceExplain(t, v, s, sites) })
		each(t, fmt.Sprintf("service, sites %t", sites), atLeast, func(t *testing.T, v *verify) { w.service(t, v, s, sites) })
		for _, output := range []string{"answers", "grid"} {
			each(t, fmt.Sprintf("service, stream of %s, sites %t", output, sites), atLeast,
				func(t *testing.T, v *verify) { w.stream(t, v, s, output, sites) })
		}
	}
}

// hasFile reports whether a case can be asked as a file.
func hasFile(c *surfaces.Case) bool { return c.Status == 200 }

// asked yields the groups whose case has a file; with sites, all.
func (w *world) asked(v *verify, sites bool) iter.Seq[*group] {
	return func(yield func(*group) bool) {
		for _, g := range w.groups {
			if !sites && !hasFile(g.Case) {
				v.leave(len(g.questions()), noStatus)
			} else if !yield(g) {
				return
			}
		}
	}
}

// library asks the one shot and the rules without reasons.
func (w *world) library(t *testing.T, v *verify) {
	for i, q := range surfaces.Questions(1) {
		if !long && i == 6000 {
			break
		}
		want := q.Text()
		reading, ok := crawlers.ReadingOf(q.Tokens()...)
		reading = reading.In(q.Dialect)
		switch {
		case !hasFile(q.Case):
			v.leave(1, noStatus)
			continue
		case q.Name == "truncated":
			v.leave(1, noLimit)
			continue
		case !ok && q.Dialect == nil:
			v.leave(1, noReading)
			continue
		}
		url := origin.Text(q.URL).Compared()
		robots := reading.Dialect.Parse(q.Body)
		allowed, line := reading.Rules(robots).Verdict(url)
		got := surfaces.Answer{Verdict: word(allowed), Line: line,
			MatchedBy: string(reading.Rules(robots).MatchedBy()), Dialect: robots.Dialect().String()}
		v.is(q, got, want)
		if !reading.NamedOnly {
			v.is(q, surfaces.Answer{Verdict: word(reading.Dialect.Allowed(q.Body, url, reading.Tokens...)), Line: -1},
				want)
		}
	}
}

func word(allowed bool) string {
	if allowed {
		return "allowed"
	}
	return "disallowed"
}

// clientOf returns a client whose own crawler is that of the question. It is nil if fetch.New
// refuses the crawler, because none of its tokens can be named.
func (w *world) clientOf(t *testing.T, q *surfaces.Question) *fetch.Client {
	key := [2]string{q.Agent, q.DialectName()}
	if client, made := w.clients[key]; made {
		return client
	}
	client, err := fetch.New(fetch.Config{UserAgent: "TestBot (+https://shop.example)", Agents: q.Tokens(), Dialect: q.Dialect, Network: fetch.Network{Dial: w.dial, Resolver: anywhere{}}})
	if err != nil {
		reading, known := crawlers.ReadingOf(q.Tokens()...)
		if q.Dialect != nil {
			known = slices.ContainsFunc(reading.Tokens, q.Dialect.ValidAgent)
		}
		if known && !slices.Equal(q.Tokens(), []string{"*"}) {
			t.Fatalf("%v: %v", q, err)
		}
		client = nil
	}
	w.clients[key] = client
	return client
}

// byCrawler calls ask with all questions, and the client of their crawler and dialect.
func (w *world) byCrawler(v *verify, ask func(*fetch.Client, *surfaces.Question)) {
	for _, g := range w.groups {
		for _, q := range g.questions() {
			client := w.clientOf(v.t, q)
			if client == nil {
				v.leave(1, noCrawler)
				continue
			}
			ask(client, q)
		}
	}
}

func (w *world) client(t *testing.T, v *verify) {
	w.byCrawler(v, func(c *fetch.Client, q *surfaces.Question) {
		want, ok := q.Request()
		d, err := c.Decide(t.Context(), q.URL)
		if err != nil || !ok {
			if v.leave(1, notSent); ok || err == nil {
				t.Errorf("%v: %v, want an error: %t", q, err, !ok)
			}
			return
		}
		v.is(q, surfaces.Answer{Verdict: word(d.Allowed), Line: d.Line, MatchedBy: string(d.MatchedBy),
			Dialect: d.Dialect.String()}, want)
		if allowed, err := c.Allowed(t.Context(), q.URL); err != nil || allowed != d.Allowed {
			t.Errorf("%v: Decide says %t, Allowed %t, %v", q, d.Allowed, allowed, err)
		}
	})
}

// nothing is a network in which every page is empty.
type nothing struct{}

func (nothing) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody, Request: r}, nil
}

func (w *world) transport(t *testing.T, v *verify) {
	w.byCrawler(v, func(c *fetch.Client, q *surfaces.Question) {
		want, ok := q.Request()
		if strings.HasSuffix(q.URL, "/robots.txt") {
			v.leave(1, itself)
			return
		}
		request, err := http.NewRequest(http.MethodGet, q.URL, nil)
		if err != nil || !ok {
			if v.leave(1, notSent); ok || err == nil && want.Verdict != "" {
				t.Errorf("%v: %v, want an error: %t", q, err, !ok)
			}
			return
		}
		pacer := &robotshttp.Transport{Client: c, Base: nothing{}}
		response, err := pacer.RoundTrip(request)
		if err == nil {
			response.Body.Close()
		} else if disallowed := (*robotshttp.DisallowedError)(nil); !errors.As(err, &disallowed) {
			t.Fatalf("%v: %v", q, err)
		}
		v.is(q, surfaces.Answer{Verdict: word(err == nil), Line: -1}, want)
	})
}

// check asks robots check, of files or of sites.
func (w *world) check(t *testing.T, v *verify, format string, sites bool) {
	for _, g := range w.groups {
		arguments := append([]string{"check"}, g.flags()...)
		if format != "text" {
			arguments = append(arguments, "--format", format)
		}
		switch {
		case sites:
			arguments = append(arguments, "--cache", "none", "--proxy", w.site.URL, "--policy", "google")
		case hasFile(g.Case):
			arguments = append(arguments, "--file", g.file)
		default:
			v.leave(len(g.questions()), noStatus)
			continue
		}
		out, _ := w.run(t, append(append(arguments, "--"), surfaces.URLs(g.Host())...)...)
		v.are(g, g.questions(), parse(t, format, out))
	}
}

// parse reads the answers of robots check.
func parse(t *testing.T, format, out string) (answers []surfaces.Answer) {
	t.Helper()
	switch format {
	case "json":
		for text := range strings.Lines(out) {
			answers = append(answers, decode[surfaces.Answer](t, []byte(text)))
		}
	case "csv":
		for _, row := range records(t, out) {
			a := surfaces.Answer{Verdict: row["verdict"], MatchedBy: row["matched_by"], Dialect: row["dialect"]}
			fmt.Sscan(row["line"], &a.Line)
			answers = append(answers, a)
		}
	case "text":
		for text := range strings.Lines(out) {
			fields := strings.Fields(text)
			a := surfaces.Answer{Verdict: fields[0]}
			if fields[1] == "line" {
				fmt.Sscan(fields[2], &a.Line)
			}
			answers = append(answers, a)
		}
	}
	return answers
}

// records reads rows of CSV, by the names of their columns.
func records(t *testing.T, text string) (records []map[string]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		record := make(map[string]string)
		for i, name := range rows[0] {
			record[name] = row[i]
		}
		records = append(records, record)
	}
	return records
}

// test writes the expected answers as expectations.
func (w *world) test(t *testing.T, v *verify) {
	file := filepath.Join(t.TempDir(), "surfaces.robots-test")
	for g := range w.asked(v, false) {
		var text strings.Builder
		fmt.Fprintf(&text, "robots: %s\nhtml: ok\n", filepath.ToSlash(g.file))
		asked := 0
		for _, q := range g.questions() {
			want := q.Text()
			switch {
			case want.Verdict == "unknown":
				v.leave(1, noUnknown)
				continue
			case strings.Contains(q.URL, "\t"):
				v.leave(1, noTab)
				continue
			case !strings.Contains(q.URL, "://"):
				v.leave(1, noSlashes)
				continue
			}
			asked++
			url := q.URL
			if strings.Contains(url, " ") {
				url = `"` + url + `"`
			}
			if q.Dialect != nil {
				fmt.Fprintf(&text, "dialect: %s\n", q.Dialect)
			}
			key := map[string]string{"allowed": "allow", "disallowed": "deny"}[want.Verdict]
			fmt.Fprintf(&text, "agents: %s\n%s: [%d] %s\n", q.Agent, key, want.Line, url)
		}
		write(t, file, text.String())
		out, status := w.run(t, "test", file)
		v.n += asked
		if status != 0 {
			v.bad++
			t.Errorf("%s, dialect %v: %s", g.Name, g.dialect, out)
		}
	}
}

// explain asks one question in a process, so few of them unless the run is long.
func (w *world) explain(t *testing.T, v *verify) {
	for i, q := range surfaces.Questions(2) {
		switch {
		case !hasFile(q.Case):
			v.leave(1, noStatus)
			continue
		case !long && i > 200:
			v.leave(1, tooSlow)
			continue
		}
		g := group{q.Case, q.Dialect, filepath.Join(filepath.Dir(w.groups[0].file), q.Host()+".txt")}
		arguments := append([]string{"explain", "--json", "--file", g.file, "--agent", q.Agent}, g.dialectFlags()...)
		out, _ := w.run(t, append(arguments, "--", q.URL)...)
		v.explanation(q, []byte(out))
	}
}

// explanation compares an explanation in JSON.
func (v *verify) explanation(q *surfaces.Question, text []byte) {
	e := decode[struct {
		Verdict   string
		MatchedBy string `json:"matched_by"`
		Decision  struct {
			Line    int
			Dialect string
		}
	}](v.t, text)
	v.is(q, surfaces.Answer{Verdict: e.Verdict, Line: e.Decision.Line, MatchedBy: e.MatchedBy,
		Dialect: e.Decision.Dialect}, q.Text())
}

// diff compares an empty file with that of the questions: what is disallowed closes.
func (w *world) diff(t *testing.T, v *verify) {
	folder := t.TempDir()
	urls, before := filepath.Join(folder, "urls.txt"), filepath.Join(folder, "before.txt")
	write(t, before, "")
	for g := range w.asked(v, false) {
		g.writeList(t, v, urls)
		out, _ := w.run(t, slices.Concat([]string{"diff", "--json", "--urls", urls}, g.flags(), []string{before, g.file})...)
		v.closes(g, []byte(out), func(url string) bool { return !strings.Contains(url, "\t") })
	}
}

// closes compares a comparison in JSON about the URLs that put accepts.
func (v *verify) closes(g *group, text []byte, put func(url string) bool) {
	c := decode[struct {
		Unread []string `json:"unread_agents"`
		Flips  []struct {
			URL    string
			Agents []string
			Effect string
		}
	}](v.t, text)
	got := make(map[[2]string]string) // by URL and crawler
	for _, flip := range c.Flips {
		for _, agent := range flip.Agents {
			got[[2]string{flip.URL, agent}] = map[string]string{"closes": "disallowed"}[flip.Effect]
		}
	}
	for _, q := range g.questions() {
		if !put(q.URL) {
			continue
		}
		agent := strings.ReplaceAll(q.Agent, `"`, "")
		verdict, flips := got[[2]string{strings.TrimSpace(origin.Text(q.URL).Given()), agent}]
		switch {
		case slices.Contains(c.Unread, agent):
			verdict = "unknown"
		case !flips:
			verdict = "allowed"
		}
		v.is(q, surfaces.Answer{Verdict: verdict, Line: -1}, q.Text())
	}
}

// writeList writes the URLs of the questions to a list.
func (g *group) writeList(t *testing.T, v *verify, file string) {
	var listed []string
	for _, url := range surfaces.URLs(g.Host()) {
		if strings.Contains(url, "\t") {
			v.leave(len(surfaces.Crawlers()), noTab)
			continue
		}
		listed = append(listed, url)
	}
	write(t, file, strings.Join(listed, "\n"))
}

// audit counts, for each crawler, the URLs that it may fetch.
func (w *world) audit(t *testing.T, v *verify) {
	folder := t.TempDir()
	urls, table := filepath.Join(folder, "urls.txt"), filepath.Join(folder, "crawlers.csv")
	for g := range w.asked(v, false) {
		g.writeList(t, v, urls)
		input := filepath.Join(t.TempDir(), g.Host()+".txt")
		write(t, input, string(g.Body))
		arguments := append([]string{"audit", "--quiet", "--urls", urls, "--crawlers-out", table}, g.flags()...)
		want := make(map[string]int)
		for _, q := range g.questions() {
			if !strings.ContainsAny(q.URL, "\t") {
				v.n++
				if q.Text().Verdict == "allowed" {
					want[strings.ReplaceAll(q.Agent, `"`, "")]++
				}
			}
		}
		_ = os.Remove(table)
		if _, status := w.run(t, append(arguments, filepath.Dir(input))...); status == 2 && g.dialect != nil {
			t.Fatalf("%s: status %d", g.Name, status)
		}
		for crawler, got := range samples(t, table) {
			if fmt.Sprint(want[crawler]) != got && !(got == "" && want[crawler] == 0) {
				v.bad++
				t.Errorf("%s, dialect %v, %s: %s URLs allowed, want %d", g.Name, g.dialect, crawler, got, want[crawler])
			}
		}
	}
}

// samples reads the numbers of URLs that crawlers may fetch from a table of an audit.
func samples(t *testing.T, table string) map[string]string {
	t.Helper()
	text := read(t, table)
	of := make(map[string]string)
	for _, row := range records(t, text) {
		of[strings.ReplaceAll(row["crawler"], `"`, "")] = row["samples"]
	}
	if len(of) != len(surfaces.Crawlers()) {
		t.Errorf("the table has %d crawlers: %v", len(of), of)
	}
	return of
}

// serve starts a service whose fetches lead to the sites.
func (w *world) serve(t *testing.T) string { return serveWith(t, serve.Config{Dial: w.dial}) }

// serveWith starts the service, for sites that all names lead to.
func serveWith(t *testing.T, c serve.Config) string {
	c.Listen, c.Admin, c.UserAgent, c.OriginInterval, c.Resolver = "127.0.0.1:0", serve.NoAdmin, "TestBot (+https://shop.example)", -1, anywhere{}
	s, err := serve.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() { cancel(); <-ended })
	return strings.TrimSuffix(serve.URL(l.Service), "/")
}

// anywhere is a resolver that knows every name: the address of hN-M.example is 8.8.N.M, others have the same one.
type anywhere struct{}

func (anywhere) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	numbers, _, _ := strings.Cut(strings.TrimPrefix(host, "h"), ".")
	addr, err := netip.ParseAddr("8.8." + strings.ReplaceAll(numbers, "-", "."))
	if err != nil {
		addr = netip.MustParseAddr("8.8.8.8")
	}
	return []netip.Addr{addr}, nil
}

// request is a request for verdicts.
type request struct {
	Agents  []string `json:"agents"`
	URLs    []string `json:"urls,omitempty"`
	Body    []byte   `json:"body_base64,omitempty"`
	Text    *string  `json:"body,omitempty"` // for an empty body
	Dialect string   `json:"dialect,omitempty"`
	Output  string   `json:"output,omitempty"`

	Before    *string `json:"before,omitempty"`
	After     []byte  `json:"after_base64,omitempty"`
	AfterText *string `json:"after,omitempty"` // for an empty one
}

func (g *group) request(sites bool) (r request) {
	r.Agents = surfaces.Crawlers()
	if !sites {
		r.Body = g.Body
		if len(g.Body) == 0 {
			r.Text = new(string)
		}
	}
	if g.dialect != nil {
		r.Dialect = g.dialect.String()
	}
	return r
}

// post sends a request for an operation to the service.
func post(t *testing.T, url, operation, media string, body []byte) *http.Response {
	t.Helper()
	response, err := http.Post(url+"/v1/"+operation, media, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		problem, _ := io.ReadAll(response.Body)
		t.Fatalf("%s: %s", response.Status, problem)
	}
	return response
}

func hasUser(url string) bool { return strings.Contains(url, "@") }

// accepted returns the URLs of a group that the service accepts, and the questions about
// them. It asks no site about a URL with a user name.
func (v *verify) accepted(g *group, sites bool) (urls []string, questions []*surfaces.Question) {
	for _, url := range surfaces.URLs(g.Host()) {
		if !sites || !hasUser(url) {
			urls = append(urls, url)
		}
	}
	for _, q := range g.questions() {
		if !sites || !hasUser(q.URL) {
			questions = append(questions, q)
		} else {
			v.leave(1, refused)
		}
	}
	return urls, questions
}

func (w *world) service(t *testing.T, v *verify, url string, sites bool) {
	for g := range w.asked(v, sites) {
		r := g.request(sites)
		var questions []*surfaces.Question
		r.URLs, questions = v.accepted(g, sites)
		v.are(g, questions, decode[struct{ Answers []surfaces.Answer }](t, postJSON(t, url, "check", r)).Answers)
	}
}

// serviceExplain asks one question in a request.
func (w *world) serviceExplain(t *testing.T, v *verify, url string, sites bool) {
	for i, q := range surfaces.Questions(4) {
		g := group{q.Case, q.Dialect, ""}
		switch {
		case !sites && !hasFile(q.Case):
			v.leave(1, noStatus)
			continue
		case !long && i > 1500:
			v.leave(1, tooSlow)
			continue
		case sites && hasUser(q.URL):
			v.leave(1, refused)
			continue
		}
		r := g.request(sites)
		r.Agents, r.URLs = []string{q.Agent}, []string{q.URL}
		v.explanation(q, postJSON(t, url, "explain", r))
	}
}

// serviceDiff is diff in requests.
func (w *world) serviceDiff(t *testing.T, v *verify, url string) {
	for g := range w.asked(v, false) {
		r := g.request(true)
		r.URLs = surfaces.URLs(g.Host())
		r.Before, r.After = new(string), g.Body
		if len(g.Body) == 0 {
			r.AfterText = new(string)
		}
		v.closes(g, postJSON(t, url, "diff", r), func(string) bool { return true })
	}
}

// postJSON returns the result of an operation.
func postJSON(t *testing.T, url, operation string, r any) []byte {
	t.Helper()
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	response := post(t, url, operation, "application/json", body)
	defer response.Body.Close()
	result, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (w *world) stream(t *testing.T, v *verify, url, output string, sites bool) {
	for g := range w.asked(v, sites) {
		r := g.request(sites)
		r.Output = output
		var body bytes.Buffer
		lines := json.NewEncoder(&body)
		if err := lines.Encode(r); err != nil {
			t.Fatal(err)
		}
		urls, questions := v.accepted(g, sites)
		for _, url := range urls {
			if err := lines.Encode(url); err != nil {
				t.Fatal(err)
			}
		}
		response := post(t, url, "check", "application/x-ndjson", body.Bytes())
		var answers []surfaces.Answer
		for decoder := json.NewDecoder(response.Body); ; {
			var row struct {
				surfaces.Answer
				Answers []surfaces.Answer // of a grid
			}
			if err := decoder.Decode(&row); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if output == "answers" {
				answers = append(answers, row.Answer)
			}
			answers = append(answers, row.Answers...)
		}
		response.Body.Close()
		v.are(g, questions, answers)
	}
}

// depends reports whether the access of a crawler depends on the parser.
func depends(t *testing.T, g *group, reading crawlers.Reading, rules robotstxt.Rules) bool {
	other, ok := reading.Other()
	if !ok {
		return false
	}
	agreement, err := semdiff.Agree(t.Context(), rules, other.Rules(other.Dialect.Parse(g.Body)), semdiff.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return !agreement.Agree
}

// ai compares what robots ai says of each known AI crawler with the library's proof.
func (w *world) ai(t *testing.T) {
	n := 0
	for _, g := range w.groups {
		if !hasFile(g.Case) || g.Name == "truncated" || g.Name == "html" {
			t.Logf("%s: not put: ai has no verdict without a file that it reads whole as text", g.Name)
			continue
		}
		out, _ := w.run(t, append(append([]string{"ai", "--json"}, g.dialectFlags()...), g.file)...)
		view := decode[struct {
			Purposes []struct {
				Access string
				Agents []string
			}
		}](t, []byte(out))
		for _, row := range view.Purposes {
			for _, agent := range row.Agents {
				n++
				reading, ok := crawlers.ReadingOf(agent)
				reading = reading.In(g.dialect)
				want := "unknown"
				if ok || g.dialect != nil {
					rules := reading.Rules(reading.Dialect.Parse(g.Body))
					extent, _, err := semdiff.ExtentOf(t.Context(), rules, semdiff.Config{})
					if err != nil {
						t.Fatal(err)
					}
					want = string(extent)
					if depends(t, g, reading, rules) {
						want = "depends"
					}
				}
				if row.Access != want {
					t.Errorf("%s, dialect %v, %s: %s, want %s", g.Name, g.dialect, agent, row.Access, want)
				}
			}
		}
	}
	t.Logf("%d crawlers in files", n)
	if n < atLeast {
		t.Errorf("only %d", n)
	}
}
