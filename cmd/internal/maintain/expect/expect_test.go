package expect_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
	"github.com/kosterhq/robotstxt/origin"
)

// write makes files, and returns their directory.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readFile is the ReadFile of runners.
func readFile(path string) (*answer.File, error) {
	body, err := os.ReadFile(path)
	return answer.NewFile(body), err
}

// run runs files of expectations.
func run(t *testing.T, r *expect.Runner, names ...string) *expect.Report {
	t.Helper()
	if r.ReadFile == nil {
		r.ReadFile = readFile
	}
	var suites []*expect.Suite
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		suites = append(suites, r.Suite(name, data))
	}
	report, err := r.Run(t.Context(), suites)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestVectors: every vector of the conformance kit is a file of expectations that the
// engine meets.
func TestVectors(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "conformance", "vectors", "*", "*.txt"))
	if err != nil || len(names) < 300 {
		t.Fatalf("%d vectors, error %v", len(names), err)
	}
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	for _, v := range vectors {
		checks += len(v.Checks)
	}
	report := run(t, &expect.Runner{}, names...)
	if report.Count(expect.Passed) != checks || report.Broken() != 0 {
		t.Errorf("%d of %d checks passed, %d failed, %d files are broken", report.Count(expect.Passed), checks, report.Count(expect.Failed), report.Broken())
	}
}

const robots = "User-agent: Googlebot\nDisallow: /caf%C3%A9\n\nUser-agent: *\nDisallow: /cart\n"

// found returns the files of expectations in a folder.
func found(t *testing.T, folder string) (names []string) {
	t.Helper()
	search := expect.Files()
	for name, err := range search.Files(folder) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func TestFiles(t *testing.T) {
	dir := write(t, map[string]string{
		"robots.txt": robots,
		"tests/a.robots-test": "robots: ../robots.txt\nagents: Googlebot, Foo-News:Googlebot, AdsBot-Google\ndeny: [2] /café\nallow: /cart\n" +
			"dialect: koster1996\nagents:\ndeny: [5] https://shop.example/cart\n",
		"tests/.hidden/b.robots-test": "not read",
		"tests/c.txt":                 "not read",
	})
	names := found(t, dir)
	if want := []string{filepath.Join(dir, "tests", "a.robots-test")}; !slices.Equal(names, want) {
		t.Fatalf("found %q, want %q", names, want)
	}
	read := 0
	r := &expect.Runner{ReadFile: func(path string) (*answer.File, error) {
		read++
		return readFile(path)
	}}
	report := run(t, r, names[0], names[0])
	if read != 1 || len(report.Suites) != 2 || report.Took <= 0 {
		t.Errorf("the robots.txt was read %d times; %d suites, %s", read, len(report.Suites), report.Took)
	}
	var got []string
	for _, o := range report.Suites[1].Outcomes {
		a := o.Answer
		got = append(got, fmt.Sprintf("%d %s %s %s%s %s %d %v", o.Check.HeadLine, a.Dialect, a.Agent, a.URL, a.ComparedURL, a.Verdict, a.Line,
			o.Result == expect.Passed))
		if e, file := o.Explain(); e.Verdict != a.Verdict || e.Decision.Line != a.Line || string(file.Text) != robots {
			t.Errorf("%+v is explained as %+v", o, e)
		}
	}
	want := []string{
		"3 google Googlebot /café/caf%C3%A9 disallowed 2 true",
		"3 google Foo-News:Googlebot /café/caf%C3%A9 disallowed 2 true",
		"3 google AdsBot-Google /café/caf%C3%A9 allowed 0 false",
		"4 google Googlebot /cart allowed 0 true",
		"4 google Foo-News:Googlebot /cart allowed 0 true",
		"4 google AdsBot-Google /cart allowed 0 true", // groups for "*" do not apply to it
		"7 koster1996 * https://shop.example/cart disallowed 5 true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if report.Count(expect.Passed) != 12 || report.Count(expect.Failed) != 2 || report.Broken() != 0 {
		t.Errorf("%d passed, %d failed, %d are broken", report.Count(expect.Passed), report.Count(expect.Failed), report.Broken())
	}
}

func TestErrors(t *testing.T) {
	dir := write(t, map[string]string{"robots.txt": robots, "dir/x": ""})
	const rest = "\nagents: FooBot\nallow: /\n"
	vector := "format: 2\nclause: G1\nnote: x\ndialect: google\nagents: x\nallow: /\n\n"
	tests := []struct {
		data, text, hint string
	}{
		{"robots: robots.txt\n", ":1: no check", ""},
		{"agents: A; B\n", ":1: agents: semicolon", ""},
		{"robots: gone.txt" + rest, ":1: there is no file", "--file and --url"},
		{"\nrobots: dir" + rest, "is a directory", ""},
		{"robots: http:///" + rest, "http:///", ""},
		{"robots: http://shop.example/other.txt" + rest, `:1: crawlers do not request a robots.txt at "http://shop.example/other.txt"`, "give http://shop.example/robots.txt"},
		{"robots: http://shop.example?" + rest, ":1: crawlers do not request a robots.txt at", "give http://shop.example/robots.txt"},
		{"robots: http://shop.example" + rest + "deny: https://shop.example/\n", ":4: https://shop.example/ is not governed by http://shop.example/robots.txt", "names https://shop.example/robots.txt"},
		{"robots: http://shop.example" + rest + "deny: http:///\n", ":4: \"http:///", ""},
	}
	for _, test := range tests {
		s := (&expect.Runner{ReadFile: readFile}).Suite(filepath.Join(dir, "a.robots-test"), []byte(test.data))
		var e *term.Error
		hint := term.HintOf(s.Err)
		if !errors.As(s.Err, &e) || !strings.Contains(e.Error(), test.text) || !strings.Contains(hint, test.hint) ||
			(hint == "") != (test.hint == "") {
			t.Errorf("%q: got %v with the hint %q, want %q with the hint %q", test.data, s.Err, hint, test.text, test.hint)
		}
		if prefix := filepath.Join(dir, "a.robots-test") + ":"; !strings.HasPrefix(s.Err.Error(), prefix) ||
			s.Name != filepath.Join(dir, "a.robots-test") {
			t.Errorf("%q: %q does not begin with %q", test.data, s.Err, prefix)
		}
	}
	if s := (&expect.Runner{}).Suite("v", []byte(vector)); s.Err != nil || !s.IsVector() {
		t.Errorf("a vector: %v", s.Err)
	}
	r := &expect.Runner{Instead: &expect.Subject{Name: "x"}}
	if s := r.Suite("v", []byte(vector)); s.Err == nil || !strings.Contains(s.Err.Error(), `"v" is a vector`) {
		t.Errorf("a vector with another robots.txt: %v", s.Err)
	}
}

// TestExact: without its documented behaviour, a crawler is like any other.
func TestExact(t *testing.T) {
	dir := write(t, map[string]string{"robots.txt": robots, "a.robots-test": "robots: robots.txt\nagents: AdsBot-Google, Googlebot-News\ndeny: [5] /cart\n"})
	name := filepath.Join(dir, "a"+expect.Suffix)
	if report := run(t, &expect.Runner{Exact: true}, name); report.Count(expect.Passed) != 2 {
		t.Errorf("got %+v", report.Suites[0].Outcomes)
	}
	if report := run(t, &expect.Runner{}, name); report.Count(expect.Failed) != 2 {
		t.Errorf("with documented behaviour: %+v", report.Suites[0].Outcomes)
	}
}

// TestSites: a site is fetched once for all suites; where it has no file, the
// policy decides.
func TestSites(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		if requests > 1 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, robots)
	}))
	defer server.Close()
	text := "robots: " + server.URL + "\nagents: FooBot\ndeny: [5] " + server.URL + "/cart\n"
	dir := write(t, map[string]string{"robots.txt": robots, "a.robots-test": text, "b.robots-test": text, "file.robots-test": "robots: robots.txt\nagents: x\ndeny: /cart\n"})
	name := func(base string) string { return filepath.Join(dir, base+expect.Suffix) }
	for i, want := range []bool{true, false} {
		r := &expect.Runner{Fetch: fetchAll(t)}
		report := run(t, r, name("a"), name("b"), name("file"))
		if requests != i+1 {
			t.Errorf("%d requests, want %d", requests, i+1)
		}
		for n, s := range report.Suites {
			if o := s.Outcomes[0]; s.Err != nil || (o.Result == expect.Passed) != (want || n == 2) ||
				o.Answer.Allowed == (want || n == 2) {
				t.Errorf("run %d, suite %d: %v, %+v", i, n, s.Err, s.Outcomes)
			}
		}
		if s := report.Suites[0].Subject; s != report.Suites[1].Subject || (s.Ruling.HasFile()) != want {
			t.Errorf("run %d: the subject is %+v", i, s)
		}
	}
	r := &expect.Runner{Fetch: fetchAll(t)}
	var err error
	r.Instead, err = r.Site(server.URL + "/robots.txt")
	if err != nil {
		t.Fatal(err)
	}
	if report := run(t, r, name("file")); report.Count(expect.Failed) != 1 || report.Suites[0].Subject.URL != server.URL+"/robots.txt" {
		t.Errorf("with another robots.txt: %+v", report.Suites[0])
	}
	broken := &expect.Runner{
		Fetch: func(context.Context, []string) ([]*answer.Ruling, error) { return nil, context.Canceled },
	}
	if report, err := broken.Run(t.Context(), []*expect.Suite{broken.Suite("a", []byte(text))}); err == nil ||
		report != nil {
		t.Errorf("a run without results: %+v", report)
	}
}

// TestUnknown: without an answer of the site there is no verdict, even if the policy's
// word is the expected one.
func TestUnknown(t *testing.T) {
	closed := fmt.Sprintf("http://127.0.0.1:%d", valkeytest.FreePorts(t, 1)[0])
	r := &expect.Runner{Fetch: fetchAll(t)}
	s := r.Suite("a", []byte("robots: "+closed+"\nagents: FooBot\ndeny: /\nallow: /\n"))
	report, err := r.Run(t.Context(), []*expect.Suite{s})
	if err != nil || report.Count(expect.Unknown) != 2 || s.Outcomes[0].Answer.Verdict != wire.VerdictUnknown {
		t.Fatalf("%+v, error %v", s, err)
	}
	var text strings.Builder
	if err := report.WriteJUnit(&text); err != nil || strings.Count(text.String(), ", but that is unknown because ") != 2 ||
		strings.Count(text.String(), `type="unknown"`) != 2 || !strings.Contains(text.String(), `tests="2" failures="0" errors="2"`) {
		t.Errorf("%v:\n%s", err, text.String())
	}
}

// fetchAll returns a Fetch with a client of its own.
func fetchAll(t *testing.T) func(context.Context, []string) ([]*answer.Ruling, error) {
	client, err := fetch.New(fetch.Config{UserAgent: "robots", Agents: []string{"robots"}, KeepBodies: true,
		Network: fetch.Network{Trusts: func(origin.Origin) bool { return true }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return func(ctx context.Context, urls []string) (rulings []*answer.Ruling, err error) {
		began := time.Now()
		for _, url := range urls {
			result, err := client.Robots(ctx, url)
			if err != nil {
				return nil, err
			}
			rulings = append(rulings, sites.RuleSite(result, began, nil, nil))
		}
		return rulings, nil
	}
}
